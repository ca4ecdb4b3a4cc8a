"""Profiles: a document in, the operators that pack it best out (X2).

page   web pages and JSON: many paths, few rows on each. Structure as a walk; addresses by URLPack.
data   XML made by programs: few paths, many rows on each. Structure as paths; values by ContentPack.
text   prose in XML: structure as paths, long texts as they stand.
"""

from __future__ import annotations

from typing import NamedTuple

from webvigil.document.containers import Kind
from webvigil.errors import XPackError
from webvigil.xpack.paths import PathTable
from webvigil.xpack.values import CONTENT, LINES, URL

# With more paths than this share of the rows, or more than _MOST_PATHS, a table of paths costs more bytes
# than it saves, so the profile "page" is taken. bench/speed/xpack.py packs its documents with each profile.
_FEW_PATHS = 1 / 12
_MOST_PATHS = 4096
# XML whose values have more characters than this on average is prose.
_PROSE = 24


class Profile(NamedTuple):
    name: str
    structure: str
    texts: tuple[int, ...]
    attributes: tuple[int, ...]
    # A group of at least `own` bytes has a container to itself; smaller groups share containers of up to
    # `shared` bytes. Small containers open faster: with 64 K instead of 256 K the texts of small groups are
    # read twice as fast and files are 1 % larger (bench/speed/xpack.py).
    own: int = 64 * 1024
    shared: int = 96 * 1024


PROFILES = {
    profile.name: profile
    for profile in (
        Profile("page", "walk", (CONTENT,), (CONTENT, URL), own=1 << 40, shared=1 << 40),
        Profile("data", "paths", (CONTENT, LINES), (CONTENT, URL)),
        Profile("text", "paths", (CONTENT, LINES), (CONTENT,)),
        # These two exist to measure the operators of the paper by themselves.
        Profile("counts", "counts", (CONTENT,), (URL,)),
        Profile("subpaths", "subpaths", (CONTENT,), (URL,)),
        # For digests that are soon loaded again. `profile_for` never chooses it; the caller names it.
        Profile("digest", "tables", (), ()),
    )
}


def profile_named(name: str) -> Profile:
    """Returns the profile of this name. Raises XPackError if there is none."""
    if name not in PROFILES:
        raise XPackError(f"there is no profile {name!r}; there are {', '.join(PROFILES)}")
    return PROFILES[name]


def profile_for(kind: Kind, table: PathTable, values: list[str]) -> Profile:
    """Chooses the profile of a document by its kind, its table of paths and the mean length of its values."""
    rows = int(table.count.sum())
    if kind != "xml" or len(table) > min(max(_FEW_PATHS * rows, 64), _MOST_PATHS):
        return PROFILES["page"]
    letters = sum(map(len, values))
    return PROFILES["text" if letters > _PROSE * max(len(values), 1) else "data"]
