"""A page and a sentinel in, the objects that the sentinel watches on it now out (V3).

The watched objects are those that would be new if the page had been empty before.
"""

from __future__ import annotations

from dataclasses import replace

from webvigil.detect.find import evaluate
from webvigil.document import PageDigest, read
from webvigil.document.masks import view
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.sentinel import ChangeType, Sentinel

_EMPTY = {
    "html": (b"<!doctype html>", "text/html"),
    "xml": (b"<empty/>", "application/xml"),
    "json": (b"null", "application/json"),
    "text": (b"", "text/plain"),
}
_ANY_CHANGE = ChangeType("any change")


def watched(digest: PageDigest, sentinel: Sentinel) -> tuple[Finding, ...]:
    """Returns one finding for each change type of the sentinel, with the objects it watches. What is gone is
    the emptiness of the empty page: the `null` of JSON, the lone element of XML."""
    seen = view(digest, sentinel.within, sentinel.ignore) if sentinel.within or sentinel.ignore else digest
    found = evaluate(emptied(digest), seen, sentinel.monitor or _ANY_CHANGE).findings
    return tuple(replace(one, objects=tuple(filter(_is_there, one.objects))) for one in found)


def _is_there(one: ObjectChange) -> bool:
    return one.status is not Status.GONE


def emptied(digest: PageDigest) -> PageDigest:
    """Returns a page of the same kind and address with nothing on it."""
    body, kind = _EMPTY.get(digest.kind, (b"", "application/octet-stream"))
    return read(body, kind, digest.source_url)
