"""The state of a crawl follows from its steps alone (S2)."""

from __future__ import annotations

from typing import Any

import pytest

from webvigil.discover.crawler.frontier import Frontier
from webvigil.discover.crawler.lead import Lead
from webvigil.discover.crawler.progress import Progress, worth_of
from webvigil.discover.crawler.reach import Reach
from webvigil.discover.crawler.steps import (
    Begun,
    Ended,
    Failed,
    Judged,
    Read,
    Started,
    Step,
    count_forms,
    step_as_json,
    step_from_json,
)
from webvigil.errors import SettingRefused

A, B, C, D = (f"http://e.org/{one}" for one in "abcd")


class Listed:
    """A frontier that keeps what it is told."""

    in_order = True

    def __init__(self) -> None:
        self.added: list[str] = []
        self.learned: list[tuple[str, float]] = []

    def add(self, leads: Any) -> None:
        self.added += [lead.url for lead in leads]

    def take(self, free: Any) -> None:
        return None

    def learn(self, lead: Lead, worth: float) -> None:
        self.learned.append((lead.url, worth))

    def __len__(self) -> int:
        return len(self.added)


def begun(url: str) -> Begun:
    return Begun(lead=Lead(url=url), why="because")


def read(url: str, **more: Any) -> Read:
    return Read(url=url, arrived=url, status=200, **more)


def judged(url: str, *outcomes: str, **more: Any) -> Judged:
    return Judged(url=url, analyses=tuple({"outcome": one, "probes": 2} for one in outcomes), **more)


def after(*steps: Step, resumed: bool = False) -> tuple[Progress, Listed]:
    frontier = Listed()
    taken: Frontier = frontier  # type: ignore[assignment]
    seeds = [Lead(url=A)]
    if resumed:
        return Progress.resumed(taken, Reach(), seeds, steps), frontier
    progress = Progress(taken, Reach(), seeds)
    for step in steps:
        progress.apply(step)
    return progress, frontier


STEPS: tuple[Step, ...] = (
    Started(service="s", frontier="f"),
    begun(A),
    read(
        A,
        leads=(Lead(url=B, source=A, depth=1), Lead(url=C, source=A, depth=1)),
        forms=("one", "one more"),
        text=7,
    ),
    judged(A, "unmatched", "matched", "possible"),
    begun(B),
    Failed(url=B, error="gone"),
    begun(C),
    read(C, leads=(Lead(url=D, source=C, depth=2),)),
)


@pytest.mark.parametrize("resumed", [False, True])
def test_pages_forms_requests_and_services_are_counted(resumed: bool):
    progress, frontier = after(*STEPS, resumed=resumed)
    assert (progress.pages, progress.found, progress.forms) == (3, 2, {"one", "one more"})
    assert progress.probes == {"e.org": 6}
    assert progress.known.visits == {"e.org": 3}
    assert all(map(progress.known.knows, (A, B, C, D)))
    assert frontier.learned == [(A, 1.0), (B, 0.0), (C, 0.0)]
    assert frontier.added == ([D] if resumed else [A, B, C, D])
    assert progress.frontier is frontier
    assert progress.ended is None


def test_a_page_that_was_under_way_is_visited_again_when_the_crawl_goes_on():
    progress, frontier = after(begun(A), read(A, leads=(Lead(url=B),)), begun(B), resumed=True)
    assert (progress.pages, progress.known.visits["e.org"], frontier.added) == (1, 1, [B])
    progress.apply(Failed(url=B, error="gone"))
    assert frontier.learned == [(A, 0.0)]


def test_a_page_with_forms_is_worth_what_they_turn_out_to_be():
    _, frontier = after(begun(A), read(A, forms=("one",)))
    assert frontier.learned == []
    _, frontier = after(begun(A), read(A, forms=("one",)), judged(A, "unmatched"), judged(A, "matched"))
    assert frontier.learned == [(A, 0.0)]


def test_a_text_is_remembered_where_there_is_one():
    progress, _ = after(*[read(A, text=7)] * 3, *[read(A)] * 3)
    assert (progress.known.has_twins(7), progress.known.has_twins(0)) == (True, False)


def test_a_form_that_was_not_asked_made_no_requests():
    unasked = Judged(url=A, analyses=({"outcome": "filtered"}, {"outcome": "matched", "probes": 3}))
    assert after(unasked)[0].probes == {"e.org": 3}


def test_the_end_is_remembered():
    assert after(Ended(why="enough"))[0].ended == Ended(why="enough")


@pytest.mark.parametrize(
    ("worn", "is_worn"),
    [
        (["shape x"], False),
        (["shape x", "shape y"], False),
        (["shape x", "shape x"], True),
        (["shape "] * 3, False),
        (["shape "] * 4, True),
        (["other x"] * 4, False),
        ([], False),
    ],
)
def test_forms_of_a_shape_are_worn_by_the_same_answer_twice_or_by_none_four_times(
    worn: list[str], is_worn: bool
):
    assert after(judged(A, worn=tuple(worn)))[0].is_worn("shape") is is_worn


@pytest.mark.parametrize(
    ("outcomes", "worth"),
    [((), 0.0), (("unmatched", "filtered"), 0.0), (("unmatched", "matched"), 1.0), (("possible",) * 2, 1.0)],
)
def test_a_page_is_worth_one_where_a_service_was_found(outcomes: tuple[str, ...], worth: float):
    assert worth_of([{"outcome": one} for one in outcomes]) == worth


@pytest.mark.parametrize("step", [*STEPS, Ended(why="enough"), read(B), judged(A, worn=("shape x",))])
def test_a_step_is_read_as_it_was_written(step: Step):
    """Also that of a page on which every form was known before."""
    assert step_from_json(step_as_json(step)) == step


def test_a_step_says_nothing_of_what_is_empty():
    assert step_as_json(read(A)) == {"step": "read", "url": A, "arrived": A, "status": 200}
    assert step_as_json(Started(service="s", frontier="f")) == {
        "step": "started",
        "service": "s",
        "frontier": "f",
        "dry_run": False,
    }
    assert step_as_json(Begun(lead=Lead(url=B, source=A, how="link", depth=2), why="w", at=5)) == {
        "step": "begun",
        "url": B,
        "how": "link",
        "depth": 2,
        "source": A,
        "why": "w",
        "at": 5,
    }


def test_a_visit_without_a_time_and_a_source_is_read():
    assert step_from_json({"step": "begun", "url": A, "why": "w"}) == Begun(lead=Lead(url=A), why="w", at=0)


@pytest.mark.parametrize(
    "told",
    [{}, {"step": "flown"}, {"step": "begun"}, {"step": "ended", "what": 1}, {"step": "read", "url": 7}],
)
def test_what_is_no_step_is_refused(told: dict[str, Any]):
    with pytest.raises(SettingRefused, match="this is no step of a crawl"):
        step_from_json(told)


def test_a_key_with_a_blank_is_no_form_of_its_own():
    assert count_forms(["one", "one exact", "two", "three"]) == 3
