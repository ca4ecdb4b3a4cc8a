"""Findings in, one sentence out that tells what happened: for subjects of mails, cards and notifications.

    Polaris sofa: € 1,299.00 → € 1,279.00 (−1.5 %)
    2 new rows in Prices: Delta shelf, Echo chair
    3 new links, among them “Carpenter wanted”

The sentence is made from the findings alone, so the same findings always have the same headline. The change
that says most comes first, of several prices or values the one that moved most; what else there is follows as
an amount of things that a reader knows (rows, links, prices, words).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import NamedTuple

from webvigil.detect.gist import (
    NBSP,
    SIDE,
    in_clause,
    isolated,
    moved_by,
    quantity,
    short,
    steps,
    whole_words,
)
from webvigil.detect.in_context import is_column
from webvigil.document.links import PICTURES
from webvigil.document.naming import JOINT, parts_of
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.memo import cached_property

LONGEST = 160
"""The most characters of a headline."""
NOTHING = "Nothing changed"
# What else changed is told kind by kind up to this length of the headline, otherwise as one amount.
_HANDY = 120
_NAME = 40
_TITLE = 44
_LISTED = 3
# So many changed passages are told as an amount, and with the share of the text where text is watched.
_MUCH = 20
# So many prices or values are searched for the one that moved most. No more have names of their own.
_WEIGHED = 100
_STATE = "status"
_PRODUCT = "product"
# `exact change` compares hashes, which tell a reader nothing.
_BYTES_DIFFER = "the bytes of the page differ"
_OF_TEXT = ("any change", "all words", "content")

_ENDS = re.compile(r"/([^/\[]+)(?:\[\d+\])?$")
_FRAMES = ("/nav", "/aside", "/footer", "/header")
_FRAME = re.compile(rf"(?:{'|'.join(_FRAMES)})(?:\[\d+\])?(?:/|$)")
_RECORD = re.compile(r".*(?:\]|/(?:\w+:)?(?:item|entry)(?:\[\d+\])?)(?=[/.\[])")
_MARKUP = re.compile(r"/(?:html|body|head)\b|/text\(\)")
_EDGES = " .,;:!?…|"


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
    "table",
    "list",
    "price",
    "availability",
    "value",
    "cell",
    "entry",
    "row",
    "column",
    "item",
    "word",
    "title",
    "passage",
    "link",
    "picture",
)


def headline(findings: Iterable[Finding]) -> str:
    """Returns one sentence of at most `LONGEST` characters."""
    return _Changed(findings).headline()


def amounts(findings: Iterable[Finding]) -> str:
    """Returns how much changed, counted in things that a reader knows: `3 new links, 1 row gone, 12 % of the
    text`. The share of the text is told only where text is watched."""
    return _Changed(findings).amounts()


def told_with(findings: Iterable[Finding]) -> tuple[str, str, tuple[Finding, ...]]:
    """Returns the headline, the amounts and the findings as `told_first` does, for which the changes are
    sorted once."""
    found = tuple(findings)
    changed = _Changed(found)
    return changed.headline(), changed.amounts(), changed.in_order(found)


class _Changed:
    """The findings with a change, and the things that they tell of."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._findings = [finding for finding in findings if finding.changed]

    @cached_property
    def _things(self) -> list[_Thing]:
        return _things(self._findings)

    @cached_property
    def _groups(self) -> list[list[_Thing]]:
        return _groups(self._things)

    def headline(self) -> str:
        if not self._findings:
            return NOTHING
        at_once = self._said_at_once()
        return _bounded(at_once) if at_once else self._said()

    def _said_at_once(self) -> str:
        """Returns the sentence about a part that vanished, a state, or products; "" about anything else."""
        changed = self._findings
        if said := next((finding.note for finding in changed if finding.type == "within"), ""):
            return said[:1].upper() + said[1:]
        if all(finding.type == _STATE for finding in changed):
            return _state(changed)
        if all(finding.type == _PRODUCT for finding in changed):
            return _products([one for finding in changed for one in finding.objects])
        return ""

    def _said(self) -> str:
        (first, *others) = groups = self._groups
        texts = sum(_many(group) for group in groups if group[0].noun == "passage")
        if texts >= _MUCH:
            said = _much(texts, self._findings)
            others = [group for group in (first, *others) if group[0].noun != "passage"]
        else:
            said = _told(first)
        for rest in _rests(others):
            if len(said) + len(rest) <= _HANDY:
                return f"{said.removesuffix('.')}; also {rest}"
        return _bounded(said)

    def in_order(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Returns the findings with the price or value that the headline names before other objects."""
        found = tuple(findings)
        if not self._findings or self._said_at_once():
            return found
        noun, _, named = self._groups[0][0]
        if noun not in _QUANTITIES:
            return found
        return tuple(
            replace(finding, objects=tuple(sorted(finding.objects, key=lambda one: one is not named)))
            for finding in found
        )

    def amounts(self) -> str:
        changed = self._findings
        if changed and all(finding.type == _STATE for finding in changed):
            return "another state"
        groups: Counter[tuple[str, str]] = Counter()
        for thing in self._things:
            groups[thing.noun, thing.turn] += thing.one.many
        parts = [_counted(noun, turn, many) for (noun, turn), many in groups.items()]
        for kinds, what in ((_OF_TEXT, "text"), (("visual",), "picture")):
            share = max((finding.share for finding in changed if finding.type in kinds), default=0.0)
            # A smaller share would be shown as "0 %".
            if share >= 0.005:
                parts.append(f"{round(share * 100)}{NBSP}% of the {what}")
        return ", ".join(parts)


def told_first(findings: Iterable[Finding], beyond: int = 1) -> tuple[Finding, ...]:
    """Returns the findings with the price or value that the headline names before their other objects, so
    that the first objects show it. Findings with no more objects than `beyond` stay as they are."""
    found = tuple(findings)
    few = sum(len(finding.objects) for finding in found) <= beyond
    return found if few else _Changed(found).in_order(found)


def _groups(things: Iterable[_Thing]) -> list[list[_Thing]]:
    """Returns the changes by their kind and what became of them, those that say most first. Of several prices
    or values the one that moved most stands first."""
    groups: dict[tuple[str, str], list[_Thing]] = {}
    for thing in sorted(things, key=lambda thing: _is_framed(thing.one)):
        groups.setdefault((thing.noun, thing.turn), []).append(thing)
    (first, *others) = sorted(groups.values(), key=_weight)
    return [_largest_first(first), *others]


def _largest_first(group: list[_Thing]) -> list[_Thing]:
    """Returns prices or values with the one first that moved most, as a share of what it was."""
    noun, turn, _ = group[0]
    if noun not in _QUANTITIES or turn != "changed" or len(group) == 1:
        return group
    largest = max(range(min(len(group), _WEIGHED)), key=lambda at: (*_move(group[at]), -at))
    return [group[largest], *group[:largest], *group[largest + 1 :]]


_QUANTITIES = ("price", "value")


def _move(thing: _Thing) -> tuple[bool, float]:
    """Returns how much a move says. A whole number that is no price may count what comes and goes, such as
    the pieces in stock: any other number says more."""
    one = thing.one
    has_fraction = any(_FRACTION.search(text or "") for text in (one.before, one.after))
    return thing.noun == "price" or has_fraction, moved_by(one)


# One or two digits behind the point: with three, they are thousands.
_FRACTION = re.compile(r"\d[.,]\d{1,2}(?!\d)")


def _many(group: Iterable[_Thing]) -> int:
    """Returns how many objects changed. Of very many, one thing stands for all that are not told one by
    one."""
    return sum(thing.one.many for thing in group)


def titled(headline: str, title: str) -> str:
    """Returns a headline that says on which page it happened, in at most `LONGEST` characters: with the title
    of the page behind it. The title is left out if the headline begins with what the page is about, as
    "Polaris sofa: € 1,299.00 → € 1,279.00" does on the page "Polaris sofa – The lamp shop", or has the whole
    title in it."""
    about = next(iter(parts_of(title)), "")
    if not about or _place(about, headline) == 0 or _place(title, headline) >= 0:
        return headline
    tail = f"{JOINT}{isolated(short(title, _TITLE))}"
    return short(headline, LONGEST - len(tail)) + tail


def _place(text: str, line: str) -> int:
    """Returns where a text stands in a line as whole words, in any case of letters; -1 if it does not."""
    text, line = text.casefold(), line.casefold()
    at = line.find(text)
    end = at + len(text)
    return -1 if line[max(at - 1, 0) : at].isalnum() or line[end : end + 1].isalnum() else at


def _is_framed(one: ObjectChange) -> bool:
    path = one.where[0] if one.where else ""
    # Most paths lead through no frame, and looking for four names is quicker than trying every step.
    return any(name in path for name in _FRAMES) and _FRAME.search(path) is not None


def _state(changed: Sequence[Finding]) -> str:
    """Returns how the state of a page changed: `State: up → down; status: 200 OK → 503`. Its numbers are no
    quantities."""
    said = "; ".join(
        f"{one.object}: {one.before} → {one.after}" for found in changed for one in found.objects
    )
    return said[:1].upper() + said[1:]


def _products(objects: Sequence[ObjectChange]) -> str:
    """Returns what became of products: the one whose price moved most fact by fact, others as an amount."""
    products: dict[str, list[ObjectChange]] = {}
    for one in objects:
        products.setdefault(one.label.removesuffix(one.object.capitalize()), []).append(one)
    (first, *others) = sorted(products.values(), key=_product_weight)
    said = _one_product(first)
    more = len(others)
    return f"{said}, and {more:,} more {_plural('product', more)} changed" if more else said


def _product_weight(facts: Sequence[ObjectChange]) -> tuple[bool, float]:
    moves = (moved_by(one) for one in facts if one.object == "price")
    return facts[0].status is not Status.UPDATED, -max(moves, default=0.0)


def _one_product(facts: Sequence[ObjectChange]) -> str:
    """Returns `Polaris sofa · Price: € 1,299.00 → € 1,279.00 (−1.5 %); Availability: …`. A product that came
    or went is told as a whole."""
    status = facts[0].status
    name = short(facts[0].section, 2 * _NAME)
    if status is not Status.UPDATED and any(one.object == "name" for one in facts):
        details = ", ".join(short(one.after or one.before or "") for one in facts if one.object != "name")
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
    return f"The text changed in {texts:,} passages{amount}"


def _weight(group: Sequence[_Thing]) -> tuple[int, int]:
    noun = group[0].noun
    order = _ORDER.index(noun) if noun in _ORDER else len(_ORDER)
    # What happens in the frame of a page says less than what happens in its text.
    framed = all(_is_framed(thing.one) for thing in group)
    return order + framed * len(_ORDER), _LATER.get(group[0].turn, 0)


# What came or changed is told before what went, and what moved last.
_LATER = {"gone": 1, "moved": 2}


def _things(findings: Sequence[Finding]) -> list[_Thing]:
    """Returns the changes. What several change types found is told once."""
    found: dict[tuple[object, ...], _Thing] = {}
    for finding in findings:
        for one in finding.objects:
            key = (one.object, one.before, one.after, one.where[:1])
            found.setdefault(key, _Thing(_noun(finding.type, one), _TURNS[one.status], one))
    return _texts_first(_paired(_by_records(list(found.values()))))


def _by_records(things: list[_Thing]) -> list[_Thing]:
    """Returns the changes, with the texts of an entry of a feed or list that came or went as a whole told as
    one entry. Its name is among these texts."""
    records: dict[tuple[str, str], list[_Thing]] = {}
    for thing in things:
        path = thing.one.where[0] if thing.one.where else ""
        if thing.turn in ("new", "gone") and not _MARKUP.match(path) and (match := _RECORD.match(path)):
            records.setdefault((match[0], thing.turn), []).append(thing)
    told = {id(thing): thing for thing in things}
    for some in records.values():
        texts = {thing.one.after or thing.one.before: thing for thing in some}
        named = (thing.one.label.rpartition(JOINT)[0] for thing in some)
        if name := next((name for name in named if name in texts), ""):
            for thing in some:
                del told[id(thing)]
            told[id(texts[name])] = _Thing("entry", some[0].turn, texts[name].one)
    return list(told.values())


def _texts_first(things: list[_Thing]) -> list[_Thing]:
    """Returns the changes without the links whose text is told already."""
    told = links_told_by_text([thing.one for thing in things if thing.turn in ("new", "gone", "changed")])
    return [thing for thing in things if thing.one not in told] if told else things


def links_told_by_text(objects: Iterable[ObjectChange]) -> set[ObjectChange]:
    """Returns the links that came or went together with their text: to a reader the text and its link are one
    thing."""
    objects = list(objects)
    came = "\n".join(one.after for one in objects if one.after)
    went = "\n".join(one.before for one in objects if one.before)
    sides = {Status.NEW: came, Status.MORE: came, Status.GONE: went, Status.FEWER: went}
    return {
        one
        for one in objects
        if one.old is not None and (name := one.link_text.rstrip("…")) and name in sides.get(one.status, "")
    }


def _paired(things: list[_Thing]) -> list[_Thing]:
    """Returns the changes, with a text that went at one place and came at another as one that moved, and a
    link that kept its text as one that leads elsewhere."""
    gone: dict[tuple[str, str], list[int]] = {}
    for place, thing in enumerate(things):
        if thing.turn == "gone" and thing.noun in _MOVING and (name := _kept_name(thing)):
            gone.setdefault((thing.noun, name), []).append(place)
    told: dict[int, _Thing] = dict(enumerate(things))
    for place, thing in enumerate(things):
        partners = gone.get((thing.noun, _kept_name(thing))) if thing.turn == "new" else None
        if partners:
            del told[partners.pop()]
            told[place] = thing._replace(turn=_MOVING[thing.noun])
    return list(told.values())


_MOVING = {"passage": "moved", "item": "moved", "row": "moved", "link": "readdressed"}


def _kept_name(thing: _Thing) -> str:
    """Returns the name by which a thing is known again elsewhere. The end of an address is none: "1" may be
    the end of many."""
    return thing.one.link_text if thing.noun == "link" else _called(thing)


def _noun(kind: str, one: ObjectChange) -> str:
    if kind == _PRODUCT:
        return one.object
    # A path may have thousands of steps; only the last one can match.
    match = _ENDS.search(one.where[0], max(0, one.where[0].rfind("/"))) if one.where else None
    element = match[1] if match else ""
    is_counted = one.old is not None or one.new is not None
    return _noun_of_counted(kind, element) if is_counted else _noun_of_text(kind, element, one)


def _noun_of_counted(kind: str, element: str) -> str:
    if kind == "keywords":
        return "word"
    if kind == "all images" or element in PICTURES:
        return "picture"
    return "link" if kind in ("all links", "any change") else _KINDS.get(kind, "thing")


def _noun_of_text(kind: str, element: str, one: ObjectChange) -> str:
    if element == "title" and kind in ("any change", "content") and "/head" in one.where[0]:
        return "title"
    if element == "tr":
        return "row"
    if kind in _WHOLE and element in _WHOLE[kind]:
        return kind
    if element in ("li", "dt", "dd") and kind in ("list", "any change") and not _is_part(one):
        return "item"
    if kind == "visual":
        return "region"
    if is_column(one):
        return "column"
    if number := quantity(one):
        return number
    if element in ("td", "th") and kind == "table":
        return "cell"
    return _KINDS.get(kind, "passage")


# The elements of a table or list that came or went as a whole.
_WHOLE = {"table": ("table",), "list": ("ul", "ol", "dl", "menu")}


def _is_part(one: ObjectChange) -> bool:
    """Tells whether a text is a part of an item that is there in both versions."""
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
    "exact change": "bytes",
}


# --- the first part ---------------------------------------------------------------------------------


def _told(group: Sequence[_Thing]) -> str:
    noun, turn, one = group[0]
    if noun == "region" and turn == "changed" and len(group) == 1 and one.label:
        return f"{_name(one)} looks different"
    if noun == "bytes":
        return f"{isolated(_name(one))}: {_BYTES_DIFFER}" if _name(one) else _BYTES_DIFFER.capitalize()
    if turn == "changed" and len(group) == 1:
        return _updated(one)
    if turn == "changed" and noun in ("price", "value", "cell", "passage", "item", "row", "title"):
        more = _many(group) - 1
        return f"{_updated(one)}, and {more:,} more {_plural(noun, more)} changed"
    return _listed(group)


def _updated(one: ObjectChange) -> str:
    """Returns `name: before → after`, with the change in percent where both are numbers."""
    name, facts = _name(one), steps(one)
    said = "; ".join(_step(*step, name) for step in facts)
    is_said = any(name in (step.before, step.after) or step.after.startswith(f"{name} ") for step in facts)
    return f"{isolated(name)}: {said}" if name and not is_said else said


def _step(before: str, after: str, percent: str, name: str) -> str:
    """Returns `before → after (−1.5 %)`. A name that stands on the line itself is left out."""
    if before.startswith(f"{name}:") and after.startswith(f"{name}:"):
        before, after = (side.removeprefix(f"{name}:").strip() for side in (before, after))
    sides = [isolated(short(side)) for side in (before, after) if side]
    said = " → ".join(sides)
    return f"{said} ({percent})" if percent else said


def _listed(group: Sequence[_Thing]) -> str:
    """Returns how many things came, went or moved, and what they are called."""
    noun, turn, one = group[0]
    many = _many(group)
    # Of many things one is named, and there may be thousands.
    names = (
        _apart([name for thing in group if (name := _called(thing))]) if many <= _LISTED else _one_of(group)
    )
    section = one.section if noun in ("row", "column", "item") and _same_section(group) else ""
    if noun == "passage" and many == 1 and one.label not in ("", names[0]):
        return _lone_passage(one, turn, names[0])
    place = (
        f" {_WITHIN[turn]} {isolated(short(section, _NAME))}" if section and section not in names[:1] else ""
    )
    counted = _counted(noun, turn, many) if many > 1 else _counted(noun, turn, 1)[2:].capitalize()
    said = f"{counted}{place}"
    if not names:
        return said
    if many <= _LISTED and len(names) == many:
        return f"{said}: {', '.join(map(_quoted, names))}"
    return f"{said}, among them “{isolated(short(names[0]))}”"


def _one_of(group: Sequence[_Thing]) -> list[str]:
    """Returns the name of one of many things: of links the first that has a text, or else an end of an
    address that is more than a number."""
    texts = (thing.one.link_text for thing in group if thing.one.link_text)
    called = (
        name for thing in group if thing.one.many == 1 and any(map(str.isalpha, name := _called(thing)))
    )
    return list(islice(chain(texts, called), 1))


def _quoted(name: str) -> str:
    """Returns a name as one of several in a row: in quotation marks if it has a comma."""
    return f"“{isolated(short(name))}”" if "," in name else isolated(short(name))


def _apart(names: Sequence[str]) -> list[str]:
    """Returns the names that do not stand in an earlier name, as far as names are shown."""
    told: list[str] = []
    for name in names:
        if not any(short(name).rstrip("…") in short(other) for other in told):
            told.append(name)
    return told


_WITHIN = {"new": "in", "gone": "from", "moved": "in"}


def _lone_passage(one: ObjectChange, turn: str, text: str) -> str:
    """Returns `Opening hours: new “closed on Sundays”`, with the words around a text that says little
    alone."""
    around = one.surrounding
    line, marks = ("", ()) if around is None else (around.after, around.after_marks)
    if around is not None and turn == "gone":
        line, marks = around.before, around.before_marks
    name, clause = _name(one), in_clause(text, line, marks)
    if name and name != one.section and any(True for _ in whole_words(name, text)):
        said = text if text.startswith(f"{name}:") else name
        return f"{_counted('passage', turn, 1)[2:].capitalize()}: {isolated(short(said))}"
    said = _VERBS[turn].format(f"“{isolated(short(text))}”")
    is_whole = clause.strip(_EDGES) == text.strip(_EDGES) or text not in clause
    if is_whole or len(clause) > SIDE or name in line:
        return f"{isolated(name)}: {said}"
    return f"{isolated(name)}: {said} {_WITHIN[turn]} “{isolated(short(clause))}”"


_VERBS = {"new": "new {}", "gone": "{} gone", "moved": "{} moved"}


def _counted(noun: str, turn: str, many: int) -> str:
    """Returns an amount of things and what became of them, such as `3 new links` or `1 row gone`."""
    if noun == "bytes":
        return _BYTES_DIFFER
    things = _plural(noun, many)
    match turn:
        case "new":
            return f"{many:,} new {things}"
        case "readdressed":
            return f"{many:,} {things} {'leads' if many == 1 else 'lead'} elsewhere"
        case _:
            return f"{many:,} {things} {turn}"


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
    if thing.noun in ("cell", "column", "word", "tag", "element", "attribute", "table", "list"):
        return one.object
    return one.after or one.before or one.object


def _tail(address: str) -> str:
    """Returns the end of an address, which often says what it leads to."""
    return address.split("://")[-1].rstrip("/").rpartition("/")[2] or address


# --- the rest ---------------------------------------------------------------------------------------


def _rests(others: Sequence[Sequence[_Thing]]) -> Iterator[str]:
    """Yields what else changed: kind by kind, the first kinds with the others as an amount, all as one
    amount."""
    kinds = [_counted(group[0].noun, group[0].turn, _many(group)) for group in others]
    if not kinds:
        return
    if len(kinds) <= 3:
        yield ", ".join(kinds)
    for told in (2, 1, 0):
        if left := sum(map(_many, others[told:])):
            yield ", ".join([*kinds[:told], f"{left:,} more {_plural('change', left)}"])


def _plural(noun: str, many: int) -> str:
    if many == 1:
        return noun
    return f"{noun.removesuffix('y')}ies" if noun.endswith("y") else f"{noun}s"


# --- texts ------------------------------------------------------------------------------------------


def _name(one: ObjectChange) -> str:
    """Returns what an object is called. A name that says the value itself, as a link "from € 5" does, ends
    before the value."""
    name = one.label
    for side in (one.after or "", one.before or ""):
        has_digit = len(side) <= len(name) and any(map(str.isdigit, side))
        start = next(whole_words(side, name), 0) if has_digit else 0
        if name[:start].strip(_EDGES):
            name = name[:start].rstrip(_EDGES)
    return short(name, 2 * _NAME)


def _bounded(text: str) -> str:
    return short(text, LONGEST)
