"""The history of a page as the collector sees it: what is kept, and who may still need it (R1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from webvigil.model.moment import Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptVersion:
    """A version that is `dropped` is none any more, but another one is stored relative to it."""

    number: int
    fetched_at: Millis
    object: str
    base: str
    picture: str
    stored: int
    dropped: bool


class Use(StrEnum):
    """What the object of a version is good for."""

    COMPARED = "compared"  # the newest version, or one that a sentinel is next compared with
    KEPT = "kept"
    RESTED_ON = "rested on"  # no version any more, but another one is stored relative to it


@dataclass(frozen=True, slots=True)
class Need:
    """A sentinel that is not over is next compared with this version; its text says how it goes on."""

    reference: int
    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """A recorded change names two versions that somebody may want to look at."""

    old: int
    new: int
    found_at: Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """All of it as it was at one moment; versions oldest first."""

    page: int
    latest: int
    versions: tuple[KeptVersion, ...]
    needs: tuple[Need, ...]
    told: tuple[Told, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ages:
    """Moments of the past, for whatever is removed by its age. What is older than its moment may go.

    `log`: looks, settled notices, entries of the journal. `versions`: versions of pages. Nothing is older
    than 0.
    """

    log: Millis
    versions: Millis


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What one step through a log removed, and the id after which the next step begins (None: no more)."""

    removed: int
    next: int | None
    objects: tuple[str, ...] = ()
