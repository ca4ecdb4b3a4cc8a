"""Histories in every knowledge base: what the collector of old versions may rely on (R1)."""

from __future__ import annotations

from dataclasses import replace

from tests.store.conftest import Clock
from tests.store.making import (
    ALIVE,
    MINUTE,
    checked,
    claim_all,
    new_change,
    new_version,
    remove_for_good,
    sentinel,
)
from webvigil.model.history import Need, Told, Use
from webvigil.model.work import NewVersion, WatchUpdate
from webvigil.store.promises import Knowledge

HOURS = 3600.0


def looked(knowledge: Knowledge, clock: Clock, version: NewVersion, *, follow: bool = True, **more: object):
    """Runs one check that brings a version. Watches are compared with this version next, unless `follow` is
    False."""
    clock.passes(seconds=2 * MINUTE / 1000)
    (claim,) = claim_all(knowledge)
    (page,) = claim.pages
    reference = [version.number if follow else watch.reference for watch in page.watches]
    watches = tuple(
        WatchUpdate(sentinel=watch.sentinel, reference=to, next_at=claim.now + MINUTE)
        for watch, to in zip(page.watches, reference, strict=True)
    )
    result = checked(claim, page, version=version, watches=watches, **more)
    assert knowledge.schedule.finish(claim, [result])
    return page.id


def chained(number: int, base: int = 0) -> NewVersion:
    return replace(
        new_version(number), object=f"object{number}", base=f"object{base}" if base else "", stored=10
    )


def test_a_history_tells_all_that_is_kept_and_who_needs_it(knowledge: Knowledge, clock: Clock):
    (one,) = knowledge.sentinels.add(sentinel("one"))
    looked(knowledge, clock, chained(1))
    page = looked(knowledge, clock, chained(2, 1), changes=(new_change(one.id, 1, 2),))
    knowledge.sentinels.add(sentinel("two"))
    looked(knowledge, clock, chained(3, 2), follow=False)
    history = knowledge.histories.of(page)
    assert (history.page, history.latest) == (page, 3)
    assert [(kept.number, kept.object, kept.base, kept.stored) for kept in history.versions] == [
        (1, "object1", "", 10),
        (2, "object2", "object1", 10),
        (3, "object3", "object2", 10),
    ]
    assert set(history.needs) == {Need(2, "Create Sentinel one …"), Need(2, "Create Sentinel two …")}
    assert [(told.old, told.new) for told in history.told] == [(1, 2)]
    assert isinstance(history.told[0], Told)


def test_deltas_in_rows_come_with_the_chain_and_go_with_their_versions(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel("one"))
    contents = {2: b"\x00\xff\xd8 two", 3: b"three" * 300, 5: b"five"}
    for number, base in ((1, 0), (2, 1), (3, 2), (4, 0), (5, 4)):
        new = replace(chained(number, base), delta=contents.get(number, b""))
        page = looked(knowledge, clock, new)
    everything = {f"object{number}": content for number, content in contents.items()}
    read = knowledge.versions.deltas
    assert {key: read("object3")[key] for key in ("object2", "object3")} == {
        "object2": contents[2],
        "object3": contents[3],
    }
    assert read("object5")["object5"] == contents[5]
    assert all(dict(read(f"object{number}")).items() <= everything.items() for number in range(1, 6))
    assert read("object9") == {}
    assert knowledge.histories.drop(page, [1, 2, 3]) == [1, 2, 3]
    assert read("object3")["object3"] == contents[3], "what was dropped may still be needed by others"
    assert sorted(knowledge.histories.forget(page, [2, 3])) == ["object2", "object3"]
    assert "object3" not in read("object3")
    assert read("object5")["object5"] == contents[5]


def test_a_sentinel_that_has_ended_needs_no_version(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel("over", life=replace(ALIVE, within=False, over=True)))
    knowledge.sentinels.add(sentinel("alive"))
    page = looked(knowledge, clock, chained(1))
    assert [need.text for need in knowledge.histories.of(page).needs] == ["Create Sentinel alive …"]


def test_pages_with_versions_are_listed_in_order(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel("s", *(f"http://site.test/{number}" for number in range(4))))
    assert knowledge.histories.pages(after=0, limit=10) == []
    (claim,) = claim_all(knowledge)
    results = [checked(claim, page, version=chained(1)) for page in claim.pages[:3]]
    assert knowledge.schedule.finish(claim, results)
    ids = sorted(result.page for result in results)
    assert knowledge.histories.pages(after=0, limit=2) == ids[:2]
    assert knowledge.histories.pages(after=ids[1], limit=2) == ids[2:]


def test_what_is_dropped_is_no_version_any_more_but_stays_while_others_rest_on_it(
    knowledge: Knowledge, clock: Clock
):
    knowledge.sentinels.add(sentinel())
    for number in range(1, 5):
        page = looked(knowledge, clock, chained(number, number - 1))
    assert knowledge.histories.drop(page, [1, 2]) == [1, 2]
    assert knowledge.histories.drop(page, [1]) == []
    assert [version.number for version in knowledge.versions.of(page)] == [4, 3]
    assert knowledge.journal.counts().versions == 2
    assert knowledge.histories.forget(page, [1, 2]) == [], "3 rests on 2, and 2 on 1"
    assert [kept.dropped for kept in knowledge.histories.of(page).versions] == [True, True, False, False]
    uses = knowledge.histories.uses([f"object{number}" for number in range(1, 9)])
    assert uses == {
        "object1": Use.RESTED_ON,
        "object2": Use.RESTED_ON,
        "object3": Use.KEPT,
        "object4": Use.COMPARED,
    }


def test_what_nobody_rests_on_is_forgotten_with_its_object(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel())
    for number in range(1, 5):
        page = looked(knowledge, clock, chained(number, 1 if number == 2 else 0))
    knowledge.histories.drop(page, [1, 2, 3])
    assert sorted(knowledge.histories.forget(page, [1, 2])) == ["object1", "object2"]
    assert [kept.number for kept in knowledge.histories.of(page).versions] == [3, 4]
    assert knowledge.histories.forget(page, [4]) == [], "what was not dropped stays"
    looked(knowledge, clock, chained(5, 4))
    assert [version.number for version in knowledge.versions.of(page)] == [5, 4]


def test_the_newest_and_those_to_be_compared_with_are_never_dropped(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel("s1"))
    looked(knowledge, clock, chained(1))
    looked(knowledge, clock, chained(2))
    looked(knowledge, clock, chained(3), follow=False)
    page = looked(knowledge, clock, chained(4), follow=False)
    assert knowledge.histories.drop(page, [1, 2, 3, 4]) == [1, 3]
    remove_for_good(knowledge, "jill", "s1")
    assert knowledge.histories.drop(page, [2, 4]) == [2], "nobody waits for it any more"


def test_pictures_of_old_versions_are_known_by_their_own_names(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel())
    picture = "f" * 64
    looked(knowledge, clock, replace(chained(1), picture=picture))
    assert knowledge.histories.uses([picture, "e" * 64]) == {picture: Use.KEPT}


def test_a_result_that_comes_half_a_day_late_is_dropped(knowledge: Knowledge, clock: Clock):
    """After that time the collector may have removed the object of the version as a leftover."""
    knowledge.sentinels.add(sentinel())
    (claim,) = claim_all(knowledge)
    clock.passes(seconds=13 * HOURS)
    assert not knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], version=chained(1))])
    (again,) = claim_all(knowledge)
    clock.passes(seconds=11 * HOURS)
    assert knowledge.schedule.finish(again, [checked(again, again.pages[0], version=chained(1))])
