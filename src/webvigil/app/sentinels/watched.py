"""The text of a sentinel in, what it watches out: as an expression, and in few words.

Several sentinels often watch one page, and share its title in lists. What each watches tells them apart:
`price`, `links`, `table “Prices”`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from webvigil.detect.gist import quantity
from webvigil.errors import WebVigilError
from webvigil.language import parse, parse_expression
from webvigil.model.change import Finding
from webvigil.model.change_types import KINDS
from webvigil.model.sentinel import And, ChangeExpression, ChangeType, Not, Or

_ANY_CHANGE = ChangeType("any change")
_MONITOR = "Monitor "
# Parts of an expression, and words or phrases of one change type, that are named; characters of each.
_NAMED, _QUOTED, _LONGEST = 3, 2, 40


def monitored(text: str) -> ChangeExpression:
    """Returns what a sentinel watches. Thousands of sentinels have the same Monitor line, so only that line
    is parsed, once. A text with quotes may contain such a line inside a quoted text, so it is parsed whole.
    Raises a WebVigilError for a text that cannot be read."""
    if '"' in text or not text.startswith("Create Sentinel "):
        return _read_whole(text)
    lines = [line for line in text.splitlines() if line.startswith(_MONITOR)]
    return _read_line(lines[0]) if len(lines) == 1 else _read_whole(text)


@lru_cache(4096)
def _read_line(line: str) -> ChangeExpression:
    return parse_expression(line.removeprefix(_MONITOR))


@lru_cache(4096)
def _read_whole(text: str) -> ChangeExpression:
    return parse(text)[0].monitor or _ANY_CHANGE


def in_short(text: str, found: Sequence[Finding] = ()) -> str:
    """Returns what a sentinel watches, in few words; "" for a text that this version cannot read. `found` is
    what it found last: with it, values that are amounts of money are called prices."""
    try:
        expression = monitored(text)
    except WebVigilError:
        return ""
    values = next((_values(one) for one in found if one.type == "value"), "")
    return _in_short(expression, values)


def watches_anything(text: str) -> bool:
    """Tells whether a sentinel watches all of its page, as one does that says nothing else."""
    try:
        return monitored(text) == _ANY_CHANGE
    except WebVigilError:
        return False


def found_in_short(findings: Iterable[Finding]) -> str:
    """Returns what the sentinel watches that made these findings, in few words; "" if it watches
    anything."""
    kinds = {one.type: one for one in findings if one.type in KINDS and one.type != _ANY_CHANGE.kind}
    return _joined([_values(one) or KINDS[kind].called for kind, one in kinds.items()], ", ")


def _values(finding: Finding) -> str:
    """Returns `price`, `prices`, `value` or `values`; "" if the finding is not about values."""
    if finding.type != "value" or not finding.objects:
        return ""
    noun = quantity(finding.objects[0]) or "value"
    return noun if len(finding.objects) == 1 else f"{noun}s"


def _in_short(one: ChangeExpression, values: str) -> str:
    match one:
        case And(operands):
            return _joined([_in_short(part, values) for part in operands], " and ")
        case Or(operands):
            return _joined([_in_short(part, values) for part in operands], " or ")
        case Not(operand):
            return f"not {_in_short(operand, values)}"
        case ChangeType():
            return _change_type(one, values)


def _change_type(one: ChangeType, values: str) -> str:
    called = KINDS[one.kind].called if one.kind in KINDS else one.kind
    if one.kind == "value":
        return values or (f"value {_quoted(one)}" if one.option == "json" else called)
    if one.kind in ("table", "list") and one.option.startswith("css"):
        return called
    if one.kind in ("keywords", "phrase", "table", "list"):
        return f"{one.kind} {_quoted(one)}"
    return called


def _quoted(one: ChangeType) -> str:
    more = "…" if len(one.arguments) > _QUOTED else ""
    short = (
        text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…" for text in one.arguments[:_QUOTED]
    )
    return ", ".join(f"“{text}”" for text in short) + more


def _joined(words: Sequence[str], joint: str) -> str:
    named = list(dict.fromkeys(words))
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return joint.join(named[:_NAMED]) + more
