"""How many versions stay, how old and how large they may be: at each limit and one beyond."""

from __future__ import annotations

import pytest

from webvigil.app.pages.retention import Plan, Policy, needed, plan
from webvigil.model.history import Ages, History, KeptVersion, Need, Told
from webvigil.model.moment import DAY

NOW = 1_000 * DAY
FREE = Policy(versions=0, days=0, bytes=0, log_days=0)


def version(
    number: int, *, days: float = 1, stored: int = 10, base: str = "", dropped: bool = False
) -> KeptVersion:
    return KeptVersion(
        number=number,
        fetched_at=NOW - int(days * DAY),
        object=f"o{number}",
        base=base,
        picture="",
        stored=stored,
        dropped=dropped,
    )


def history(*versions: KeptVersion, needs: tuple[Need, ...] = (), told: tuple[Told, ...] = ()) -> History:
    return History(page=1, latest=versions[-1].number, versions=versions, needs=needs, told=told)


FIVE = tuple(version(number, days=6 - number) for number in range(1, 6))


@pytest.mark.parametrize(
    ("policy", "gone"),
    [
        (FREE, ()),
        (Policy(versions=5, days=0, bytes=0), ()),
        (Policy(versions=4, days=0, bytes=0), (1,)),
        (Policy(versions=1, days=0, bytes=0), (1, 2, 3, 4)),
        (Policy(versions=0, days=5, bytes=0), ()),
        (Policy(versions=0, days=4, bytes=0), (1,)),
        (Policy(versions=0, days=3, bytes=0), (1, 2)),
        (Policy(versions=0, days=0, bytes=50), ()),
        (Policy(versions=0, days=0, bytes=49), (1,)),
        (Policy(versions=0, days=0, bytes=30), (1, 2)),
        (Policy(versions=0, days=0, bytes=1), (1, 2, 3, 4)),
    ],
)
def test_versions_stay_up_to_each_limit(policy: Policy, gone: tuple[int, ...]):
    assert plan(history(*FIVE), policy, NOW) == Plan(gone, gone)


def test_behind_the_first_version_that_goes_none_stays():
    some = (version(1, stored=1), version(2, stored=40), version(3, stored=1))
    assert plan(history(*some), Policy(versions=0, days=0, bytes=10), NOW).drop == (1, 2)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Create Sentinel s Using http://a.test/", {2, 5}),
        ("Create Sentinel s Using http://a.test/ Compare pairwise", {2, 5}),
        ("Create Sentinel s Using http://a.test/ Compare every 3", {2, 3, 4, 5}),
        ("Create Sentinel s Using http://a.test/ Compare moving 4", {2, 3, 4, 5}),
        ("no sentinel", {2, 3, 4, 5}),
    ],
)
def test_what_sentinels_are_compared_with_is_needed(text: str, found: set[int]):
    assert needed(history(*FIVE, needs=(Need(2, text),))) == found


@pytest.mark.parametrize(
    ("days", "found_days_ago", "stays"),
    [(0, 900, True), (3, 3, True), (3, 3.001, False), (3, 2, True)],
)
def test_what_a_change_tells_of_stays_as_long_as_versions_do(
    days: int, found_days_ago: float, *, stays: bool
):
    told = (Told(1, 2, NOW - int(found_days_ago * DAY)),)
    made = plan(history(*FIVE, told=told), Policy(versions=1, days=days, bytes=0), NOW)
    assert made.drop == ((3, 4) if stays else (1, 2, 3, 4))


def test_what_others_are_stored_relative_to_is_not_forgotten():
    some = (
        version(1),
        version(2, base="o1"),
        version(3, base="o2"),
        version(4, base="o3", dropped=True),
        version(5, base="gone"),
        version(6, base="o5"),
    )
    made = plan(
        history(*some, needs=(Need(3, "Create Sentinel s Using http://a.test/"),)),
        Policy(versions=1, days=0, bytes=0),
        NOW,
    )
    assert made == Plan((1, 2, 5), (4,))
    alone = plan(history(*some[:3], version(7)), Policy(versions=1, days=0, bytes=0), NOW)
    assert alone == Plan((1, 2, 3), (1, 2, 3))


@pytest.mark.parametrize(
    ("policy", "ages"),
    [
        (FREE, Ages(log=0, versions=0)),
        (Policy(days=1, log_days=2), Ages(log=NOW - 2 * DAY, versions=NOW - DAY)),
    ],
)
def test_logs_and_versions_have_an_age(policy: Policy, ages: Ages):
    assert policy.ages(NOW) == ages


def test_the_usual_policy():
    assert Policy() == Policy(versions=100, days=365, bytes=100_000_000, log_days=90)
