"""Names, titles, topics and parts of foreign entries as a sentinel can have them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from webvigil.app.moving.formats.found import every, name_from, page_of, part, texts, title_from, topics_from
from webvigil.model.sentinel import FetchEvery, FetchOnChange, FetchWhen, Part


@pytest.mark.parametrize("url", [None, 7, "", "  "])
def test_without_an_address_there_is_no_page(url: Any):
    with pytest.raises(ValueError, match=r"^there is no address$"):
        page_of(url)


@pytest.mark.parametrize(
    ("title", "url", "name"),
    [
        ("Tea & rum!", "http://a.test/", "Tea-rum"),
        ("x" * 60, "http://a.test/", "x" * 60),
        ("x" * 61, "http://a.test/", "x" * 60),
        (f"{'x' * 59} y", "http://a.test/", "x" * 59),
        ("_a_", "http://a.test/", "a"),
        ("!!", "http://www.a.test/", "a-test"),
        (None, "http://a.test:80/", "a-test"),
        ("", "http://[::1]/", "1"),
        ("", "http:///x", "page"),
        ("", f"http://{'x' * 61}.test/", "x" * 60),
    ],
)
def test_a_name_is_made_of_the_title_or_the_host(title: Any, url: str, name: str):
    assert name_from(title, url) == name


@pytest.mark.parametrize(
    ("title", "made"),
    [
        (" a\n b ", "a b"),
        ("x" * 200, "x" * 200),
        ("x" * 201, "x" * 200),
        ("", None),
        ("a\0b", None),
        (None, None),
        (7, None),
    ],
)
def test_a_title_is_one_line_of_two_hundred_characters(title: Any, made: str | None):
    assert title_from(title) == made


@pytest.mark.parametrize(
    ("names", "topics"),
    [
        (["a", "b", "a"], ("a", "b")),
        (["a/b", "c,d", "e\\f"], ("a b", "c d", "e f")),
        (["", " ", None, 7, "x"], ("x",)),
        (["x" * 100], ("x" * 100,)),
        (["x" * 101], ("x" * 100,)),
    ],
)
def test_names_become_topics(names: list[Any], topics: tuple[str, ...]):
    assert topics_from(names) == topics


@pytest.mark.parametrize(
    ("seconds", "fetch"),
    [
        (0, FetchOnChange()),
        (0.9, FetchOnChange()),
        (-1, FetchOnChange()),
        (1, FetchEvery(timedelta(seconds=1))),
        (90.5, FetchEvery(timedelta(seconds=90))),
    ],
)
def test_an_interval_has_whole_seconds(seconds: float, fetch: FetchWhen):
    assert every(seconds) == fetch


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("xpath: //a", Part("xpath", "//a")),
        ("xpath1://a", Part("xpath", "//a")),
        ("//a", Part("xpath", "//a")),
        ("(//a)[1]", Part("xpath", "(//a)[1]")),
        ("./a", Part("xpath", "./a")),
        (".a", Part("css", ".a")),
        ("css:.a", Part("css", ".a")),
    ],
)
def test_a_part_is_named_by_its_selector(text: str, made: Part):
    assert part(text) == made


@pytest.mark.parametrize(
    ("value", "made"),
    [("a", ["a"]), (" ", []), (["a", " ", 7, "b"], ["a", "b"]), (None, []), ({"a": 1}, [])],
)
def test_texts_are_those_that_say_something(value: Any, made: list[str]):
    assert texts(value) == made
