"""Addresses as people write them become addresses with a scheme, or are refused."""

from __future__ import annotations

import pytest

from webvigil.model.page import normal_url, with_scheme


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
