"""XML in, a Page Digest out.

Names stay as written (with prefix), namespace declarations become attributes, and comments, processing
instructions, CDATA sections and the doctype become nodes. expat sends its events to the sink. Entities that
the document declares are expanded within bounds. Nothing outside the document is ever fetched; a reference to
it stays as text. lxml repairs a document that is not well formed; if it still cannot be read, it is no XML.
"""

from __future__ import annotations

from collections.abc import Callable
from html.entities import html5
from typing import Any
from xml.parsers import expat

from webvigil.document.digest import PageDigest
from webvigil.document.sink import Sink
from webvigil.errors import DocumentRefused

# By its own entities a document may grow to _GROWTH times its length plus _ALLOWANCE characters. A larger one
# was made to explode.
_GROWTH = 10
_ALLOWANCE = 1_000_000
_BOMBS = ("amplification", "recursive")
_EXPLODES = (
    "this page is not read: it is an XML document whose entities stand for far more text than it has, which "
    "is made to fill the memory of whoever reads it"
)


class NotXml(Exception):
    """The text cannot be read as XML, not even after repair."""


def read_xml(text: str, url: str = "") -> PageDigest:
    """Returns the digest of an XML text. Raises NotXml if it cannot be read even after repair,
    DocumentRefused for a document made to explode."""
    try:
        return _read(text, url)
    except expat.ExpatError as error:
        _refuse_bomb(error)
    try:
        return _read(_repaired(text), url)
    except expat.ExpatError as error:
        raise NotXml(str(error)) from error


def is_well_formed(text: str) -> bool:
    try:
        _read(text, "")
    except expat.ExpatError:
        return False
    return True


def _read(text: str, url: str) -> PageDigest:
    data = text.encode("utf-8", "replace")
    sink = Sink()
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.ordered_attributes = True
    _connect(parser, sink, data)
    parser.Parse(data, True)
    return sink.digest("xml", url)


def _connect(parser: Any, sink: Sink, data: bytes) -> None:
    pieces: list[str] = []
    flush = _connect_text(parser, sink, pieces, len(data))
    start_element, end_element = sink.start_element, sink.end_element

    def start(name: str, flat: list[str]) -> None:
        if pieces:
            flush()
        start_element(name, tuple(zip(flat[::2], flat[1::2], strict=True)) if flat else ())

    def end(name: str) -> None:
        if pieces:
            flush()
        end_element(name)

    def comment(text: str) -> None:
        flush()
        sink.comment(text)

    def instruction(target: str, text: str) -> None:
        flush()
        sink.processing_instruction(target, text)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CommentHandler = comment
    parser.ProcessingInstructionHandler = instruction
    _connect_doctype(parser, sink, data)


def _connect_text(parser: Any, sink: Sink, pieces: list[str], size: int) -> Callable[[], None]:
    """Connects the text events of the parser with the sink. A text arrives in pieces, which are collected;
    the returned function sends the collected text to the sink."""
    room = size * _GROWTH + _ALLOWANCE
    emit = sink.characters

    def characters(piece: str) -> None:
        nonlocal room
        room -= len(piece)
        if room < 0:
            raise DocumentRefused(_EXPLODES)
        pieces.append(piece)

    def flush() -> None:
        if pieces:
            emit("".join(pieces))
            pieces.clear()

    def start_cdata() -> None:
        nonlocal emit
        flush()
        emit = sink.cdata

    def end_cdata() -> None:
        nonlocal emit
        if not pieces:
            pieces.append("")
        flush()
        emit = sink.characters

    def skipped(name: str, is_parameter: bool) -> None:
        if not is_parameter:
            characters(html5.get(f"{name};", f"&{name};"))

    def external(context: str, base: str, system: str, public: str) -> int:
        characters(f"&{(context or '').split(chr(12))[-1]};")
        return 1

    parser.CharacterDataHandler = characters
    parser.StartCdataSectionHandler = start_cdata
    parser.EndCdataSectionHandler = end_cdata
    parser.SkippedEntityHandler = skipped
    parser.ExternalEntityRefHandler = external
    return flush


def _connect_doctype(parser: Any, sink: Sink, data: bytes) -> None:
    """Connects the doctype events of the parser with the sink, so that the doctype is kept as written."""
    begin = 0

    def start(name: str, system: str, public: str, has_subset: bool) -> None:
        nonlocal begin
        begin = data.rfind(b"<!DOCTYPE", 0, parser.CurrentByteIndex + len(b"<!DOCTYPE"))

    def end() -> None:
        close = data.find(b">", parser.CurrentByteIndex)
        written = data[begin + len(b"<!DOCTYPE") : close].decode("utf-8", "replace")
        sink.leaf("#doctype", written.strip())

    parser.StartDoctypeDeclHandler = start
    parser.EndDoctypeDeclHandler = end


def _refuse_bomb(error: expat.ExpatError) -> None:
    reason = expat.ErrorString(error.code)
    if any(word in reason for word in _BOMBS):
        raise DocumentRefused(_EXPLODES) from error


def _repaired(text: str) -> str:
    from lxml import etree

    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=False)
    try:
        tree = etree.fromstring(text.replace("\0", "").encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError as error:
        raise NotXml(str(error)) from error
    if tree is None:
        raise NotXml("there is no element in it")
    return etree.tostring(tree.getroottree(), encoding="unicode")
