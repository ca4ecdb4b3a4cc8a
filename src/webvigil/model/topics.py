"""The topics of a sentinel: names by which its user sorts sentinels. Commas separate several topics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

LONGEST_TOGETHER = 200
JOINT = ", "


def topics_in(text: str) -> tuple[str, ...]:
    """Returns the topics that a text names, each once."""
    return tuple(dict.fromkeys(one.strip(" ") for one in text.split(",") if one.strip(" ")))


def topics_text(topics: Iterable[str]) -> str:
    return JOINT.join(topics)


def counted(texts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Returns how many sentinels each topic has, by topic. The texts come with the number of sentinels that
    have exactly these topics."""
    found: Counter[str] = Counter()
    for text, number in texts:
        found.update(dict.fromkeys(topics_in(text), number))
    return dict(sorted(found.items()))


def with_topic(said: dict[str, str], topic: str, clauses: str) -> dict[str, str]:
    """Returns what topics say after this one says these clauses; with "" it says nothing any more."""
    others = {name: text for name, text in said.items() if name != topic}
    return others | {topic: clauses} if clauses else others


def has_topic(text: str, wanted: str | None) -> bool:
    """Tells whether a text names the wanted topic. None wants nothing special, "" wants a text without
    topics."""
    return wanted is None or (wanted in topics_in(text) if wanted else not text)
