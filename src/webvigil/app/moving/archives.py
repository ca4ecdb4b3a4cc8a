"""A choice of pages in, a web archive out: WARC or signed WACZ."""

from __future__ import annotations

from typing import IO, Literal

from webvigil.app.moving.captures import CaptureStore, Chosen, captures_of, pages_of
from webvigil.app.moving.wacz import write_wacz
from webvigil.app.moving.warc import Progress, Written, write_warc
from webvigil.app.operating.stores import repository
from webvigil.app.peers.wiring import identity_of
from webvigil.app.settings import Settings
from webvigil.model.moment import as_datetime

ArchiveKind = Literal["warc", "wacz"]
ENDINGS: dict[ArchiveKind, str] = {"warc": ".warc.gz", "wacz": ".wacz"}
MEDIA_TYPES: dict[ArchiveKind, str] = {"warc": "application/warc", "wacz": "application/wacz"}


def kind_of_name(name: str) -> ArchiveKind | None:
    """Returns the kind of archive that the name of a file ends with, or None."""
    if name.endswith((".warc", ".warc.gz")):
        return "warc"
    return "wacz" if name.endswith(".wacz") else None


def write_archive(
    knowledge: CaptureStore,
    settings: Settings,
    chosen: Chosen,
    kind: ArchiveKind,
    file: IO[bytes],
    *,
    compressed: bool = True,
    progress: Progress | None = None,
) -> Written:
    """Writes all versions of the chosen pages that their user may see."""
    seen = pages_of(knowledge, settings, chosen)
    captures = captures_of(knowledge, repository(settings, knowledge.versions), seen)
    if kind == "warc":
        return write_warc(file, captures, compressed=compressed, progress=progress)
    title = chosen.page or chosen.sentinel or f"Pages of {chosen.user}"
    now = as_datetime(knowledge.schedule.now())
    return write_wacz(file, captures, identity_of(settings), title=title, now=now, progress=progress)
