"""The compared watches in, out for each sentinel whether what it watches is on the page at all (V4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from webvigil.document import PageDigest
from webvigil.errors import StoreError, WebVigilError
from webvigil.graph.due import Compared
from webvigil.graph.missing import missing_places, names_places
from webvigil.graph.nodes import Interest
from webvigil.model.memo import Once
from webvigil.model.sentinel import ChangeType
from webvigil.model.trouble import FINE, Trouble, Why
from webvigil.rules.trouble import NOT_JUDGED

Judged = dict[int, Trouble]


def to_judge(compared: Sequence[Compared], newest: int) -> list[Compared]:
    """Returns the watches for which the page may show something else than at the look before. Linked pages
    are left out: a sentinel names parts of its own pages only."""
    return [one for one in compared if not one.watch.level and (one.trouble or _is_new(one, newest))]


def _is_new(one: Compared, newest: int) -> bool:
    return one.watch.reference != newest or one.watch.trouble.why in NOT_JUDGED


def can_miss(interest: Interest) -> bool:
    return names_places(interest.part, _changes(interest))


def judge(
    judged: Sequence[Compared], interests: Sequence[Interest], digest: Callable[[], PageDigest]
) -> Judged:
    """Returns the trouble of each sentinel. `digest` loads the newest version, and is called only if
    something can be missing."""
    missed: Once[Interest, Trouble] = Once(lambda interest: _missed(interest, digest))
    return {
        one.watch.sentinel: _trouble(one, missed(interest))
        for one, interest in zip(judged, interests, strict=True)
    }


def _missed(interest: Interest, digest: Callable[[], PageDigest]) -> Trouble:
    if not can_miss(interest):
        return FINE
    try:
        found = missing_places(digest(), interest.part, _changes(interest))
    except StoreError:
        raise
    except WebVigilError as error:
        return Trouble(Why.BROKEN, str(error))
    return Trouble(Why.NOTHING, "; ".join(one.words for one in found)) if found else FINE


def _trouble(one: Compared, missed: Trouble) -> Trouble:
    if one.trouble:
        return Trouble(Why.BROKEN, one.trouble.removeprefix(f"{one.watch.name}: "))
    return missed


def _changes(interest: Interest) -> tuple[ChangeType, ...]:
    return tuple(node.change for node in interest.changes)
