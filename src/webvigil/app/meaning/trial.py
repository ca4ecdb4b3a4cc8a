"""A sentence in, what it would have decided about the last changes of a sentinel out (J4).

What a trial costs is known before anything is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from webvigil.app.meaning.asking import allowance_of, ask, is_set_up, server_of
from webvigil.app.meaning.server import ModelServer
from webvigil.app.settings import Settings
from webvigil.errors import ModelError, SentinelRefused
from webvigil.model.change import Change
from webvigil.model.meaning import Answer, Judgement, NewQuestion, Prices, Spent, judged
from webvigil.model.sentinel import Condition, no_question
from webvigil.model.shapes import TrialShape
from webvigil.model.wanted import WantedChanges
from webvigil.store.promises import Changes, Questions, Sentinels
from webvigil.trigger.meaning import MOST_WRITTEN, question_about

# Changes that a sentence is tried on if nobody names a number, and at most. Each is a question to the model,
# which takes time and may cost money.
LAST, MOST = 5, 20


class TrialStore(Protocol):
    """The parts of the knowledge base that a trial needs."""

    changes: Changes
    questions: Questions
    sentinels: Sentinels


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """The changes that a sentence is tried on, the newest first, with the question about each. `tokens` and
    `cost` are the most that asking takes; what was answered before costs nothing."""

    sentence: str
    model: str
    changes: tuple[Change, ...]
    questions: tuple[NewQuestion, ...]
    tokens: int
    cost: float
    asks: int


@dataclass(frozen=True, slots=True)
class Tried:
    change: Change
    judgement: Judgement


def planned(knowledge: TrialStore, settings: Settings, name: str, sentence: str, last: int = LAST) -> Planned:
    """Returns what would be asked. Raises NotFound for an unknown sentinel, SentinelRefused if no model is
    set up or the sentence cannot stand behind `means`."""
    knowledge.sentinels.get(settings.user, name)
    if not is_set_up(settings):
        raise SentinelRefused("no language model is set up here: the operator sets ai_url and ai_model")
    plain = " ".join(sentence.split())
    if trouble := no_question(plain):
        raise SentinelRefused(trouble)
    found = knowledge.changes.some(WantedChanges(user=settings.user, sentinel=name, limit=min(last, MOST)))
    when = Condition("means", text=plain)
    asked = tuple(
        question_about(one.findings, when, summed_up=False, model=settings.ai_model) for one in found
    )
    known = knowledge.questions.known([one.key for one in asked])
    new = {one.key: one for one in asked if one.key not in known}
    return Planned(
        sentence=plain,
        model=settings.ai_model,
        changes=tuple(found),
        questions=asked,
        tokens=sum(one.tokens for one in new.values()),
        cost=_cost(new.values(), allowance_of(settings).prices),
        asks=len(new),
    )


def _cost(questions: Iterable[NewQuestion], prices: Prices) -> float:
    written = MOST_WRITTEN
    return sum(prices.of(Spent(read=one.tokens - written, written=written)) for one in questions)


async def tried(knowledge: TrialStore, settings: Settings, plan: Planned) -> list[Tried]:
    """Asks what was planned, and returns what it would have decided. What it takes is charged to the user."""
    known = await asyncio.to_thread(knowledge.questions.known, [one.key for one in plan.questions])
    new = {one.key: one for one in plan.questions if one.key not in known}
    slots = asyncio.Semaphore(settings.ai_at_a_time)
    async with server_of(settings) as server:

        async def answered(question: NewQuestion) -> Answer:
            async with slots:
                return await _answered(knowledge.questions, settings, server, question)

        answers = known | dict(zip(new, await asyncio.gather(*map(answered, new.values())), strict=True))
    return [
        Tried(change, judged(question, answers[question.key]))
        for change, question in zip(plan.changes, plan.questions, strict=True)
    ]


async def _answered(
    questions: Questions, settings: Settings, server: ModelServer, question: NewQuestion
) -> Answer:
    charged = Spent(read=question.tokens)
    refusal = await asyncio.to_thread(questions.spend, settings.user, charged, allowance_of(settings))
    if refusal:
        return Answer(model=server.model, trouble=refusal)
    try:
        answer, spent = await ask(server, question)
    except ModelError as error:
        answer, spent = Answer(model=server.model, trouble=str(error)), Spent(read=-question.tokens)
    await asyncio.to_thread(questions.spend, settings.user, spent)
    if not answer.trouble:
        await asyncio.to_thread(questions.remember, question.key, answer)
    return answer


def in_words(trial: TrialShape) -> str:
    """Returns what a trial takes, before anybody pays for it; of a trial that was made, what came of it."""
    model, count = trial["model"], trial["changes"]
    if not count:
        return "This sentinel has found no change yet to try it on."
    changes = "the last change" if count == 1 else f"the last {count} changes"
    if trial["told"] is not None:
        return _result_in_words(trial["told"], count)
    if not trial["asks"]:
        return f"What {model} says of {changes} is known: it costs nothing."
    cost = f", at most {trial['cost']:.4f}" if trial["cost"] else ""
    asks = "1 question" if trial["asks"] == 1 else f"{trial['asks']} questions"
    return f"{asks} to {model} about {changes}: at most {trial['tokens']:,} tokens{cost}."


def _result_in_words(told: int, count: int) -> str:
    if count == 1:
        return f"It would {'' if told else 'not '}have told the last change."
    return f"It would have told {told} of the last {count} changes."
