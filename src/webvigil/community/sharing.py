"""A page that one server fetched, for another that watches it, too (B4).

We are asked for a page by its digest: is it newer than the version you have, and was it fetched no longer ago
than you can bear? What we answer with is a fetch of our own, exact to the byte, with its age; what came to us
from a peer is never passed on, nor what came from a private network: whoever can guess an address there could
ask for it. Whoever asks also says how often it wants to look: we look as often as that, within our own
limits, so that the next answer is fresh.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Literal

from webvigil.community.messages import Message, refuse
from webvigil.community.openness import OpenHosts, places_of
from webvigil.community.receiving import Reply
from webvigil.errors import StoreError
from webvigil.model.moment import Millis
from webvigil.model.page import normal_url
from webvigil.model.peer import Peer, SeenPage
from webvigil.model.version import Answer, Frame
from webvigil.store.promises import Knowledge
from webvigil.store.repository import PageRepository

PAGE, HINT = "page", "hint"
FROM_PEER = "peer"
"""Among the facts of a page: the peer that it last came from."""
PEER_WANTS = "a peer wants it"
PEER_HAS_NEWS = "a peer has news"
LARGEST_HEAD = 1_000_000
"""Addresses and headers of an answer and its frames, as one line: each costs more than its letters."""
_SOONEST: Millis = 1_000
_DEEPEST = 5
_LARGEST = 2**53 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A page as it is asked for: unless it is the version `have`, not older than `age`, and of at most
    `largest` bytes with all that surrounds it; the sender looks at it every `interval`."""

    page: str
    have: str
    age: Millis
    interval: Millis
    largest: int = _LARGEST

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a peer says: the page is still the version that we have, or `answer`; or we had better look
    ourselves. `age` is how long ago it looked."""

    what: Literal["same", "new", "later"]
    age: Millis = 0
    answer: Answer | None = None


class Sharing:
    """Handles `page` and `hint`. `shortest` is the least time between two looks at a page for others."""

    def __init__(
        self, knowledge: Knowledge, pages: PageRepository, hosts: OpenHosts, shortest: Millis
    ) -> None:
        self._knowledge = knowledge
        self._pages = pages
        self._hosts = hosts
        self._shortest = max(shortest, _SOONEST)

    def asked(self, sender: Peer, message: Message) -> Reply:
        wish = wish_from(message)
        seen = self._knowledge.peers.seen(wish.page)
        if seen is None or FROM_PEER in seen.facts or not self._hosts.are_open([seen.url]):
            return Reply({"is": "later"})
        now = self._knowledge.schedule.now()
        age = max(0, now - seen.seen_at)
        interval = max(wish.interval, self._shortest)
        self._knowledge.schedule.look_by(seen.id, max(now, seen.seen_at + interval), PEER_WANTS)
        if age > wish.age:
            return Reply({"is": "later"})
        return self._given(sender, wish, seen, age)

    def hinted(self, sender: Peer, message: Message) -> Reply:
        """A peer that watches a page, too, has a new version of it. We look at once; however often it says
        so, the page's host is left alone between two looks.

        Unlike what a site tells, this does not make us look less often by ourselves: peers come and go.
        """
        page = message.content.get("page")
        knowledge = self._knowledge
        if not isinstance(page, str):
            refuse("content")
        shared = knowledge.peers.shared(page)
        if shared and sender.key in knowledge.peers.wanting([page]).get(page, ()):
            knowledge.schedule.ask(shared.id, PEER_HAS_NEWS)
        return Reply()

    def _given(self, sender: Peer, wish: Wish, seen: SeenPage, age: Millis) -> Reply:
        if wish.have and seen.signature == wish.have:
            self._knowledge.peers.count(sender.key, given=1)
            return Reply({"is": "same", "age": age})
        try:
            answer = self._pages.answer(seen.object)
        except StoreError:  # collected meanwhile
            return Reply({"is": "later"})
        if not self._hosts.are_open(places_of(answer)):
            return Reply({"is": "later"})
        body = packed(answer)
        if len(body) > wish.largest or body.find(b"\n", 0, LARGEST_HEAD) < 0:
            return Reply({"is": "later"})
        self._knowledge.peers.count(sender.key, given=1)
        return Reply({"is": "new", "age": age}, body)


def wish_from(message: Message) -> Wish:
    content = message.content
    texts = content.get("page"), content.get("have")
    largest = content.get("largest", _LARGEST)
    numbers = content.get("age"), content.get("interval"), largest
    if not all(isinstance(one, str) and len(one) <= 128 for one in texts):
        refuse("content")
    if not all(isinstance(one, int) and 0 <= one <= _LARGEST for one in numbers):
        refuse("content")
    return Wish(
        page=content["page"],
        have=content["have"],
        age=content["age"],
        interval=content["interval"],
        largest=largest,
    )


def given_from(message: Message) -> Given:
    """What a peer answered. Raises MessageRefused where it is no answer, or none that we would have kept."""
    what, age = message.content.get("is"), message.content.get("age", 0)
    if what not in ("same", "new", "later") or not isinstance(age, int) or not 0 <= age < 2**53:
        refuse("content")
    answer = unpacked(message.body) if what == "new" else None
    if answer and (answer.status >= 400 or answer.status == 304):
        refuse("content")
    return Given(what=what, age=age, answer=answer)


# --- answers on the wire -------------------------------------------------------------------------------


def packed(answer: Answer) -> bytes:
    """Heads of the answer and its frames as one line of JSON, then their bodies."""
    bodies: list[bytes] = []
    head = _head(answer, bodies)
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + b"".join(bodies)


def unpacked(wire: bytes) -> Answer:
    """Raises MessageRefused for what is none."""
    line, newline, bodies = wire.partition(b"\n")
    if len(line) > LARGEST_HEAD:
        refuse("content")
    try:
        answer, end = _answer(json.loads(line), bodies, 0, _DEEPEST)
    except (ValueError, TypeError, KeyError, RecursionError):
        refuse("content")
    if not newline or end != len(bodies):
        refuse("content")
    return answer


def _head(answer: Answer, bodies: list[bytes]) -> dict[str, Any]:
    bodies.append(answer.body)
    return {
        "url": answer.url,
        "status": answer.status,
        "headers": answer.headers,
        "size": len(answer.body),
        "frames": [[frame.address, _head(frame.answer, bodies)] for frame in answer.frames],
    }


def _answer(head: dict[str, Any], bodies: bytes, start: int, deepest: int) -> tuple[Answer, int]:
    end = start + head["size"]
    if not deepest or not 0 <= start <= end <= len(bodies):
        raise ValueError("not as long as it says")
    body, frames = bodies[start:end], []
    for place, inner in head["frames"]:
        framed, end = _answer(inner, bodies, end, deepest - 1)
        frames.append(Frame(address=_place(place), answer=framed))
    status = head["status"]
    if not isinstance(status, int) or isinstance(status, bool) or not 0 <= status < 1000:
        raise ValueError("no status")
    return (
        Answer(
            url=_place(head["url"]),
            status=status,
            headers=tuple((_text(name), _text(value)) for name, value in head["headers"]),
            body=body,
            frames=tuple(frames),
        ),
        end,
    )


def _place(value: object) -> str:
    """An address of the web that can be written down; it is shown, and links are relative to it."""
    place = _text(value)
    normal_url(place)
    place.encode()
    return place


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value
