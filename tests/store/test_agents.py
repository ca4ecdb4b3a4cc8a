"""Personal agents in every knowledge base: storing, recalling, and letters that arrive once (B1, B2)."""

from __future__ import annotations

from dataclasses import replace

from tests.store.making import new_change, new_version, notice, sentinel
from webvigil.model.agent import Agent, Goals, Letter
from webvigil.model.page import Page
from webvigil.store.promises import Knowledge

GOALS = Goals(name="s1", text="Create Sentinel s1 …", taste='{"interests": ["x"]}', zone="Europe/Berlin")
AWAY = Agent(id="a" * 32, side="away", peer="k" * 43, user="jill", goals=GOALS, state="sending", at=5)
PAGE = Page(url="http://site.test/", login=f"agent:{AWAY.id}")


def letter(number: int, old: int = 1, new: int = 2) -> Letter:
    found = new_change(0, old, new)
    return Letter(
        number=number,
        page=PAGE,
        old_version=old,
        new_version=new,
        found_at=1_800_000_000_000,
        findings=found.findings,
        versions=(new_version(old, "o"), new_version(new, "n")),
        notices=(notice(f"n{number}"),),
    )


def letters(knowledge: Knowledge) -> int:
    found = knowledge.agents.get(AWAY.id)
    assert found
    return found.letters


def test_agents_are_kept_with_their_goals(knowledge: Knowledge):
    guest = replace(AWAY, id="b" * 32, side="guest", user="guest-b", at=4, state="waiting")
    assert knowledge.agents.put(AWAY)
    assert knowledge.agents.put(guest)
    assert knowledge.agents.get(AWAY.id) == AWAY
    assert knowledge.agents.all() == [guest, AWAY]
    assert knowledge.agents.all("guest") == [guest]
    assert knowledge.agents.all("away", user="jack") == []
    knowledge.agents.remove(AWAY.id)
    assert knowledge.agents.get(AWAY.id) is None


def test_a_state_is_taken_over_only_from_the_one_it_was_in(knowledge: Knowledge):
    knowledge.agents.put(AWAY)
    assert knowledge.agents.put(replace(AWAY, state="recalling"), was="sending")
    assert not knowledge.agents.put(replace(AWAY, state="at work"), was="sending")
    assert [one.state for one in knowledge.agents.all()] == ["recalling"]
    assert not knowledge.agents.put(replace(AWAY, id="c" * 32), was="sending")


def test_a_letter_becomes_a_change_with_versions_and_notices_once(knowledge: Knowledge):
    knowledge.sentinels.add(sentinel("s1"))
    knowledge.agents.put(AWAY)
    assert knowledge.agents.arrived(AWAY.id, letter(7)) == 7
    assert knowledge.agents.arrived(AWAY.id, letter(7)) == 7
    assert knowledge.agents.arrived(AWAY.id, letter(6)) == 7
    (change,) = knowledge.changes.all("jill")
    assert (change.sentinel, change.url, change.old_version, change.new_version) == ("s1", PAGE.url, 1, 2)
    assert [one.number for one in knowledge.versions.of(change.page)] == [2, 1]
    assert knowledge.journal.counts().pending_notices == 1
    assert knowledge.agents.arrived(AWAY.id, letter(8, 2, 3)) == 8
    assert [one.number for one in knowledge.versions.of(change.page)] == [3, 2, 1]
    assert len(knowledge.changes.all("jill")) == 2
    assert not knowledge.sentinels.watch(None, change.page), "nobody here looks at what an agent saw"


def test_what_is_put_does_not_forget_which_letters_came(knowledge: Knowledge):
    knowledge.agents.put(AWAY)
    knowledge.agents.arrived(AWAY.id, letter(7))
    knowledge.agents.put(replace(AWAY, state="at work"))
    assert letters(knowledge) == 7


def test_what_an_agent_found_is_found_by_its_words(knowledge: Knowledge):
    knowledge.sentinels.add(sentinel("s1"))
    knowledge.agents.put(AWAY)
    knowledge.agents.arrived(AWAY.id, letter(1))
    assert len(knowledge.search.find("jill", "x")) == 1


def test_a_letter_for_a_sentinel_that_is_gone_is_taken_and_forgotten(knowledge: Knowledge):
    knowledge.agents.put(AWAY)
    assert knowledge.agents.arrived(AWAY.id, letter(7)) == 7
    assert knowledge.changes.all("jill") == []
    assert knowledge.agents.arrived("f" * 32, letter(7)) == 0


def test_letters_are_posted_in_order(knowledge: Knowledge):
    knowledge.agents.put(AWAY)
    knowledge.agents.posted(AWAY.id, 9)
    knowledge.agents.posted(AWAY.id, 3)
    assert letters(knowledge) == 9
