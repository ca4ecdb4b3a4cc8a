"""A page address in, the page with its frames out, or the fact that it has not changed; over HTTP.

`robots` decides whether we may visit the page, `conditional` finds out whether it changed, `parts` fetches
its frames and pictures. All of them use one `client`, so that its limits and its judgement of addresses hold
for every request.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

from webvigil.document import PageDigest
from webvigil.errors import CertificateRefused, PageRefused, PageUnreachable
from webvigil.fetch.client import Approached, Asks, Client, Cookies, Limits
from webvigil.fetch.conditional import Seen, asked, look
from webvigil.fetch.learnt import Learnt
from webvigil.fetch.login import Login
from webvigil.fetch.parts import Facts, Parts
from webvigil.fetch.robots import Robots
from webvigil.fetch.status import down, state_of
from webvigil.model.approach import PLAIN, Approach
from webvigil.model.doubt import Suspicion
from webvigil.model.moment import Millis
from webvigil.model.page import Page
from webvigil.model.version import Answer

__all__ = ["Fetched", "HttpFetcher", "Limits"]

_FRAMES = "frames"
_PICTURES = "pictures"
# Approaches whose requests are prepared at a time; there are as many as sentinels say different ways.
_MOST_BRANCHES = 200


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
        before, known = _Parts.read(validators), Learnt.read(validators)
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
            return _fetched(seen, answer, _Parts(frame_facts))
        shown, picture_facts, came = await branch.parts.pictures(answer, before.pictures or [], login)
        found = _fetched(seen, replace(answer, pictures=shown), _Parts(frame_facts, picture_facts))
        return replace(found, pictures=came)


class _Branch:
    """Sends the requests for pages with one approach: the page, its robots.txt, its frames and pictures."""

    def __init__(self, client: Asks, robots: Robots | None) -> None:
        self.client = client
        self._robots = robots
        self.parts = Parts(client, self.judge)

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
        frames, facts = await self.parts.frames(answer, login)
        return replace(answer, frames=frames) if frames else answer, facts

    async def unchanged(self, before: _Parts, login: Login | None, pictures: bool) -> _Parts | None:
        """Returns what we know of the parts if all are unchanged, or None if one may have changed or is new
        to us."""
        if pictures and before.pictures is None:
            return None
        frames = await self.parts.unchanged(before.frames, login)
        shown = await self.parts.unchanged(before.pictures or [], login) if pictures else None
        if frames is None or (pictures and shown is None):
            return None
        return _Parts(frames, shown)


@dataclass(frozen=True, slots=True)
class _Parts:
    """What we learnt about the parts of a page. `pictures` is None if no sentinel watches them."""

    frames: Facts
    pictures: Facts | None = None

    @classmethod
    def read(cls, facts: dict[str, str]) -> _Parts:
        frames, pictures = facts.get(_FRAMES), facts.get(_PICTURES)
        return cls(json.loads(frames) if frames else [], json.loads(pictures) if pictures else None)

    def written(self) -> dict[str, str]:
        found = {_FRAMES: json.dumps(self.frames)} if self.frames else {}
        return found | ({} if self.pictures is None else {_PICTURES: json.dumps(self.pictures)})


def _fetched(seen: Seen, answer: Answer | None, parts: _Parts) -> Fetched:
    return Fetched(
        answer=answer,
        status=seen.status,
        validators={**seen.learnt.written(), **parts.written()},
        reason=seen.reason,
        received=seen.received,
    )
