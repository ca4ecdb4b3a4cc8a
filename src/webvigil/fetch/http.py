"""A page address in, the page with its frames out, or the fact that it has not changed; over HTTP.

`robots` decides whether we may visit the page, `conditional` finds out whether it changed. Its pictures are
fetched only if a sentinel watches their content (C3). What we learn about each frame (F3) and picture is kept
as a list of [address, facts], so that an unchanged page costs one short answer for each of them. All requests
go through one `client`, so that its limits and its judgement of addresses hold for all of them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

from webvigil.document import PageDigest
from webvigil.errors import CertificateRefused, HostBusy, PageError, PageRefused, PageUnreachable
from webvigil.fetch.client import Approached, Ask, Asks, Client, Cookies, Limits
from webvigil.fetch.conditional import Learnt, Seen, asked, look
from webvigil.fetch.frames import DEEPEST, FRAME_TAG, FramePlace, frame_places, whole
from webvigil.fetch.login import Login
from webvigil.fetch.robots import Robots
from webvigil.fetch.status import down, state_of
from webvigil.model.approach import PLAIN, Approach
from webvigil.model.doubt import Suspicion
from webvigil.model.moment import Millis
from webvigil.model.page import Page
from webvigil.model.version import Answer, Frame

__all__ = ["Fetched", "HttpFetcher", "Limits"]

T = TypeVar("T")
Facts = list[tuple[str, dict[str, str]]]
Judge = Callable[[str], Awaitable[None]]

_FRAMES = "frames"
_PICTURES = "pictures"
# The most approaches whose clients are kept. Each different approach of a sentinel needs one.
_MOST_BRANCHES = 200
# Parts of one page that are fetched at a time: all of them may be on one host, which we must not flood.
_AT_A_TIME = 4
# Further pictures of a page, and larger ones (in bytes), are not watched.
_MOST_PICTURES = 100
_LARGEST_PICTURE = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """The result of a fetch.

    `answer` is None if nothing has changed. `validators` is what we learnt about the server, for the next
    fetch. `picture` is a picture of the page in a browser; `pictures` are the pictures on the page that were
    sent anew, by address. `document` is the parsed answer and `signature` its hash, if somebody needed them.
    `before` is the version before it, if the answer was compared with that. `suspicion` says what the answer
    seems to be if it does not look like the page.
    """

    answer: Answer | None
    status: int
    validators: dict[str, str]
    reason: str = ""
    received: int = 0
    picture: bytes = b""
    pictures: tuple[tuple[str, bytes], ...] = ()
    document: PageDigest | None = None
    before: PageDigest | None = None
    signature: str = ""
    suspicion: Suspicion | None = None


class HttpFetcher:
    """Fetches pages over HTTP. Use it as an async context manager. The options are those of `Client`."""

    def __init__(self, *, obey_robots: bool = True, **options: Any) -> None:
        self.client = Client(**options)
        self._obey_robots = obey_robots
        self._robots: dict[str, Robots] = {}
        self._plain = self._branch(PLAIN)
        self._branches = {PLAIN: self._plain}

    async def __aenter__(self) -> Self:
        await self.client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.client.__aexit__(kind, error, trace)

    def delay(self, host: str) -> Millis:
        """Returns the pause between two requests that the host's robots.txt asks for."""
        return max((robots.delay(host) for robots in self._robots.values()), default=0)

    async def judge(self, url: str, approach: Approach = PLAIN) -> None:
        """Raises PageRefused if robots.txt forbids the visit, PageUnreachable if robots.txt cannot be
        read."""
        await self._branch_for(approach).judge(url)

    def _branch_for(self, approach: Approach) -> _Branch:
        """Returns what sends the requests for pages with this approach. Its steps do not matter here."""
        branch = self._branches.get(approach)
        if branch is None:
            if len(self._branches) >= _MOST_BRANCHES:
                self._branches = {PLAIN: self._plain}
            branch = self._branches[approach] = self._branch(approach.way)
        return branch

    def _branch(self, way: Approach) -> _Branch:
        client: Asks = Approached(self.client, way) if way != PLAIN else self.client
        if self._obey_robots and way.through not in self._robots:
            self._robots[way.through] = Robots(client)
        return _Branch(client, self._robots.get(way.through))

    async def fetch(
        self,
        page: Page,
        validators: dict[str, str],
        login: Login | None = None,
        *,
        pictures: bool = False,
        cookies: Cookies | None = None,
    ) -> Fetched:
        """Returns the page as it is now; if `pictures` are wanted, with the checksums of the pictures on it.
        `cookies` are those of a visit that the fetch is a part of.

        Raises PageUnreachable (try later) or PageRefused (needs a person).
        """
        if page.method == "FILL":
            raise PageRefused("a form is filled in by a browser only: Render browser")
        branch = self._branch_for(page.approach)
        if page.render == "status":
            return await branch.state(page, login)
        await branch.judge(page.url)
        ask = asked(page, login, cookies)
        before, known = _PartsLearnt.read(validators), Learnt.read(validators)
        seen = await look(branch.client, ask, known)
        if seen.answer is None:
            parts = await branch.unchanged(before, login, pictures)
            if parts is not None:
                return _fetched(seen, None, parts)
            seen = await look(branch.client, ask, Learnt())
        assert seen.answer is not None, "only a page that we know can be unchanged"
        answer, frame_facts = seen.answer, before.frames
        if before.frames or not known.known or seen.learnt.body != known.body:
            answer, frame_facts = await branch.with_frames(answer, login)
        if not pictures:
            return _fetched(seen, answer, _PartsLearnt(frame_facts))
        shown, picture_facts, came = await branch.parts.pictures(answer, before.pictures or [], login)
        found = _fetched(seen, replace(answer, pictures=shown), _PartsLearnt(frame_facts, picture_facts))
        return replace(found, pictures=came)


