"""Two pages and a selector in, the values it finds that changed out: a price, a count, a date (C14).

The meaning of the text counts: 1,234.00 that becomes 1234 has not changed. If a selector finds several
values, each is followed through the changes of the page around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

import numpy as np

from webvigil.detect import jq
from webvigil.detect.alignment import gaps
from webvigil.detect.pair import pair
from webvigil.detect.places import Where
from webvigil.detect.quantities import Value, difference, parse_value
from webvigil.document import PageDigest, jsonpath, xpath
from webvigil.document.jsontext import NotJson, json_in, read_json
from webvigil.document.patterns import compile_pattern
from webvigil.document.reading import lengths_at, visible_length
from webvigil.errors import PatternRefused
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType

# If a selector finds more, only the first ones are followed: so many are a list, not values.
_MOST = 2_000
# Bounds the characters and nodes that are read for all values together.
_MOST_WRITTEN = 2_000_000
# If an element has no text, the first of these attributes is its value.
_SPEAKING = ("content", "value", "datetime", "alt", "title")


@dataclass(frozen=True, slots=True)
class Found:
    """A value and its node; 0 if the value belongs to the page as a whole."""

    value: Value
    node: int


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    before, after = _found(old, new, change)
    here, there = Where(new), Where(old)
    return [
        _change(here, there, change.arguments[0], one, other)
        for one, other in _pairs(old, new, before, after)
        if one is None or other is None or not one.value.same_as(other.value)
    ]


def found(digest: PageDigest, change: ChangeType) -> list[Found]:
    """Returns the values on a page. Raises PatternRefused for a selector that cannot be read."""
    if change.option not in _SEARCHES or len(change.arguments) != 1:
        raise PatternRefused("a value is found by one css, xpath, json, jq or regex")
    return _SEARCHES[change.option](digest, change.arguments[0])


def is_there(digest: PageDigest, change: ChangeType) -> bool:
    return bool(found(digest, change))


def letters(old: PageDigest, new: PageDigest, change: ChangeType) -> int:
    """Returns how many characters the values have, in both versions together."""
    before, after = _found(old, new, change)
    return sum(visible_length(one.value.text) for one in (*before, *after))


def _found(old: PageDigest, new: PageDigest, change: ChangeType) -> tuple[list[Found], list[Found]]:
    return pair(old, new).once(("values", change), lambda old, new: (found(old, change), found(new, change)))


def note(change: ChangeType, objects: Sequence[ObjectChange]) -> str:
    """Returns by how much the values changed."""
    steps = [difference(parse_value(one.before or ""), parse_value(one.after or "")) for one in objects]
    told = [step for step in steps if step]
    return "; ".join(told[:10]) + ("; …" if len(told) > 10 else "")


# --- where values are ----------------------------------------------------------------------------


def _by_css(digest: PageDigest, selector: str) -> list[Found]:
    from webvigil.document import css

    nodes: list[int] = css.select(digest, selector).nonzero()[0][:_MOST].tolist()
    return [_at(digest, node) for node in nodes[: _affordable(digest, nodes)]]


def _by_xpath(digest: PageDigest, expression: str) -> list[Found]:
    values = xpath.values(digest, expression, _MOST)
    enough = _affordable(digest, [node if text is None else 0 for text, node in values])
    return [
        _at(digest, node) if text is None else Found(parse_value(text), node)
        for text, node in values[:enough]
    ]


def _by_json(digest: PageDigest, path: str) -> list[Found]:
    if digest.kind == "json":
        nodes = _nodes(digest, path)
        return [_at(digest, node) for node in nodes[: _affordable(digest, nodes)]]
    jsonpath.parsed(path)
    written = digest.once("json in its text", _json_of_text)
    if written is not None:
        nodes = _nodes(written, path)
        return [Found(_at(written, node).value, 1) for node in nodes[: _affordable(written, nodes)]]
    scripts = digest.nodes_of("script").tolist()
    return list(islice((one for node in scripts for one in _in_script(digest, node, path)), _MOST))


def _nodes(data: PageDigest, path: str) -> list[int]:
    nodes: list[int] = np.flatnonzero(jsonpath.found_on(data, path))[:_MOST].tolist()
    return nodes


def _by_jq(digest: PageDigest, program: str) -> list[Found]:
    """Returns what a jq program gives. A page without JSON has no values, and neither has one that the
    program does not fit."""
    jq.check(program)
    data = digest if digest.kind == "json" else digest.once("json in its text", _json_of_text)
    if data is None:
        return []
    with suppress(PatternRefused):
        return [Found(parse_value(text), 1) for text in jq.values(data, program)[:_MOST]]
    return []


def _json_of_text(digest: PageDigest) -> PageDigest | None:
    """Returns the JSON that a page consists of although it came as text, or as HTML that shows JSON; else
    None."""
    if digest.kind == "text":
        return json_in("".join([digest.own_text(node) for node in range(1, len(digest))]))
    return json_in(digest.reading.text) if digest.is_html and digest.whole is digest else None


def _in_script(digest: PageDigest, node: int, path: str) -> Iterable[Found]:
    """Yields values in data that a page carries for programs: `<script type="application/ld+json">`."""
    if "json" not in (digest.attribute(node, "type") or ""):
        return
    try:
        data = read_json(digest.text(node))
    except NotJson:
        return
    for inner in _nodes(data, path):
        yield Found(_at(data, inner).value, node)


def _by_regex(digest: PageDigest, expression: str) -> list[Found]:
    """Returns what the group of the expression matches, or the whole match if it has no group."""
    shown = digest.shown
    return [
        Found(parse_value(shown.text[start:end]), shown.node_at(start))
        for start, end in compile_pattern(expression).groups(shown.text)[:_MOST]
    ]


_SEARCHES: dict[str, Callable[[PageDigest, str], list[Found]]] = {
    "css": _by_css,
    "xpath": _by_xpath,
    "json": _by_json,
    "jq": _by_jq,
    "regex": _by_regex,
}


def _affordable(digest: PageDigest, nodes: Sequence[int]) -> int:
    """Returns how many of these nodes are read. Elements inside each other repeat the text of the inner
    ones."""
    if len(nodes) < 2:
        return len(nodes)
    own = np.ones(len(digest) + 1, dtype=np.int64)
    written = np.flatnonzero(digest.content >= 0)
    own[written + 1] += lengths_at(digest.texts, digest.content[written])
    before = np.cumsum(own)
    roots = np.array(nodes, dtype=np.int64)
    amounts = np.where(roots > 0, before[roots + digest.sizes[roots]] - before[roots], 0)
    return max(1, int(np.searchsorted(np.cumsum(amounts), _MOST_WRITTEN, side="right")))


def _at(digest: PageDigest, node: int) -> Found:
    text = digest.text(node)
    if text.strip() or digest.content[node] >= 0:
        return Found(parse_value(text), node)
    attributes = digest.attributes(node)
    return Found(parse_value(next((attributes[name] for name in _SPEAKING if name in attributes), "")), node)


# --- which value became which --------------------------------------------------------------------

_Pairs = list[tuple[Found | None, Found | None]]


def _pairs(old: PageDigest, new: PageDigest, before: list[Found], after: list[Found]) -> _Pairs:
    """Pairs old and new values by their nodes, and the rest in order."""
    if len(before) == len(after) and all(
        one.value.same_as(other.value) for one, other in zip(before, after, strict=True)
    ):
        return []
    if len(before) <= 1 and len(after) <= 1:
        return [(before[0] if before else None, after[0] if after else None)]
    partners = pair(old, new).difference.old.partners
    there = {one.node: one for one in after} if len({one.node for one in after}) == len(after) else {}
    single = len({one.node for one in before}) == len(before)
    known = [
        (one, there[int(partners[one.node])]) for one in before if single and int(partners[one.node]) in there
    ]
    return [*known, *_rest_in_order(before, after, known)]


def _rest_in_order(before: list[Found], after: list[Found], known: list[tuple[Found, Found]]) -> _Pairs:
    """Pairs the values whose nodes have no partner: equal values first, then the first with the first."""
    ours, theirs = {id(one) for one, _ in known}, {id(other) for _, other in known}
    gone, come = (
        [one for one in before if id(one) not in ours],
        [one for one in after if id(one) not in theirs],
    )
    found: _Pairs = []
    for gap in gaps([_key(one) for one in gone], [_key(one) for one in come]):
        left, right = gone[gap.old_start : gap.old_end], come[gap.new_start : gap.new_end]
        found += zip(left, right, strict=False)
        found += [(one, None) for one in left[len(right) :]]
        found += [(None, other) for other in right[len(left) :]]
    return found


def _key(one: Found) -> str:
    """Returns a text that is equal for values that mean the same."""
    value = one.value
    if value.date is not None:
        return f"date {value.date.isoformat()}"
    if value.kind == "number" and value.number is not None:
        return f"number {value.number.normalize()} {value.unit}"
    return f"text {value.canonical or value.text}"


def _change(here: Where, there: Where, name: str, one: Found | None, other: Found | None) -> ObjectChange:
    return ObjectChange(
        object=name,
        status=Status.NEW if one is None else Status.GONE if other is None else Status.UPDATED,
        before=None if one is None else one.value.text,
        after=None if other is None else other.value.text,
        where=here.paths(other.node) if other is not None else there.paths(one.node if one else 0),
    )
