"""The encoding is chosen as browsers choose it; the choice is compared with that of html5lib."""

import pytest
from html5lib._inputstream import HTMLBinaryInputStream

from webvigil.document.charset import charset_of, declared, decode

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


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (b"<meta charset=iso-8859-7>", "iso-8859-7"),
        (b"<meta charset=utf-16>", "utf-8"),
        (b"<meta charset=x-user-defined>", "windows-1252"),
        (b"<meta charset=none><meta charset=big5>", "big5"),
        (b"<meta http-equiv=refresh content='charset=big5'>", ""),
        (b"<meta http-equiv=Content-Type content='charset = \"big5\"'>", "big5"),
        (b"<meta http-equiv=Content-Type content='x'>", ""),
        (b"<meta http-equiv=Content-Type charset=koi8-r content='charset=big5'>", "koi8-r"),
        (b"<meta charset=koi8-r charset=big5>", "koi8-r"),
        (b"<?xml version='1.0' encoding='big5'?>", "big5"),
        (b" <?xml version='1.0' encoding='utf-16'?>", "utf-8"),
        (b"<meta charset=koi8-r><?xml version='1.0' encoding='big5'?>", "koi8-r"),
        (b"<\0?\0x", "utf-16le"),
        (b"\0<\0?\0", "utf-16be"),
        (b" " * 1003 + b"<meta charset=big5", "big5"),
        # Behind the first kilobyte a tag counts if the head has not ended.
        (b"<link>" + b" " * 1018 + b"<meta charset=big5>", "big5"),
        (b"<p>" + b" " * 1021 + b"<meta charset=big5>", "big5"),
        (b" " * 1023 + b"<p><meta charset=big5>", "big5"),
        (b" " * 1024 + b"<p><meta charset=big5>", ""),
        (b" " * 1024 + b"</p><meta charset=big5>", ""),
        (b" " * 1024 + b"</head><meta charset=big5>", "big5"),
        (b" " * 1024 + b"<link charset=koi8-r><meta charset=utf-16be>", "utf-8"),
        (b" " * 1024 + b"<meta charset=none><meta charset=big5>", "big5"),
        (b"x", ""),
    ],
)
def test_a_page_says_its_encoding(body: bytes, encoding: str):
    assert declared(body, "html") == encoding
    of_xml = encoding if body.lstrip().startswith(b"<?xml") or b"?" in body[:4] else ""
    assert declared(body, "xml") == of_xml
    assert declared(body, "") == ""


@pytest.mark.parametrize(
    ("body", "text"),
    [
        # One flaw for every ten bytes beyond ASCII is a flaw of UTF-8; more are another encoding.
        ("é".encode() * 5 + b"\xff", "é" * 5 + "\ufffd"),
        ("é".encode() * 4 + b"\xe9\xff", "Ã©" * 4 + "éÿ"),
        ("é".encode() * 4 + b"\xff", "Ã©" * 4 + "ÿ"),
        (b"abc\xff", "abcÿ"),
        (b"abc", "abc"),
    ],
)
def test_bytes_of_no_named_encoding_are_utf8_if_they_nearly_are(body: bytes, text: str):
    assert decode(body) == text


@pytest.mark.parametrize(
    ("header", "encoding"),
    [
        ("text/html; charset=utf-8", "utf-8"),
        ("text/html; CHARSET='koi8-r'", "koi8-r"),
        ("text/html", ""),
        ("text/html; charset=\r\n latin1", "windows-1252"),
        ("text/html; charset*=utf-8''x", ""),
        ("text/html; charset=x-user-defined", "windows-1252"),
    ],
)
def test_a_header_names_an_encoding(header: str, encoding: str):
    assert charset_of(header) == encoding


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"\xef\xbb\xbfa", "a"),
        (b"\xfe\xff\0a", "a"),
        (b"\xff\xfea\0", "a"),
        (b"\xef\xbb\xbf\xef\xbb\xbfa", "\ufeffa"),
    ],
)
def test_a_mark_of_the_byte_order_is_no_text(body: bytes, text: str):
    assert decode(body, "text/html; charset=koi8-r") == text
    assert decode(body, markup="") == text
