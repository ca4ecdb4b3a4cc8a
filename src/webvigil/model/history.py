"""The history of a page as the collector sees it: the stored versions, and who may still need them (R1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from webvigil.model.moment import Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptVersion:
    """A stored version. A `dropped` version is no longer shown to anybody, but its object stays because
    another version is stored relative to it."""

    number: int
    fetched_at: Millis
    object: str
    base: str
    picture: str
    stored: int
    dropped: bool


class Use(StrEnum):
    """Why the object of a version is still stored."""

    COMPARED = "compared"  # the newest version, or a version that a sentinel is next compared with
    KEPT = "kept"
    RESTED_ON = "rested on"  # dropped, but another version is stored relative to it


@dataclass(frozen=True, slots=True)
class Need:
    """A sentinel whose life is not over is next compared with version `reference`; `text` tells which
    versions it compares after that."""

    reference: int
    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """A recorded change between two versions, which a user may still want to look at."""

    old: int
    new: int
    found_at: Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """All versions of a page and the needs for them, read at one moment. Versions are ordered from oldest to
    newest."""

    page: int
    latest: int
    versions: tuple[KeptVersion, ...]
    needs: tuple[Need, ...]
    told: tuple[Told, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ages:
    """Moments in the past that bound how long things are kept. Anything older than its moment may be removed.

    `log` is for looks, settled notices and entries of the journal, `versions` for versions of pages. The
    moment 0 removes nothing.
    """

    log: Millis
    versions: Millis


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many rows one step through a log removed, and the id after which the next step begins (None: the
    log is done)."""

    removed: int
    next: int | None
    objects: tuple[str, ...] = ()
