"""Pasts in every knowledge base: versions and changes that a user brought from a web archive."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import pytest

from tests.databases import migrated_postgres, one_behind_another
from tests.store.making import checked, claim_all, new_change, new_version, sentinel
from webvigil.errors import NotFound
from webvigil.model.history import Use
from webvigil.model.past import PastChange, PastVersion
from webvigil.model.wanted import FROM_THE_PAST_ON, WantedChanges
from webvigil.store.promises import Knowledge
from webvigil.store.sql.knowledge import SqlKnowledge


def of_year(year: int) -> PastVersion:
    return PastVersion(
        fetched_at=datetime(year, 1, 1, tzinfo=UTC),
        url="http://site.test/",
        status=200,
        signature=str(year),
        object=f"object-{year}",
        size=10,
        stored=5,
    )


def between(sentinel: int, old: int, new: int, year: int) -> PastChange:
    found = new_change(sentinel, old, new).findings
    at = datetime(year, 1, 1, tzinfo=UTC)
    return PastChange(sentinel=sentinel, old_version=old, new_version=new, found_at=at, findings=found)


@pytest.fixture
def page(knowledge: Knowledge) -> int:
    return page_of_two(knowledge)


def page_of_two(knowledge: Knowledge) -> int:
    """Returns a page that Jill and Kim watch, with one version and one change of our own."""
    for user in ("jill", "kim"):
        if user not in [one.name for one in knowledge.users.all()]:
            knowledge.users.add(user)
        knowledge.sentinels.add(sentinel("s1", user=user))
    (claim,) = claim_all(knowledge)
    due = claim.pages[0]
    change = new_change(due.watches[0].sentinel, 0, 1)
    knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(1), changes=(change,))])
    return due.id


def test_numbers_fall_towards_the_past(knowledge: Knowledge, page: int):
    made = knowledge.pasts.bring(page, "jill", [of_year(2018), of_year(2019)])
    assert [(one.number, one.fetched_at.year) for one in made] == [(-2, 2018), (-1, 2019)]
    assert knowledge.pasts.of(page, "jill") == made[::-1]
    assert knowledge.versions.get(page, -2) == made[0]
    assert knowledge.versions.get(page, 1).number == 1
    with pytest.raises(NotFound):
        knowledge.versions.get(page, -3)


def test_a_past_is_no_version_of_the_page_for_anybody_else(knowledge: Knowledge, page: int):
    knowledge.pasts.bring(page, "jill", [of_year(2018)])
    assert [one.number for one in knowledge.versions.of(page)] == [1]
    assert [one.number for one in knowledge.versions.some(page)] == [1]
    assert knowledge.versions.count(page) == 1
    assert knowledge.pasts.of(page, "kim") == []
    assert [one.number for one in knowledge.histories.of(page).versions] == [1]


def test_two_users_bring_a_past_to_one_page(knowledge: Knowledge, page: int):
    knowledge.pasts.bring(page, "jill", [of_year(2018), of_year(2020)])
    knowledge.pasts.bring(page, "kim", [of_year(2019)])
    assert [one.number for one in knowledge.pasts.of(page, "kim")] == [-3]
    assert [one.fetched_at.year for one in knowledge.pasts.of(page, None)] == [2020, 2019, 2018]


def test_objects_of_the_past_are_in_use_until_it_is_forgotten(knowledge: Knowledge, page: int):
    knowledge.pasts.bring(page, "jill", [of_year(2018)])
    assert knowledge.histories.uses(["object-2018", "other"]) == {"object-2018": Use.KEPT}
    assert knowledge.pasts.forget(page, "kim") == []
    assert knowledge.pasts.forget(page, "jill") == ["object-2018"]
    assert knowledge.histories.uses(["object-2018"]) == {}


def test_changes_of_the_past_are_no_news(knowledge: Knowledge, page: int):
    mine = knowledge.sentinels.get("jill", "s1").id
    knowledge.pasts.bring(page, "jill", [of_year(2018), of_year(2019), of_year(2020)])
    knowledge.pasts.tell(page, [between(mine, -3, -2, 2019), between(mine, -2, -1, 2020)])
    (news,) = knowledge.changes.all("jill")
    every = knowledge.changes.some(WantedChanges(user="jill", after=FROM_THE_PAST_ON))
    assert [one.found_at.year for one in every][1:] == [2020, 2019]
    assert every[0] == news
    assert [one.id < 0 for one in every] == [False, True, True]
    assert [one.seen for one in every] == [False, True, True]
    assert len(knowledge.search.find("jill", "x")) == 3
    assert knowledge.changes.get(every[2].id) == replace(every[2])
    assert knowledge.changes.newest([mine])[mine].id == news.id


def test_forgetting_takes_the_changes_along(knowledge: Knowledge, page: int):
    mine, theirs = (knowledge.sentinels.get(user, "s1").id for user in ("jill", "kim"))
    for user, one in (("jill", mine), ("kim", theirs)):
        made = knowledge.pasts.bring(page, user, [of_year(2018), of_year(2019)])
        knowledge.pasts.tell(page, [between(one, made[0].number, made[1].number, 2019)])
    knowledge.pasts.forget(page, "jill")
    wanted = WantedChanges(after=FROM_THE_PAST_ON)
    assert [one.user for one in knowledge.changes.some(wanted) if one.id < 0] == ["kim"]


def test_the_next_change_has_the_next_id(knowledge: Knowledge, page: int):
    (before,) = knowledge.changes.all("jill")
    mine = knowledge.sentinels.get("jill", "s1").id
    knowledge.pasts.tell(page, [between(mine, -2, -1, 2019)])
    knowledge.schedule.ask(page)
    claims = claim_all(knowledge)
    if claims:
        due = claims[0].pages[0]
        knowledge.schedule.finish(claims[0], [checked(claims[0], due, changes=(new_change(mine, 1, 2),))])
        assert knowledge.changes.all("jill")[0].id > before.id


LOCK = "SELECT id FROM page FOR UPDATE"


def test_two_users_who_bring_pasts_at_the_same_time_get_numbers_of_their_own():
    with migrated_postgres() as url, closing(SqlKnowledge(url)) as knowledge:
        seen = page_of_two(knowledge)
        brings = (partial(knowledge.pasts.bring, seen, name, [of_year(2018)]) for name in ("jill", "kim"))
        first, second = one_behind_another(url, LOCK, *brings)
        assert [one.number for one in (*first.result(), *second.result())] == [-1, -2]


def test_changes_of_two_pasts_that_are_told_at_the_same_time_get_ids_of_their_own():
    with migrated_postgres() as url, closing(SqlKnowledge(url)) as knowledge:
        seen = page_of_two(knowledge)
        ids = [one.id for one in knowledge.sentinels.all()]
        tells = [partial(knowledge.pasts.tell, seen, [between(one, -2, -1, 2019)]) for one in ids]
        for told in one_behind_another(url, LOCK, *tells):
            told.result()
        found = knowledge.changes.some(WantedChanges(after=FROM_THE_PAST_ON))
        assert sorted(one.id for one in found if one.id < 0) == [-2, -1]
