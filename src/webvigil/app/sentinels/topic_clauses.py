"""The text of a topic's clauses in, a sentinel that has only these clauses out, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from webvigil.errors import MistakeInText, SentinelRefused
from webvigil.language import BARE, HEAD, parse, print_clauses
from webvigil.model.installed import InstalledSentinel
from webvigil.model.sentinel import Sentinel
from webvigil.rules.inherit import BY_TOPIC, by_topics

if TYPE_CHECKING:
    from webvigil.store.promises import Users

_WORDS = "Fetch, Notify By, Every, Ignore, Quiet, Only, Message, Summary and Priority"


def read_clauses(text: str) -> Sentinel:
    """Returns a sentinel that says these clauses and nothing else. Raises MistakeInText for a text that
    cannot be read, SentinelRefused for a clause that a topic cannot say."""
    if not text.strip():
        return BARE
    try:
        found = parse(HEAD + text)
    except MistakeInText as error:
        # The reader knows nothing of the line that stands before the clauses.
        line = max(error.line - HEAD.count("\n"), 1)
        raise MistakeInText(error.message, line=line, column=error.column) from error
    if len(found) != 1:
        raise SentinelRefused(f"a topic says clauses, no whole sentinel: {_WORDS}")
    others = [one.name for one in fields(Sentinel) if one.name not in BY_TOPIC]
    if replace(found[0], **{name: getattr(BARE, name) for name in others}) != found[0]:
        raise SentinelRefused(f"a topic can say {_WORDS}; everything else belongs to a sentinel")
    return found[0]


def text_of_topic(clauses: Sentinel) -> str:
    """Returns the text of what a topic says: the inverse of `read_clauses`."""
    return print_clauses(**{name: getattr(clauses, name) for name in BY_TOPIC})


def said_by_topics(users: Users, user: str) -> Mapping[str, Sentinel]:
    return {topic: read_clauses(text) for topic, text in users.topics(user).items()}


def origins(users: Users, one: InstalledSentinel) -> list[tuple[str, str]]:
    """Returns each topic that adds clauses to a sentinel, with these clauses."""
    if not one.own:
        return []
    (own,) = parse(one.own)
    said = said_by_topics(users, one.user)
    return [(topic, print_clauses(**added)) for topic, added in by_topics(own, said)]
