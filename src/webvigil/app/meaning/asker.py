"""Waiting questions in, told changes out: a worker asks a few questions at a time, beside its checks (J3).

A change waits for its answer at most `PATIENCE`. Whatever goes wrong, it is told then, and says why it could
not be judged. The store decides what an answer does (`store.sql.questions`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from webvigil.app.meaning.asking import ask
from webvigil.app.meaning.server import ModelServer
from webvigil.app.worker.writings import LOOK, Writings
from webvigil.errors import ModelBusy, ModelError, StoreError
from webvigil.model.meaning import Allowance, Answer, Spent, WaitingQuestion
from webvigil.model.moment import Millis
from webvigil.store.promises import Questions

_log = logging.getLogger("webvigil.meaning")

# The longest time from the finding of a change to its telling, not counting the question that is being asked.
PATIENCE: Millis = 120_000
# The wait after the first failure; it doubles with each.
FIRST_WAIT: Millis = 2_000
# Longer than any question takes, so that a lease ends only if its worker died.
_LEASE_MARGIN: Millis = 30_000
_FAULT = "a fault in WebVigil; its log tells the operator more"


class Asker:
    """Asks what waits, at most `at_a_time` questions at once."""

    def __init__(
        self,
        questions: Questions,
        server: ModelServer | None,
        allowance: Allowance,
        now: Callable[[], Millis],
        *,
        at_a_time: int = 2,
        timeout: float = 30.0,
    ) -> None:
        """`server` is None if no model is set up any more; what still waits is told then."""
        self._questions = questions
        self._server = server
        self._allowance = allowance
        self._now = now
        self._at_a_time = at_a_time
        self._lease = int(timeout * 1000) + _LEASE_MARGIN
        self._under_way: set[asyncio.Task[None]] = set()
        self.told = 0
        self._ended = asyncio.Event()

    async def for_ever(self, worker: str, writings: Writings) -> None:
        """Asks until cancelled. What is being asked then is put back, for the next worker to ask."""
        try:
            while True:
                seen = writings.count
                self._ended.clear()
                wait: float | None = LOOK
                try:
                    wait = await self.turn(worker)
                except StoreError as error:
                    _log.warning("Cannot ask what changes mean now, trying again: %s", error)
                await self._until_something(writings, seen, wait)
        finally:
            for task in self._under_way:
                task.cancel()
            await asyncio.gather(*self._under_way, return_exceptions=True)

    async def turn(self, worker: str) -> float | None:
        """Starts to ask what is due, and returns after how many seconds there may be more to do; None if
        nobody knows of anything. An idle worker reads, and does not write."""
        free = self._at_a_time - len(self._under_way)
        wait = await asyncio.to_thread(self._questions.next_at) if free > 0 else None
        if wait is None or wait > 0:
            return wait and wait / 1000
        claim = partial(self._questions.claim, worker, count=free, lease=self._lease)
        for item in await asyncio.to_thread(claim, allowance=self._allowance):
            task = asyncio.create_task(self._settle(item))
            self._under_way.add(task)
            task.add_done_callback(self._done)
        return LOOK

    async def all_done(self) -> None:
        """Waits until nothing is being asked."""
        await asyncio.gather(*self._under_way)

    async def _until_something(self, writings: Writings, seen: int, wait: float | None) -> None:
        rest = asyncio.create_task(writings.after(seen, wait))
        ended = asyncio.create_task(self._ended.wait())
        try:
            await asyncio.wait((rest, ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            rest.cancel()
            ended.cancel()

    def _done(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        self._ended.set()
        if not task.cancelled() and (error := task.exception()):
            _log.warning("The answer to a question about a change could not be written: %s", error)

    async def _settle(self, item: WaitingQuestion) -> None:
        """Asks a question, unless the answer is known or it may not be asked, and writes what it decides."""
        refunded = Spent() if item.refused or item.answer else Spent(read=-item.question.tokens)
        if item.answer:
            await self._write(item, item.answer, Spent())
        elif item.refused:
            await self._write(item, Answer(trouble=item.refused), Spent(), alone=True)
        elif self._server is None:
            await self._write(item, Answer(trouble="no language model is set up here"), refunded)
        else:
            await self._ask(item, self._server, refunded)

    async def _ask(self, item: WaitingQuestion, server: ModelServer, refunded: Spent) -> None:
        if self._now() - item.found_at > PATIENCE:
            too_slow = Answer(model=server.model, trouble="the model was too slow")
            await self._write(item, too_slow, refunded)
            return
        try:
            answer, spent = await ask(server, item.question)
        except ModelError as error:
            worked = isinstance(error, ModelBusy) and error.worked
            spent = Spent(questions=1) if worked else refunded
            if isinstance(error, ModelBusy) and await self._is_asked_later(item, error, spent):
                return
            _log.warning("A change could not be judged: %s", error)
            answer = Answer(model=server.model, trouble=str(error))
        except asyncio.CancelledError:
            self._questions.retry(item, wait=0, spent=Spent())
            raise
        except Exception:  # noqa: BLE001  (a change must be told whatever happens)
            _log.exception("Asking what a change means failed with an unexpected error.")
            answer, spent = Answer(trouble=_FAULT), refunded
        await self._write(item, answer, spent)

    async def _write(
        self, item: WaitingQuestion, answer: Answer, spent: Spent, *, alone: bool = False
    ) -> None:
        settle = partial(self._questions.settle, item, answer, spent, alone=alone)
        told: int | None = await asyncio.to_thread(settle)
        self.told += told or 0

    async def _is_asked_later(self, item: WaitingQuestion, error: ModelBusy, spent: Spent) -> bool:
        """Gives the question back if there is time for another attempt, which is charged anew."""
        wait = max(FIRST_WAIT * 2**item.attempts, error.wait)
        if self._now() + wait - item.found_at > PATIENCE:
            return False
        return await asyncio.to_thread(self._questions.retry, item, wait=wait, spent=spent)
