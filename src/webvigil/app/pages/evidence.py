"""A version of a page in, a signed file out that proves what came, from where and when; and back.

The file is a ZIP archive that anybody can open and check without WebVigil:

    statement.json     the address, the times, and the SHA-256 of every other part
    body               the bytes as they came
    frames/1 …         the bytes of its frames
    signature.txt      Ed25519 signature of this server over the bytes of statement.json

Cookies that the server set are left out, because the file is made to be given to others.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from webvigil import __version__
from webvigil.app.peers.wiring import identity_of
from webvigil.app.settings import Settings
from webvigil.community.keys import fingerprint, is_key, is_signed
from webvigil.errors import DocumentRefused
from webvigil.model.json_text import json_text
from webvigil.model.moment import as_datetime
from webvigil.model.version import Answer, Version
from webvigil.store.promises import Journal, Schedule, Versions
from webvigil.store.repository import PageRepository, reading_version
from webvigil.store.zips import UNREADABLE_ZIP

KIND = "WebVigil evidence 1"
_STATEMENT, _SIGNATURE, _BODY = "statement.json", "signature.txt", "body"
_SECRET = ("set-cookie", "set-cookie2")
# Newest looks that are searched for the last time the page was seen unchanged.
_LOOKS = 1000
_SAME = ("same", "not modified")
# Limits of a file that is checked, against ZIP bombs: parts, and bytes when unpacked.
_MOST_PARTS = 1000
_LARGEST = 500_000_000


class _Store(Protocol):
    """The parts of the knowledge base that a statement about a version needs."""

    journal: Journal
    schedule: Schedule
    versions: Versions


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The content of an evidence file. `troubles` tell why the file is not to be believed; without troubles,
    the holder of the key wrote exactly this statement."""

    statement: dict[str, Any]
    troubles: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        return fingerprint(str(self.statement.get("key", "")))


def evidence_of(knowledge: _Store, settings: Settings, pages: PageRepository, kept: Version) -> bytes:
    """Returns the signed evidence file for this version. Raises DocumentRefused for a version that a user
    brought from an archive, because this server did not see it."""
    if kept.number < 0:
        raise DocumentRefused(
            f"version {kept.number} was brought from an archive; this server cannot testify to it"
        )
    with reading_version(kept.number):
        answer = pages.answer(kept.object)
    parts = dict(_parts(answer))
    identity = identity_of(settings)
    said = _statement(knowledge, kept, answer) | {
        "parts": {name: _measured(content) for name, content in parts.items()},
        "webvigil": __version__,
        "key": identity.key,
        "fingerprint": identity.fingerprint,
    }
    statement = json_text(said, indent=2).encode()
    return _zipped({_STATEMENT: statement, _SIGNATURE: identity.sign(statement).encode()} | parts)


def read_evidence(data: bytes) -> Evidence:
    """Reads and checks an evidence file. Raises DocumentRefused if the file is no evidence at all."""
    parts = _unzipped(data)
    try:
        content, signature = parts.pop(_STATEMENT), parts.pop(_SIGNATURE).decode("ascii")
        statement = json.loads(content)
    except (KeyError, ValueError, RecursionError) as error:
        raise DocumentRefused("this is no evidence that WebVigil has written") from error
    if not isinstance(statement, dict) or statement.get("kind") != KIND:
        raise DocumentRefused("this is no evidence that WebVigil has written")
    return Evidence(statement=statement, troubles=tuple(_troubles(statement, content, signature, parts)))


def _statement(knowledge: _Store, kept: Version, answer: Answer) -> dict[str, Any]:
    later = [one.fetched_at for one in knowledge.versions.of(kept.page) if one.number > kept.number]
    until = min(later, default=None)
    return {
        "kind": KIND,
        "address": kept.url,
        "status": answer.status,
        "headers": [[name, value] for name, value in answer.headers if name.lower() not in _SECRET],
        "version": kept.number,
        "fetched_at": kept.fetched_at.isoformat(),
        "last_seen_so_at": _last_seen(knowledge.journal, kept, until).isoformat(),
        "another_version_at": until.isoformat() if until else None,
        "written_at": as_datetime(knowledge.schedule.now()).isoformat(),
    }


def _last_seen(journal: Journal, kept: Version, until: datetime | None) -> datetime:
    """Returns the time of the last look that found the page as it is in this version."""
    looks = journal.fetch_log(kept.page, limit=_LOOKS)
    same = (look["at"] for look in looks if look["decision"] in _SAME)
    return max((at for at in same if until is None or at < until), default=kept.fetched_at)


def _parts(answer: Answer) -> Iterator[tuple[str, bytes]]:
    yield _BODY, answer.body
    for number, frame in enumerate(answer.frames, 1):
        yield f"frames/{number}", frame.answer.body


def _measured(content: bytes) -> dict[str, Any]:
    return {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}


def _troubles(
    statement: dict[str, Any], content: bytes, signature: str, parts: dict[str, bytes]
) -> Iterator[str]:
    """Yields the reasons why a file is not to be believed: a wrong signature, or parts that differ from the
    statement."""
    key = statement.get("key")
    if not isinstance(key, str) or not is_key(key) or not is_signed(content, signature, key):
        yield "the statement is not signed by the key that it names"
    known = statement.get("parts")
    known = known if isinstance(known, dict) else {}
    for name in sorted({*known, *parts}):
        if name not in parts or known.get(name) != _measured(parts[name]):
            yield f"{name} is not what the statement tells of"


def _zipped(parts: dict[str, bytes]) -> bytes:
    """Returns a ZIP file of the parts. Equal parts give an equal file, because no times are written into
    it."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            head = zipfile.ZipInfo(name)
            head.compress_type, head.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(head, content)
    return file.getvalue()


def _unzipped(data: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            heads = archive.infolist()
            if len(heads) > _MOST_PARTS or sum(one.file_size for one in heads) > _LARGEST:
                raise DocumentRefused("this is larger than any evidence that WebVigil writes")
            return {one.filename: archive.read(one) for one in heads}
    except UNREADABLE_ZIP as error:
        raise DocumentRefused("this is no evidence that WebVigil has written, or it is damaged") from error
