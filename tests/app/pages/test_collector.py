"""The collector removes what nobody needs, never what somebody needs, and leaves no objects behind (R1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.store.making import ALIVE, MINUTE, checked, claim_all, new_change, remove_for_good, sentinel
from webvigil.app.pages.collector import Collected, Collector, told
from webvigil.app.pages.retention import Plan, Policy, needed, plan
from webvigil.model.history import History, KeptVersion, Need, Told
from webvigil.model.version import Answer
from webvigil.model.work import NewVersion, Watch, WatchUpdate
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository

DAY = 24 * 3_600_000
NOON = 1_800_000_000_000
PAIRWISE = "Create Sentinel s Using http://site.test/ Monitor any change"
MOVING = PAIRWISE + " Compare moving 3"
ALL = Policy(versions=0, days=0, bytes=0)


def version(number: int, *, age: int = 0, base: int = 0, stored: int = 10, dropped: bool = False):
    return KeptVersion(
        number=number,
        fetched_at=NOON - age * DAY,
        object=f"o{number}",
        base=f"o{base}" if base else "",
        picture="",
        stored=stored,
        dropped=dropped,
    )


def history(*versions: KeptVersion, needs: Iterable[Need] = (), told: Iterable[Told] = ()) -> History:
    latest = max(one.number for one in versions)
    return History(page=1, latest=latest, versions=versions, needs=tuple(needs), told=tuple(told))


def test_the_newest_so_many_are_kept():
    found = plan(history(*map(version, range(1, 11))), Policy(versions=3), NOON)
    assert found == Plan(tuple(range(1, 8)), tuple(range(1, 8)))


def test_what_is_too_old_goes_but_the_newest_stays_however_old():
    old = [version(1, age=400), version(2, age=300)]
    assert plan(history(*old), Policy(days=365), NOON).drop == (1,)
    assert plan(history(*old), Policy(days=100), NOON).drop == (1,)


def test_what_takes_too_much_room_goes():
    versions = [version(number, stored=40) for number in range(1, 6)]
    assert plan(history(*versions), Policy(bytes=100), NOON).drop == (1, 2, 3)


def test_without_limits_everything_stays():
    assert plan(history(version(1, age=9999), version(2)), ALL, NOON) == Plan((), ())


def test_the_version_a_sentinel_is_compared_with_stays():
    found = plan(history(*map(version, range(1, 9)), needs=[Need(2, PAIRWISE)]), Policy(versions=2), NOON)
    assert found.drop == (1, 3, 4, 5, 6)


def test_a_moving_window_needs_all_from_its_beginning():  # L7
    found = plan(history(*map(version, range(1, 9)), needs=[Need(4, MOVING)]), Policy(versions=2), NOON)
    assert found.drop == (1, 2, 3)


def test_a_text_that_cannot_be_read_any_more_is_taken_to_need_all():
    found = plan(history(*map(version, range(1, 9)), needs=[Need(4, "gibberish")]), Policy(versions=2), NOON)
    assert found.drop == (1, 2, 3)


def test_what_a_change_tells_of_stays_as_long_as_versions_do():
    versions = list(map(version, range(1, 9)))
    told = [Told(1, 3, NOON - 10 * DAY), Told(4, 5, NOON - 40 * DAY)]
    assert plan(history(*versions, told=told), Policy(versions=2, days=30), NOON).drop == (2, 4, 5, 6)
    assert plan(history(*versions, told=told), Policy(versions=2, days=0), NOON).drop == (2, 6)


def test_what_others_are_stored_relative_to_is_dropped_but_not_forgotten():
    chain = [version(1), version(2, base=1), version(3, base=2), version(4), version(5, base=4)]
    assert plan(history(*chain), Policy(versions=3), NOON) == Plan((1, 2), ())
    assert plan(history(*chain), Policy(versions=2), NOON) == Plan((1, 2, 3), (1, 2, 3))
    dropped = [version(1, dropped=True), version(2, base=1)]
    assert plan(history(*dropped), ALL, NOON) == Plan((), ())


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=14),
    st.lists(st.tuples(st.integers(1, 14), st.booleans()), max_size=3),
    st.builds(Policy, versions=st.integers(0, 5), days=st.integers(0, 3), bytes=st.integers(0, 60)),
)
def test_whatever_goes_nobody_needed(bases: list[int], needs: list[tuple[int, bool]], policy: Policy):
    versions = [
        version(number, base=min(base, number - 1), age=len(bases) - number)
        for number, base in enumerate(bases, 1)
    ]
    wanted = [Need(min(one, len(bases)), MOVING if moves else PAIRWISE) for one, moves in needs]
    before = history(*versions, needs=wanted)
    found = plan(before, policy, NOON)
    assert not needed(before) & set(found.drop)
    left = [one for one in versions if one.number not in found.forget]
    objects = {one.object for one in left}
    assert {one.base for one in left} <= objects | {""}, "what is left has all it rests on"
    rested = {one.base for one in versions if one.number not in found.drop}
    for one in reversed(versions):  # computed in another way than the code: all bases, direct and indirect
        rested |= {one.base} if one.object in rested else set()
    assert set(found.forget) == {
        one.number for one in versions if one.number in found.drop and one.object not in rested
    }


class Clock:
    now = NOON

    def __call__(self) -> int:
        return self.now


class AgingObjects(MemoryObjects):
    """Objects whose age counts by the clock of the test. Any call can fail as if the process were killed."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self.calls_left: int | None = None

    def put(self, key: str, content: bytes, *, lasting: bool = True) -> None:
        super().put(key, content)
        self._since[key] = datetime.fromtimestamp(self._clock() / 1000, UTC)

    def delete(self, keys: Iterable[str]) -> None:
        for key in keys:
            if self.calls_left is not None:
                if not self.calls_left:
                    raise Killed
                self.calls_left -= 1
            super().delete([key])


