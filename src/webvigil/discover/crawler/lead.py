"""A lead: an address that a page names, and what is known about it before the visit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self
from urllib.parse import urlsplit

How = Literal["seed", "link", "area", "frame", "refresh", "redirect"]


@dataclass(frozen=True, kw_only=True)
class Lead:
    """An address to visit. `source` is the page that names it ("" for a seed), `words` is the text of the
    link."""

    url: str
    source: str = ""
    how: How = "seed"
    words: str = ""
    depth: int = 0

    @cached_property
    def host(self) -> str:
        return host_of(self.url)

    def as_json(self) -> dict[str, Any]:
        """Returns plain data without the source, which is the page whose step the lead stands in."""
        told = {"url": self.url, "how": self.how, "words": self.words, "depth": self.depth}
        return {name: value for name, value in told.items() if value not in ("", 0)}

    @classmethod
    def from_json(cls, told: dict[str, Any], source: str) -> Self:
        return cls(source=source, **told)


def host_of(url: str) -> str:
    """Returns the host, with port, that a request to this address must be polite to."""
    return urlsplit(url).netloc.rpartition("@")[2]
