"""Each page has one spelling of its address, and the signs of a crawler trap are recognised."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.discover.crawler.addresses import is_no_page, plain_address, shape_of, trap_in


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("HTTP://A.test:80/x#there", "http://a.test/x"),
        ("http://a.test/x;jsessionid=0A1B2C?y=1", "http://a.test/x?y=1"),
        ("http://a.test/(S(abc123))/x", "http://a.test/x"),
        ("http://a.test/x?PHPSESSID=12&y=1", "http://a.test/x?y=1"),
        ("http://a.test/x?sid=12", "http://a.test/x"),
        ("http://a.test/x?y=1&utm_source=mail&sessionid=9", "http://a.test/x?y=1"),
        ("http://a.test/x?id=12&side=left", "http://a.test/x?id=12&side=left"),
        ("http://a.test/x?a=%20b&a=c", "http://a.test/x?a=%20b&a=c"),
    ],
)
def test_the_number_of_a_visit_is_no_part_of_an_address(written: str, plain: str):
    assert plain_address(written) == plain
    assert plain_address(plain) == plain


@pytest.mark.parametrize(
    ("path", "trap"),
    [
        ("/a/b/c", ""),
        ("/a/a/a", "a path that goes round"),
        ("/x/a/b/a/b/a/b", "a path that goes round"),
        ("/a/1/a/2/a/3/a/4", "a path that goes round"),
        ("/a/b/a/c/a", ""),
        ("/a/b/a/c/a/d", ""),
        ("/a/a", ""),
        ("/a/b/a/b", ""),
        ("/" + "/".join("abcdefghijklmnop"), ""),
        ("/" + "/".join("abcdefghijklmnopq"), "a very deep path"),
        ("/" + "x" * (1000 - len("http://a.test/")), ""),
        ("/" + "x" * (1001 - len("http://a.test/")), "a very long address"),
        ("/x?" + "&".join(f"f{n}=1" for n in range(16)), ""),
        ("/x?" + "&".join(f"f{n}=1" for n in range(17)), "very many fields"),
    ],
)
def test_an_endless_path_is_known_by_its_look(path: str, trap: str):
    assert trap_in("http://a.test" + path) == trap


def test_addresses_that_differ_in_numbers_and_values_alone_have_one_shape():
    shape = shape_of("http://a.test/calendar/2026/11?view=month&day=3")
    assert shape_of("http://a.test/calendar/2027/1?day=99&view=week") == shape
    assert shape_of("http://a.test/calendar/2027/1?day=99") != shape
    assert shape_of("http://a.test/p/0fa91bc277/x") == shape_of("http://a.test/p/88bc00aa21/x")
    assert shape_of("http://a.test/feedback") != shape_of("http://a.test/faceback")


def test_pictures_and_papers_are_no_pages():
    assert is_no_page("http://a.test/a.PDF")
    assert is_no_page("http://a.test/b/c.jpeg?size=2")
    assert not is_no_page("http://a.test/blast.html")
    assert not is_no_page("http://a.test/get?file=a.pdf")


@given(st.text(max_size=60))
def test_any_text_has_one_plain_address_or_none(text: str):
    try:
        plain = plain_address("http://a.test/" + text)
    except ValueError:
        return
    assert plain_address(plain) == plain
    assert isinstance(trap_in(plain), str)
    assert shape_of(plain) == shape_of(plain)
