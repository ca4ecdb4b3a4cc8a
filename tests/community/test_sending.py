"""Which answer of a peer is believed, and what an operator reads when there is none (B5)."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

from webvigil.community.keys import Identity
from webvigil.community.messages import written
from webvigil.community.sending import Post
from webvigil.errors import MessageRefused, PageRefused, PageUnreachable, PeerRefused, PeerUnreachable
from webvigil.fetch.client import Ask
from webvigil.model.version import Answer

HERE, THERE, ELSEWHERE = Identity(b"here"), Identity(b"there"), Identity(b"elsewhere")
NOW = 1_800_000_000_000


class Client:
    """A client that answers always the same, or fails."""

    def __init__(self, status: int = 200, body: Any = b"", error: Exception | None = None) -> None:
        self._status, self._body, self._error = status, body, error
        self.asked: list[Ask] = []

    async def ask(self, ask: Ask) -> Any:
        self.asked.append(ask)
        if self._error:
            raise self._error
        body = self._body(ask) if callable(self._body) else self._body
        if body is None:
            await asyncio.sleep(60)
        answer = Answer(url=ask.url, status=self._status, headers=(), body=body)
        return SimpleNamespace(answer=answer)


def post(client: Client, within: float = 10.0) -> Post:
    made: Any = client
    return Post(HERE, made, within=within, now=lambda: NOW)


def answered(identity: Identity = THERE, kind: str = "page", answers: str | None = None) -> Any:
    """Returns how a server answers a message: with its key, kind and the id of the message."""

    def answer(ask: Ask) -> bytes:
        assert ask.body
        head = json.loads(ask.body.partition(b"\n")[0].split(b" ", 3)[3])
        asked = head["id"] if answers is None else answers
        return written(identity, HERE.key, kind, {"said": 1}, b"body", sent=NOW, answers=asked)[1]

    return answer


def test_a_message_is_posted_to_the_server_and_its_answer_read():
    client = Client(body=answered())
    told = asyncio.run(post(client).send(THERE.key, "http://there.test/below/", "page", {"a": 1}))
    assert (told.sender, told.content, told.body) == (THERE.key, {"said": 1}, b"body")
    (ask,) = client.asked
    assert (ask.url, ask.method, ask.limit) == ("http://there.test/below/peer/messages", "POST", 256_000)
    assert dict(ask.headers) == {"Content-Type": "application/x-webvigil-message"}


@pytest.mark.parametrize(
    "answer", [answered(ELSEWHERE), answered(kind="hint"), answered(answers="a" * 32), answered(answers="")]
)
def test_an_answer_is_of_the_peer_and_to_the_message(answer: Any):
    with pytest.raises(MessageRefused) as caught:
        asyncio.run(post(Client(body=answer)).send(THERE.key, "http://there.test", "page"))
    assert caught.value.reason == "answer"


@pytest.mark.parametrize(
    ("client", "error", "words"),
    [
        (Client(500), PeerUnreachable, "the peer is in trouble: it answered 500"),
        (Client(599), PeerUnreachable, "the peer is in trouble: it answered 599"),
        (Client(429), PeerUnreachable, "the peer is in trouble: it answered 429"),
        (Client(499), PeerRefused, "the peer answered 499"),
        (Client(428), PeerRefused, "the peer answered 428"),
        (Client(404), PeerRefused, "the peer answered 404"),
        (Client(201), PeerRefused, "the peer answered 201"),
        (Client(403, b'{"detail": "not\\u0007 you"}'), PeerRefused, "the peer said no: not you"),
        (Client(403, b'{"detail": ""}'), PeerRefused, "the peer answered 403"),
        (Client(403, b'["no"]'), PeerRefused, "the peer answered 403"),
        (Client(403, b"[" * 100_000), PeerRefused, "the peer answered 403"),
        (
            Client(403, json.dumps({"detail": "x" * 301}).encode()),
            PeerRefused,
            f"the peer said no: {'x' * 300}",
        ),
        (
            Client(error=PageUnreachable("no route")),
            PeerUnreachable,
            "the peer could not be asked: no route",
        ),
        (Client(error=PageRefused("forbidden")), PeerRefused, "the peer could not be asked: forbidden"),
    ],
)
def test_no_answer_has_a_reason(client: Client, error: type[Exception], words: str):
    with pytest.raises(error) as caught:
        asyncio.run(post(client).send(THERE.key, "http://there.test", "page"))
    assert (type(caught.value), str(caught.value)) == (error, words)


def test_a_peer_that_is_silent_is_given_up():
    with pytest.raises(PeerUnreachable) as caught:
        asyncio.run(post(Client(body=None), within=0.01).send(THERE.key, "http://there.test", "page"))
    assert str(caught.value) == "the peer did not answer within 0.01 seconds"


def test_a_server_tells_its_key():
    client = Client(body=json.dumps({"key": THERE.key}).encode())
    assert asyncio.run(post(client).key_of("http://there.test/")) == THERE.key
    assert (client.asked[0].url, client.asked[0].limit) == ("http://there.test/peer/identity", 10_000)


@pytest.mark.parametrize("said", [b"", b"<html>", b"[]", b"{}", b'{"key": 7}', b'{"key": "x"}'])
def test_a_server_without_a_key_is_none_of_ours(said: bytes):
    with pytest.raises(PeerRefused) as caught:
        asyncio.run(post(Client(body=said)).key_of("http://there.test/"))
    assert str(caught.value) == "there is no WebVigil server at this address that shares its work"
