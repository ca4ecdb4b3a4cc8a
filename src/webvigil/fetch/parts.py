"""A page in, its frames (F3) and the checksums of its pictures (C3) out.

Pictures are fetched only if a sentinel watches their content. What we learn about each part is kept as a list
of [address, facts], so that an unchanged page costs one short answer for each of its parts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

from webvigil.errors import HostBusy, PageError, PageRefused, PageUnreachable
from webvigil.fetch.client import Ask, Asks
from webvigil.fetch.conditional import Seen, look
from webvigil.fetch.frames import DEEPEST, FramePlace, frame_places, whole
from webvigil.fetch.learnt import Learnt
from webvigil.fetch.login import Login
from webvigil.model.version import Answer, Frame

T = TypeVar("T")
Facts = list[tuple[str, dict[str, str]]]
Judge = Callable[[str], Awaitable[None]]

# Parts of one page that are fetched at a time: all of them may be on one host, which we must not flood.
_AT_A_TIME = 4
# Further pictures of a page, and larger ones (in bytes), are not watched.
_MOST_PICTURES = 100
_LARGEST_PICTURE = 10_000_000


class Parts:
    """Fetches the parts of pages. `judge` raises an error if robots.txt forbids an address."""

    def __init__(self, client: Asks, judge: Judge) -> None:
        self._client = client
        self._judge = judge

    async def unchanged(self, before: Facts, login: Login | None) -> Facts | None:
        """Returns what we know now if all parts are unchanged, or None if one may have changed."""
        if not before:
            return []
        found = await self._few_at_a_time(self._unchanged(address, facts, login) for address, facts in before)
        known = [one for one in found if one is not None]
        return known if len(known) == len(before) else None

    async def frames(self, answer: Answer, login: Login | None) -> tuple[tuple[Frame, ...], Facts]:
        """Returns the frames of a page, and what we learnt about each."""
        return await self._frames(answer, login, self._client.limits.frames, 1)

    async def pictures(
        self, answer: Answer, before: Facts, login: Login | None
    ) -> tuple[tuple[tuple[str, str], ...], Facts, tuple[tuple[str, bytes], ...]]:
        """Returns three things: the checksum of each picture by its address, what we learnt about each, and
        the pictures that were sent anew. A picture that cannot be fetched now counts as unchanged."""
        addresses = list(dict.fromkeys(image.url for image in whole(answer).images))
        web = [address for address in addresses if address.startswith(("http://", "https://"))]
        known = dict(before)
        asked = (self._picture(address, known.get(address, {}), login) for address in web[:_MOST_PICTURES])
        found = await self._few_at_a_time(asked)
        facts = [(address, fact) for address, fact, _ in found]
        seen = tuple((address, body) for address, fact in facts if (body := Learnt.read(fact).body))
        return seen, facts, tuple((address, body) for address, _, body in found if body)

    async def _unchanged(
        self, address: str, facts: dict[str, str], login: Login | None
    ) -> tuple[str, dict[str, str]] | None:
        """Returns what we know of one part if it is unchanged, or None if it may have changed."""
        known = Learnt.read(facts)
        try:
            seen = await self._look(address, known, login)
        except PageError:
            return None if known.known else (address, facts)
        changed = seen.answer is not None and seen.learnt.body != known.body
        return None if changed else (address, seen.learnt.written())

    async def _frames(
        self, answer: Answer, login: Login | None, most: int, depth: int
    ) -> tuple[tuple[Frame, ...], Facts]:
        """Returns the frames of a document, including frames inside of frames, at most `most` in all."""
        frames: list[Frame] = []
        learnt: Facts = []
        for place in _distinct(frame_places(answer)):
            if len(learnt) >= most:
                break
            seen = await self._frame(answer, place, login)
            inside = seen.answer
            assert inside is not None, "a frame is asked for without conditions"
            learnt.append((place.address, seen.learnt.written()))
            if depth < DEEPEST and inside.status == 200:
                inner, more = await self._frames(inside, login, most - len(learnt), depth + 1)
                inside, learnt = replace(inside, frames=inner), learnt + more
            frames.append(Frame(address=place.address, answer=inside))
        return tuple(frames), learnt

    async def _frame(self, page: Answer, place: FramePlace, login: Login | None) -> Seen:
        """Fetches one frame. A frame that may not be visited is empty. A temporary failure of a frame from
        the page's own host is raised; a frame from another host counts as empty then, so that it does not
        stop the page from being watched."""
        try:
            return await self._look(place.address, Learnt(), login)
        except PageRefused:
            return _empty(place.address)
        except PageError as error:
            if place.essential or urlsplit(place.address).hostname == urlsplit(page.url).hostname:
                raise of_frame(place.address, error) from error
            return _empty(place.address)

    async def _picture(
        self, address: str, facts: dict[str, str], login: Login | None
    ) -> tuple[str, dict[str, str], bytes]:
        """Returns the address of a picture, what we know of it now, and its bytes if it was sent."""
        try:
            seen = await self._look(address, Learnt.read(facts), login, _LARGEST_PICTURE)
        except PageError:
            return address, facts, b""
        came = seen.answer.body if seen.answer and seen.answer.status == 200 else b""
        return address, seen.learnt.written(), came

    async def _look(
        self, address: str, learnt: Learnt, login: Login | None, limit: int | None = None
    ) -> Seen:
        await self._judge(address)
        return await look(self._client, Ask(url=address, login=login, limit=limit), learnt)

    async def _few_at_a_time(self, work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
        slots = asyncio.Semaphore(_AT_A_TIME)

        async def one(task: Coroutine[Any, Any, T]) -> T:
            async with slots:
                return await task

        return list(await asyncio.gather(*(one(task) for task in work)))


def _distinct(places: list[FramePlace]) -> list[FramePlace]:
    return list({place.address: place for place in places}.values())


def of_frame(address: str, error: PageError) -> PageError:
    """Returns the error of the page for the error of its frame. The page itself was fetched, so its host is
    not missing; but a host that asks for a rest gets it."""
    told = f"the frame {address}: {error}"
    return HostBusy(told, wait=error.wait) if isinstance(error, HostBusy) else PageUnreachable(told)


def _empty(address: str) -> Seen:
    answer = Answer(url=address, status=0, headers=(), body=b"")
    return Seen(answer=answer, status=0, learnt=Learnt(), reason="")
