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
from webvigil.document.images import ELEMENTS as PICTURES
from webvigil.document.naming import JOINT, cut
from webvigil.model.change import CELL_JOINT, Finding, ObjectChange, Range, Status

LONGEST = 160
"""The most characters of a headline."""
NBSP = "\u00a0"
NOTHING = "Nothing changed"
_SIDE = 48
_NAME = 40
_LISTED = 3
# So many changed passages are told as an amount, and with the share of the text where text is watched.
_MUCH = 20
_STATE = "status"
_PRODUCT = "product"
_OF_TEXT = ("any change", "all words", "content")

_ENDS = re.compile(r"/([^/\[]+)(?:\[\d+\])?$")
_FRAME = re.compile(r"/(?:nav|aside|footer|header)(?:\[\d+\])?(?:/|$)")
_CELL = re.compile(r"/(?:td|th|tr)(?:\[\d+\])?(?:/|$)")
_SIGNS = "€$£¥₹₽₩₺₴₫₪฿¢"
_TIED = re.compile(
    rf"(?<=[{_SIGNS}]) (?=\d)|(?<=\d) (?=[%‰°{_SIGNS}]|(?:EUR|USD|GBP|CHF|kg|g|km|m|cm|mm|l|ml|h)\b)"
)
_TERM_BEFORE = re.compile(r"\w[\w.,:/-]*[.,:/-]$")
_TERM_BEHIND = re.compile(r"^[.,:/-][\w.,:/-]*\w")
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
# The earlier a noun, the more a change of such a thing says.
_ORDER = (
    "price",
    "availability",
    "value",
    "cell",
    "row",
    "item",
    "word",
    "passage",
    "link",
    "picture",
    "title",
)


def headline(findings: Iterable[Finding]) -> str:
    """Returns one sentence of at most `LONGEST` characters."""
    changed = [finding for finding in findings if finding.changed]
    if not changed:
        return NOTHING
    if said := next((finding.note for finding in changed if finding.type == "within"), ""):
        return _bounded(said[:1].upper() + said[1:])
    if all(finding.type == _STATE for finding in changed):
        return _bounded(_state(changed))
    if all(finding.type == _PRODUCT for finding in changed):
        return _bounded(_products([one for finding in changed for one in finding.objects]))
    things = _things(changed)
    groups: dict[tuple[str, str], list[_Thing]] = {}
    for thing in things:
        groups.setdefault((thing.noun, thing.turn), []).append(thing)
    (first, *others) = sorted(groups.values(), key=_weight)
    texts = sum(len(group) for (noun, _), group in groups.items() if noun == "passage")
    if texts >= _MUCH:
        said = _much(texts, changed)
        others = [group for group in (first, *others) if group[0].noun != "passage"]
    else:
        said = _told(first)
    if rest := _rest(others):
        said = f"{said}; {rest}"
    return _bounded(said)


def amounts(findings: Iterable[Finding]) -> str:
    """Returns how much changed, counted in things that a reader knows: `3 new links, 1 row gone, 12 % of the
    text`. The share of the text is told only where text is watched."""
    changed = [finding for finding in findings if finding.changed]
    if changed and all(finding.type == _STATE for finding in changed):
        return "another state"
    groups: dict[tuple[str, str], int] = {}
    for thing in _things(changed):
        groups[thing.noun, thing.turn] = groups.get((thing.noun, thing.turn), 0) + 1
    parts = [_counted(noun, turn, many) for (noun, turn), many in groups.items()]
    for kinds, what in ((_OF_TEXT, "text"), (("visual",), "picture")):
        share = max((finding.share for finding in changed if finding.type in kinds), default=0.0)
        # A smaller share would be shown as "0 %".
        if share >= 0.005:
            parts.append(f"{round(share * 100)}{NBSP}% of the {what}")
    return ", ".join(parts)


def _state(changed: Sequence[Finding]) -> str:
    """Returns how the state of a page changed: `State: up → down; status: 200 OK → 503`. Its numbers are no
    quantities."""
    said = "; ".join(
        f"{one.object}: {one.before} → {one.after}" for found in changed for one in found.objects
    )
    return said[:1].upper() + said[1:]


def _products(objects: Sequence[ObjectChange]) -> str:
    """Returns what became of products: the first one fact by fact, others as an amount."""
    products: dict[str, list[ObjectChange]] = {}
    for one in objects:
        products.setdefault(one.label.removesuffix(one.object.capitalize()), []).append(one)
    (first, *others) = sorted(products.values(), key=lambda facts: facts[0].status is not Status.UPDATED)
    said = _one_product(first)
    more = len(others)
    return f"{said}, and {more} more {_plural('product', more)} changed" if more else said


