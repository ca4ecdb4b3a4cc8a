"""Questions to a language model about changes, its answers, and what users may spend on them (J1, J4).

A question waits in the store between the check that found a change and the telling of it. Its answer decides
one thing: whether the change is told. Whatever cannot be judged is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from webvigil.model.change import Finding
from webvigil.model.logic import Joined, rest
from webvigil.model.moment import Millis
from webvigil.model.notice import Notice
from webvigil.model.sentinel import (
    AllConditions,
    AnyCondition,
    Condition,
    NotCondition,
    WhenCondition,
    questions_of,
)

MILLION = 1_000_000


class Verdict(StrEnum):
    """What a model says of one sentence behind `means`."""

    YES = "yes"
    NO = "no"
    UNSURE = "unsure"


_KNOWN = {Verdict.YES: True, Verdict.NO: False, Verdict.UNSURE: None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model said: a verdict for each sentence that it was asked about, and the change in one sentence.
    `trouble` says why nothing can be made of it."""

    model: str = ""
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    sentence: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What became of the question about a change; stored and shown with the change.

    `verdicts` holds the sentences behind `means` with their verdicts, in the order in which they are written;
    `sentence` is the change in one sentence, "" if there is none; `trouble` says why the change could not be
    judged, "" if it could. `summed_up`: the sentence was asked for (`Summary on`).
    """

    told: bool
    model: str = ""
    verdicts: tuple[tuple[str, Verdict], ...] = ()
    sentence: str = ""
    trouble: str = ""
    summed_up: bool = False

    @property
    def said(self) -> str:
        """Says what could not be done; "" if everything could."""
        if not self.trouble:
            return ""
        return f"{'could not be judged' if self.verdicts else 'no summary'}: {self.trouble}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewQuestion:
    """What has to be asked before a change is told. `when` is what is left of the condition (only `means`,
    with AND, OR and NOT), None if only a summary is wanted. `key` is equal for equal questions about equal
    findings; `prompt` is what the model gets to read, and `tokens` how many tokens this takes at most."""

    key: str
    prompt: str
    tokens: int
    when: WhenCondition | None = None
    summed_up: bool = False

    @property
    def questions(self) -> tuple[str, ...]:
        return questions_of(self.when)


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingQuestion:
    """A question that a worker has leased to ask it. `refused` says why it must not be asked, such as a
    budget that is used up; `answer` is present if the same was answered before."""

    id: int
    token: int
    attempts: int
    user: str
    found_at: Millis
    question: NewQuestion
    refused: str = ""
    answer: Answer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedChange:
    """A change that a model was asked about, as its user sees it: also one that was not told."""

    sentinel: str
    page: int
    url: str
    old_version: int
    new_version: int
    found_at: Millis
    findings: tuple[Finding, ...]
    judgement: Judgement


def judged(question: NewQuestion, answer: Answer) -> Judgement:
    """Returns what an answer means for a change: it is told unless the answer rules it out."""
    asked = question.questions
    verdicts = tuple((one, answer.verdicts.get(one, Verdict.UNSURE)) for one in asked)
    by_text = dict(verdicts)
    left = rest(question.when, lambda one: _KNOWN[by_text[one.text]]) if question.when else True
    trouble = answer.trouble
    if not trouble and not isinstance(left, bool):
        trouble = "the model was unsure"
    return Judgement(
        told=left is not False,
        model=answer.model,
        verdicts=verdicts,
        sentence=answer.sentence,
        trouble=trouble,
        summed_up=question.summed_up,
    )


def unjudged(question: NewQuestion, why: str) -> Judgement:
    return judged(question, Answer(trouble=why))


def with_judgement(notices: Iterable[Notice], judgement: Judgement) -> tuple[Notice, ...]:
    """Returns the notices about a change with what was said of it."""
    plain = judgement_as_json(judgement)
    return tuple(replace(one, body={**one.body, "judgement": plain}) for one in notices)


# --- what it costs --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What one user has used on one day: questions, tokens that the model read and wrote, and its time."""

    questions: int = 0
    read: int = 0
    written: int = 0
    time: Millis = 0

    @property
    def tokens(self) -> int:
        return self.read + self.written

    def plus(self, other: Spent) -> Spent:
        return Spent(
            questions=self.questions + other.questions,
            read=max(0, self.read + other.read),
            written=max(0, self.written + other.written),
            time=max(0, self.time + other.time),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What a million tokens cost, in any currency; 0 for a model of one's own."""

    read: float = 0.0
    written: float = 0.0

    def of(self, spent: Spent) -> float:
        return (spent.read * self.read + spent.written * self.written) / MILLION


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What each user may use in a day (UTC); 0: without limit."""

    tokens: int = 0
    cost: float = 0.0
    time: Millis = 0
    prices: Prices = Prices()

    def refusal(self, spent: Spent, more: Spent) -> str:
        """Returns why a question that takes `more` is refused to a user who has `spent` so much today; "" if
        the question may be asked."""
        after = spent.plus(more)
        if self.tokens and after.tokens > self.tokens:
            return f"your {self.tokens:,} tokens of today are used up"
        if self.cost and self.prices.of(after) > self.cost:
            return f"the {self.cost:g} that your questions may cost in a day are used up"
        if self.time and spent.time >= self.time:
            return f"the {self.time // 1000:,} seconds that the model works for you in a day are used up"
        return ""


# --- as JSON --------------------------------------------------------------------------------------


def judgement_as_json(one: Judgement) -> dict[str, Any]:
    """Returns the documented form, in which what is empty is left out."""
    plain: dict[str, Any] = {"told": one.told}
    if one.model:
        plain["model"] = one.model
    if one.verdicts:
        plain["verdicts"] = [{"means": text, "verdict": str(verdict)} for text, verdict in one.verdicts]
    if one.sentence:
        plain["sentence"] = one.sentence
    if one.trouble:
        plain |= {"trouble": one.trouble, "said": one.said}
    if one.summed_up:
        plain["summary"] = True
    return plain


def judgement_from_json(plain: Mapping[str, Any] | None) -> Judgement | None:
    if not plain:
        return None
    return Judgement(
        told=bool(plain.get("told", True)),
        model=plain.get("model", ""),
        verdicts=tuple((one["means"], Verdict(one["verdict"])) for one in plain.get("verdicts", ())),
        sentence=plain.get("sentence", ""),
        trouble=plain.get("trouble", ""),
        summed_up=bool(plain.get("summary")),
    )


def condition_as_json(condition: WhenCondition | None) -> Any:
    """Returns a condition that has only `means` in it: a sentence is a text, AND, OR and NOT are lists that
    begin with their word."""
    joined: Joined | None = getattr(condition, "joined", None)
    if joined is not None:
        return [joined[0], *map(condition_as_json, joined[1])]
    return condition.text if isinstance(condition, Condition) else None


def condition_from_json(plain: Any) -> WhenCondition | None:
    if plain is None:
        return None
    if isinstance(plain, str):
        return Condition("means", text=plain)
    operator, *below = plain
    operands = tuple(one for one in map(condition_from_json, below) if one is not None)
    if operator == "NOT":
        return NotCondition(operands[0])
    return AllConditions(operands) if operator == "AND" else AnyCondition(operands)


def answer_as_json(one: Answer) -> dict[str, Any]:
    return {
        "model": one.model,
        "verdicts": {text: str(verdict) for text, verdict in one.verdicts.items()},
        "sentence": one.sentence,
        "trouble": one.trouble,
    }


def answer_from_json(plain: Mapping[str, Any]) -> Answer:
    return Answer(
        model=plain["model"],
        verdicts={text: Verdict(verdict) for text, verdict in plain["verdicts"].items()},
        sentence=plain["sentence"],
        trouble=plain["trouble"],
    )