class Killed(BaseException):
    pass


class World:
    """A page that changes, the sentinels that watch it, a worker, a collector, and all bodies that the page
    has shown."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.knowledge = MemoryKnowledge(delay=0, clock=self.clock)
        self.knowledge.users.add("jill")
        self.objects = AgingObjects(self.clock)
        self.pages = PageRepository(self.objects, self.knowledge.versions.deltas, depth=3)
        self.bodies: dict[int, bytes] = {}
        self.installed = 0
        self.install(PAIRWISE)

    def install(self, text: str) -> None:
        self.installed += 1
        self.knowledge.sentinels.add(sentinel(f"s{self.installed}", text=text, life=ALIVE))

    def collector(self, policy: Policy) -> Collector:
        return Collector(
            self.knowledge,
            self.objects,
            policy,
            now=lambda: datetime.fromtimestamp(self.clock() / 1000, UTC),
        )

    def keep(self, follow: Callable[[int, int], int], *, finish: bool = True, late: bool = False) -> None:
        """Lets a worker find a new version. `follow` tells where a watch that compares a window moves its
        reference to; a pairwise watch moves to the newest version, or stays after trouble."""
        self.clock.now += 2 * MINUTE
        for claim in claim_all(self.knowledge):
            for page in claim.pages:
                before = page.latest.number if page.latest else 0
                number = before + 1
                body = b" ".join(b"%d" % (n if n != number % 50 else -number) for n in range(200))
                answer = Answer(url="http://site.test/", status=200, headers=(), body=body)
                kept = self.pages.keep(
                    answer,
                    after=page.latest.object if page.latest else "",
                    picture=b"png",
                    pictures=[("http://site.test/logo", b"logo")],
                    in_row=number % 3 > 0,
                )
                self.pages.keep_digest(kept.object, b"digest")
                if late:
                    self.collector(Policy(versions=1, days=0)).collect()
                if not finish:
                    continue
                new = NewVersion(
                    number=number,
                    url="u",
                    status=200,
                    signature=str(number),
                    object=kept.object,
                    size=len(body),
                    picture=kept.picture,
                    base=kept.base,
                    stored=kept.stored,
                    delta=kept.delta,
                )
                watches = tuple(
                    WatchUpdate(
                        sentinel=watch.sentinel,
                        reference=_next_reference(watch, number, follow),
                        next_at=claim.now + MINUTE,
                    )
                    for watch in page.watches
                )
                changes = tuple(
                    new_change(watch.sentinel, watch.reference, number)
                    for watch in page.watches
                    if watch.reference
                )
                done = checked(claim, page, version=new, watches=watches, changes=changes[:1])
                assert self.knowledge.schedule.finish(claim, [done])
                self.bodies[number] = body
        self.clock.now += 60_000

    @property
    def page(self) -> int | None:
        return next(iter(self.knowledge.histories.pages(after=0, limit=1)), None)

    def check(self) -> None:
        if self.page is None:
            return
        history = self.knowledge.histories.of(self.page)
        versions = {one.number: one for one in self.knowledge.versions.of(self.page)}
        assert needed(history) - {0} <= set(versions), "what sentinels need is there"
        for number, one in versions.items():
            assert self.pages.answer(one.object).body == self.bodies[number]
            assert self.pages.picture(one.picture) == b"png"
            assert self.pages.pictures(one.object) == {"http://site.test/logo": b"logo"}


def _next_reference(watch: Watch, number: int, follow: Callable[[int, int], int]) -> int:
    if not watch.reference:
        return number
    to = follow(watch.reference, number)
    return number if watch.text == PAIRWISE and to != watch.reference else to


class Collecting(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.world = World()

    @rule(text=st.sampled_from([PAIRWISE, MOVING]))
    @precondition(lambda self: self.world.installed < 4)
    def somebody_installs_a_sentinel(self, text: str):
        self.world.install(text)

    @rule()
    @precondition(lambda self: self.world.installed > 1)
    def somebody_removes_a_sentinel(self):
        names = [one.name for one in self.world.knowledge.sentinels.all("jill")]
        if len(names) > 1:
            remove_for_good(self.world.knowledge, "jill", names[0])

    @rule(how=st.sampled_from(["all", "none", "one on"]), late=st.booleans())
    def the_page_changes(self, how: str, late: bool):
        """Changes the page. With `late`, the collector runs between writing the body and writing its row."""
        follow = {
            "all": lambda reference, number: number,
            "none": lambda reference, number: reference,
            "one on": lambda reference, number: reference + 1,
        }[how]
        self.world.keep(follow, late=late)

    @rule()
    def a_worker_is_killed_between_body_and_row(self):
        self.world.keep(lambda reference, number: number, finish=False)

    @rule(days=st.sampled_from([1, 2, 20]))
    def time_passes(self, days: int):
        self.world.clock.now += days * DAY

    @rule(versions=st.integers(0, 3), days=st.integers(0, 15))
    def the_collector_runs(self, versions: int, days: int):
        self.world.collector(Policy(versions=versions, days=days)).collect()

    @rule(calls=st.integers(0, 4))
    def the_collector_is_killed(self, calls: int):
        self.world.objects.calls_left = calls
        try:
            self.world.collector(Policy(versions=1, days=1)).collect()
        except Killed:
            pass
        finally:
            self.world.objects.calls_left = None

    @invariant()
    def nothing_that_is_needed_is_missing(self):
        self.world.check()

    def teardown(self):
        """Checks that after two days and another collection no object is left that no version needs."""
        self.world.clock.now += 2 * DAY
        self.world.collector(ALL).collect()
        self.world.check()
        if self.world.page is None:
            assert list(self.world.objects.keys()) == []
            return
        rows = self.world.knowledge.histories.of(self.world.page).versions
        allowed = {one.object + end for one in rows for end in ("", ".picture", ".pictures", ".digest")}
        assert set(self.world.objects.keys()) <= allowed
        pictures = {one.object + end for one in rows if one.dropped for end in (".picture", ".pictures")}
        assert not pictures & set(self.world.objects.keys())


TestCollecting = Collecting.TestCase
TestCollecting.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)


@pytest.fixture
def world() -> World:
    return World()


def followed(reference: int, number: int) -> int:
    return number


def test_a_turn_says_what_went(world: World):
    for _ in range(6):
        world.keep(followed)
    world.clock.now += 2 * DAY
    went = world.collector(Policy(versions=2, days=1)).collect()
    assert went == Collected(pages=1, versions=5, objects=3, digests=0, left_over=0)
    assert [one.number for one in world.knowledge.versions.of(world.page or 0)] == [6]
    world.check()


def test_old_looks_and_pages_that_nobody_watches_go(world: World):
    for _ in range(6):
        world.keep(followed)
    world.clock.now += 91 * DAY
    turn = Policy(versions=2, days=1, log_days=90)
    assert world.collector(Policy(log_days=0)).collect().looks == 0
    assert world.collector(turn).collect().looks == 5
    assert world.collector(turn).collect().looks == 0
    for one in world.knowledge.sentinels.all("jill"):
        remove_for_good(world.knowledge, "jill", one.name)
    went = world.collector(turn).collect()
    assert went.abandoned == 1
    assert list(world.objects.keys()) == []


def test_what_a_removed_sentinel_needs_goes_when_the_removal_cannot_be_undone_any_more(world: World):
    for _ in range(3):
        world.keep(followed)
    sentinels = world.knowledge.sentinels
    for one in sentinels.all("jill"):
        sentinels.set_aside("jill", one.name)
    removed, turn = len(sentinels.removed("jill")), Policy(versions=1, days=1, log_days=1)
    world.clock.now += 6 * DAY
    went = world.collector(turn).collect()
    assert (went.sentinels, went.abandoned) == (0, 0)
    world.clock.now += 2 * DAY
    went = world.collector(turn).collect()
    assert (went.sentinels, went.abandoned) == (removed, 1)
    assert (sentinels.removed("jill"), list(world.objects.keys())) == ([], [])


def test_a_dry_run_tells_and_changes_nothing(world: World):
    for _ in range(6):
        world.keep(followed)
    world.clock.now += 2 * DAY
    before = sorted(world.objects.keys())
    collector = Collector(world.knowledge, world.objects, Policy(versions=2, days=1), dry_run=True)
    went = collector.collect()
    assert (went.pages, went.versions, went.objects) == (1, 5, 3)
    assert sorted(world.objects.keys()) == before
    assert len(world.knowledge.versions.of(world.page or 0)) == 6


def test_what_was_removed_is_told_in_one_sentence():
    names = ("pages", "versions", "objects", "digests", "left_over", "looks", "notices", "events")
    went = Collected(**dict(zip(names, range(1, 9), strict=True)), abandoned=9, sentinels=10)
    assert told(went) == (
        "Removed 2 of the versions of 1 pages (3 objects), 4 digests, 5 objects left over; "
        "6 looks, 7 notices, 8 entries of the journal, 9 pages without a sentinel, 10 removed sentinels."
    )
    assert told(went + went, "Would remove").startswith(
        "Would remove 4 of the versions of 2 pages (6 objects)"
    )


def test_what_was_left_over_less_than_a_day_ago_stays(world: World):
    """A recent object without a row may be the body of a version whose row is just being written."""
    world.keep(followed, finish=False)
    world.clock.now += 23 * 3_600_000
    assert world.collector(ALL).collect().left_over == 0
    world.clock.now += 2 * 3_600_000
    assert world.collector(ALL).collect().left_over == 4
    assert list(world.objects.keys()) == []


def test_digests_stay_where_the_next_comparison_needs_them(world: World):
    world.keep(followed)
    world.keep(lambda reference, number: reference)
    world.keep(lambda reference, number: reference)
    assert world.collector(ALL).collect().digests == 1
    kept = [
        one.number for one in world.knowledge.versions.of(world.page or 0) if world.pages.digest(one.object)
    ]
    assert kept == [3, 1]


def test_old_objects_that_two_pages_share_stay_until_neither_names_them():
    """Older repositories stored equal content of several pages as one object."""
    world, old = World(), "a" * 64
    world.objects.put(old, b"shared")
    world.knowledge.sentinels.add(sentinel("two", "http://two.test/", text=PAIRWISE))
    brings(world, {"site.test": old, "two.test": old})
    brings(world, {"site.test": "new"})
    world.clock.now += 3 * DAY
    strict = world.collector(Policy(versions=1, days=1))
    assert strict.collect().objects == 1
    assert world.objects.has(old), "the other page names it, too"
    brings(world, {"two.test": "newer"})
    assert strict.collect().objects == 1
    assert not world.objects.has(old)


def brings(world: World, objects: dict[str, str]) -> None:
    world.clock.now += 2 * MINUTE
    for claim in claim_all(world.knowledge):
        (page,) = claim.pages
        number = page.latest.number + 1 if page.latest else 1
        new = None
        if claim.name in objects:
            key = objects[claim.name]
            new = NewVersion(number=number, url="u", status=200, signature="s", object=key, size=1)
        watches = tuple(
            WatchUpdate(sentinel=one.sentinel, reference=number if new else number - 1, next_at=claim.now)
            for one in page.watches
        )
        assert world.knowledge.schedule.finish(claim, [checked(claim, page, version=new, watches=watches)])
