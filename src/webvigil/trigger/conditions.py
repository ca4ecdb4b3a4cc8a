"""A `When` condition and what was found in, yes or no out (T1).

    changed > 50%        the largest share of what is watched that changed; without % how many objects did
    inserted >= 3        objects that came; also deleted, updated, moved; with % the share that they are of it
    score > 1500         what all findings weigh together
    appears "sold out"   the text stands on the new version and did not on the old; also disappears
    value < 10           a watched value is below 10 now
    value drops 10%      it is lower by a tenth, or by 10 without %, than when the sentinel last told of it

Of values that come and go step by step the whole way counts: they are measured from the version at which
the sentinel last told something, or from the first. A part that vanished is told whatever is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from webvigil.detect.quantities import parse_value
from webvigil.detect.sequences import Haystack, finder, folded, folded_words
from webvigil.document import PageDigest
from webvigil.document.patterns import compile_pattern
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.logic import holds
from webvigil.model.sentinel import (
    Condition,
    WhenCondition,
    conditions_of,
)

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, "!=": ne,
}  # fmt: skip
_MOVES = ("drops", "rises", "moves")
_STATUSES = {
    "inserted": (Status.NEW, Status.MORE),
    "deleted": (Status.GONE, Status.FEWER),
    "updated": (Status.UPDATED,),
    "moved": (Status.MOVED,),
    "changed": tuple(Status),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What a sentinel found, what became of its values since it last told, and how to look at the page."""

    findings: tuple[Finding, ...]
    since: tuple[Finding, ...]
    look: Callable[[], tuple[PageDigest, PageDigest]]
    vanished: bool = False


def worth_telling(condition: WhenCondition | None, case: Case) -> bool:
    return condition is None or case.vanished or holds(condition, lambda one: _is_met(one, case))


def measures_values(condition: WhenCondition | None) -> bool:
    """Does it ask how far a value has moved?"""
    return any(one.operator in _MOVES for one in conditions_of(condition))


def _is_met(condition: Condition, case: Case) -> bool:
    match condition:
        case Condition("appears"):
            return _appears(condition, *case.look())
        case Condition("disappears"):
            return _appears(condition, *reversed(case.look()))
        case Condition("value", "drops" | "rises" | "moves"):
            return any(_moved(condition, one) for one in _values(case.since))
        case Condition("value"):
            return any(_is(condition, _number(one.after)) for one in _values(case.findings))
    return _is(condition, _amount(condition, case.findings))


def _is(condition: Condition, amount: Decimal | float | None) -> bool:
    if amount is None or condition.number is None:
        return False
    # Through its text a number such as 0.1 is the one that was written.
    return _COMPARISONS[condition.operator](Decimal(str(amount)), Decimal(str(condition.number)))


# --- how much -------------------------------------------------------------------------------------


def _amount(condition: Condition, findings: tuple[Finding, ...]) -> float:
    if condition.subject == "score":
        return sum(one.score for one in findings)
    statuses = _STATUSES[condition.subject]
    if condition.unit == "%":
        return max((100 * one.share * _part(one, statuses) for one in findings), default=0.0)
    return sum(_count(one.objects, statuses) for one in findings)


def _part(finding: Finding, statuses: tuple[Status, ...]) -> float:
    every = _count(finding.objects, tuple(Status))
    return _count(finding.objects, statuses) / every if every else 0.0


def _count(objects: Iterable[ObjectChange], statuses: tuple[Status, ...]) -> int:
    """A link that stands there three times more often was inserted three times."""
    return sum(_times(one) for one in objects if one.status in statuses)


def _times(one: ObjectChange) -> int:
    return abs(one.new - one.old) if one.old is not None and one.new is not None else 1


# --- texts ----------------------------------------------------------------------------------------


def _appears(condition: Condition, before: PageDigest, after: PageDigest) -> bool:
    return not _stands(condition, before) and _stands(condition, after)


def _stands(condition: Condition, digest: PageDigest) -> bool:
    """An expression by a match; a text by its words, whatever their case, or without any (`€`) by its
    characters."""
    text = condition.text
    if condition.operator == "matches":
        return compile_pattern(text).occurs_in(digest.shown.text)
    words = folded_words(text)
    if words:
        return bool(finder(words).counts(Haystack(digest.words.words)))
    return folded(" ".join(text.split())) in folded(digest.visible_text)


# --- values ---------------------------------------------------------------------------------------


def _values(findings: tuple[Finding, ...]) -> Iterator[ObjectChange]:
    """Those of the watched values; of a sentinel that watches none, whatever has a text."""
    chosen = [one for one in findings if one.type == "value"] or findings
    return (one for finding in chosen for one in finding.objects)


def _moved(condition: Condition, one: ObjectChange) -> bool:
    old, new = parse_value(one.before or ""), parse_value(one.after or "")
    before, after = old.number, new.number
    if before is None or after is None or condition.number is None or len({old.unit, new.unit} - {""}) > 1:
        return False
    step = {"drops": before - after, "rises": after - before}.get(condition.operator, abs(after - before))
    asked = Decimal(str(condition.number))
    if condition.unit == "%":
        asked = abs(before) * asked / 100
    return step > 0 and step >= asked


def _number(text: str | None) -> Decimal | None:
    return parse_value(text).number if text else None
