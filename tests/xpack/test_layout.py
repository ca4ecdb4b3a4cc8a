"""The containers of documents stay as they are, byte for byte before they are compressed.

Another version of the format may write them in another way; after a change that is meant, write the file anew
and read what git says is different: `.venv/bin/python -m tests.xpack.test_layout`
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

from tests.xpack.documents import HTML, LOG_ENTRY, PLAY, XML
from webvigil.document import read
from webvigil.xpack.document import Raw, raw_document
from webvigil.xpack.profiles import PROFILES
from webvigil.xpack.sections import CONTAINER_NAMES, SIGNATURES

KEPT = Path(__file__).with_name("layout.txt")
ENTRIES = "".join(LOG_ENTRY.replace("4478", str(number * number)) for number in range(90))
DOCUMENTS = {
    **XML,
    "play of verses": PLAY,
    "log": f"<log>{ENTRIES}</log>",
    "prefixes": '<a xmlns:p="urn:p"><p:b p:c="1" xmlns:p="urn:q"><p:d/></p:b><p:b c="2"/><q xmlnsx="1"/></a>',
}


def kept() -> str:
    return "\n".join([*_of_xml(), *_of_html()]) + "\n"


def _of_xml() -> Iterator[str]:
    for name, text in DOCUMENTS.items():
        digest = read(text.encode(), "text/xml")
        for profile in (None, *PROFILES):
            yield f"{name}, {profile or 'chosen'}: {_told(raw_document(digest, profile=profile))}"


def _of_html() -> Iterator[str]:
    digest = read(HTML.encode(), "text/html", "https://example.org/x")
    more: dict[str, Any] = {"source": HTML.encode(), "signatures": True}
    for profile in (None, *PROFILES):
        raw = raw_document(digest, profile=profile, name="page", **more)
        yield f"html, {profile or 'chosen'}: {_told(raw)}"
    for said, kind in (
        (b'{"a": [1, null, "x"], "\\u0000": {}}', "application/json"),
        (b"a\nb", "text/plain"),
    ):
        yield f"{kind}: {_told(raw_document(read(said, kind)))}"


def _told(raw: Raw) -> str:
    parts = [
        f"{CONTAINER_NAMES[identifier]} {len(data)} {crc32(data):08x}"
        for identifier, data in raw.containers
        if identifier != SIGNATURES  # they name the way in which documents are read
    ]
    head = raw.head.packed()
    return f"{raw.head.profile}, version {raw.version}, head {head.hex()}; {', '.join(parts)}"


def test_the_containers_of_documents_are_written_as_before():
    assert kept() == KEPT.read_text("utf-8"), "if this is meant: .venv/bin/python -m tests.xpack.test_layout"


if __name__ == "__main__":
    KEPT.write_text(kept(), "utf-8")
