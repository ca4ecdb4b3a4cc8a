"""Topics of a user: the clauses that a topic gives to its sentinels, listed, shown and replaced.

A clause of a topic holds for all its sentinels that leave that clause out. When the clauses are replaced, the
sentinels of the topic are planned anew, all of them or none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from webvigil.app.sentinels.edit import followed, set_on
from webvigil.app.sentinels.install import InstallStore
from webvigil.app.sentinels.registry import Registry, registry_of
from webvigil.app.sentinels.topic_clauses import read_clauses, text_of_topic
from webvigil.app.settings import Settings
from webvigil.app.telling.contacts import ask_the_unverified
from webvigil.errors import NotFound, SentinelRefused
from webvigil.language import BARE, parse
from webvigil.language.names import normal, trouble_with
from webvigil.model.installed import InstalledSentinel, NewSentinel
from webvigil.model.sentinel import Sentinel, WebPage
from webvigil.model.topics import topics_in
from webvigil.model.wanted import WantedSentinels
from webvigil.store.promises import Sentinels


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A topic of a user: the clauses it says, "" if none, and how many sentinels it has."""

    name: str
    clauses: str
    sentinels: int


def topics_of(knowledge: InstallStore, user: str) -> list[Topic]:
    """Returns the user's topics by name: those of sentinels, and those that say something."""
    said, counts = knowledge.users.topics(user), knowledge.sentinels.topics(user)
    names = sorted({*counts, *said}, key=str.casefold)
    return [Topic(name=name, clauses=said.get(name, ""), sentinels=counts.get(name, 0)) for name in names]


def topic_of(knowledge: InstallStore, user: str, name: str) -> Topic:
    """Returns one topic. Raises NotFound if no sentinel has it and it says nothing."""
    found = Topic(
        name=name,
        clauses=knowledge.users.topics(user).get(name, ""),
        sentinels=_count(knowledge.sentinels, user, name),
    )
    if not found.clauses and not found.sentinels:
        raise NotFound(f"there is no topic {name!r}")
    return found


def say_topic(knowledge: InstallStore, settings: Settings, name: str, text: str) -> Topic:
    """Lets a topic say these clauses, "" for none, and plans its sentinels anew.

    Raises MistakeInText or SentinelRefused, with the sentinel that it does not fit.
    """
    name = normal(name)
    if trouble := trouble_with(name) or ("" if topics_in(name) == (name,) else "a topic has no comma"):
        raise SentinelRefused(trouble)
    clauses = read_clauses(text)
    registry = registry_of(knowledge, settings)
    registry.topics = {**registry.topics, name: clauses}
    _refuse(replace(BARE, topics=(name,), target=_SOMEWHERE), registry)
    planned = list(_planned(knowledge, registry, name))
    ask_the_unverified(knowledge, settings.user, [clauses])
    knowledge.users.say_topic(settings.user, name, text_of_topic(clauses))
    if planned:
        knowledge.sentinels.replace(*planned)
    return Topic(
        name=name, clauses=text_of_topic(clauses), sentinels=_count(knowledge.sentinels, settings.user, name)
    )


_SOMEWHERE = WebPage("https://example.org/")


def _refuse(sentinel: Sentinel, registry: Registry) -> None:
    """Raises SentinelRefused if the clauses of a topic fit no sentinel, such as an interval that is too short
    here."""
    trial = replace(registry, planned={}, sentinels={}, edited=sentinel.name)
    trial.topics = registry.topics
    if refused := trial.take(sentinel):
        raise SentinelRefused("; ".join(map(str, refused)))


def _planned(knowledge: InstallStore, registry: Registry, topic: str) -> Iterator[NewSentinel]:
    """Yields the sentinels of the topic as they are planned now, and those that are set on them."""
    user = registry.settings.user
    done: set[str] = set()
    for one in _on_topic(knowledge.sentinels, user, topic):
        for sentinel in [parse(one.written)[0], *set_on(knowledge.sentinels, user, one.name)]:
            if sentinel.name not in done:
                done.add(sentinel.name)
                yield followed(registry, sentinel)


def _on_topic(sentinels: Sentinels, user: str, topic: str) -> Iterator[InstalledSentinel]:
    wanted = WantedSentinels(user=user, topic=topic)
    while found := sentinels.some(wanted):
        yield from found
        wanted = replace(wanted, before=found[-1].id)


def _count(sentinels: Sentinels, user: str, topic: str) -> int:
    return sentinels.count(WantedSentinels(user=user, topic=topic))
