"""How far a crawl may go."""

from __future__ import annotations

from dataclasses import dataclass

from webvigil.errors import SettingRefused


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """`alike`: of addresses that differ in numbers and fields alone, so many are visited. `twins`: a host
    may show the same text at so many addresses before what they name is not followed any more."""

    pages: int = 200
    pages_per_host: int = 100
    depth: int = 8
    links_per_page: int = 200
    alike: int = 30
    twins: int = 3
    known: int = 50_000
    seconds: float = 3_600.0

    def __post_init__(self) -> None:
        if min(self.pages, self.pages_per_host, self.links_per_page, self.alike, self.known) < 1:
            raise SettingRefused("a crawl visits one page at least")
        if self.depth < 0 or self.seconds <= 0:
            raise SettingRefused("a crawl needs some depth and some time")