def _one_product(facts: Sequence[ObjectChange]) -> str:
    """Returns `Polaris sofa · Price: € 1,299.00 → € 1,279.00 (−1.5 %); Availability: …`. A product that came
    or went is told as a whole."""
    status = facts[0].status
    name = _short(facts[0].section, 2 * _NAME)
    if status is not Status.UPDATED and any(one.object == "name" for one in facts):
        details = ", ".join(_short(one.after or one.before or "") for one in facts if one.object != "name")
        turn = "New product" if status is Status.NEW else "Product gone"
        return f"{turn}: {name} ({details})" if details else f"{turn}: {name}"
    said = []
    for one in facts:
        gone = " gone" if one.status is Status.GONE else ""
        said.append(f"{one.object.capitalize()}{gone}: {_updated(one._replace(label=''))}")
    return f"{name}{JOINT}{'; '.join(said)}"


def _much(texts: int, changed: Sequence[Finding]) -> str:
    """Returns how much of the text changed, where more of it changed than a sentence can tell."""
    share = max((finding.share for finding in changed if finding.type in _OF_TEXT), default=0.0)
    amount = f", {round(share * 100)}{NBSP}% of the text" if share >= 0.01 else ""
    return f"The text changed in {texts} passages{amount}"


def _weight(group: Sequence[_Thing]) -> tuple[int, int]:
    noun = group[0].noun
    order = _ORDER.index(noun) if noun in _ORDER else len(_ORDER)
    # What happens in the frame of a page says less than what happens in its text.
    framed = all(_FRAME.search(thing.one.where[0]) for thing in group if thing.one.where)
    return order + framed * len(_ORDER), group[0].turn == "moved"


def _things(findings: Sequence[Finding]) -> list[_Thing]:
    """Returns the changes. What several change types found is told once."""
    found: dict[tuple[object, ...], _Thing] = {}
    for finding in findings:
        for one in finding.objects:
            key = (one.object, one.before, one.after, one.where[:1])
            found.setdefault(key, _Thing(_noun(finding.type, one), _TURNS[one.status], one))
    return _paired(list(found.values()))


def _paired(things: list[_Thing]) -> list[_Thing]:
    """Returns the changes, with a text that went at one place and came at another as one that moved, and a
    link that kept its text as one that leads elsewhere."""
    gone: dict[tuple[str, str], list[int]] = {}
    for place, thing in enumerate(things):
        if thing.turn == "gone" and thing.noun in _MOVING:
            gone.setdefault((thing.noun, _called(thing)), []).append(place)
    told: dict[int, _Thing] = dict(enumerate(things))
    for place, thing in enumerate(things):
        partners = gone.get((thing.noun, _called(thing))) if thing.turn == "new" else None
        if partners:
            del told[partners.pop()]
            told[place] = thing._replace(turn=_MOVING[thing.noun])
    return list(told.values())


_MOVING = {"passage": "moved", "item": "moved", "row": "moved", "link": "readdressed"}


def _noun(kind: str, one: ObjectChange) -> str:
    if kind == _PRODUCT:
        return one.object
    match = _ENDS.search(one.where[0]) if one.where else None
    element = match[1] if match else ""
    if one.old is not None or one.new is not None:
        if kind == "keywords":
            return "word"
        if kind == "all images" or element in PICTURES:
            return "picture"
        if kind in ("all links", "any change"):
            return "link"
        return _KINDS.get(kind, "thing")
    if element == "title" and kind in ("any change", "content"):
        return "title"
    if element == "tr":
        return "row"
    if element in ("li", "dt", "dd") and kind in ("list", "any change") and not _is_part(one):
        return "item"
    if kind == "visual":
        return "region"
    if one.before is not None and one.after is not None and (number := _number(one.after)) is not None:
        return "price" if number[1] else "value"
    if element in ("td", "th") and kind == "table":
        return "cell"
    return _KINDS.get(kind, "passage")


def _is_part(one: ObjectChange) -> bool:
    """Whether a text is a part of an item that is there in both versions."""
    return one.status is Status.UPDATED or (one.surrounding is not None and one.surrounding.is_part)


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
    if noun == "region" and turn == "changed" and len(group) == 1 and one.label:
        return f"{_name(one)} looks different"
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
    if before.startswith(f"{name}:") and after.startswith(f"{name}:"):
        before, after = (side.removeprefix(f"{name}:").strip() for side in (before, after))
    step = _percent(before, after)
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
    is_row = CELL_JOINT in around.after or (bool(one.where) and _CELL.search(one.where[0]) is not None)
    is_short = not is_row and max(len(around.before), len(around.after)) <= _SIDE
    is_named = one.label not in ("", one.section)
    if _number(before) and _number(after) and (is_named or not is_short):
        return (
            _with_unit(before, around.before, around.before_marks),
            _with_unit(after, around.after, around.after_marks),
        )
    return (around.before, around.after) if is_short else (before, after)


