"""What looks like no page is believed, or told as trouble, when a second look says the same (Q6)."""

from __future__ import annotations

from dataclasses import replace
from datetime import time

import pytest

from webvigil.model.doubt import Doubt, Suspicion
from webvigil.model.schedule import Schedule
from webvigil.model.sentinel import FetchAt
from webvigil.model.work import Watch
from webvigil.rules.doubts import (
    BELIEVED,
    Verdict,
    are_told_everything,
    believed_from,
    judged,
    looks_of_patience,
)

MINUTE = 60_000
NOON = 1_800_000_000_000
LOGIN = Suspicion("log-in", "asks for a log-in")
CAPTCHA = Suspicion("captcha", "asks for a captcha")
SHORT = Suspicion("far shorter", "is far shorter than before", clear=False)


def doubt(seen: Suspicion, since: int = NOON, *, told: bool = False) -> Doubt:
    return Doubt(kind=seen.kind, said=seen.said, clear=seen.clear, since=since, told=told)


def judge(known: Doubt | None, seen: Suspicion | None, after: int = 0) -> Verdict:
    return judged(known, seen, NOON + after, MINUTE)


def test_a_page_that_looks_like_itself_is_believed():
    assert judge(None, None) is BELIEVED


@pytest.mark.parametrize("seen", [LOGIN, SHORT])
def test_what_is_suspicious_is_looked_at_again_before_anybody_is_told(seen: Suspicion):
    assert judge(None, seen) == Verdict(doubt=doubt(seen), again=NOON + MINUTE)


@pytest.mark.parametrize("seen", [LOGIN, SHORT])
def test_a_look_that_comes_too_early_does_not_tell(seen: Suspicion):
    assert judge(doubt(seen), seen, after=10_000) == Verdict(doubt=doubt(seen), again=NOON + MINUTE)


@pytest.mark.parametrize("seen", [LOGIN, SHORT])
def test_back_to_normal_nobody_is_told(seen: Suspicion):
    assert judge(doubt(seen), None, after=MINUTE) is BELIEVED


def test_what_stays_and_clearly_is_no_page_is_told_once():
    told = doubt(LOGIN, told=True)
    assert judge(doubt(LOGIN), LOGIN, after=MINUTE) == Verdict(doubt=told, tell=True)
    assert judge(told, LOGIN, after=2 * MINUTE) == Verdict(doubt=told)
    assert judge(told, CAPTCHA, after=2 * MINUTE) == Verdict(doubt=doubt(CAPTCHA, told=True))


def test_that_a_page_is_back_is_told_to_those_who_heard_of_it():
    told = doubt(LOGIN, told=True)
    assert judge(told, None, after=MINUTE) == Verdict(over=told)


def test_what_stays_and_may_be_the_page_is_believed():
    assert judge(doubt(SHORT), SHORT, after=MINUTE) is BELIEVED


def test_something_else_at_the_second_look_is_no_proof_of_the_first():
    assert judge(doubt(LOGIN), CAPTCHA, after=MINUTE).tell
    assert judge(doubt(SHORT), LOGIN, after=MINUTE).tell
    third = judge(doubt(LOGIN), SHORT, after=MINUTE)
    assert third == Verdict(doubt=doubt(SHORT), again=NOON + 2 * MINUTE)
    assert judge(third.doubt, SHORT, after=2 * MINUTE) is BELIEVED


def test_after_trouble_what_may_be_the_page_takes_two_looks_to_be_believed():
    told = doubt(LOGIN, told=True)
    once = judge(told, SHORT, after=9 * MINUTE)
    assert once == Verdict(doubt=doubt(SHORT, told=True), again=NOON + 10 * MINUTE)
    assert judge(once.doubt, SHORT, after=10 * MINUTE) == Verdict(over=once.doubt)


def test_a_page_that_shows_one_thing_and_another_in_turns_is_told_of_all_the_same():
    known, told = None, 0
    for number in range(10):
        verdict = judge(known, (LOGIN, SHORT)[number % 2], after=number * MINUTE)
        known, told = verdict.doubt, told + verdict.tell
    assert told == 1


def watch(text: str) -> Watch:
    return Watch(sentinel=1, user="jill", name="s", text=text, interval=MINUTE, next_at=NOON, reference=1)


def test_nothing_is_doubted_where_all_want_to_be_told_everything():
    quiet = watch("Create Sentinel s Using http://site.test/\nMonitor phrase: {Quiet off}\n")
    loud = watch("Create Sentinel s Using http://site.test/\nMonitor any change\nQuiet off\n")
    assert are_told_everything([loud, loud])
    assert not are_told_everything([loud, quiet])
    assert not are_told_everything([quiet])
    assert not are_told_everything([])


def test_a_loss_is_believed_later_only_where_looks_come_by_themselves_within_the_time_and_without_hours():
    often = watch("Create Sentinel s Using http://site.test/\nMonitor any change\n")
    assert believed_from(often, NOON, MINUTE) == NOON + 5 * MINUTE
    assert believed_from(replace(often, interval=MINUTE // 10), NOON, MINUTE) == NOON + MINUTE
    assert believed_from(often, NOON, MINUTE - 1) == NOON
    assert believed_from(replace(often, interval=1), NOON, MINUTE) == NOON + MINUTE
    assert believed_from(replace(often, interval=0), NOON, MINUTE) == NOON  # on change: nobody knows when
    at_night = Schedule(FetchAt((time(3),)), "UTC")
    assert believed_from(replace(often, schedule=at_night), NOON, MINUTE) == NOON
    assert believed_from(replace(often, text=f"{often.text}Quiet off\n"), NOON, MINUTE) == NOON


def test_what_came_back_before_may_be_missing_for_a_few_looks_but_no_longer_than_an_hour():
    often = watch("Create Sentinel s Using http://site.test/\nMonitor any change\n")
    half_hourly = replace(often, interval=30 * MINUTE)
    assert looks_of_patience([often, half_hourly]) == 5
    assert looks_of_patience([half_hourly]) == 2
    assert looks_of_patience([replace(often, interval=0)]) == 0
    assert looks_of_patience([]) == 0
