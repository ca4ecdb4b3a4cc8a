"""Addresses as people write them become addresses with a scheme, or are refused."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.model.page import normal_url, place_of, with_scheme


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("example.org", "https://example.org/"),
        ("example.org/a?b=c:1", "https://example.org/a?b=c:1"),
        ("example.org:8080/a", "https://example.org:8080/a"),
        ("localhost/a", "https://localhost/a"),
        ("localhost:8000", "https://localhost:8000/"),
        ("192.0.2.1", "https://192.0.2.1/"),
        ("[2001:db8::1]/a", "https://[2001:db8::1]/a"),
        ("http://intranet/", "http://intranet/"),
        ("HTTP://Example.org", "http://example.org/"),
    ],
)
def test_an_address_without_a_scheme_is_meant_with_https(written: str, meant: str):
    assert normal_url(with_scheme(written)) == meant


@pytest.mark.parametrize("word", ["hello", "Create", "]", "not/an/address", "?q=a.b", "mailto:jill", ""])
def test_a_word_is_no_address(word: str):
    with pytest.raises(ValueError, match="is not a web address"):
        normal_url(with_scheme(word))


HOST = ".".join(["a" * 49] * 5) + ".org"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("http://127.1/", "http://127.0.0.1/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://0x7f.0x/", "http://127.0.0.0/"),
        ("http://017700000001/", "http://127.0.0.1/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://1.2.3.4./", "http://1.2.3.4/"),
        ("http://1.2.772/", "http://1.2.3.4/"),
        ("http://255.255.255.255/", "http://255.255.255.255/"),
        ("http://255.65535/", "http://255.0.255.255/"),
        ("http://0/", "http://0.0.0.0/"),
        ("http://4294967295/", "http://255.255.255.255/"),
        ("http://09a.test/", "http://09a.test/"),
        ("http://[::ffff:1.2.3.4]/", "http://[::ffff:102:304]/"),
        ("http://[2001:DB8:0::1]:80/", "http://[2001:db8::1]/"),
        ("https://me:pw@A.test:443?q#top", "https://me:pw@a.test/?q"),
        ("https://a.test:80/", "https://a.test:80/"),
        ("http://bücher.test/", "http://xn--bcher-kva.test/"),
        (f"http://{HOST}/", f"http://{HOST}/"),
        ("http://" + "a" * 63 + ".test/", "http://" + "a" * 63 + ".test/"),
        (" http://a.test/\n", "http://a.test/"),
        ("http://a.test/?q=\\", "http://a.test/?q=\\"),
    ],
)
def test_an_address_has_one_spelling(written: str, meant: str):
    assert normal_url(written) == meant


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://256.1.1.1/", "'256.1.1.1' is no host"),
        ("http://1.256.1/", "'1.256.1' is no host"),
        ("http://1.2.3.4.5/", "'1.2.3.4.5' is no host"),
        ("http://1.2.3.256/", "'1.2.3.256' is no host"),
        ("http://255.65536.1/", "'255.65536.1' is no host"),
        ("http://4294967296/", "'4294967296' is no host"),
        ("http://1.08/", "'1.08' is no host"),
        ("http://[fe80::1%25eth0]/", "'fe80::1%25eth0' is no host"),
        ("http://a.test:65536/", "its port is no number up to 65535"),
        (f"http://a{HOST}/", "its host name is none"),
        ("http://" + "a" * 64 + ".test/", "its host name is none"),
        ("http://" + "ä" * 60 + ".test/", "its host name is none"),
        ("http:///a", "it names no host"),
        ("ftp://a.test/", "it must start with http:// or https://"),
        ("http://a test/", "it contains a space or a control character"),
        ("http://a\\@b/", "it contains a backslash"),
    ],
)
def test_what_is_wrong_with_an_address_is_said(url: str, reason: str):
    with pytest.raises(ValueError, match="is not a web address") as caught:
        normal_url(url)
    assert str(caught.value).endswith(f" is not a web address: {reason}")


@pytest.mark.parametrize(("length", "shown"), [(200, "x" * 200), (201, "x" * 200 + "…")])
def test_two_hundred_characters_of_a_wrong_address_are_shown(length: int, shown: str):
    with pytest.raises(ValueError, match="is not a web address") as caught:
        normal_url("x" * length)
    assert str(caught.value).startswith(f"'{shown}' is")


@given(
    scheme=st.sampled_from(["http", "https", "HTTP", "ftp", ""]),
    user=st.sampled_from(["", "jill@", "jill:secret@", "a@b@"]),
    host=st.sampled_from(
        ["a.test", "A.test", "a-b.test:8080", "127.0.0.1", "[::1]:80", "bücher.test", "", "a_b"]
    ),
    rest=st.text(alphabet="/?#a:@\\ \n[", max_size=6),
)
def test_the_place_of_an_address_is_what_the_library_finds(scheme: str, user: str, host: str, rest: str):
    url = f"{scheme}://{user}{host}{rest}"
    try:
        parts = urlsplit(url)
    except ValueError:
        with pytest.raises(ValueError):
            place_of(url)
        return
    assert place_of(url) == (parts.scheme, parts.netloc.rpartition("@")[2])
