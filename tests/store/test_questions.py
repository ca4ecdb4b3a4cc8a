"""Questions about changes: asked once, settled with what they decide, charged to their users. A change that
waits for an answer is neither lost nor told twice (J3, J4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.store.conftest import Clock
from tests.store.making import checked, claim_all, new_change, new_version, notice, sentinel
from webvigil.model.history import Ages
from webvigil.model.joint import Joint
from webvigil.model.meaning import (
    Allowance,
    Answer,
    Judgement,
    NewQuestion,
    Prices,
    Spent,
    Verdict,
    WaitingQuestion,
)
from webvigil.model.moment import DAY
from webvigil.model.page import Page
from webvigil.model.sentinel import Condition, NotCondition
from webvigil.store.promises import Knowledge

SOLD_OUT = Condition("means", text="it is sold out")
YES = Answer(model="m", verdicts={"it is sold out": Verdict.YES}, sentence="Sold out.")
NO = Answer(model="m", verdicts={"it is sold out": Verdict.NO}, sentence="Cheaper.")
LEASE = 30_000
FREELY = Allowance()


def question(key: str = "k", **more: Any) -> NewQuestion:
    return NewQuestion(**{"key": key, "prompt": "{}", "tokens": 100, "when": SOLD_OUT} | more)


def found(knowledge: Knowledge, *asked: NewQuestion, name: str = "s1", user: str = "jill") -> None:
    """A sentinel on a page of its own finds a change for each question."""
    knowledge.sentinels.add(sentinel(name, f"http://{name}.test/", user=user))
    (claim,) = claim_all(knowledge)
    (page,) = claim.pages
    (watch,) = page.watches
    changes = tuple(
        replace(
            new_change(watch.sentinel, number, number + 1, notice(f"{user}:{name}:{number}")), question=one
        )
        for number, one in enumerate(asked, 1)
    )
    result = checked(claim, page, version=new_version(1), changes=changes)
    assert knowledge.schedule.finish(claim, [result])


def claim(knowledge: Knowledge, worker: str = "w", allowance: Allowance = FREELY) -> list[WaitingQuestion]:
    return knowledge.questions.claim(worker, count=10, lease=LEASE, allowance=allowance)


def told(knowledge: Knowledge) -> list[str]:
    return sorted(one.notice.dedup for one in knowledge.outbox.all())


class TestSettling:
    def test_a_change_with_a_question_is_told_when_it_is_answered(self, knowledge: Knowledge):
        found(knowledge, question())
        assert knowledge.changes.all() == []
        assert told(knowledge) == []
        (item,) = claim(knowledge)
        assert (item.user, item.question, item.refused, item.answer) == ("jill", question(), "", None)
        assert knowledge.questions.settle(item, YES, Spent())
        (change,) = knowledge.changes.all()
        wanted = Judgement(
            told=True, model="m", verdicts=(("it is sold out", Verdict.YES),), sentence="Sold out."
        )
        assert change.judgement == wanted
        (sent,) = knowledge.outbox.all()
        assert sent.notice.body["judgement"] == {
            "told": True,
            "model": "m",
            "verdicts": [{"means": "it is sold out", "verdict": "yes"}],
            "sentence": "Sold out.",
        }
        assert knowledge.questions.waiting() == 0

    def test_a_change_that_is_ruled_out_is_not_told_but_remembered(self, knowledge: Knowledge):
        found(knowledge, question())
        (item,) = claim(knowledge)
        assert knowledge.questions.settle(item, NO, Spent()) == 0
        assert (knowledge.changes.all(), told(knowledge)) == ([], [])
        (one,) = knowledge.questions.judged("jill")
        assert (one.sentinel, one.judgement.told, one.judgement.sentence) == ("s1", False, "Cheaper.")
        assert one.findings[0].type == "all links"
        assert knowledge.questions.judged("jill", "other") == []
        assert knowledge.questions.judged("jack") == []

    def test_what_could_not_be_judged_is_told_and_says_so(self, knowledge: Knowledge):
        found(knowledge, question(when=NotCondition(SOLD_OUT)))
        (item,) = claim(knowledge)
        assert knowledge.questions.settle(item, Answer(trouble="no answer in 30 seconds"), Spent())
        (change,) = knowledge.changes.all()
        assert change.judgement
        assert change.judgement.said == "could not be judged: no answer in 30 seconds"
        assert knowledge.questions.known(["k"]) == {}, "what was not answered is asked again next time"

    def test_it_is_found_by_search_and_counted_once(self, knowledge: Knowledge):
        found(knowledge, question())
        (item,) = claim(knowledge)
        assert knowledge.questions.settle(item, YES, Spent())
        assert knowledge.questions.settle(item, YES, Spent()) is None, "it is settled"
        assert len(knowledge.changes.all()) == len(knowledge.outbox.all()) == 1

    def test_the_changes_of_a_removed_sentinel_are_not_told(self, knowledge: Knowledge):
        found(knowledge, question())
        (item,) = claim(knowledge)
        knowledge.sentinels.set_aside("jill", "s1")
        knowledge.questions.settle(item, YES, Spent())
        assert told(knowledge) == []

    def test_other_changes_of_the_same_check_are_told_at_once(self, knowledge: Knowledge):
        knowledge.sentinels.add(sentinel("s1"))
        (leased,) = claim_all(knowledge)
        (page,) = leased.pages
        plain = new_change(page.watches[0].sentinel, 1, 2, notice("plain"))
        waits = replace(new_change(page.watches[0].sentinel, 2, 3, notice("waits")), question=question())
        assert knowledge.schedule.finish(leased, [checked(leased, page, changes=(plain, waits))])
        assert told(knowledge) == ["plain"]
        assert knowledge.questions.waiting() == 1


class TestLeases:
    def test_nobody_else_asks_meanwhile_and_a_dead_worker_is_replaced(
        self, knowledge: Knowledge, clock: Clock
    ):
        found(knowledge, question())
        (first,) = claim(knowledge, "a")
        assert claim(knowledge, "b") == []
        assert knowledge.questions.next_at() == LEASE
        clock.passes(seconds=31)
        (second,) = claim(knowledge, "b")
        assert knowledge.questions.settle(first, YES, Spent()) is None, "it has lost its lease"
        assert not knowledge.questions.retry(first, wait=5, spent=Spent())
        assert knowledge.questions.settle(second, NO, Spent()) == 0
        assert knowledge.changes.all() == []

    def test_a_worker_that_is_alone_takes_over_at_once(self, knowledge: Knowledge):
        found(knowledge, question())
        (first,) = claim(knowledge)
        knowledge.questions.take_over()
        (second,) = claim(knowledge)
        assert knowledge.questions.settle(first, YES, Spent()) is None
        assert knowledge.questions.settle(second, YES, Spent())
        assert len(knowledge.outbox.all()) == 1

    def test_a_question_is_asked_again_later(self, knowledge: Knowledge, clock: Clock):
        found(knowledge, question())
        (item,) = claim(knowledge)
        assert knowledge.questions.retry(item, wait=5_000, spent=Spent(read=-100))
        assert claim(knowledge) == []
        assert knowledge.questions.next_at() == 5_000
        clock.passes(seconds=5)
        assert knowledge.questions.spent("jill") == Spent(), "it was given back what was charged"
        (again,) = claim(knowledge)
        assert again.attempts == 1

    def test_nothing_waits_where_nothing_was_asked(self, knowledge: Knowledge):
        assert knowledge.questions.next_at() is None
        assert claim(knowledge) == []


class TestEqualQuestions:
    def test_equal_questions_of_different_users_are_asked_once(self, knowledge: Knowledge, clock: Clock):
        knowledge.users.add("jack")
        found(knowledge, question())
        clock.passes(seconds=2)
        found(knowledge, question(), name="s2", user="jack")
        (item,) = claim(knowledge)
        assert item.user == "jill"
        assert claim(knowledge) == [], "the equal one waits for the answer"
        assert knowledge.questions.settle(item, YES, Spent(questions=1)) == 2
        assert {(one.user, one.judgement.sentence) for one in knowledge.changes.all() if one.judgement} == {
            ("jill", "Sold out."),
            ("jack", "Sold out."),
        }
        assert knowledge.questions.waiting() == 0

    def test_what_was_answered_before_costs_nothing(self, knowledge: Knowledge, clock: Clock):
        found(knowledge, question())
        (item,) = claim(knowledge)
        knowledge.questions.settle(item, YES, Spent())
        before = knowledge.questions.spent("jill")
        clock.passes(seconds=2)
        found(knowledge, question(), name="s2")
        (again,) = claim(knowledge, allowance=Allowance(tokens=1))
        assert (again.answer, again.refused) == (YES, "")
        assert knowledge.questions.spent("jill") == before

    def test_different_questions_are_asked_side_by_side(self, knowledge: Knowledge):
        found(knowledge, question("a"), question("b"), question("a"))
        assert [one.question.key for one in claim(knowledge)] == ["a", "b"]

    def test_one_whose_budget_is_used_up_does_not_silence_the_equal_one_of_another(
        self, knowledge: Knowledge, clock: Clock
    ):
        knowledge.users.add("jack")
        knowledge.questions.spend("jill", Spent(read=1000))
        found(knowledge, question())
        clock.passes(seconds=2)
        found(knowledge, question(), name="s2", user="jack")
        (item,) = claim(knowledge, allowance=Allowance(tokens=1000))
        assert "1,000 tokens" in item.refused
        assert knowledge.questions.settle(item, Answer(trouble=item.refused), Spent(), alone=True)
        assert [one.user for one in knowledge.changes.all()] == ["jill"]
        (other,) = claim(knowledge, allowance=Allowance(tokens=1000))
        assert (other.user, other.refused) == ("jack", "")


class TestSpending:
    def test_tokens_are_charged_when_a_question_is_asked_and_corrected_afterwards(self, knowledge: Knowledge):
        found(knowledge, question())
        (item,) = claim(knowledge)
        assert knowledge.questions.spent("jill") == Spent(read=100)
        used = Spent(questions=1, read=60 - 100, written=20, time=700)
        knowledge.questions.settle(item, YES, used)
        assert knowledge.questions.spent("jill") == Spent(questions=1, read=60, written=20, time=700)
        assert knowledge.questions.spent_by_all() == {"jill": knowledge.questions.spent("jill")}

    def test_questions_asked_at_the_same_time_do_not_spend_the_same_tokens(self, knowledge: Knowledge):
        found(knowledge, question("a"), question("b"), question("c"))
        refused = [bool(one.refused) for one in claim(knowledge, allowance=Allowance(tokens=250))]
        assert refused == [False, False, True]
        assert knowledge.questions.spent("jill").tokens == 200

    def test_an_allowance_refuses_and_then_charges_nothing(self, knowledge: Knowledge):
        limits = Allowance(cost=1.0, prices=Prices(read=1_000_000))
        assert knowledge.questions.spend("jill", Spent(read=1), limits) == ""
        assert knowledge.questions.spend("jill", Spent(read=1), limits) != ""
        assert knowledge.questions.spent("jill") == Spent(read=1)

    def test_a_new_day_begins_with_nothing_spent(self, knowledge: Knowledge, clock: Clock):
        knowledge.questions.spend("jill", Spent(read=5))
        clock.passes(seconds=DAY / 1000)
        assert knowledge.questions.spent("jill") == Spent()
        assert knowledge.questions.spent_by_all() == {}

    def test_giving_back_never_goes_below_nothing(self, knowledge: Knowledge):
        knowledge.questions.spend("jill", Spent(read=5))
        knowledge.questions.spend("jill", Spent(read=-50))
        assert knowledge.questions.spent("jill").read == 0


def test_old_answers_and_settled_questions_are_forgotten(knowledge: Knowledge, clock: Clock):
    found(knowledge, question("a"), question("b"))
    first, _ = claim(knowledge)
    knowledge.questions.settle(first, NO, Spent())
    clock.passes(seconds=10 * DAY / 1000)
    ages = Ages(log=clock.now - DAY, versions=0)
    assert knowledge.questions.forget(ages, after=0, limit=10, dry_run=True).removed == 1
    assert knowledge.questions.forget(ages, after=0, limit=10).removed == 1
    assert knowledge.questions.judged("jill") == []
    assert knowledge.questions.known(["a"]) == {}
    assert knowledge.questions.spent_by_all() == {}
    assert knowledge.questions.waiting() == 1, "what waits stays"


def test_a_change_of_several_pages_waits_for_the_others_after_its_answer(knowledge: Knowledge):
    urls = ("http://a.test/", "http://b.test/")
    both = Joint("AND", tuple(Page(url=url) for url in urls))
    knowledge.sentinels.add(sentinel("both", *urls, joint=both))
    for number, leased in enumerate(claim_all(knowledge), 1):
        (page,) = leased.pages
        change = new_change(page.watches[0].sentinel, 1, 2, notice(f"n{number}"))
        asked = replace(change, question=question(f"k{number}"))
        assert knowledge.schedule.finish(leased, [checked(leased, page, changes=(asked,))])
    first, second = claim(knowledge)
    knowledge.questions.settle(first, YES, Spent())
    assert (knowledge.changes.all(), told(knowledge)) == ([], []), "the other page has not changed yet"
    knowledge.questions.settle(second, YES, Spent())
    assert told(knowledge) == ["n1", "n2"]
    assert all(one.judgement and one.judgement.sentence == "Sold out." for one in knowledge.changes.all())


def test_a_removed_user_leaves_no_question_and_no_spending(knowledge: Knowledge):
    knowledge.users.add("jack")
    found(knowledge, question("mine"))
    found(knowledge, question("his"), name="s2", user="jack")
    knowledge.questions.spend("jill", Spent(read=70))
    knowledge.users.remove("jill")
    assert knowledge.questions.waiting() == 1
    assert knowledge.questions.spent_by_all().keys() <= {"jack"}
    knowledge.users.add("jill")
    assert knowledge.questions.spent("jill") == Spent()
    assert knowledge.questions.judged("jill") == []


def test_questions_go_on_after_the_clock_was_set_back(knowledge: Knowledge, clock: Clock):
    found(knowledge, question("a"), question("b"))
    first, second = claim(knowledge)
    assert knowledge.questions.retry(first, wait=60_000, spent=Spent())
    knowledge.clock.set_right()
    clock.passes(seconds=-24 * 3600)
    knowledge.clock.set_right()
    assert claim(knowledge) == []
    clock.passes(seconds=61)
    again = {one.question.key for one in claim(knowledge)}
    assert again == {first.question.key, second.question.key}, "one waited, the other was leased"
