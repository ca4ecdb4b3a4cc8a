"""An installed sentinel in, the other sentinels of its user that ask for the same out.

Two sentinels ask for the same if their canonical texts differ in nothing but name, title, topic and priority.
Both are kept, because a user may want that; the user is told, because mostly one was forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable

from webvigil.model.installed import InstalledSentinel

_FOR_READERS = ("Title ", "Topic ", "Priority ")


def twins_of(one: InstalledSentinel, others: Iterable[InstalledSentinel]) -> list[str]:
    """Returns the names of the sentinels that ask for the same as this one."""
    wish = _wish(one)
    return [other.name for other in others if other.name != one.name and _wish(other) == wish]


def warning_of(names: list[str]) -> str:
    """Returns the sentence that tells a user of equal sentinels."""
    return f"it asks for the same as {', '.join(names)}; remove one of them, or you are told twice"


def _wish(one: InstalledSentinel) -> list[str]:
    """Returns the lines of the canonical text without the name and what only sorts the sentinel for its
    reader."""
    first, *clauses = one.text.splitlines()
    _, _, target = first.partition(" Using ")
    return [target, *(line for line in clauses if not line.startswith(_FOR_READERS))]