def _with_unit(text: str, around: str, marks: Sequence[Range]) -> str:
    """Returns a number with what belongs to it on its line: the sign of its currency, a percent sign, or the
    rest of a term such as `9-17`."""
    found = (start + place for start, end in marks if (place := around[start:end].find(text)) >= 0)
    at = next(found, around.find(text))
    if at < 0:
        return text
    head, tail = around[:at], around[at + len(text) :]
    before, behind = _TERM_BEFORE.search(head), _TERM_BEHIND.search(tail)
    if before or behind:
        return (before[0] if before else "") + text + (behind[0] if behind else "")
    lead, unit = _BEFORE.search(head), _BEHIND.search(tail)
    return (lead[0] if lead else "") + text + (unit[0] if unit and not lead else "")


def _listed(group: Sequence[_Thing]) -> str:
    """Returns how many things came, went or moved, and what they are called."""
    noun, turn, one = group[0]
    many = len(group)
    names = list(dict.fromkeys(filter(None, (_called(thing) for thing in group))))
    section = one.section if noun in ("row", "item") and _same_section(group) else ""
    if noun == "passage" and many == 1 and one.label not in ("", names[0]):
        return _lone_passage(one, turn, names[0])
    place = f" {_WITHIN[turn]} {_short(section, _NAME)}" if section and section not in names[:1] else ""
    counted = _counted(noun, turn, many) if many > 1 else _counted(noun, turn, 1)[2:].capitalize()
    said = f"{counted}{place}"
    if not names:
        return said
    if many <= _LISTED and len(names) == many:
        return f"{said}: {', '.join(_short(name, _SIDE) for name in names)}"
    return f"{said}, among them “{_short(names[0], _SIDE)}”"


_WITHIN = {"new": "in", "gone": "from", "moved": "in"}


def _lone_passage(one: ObjectChange, turn: str, text: str) -> str:
    """Returns `Opening hours: new “closed on Sundays”`, with the line around a text that says little
    alone."""
    around = one.surrounding
    line = (around.after if turn == "new" else around.before) if around else ""
    name, said = _name(one), f"“{_short(text)}”"
    if text in line and len(text) < len(line) <= _SIDE and name not in line:
        name = f"{name}, “{_short(line)}”"
    return f"{name}: {_VERBS[turn].format(said)}"


_VERBS = {"new": "new {}", "gone": "{} gone", "moved": "{} moved"}


def _counted(noun: str, turn: str, many: int) -> str:
    """Returns an amount of things and what became of them, such as `3 new links` or `1 row gone`."""
    things = _plural(noun, many)
    match turn:
        case "new":
            return f"{many} new {things}"
        case "readdressed":
            return f"{many} {things} {'leads' if many == 1 else 'lead'} elsewhere"
        case _:
            return f"{many} {things} {turn}"


def _same_section(group: Sequence[_Thing]) -> bool:
    return len({thing.one.section for thing in group}) == 1


def _called(thing: _Thing) -> str:
    """Returns what a thing that came or went is called."""
    one = thing.one
    if thing.noun == "link":
        return one.link_text or _tail(one.object)
    if thing.noun in ("picture", "region"):
        return one.label or (_tail(one.object) if thing.noun == "picture" else one.object)
    if thing.noun in ("row", "item"):
        return one.label if one.label not in ("", one.section) else one.object
    if thing.noun in ("cell", "word", "tag", "element", "attribute"):
        return one.object
    return one.after or one.before or one.object


def _tail(address: str) -> str:
    """Returns the end of an address, which often says what it leads to."""
    return address.split("://")[-1].rstrip("/").rpartition("/")[2] or address


# --- the rest ---------------------------------------------------------------------------------------


def _rest(others: Sequence[Sequence[_Thing]]) -> str:
    if not others:
        return ""
    said = [_counted(group[0].noun, group[0].turn, len(group)) for group in others[:3]]
    if len(others) > 3:
        said.append(f"{sum(map(len, others[3:]))} more")
    return "also " + ", ".join(said)


def _plural(noun: str, many: int) -> str:
    if many == 1:
        return noun
    return f"{noun.removesuffix('y')}ies" if noun.endswith("y") else f"{noun}s"


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
    return _TIED.sub(NBSP, cut(text, longest))


def _bounded(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
