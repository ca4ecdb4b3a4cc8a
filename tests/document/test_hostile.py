"""Input made to hurt: each gives an answer or a clear error, and none holds a worker (DESIGN 8).

Times are generous for a busy machine; what they catch is a cost that grows with the square of the input.
"""

import time

import pytest

from webvigil.document import PageDigest, read
from webvigil.document import plain_text as plain
from webvigil.document.masks import mask
from webvigil.errors import WebVigilError
from webvigil.model.sentinel import Part

MEGABYTE = 1_000_000


def fill(piece, size=MEGABYTE // 2):
    return (piece * (size // len(piece) + 1))[:size].encode()


INPUTS = {
    "nested divs": (fill("<div>"), "text/html"),
    "nested tables": (fill("<table><tr><td>"), "text/html"),
    "ten thousand tables": (fill("<table><tr><td>1</table>", 240_000), "text/html"),
    "wide": (fill("<p>x", MEGABYTE), "text/html"),
    "open formatting": (fill("<b><i><u><p>", 200_000), "text/html"),
    "formatting with attributes": ("".join(f"<font size={n}>" for n in range(20_000)).encode(), "text/html"),
    "options": (b"<select>" + fill("<option>a"), "text/html"),
    "attributes": (b"<p " + " ".join(f"a{n}=1" for n in range(50_000)).encode() + b">", "text/html"),
    "same attribute": (b"<p " + fill("a=1 ") + b">", "text/html"),
    "one long attribute": (b"<a href='" + fill("x/../") + b"'>", "text/html"),
    "different names": ("".join(f"<a{n}>" for n in range(120_000)).encode(), "text/html"),
    "links": (fill("<a href=x>y</a>"), "text/html"),
    "unclosed comment": (b"<!--" + fill("- "), "text/html"),
    "unclosed tags": (fill("<"), "text/html"),
    "entities": (fill("&notit;&#x41;&"), "text/html"),
    "misnested": (fill("<a><b></a>", 300_000), "text/html"),
    "foster parents": (fill("<table>x<tr>"), "text/html"),
    "srcset": (b"<img srcset='" + fill("a 1x,") + b"'>", "text/html"),
    "style": (b"<p style='" + fill("background:") + b"'>", "text/html"),
    "one word": (fill("a"), "text/html"),
    "blank": (fill(" \n"), "text/html"),
    "no text": (fill("\0"), "text/html"),
    "ideographs": (fill("語", 300_000), "text/html"),
    "marks": (fill("a\u0301\u0301", 300_000), "text/html"),
    "lines": (fill("\n"), "text/plain"),
    "deep xml": (fill("<a>", MEGABYTE), "text/xml"),
    "deep closed xml": (b"<a>" * 100_000 + b"</a>" * 100_000, "text/xml"),
    "wide xml": (b"<r>" + fill("<a/>") + b"</r>", "text/xml"),
    "cdata": (b"<r>" + fill("<![CDATA[]]>") + b"</r>", "text/xml"),
    "xml attributes": (b"<r " + " ".join(f"a{n}='1'" for n in range(50_000)).encode() + b"/>", "text/xml"),
    "xml doctype": (b"<!DOCTYPE a [" + fill("<!ENTITY a 'b'>") + b"]><a/>", "text/xml"),
    "deep json": (fill("["), "application/json"),
    "deep closed json": (b"[" * 200_000 + b"]" * 200_000, "application/json"),
    "json keys": (("{" + ",".join(f'"{n}":{n}' for n in range(60_000)) + "}").encode(), "application/json"),
    "json string": (b'"' + fill("\\u0041"), "application/json"),
    "xml entities": (b"<r>" + fill("&amp;") + b"</r>", "text/xml"),
    "feed signs": (b"<?xml?>" + fill("<!-- -->"), "text/html"),
    "declaration": (b"<?xml " + fill("encoding ") + b"?>", ""),
    "meta": (fill("<meta charset "), "text/html"),
}


@pytest.fixture(scope="module", params=INPUTS)
def hostile(request):
    """Returns a digest of a large document made to hurt, the bytes, and how long it took to read."""
    body, content_type = INPUTS[request.param]
    started = time.process_time()
    digest = read(body, content_type, "https://e.org/")
    return digest, body, time.process_time() - started


@pytest.mark.sampled(2)
def test_what_is_made_to_hurt_is_read_in_time(hostile):
    digest, _, seconds = hostile
    assert isinstance(digest, PageDigest)
    assert seconds < 1.5


@pytest.mark.sampled(3)
def test_all_its_objects_are_found_in_time(hostile):
    digest, body, _ = hostile
    started = time.process_time()
    for found in (digest.links, digest.images, digest.tables, digest.lists, digest.headings, digest.forms):
        assert len([*found]) == len(found)
    assert len(digest.words) >= 0
    assert len(digest.shown.text) <= len(body)
    assert digest.backgrounds is not None
    assert digest.path(len(digest) - 1)
    assert len(digest.subtree_hashes) == len(digest)
    assert time.process_time() - started < 3


@pytest.mark.sampled(3)
def test_a_hostile_document_is_stored_and_written_in_time(hostile):
    digest, _, _ = hostile
    started = time.process_time()
    assert PageDigest.from_bytes(digest.to_bytes()) == digest
    assert digest.as_document() is not None
    assert time.process_time() - started < 3


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "part", [Part("css", "p > b, div:not(.x) a:nth-child(2)"), Part("xpath", "//div/a"), Part("regex", "a+b")]
)
@pytest.mark.parametrize(
    "name", ["nested divs", "wide", "different names", "attributes", "deep closed xml", "misnested"]
)
def test_parts_of_a_hostile_document_are_found_in_time(name, part):
    body, content_type = INPUTS[name]
    digest = read(body, content_type)
    started = time.process_time()
    try:
        assert len(mask(digest, part)) == len(digest)
    except WebVigilError as error:
        assert str(error)  # noqa: PT017 - a clear refusal is an answer, too
    assert time.process_time() - started < 4


def test_twenty_megabytes_of_text_are_read():
    digest = read(fill("word and word\n", 20 * MEGABYTE), "text/plain")
    assert 0 < len(digest) <= 200_002


def test_two_hundred_thousand_levels_of_xml_are_walked():
    digest = read(b"<a>" * 200_000 + b"</a>" * 200_000, "text/xml")
    assert int(digest.depths.max()) == 200_000
    assert len(digest.ancestors(200_000)) == 200_000


def test_a_text_of_very_many_lines_is_cut_between_lines_and_alike_before_and_after_one_that_came():
    old = [f"line {number} of it\n" for number in range(plain._LINES * 3 // 2)]
    new = [*old[:1_000], "a line that came\n", *old[1_000:]]
    before, after = (read("".join(lines).encode(), "text/plain") for lines in (old, new))
    assert len(before) < plain._LINES
    assert all(text.endswith("\n") for text in before.texts)
    assert "".join(before.texts) == "".join(old)
    assert len({*after.texts} - {*before.texts}) == 1


@pytest.mark.parametrize("line", ["same\n", "\n"])
def test_a_text_of_very_many_equal_lines_is_cut_all_the_same(line: str):
    digest = read((line * (plain._LINES + 5)).encode(), "text/plain")
    assert 1_000 < len(digest) < plain._LINES
    assert sum(text.count("\n") for text in map(digest.own_text, range(1, len(digest)))) == plain._LINES + 5
