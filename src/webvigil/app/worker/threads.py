"""Coroutines that compute in a thread, and wait in the event loop.

Python runs one thread at a time. Threads that compute side by side hand the interpreter to each other a
hundred times for one page, which takes as long as the computing itself. So all looks of a worker compute in
one thread, one after the other. A look moves there once and stays, as long as it does not have to wait:

    result = await carried(look())

    async def look():
        answer = await fetch()                          # in the event loop
        version = await computed(thread, keep)          # in the thread
        changes = await computed(thread, compare)       # still there, without another move
        await back()
        await send(changes)                             # in the event loop again

A coroutine that nobody carries may call the same functions: it waits in the event loop for each result.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Executor
from contextvars import copy_context
from threading import local
from typing import Any, Generic, TypeVar

T = TypeVar("T")


async def carried(coroutine: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine to its end, in the event loop and in the threads that it moves to, and returns its
    result."""
    loop, context = asyncio.get_running_loop(), copy_context()
    came: _Move | _End[T] = await _InLoop(coroutine)
    while isinstance(came, _Move):
        if came.to is None:
            came = await _InLoop(coroutine)
        else:
            came = await loop.run_in_executor(came.to, context.run, _in_thread, coroutine, came.to)
    return came.result


async def computed(threads: Executor, work: Callable[[], T]) -> T:
    """Returns what `work` returns, which runs in one of the threads. A coroutine that is carried is in this
    thread afterwards, and has to go `back` before it waits for anything else."""
    if not _here.is_carried:
        return await asyncio.get_running_loop().run_in_executor(threads, work)
    if _here.threads is not threads:
        await _Move(threads)
    return work()


async def back() -> None:
    """Moves the coroutine back to the event loop. Does nothing if it is there."""
    if _here.threads is not None:
        await _Move(None)


class _Here(local):
    """What is known in a thread of the coroutine that runs there now: whether somebody carries it, and the
    threads that it has moved to; None in the event loop."""

    is_carried = False
    threads: Executor | None = None


_here = _Here()


class _Move:
    """A coroutine yields this to whoever carries it: it goes on in another thread."""

    def __init__(self, to: Executor | None) -> None:
        self.to = to

    def __await__(self) -> Generator[_Move, None, None]:
        yield self


class _End(Generic[T]):
    """The result of a coroutine that has ended."""

    def __init__(self, result: T) -> None:
        self.result = result


class _InLoop(Generic[T]):
    """Runs a coroutine in the event loop until it ends or moves."""

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        self._coroutine = coroutine

    def __await__(self) -> Generator[Any, Any, _Move | _End[T]]:
        step: Callable[[Any], Any] = self._coroutine.send
        given: Any = None
        while True:
            _here.is_carried = True
            try:
                waited = step(given)
            except StopIteration as end:
                return _End(end.value)
            finally:
                _here.is_carried = False
            if isinstance(waited, _Move):
                return waited
            try:
                step, given = self._coroutine.send, (yield waited)
            except BaseException as error:  # noqa: BLE001 - the coroutine itself decides what to do with it
                step, given = self._coroutine.throw, error


def _in_thread(coroutine: Coroutine[Any, Any, T], threads: Executor) -> _Move | _End[T]:
    """Runs a coroutine in this thread until it ends or moves."""
    _here.is_carried, _here.threads = True, threads
    try:
        waited = coroutine.send(None)
        if not isinstance(waited, _Move):
            coroutine.close()
            raise RuntimeError("a coroutine has to go back to the event loop before it waits")
        return waited
    except StopIteration as end:
        return _End(end.value)
    finally:
        _here.is_carried, _here.threads = False, None
