"""Installed sentinels in, the other sentinels of their user that ask for the same out.

Two sentinels ask for the same if their canonical texts differ in nothing but name, title, topic and priority.
Both are kept, because a user may want that; the user is told, because mostly one was forgotten.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from webvigil.model.installed import InstalledSentinel

_FOR_READERS = ("Title ", "Topic ", "Priority ", "Message ")


def twins_of(some: Sequence[InstalledSentinel], others: Iterable[InstalledSentinel]) -> list[list[str]]:
    """Returns for each of some sentinels the names of the others that ask for the same. Each text is read
    once, because a file may bring thousands of sentinels."""
    names: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for other in others:
        names[_wish(other)].append(other.name)
    return [[name for name in names.get(_wish(one), ()) if name != one.name] for one in some]


def warning_of(names: list[str]) -> str:
    """Returns the sentence that tells a user of equal sentinels."""
    return f"it asks for the same as {', '.join(names)}; remove one of them, or you are told twice"


def _wish(one: InstalledSentinel) -> tuple[str, ...]:
    """Returns the lines of the canonical text without the name and what only sorts the sentinel for its
    reader."""
    first, *clauses = one.text.splitlines()
    _, _, target = first.partition(" Using ")
    return (target, *(line for line in clauses if not line.startswith(_FOR_READERS)))
