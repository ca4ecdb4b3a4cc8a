"""Addresses are compared as a person means them, and only then (Q1)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.detect.quiet import addresses as module
from webvigil.detect.quiet.addresses import is_token, meant


def protected(mail: str, key: int) -> str:
    """Returns the link that Cloudflare writes in place of a mail address, with this key."""
    return "/cdn-cgi/l/email-protection#" + bytes([key, *(byte ^ key for byte in mail.encode())]).hex()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.example/x?utm_source=a&id=3", "https://a.example/x?id=3&utm_medium=b"),
        ("https://a.example/x?gclid=1", "https://a.example/x?fbclid=2"),
        ("https://a.example/x;jsessionid=1A2B?a=1", "https://a.example/x;jsessionid=9F?a=1"),
        ("https://a.example/x?PHPSESSID=aaa", "https://a.example/x"),
        ("https://a.example/do?sectok=0123", "https://a.example/do?sectok=4567"),
        ("https://a.example/f.pdf?Expires=1&Signature=a", "https://a.example/f.pdf?Expires=2&Signature=b"),
        ("https://a.example/x?_=1750325152", "https://a.example/x?_=1750325153"),
        ("https://a.example/go?t2=8f3kd92ks8dk2j3h4g5f", "https://a.example/go?t2=1a9sk28dj3h4k5l6q7w8"),
        ("https://a.example/x#:~:text=a", "https://a.example/x"),
    ],
)
def test_links_that_mean_the_same_are_equal(one: str, other: str):
    assert meant(one) == meant(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.example/x?id=3", "https://a.example/x?id=4"),
        ("https://a.example/x?q=red", "https://a.example/x?q=blue"),
        ("https://a.example/v1.2/", "https://a.example/v1.3/"),
        ("https://a.example/2026/05/19/news", "https://a.example/2026/05/20/news"),
        ("https://a.example/item?id=8f3kd92ks8dk2j3h4g5f", "https://a.example/item?id=1a9sk28dj3h4k5l6q7w8"),
        ("https://a.example/x#terms", "https://a.example/x#privacy"),
        ("https://a.example/x?page=2", "https://a.example/x"),
    ],
)
def test_links_that_lead_elsewhere_differ(one: str, other: str):
    assert meant(one) != meant(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.example/0.0.18/logo.png", "https://a.example/0.0.19/logo.png"),
        ("https://a.example/img/1750325152-logo.png", "https://a.example/img/1750325153-logo.png"),
        ("https://a.example/logo.png?v=3", "https://a.example/logo.png?v=4"),
        ("https://a.example/logo.png?1750325152", "https://a.example/logo.png?1750325153"),
        ("https://a.example/v1778558569242/hero.jpg", "https://a.example/v1778558569243/hero.jpg"),
        ("https://a.example/dw6096d1fb/hero.jpg", "https://a.example/dwdf7af1c3/hero.jpg"),
        ("https://a.example/hero.3f2a9c8d.png", "https://a.example/hero.77b1c0de.png"),
    ],
)
def test_pictures_of_another_build_are_the_same_picture(one: str, other: str):
    assert meant(one, asset=True) == meant(other, asset=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.example/logo.png", "https://a.example/banner.png"),
        ("https://a.example/images/I/71jGe7roXL2.jpg", "https://a.example/images/I/81aBc9dEf3.jpg"),
        ("https://a.example/pic.jpg?width=100", "https://a.example/pic.jpg?width=200"),
        ("https://a.example/12345678.jpg", "https://a.example/12345679.jpg"),
    ],
)
def test_other_pictures_differ(one: str, other: str):
    assert meant(one, asset=True) != meant(other, asset=True)


def test_a_protected_mail_address_is_the_one_that_it_hides():
    one, again = protected("jill@example.org", 17), protected("jill@example.org", 200)
    assert one != again
    assert meant(f"https://a.example{one}") == meant(f"https://a.example{again}") == "mailto:jill@example.org"
    assert meant(f"https://a.example{one}") != meant(f"https://a.example{protected('jack@example.org', 17)}")


def test_what_is_meant_means_itself():
    for address in (
        "https://a.example/x?utm_a=1&b=2",
        "data:image/png;base64,AAAA",
        "",
        "mailto:a@b.example",
    ):
        assert meant(meant(address)) == meant(address)


@pytest.mark.parametrize(
    "text", ["8f3kd92ks8dk2j3h4g5f", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIi", "a1b2c3d4e5f6a7b8c9d0"]
)
def test_a_text_that_a_machine_made_up_is_a_token(text: str):
    assert is_token(text)


@pytest.mark.parametrize("text", ["terms-and-conditions-of-sale", "2026-11-17", "short1", "a" * 50])
def test_what_somebody_wrote_is_none(text: str):
    assert not is_token(text)


def test_damaged_addresses_are_answered():
    for address in (
        "https://a.example/cdn-cgi/l/email-protection#0",
        "http://[",
        "https://a.example/?&&=&=%zz",
    ):
        assert isinstance(meant(address), str)


@given(
    st.lists(st.sampled_from([*"/a.~", "https://", "e.org/", ".png", ";sid=1", "?", "#", "a=1"]), max_size=6)
)
def test_a_plain_address_is_read_as_any_other(pieces: list[str]):
    address = "".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_PLAIN", re.compile(r"(?!)"))
        read = module.meant.__wrapped__(address)
    assert meant(address) == read
