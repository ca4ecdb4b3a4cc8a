"""Times that tick are known by their form (Q2)."""

from __future__ import annotations

import time

import pytest

from webvigil.detect.quiet.calm import differing
from webvigil.detect.quiet.ticking import nearby, ticks, timeless

TICKS = [
    ("posted 6 minutes ago", "posted 7 minutes ago"),
    ("posted 59 minutes ago by Jill", "posted an hour ago by Jill"),
    ("just now", "2 mins ago"),
    ("a minute ago", "an hour ago"),
    ("about 2 hours ago", "about 3 hours ago"),
    ("il y a 5 minutes", "il y a 2 heures"),
    ("vor 3 Stunden", "vor 1 Tag"),
    ("hace 3 días", "hace 4 días"),
    ("3 ore fa", "4 ore fa"),
    ("5 minuten geleden", "6 minuten geleden"),
    ("5 minut temu", "6 minut temu"),
    ("5 минут назад", "2 часа назад"),
    ("3 分钟前", "2 小时前"),
    ("5 分前", "6 分前"),
    ("قبل 3 ساعات", "قبل 4 ساعات"),
    ("Page generated in 0.034 seconds", "Page generated in 0.091 seconds"),
    ("Queries took 63.4ms", "Queries took 7.1ms"),
    ("Made in 63.4 ms", "Made in 7.1 ms"),
    ("Server time: 12:03:22", "Server time: 12:09:41"),
    ("Generated 2026-11-17 08:22", "Generated 2026-11-18 09:22"),
    ("Show new changes starting from 09:12", "Show new changes starting from 09:13"),
    ("14 minutes ago", "1/4 hour ago"),
    ("1/4 hour ago", "1/2 hour ago"),
    ("an hour ago", "1 1/2 hours ago"),
    ("½ hour ago", "¾ hour ago"),
    ("Today", "Yesterday"),
    ("Today, 14:05", "Yesterday, 14:05"),
    ("yesterday", "2 days ago"),
    ("This week:", "Last week:"),
    ("(heute)", "(gestern)"),
    ("aujourd'hui", "hier"),
    ("今天", "昨天"),
    ("어제", "2일 전"),
]
STANDS = [
    ("Opens 9:00", "Opens 10:00"),
    ("Delivery in 3 days", "Delivery in 5 days"),
    ("You have 30 days", "You have 14 days"),
    ("Requests are processed within 30 seconds", "Requests are processed within 60 seconds"),
    ("Lunch is served from 12:00", "Lunch is served from 12:30"),
    ("6 minutes ago", "sold out"),
    ("Founded 6 years ago", "Founded by Jill"),
    ("12 items", "13 items"),
    ("$ 12.50", "$ 13.50"),
    ("latency 12 ms", "latency 15 ms"),
    ("Sale ends today", "Sale ends yesterday"),
    ("This week only: lamps", "Last week only: lamps"),
    ("Today", "Tomorrow"),
    ("1/4 litre", "1/2 litre"),
    ("Today, 14:05", "Yesterday, 15:05"),
    ("Within an hour", "Within a day"),
]


@pytest.mark.parametrize(("before", "after"), TICKS)
def test_a_time_that_went_on_is_no_change(before: str, after: str):
    assert timeless(before) == timeless(after)


@pytest.mark.parametrize(("before", "after"), STANDS)
def test_a_time_that_the_page_is_about_is_a_change(before: str, after: str):
    assert timeless(before) != timeless(after)


def test_only_the_place_that_differs_counts():
    before, after = "Jill, 6 minutes ago: sold", "Jack, 7 minutes ago: sold"
    assert ticks(before, (6, 7), after, (6, 7))
    assert not ticks(before, (0, 4), after, (0, 4))


GROUPS = [
    ("Within a Minute", "Within an Hour"),
    ("Past 24 hours", "Past week"),
    ("In der letzten Stunde", "In der letzten Woche"),
    ("En la última hora", "En la última semana"),
    ("Nell'ultima ora", "Nell'ultima settimana"),
    ("Today", "This week"),
    ("This week", "This month"),
]


@pytest.mark.parametrize(("before", "after"), GROUPS)
def test_a_heading_that_names_a_group_by_its_age_ticks_and_a_line_that_may_be_a_term_does_not(
    before: str, after: str
):
    places = differing(before, after)
    assert ticks(before, places[0], after, places[1], lambda: True)
    assert not ticks(before, places[0], after, places[1], lambda: False)


@pytest.mark.parametrize(
    "after", ["Within reach", "Sold out", "Within an hour of the harbour", "Last chance"]
)
def test_a_heading_that_says_something_else_does_not_tick(after: str):
    before = "Within a minute"
    places = differing(before, after)
    assert not ticks(before, places[0], after, places[1], lambda: True)


def test_words_of_forty_languages_are_known():
    assert {"today", "gestern", "la semana pasada", "先月", "в прошлом году"} <= nearby().keys()
    assert len(nearby()) > 250


def test_a_hostile_line_is_answered_at_once():
    line = "1 " * 100_000 + "about an about an " * 20_000
    started = time.process_time()
    timeless(line)
    assert time.process_time() - started < 1
