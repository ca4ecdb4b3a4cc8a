"""What a server says is read with every field, and let through only if each has its type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from webvigil.cli import from_json as heard
from webvigil.model.installed import WatchedPage
from webvigil.model.quiet import LeftPlace

NOON = "2026-11-18T12:00:00+00:00"
PAGE = {"id": 7, "url": "http://a.test/", "next_look": None, "versions": 2, "looks": 3, "failures": 4}
MORE = {
    "title": "News",
    "next_look": NOON,
    "level": 1,
    "via": "http://b.test/",
    "trouble": "no answer",
    "failing_since": NOON,
    "doubt": {"kind": "log-in", "said": "asks", "since": NOON, "told": True},
}
SENTINEL = {
    "name": "news",
    "text": "Create",
    "state": "active",
    "installed_at": NOON,
    "pages": [PAGE],
    "changes": 5,
    "linked": 6,
    "full": False,
}
PORTRAIT = {**SENTINEL, "next": "soon", "pace": {}, "trouble": {}, "linked_pages": [], "most_linked": 9}
PLACE = {"url": "u", "place": "p", "form": "f", "says": "s", "clause": "c", "times": 2, "left_out": 3}
WATCHED = {"url": "u", "version": 3, "findings": []}
REMOVED = {"id": 1, "name": "n", "removed_at": NOON, "changes": 2, "title": "t", "url": "u"}
MISTAKE = {"message": "wrong", "line": 1, "column": 2, "word": "x"}
TRIAL = {"means": "m", "model": "o", "changes": 1, "asks": 2, "tokens": 3, "cost": 1, "results": None}
TRIED = {"change": 1, "headline": "h", "found_at": NOON, "judgement": {"told": True}}
READ: dict[str, tuple[Callable[[Any], Any], dict[str, Any]]] = {
    "page": (heard.page, PAGE),
    "sentinel": (heard.sentinel, SENTINEL),
    "portrait": (heard.portrait, PORTRAIT),
    "watched": (heard.watched, WATCHED),
    "removed": (heard.removed, REMOVED),
    "mistake": (heard.mistake, MISTAKE),
    "trial": (heard.trial, TRIAL),
    "tried": (heard._tried, TRIED),
    "left place": (heard._left_place, PLACE),
}


@pytest.mark.parametrize("name", READ)
def test_a_field_that_is_missing_or_of_another_type_is_refused(name: str):
    read, plain = READ[name]
    read(plain)
    for field in plain:
        with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
            read({one: value for one, value in plain.items() if one != field})
        with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
            read({**plain, field: object()})


def test_what_older_servers_do_not_say_has_a_meaning():
    page = heard.page(PAGE)
    assert page == WatchedPage(id=7, url="http://a.test/", due=None, latest=2, checks=3, failures=4)
    assert (page.title, page.level, page.via, page.trouble) == ("", 0, "", "")
    assert (page.failing_since, page.doubt) == (None, None)
    found = heard.portrait(PORTRAIT)
    assert (found.restless, found.left_out, found.looks, found.from_topics) == ((), {}, (), {})
    assert found.sentinel.warnings == ()
    seen = heard.watched(WATCHED)
    assert (seen.missing, seen.trouble, seen.outside) == ((), "", ())


def test_what_newer_servers_say_is_read():
    page = heard.page({**PAGE, **MORE})
    noon = heard.moment(NOON)
    assert (page.title, page.level, page.via, page.trouble) == ("News", 1, "http://b.test/", "no answer")
    assert (page.due, page.failing_since) == (noon, noon)
    assert page.doubt
    assert (page.doubt.kind, page.doubt.said, page.doubt.clear, page.doubt.told) == (
        "log-in",
        "asks",
        True,
        True,
    )
    assert page.doubt.since == int(noon.timestamp() * 1000)
    found = heard.portrait({**PORTRAIT, "restless": [PLACE], "looks": [NOON], "left_out": {"a": "b"}})
    assert found.restless == (LeftPlace(**PLACE),)
    assert (found.looks, found.left_out) == ((noon,), {"a": "b"})
    outside = {"place": "p", "says": "s", "clause": "c"}
    seen = heard.watched({**WATCHED, "missing": ["x"], "trouble": "t", "outside": [outside]})
    assert (seen.missing, seen.trouble, seen.outside[0].clause) == (("x",), "t", "c")


def test_a_trial_has_results_or_none():
    assert heard.trial(TRIAL) == {**TRIAL, "cost": 1.0, "told": None}
    asked = {**TRIAL, "results": [TRIED], "told": 1}
    assert heard.trial(asked) == {**asked, "cost": 1.0}
    for wrong in ({"told": 1}, {"told": True, "said": 1}, {"told": True, "sentence": 1}):
        with pytest.raises(TypeError):
            heard._tried({**TRIED, "judgement": wrong})


def test_a_time_needs_a_zone():
    assert heard.moment("2026-11-18T13:00:00+01:00") == heard.moment(NOON)
    with pytest.raises(ValueError, match="a time without a zone"):
        heard.moment("2026-11-18T12:00:00")


@pytest.mark.parametrize(("value", "kind"), [(True, int), (1, float), (1, bool), ("1", int), (None, str)])
def test_a_value_has_exactly_its_type(value: Any, kind: type):
    with pytest.raises(TypeError, match=f"{kind.__name__} was meant"):
        heard.sure(value, kind)
