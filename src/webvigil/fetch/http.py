"""A page over HTTP: may we, has it changed, what is it now, and what do its frames show?

The parts are `robots` (may we), `conditional` (has it changed), `frames`; all of them go through one
`client`, so that limits and the judgement of addresses hold for each.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from webvigil.errors import PageError, PageRefused
from webvigil.fetch.client import Ask, Client, Limits
from webvigil.fetch.conditional import Seen, look
from webvigil.fetch.frames import DEEPEST, FramePlace, frame_places
from webvigil.fetch.learnt import Learnt
from webvigil.fetch.login import Login
from webvigil.fetch.robots import Robots
from webvigil.model.moment import Millis
from webvigil.model.page import Page
from webvigil.model.version import Answer, Frame

__all__ = ["Fetched", "HttpFetcher", "Limits"]

_FRAMES = "frames"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """`answer` is None where nothing has changed. `validators` is what we learnt, for the next time."""

    answer: Answer | None
    status: int
    validators: dict[str, str]
    reason: str = ""
    received: int = 0
    picture: bytes = b""


class HttpFetcher:
    """Use as an async context manager: it owns the connections. Options are those of `Client`."""

    def __init__(self, *, obey_robots: bool = True, **options: Any) -> None:
        self.client = Client(**options)
        self._robots = Robots(self.client) if obey_robots else None

    async def __aenter__(self) -> Self:
        await self.client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.client.__aexit__(kind, error, trace)

    def delay(self, host: str) -> Millis:
        """The rest between two requests that the host itself asks for."""
        return self._robots.delay(host) if self._robots else 0

    async def judge(self, url: str) -> None:
        """Raises where robots.txt does not want us to visit."""
        if self._robots:
            await self._robots.judge(url)

    async def fetch(self, page: Page, validators: dict[str, str], login: Login | None = None) -> Fetched:
        """The page as it is now. Raises PageUnreachable (try later) or PageRefused (needs a person)."""
        await self.judge(page.url)
        ask = Ask(url=page.url, method=page.method, fields=page.fields, login=login)
        seen = await look(self.client, ask, Learnt.read(validators))
        before = json.loads(validators.get(_FRAMES, "[]"))
        if seen.answer is None:
            unchanged = await self._frames_unchanged(before, login)
            if unchanged is not None:
                return _fetched(seen, None, unchanged)
            seen = await look(self.client, ask, Learnt())
        assert seen.answer is not None, "only a page that we know can be unchanged"
        frames, learnt = await self._frames(seen.answer, login, self.client.limits.frames)
        return _fetched(seen, replace(seen.answer, frames=frames), learnt)

    async def _frames_unchanged(self, before: list[Any], login: Login | None) -> list[Any] | None:
        """What we learnt about the frames if all are as they were; None if one may have changed."""
        learnt = []
        for address, facts in before:
            try:
                seen = await look(self.client, Ask(url=address, login=login), Learnt.read(facts))
            except PageError:
                return None
            known = Learnt.read(facts).body
            if seen.answer is not None and (seen.learnt.body != known or not known):
                return None
            learnt.append([address, seen.learnt.written()])
        return learnt

    async def _frames(
        self, answer: Answer, login: Login | None, most: int, depth: int = 1
    ) -> tuple[tuple[Frame, ...], list[Any]]:
        """The frames of a page and what we learnt about each; frames in frames count as well."""
        frames: list[Frame] = []
        learnt: list[Any] = []
        for place in _distinct(frame_places(answer))[:most]:
            seen = await self._frame(answer, place, login)
            inside = seen.answer
            learnt.append([place.address, seen.learnt.written()])
            if depth < DEEPEST and inside is not None and inside.status == 200:
                inner, more = await self._frames(inside, login, most - len(learnt), depth + 1)
                inside, learnt = replace(inside, frames=inner), learnt + more
            assert inside is not None, "a frame is asked for without conditions"
            frames.append(Frame(address=place.address, answer=inside))
            if len(learnt) >= most:
                break
        return tuple(frames), learnt

    async def _frame(self, page: Answer, place: FramePlace, login: Login | None) -> Seen:
        """A frame that may not be had is empty. One of the page's own that cannot be had now is the page's
        trouble; one of another host's must not keep us from watching the page."""
        try:
            await self.judge(place.address)
            return await look(self.client, Ask(url=place.address, login=login), Learnt())
        except PageRefused:
            return _empty(place.address)
        except PageError:
            if place.essential or urlsplit(place.address).hostname == urlsplit(page.url).hostname:
                raise
            return _empty(place.address)


def _distinct(places: list[FramePlace]) -> list[FramePlace]:
    return list({place.address: place for place in places}.values())


def _empty(address: str) -> Seen:
    answer = Answer(url=address, status=0, headers=(), body=b"")
    return Seen(answer=answer, status=0, learnt=Learnt(), reason="")


def _fetched(seen: Seen, answer: Answer | None, frames: list[Any]) -> Fetched:
    facts = seen.learnt.written()
    if frames:
        facts[_FRAMES] = json.dumps(frames)
    return Fetched(
        answer=answer, status=seen.status, validators=facts, reason=seen.reason, received=seen.received
    )
