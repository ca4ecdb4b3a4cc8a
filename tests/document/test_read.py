"""Which reader is asked, and what becomes of input that is none of the known kinds."""

import pytest

from webvigil.document import PageDigest, read
from webvigil.document.parsing import LARGEST
from webvigil.errors import DocumentRefused

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


@pytest.mark.parametrize(
    ("body", "content_type", "kind"),
    [
        (b"<p>x", "text/html", "html"),
        (b"<p>x", "", "html"),
        (b"<!DOCTYPE html>", "application/octet-stream", "html"),
        (b"\xef\xbb\xbf <!-- c --> <html>", "", "html"),
        (b"<?xml version='1.0'?><a/>", "", "xml"),
        (b"<a/>", "image/svg+xml", "xml"),
        (b'{"a": 1}', "", "json"),
        (b'{"a": 1}', "application/ld+json; charset=utf-8", "json"),
        (b"plain words", "", "text"),
        (b"plain words", "text/plain", "text"),
        (b"a,b\n1,2\n", "text/csv", "html"),
        (b"<p>shown as text</p>", "text/plain", "text"),
        (PNG, "image/png", "binary"),
        (PNG, "", "binary"),
        (PNG, "text/plain", "binary"),
        (b"%PDF-1.4", "application/pdf", "binary"),
        (b"", "", "text"),
        (b"", "text/html", "html"),
        (b"", "image/png", "binary"),
    ],
)
def test_the_kind_is_told_by_header_and_bytes(body, content_type, kind):  # F9
    assert read(body, content_type).kind == kind


def test_plain_text_has_a_node_per_line_and_comes_back_exactly():  # D2
    body = "eins\r\nzwei\nŭ drei".encode()
    digest = read(body, "text/plain; charset=utf-8")
    assert digest.texts == ("eins\r\n", "zwei\n", "ŭ drei")
    assert digest.path(2) == "/text()[2]"
    assert digest.as_document() == body
    assert digest.visible_text == "eins\nzwei\nŭ drei"


def test_anything_else_is_told_apart_by_its_checksum():  # F9
    first, same, other = (read(body, "image/png") for body in (PNG, PNG, PNG + b"!"))
    assert first == same != other
    assert first.words.words == []
    with pytest.raises(DocumentRefused, match="checksum"):
        first.as_document()


def test_a_document_beyond_the_limit_is_refused():
    with pytest.raises(DocumentRefused, match="too large"):
        read(b" " * (LARGEST + 1), "text/html")


def test_a_page_cut_at_any_byte_is_an_answer():
    page = (
        "<!DOCTYPE html><html lang=é><head><meta charset=utf-8><title>Käse &amp; Brot</title></head>"
        "<body class='a b'><!-- c --><table><tr><td>1</td></tr></table><script>x()</script></body></html>"
    ).encode()
    for end in range(len(page)):
        assert isinstance(read(page[:end], "text/html"), PageDigest)


def test_xml_cut_at_any_byte_is_an_answer():
    page = (
        b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e "x">]><a b="c"><!--d-->'
        b"<e><![CDATA[f]]>&e;</e><?g h?></a>"
    )
    for end in range(len(page)):
        assert isinstance(read(page[:end], "text/xml"), PageDigest)


def test_bytes_of_every_value_are_an_answer_whatever_they_are_said_to_be():
    body = bytes(range(256)) * 4
    for content_type in (
        "text/html",
        "text/xml",
        "application/json",
        "text/plain",
        "",
        "text/html; charset=gbk",
    ):
        digest = read(body, content_type)
        assert len(digest.visible_text) >= 0
        assert digest == PageDigest.from_bytes(digest.to_bytes())
