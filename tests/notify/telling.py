"""Delivery on a clock that tests set, with a channel that records what it was given."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any

from tests.store.making import sentinel
from webvigil.app.telling.delivery import Teller
from webvigil.errors import ChannelError
from webvigil.model.contact import KnownContact
from webvigil.model.moment import Millis, as_datetime
from webvigil.model.notice import Notice, Receipt
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.promises import Knowledge

START: Millis = 1_800_000_000_000
MINUTE = 60_000


class Clock:
    def __init__(self, now: Millis = START) -> None:
        self.now = now

    def __call__(self) -> Millis:
        return self.now

    def passes(self, *, minutes: float) -> None:
        self.now += int(minutes * MINUTE)


@dataclass
class Recorder:
    """A channel that records each notice and its time. Each of `troubles` is raised first, one for each
    sending."""

    clock: Clock
    told: list[tuple[Millis, Notice]] = field(default_factory=list)
    troubles: list[ChannelError | None] = field(default_factory=list)

    async def send(self, notice: Notice) -> Receipt:
        trouble = self.troubles.pop(0) if self.troubles else None
        if trouble:
            raise trouble
        self.told.append((self.clock(), notice))
        return Receipt(dedup=notice.dedup, delivered_at=as_datetime(self.clock()))

    @property
    def names(self) -> list[list[str]]:
        """Returns the names of the changes in each message."""
        return [names_in(notice) for _, notice in self.told]


class Telling:
    def __init__(
        self, knowledge: Knowledge | None = None, clock: Clock | None = None, **options: Any
    ) -> None:
        self.clock = clock or Clock()
        self.knowledge = knowledge or MemoryKnowledge(clock=self.clock)
        if not any(user.name == "jill" for user in self.knowledge.users.all()):
            self.knowledge.users.add("jill", zone=options.pop("zone", "UTC"))
        self.channel = Recorder(self.clock)
        self.teller = Teller(
            self.knowledge, dict.fromkeys(("email", "webhook", "log"), self.channel), **options
        )
        self.verify("jill@example.org")

    def verify(self, address: str) -> None:
        known = KnownContact(user="jill", channel="email", address=address, verified_at=1)
        self.knowledge.contacts.put(known)

    def add(self, name: str, **more: Any) -> None:
        assert self.knowledge.outbox.add(change(name, **more))

    def counts(self, name: str, changes: int) -> None:
        """Installs such a sentinel, which goes on counting changes."""
        text = f"Create Sentinel {name} Using http://site.test/ Notify By log Every {changes} changes"
        self.knowledge.sentinels.add(sentinel(name, text=text))

    def turn(self, *, minutes: float = 0) -> None:
        self.clock.passes(minutes=minutes)
        asyncio.run(self._turns())

    async def _turns(self) -> None:
        while await self.teller.turn("w"):
            pass


def change(name: str, *, to: str = "jill@example.org", channel: str = "email", **more: Any) -> Notice:
    body = {
        "event": "change",
        "name": name,
        "sentinel": more.get("sentinel", "s1"),
        "url": "https://example.org/",
        "summary": "1 new",
        "amounts": {"types": ["all links"], "new": 1, "links_added": 1},
    }
    made = Notice(
        dedup=name,
        user="jill",
        channel=channel,
        address=to,
        subject=f"{name} has changed",
        body=body | more.pop("body", {}),
        sentinel="s1",
    )
    return replace(made, **more)


def names_in(notice: Notice) -> list[str]:
    """Returns the names in the order in which the changes were found."""
    body = notice.body
    if body.get("event") != "summary":
        return [str(body.get("name", notice.dedup))]
    return [str(entry["name"]) for entry in sorted(body["entries"], key=lambda one: int(one["name"]))]
