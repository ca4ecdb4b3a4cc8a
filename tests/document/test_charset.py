"""The encoding is chosen as browsers choose it; the choice is compared with that of html5lib."""

import pytest
from html5lib._inputstream import HTMLBinaryInputStream

from webvigil.document.charset import charset_of, decode

WORD = "Žluťoučký kůň"


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        (b"\xef\xbb\xbf\xc3\xa9", "text/html; charset=latin-1", "é"),
        ("é".encode("utf-16"), "", "é"),
        (b"\xfe\xff\x00\xe9", "", "é"),
        (b"\xe9", "text/html; charset=ISO-8859-1", "é"),
        (b"\x80", "text/html; charset=iso-8859-1", "€"),
        (b"\x80", 'text/html; charset="windows-1252"', "€"),
        (b"\xc3\xa9", "text/html; charset=nonsense", "é"),
        (b"\xc3\xa9", "", "é"),
        (b"\xe9t\xe9", "", "été"),
        (b"\x83\x65\x83\x58\x83\x67", "text/html; charset=Shift_JIS", "テスト"),
        (WORD.encode("windows-1250"), "text/html; charset=windows-1250", WORD),
        (b"", "", ""),
        (b"\xff", "text/html; charset=utf-8", "\ufffd"),
        (b"\xd8\x00", "text/html; charset=utf-16be", "\ufffd"),
    ],
)
def test_bytes_become_the_text_a_browser_shows(body, content_type, text):  # F3, F9
    assert decode(body, content_type) == text


@pytest.mark.parametrize(
    "head",
    [
        b"<meta charset=windows-1250>",
        b"<META CHARSET = 'shift_jis' >",
        b'<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">',
        b'<meta content="text/html; charset=big5" http-equiv=content-type>',
        b"<!-- <meta charset=big5> --><meta charset=euc-kr>",
        b"<meta charset=utf-16>",
        b'<meta name=description content="charset=big5"><meta charset=gbk>',
        b"<title>x</title><meta charset=unknown><meta charset=utf-8>",
        b"<p>none</p>",
    ],
)
def test_the_page_may_name_its_encoding_itself(head):
    body = head + "ü".encode("windows-1252")
    stream = HTMLBinaryInputStream(body, useChardet=False)
    expected = stream.charEncoding[0].codec_info.decode(body, "replace")[0]
    assert decode(body) == expected


LONG = b"x" * 1100


@pytest.mark.parametrize(
    ("page", "counts"),
    [
        (b" " * 1100 + b"<meta charset=iso-8859-7><p>", True),
        (b"<!-- " + LONG + b" --><META CHARSET='iso-8859-7'><p>", True),
        (b"<head><script>" + LONG + b"</script><meta charset=iso-8859-7></head><body><p>", True),
        (
            b"<title>" + LONG + b"</title><style>" + b" " * 70_000 + b"</style><meta charset=iso-8859-7><p>",
            True,
        ),
        (b"<p>" + LONG + b"</p><p>x</p><meta charset=iso-8859-7>", False),
        (b"<script>" + LONG + b"'<meta charset=iso-8859-7>'</script><p>", False),
        (b"<!-- " + LONG + b" <meta charset=iso-8859-7> --><p>", False),
        (b"<!-- " + LONG + b" <meta charset=iso-8859-7>", False),
    ],
)
def test_the_encoding_may_be_named_late_in_the_head(page: bytes, counts: bool):  # as Chromium does
    assert decode(page + b"\xe1")[-1] == ("α" if counts else "á")


def test_the_xml_declaration_counts_for_xml():
    body = '<?xml version="1.0" encoding="iso-8859-2"?><a>Ł</a>'.encode("iso-8859-2")
    assert decode(body, "text/xml", markup="xml").endswith("<a>Ł</a>")
    assert decode('<?xml version="1.0"?><a/>'.encode("utf-16le"), markup="xml") == '<?xml version="1.0"?><a/>'


def test_utf8_with_one_flaw_is_still_utf8():
    cut = (WORD * 20 + "ň").encode()[:-1]
    assert decode(cut) == WORD * 20 + "\ufffd"


def test_a_strange_header_is_survived():
    for header in (
        "text/html; charset=",
        "charset=utf-8",
        "; charset=\r\n utf-8",
        "text/html; charset*=utf-8''x",
    ):
        assert charset_of(header) in ("", "utf-8")


@pytest.mark.parametrize("more", ["", "; more=" + "x" * 200])
def test_a_header_is_read_alike_however_long_it_is(more):
    assert charset_of(f"text/html; charset=iso-8859-1{more}") == charset_of("text/html; charset=latin1")
    assert charset_of(f"text/html; charset=none-such{more}") == ""
