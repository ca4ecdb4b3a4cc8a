"""How far a crawl may go: the most pages, depth, links, addresses and seconds."""

from __future__ import annotations

from dataclasses import dataclass

from webvigil.errors import SettingRefused


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The limits of a crawl. `alike`: the most addresses visited that differ only in numbers and fields.

    `twins`: how many pages of a host may show the same text before the links of further ones are ignored.
    """

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
