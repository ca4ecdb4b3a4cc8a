"""A peer's wish for a page in, the version that we fetched, or "ask later", out (B4).

A peer asks for a page by its digest: is it newer than the version it has, and was it fetched recently enough?
The answer is a fetch of our own, exact to the byte, with its age. A page that came from another peer is never
passed on. A page from a private network is not either: otherwise anybody who guesses an address there could
read it. The peer also says how often it wants to look, and we look as often, within our own limits, so that
the next answer is fresh.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol

from webvigil.community.messages import Message, refuse
from webvigil.community.openness import OpenHosts, places_of
from webvigil.community.receiving import Reply
from webvigil.errors import StoreError
from webvigil.model.moment import Millis
from webvigil.model.page import normal_url
from webvigil.model.peer import Peer, SeenPage
from webvigil.model.version import Answer, Frame
from webvigil.store.promises import Peers, Schedule
from webvigil.store.repository import PageRepository

PAGE, HINT = "page", "hint"
FROM_PEER = "peer"
"""The key, among the facts of a page, under which the peer it last came from is noted."""
PEER_WANTS = "a peer wants it"
PEER_HAS_NEWS = "a peer has news"
LARGEST_HEAD = 1_000_000
"""Most bytes of the line with the addresses and headers of an answer and its frames. Each entry costs more
memory than its letters."""
# The least time between two looks at a page for peers, whatever the setting says.
_SOONEST: Millis = 1_000
# How deep frames may be nested in an answer from a peer.
_DEEPEST = 5
_LARGEST = 2**53 - 1  # the largest number that every JSON reader takes exactly


class _Store(Protocol):
    """The parts of the knowledge base that sharing pages needs."""

    peers: Peers
    schedule: Schedule


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A peer's request for a page.

    It wants the page unless the page is still the version `have`, at most `age` old, and at most `largest`
    bytes with everything around. The peer looks at the page every `interval`.
    """

    page: str
    have: str
    age: Millis
    interval: Millis
    largest: int = _LARGEST

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A peer's answer: the page is "same" as the version that we have, "new" with an `answer`, or "later": we
    must look ourselves.

    `age` is how long ago the peer looked.
    """

    what: Literal["same", "new", "later"]
    age: Millis = 0
    answer: Answer | None = None


class Sharing:
    """Handles the messages `page` and `hint`. `shortest` is the least time between two looks at a page for
    peers."""

    def __init__(self, knowledge: _Store, pages: PageRepository, hosts: OpenHosts, shortest: Millis) -> None:
        self._knowledge = knowledge
        self._pages = pages
        self._hosts = hosts
        self._shortest = max(shortest, _SOONEST)

    def asked(self, sender: Peer, message: Message) -> Reply:
        """Answers a peer's wish for a page, and plans our next look so that it suits the peer."""
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
        """Handles a peer's hint that a page which both watch has a new version: the page is looked at now.

        However often peers send hints, the pauses between requests to the page's host are kept. Unlike hints
        from the site itself, these do not make our own looks rarer, because peers come and go.
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
        """Returns "same", or the stored answer if it may leave this server and fits into the peer's limit, or
        "later"."""
        if wish.have and seen.signature == wish.have:
            self._knowledge.peers.count(sender.key, given=1)
            return Reply({"is": "same", "age": age})
        try:
            answer = self._pages.answer(seen.object)
        except StoreError:  # the version was removed in the meantime
            return Reply({"is": "later"})
        if not self._hosts.are_open(places_of(answer)):
            return Reply({"is": "later"})
        body = packed(answer)
        if len(body) > wish.largest or body.find(b"\n", 0, LARGEST_HEAD) < 0:
            return Reply({"is": "later"})
        self._knowledge.peers.count(sender.key, given=1)
        return Reply({"is": "new", "age": age}, body)


def wish_from(message: Message) -> Wish:
    """Reads the wish in a message. Raises MessageRefused if the message holds no wish."""
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
    """Reads a peer's answer. Raises MessageRefused if the message is no such answer, or holds a page that we
    would not have stored ourselves."""
    what, age = message.content.get("is"), message.content.get("age", 0)
    if what not in ("same", "new", "later") or not isinstance(age, int) or not 0 <= age < 2**53:
        refuse("content")
    answer = unpacked(message.body) if what == "new" else None
    if answer and (answer.status >= 400 or answer.status == 304):
        refuse("content")
    return Given(what=what, age=age, answer=answer)


# --- answers on the wire -------------------------------------------------------------------------------


def packed(answer: Answer) -> bytes:
    """Returns an answer as bytes: one line of JSON with the heads of the answer and its frames, then the
    bodies."""
    bodies: list[bytes] = []
    head = _head(answer, bodies)
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + b"".join(bodies)


def unpacked(wire: bytes) -> Answer:
    """Reads an answer from bytes. Raises MessageRefused for bytes that are no answer."""
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
    """Reads an answer and its frames from a head and the bodies. Returns it with the place behind its last
    body."""
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
    """Checks that a value is an address that can be encoded, and returns it. It will be shown, and links are
    relative to it."""
    place = _text(value)
    normal_url(place)
    place.encode()
    return place


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value
