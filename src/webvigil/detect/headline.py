"""Findings in, one sentence out that tells what happened: for subjects of mails, cards and notifications.

    Polaris sofa: € 1,299.00 → € 1,279.00 (−1.5 %)
    2 new rows in Prices: Delta shelf, Echo chair
    3 new links, among them “Carpenter wanted”

The sentence is made from the findings alone, so the same findings always have the same headline. The change
that says most comes first; what else there is follows as an amount of things that a reader knows (rows,
links, prices, words).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from webvigil.detect.quantities import parse_value
from webvigil.model.change import Finding, ObjectChange, Status

LONGEST = 160
"""The most characters of a headline."""
NBSP = "\u00a0"
NOTHING = "Nothing changed"
_SIDE = 48
_NAME = 40
_LISTED = 3

_ENDS = re.compile(r"/([^/\[]+)(?:\[\d+\])?$")
_SIGNS = "€$£¥₹₽₩₺₴₫₪฿¢"
_TIED = re.compile(
    rf"(?<=[{_SIGNS}]) (?=\d)|(?<=\d) (?=[%‰°{_SIGNS}]|(?:EUR|USD|GBP|CHF|kg|g|km|m|cm|mm|l|ml|h)\b)"
)
_BEFORE = re.compile(rf"(?:[{_SIGNS}]|\b(?:EUR|USD|GBP|CHF|Fr\.))\s?$")
_BEHIND = re.compile(rf"^\s?(?:[%‰°{_SIGNS}]|(?:EUR|USD|GBP|CHF)\b)")


class _Thing(NamedTuple):
    """One change as it counts in a headline: the noun for things of its kind, and what became of it."""

    noun: str
    turn: str
    one: ObjectChange


_TURNS = {
    Status.NEW: "new",
    Status.MORE: "new",
    Status.GONE: "gone",
    Status.FEWER: "gone",
    Status.UPDATED: "changed",
    Status.MOVED: "moved",
}
_PLURALS = {"entry": "entries", "words": "passages"}
# The earlier a noun, the more a change of such a thing says.
_ORDER = ("price", "value", "cell", "row", "item", "entry", "word", "passage", "link", "picture", "title")


def headline(findings: Iterable[Finding]) -> str:
    """Returns one sentence of at most `LONGEST` characters."""
    changed = [finding for finding in findings if finding.changed]
    if not changed:
        return NOTHING
    if said := next((finding.note for finding in changed if finding.type == "within"), ""):
        return _bounded(said[:1].upper() + said[1:])
    things = _things(changed)
    groups: dict[tuple[str, str], list[_Thing]] = {}
    for thing in things:
        groups.setdefault((thing.noun, thing.turn), []).append(thing)
    (first, *others) = sorted(groups.values(), key=_weight)
    said = _told(first)
    if rest := _rest(first, others):
        said = f"{said}; {rest}"
    return _bounded(said)


def _weight(group: Sequence[_Thing]) -> tuple[int, int]:
    noun = group[0].noun
    return _ORDER.index(noun) if noun in _ORDER else len(_ORDER), group[0].turn == "moved"


def _things(findings: Sequence[Finding]) -> list[_Thing]:
    """Returns the changes. What several change types found is told once."""
    found: dict[tuple[object, ...], _Thing] = {}
    for finding in findings:
        for one in finding.objects:
            key = (one.object, one.before, one.after, one.where[:1])
            found.setdefault(key, _Thing(_noun(finding.type, one), _TURNS[one.status], one))
    return list(found.values())


def _noun(kind: str, one: ObjectChange) -> str:
    match = _ENDS.search(one.where[0]) if one.where else None
    element = match[1] if match else ""
    if one.old is not None or one.new is not None:
        if kind == "keywords":
            return "word"
        if kind == "all images" or element in ("img", "source", "image", "picture", "video"):
            return "picture"
        if kind in ("all links", "any change"):
            return "link"
        return _KINDS.get(kind, "thing")
    if element == "title" and kind in ("any change", "content"):
        return "title"
    if element == "tr":
        return "row"
    if element in ("li", "dt", "dd") and kind in ("list", "any change") and one.status is not Status.UPDATED:
        return "item"
    if kind == "visual":
        return "region"
    if one.before is not None and one.after is not None and (number := _number(one.after)) is not None:
        return "price" if number[1] else "value"
    if element in ("td", "th") and kind == "table":
        return "cell"
    return _KINDS.get(kind, "passage")


_KINDS = {
    "keywords": "word",
    "value": "value",
    "table": "row",
    "list": "item",
    "structure": "element",
    "layout": "element",
    "tags": "tag",
    "attributes": "attribute",
    "comments": "comment",
    "visual": "region",
    "appearance": "background",
    "exact change": "byte",
}


# --- the first part ---------------------------------------------------------------------------------


def _told(group: Sequence[_Thing]) -> str:
    noun, turn, one = group[0]
    if turn == "changed" and len(group) == 1:
        return _updated(one)
    if turn == "changed" and noun in ("price", "value", "cell", "passage", "item", "row", "title"):
        more = len(group) - 1
        return f"{_updated(one)}, and {more} more {_plural(noun, more)} changed"
    return _listed(group)


def _updated(one: ObjectChange) -> str:
    """Returns `name: before → after`, with the change in percent where both are numbers."""
    before, after = _sides(one)
    name = _name(one)
    step = _percent(one.before or "", one.after or "")
    said = f"{_short(before)} → {_short(after)}" if before and after else _short(after or before)
    if name and name not in (before, after):
        said = f"{name}: {said}"
    return f"{said} ({step})" if step else said


def _sides(one: ObjectChange) -> tuple[str, str]:
    """Returns both texts as a reader knows them: an amount with its currency, few words with those beside."""
    before, after = one.before or "", one.after or ""
    around = one.surrounding
    if around is None or not (around.before and around.after):
        return before, after
    if _number(before) and _number(after):
        return _with_unit(before, around.before), _with_unit(after, around.after)
    if max(len(around.before), len(around.after)) <= _SIDE and len(before) + len(after) < _SIDE:
        return around.before, around.after
    return before, after


def _with_unit(text: str, around: str) -> str:
    """Returns a number with the sign of its currency or percent, if that stands beside it."""
    at = around.find(text)
    if at < 0:
        return text
    lead, tail = _BEFORE.search(around[:at]), _BEHIND.search(around[at + len(text) :])
    return (lead[0] if lead else "") + text + (tail[0] if tail and not lead else "")


def _listed(group: Sequence[_Thing]) -> str:
    """Returns how many things came, went or moved, and what they are called."""
    noun, turn, one = group[0]
    many = len(group)
    names = list(dict.fromkeys(filter(None, (_called(thing) for thing in group))))
    section = one.section if noun in ("row", "item") and _same_section(group) else ""
    place = f" {_WITHIN[turn]} {_short(section, _NAME)}" if section and section not in names[:1] else ""
    counted = f"{many} {turn} {_plural(noun, many)}" if many > 1 else f"{turn.capitalize()} {noun}"
    if turn in ("gone", "changed", "moved"):
        counted = f"{many} {_plural(noun, many)} {turn}" if many > 1 else f"{noun.capitalize()} {turn}"
    said = f"{counted}{place}"
    if not names:
        return said
    if many <= _LISTED and len(names) == many:
        return f"{said}: {', '.join(_short(name, _SIDE) for name in names)}"
    return f"{said}, among them “{_short(names[0], _SIDE)}”"


_WITHIN = {"new": "in", "gone": "from", "changed": "in", "moved": "in"}


def _same_section(group: Sequence[_Thing]) -> bool:
    return len({thing.one.section for thing in group}) == 1


def _called(thing: _Thing) -> str:
    """Returns what a thing that came or went is called."""
    one = thing.one
    if thing.noun == "link":
        return one.link_text or _tail(one.object)
    if thing.noun == "picture":
        return one.label or _tail(one.object)
    if thing.noun in ("row", "item", "cell", "word", "tag", "element", "attribute"):
        return one.object
    return one.after or one.before or one.object


def _tail(address: str) -> str:
    """Returns the end of an address, which often says what it leads to."""
    return address.split("://")[-1].rstrip("/").rpartition("/")[2] or address


# --- the rest ---------------------------------------------------------------------------------------


def _rest(first: Sequence[_Thing], others: Sequence[Sequence[_Thing]]) -> str:
    if not others:
        return ""
    said = [f"{len(group)} {_plural(group[0].noun, len(group))} {group[0].turn}" for group in others[:3]]
    if len(others) > 3:
        said.append(f"{sum(map(len, others[3:]))} more")
    return "also " + ", ".join(said)


def _plural(noun: str, many: int) -> str:
    return noun if many == 1 else _PLURALS.get(noun, f"{noun}s")


# --- texts ------------------------------------------------------------------------------------------


def _name(one: ObjectChange) -> str:
    return _short(one.label, 2 * _NAME)


def _number(text: str) -> tuple[Decimal, str] | None:
    """Returns the number that a short text is, and its unit."""
    if len(text) > _SIDE or not any(map(str.isdigit, text)):
        return None
    value = parse_value(text)
    return (value.number, value.unit) if value.kind == "number" and value.number is not None else None


def _percent(before: str, after: str) -> str:
    """Returns by how much a number changed, such as `−1.5 %`; "" if that says nothing."""
    one, other = _number(before), _number(after)
    if one is None or other is None or one[0] <= 0 or "%" in (one[1], other[1]):
        return ""
    share = float((other[0] - one[0]) / one[0] * 100)
    if not 0.05 <= abs(share) < 10_000:
        return ""
    digits = f"{abs(share):.1f}".removesuffix(".0")
    return f"{'+' if share > 0 else '−'}{digits}{NBSP}%"


def _short(text: str, longest: int = _SIDE) -> str:
    line = _TIED.sub(NBSP, " ".join(text[: 20 * longest].split()))
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def _bounded(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
