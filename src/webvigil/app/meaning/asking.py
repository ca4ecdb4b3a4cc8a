"""A question in, its answer and what it took out: how one question is put to a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from webvigil.model.sentinel import Sentinel, conditions_of, is_about_meaning, questions_of

if TYPE_CHECKING:
    from webvigil.app.meaning.server import ModelServer
    from webvigil.app.settings import Settings
    from webvigil.model.meaning import Allowance, Answer, NewQuestion, Spent
    from webvigil.model.shapes import UseShape


_NO_MODEL = "no language model is set up here (settings ai_url and ai_model)"


class Asked(NamedTuple):
    """An answer, and what has to be added to what was charged before (it may be negative)."""

    answer: Answer
    spent: Spent


def is_set_up(settings: Settings) -> bool:
    return bool(settings.ai_url and settings.ai_model)


def model_of(settings: Settings) -> str:
    """Returns the name of the model that judges what changes mean; "" if none is set up."""
    return settings.ai_model if is_set_up(settings) else ""


def unasked(settings: Settings, sentinel: Sentinel) -> str:
    """Returns what becomes of the questions of a sentinel because no model is set up; "" if a model is, or if
    the sentinel asks nothing."""
    if is_set_up(settings):
        return ""
    if questions_of(sentinel.when):
        others = any(not is_about_meaning(one) for one in conditions_of(sentinel.when))
        told = "each change that its other conditions allow is told" if others else "all are told"
        return f"{_NO_MODEL}, so nobody judges what its changes mean: {told}"
    if sentinel.summary == "on":
        return f"{_NO_MODEL}, so its changes are told without a summary"
    return ""


def allowance_of(settings: Settings) -> Allowance:
    from webvigil.model.meaning import Allowance, Prices

    return Allowance(
        tokens=settings.ai_tokens_per_day,
        cost=settings.ai_cost_per_day,
        time=settings.ai_seconds_per_day * 1000,
        prices=Prices(read=settings.ai_price_read, written=settings.ai_price_written),
    )


def server_of(settings: Settings) -> ModelServer:
    from pathlib import Path

    from webvigil.app.meaning.server import ModelServer

    return ModelServer(
        settings.ai_url,
        settings.ai_model,
        settings.ai_key,
        timeout=settings.ai_timeout,
        ca_file=Path(settings.ca_file) if settings.ca_file else None,
    )


async def ask(server: ModelServer, question: NewQuestion) -> Asked:
    """Asks a question whose tokens were charged. Raises ModelBusy or ModelRefused."""
    import secrets

    from webvigil.trigger.meaning import messages, read_reply

    check = secrets.token_hex(4)
    reply = await server.reply(messages(question, check))
    answer = read_reply(reply.text, question, check, server.model)
    return Asked(answer, _spent(question, reply.read, reply.written, reply.time))


def _spent(question: NewQuestion, read: int | None, written: int | None, time: int) -> Spent:
    """Returns the difference to what was charged. A server that counts no tokens leaves the charge as it
    is."""
    from webvigil.model.meaning import Spent

    if read is None or written is None:
        return Spent(questions=1, time=time)
    return Spent(questions=1, read=read - question.tokens, written=written, time=time)


def use_as_json(spent: Spent, allowance: Allowance) -> UseShape:
    """Returns what a user has used today, and may use."""
    return {
        "questions": spent.questions,
        "tokens_read": spent.read,
        "tokens_written": spent.written,
        "seconds": round(spent.time / 1000, 1),
        "cost": round(allowance.prices.of(spent), 6),
        "tokens_per_day": allowance.tokens,
        "cost_per_day": allowance.cost,
        "seconds_per_day": allowance.time // 1000,
    }
