"""Small values: what is said of doubts, peers, troubles, discoveries and installed sentinels."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from webvigil.model.change import ObjectChange, Status
from webvigil.model.channels import CHANNELS, FOR_PEOPLE, KEPT
from webvigil.model.discovery import Discovery, WantedServices
from webvigil.model.doubt import Doubt
from webvigil.model.installed import ToldSentinel, WatchedPage
from webvigil.model.json_text import json_text
from webvigil.model.peer import Peer
from webvigil.model.quiet import (
    Habits,
    LeftOut,
    Place,
    Why,
    habits_as_json,
    habits_from_json,
    left_out_as_json,
)
from webvigil.model.sentinel import State
from webvigil.model.trouble import FINE, UNSEEN, Trouble
from webvigil.model.trouble import Why as Kind

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "was"),
    [
        ("asks for a log-in", "asked for a log-in"),
        ("answers with an error", "answered with an error"),
        ("leads to another site", "led to another site"),
        ("is empty", "was empty"),
        ("lost most of its text", "lost most of its text"),
    ],
)
def test_what_is_said_of_a_doubt_when_it_has_ended(said: str, was: str):
    assert Doubt(kind="k", said=said, clear=True, since=0).was == was


def test_a_doubt_says_since_when_and_whether_somebody_was_told():
    since = int(NOON.timestamp()) * 1000
    doubt = Doubt(kind="k", said="asks for a log-in", clear=True, since=since, told=True)
    assert doubt.in_words(UTC) == "asks for a log-in since 2026-03-01 12:00 UTC"
    untold = Doubt(kind="k", said="asks for a log-in", clear=True, since=since)
    assert untold.in_words(UTC) == (
        "asks for a log-in since 2026-03-01 12:00 UTC, it seems; looked at again before anybody is told"
    )


@pytest.mark.parametrize(
    ("state", "failures", "shown"),
    [("known", 0, "known"), ("known", 1, "resting"), ("invited", 1, "invited"), ("asking", 0, "asking")],
)
def test_a_known_peer_that_does_not_answer_rests(state: Any, failures: int, shown: str):
    assert Peer(key="k", url="u", state=state, failures=failures).shown_state == shown


@pytest.mark.parametrize(
    ("trouble", "is_one"),
    [
        (FINE, False),
        (UNSEEN, False),
        (Trouble(Kind.FAILING), True),
        (Trouble(Kind.NOTHING), True),
        (Trouble(Kind.BROKEN), True),
    ],
)
def test_what_counts_as_trouble(trouble: Trouble, is_one: bool):
    assert bool(trouble) is is_one


@pytest.mark.parametrize(
    ("state", "is_open"),
    [("waiting", True), ("running", True), ("done", False), ("cancelled", False), ("failed", False)],
)
def test_a_discovery_is_open_until_it_has_ended(state: Any, is_open: bool):
    wanted = WantedServices(service="s", description="d", seeds=())
    assert Discovery(id=1, user="u", wanted=wanted, state=state, created_at=NOON).is_open is is_open


def told(own: str, *troubles: str) -> ToldSentinel:
    pages = tuple(
        WatchedPage(id=n, url=f"u{n}", due=None, latest=1, checks=1, failures=0, trouble=trouble)
        for n, trouble in enumerate(troubles)
    )
    return ToldSentinel(
        name="s", text="whole", own=own, state=State.ACTIVE, installed_at=NOON, pages=pages, changes=0
    )


def test_an_installed_sentinel_shows_what_its_user_wrote_and_its_pages_in_trouble():
    assert (told("").written, told("short").written) == ("whole", "short")
    assert told("", "", "is down").trouble == {"u1": "is down"}
    assert told("", "").trouble == {}


def test_what_is_left_out_says_why_and_where():
    one = ObjectChange("x", Status.NEW)
    plain = {"object": "x", "status": "i", "where": [], "why": "a time that ticks"}
    assert left_out_as_json(LeftOut(Why.TICKING, one)) == plain
    assert left_out_as_json(LeftOut(Why.TICKING, one, "p", "Clock")) == {**plain, "label": "Clock"}


def test_habits_are_written_in_short_and_read_again():
    place = Place(
        key="k", form="u", heat=0.12345, look=2, times=3, most=4, left_out=5, seen_in_order=(7, 8), looks=6.5
    )
    plain = habits_as_json(Habits((place,), compared=3, every=1.23456))
    assert plain == {
        "places": [["k", "u", 0.123, 2, 3, 4, 5, [7, 8], "", 6.5, "", [], 0]],
        "compared": 3,
        "every": 1.235,
    }
    again = habits_from_json(plain)
    assert (again.compared, again.every, again.places[0].seen, again.places[0].swapped) == (
        3,
        1.235,
        {7, 8},
        (),
    )
    older = habits_from_json([["k", "u", 0.5]])
    assert older == Habits((Place(key="k", form="u", heat=0.5),))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("ä\n", '"ä\\n"'),
        ("\x7f\x9f\u202e", '"\\u007f\\u009f\\u202e"'),
        ("\ud800", '"\\ud800"'),
    ],
)
def test_json_is_safe_to_show_on_a_terminal(value: str, text: str):
    assert json_text(value) == text
    assert json_text([value], indent=1) == f"[\n {text}\n]"


def test_people_are_reached_by_two_channels_and_four_keep_what_is_known_of_a_contact():
    assert FOR_PEOPLE == ("email", "apprise")
    assert KEPT == ("email", "webhook", "apprise", "feed")
    assert set(KEPT) <= CHANNELS.keys()