class _Branch:
    """Sends the requests for pages with one approach: the page, its robots.txt, its frames and pictures."""

    def __init__(self, client: Asks, robots: Robots | None) -> None:
        self.client = client
        self._robots = robots
        self.parts = _Parts(client, self.judge)

    async def judge(self, url: str) -> None:
        if self._robots:
            await self._robots.judge(url)

    async def state(self, page: Page, login: Login | None) -> Fetched:
        """Returns the document about the state of the page. A host that does not even give its robots.txt is
        down."""
        try:
            await self.judge(page.url)
        except (PageUnreachable, CertificateRefused) as error:
            return Fetched(answer=down(page.url, str(error)), status=0, validators={})
        answer, status, received = await state_of(self.client, page, login)
        return Fetched(answer=answer, status=status, validators={}, received=received)

    async def with_frames(self, answer: Answer, login: Login | None) -> tuple[Answer, Facts]:
        """Returns the answer with its frames. Called only if the document is new or had frames before: an
        unchanged document without frames still has none."""
        if not FRAME_TAG.search(answer.body):
            return answer, []
        frames, facts = await self.parts.frames(answer, login)
        return replace(answer, frames=frames) if frames else answer, facts

    async def unchanged(
        self, before: _PartsLearnt, login: Login | None, pictures: bool
    ) -> _PartsLearnt | None:
        """Returns what we know of the parts if all are unchanged, or None if one may have changed or is new
        to us."""
        if pictures and before.pictures is None:
            return None
        frames = await self.parts.unchanged(before.frames, login)
        shown = await self.parts.unchanged(before.pictures or [], login) if pictures else None
        if frames is None or (pictures and shown is None):
            return None
        return _PartsLearnt(frames, shown)


@dataclass(frozen=True, slots=True)
class _PartsLearnt:
    """What we learnt about the parts of a page. `pictures` is None if no sentinel watches them."""

    frames: Facts
    pictures: Facts | None = None

    @classmethod
    def read(cls, facts: dict[str, str]) -> _PartsLearnt:
        frames, pictures = facts.get(_FRAMES), facts.get(_PICTURES)
        return cls(json.loads(frames) if frames else [], json.loads(pictures) if pictures else None)

    def written(self) -> dict[str, str]:
        found = {_FRAMES: json.dumps(self.frames)} if self.frames else {}
        return found | ({} if self.pictures is None else {_PICTURES: json.dumps(self.pictures)})


def _fetched(seen: Seen, answer: Answer | None, parts: _PartsLearnt) -> Fetched:
    return Fetched(
        answer=answer,
        status=seen.status,
        validators={**seen.learnt.written(), **parts.written()},
        reason=seen.reason,
        received=seen.received,
    )


class _Parts:
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
