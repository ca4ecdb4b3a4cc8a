"""A discovered service becomes a sentinel for one question, or it is said why it cannot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from webvigil.discover.analysis import Filled, Profile, Step
from webvigil.discover.sentinel import sentinel_for, sentinel_text
from webvigil.errors import SentinelRefused
from webvigil.model.page import Page
from webvigil.model.sentinel import ChangeType, FormPage, Sentinel, WebPage

URL = "http://www.site.test/find/now"
ASKED = Filled(name="q", value="tea", argument="word")
FORM = Step(kind="form", method="GET", url=URL, fields=(ASKED, Filled(name="n", value="1", argument="")))


def step(kind: Any, method: Any = "GET", *fields: Filled, url: str = "http://site.test/next") -> Step:
    return Step(kind=kind, method=method, url=url, fields=fields)


def profile(*steps: Step, arguments: tuple[tuple[str, str], ...] = (("word", "tea"),)) -> Profile:
    return Profile(
        service="s", page=Page(url=URL), form="f", steps=steps, states=(), arguments=arguments, result="r"
    )


def made(*steps: Step, arguments: dict[str, str] | None = None, name: str = "") -> Sentinel:
    return sentinel_for(profile(*steps), arguments, name=name)


def test_the_form_is_asked_with_its_fields():
    assert made(FORM) == Sentinel(
        name="site_test_now_tea",
        target=FormPage(url=URL, method="GET", fields=(("q", "tea"), ("n", "1"))),
        monitor=ChangeType("all words"),
    )
    other = made(FORM, arguments={"word": "rum"}, name="mine")
    assert (other.name, other.target) == (
        "mine",
        FormPage(url=URL, method="GET", fields=(("q", "rum"), ("n", "1"))),
    )
    assert sentinel_text(profile(FORM), {"word": "gin"}).startswith(
        "Create Sentinel site_test_now_gin Using "
    )


@pytest.mark.parametrize(
    ("steps", "target", "render"),
    [
        ((replace(FORM, fields=()),), WebPage(URL), None),
        ((replace(FORM, fields=(), method="POST"),), FormPage(url=URL, method="POST", fields=()), None),
        ((replace(FORM, render="browser", fields=()),), WebPage(URL), "browser"),
        ((replace(FORM, fields=()), step("frame")), WebPage(URL), None),
        (
            (FORM, step("link", "GET", ASKED)),
            FormPage(url="http://site.test/next", method="GET", fields=(("q", "tea"),)),
            None,
        ),
        ((replace(FORM, fields=()), step("link")), WebPage("http://site.test/next"), None),
        (
            (FORM, step("refresh"), step("frame")),
            FormPage(url=URL, method="GET", fields=(("q", "tea"), ("n", "1"))),
            "browser",
        ),
    ],
)
def test_the_step_that_carries_the_question_is_watched(
    steps: tuple[Step, ...], target: FormPage | WebPage, render: str | None
):
    sentinel = made(*steps)
    assert (sentinel.target, sentinel.render) == (target, render)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ((), "the profile has no steps"),
        (
            (FORM, step("link")),
            "the answer stands behind 1 page (link) that must be passed anew for each question",
        ),
        (
            (FORM, step("refresh"), step("link")),
            "the answer stands behind 2 pages (refresh, link) that must be passed anew for each question",
        ),
        (
            (replace(FORM, method="POST"), step("refresh")),
            "the answer stands behind 1 page (refresh) that must be passed anew for each question",
        ),
    ],
)
def test_pages_between_that_must_be_passed_anew_are_refused(steps: tuple[Step, ...], said: str):
    with pytest.raises(SentinelRefused) as refused:
        made(*steps)
    assert str(refused.value) == said


def test_an_argument_that_is_unknown_is_refused():
    with pytest.raises(SentinelRefused) as refused:
        made(FORM, arguments={"x" * 41: "y"})
    assert str(refused.value) == f"the service takes no argument {'x' * 40!r}; it takes word"


@pytest.mark.parametrize(
    ("url", "word", "name"),
    [
        ("http://a.test/", "b", "a_test_b"),
        ("http://www.a.test:8080/x/y", "b c", "a_test_8080_y_b_c"),
        (f"http://{'a' * 40}.test/", "b", f"{'a' * 28}_b"),
        ("http://a.test/", "b" * 50, f"a_test_{'b' * 33}"),
        ("http://a.test/", "é", "a_test"),
    ],
)
def test_a_name_is_made_of_the_place_and_the_question(url: str, word: str, name: str):
    assert made(replace(FORM, url=url), arguments={"word": word}).name == name
