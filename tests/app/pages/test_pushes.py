"""What hubs and sites may say, and what becomes of it: states, times and signatures to the letter."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tests.app.moving.kept import Clock
from tests.store.making import checked, claim_all, new_version, sentinel
from webvigil.app.pages.pushes import (
    LEASE_SECONDS,
    Subscriber,
    digest_of,
    distributed,
    hub_and_topic,
    new_ping,
    pinged,
    subscribed,
    verified,
)
from webvigil.errors import PageUnreachable
from webvigil.fetch.client import Ask
from webvigil.fetch.login import Seal
from webvigil.model.moment import HOUR
from webvigil.model.push import Push
from webvigil.model.version import Answer
from webvigil.store.memory import MemoryKnowledge

SEAL = Seal(b"key")
ATOM = "http://www.w3.org/2005/Atom"
HUB, TOPIC = "http://hub.test/", "http://site.test/"


def watched() -> tuple[MemoryKnowledge, Clock]:
    """A page that was looked at a moment ago and is due in an hour."""
    clock = Clock()
    knowledge = MemoryKnowledge(delay=0, clock=clock)
    knowledge.users.add("jill")
    knowledge.sentinels.add(sentinel("s1", TOPIC, interval=HOUR))
    (claim,) = claim_all(knowledge)
    result = checked(claim, claim.pages[0], version=new_version(1), due=claim.now + HOUR)
    knowledge.schedule.finish(claim, [result])
    clock.now += 60_000
    return knowledge, clock


def wishes(knowledge: MemoryKnowledge) -> list[str]:
    return [page.wish for claim in claim_all(knowledge) for page in claim.pages]


def subscription(state: Any = "active", until: int = 0, key: str = "key", address: str = "secret") -> Push:
    return Push(
        digest=digest_of(address),
        page=2,
        kind="websub",
        hub=HUB,
        topic=TOPIC,
        sealed=SEAL.seal_text(json.dumps([address, key]), TOPIC),
        state=state,
        until=until,
    )


def test_a_ping_is_known_by_its_secret_alone():
    knowledge, _ = watched()
    first, second = (new_ping(knowledge.pushes, 2) for _ in range(2))
    assert first != second
    assert len(first) == 32
    knowledge.pushes.put(subscription())
    assert [pinged(knowledge, one) for one in ("other", "secret")] == [False, False]
    assert wishes(knowledge) == []
    assert pinged(knowledge, first)
    assert wishes(knowledge) == ["the site pinged"]
    assert [subscribed(knowledge.pushes, one) for one in (first, "secret", "other")] == [False, True, False]


SAID = {"hub.mode": "subscribe", "hub.topic": TOPIC, "hub.challenge": "c"}


@pytest.mark.parametrize(
    ("state", "said", "answer", "after", "seconds"),
    [
        ("asked", SAID, "c", "active", LEASE_SECONDS),
        ("active", SAID, "c", "active", LEASE_SECONDS),
        ("refused", SAID, None, "refused", None),
        ("asked", SAID | {"hub.lease_seconds": "60"}, "c", "active", 60),
        ("asked", SAID | {"hub.lease_seconds": "٣"}, "c", "active", LEASE_SECONDS),
        ("asked", SAID | {"hub.lease_seconds": "-5"}, "c", "active", LEASE_SECONDS),
        ("asked", SAID | {"hub.lease_seconds": "9" * 12}, "c", "active", 999_999_999),
        ("asked", {"hub.mode": "subscribe", "hub.topic": TOPIC}, "", "active", LEASE_SECONDS),
        ("asked", SAID | {"hub.topic": HUB}, None, "asked", None),
        ("asked", {"hub.mode": "subscribe"}, None, "asked", None),
        ("asked", SAID | {"hub.mode": "unsubscribe"}, None, "asked", None),
        ("asked", SAID | {"hub.mode": "denied"}, "", "refused", None),
        ("active", SAID | {"hub.mode": "denied"}, "", "refused", None),
        ("asked", SAID | {"hub.mode": "denied", "hub.topic": HUB}, None, "asked", None),
    ],
)
def test_a_hub_is_answered_if_it_was_asked(
    state: str, said: dict[str, str], answer: str | None, after: str, seconds: int | None
):
    knowledge, clock = watched()
    knowledge.pushes.put(subscription(state, until=7))
    assert verified(knowledge, "secret", said) == answer
    found = knowledge.pushes.get(digest_of("secret"))
    assert found
    assert (found.state, found.until) == (after, 7 if seconds is None else clock.now + seconds * 1000)


def test_only_an_address_of_a_hub_is_verified():
    knowledge, _ = watched()
    ping = new_ping(knowledge.pushes, 2)
    assert [verified(knowledge, one, SAID) for one in (ping, "other")] == [None, None]
    knowledge.pushes.put(replace(subscription(), kind="ping"))
    assert verified(knowledge, "secret", SAID) is None


def signature(method: str, key: str = "key", body: bytes = b"news") -> str:
    return f"{method}={hmac.new(key.encode(), body, method).hexdigest()}"


@pytest.mark.parametrize(
    ("push", "signed", "known"),
    [
        (subscription(), signature("sha256"), True),
        (subscription(), signature("sha1"), True),
        (subscription(), signature("sha384"), True),
        (subscription(), signature("sha512"), True),
        (subscription(), signature("sha256").upper().replace("SHA256", "sha256") + " ", True),
        (subscription(), signature("md5"), False),
        (subscription(), signature("sha256", "other"), False),
        (subscription(), signature("sha256", body=b"others"), False),
        (subscription(), "", False),
        (subscription(), "sha256=é", False),
        (subscription("asked"), signature("sha256"), False),
        (subscription("refused"), signature("sha256"), False),
        (replace(subscription(), sealed="broken"), signature("sha256"), False),
        (replace(subscription(), kind="ping"), signature("sha256"), None),
        (replace(subscription(), digest="other"), signature("sha256"), None),
    ],
    ids=range(15),
)
def test_news_count_with_a_valid_signature(push: Push, signed: str, known: bool | None):
    knowledge, _ = watched()
    knowledge.pushes.put(push)
    assert distributed(knowledge, SEAL, "secret", b"news", signed) is known
    assert wishes(knowledge) == ["told by WebSub"] * (known is True)


class Hub:
    """Answers subscriptions with a status, and keeps what was asked."""

    def __init__(self, status: int) -> None:
        self.status, self.asked = status, list[Ask]()

    async def ask(self, ask: Ask) -> Any:
        self.asked.append(ask)
        if self.status == 0:
            raise PageUnreachable("gone")
        return SimpleNamespace(answer=Answer(url=ask.url, status=self.status, headers=(), body=b""))


def subscriber(knowledge: MemoryKnowledge, status: int = 202) -> tuple[Subscriber, Hub]:
    hub: Any = Hub(status)
    return Subscriber(knowledge, hub, SEAL, "http://us.test//"), hub


PAGE = Answer(url=TOPIC, status=200, headers=(("Link", f"<{HUB}>; rel=hub"),), body=b"")


def test_a_hub_is_asked_once_for_each_page():
    knowledge, clock = watched()
    ours, hub = subscriber(knowledge)
    asyncio.run(ours.noticed(2, PAGE))
    asyncio.run(ours.noticed(2, PAGE))
    asyncio.run(ours.noticed(2, replace(PAGE, headers=())))
    (ask,) = hub.asked
    (push,) = knowledge.pushes.all()
    address, key = json.loads(SEAL.open_text(push.sealed, TOPIC))
    assert (len(address), len(key)) == (32, 43)
    assert (ask.url, ask.method, ask.fields) == (
        HUB,
        "POST",
        (
            ("hub.mode", "subscribe"),
            ("hub.topic", TOPIC),
            ("hub.callback", f"http://us.test/websub/{address}"),
            ("hub.secret", key),
            ("hub.lease_seconds", "864000"),
        ),
    )
    assert push == Push(
        digest=digest_of(address),
        page=2,
        kind="websub",
        hub=HUB,
        topic=TOPIC,
        sealed=push.sealed,
        state="asked",
        until=clock.now + HOUR,
    )
    asyncio.run(ours.noticed(3, PAGE))
    other = replace(PAGE, headers=(("Link", "<http://other.test/>; rel=hub"),))
    asyncio.run(ours.noticed(2, other))
    assert len(hub.asked) == 3


@pytest.mark.parametrize(
    ("status", "state"),
    [
        (202, None),
        (399, None),
        (400, "refused"),
        (404, "refused"),
        (499, "refused"),
        (500, "asked"),
        (0, "asked"),
    ],
)
def test_a_hub_that_refuses_is_not_asked_again(status: int, state: str | None):
    knowledge, clock = watched()
    knowledge.pushes.put(subscription("active", until=clock.now))
    ours, _ = subscriber(knowledge, status)
    asyncio.run(ours.renew())
    (push,) = knowledge.pushes.all()
    assert (push.state, push.until) == ((state, clock.now + HOUR) if state else ("active", clock.now))


@pytest.mark.parametrize(
    ("state", "left", "is_asked"),
    [
        ("active", HOUR, True),
        ("active", HOUR + 1, False),
        ("asked", 0, True),
        ("asked", 1, False),
        ("refused", -HOUR, False),
    ],
)
def test_a_subscription_that_ends_soon_is_renewed(state: str, left: int, *, is_asked: bool):
    knowledge, clock = watched()
    new_ping(knowledge.pushes, 2)
    knowledge.pushes.put(subscription(state, until=clock.now + left))
    ours, hub = subscriber(knowledge)
    asyncio.run(ours.renew())
    assert len(hub.asked) == is_asked


def test_a_refusal_lasts_from_the_first_moment_on():
    knowledge, _ = watched()
    knowledge.pushes.put(subscription("refused", until=0))
    ours, hub = subscriber(knowledge)
    asyncio.run(ours.renew())
    assert hub.asked == []


def answer(body: str = "", *links: str, kind: str = "text/html") -> Answer:
    headers = (("Content-Type", kind), *(("LINK", one) for one in links))
    return Answer(url="http://site.test/a/", status=200, headers=headers, body=body.encode())


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (answer(), None),
        (answer("", "</h>; rel=hub"), ("http://site.test/h", "http://site.test/a/")),
        (answer("", '</h>; REL="hub other", <s>; rel = self'), ("http://site.test/h", "http://site.test/a/s")),
        (answer("", "</h>; rel=hub", "</i>; rel=hub"), ("http://site.test/h", "http://site.test/a/")),
        (answer("", "</h>; title=hub"), None),
        (answer("", "</s>; rel=self"), None),
        (answer("<link rel='X hub' href=h><link rel=self href=/s>"), ("http://site.test/a/h", "http://site.test/s")),
        (answer("<link rel=hub href=/b>", "</h>; rel=hub"), ("http://site.test/h", "http://site.test/a/")),
        (answer("", "<http://[x>; rel=hub"), None),
        (answer("<link rel=hub href=/b>", "<http://[x>; rel=hub"), ("http://site.test/b", "http://site.test/a/")),
        (answer("<link rel=HUB href=h>"), ("http://site.test/a/h", "http://site.test/a/")),
        (answer("<p>hub"), None),
        (
            answer(
                f'<rss xmlns:atom="{ATOM}"><channel><atom:link rel="hub" href="/h"/></channel></rss>',
                kind="application/rss+xml",
            ),
            ("http://site.test/h", "http://site.test/a/"),
        ),
    ],
)  # fmt: skip
def test_a_page_names_its_hub_in_headers_or_markup(page: Answer, expected: tuple[str, str] | None):
    assert hub_and_topic(page) == expected


def test_a_secret_is_kept_as_its_hash():
    assert digest_of("tea") == hashlib.sha256(b"tea").hexdigest()
    assert len(digest_of("\udcff")) == 64
