"""What users are told about their sentinels, to the letter (V4)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from webvigil.language import parse
from webvigil.model.doubt import Doubt
from webvigil.model.life import Crossing, LifeEvent
from webvigil.model.notice import Notice
from webvigil.model.sentinel import Sentinel
from webvigil.model.trouble import FINE, UNSEEN, Trouble, Why
from webvigil.model.work import Watch
from webvigil.rules.notices import Place, happened, history_lost, installed, no_page, page_back, troubles
from webvigil.rules.trouble import Turn

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
URL = "http://a.test/"


def sentinel(more: str = "") -> Sentinel:
    (one,) = parse(f"Create Sentinel s Using {URL} Topic a, b Notify By email jill@a.test, webhook {more}")
    return one


def said(notices: tuple[Notice, ...]) -> list[tuple[str, str, str]]:
    return [(one.dedup, one.channel, one.subject) for one in notices]


def test_everything_about_a_notice():
    first, second = installed(sentinel(), "jill", "7", URL)
    assert first == Notice(
        dedup="installed:7:0",
        user="jill",
        channel="email",
        address="jill@a.test",
        subject="s is installed",
        body={"sentinel": "s", "title": "", "topic": "a, b", "event": "installed", "url": URL},
        sentinel="s",
    )
    assert (second.dedup, second.channel, second.address) == ("installed:7:1", "webhook", "")


def test_a_sentinel_is_called_by_its_title():
    (first, _) = installed(sentinel('Title "The sofa"'), "jill", "7", URL)
    assert (first.subject, first.body["title"]) == ("The sofa is installed", "The sofa")


@pytest.mark.parametrize(
    ("what", "subject"),
    [
        (Crossing.EXPIRING, "The shop will end soon"),
        (Crossing.EXPIRED, "The shop has ended"),
        (Crossing.FAILED, "The shop cannot go on"),
        (Crossing.STARTED, None),
        (Crossing.ENDED, None),
    ],
)
def test_events_of_a_life(what: Crossing, subject: str | None):
    event = LifeEvent(sentinel="s", what=what, at=NOON, reason="why")
    told = happened(sentinel(), "jill", "7", event, title=lambda: "The shop")
    assert [one.subject for one in told] == [subject] * 2 * (subject is not None)
    if subject:
        assert told[0].dedup == f"{what}:7:2026-03-01T12:00:00+00:00:0"
        more = {"event": str(what), "at": "2026-03-01T12:00:00+00:00", "reason": "why"}
        assert told[0].body == {"sentinel": "s", "title": "The shop", "topic": "a, b", **more}


def test_nobody_is_asked_for_a_title_that_nobody_is_told():
    event = LifeEvent(sentinel="s", what=Crossing.EXPIRED, at=NOON)
    (alone,) = parse(f"Create Sentinel s Using {URL}")
    assert happened(alone, "jill", "7", event, title=lambda: pytest.fail("not needed")) == ()
    titled = sentinel('Title "T"')
    assert happened(titled, "jill", "7", event, title=lambda: pytest.fail("it has one"))[0].subject == (
        "T has ended"
    )
    assert happened(sentinel(), "jill", "7", event)[0].subject == "s has ended"


FAILING, NOTHING, BROKEN = (Trouble(why, "Sorry.") for why in (Why.FAILING, Why.NOTHING, Why.BROKEN))


def turn(before: Trouble, now: Trouble, *, silent: bool = False) -> Turn:
    watch = Watch(
        sentinel=5, user="jill", name="s", text="", interval=1, next_at=0, reference=1, trouble=before
    )
    return Turn(watch, now, silent)


@pytest.mark.parametrize(
    ("before", "now", "loud", "silent"),
    [
        (FINE, FAILING, ["page keeps failing"], ["page keeps failing"]),
        (FINE, NOTHING, ["what is watched is not on page"], []),
        (FINE, BROKEN, ["page cannot be compared"], ["page cannot be compared"]),
        (FAILING, FINE, ["page is back"], ["page is back"]),
        (NOTHING, FINE, ["what is watched is on page"], []),
        (BROKEN, FINE, ["page is compared again"], ["page is compared again"]),
        (FAILING, NOTHING, ["page is back", "what is watched is not on page"], ["page is back"]),
        (
            FAILING,
            BROKEN,
            ["page is back", "page cannot be compared"],
            ["page is back", "page cannot be compared"],
        ),
        (NOTHING, BROKEN, ["page cannot be compared"], ["page cannot be compared"]),
        (NOTHING, FAILING, ["page keeps failing"], ["page keeps failing"]),
        (FAILING, FAILING, [], []),
        (UNSEEN, FINE, [], []),
    ],
)
def test_troubles_that_begin_and_end(before: Trouble, now: Trouble, loud: list[str], silent: list[str]):
    place = Place(URL, "page")
    titled = sentinel('Title "T"')
    for wanted, quiet in (loud, False), (silent, True):
        told = troubles(titled, "k", place, turn(before, now, silent=quiet))
        assert [one.subject for one in told[::2]] == [f"T: {words}" for words in wanted]


def test_a_trouble_is_told_once_for_each_occasion_and_reason():
    (one, two) = troubles(sentinel(), "k", Place(URL), turn(FINE, FAILING))
    assert one.dedup == "page failing:5:k:9f7d79d9:0"
    assert two.dedup == "page failing:5:k:9f7d79d9:1"
    assert one.body["reason"] == "Sorry."
    (end, _) = troubles(sentinel(), "k", Place(URL), turn(FAILING, FINE))
    assert end.dedup == "page back:5:k:e3b0c442:0"
    assert "reason" not in end.body


@pytest.mark.parametrize(
    ("clause", "title", "subject", "called"),
    [
        ("", "", f"s: {URL} is back", ""),
        ("", "Shop", "Shop: the page is back", "Shop"),
        ('Title "Sofa"', "", f"Sofa: {URL} is back", "Sofa"),
        ('Title "Sofa"', "Shop", "Sofa: Shop is back", "Sofa"),
        ('Title "Shop"', "Shop", "Shop: the page is back", "Shop"),
    ],
)
def test_what_a_sentinel_and_its_page_are_called(clause: str, title: str, subject: str, called: str):
    doubt = Doubt(kind="log-in", said="asks for a log-in", clear=True, since=1_000)
    (one, _) = page_back(sentinel(clause), "jill", "k", Place(URL, title), doubt)
    assert (one.subject, one.body["title"]) == (subject, called)
    assert one.body["reason"] == "Before that it asked for a log-in."
    assert one.dedup == "page back:k:1000:0"


def test_a_page_that_shows_something_else_and_a_history_that_is_lost():
    doubt = Doubt(kind="log-in", said="asks for a log-in", clear=True, since=1_000)
    (one, _) = no_page(sentinel(), "jill", "k", Place(URL), doubt)
    assert (one.subject, one.dedup) == (f"s: {URL} asks for a log-in", "no page:k:1000:0")
    assert one.body["reason"] == "It asks for a log-in since then."
    assert one.body["at"] == "1970-01-01T00:00:01+00:00"
    (one, _) = history_lost(sentinel(), "jill", "k", Place(URL, "Shop"), "gone")
    assert (one.subject, one.dedup) == ("Shop: part of the history of the page is lost", "lost:k:0")
    assert (one.body["event"], one.body["reason"]) == ("history lost", "gone")
