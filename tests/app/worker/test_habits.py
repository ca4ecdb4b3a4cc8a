"""When a page was looked at, by whom and how often, as its habits need to know it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from webvigil.app.worker.habits import Learners, Looks, Memory
from webvigil.errors import NotFound
from webvigil.model.change import ObjectChange, Status
from webvigil.model.doubt import Doubt
from webvigil.model.moment import HOUR, as_datetime
from webvigil.model.page import Page
from webvigil.model.quiet import Habits, PageHabits
from webvigil.model.work import DuePage, LatestVersion, Watch
from webvigil.trigger.clock import Apart

NOW = 1_800_000_000_000
SECONDS = (NOW // 1000) % 86_400


def watch(interval: int = HOUR, next_at: int = 0, reference: int = 0) -> Watch:
    return Watch(
        sentinel=1, user="jill", name="s", text="", interval=interval, next_at=next_at, reference=reference
    )


class Known:
    """A log of looks, newest first, as milliseconds before now with a decision; and versions by number, with
    the milliseconds before now at which each was fetched."""

    def __init__(
        self,
        log: list[tuple[int, str]] | None = None,
        versions: dict[int, int] | None = None,
        seen: int | None = None,
    ) -> None:
        self.log, self.fetched, self.seen, self.asked = log or [], versions or {}, seen, 0
        self.journal: Any = self
        self.versions: Any = self

    def fetch_log(self, page: int, limit: int) -> list[dict[str, Any]]:
        assert page == 7
        self.asked += 1
        return [{"at": as_datetime(NOW - ago), "decision": said} for ago, said in self.log[:limit]]

    def last_looks(self, pages: list[int]) -> dict[int, Any]:
        assert pages == [7]

        class Last:
            seen = None if self.seen is None else NOW - self.seen

        return {} if self.seen is None else {7: Last}

    def get(self, page: int, number: int) -> Any:
        assert page == 7
        if number not in self.fetched:
            raise NotFound("collected")
        at: datetime = as_datetime(NOW - self.fetched[number])

        class Version:
            fetched_at = at

        return Version


def looks(known: Known, latest: int = 3, newest: int = 4, **more: Any) -> Looks:
    due = DuePage.unscheduled(Page(url="http://a.test/"), (), 7)
    version = LatestVersion(number=latest, signature="", object="") if latest else None
    return Looks(known, replace(due, latest=version, **more), newest, NOW)


@pytest.mark.parametrize(
    ("known", "old", "new", "expected"),
    [
        (Known(seen=5_000), 3, 4, Apart(5, 5, SECONDS)),
        (Known(seen=0, versions={3: 9_000}), 3, 4, Apart(0, 0, SECONDS)),
        (Known(versions={3: 9_000}), 3, 4, Apart(0, 9, SECONDS)),
        (Known(seen=5_000, versions={2: 30_000, 3: 20_000}), 2, 4, Apart(20, 30, SECONDS)),
        (Known(seen=5_000, versions={2: 30_000}), 2, 4, None),
        (Known(seen=5_000), 2, 4, None),
        (Known(seen=5_000, versions={4: 1_000}), 4, 4, Apart(0, 1, SECONDS)),
        (Known(seen=5_000), 3, 3, None),
    ],
)
def test_the_time_between_two_versions_is_known(known: Known, old: int, new: int, expected: Apart | None):
    assert looks(known).apart(old, new) == expected


def test_without_a_newest_version_the_time_goes_until_now():
    assert looks(Known(versions={1: 2_000}), latest=0).apart(1, 4) == Apart(0, 2, SECONDS)


DOUBT = Doubt.__new__(Doubt)
FAILED = [(1, "failed"), (2, "postponed"), (3, "doubted"), (4, "no page"), (5, "same"), (6, "failed")]


@pytest.mark.parametrize(
    ("more", "log", "number"),
    [
        ({"failures": 1}, FAILED, 4),
        ({"doubt": DOUBT}, FAILED, 4),
        ({}, FAILED, 0),
        ({"failures": 1}, FAILED[4:], 0),
        ({"failures": 1}, [], 0),
    ],
)
def test_looks_right_before_that_did_not_see_the_page_are_counted(
    more: dict[str, Any], log: list[tuple[int, str]], number: int
):
    known = Known(log)
    found = looks(known, **more)
    assert found.unseen() == number
    assert known.asked == bool(more)


LATELY = [(ago * HOUR // 10, "same") for ago in range(1, 21)]


@pytest.mark.parametrize(
    ("log", "watches", "every"),
    [
        ([], [watch()], 1.0),
        (LATELY, [watch(0)], 1.0),
        (LATELY, [watch(0), watch()], 1.0),
        (LATELY, [watch()], 10.0),
        (LATELY, [watch(HOUR), watch(2 * HOUR)], 10.0),
        (LATELY, [watch(2 * HOUR)], 20.0),
        ([(1, "failed"), (HOUR - 1, "same"), (HOUR, "same")], [watch()], 2.0),
        (LATELY, [watch(next_at=NOW + HOUR // 2)], 5.0),
        (LATELY, [watch(next_at=NOW + 1)], 5.0),
        (LATELY, [watch(next_at=NOW)], 10.0),
        (LATELY, [watch(next_at=NOW + HOUR // 2), watch(next_at=NOW + HOUR // 2)], 5.0),
        (LATELY, [watch(next_at=NOW + HOUR // 2), watch(next_at=NOW + HOUR // 4)], 10 / 3),
        (LATELY[:1], [watch(next_at=NOW + HOUR // 2), watch(next_at=NOW + HOUR // 4)], 1.0),
        ([(ago * 1000, "same") for ago in range(1, 200)], [watch()], 200.0),
        ([(ago * 9_000, "same") for ago in range(1, 201)], [watch()], 401.0),
        ([(ago * 9_000, "same") for ago in range(1, 301)], [watch()], 401.0),
        ([(ago * 18_000, "same") for ago in range(1, 201)], [watch()], 200.0),
    ],
)
def test_how_many_looks_there_are_for_one_of_these_watches(
    log: list[tuple[int, str]], watches: list[Watch], every: float
):
    assert looks(Known(log)).every(watches) == pytest.approx(every)


def test_the_log_is_read_once():
    known = Known(LATELY)
    found = looks(known, failures=1)
    assert (found.unseen(), found.every([watch()]), found.every([watch(2 * HOUR)])) == (0, 10.0, 20.0)
    assert known.asked == 1


def learners(*watches: Watch, alone: bool = False, key: str = "k") -> Learners:
    return Learners(key, "", watches, alone)


@pytest.mark.parametrize(
    ("alone", "compared", "references", "seen"),
    [
        (True, 9, (1,), 5),
        (False, 3, (1, 2), 3),
        (False, 1, (4, 2), 4),
        (False, 0, (7,), 7),
    ],
)
def test_watches_beside_others_saw_their_own_versions(
    compared: int, references: tuple[int, ...], seen: int, *, alone: bool
):
    asked: list[int] = []

    def every(watches: Any) -> float:
        asked.append(len(watches))
        return 3.0

    habits = PageHabits(looks=8, parts={"k": Habits((), compared)})
    memory = Memory(lambda: habits, latest=5, every=every)
    some = learners(*(watch(reference=one) for one in references), alone=alone)
    assert memory.seen(some) == memory.seen(some) == seen
    assert asked == ([] if alone else [len(references)])


def text(before: str, after: str) -> ObjectChange:
    return ObjectChange(object="b", status=Status.UPDATED, before=before, after=after, where=("/a",))


def never(_: ObjectChange) -> bool:
    return False


def test_a_place_is_taught_once_by_the_newest_comparison():
    memory = Memory(lambda: PageHabits(looks=8), latest=5)
    some = learners(watch(), alone=True)
    assert memory.learnt() == {}
    assert memory.weigh(some, [text("1", "2")], 5, 6, never) == []
    assert memory.weigh(some, [text("0", "2")], 3, 6, never) == []
    taught = memory.learnt()
    assert list(taught) == ["k"]
    habits = taught["k"]
    assert (habits.compared, habits.every) == (6, 1.0)
    assert [one.look for one in habits.places] == [9]


@pytest.mark.parametrize(("away", "look"), [(0, 5), (1, 6), (2, 7)])
def test_looks_that_did_not_see_the_page_do_not_let_a_place_rest(away: int, look: int):
    taught = Memory(lambda: PageHabits(looks=4))
    taught.weigh(learners(watch(), alone=True), [text("1", "2")], 1, 2, never)
    known = PageHabits(looks=8, parts=taught.learnt())
    memory = Memory(lambda: known, unseen=lambda: away)
    assert [one.look for one in memory._known.parts["k"].places] == [look]
