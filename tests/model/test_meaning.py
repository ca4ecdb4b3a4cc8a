"""What becomes of a question to a language model, and what users may spend on questions."""

from __future__ import annotations

import json

import pytest

from webvigil.model.meaning import (
    Allowance,
    Answer,
    Judgement,
    NewQuestion,
    Prices,
    Spent,
    Verdict,
    answer_as_json,
    answer_from_json,
    condition_as_json,
    condition_from_json,
    judged,
    judgement_as_json,
    judgement_from_json,
    unjudged,
    with_judgement,
)
from webvigil.model.notice import Notice
from webvigil.model.sentinel import AllConditions, AnyCondition, Condition, NotCondition, WhenCondition

SOLD, CHEAP = Condition("means", text="it is sold out"), Condition("means", text="it is cheap")
YES, NO, UNSURE = Verdict.YES, Verdict.NO, Verdict.UNSURE


def question(when: WhenCondition | None, *, summed_up: bool = False) -> NewQuestion:
    return NewQuestion(key="k", prompt="p", tokens=1, when=when, summed_up=summed_up)


@pytest.mark.parametrize(
    ("when", "verdicts", "told", "trouble"),
    [
        (SOLD, (YES,), True, ""),
        (SOLD, (NO,), False, ""),
        (SOLD, (UNSURE,), True, "the model was unsure"),
        (SOLD, (), True, "the model was unsure"),
        (NotCondition(SOLD), (YES,), False, ""),
        (AllConditions((SOLD, CHEAP)), (YES, NO), False, ""),
        (AllConditions((SOLD, CHEAP)), (YES, UNSURE), True, "the model was unsure"),
        (AnyCondition((SOLD, CHEAP)), (NO, YES), True, ""),
        (AnyCondition((SOLD, CHEAP)), (NO, NO), False, ""),
        (None, (), True, ""),
    ],
)
def test_a_change_is_told_unless_the_answer_rules_it_out(
    when: WhenCondition | None, verdicts: tuple[Verdict, ...], told: bool, trouble: str
):
    asked = question(when, summed_up=True)
    answer = Answer(model="m", verdicts=dict(zip(asked.questions, verdicts, strict=False)), sentence="It is.")
    said = judged(asked, answer)
    assert (said.told, said.trouble, said.model, said.sentence, said.summed_up) == (
        told,
        trouble,
        "m",
        "It is.",
        True,
    )
    given = [*verdicts, UNSURE, UNSURE]
    assert said.verdicts == tuple(zip(asked.questions, given, strict=False))


@pytest.mark.parametrize(
    ("when", "said"),
    [(SOLD, "could not be judged: no model"), (None, "no summary: no model")],
)
def test_what_could_not_be_judged_is_told_and_says_why(when: WhenCondition | None, said: str):
    found = unjudged(question(when), "no model")
    assert (found.told, found.trouble, found.said) == (True, "no model", said)
    assert Judgement(told=True, verdicts=(("a", YES),)).said == ""


@pytest.mark.parametrize(
    ("one", "plain"),
    [
        (Judgement(told=False), {"told": False}),
        (
            Judgement(told=True, model="m", verdicts=(("a", NO),), sentence="s", trouble="t", summed_up=True),
            {
                "told": True,
                "model": "m",
                "verdicts": [{"means": "a", "verdict": "no"}],
                "sentence": "s",
                "trouble": "t",
                "said": "could not be judged: t",
                "summary": True,
            },
        ),
    ],
)
def test_a_judgement_is_written_without_what_is_empty_and_read_again(one: Judgement, plain: dict):
    assert judgement_as_json(one) == plain
    assert judgement_from_json(json.loads(json.dumps(plain))) == one


def test_no_judgement_is_none_and_one_that_does_not_say_was_told():
    assert judgement_from_json(None) is None
    assert judgement_from_json({}) is None
    assert judgement_from_json({"model": "m"}) == Judgement(told=True, model="m")


def test_a_notice_carries_what_was_said_of_its_change():
    notice = Notice(dedup="d", user="u", channel="log", address="", subject="s", body={"a": 1})
    (told,) = with_judgement([notice], Judgement(told=True, sentence="x"))
    assert told.body == {"a": 1, "judgement": {"told": True, "sentence": "x"}}


@pytest.mark.parametrize(
    ("condition", "plain"),
    [
        (None, None),
        (SOLD, "it is sold out"),
        (NotCondition(SOLD), ["NOT", "it is sold out"]),
        (AllConditions((SOLD, CHEAP)), ["AND", "it is sold out", "it is cheap"]),
        (AnyCondition((NotCondition(SOLD), CHEAP)), ["OR", ["NOT", "it is sold out"], "it is cheap"]),
    ],
)
def test_a_condition_on_the_meaning_is_written_and_read(condition: WhenCondition | None, plain: object):
    assert condition_as_json(condition) == plain
    assert condition_from_json(plain) == condition


def test_an_answer_is_written_and_read():
    answer = Answer(model="m", verdicts={"a": YES, "b": UNSURE}, sentence="s", trouble="t")
    plain = {"model": "m", "verdicts": {"a": "yes", "b": "unsure"}, "sentence": "s", "trouble": "t"}
    assert answer_as_json(answer) == plain
    assert answer_from_json(json.loads(json.dumps(plain))) == answer


TOKENS = "your 1,000 tokens of today are used up"
COST = "the 0.5 that your questions may cost in a day are used up"
TIME = "the 3,600 seconds that the model works for you in a day are used up"


@pytest.mark.parametrize(
    ("allowance", "spent", "more", "refusal"),
    [
        (Allowance(), Spent(read=10**9, time=10**9), Spent(read=10**9), ""),
        (Allowance(tokens=1_000), Spent(read=600, written=300), Spent(read=100), ""),
        (Allowance(tokens=1_000), Spent(read=600, written=300), Spent(read=100, written=1), TOKENS),
        (Allowance(cost=0.5, prices=Prices(read=1.0)), Spent(read=400_000), Spent(read=100_000), ""),
        (Allowance(cost=0.5, prices=Prices(read=1.0)), Spent(read=400_000), Spent(read=100_001), COST),
        (Allowance(cost=0.5, prices=Prices(written=2.0)), Spent(written=250_000), Spent(), ""),
        (Allowance(cost=0.5, prices=Prices(written=2.0)), Spent(written=250_001), Spent(), COST),
        (Allowance(time=3_600_000), Spent(time=3_599_999), Spent(time=10**9), ""),
        (Allowance(time=3_600_000), Spent(time=3_600_000), Spent(), TIME),
    ],
)
def test_a_user_may_ask_up_to_the_allowance_of_the_day(
    allowance: Allowance, spent: Spent, more: Spent, refusal: str
):
    assert allowance.refusal(spent, more) == refusal


def test_what_is_given_back_never_makes_less_than_nothing():
    spent = Spent(questions=2, read=5, written=6, time=7)
    assert (spent.tokens, spent.plus(Spent(questions=1, read=1, written=1, time=1))) == (
        11,
        Spent(questions=3, read=6, written=7, time=8),
    )
    back = Spent(questions=-1, read=-9, written=-9, time=-9)
    assert spent.plus(back) == Spent(questions=1, read=0, written=0, time=0)
    assert Prices(read=3.0, written=4.0).of(Spent(read=1_000_000, written=500_000)) == 5.0
