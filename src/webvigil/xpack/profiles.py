"""Document type profiles: which operators a document is packed with (X2), chosen by looking at it.

page   web pages and JSON: many paths, few rows on each. Structure as a walk; addresses by URLPack.
data   XML made by programs: few paths, many rows on each. Structure as paths; values by ContentPack.
text   prose in XML: structure as paths, long texts as they stand.
"""

from __future__ import annotations

from dataclasses import dataclass

from webvigil.document.containers import Kind
from webvigil.errors import XPackError
from webvigil.xpack.paths import PathTable
from webvigil.xpack.values import CONTENT, LINES, URL

# More paths than this share of the rows, and a table of them no longer pays.
_FEW_PATHS = 1 / 12
_MOST_PATHS = 4096
_PROSE = 24


@dataclass(frozen=True, slots=True)
class Profile:
    name: str
    structure: str
    texts: tuple[int, ...]
    attributes: tuple[int, ...]
    # A group of the first size has a container of its own, the others share one up to the second. Smaller
    # ones open faster: 64 K instead of 256 K makes texts of small groups twice as fast and files 1 % larger.
    own: int = 64 * 1024
    shared: int = 96 * 1024


PROFILES = {
    profile.name: profile
    for profile in (
        Profile("page", "walk", (CONTENT,), (CONTENT, URL), own=1 << 40, shared=1 << 40),
        Profile("data", "paths", (CONTENT, LINES), (CONTENT, URL)),
        Profile("text", "paths", (CONTENT, LINES), (CONTENT,)),
        # For measuring the operators of the paper by themselves.
        Profile("counts", "counts", (CONTENT,), (URL,)),
        Profile("subpaths", "subpaths", (CONTENT,), (URL,)),
        # For digests that are soon loaded again; never chosen by looking.
        Profile("digest", "tables", (), ()),
    )
}


def profile_named(name: str) -> Profile:
    if name not in PROFILES:
        raise XPackError(f"there is no profile {name!r}; there are {', '.join(PROFILES)}")
    return PROFILES[name]


def profile_for(kind: Kind, table: PathTable, values: list[str]) -> Profile:
    rows = int(table.count.sum())
    if kind != "xml" or len(table) > min(max(_FEW_PATHS * rows, 64), _MOST_PATHS):
        return PROFILES["page"]
    letters = sum(map(len, values))
    return PROFILES["text" if letters > _PROSE * max(len(values), 1) else "data"]
