"""The bytes of a page and their Content-Type in, a Page Digest out (F9).

The Content-Type decides which reader is used, as in a browser. If it is missing or says nothing, the first
bytes decide. A text that its reader cannot read goes to another one: XML that cannot be repaired is read as
HTML, a text that is no JSON as plain text, and JSON that was sent as HTML as plain text. So there always is a
digest, except for a document that is too large or made to explode.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from turbohtml.saxparse import sax_parse

from webvigil.document.charset import decode
from webvigil.document.containers import Kind
from webvigil.document.delimited import read_delimited
from webvigil.document.digest import PageDigest
from webvigil.document.hashes import both
from webvigil.document.icalendar import read_icalendar
from webvigil.document.jsontext import NotJson, json_in, read_json, read_ndjson
from webvigil.document.plain_text import read_binary, read_text
from webvigil.document.sink import Sink
from webvigil.document.xml import NotXml, is_well_formed, read_xml
from webvigil.errors import DocumentRefused

HtmlParser = Callable[[str, Sink], None]
"""A parser of HTML sends the finished tree, as a browser would build it, to a sink as a series of events. The
product uses turbohtml; the tests compare it with lexbor behind the same type."""

# Bytes of a document, however many of them a fetch may bring.
LARGEST = 64 * 1024 * 1024
# The most characters that can begin a node, counted before parsing. This bounds the nodes, and so time and
# memory.
MOST_NODES = 3_000_000

_MARKUP_SIGNS = re.compile(rb"<[a-zA-Z!/?]")
_XML_SIGNS = re.compile(
    rb"(?:<!--.*?-->\s*)*(?:<\?xml\s|<(?:rss|feed|rdf:RDF|svg|urlset|sitemapindex|opml)[\s>])", re.DOTALL
)
_FEED_SIGNS = re.compile(rb"\s*<\?xml[^>]*>\s*(?:<!--[^>]*-->\s*|<\?[^>]*>\s*)*<(?:rss|feed|rdf:RDF)[\s>]")
_BINARY_SIGNS = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_SAYS_NOTHING = (
    "",
    "application/octet-stream",
    "application/x-unknown-content-type",
    "unknown/unknown",
    "*/*",
)
# The bytes by which browsers tell the kind of a document (MIME Sniffing standard).
_SNIFFED = 1445
_NODE_SIGNS = {"html": (b"<",), "xml": (b"<",), "json": (b",", b"[", b"{")}


def turbohtml(text: str, sink: Sink) -> None:
    sax_parse(text, sink)  # type: ignore[arg-type]  # a sink has the methods of a SaxHandler


def read_html(text: str, url: str = "", parser: HtmlParser = turbohtml) -> PageDigest:
    sink = Sink()
    parser(text, sink)
    return sink.digest("html", url)


def read(body: bytes, content_type: str = "", url: str = "", *, parser: HtmlParser = turbohtml) -> PageDigest:
    """Returns the digest of a page. `content_type` is the header as sent, `url` the address of the page.
    Raises DocumentRefused for a document that is too large."""
    if len(body) > LARGEST:
        raise DocumentRefused(f"the document is too large: {len(body):,} bytes, at most {LARGEST:,}")
    kind = kind_of(body, content_type)
    if shape := _shape_of(kind, content_type, url):
        digest = _SHAPES[shape](body, content_type, url)
        if digest is not None:
            return digest.with_source(both(body))
    if len(body) > MOST_NODES and sum(map(body.count, _NODE_SIGNS.get(kind, ()))) > MOST_NODES:
        raise DocumentRefused(f"the document has too many nodes: at most {MOST_NODES:,}")
    return _read(kind, body, content_type, url, parser).with_source(both(body))


# Texts with a shape of their own, by the essence of their type and, where that says little, by the name of
# the file. A text that has not the shape is read as what its type says.
_SHAPES_BY_TYPE = {
    "text/csv": "csv",
    "application/csv": "csv",
    "text/comma-separated-values": "csv",
    "text/tab-separated-values": "tsv",
    "text/calendar": "ics",
    "application/x-ndjson": "ndjson",
    "application/ndjson": "ndjson",
    "application/jsonl": "ndjson",
    "application/x-jsonlines": "ndjson",
    "application/jsonlines": "ndjson",
    "application/json-seq": "ndjson",
}
_SHAPES_BY_NAME = {".csv": "csv", ".tsv": "tsv", ".ics": "ics", ".ndjson": "ndjson", ".jsonl": "ndjson"}
_SAYS_LITTLE = (*_SAYS_NOTHING, "text/plain", "application/vnd.ms-excel", "binary/octet-stream")


def _shape_of(kind: Kind, content_type: str, url: str) -> str:
    essence = content_type.partition(";")[0].strip().lower()
    if essence in _SHAPES_BY_TYPE:
        return _SHAPES_BY_TYPE[essence]
    if essence not in _SAYS_LITTLE or kind in ("html", "xml"):
        return ""
    path = url.partition("?")[0].partition("#")[0].lower()
    return next((shape for name, shape in _SHAPES_BY_NAME.items() if path.endswith(name)), "")


def _read_csv(body: bytes, content_type: str, url: str) -> PageDigest | None:
    said = re.search(r";\s*header\s*=\s*\"?(present|absent)", content_type, re.IGNORECASE)
    header = said[1].lower() == "present" if said else None
    return read_delimited(decode(body, content_type, markup=""), url, header=header)


def _read_tsv(body: bytes, content_type: str, url: str) -> PageDigest | None:
    return read_delimited(decode(body, content_type, markup=""), url, tabs=True)


def _read_calendar(body: bytes, content_type: str, url: str) -> PageDigest | None:
    return read_icalendar(decode(body, content_type, markup=""), url)


def _read_ndjson(body: bytes, content_type: str, url: str) -> PageDigest | None:
    if sum(map(body.count, _NODE_SIGNS["json"])) > MOST_NODES:
        raise DocumentRefused(f"the document has too many nodes: at most {MOST_NODES:,}")
    try:
        return read_ndjson(decode(body, content_type, markup=""), url)
    except NotJson:
        return None


_SHAPES: dict[str, Callable[[bytes, str, str], PageDigest | None]] = {
    "csv": _read_csv,
    "tsv": _read_tsv,
    "ics": _read_calendar,
    "ndjson": _read_ndjson,
}


def _read(kind: str, body: bytes, content_type: str, url: str, parser: HtmlParser) -> PageDigest:
    match kind:
        case "html" if _is_json(body, content_type):
            return read_text(decode(body, content_type, markup=""), url)
        case "html":
            return _read_html(body, content_type, url, parser)
        case "xml":
            return _read_xml(body, content_type, url, parser)
        case "json":
            return _read_json(body, content_type, url)
        case "text":
            return read_text(decode(body, content_type, markup=""), url)
        case _:
            return read_binary(body, url)


def kind_of(body: bytes, content_type: str = "") -> Kind:
    """Returns the kind of document, which decides the reader."""
    essence = content_type.partition(";")[0].strip().lower()
    if essence in _SAYS_NOTHING:
        return _sniffed(body)
    if essence == "text/html":
        return "xml" if _FEED_SIGNS.match(body[:_SNIFFED]) else "html"
    if essence in ("text/xml", "application/xml") or essence.endswith("+xml"):
        return "xml"
    if essence in ("application/json", "text/json") or essence.endswith("+json"):
        return "json"
    if essence.startswith("text/") or essence in ("application/javascript", "application/x-javascript"):
        return "binary" if _looks_binary(body) else "text"
    return "binary"


def is_pdf(body: bytes, content_type: str) -> bool:
    """Returns True if the body is a PDF by its media type or, if that says nothing, by its first bytes."""
    essence = content_type.partition(";")[0].strip().lower()
    if essence in ("application/pdf", "application/x-pdf"):
        return body[:1024].find(b"%PDF-") >= 0
    return essence in ("", "application/octet-stream") and body.startswith(b"%PDF-")


def _sniffed(body: bytes) -> Kind:
    """Returns the kind of document by its first bytes. A browser is stricter, because it must not run a text
    as HTML; here nothing is run."""
    head = body[:_SNIFFED]
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if _XML_SIGNS.match(start) or head[:4] in (b"<\0?\0", b"\0<\0?"):
        return "html" if b"<html" in head.lower() and b"xhtml" not in head.lower() else "xml"
    if _looks_binary(body):
        return "binary"
    if _MARKUP_SIGNS.match(start):
        return "html"
    return "json" if start[:1] in (b"{", b"[") else "text"


def _looks_binary(body: bytes) -> bool:
    """Tells whether the first bytes hold control characters that no text has. UTF-16 with a byte order mark
    is text."""
    if body[:2] in (b"\xfe\xff", b"\xff\xfe"):
        return False
    return bool(_BINARY_SIGNS.search(body[:_SNIFFED]))


def _is_json(body: bytes, content_type: str) -> bool:
    """Tells whether the bytes are JSON that was sent as HTML. Such a text is read as plain text, because
    nothing in it is markup."""
    head = body[:_SNIFFED].removeprefix(b"\xef\xbb\xbf").lstrip()
    return head[:1] in (b"{", b"[", b")") and json_in(decode(body, content_type, markup="")) is not None


def _read_html(body: bytes, content_type: str, url: str, parser: HtmlParser) -> PageDigest:
    return read_html(decode(body, content_type), url, parser)


def _read_xml(body: bytes, content_type: str, url: str, parser: HtmlParser) -> PageDigest:
    text = decode(body, content_type, markup="xml").lstrip()
    # Broken XHTML is read as the HTML its author saw, not repaired as XML.
    if "xhtml" in content_type.lower() and not is_well_formed(text):
        return _read_html(body, content_type, url, parser)
    try:
        return read_xml(text, url)
    except NotXml:
        return _read_html(body, content_type, url, parser) if "<" in text else read_text(text, url)


def _read_json(body: bytes, content_type: str, url: str) -> PageDigest:
    text = decode(body, content_type, markup="")
    try:
        return read_json(text, url)
    except NotJson:
        pass
    try:
        # Some servers send one value on a line and call it JSON. The first line tells such a text from a
        # broken document.
        if "\n" in text.strip() and json_in(text.strip().partition("\n")[0]) is not None:
            return read_ndjson(text, url)
    except NotJson:
        pass
    return read_text(text, url)
