"""CSS selectors on a digest: a selector in, a mask of the elements it selects out.

cssselect parses the text. Each part of the selector is then evaluated on whole arrays, so the time does not
depend on how many elements match. In HTML the case of names does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from cssselect import parser
from cssselect.parser import SelectorError

from webvigil.document import arrays
from webvigil.document.arrays import Ints, Longs, Mask
from webvigil.errors import PatternRefused

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

# Characters of a selector: people write some hundred, and the worst 4,000 take a tenth of a second to read.
_LONGEST = 4000
_SPACE = re.compile(r"[ \t\r\n\f]+")
# Pseudo-classes for a page in use. A stored page has no such state, so they match nothing.
_NEVER = frozenset(("hover", "active", "focus", "visited", "target", "focus-within", "focus-visible"))
_CONTROLS = ("input", "button", "select", "textarea", "option", "optgroup", "fieldset")


def select(digest: PageDigest, selector: str) -> Mask:
    """Returns the mask of the elements that match. Raises PatternRefused for a selector that cannot be read
    or is not supported."""
    found = np.zeros(len(digest), dtype=np.bool_)
    evaluator = _Evaluator(digest)
    for one in parsed(selector):
        found |= evaluator.matches(one.parsed_tree)
    return found


def parsed(selector: str) -> list[Any]:
    """Returns the parsed selectors of a list. Raises PatternRefused for a text that is too long, nested too
    deeply, not a selector, or names a pseudo-element."""
    if len(selector) > _LONGEST:
        raise PatternRefused(f"the selector is too long: at most {_LONGEST} characters")
    try:
        found = parser.parse(selector)
    except RecursionError as error:
        raise PatternRefused(f"the selector {selector!r} cannot be used: it is nested too deeply") from error
    except SelectorError as error:
        reason = str(error) if str(error) != "None" else "it cannot be read"
        raise PatternRefused(f"the selector {selector!r} cannot be used: {reason}") from error
    for one in found:
        if one.pseudo_element is not None:
            raise PatternRefused(
                f"the selector {selector!r} cannot be used: ::{one.pseudo_element} is no part of a page"
            )
    return list(found)


class _Evaluator:
    """Evaluates a parsed selector from the inside out. The result of each step is a mask over the digest's
    nodes."""

    def __init__(self, digest: PageDigest) -> None:
        self.digest = digest
        leaf = np.array([name[:1] in ("#", "?") for name in digest.tag_names], dtype=np.bool_)
        self.elements: Mask = ~leaf[digest.tags]
        self._family: _Family | None = None

    def matches(self, tree: Any) -> Mask:
        # A long selector is a long chain of objects. It is unrolled in a loop, because recursion along it
        # would exceed Python's limit.
        chain = []
        while not isinstance(tree, parser.Element):
            chain.append(tree)
            tree = tree.selector
        found = self._element(tree)
        for link in reversed(chain):
            found = self._step(link, found)
        return found

    def _step(self, link: Any, left: Mask) -> Mask:
        match link:
            case parser.CombinedSelector():
                return self._related(left, link.combinator) & self.matches(link.subselector)
            case parser.Class():
                return left & self._attribute("class", lambda value: link.class_name in _SPACE.split(value))
            case parser.Hash():
                return left & self._attribute("id", lambda value: value == link.id)
            case parser.Attrib(operator="!="):
                return left & ~self._attribute(_attribute_name(link), _test(link))
            case parser.Attrib():
                return left & self._attribute(_attribute_name(link), _test(link))
            case parser.Negation():
                return left & ~self.matches(link.subselector)
            case parser.Matching() | parser.SpecificityAdjustment():
                return left & self._any_of(link.selector_list)
            case parser.Relation():
                return left & self._having(link.arguments)
            case parser.Pseudo():
                return left & self._pseudo(link.ident)
            case _:
                return left & self._function(link)

    def _element(self, tree: Any) -> Mask:
        if tree.element is None or tree.element == "*":
            return self._with_prefix(tree.namespace)
        if tree.namespace == "*":
            return self._called(lambda tag: tag.rpartition(":")[2], tree.element)
        prefixed = tree.namespace and not self._is_default(tree.namespace)
        return self._called(str, f"{tree.namespace}:{tree.element}" if prefixed else tree.element)

    def _with_prefix(self, prefix: str | None) -> Mask:
        """Returns all elements, or those whose name has this prefix."""
        if prefix is None or prefix == "*":
            return self.elements.copy()
        return self._called(lambda tag: tag.rpartition(":")[0], "" if self._is_default(prefix) else prefix)

    def _called(self, part: Callable[[str], str], name: str) -> Mask:
        """Returns the elements of this name. `part` takes from a tag the part that is compared, for example
        the name without its prefix."""
        fold: Callable[[str], str] = str.lower if self.digest.is_html else str
        return self.elements & self.digest.is_tag(
            [tag for tag in self.digest.tag_names if fold(part(tag)) == fold(name)]
        )

    def _is_default(self, prefix: str) -> bool:
        """Tells whether the document has a default namespace and does not declare this prefix. The prefix
        then means the default namespace, as in an XPath."""
        page = self.digest.whole
        return bool(len(page.rows_of("xmlns"))) and not len(page.rows_of(f"xmlns:{prefix}"))

    def _attribute(self, name: str, test: Callable[[str], bool]) -> Mask:
        """Returns the elements with an attribute of this name whose value passes the test. Each distinct
        value is tested once."""
        digest = self.digest
        rows = digest.rows_of(name.lower() if digest.is_html else name)
        values = digest.attribute_value[rows]
        passes = np.zeros(len(digest.attribute_values) or 1, dtype=np.bool_)
        passes[values] = True
        for value in np.flatnonzero(passes).tolist():
            passes[value] = test(digest.attribute_values[value])
        found = np.zeros(len(digest), dtype=np.bool_)
        found[digest.attribute_node[rows[passes[values]]]] = True
        return found

    def _any_of(self, trees: Any) -> Mask:
        found = np.zeros(len(self.digest), dtype=np.bool_)
        for tree in trees:
            found |= self.matches(getattr(tree, "parsed_tree", tree))
        return found

    # --- relations between elements ---------------------------------------------------------------

    def _related(self, left: Mask, combinator: str) -> Mask:
        """Returns the elements that stand in the relation of this combinator to a marked element."""
        match combinator:
            case " ":
                return _strictly_below(left, self.digest.sizes)
            case ">":
                return left[self.digest.parents] & (self.digest.parents >= 0)
            case "+":
                return self.family.shifted(left, 1)
            case _:
                return self.family.after(left)

    def _having(self, arguments: Any) -> Mask:
        found = np.zeros(len(self.digest), dtype=np.bool_)
        for combinator, selector in arguments:
            inner = self.matches(selector.parsed_tree)
            match combinator.value:
                case ">":
                    found[self.digest.parents[inner & (self.digest.parents >= 0)]] = True
                case "+":
                    found |= self.family.shifted(inner, -1)
                case "~":
                    found |= self.family.before(inner)
                case _:
                    found |= _strictly_above(inner, self.digest.sizes)
        return found

    @property
    def family(self) -> _Family:
        if self._family is None:
            self._family = _Family(self.digest.parents, self.elements)
        return self._family

    # --- pseudo-classes ---------------------------------------------------------------------------

    def _pseudo(self, name: str) -> Mask:
        series = {"first": (0, 1, False), "last": (0, 1, True)}
        first, _, kind = name.partition("-")
        if kind in ("child", "of-type") and first in ("first", "last", "only"):
            if first == "only":
                return self._nth(kind, *series["first"]) & self._nth(kind, *series["last"])
            return self._nth(kind, *series[first])
        simple = self._simple_pseudo(name)
        if simple is None:
            raise PatternRefused(f"the selector cannot be used: :{name} is not known")
        return simple

    def _simple_pseudo(self, name: str) -> Mask | None:
        match name:
            case "root" | "scope":
                return self.elements & np.equal(self.digest.parents, 0)
            case "empty":
                return self.elements & ~self._with_children()
            case "link" | "any-link":
                return self.digest.is_tag(("a", "area", "link")) & self._attribute("href", _always)
            case "checked":
                chosen = self._attribute("checked", _always) & self.digest.is_tag(("input",))
                return chosen | (self._attribute("selected", _always) & self.digest.is_tag(("option",)))
            case "disabled":
                return self.digest.is_tag(_CONTROLS) & self._attribute("disabled", _always)
            case "enabled":
                return self.digest.is_tag(_CONTROLS) & ~self._attribute("disabled", _always)
            case "required":
                return self._attribute("required", _always)
            case _ if name in _NEVER:
                return np.zeros(len(self.digest), dtype=np.bool_)
        return None

    def _with_children(self) -> Mask:
        """Returns the nodes with an element or a text as a child: those that `:empty` does not match."""
        counts = self.elements | self.digest.is_text
        found = np.zeros(len(self.digest), dtype=np.bool_)
        found[self.digest.parents[counts & (self.digest.parents >= 0)]] = True
        return found

    def _function(self, link: Any) -> Mask:
        name = link.name
        kind = name.removeprefix("nth-").removeprefix("last-")
        if name.startswith("nth-") and kind in ("child", "of-type"):
            try:
                step, start = parser.parse_series(link.arguments)
            except ValueError as error:
                raise PatternRefused(
                    f"the selector cannot be used: :{name} wants a form like 2n+1"
                ) from error
            return self._nth(kind, step, start, name.startswith("nth-last-"))
        if name == "contains":
            return self._containing("".join(token.value or "" for token in link.arguments))
        raise PatternRefused(f"the selector cannot be used: :{name}() is not known")

    def _nth(self, kind: str, step: int, start: int, from_end: bool) -> Mask:
        if kind == "child":
            number, total = self.family.number, self.family.total
        else:
            number, total = self.digest.places.number, self.digest.places.total
        away: Longs = (total - number + 1 if from_end else number).astype(np.int64) - start
        fits: Mask = away == 0 if step == 0 else (away % step == 0) & (away // step >= 0)
        return self.elements & fits

    def _containing(self, text: str) -> Mask:
        """Returns the elements that contain this text, also if the text runs over several nodes."""
        digest = self.digest
        nodes = np.flatnonzero(digest.is_text)
        pieces = [digest.texts[index] for index in digest.content[nodes].tolist()]
        ends = np.cumsum([len(piece) for piece in pieces]) if pieces else np.zeros(0, dtype=np.int64)
        joined = "".join(pieces)
        found = np.zeros(len(digest), dtype=np.bool_)
        if not text:
            return self.elements.copy()
        place = joined.find(text)
        while place >= 0:
            first, last = np.searchsorted(ends, [place, place + len(text) - 1], side="right")
            _mark_around(digest, int(nodes[first]), int(nodes[last]), found)
            place = joined.find(text, place + 1)
        return found & self.elements


class _Family:
    """The siblings of all elements: numbers each element among its siblings, and moves masks along
    siblings."""

    def __init__(self, parents: Ints, elements: Mask) -> None:
        self._members = np.flatnonzero(elements)
        order = np.argsort(parents[self._members], kind="stable")
        self._order: Longs = self._members[order]
        group = parents[self._order]
        self._starts = np.flatnonzero(np.diff(group, prepend=-2))
        self._sizes = np.diff(self._starts, append=len(group))
        place = np.arange(len(group)) - np.repeat(self._starts, self._sizes)
        self.number: Ints = np.zeros(len(parents), dtype=np.int32)
        self.total: Ints = np.zeros(len(parents), dtype=np.int32)
        self.number[self._order] = place + 1
        self.total[self._order] = np.repeat(self._sizes, self._sizes)

    def shifted(self, marked: Mask, by: int) -> Mask:
        """Returns the siblings directly after (`by` is 1) or directly before (-1) the marked ones."""
        found = np.zeros(len(marked), dtype=np.bool_)
        earlier, later = self._order[:-1], self._order[1:]
        together = np.ones(len(later), dtype=np.bool_)
        together[self._starts[1:] - 1] = False
        source, target = (earlier, later) if by > 0 else (later, earlier)
        found[target[marked[source] & together]] = True
        return found

    def after(self, marked: Mask) -> Mask:
        """Returns the siblings anywhere after a marked one."""
        found = np.zeros(len(marked), dtype=np.bool_)
        found[self._order] = self._count(marked) - marked[self._order] > 0
        return found

    def before(self, marked: Mask) -> Mask:
        """Returns the siblings anywhere before a marked one."""
        found = np.zeros(len(marked), dtype=np.bool_)
        count = self._count(marked)
        last = self._starts + self._sizes - 1
        found[self._order] = np.repeat(count[last], self._sizes) - count > 0
        return found

    def _count(self, marked: Mask) -> Longs:
        """Returns for each element, with siblings grouped together, how many marked siblings there are up to
        and including it."""
        running = np.cumsum(marked[self._order])
        first: Longs = running[self._starts] - marked[self._order][self._starts]
        return running - np.repeat(first, self._sizes)


def _strictly_below(marked: Mask, sizes: Ints) -> Mask:
    return arrays.enclosing(marked, sizes) >= 0


def _strictly_above(marked: Mask, sizes: Ints) -> Mask:
    count = np.concatenate([[0], np.cumsum(marked)])
    place = np.arange(len(sizes))
    return np.asarray(count[place + sizes] > count[place + 1], dtype=np.bool_)


def _mark_around(digest: PageDigest, first: int, last: int, found: Mask) -> None:
    """Marks in `found` all ancestors that contain both nodes. Stops at a marked ancestor, because everything
    above it is marked already."""
    node = int(digest.parents[first])
    while node >= 0 and node + digest.sizes[node] <= last:
        node = int(digest.parents[node])
    while node >= 0 and not found[node]:
        found[node] = True
        node = int(digest.parents[node])


def _attribute_name(link: Any) -> str:
    return f"{link.namespace}:{link.attrib}" if link.namespace else str(link.attrib)


def _always(value: str) -> bool:
    return True


def _test(link: Any) -> Callable[[str], bool]:
    if link.operator == "exists":
        return _always
    wanted = link.value.value or ""
    fold: Callable[[str], str] = str.lower if getattr(link, "flag", None) == "i" else str
    test = _OPERATORS.get(link.operator)
    if test is None:
        raise PatternRefused(f"the selector cannot be used: the operator {link.operator} is not known")
    return lambda value: test(fold(value), fold(wanted))


_OPERATORS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda value, wanted: value == wanted,
    # What is not so is found as what is left: elements without the attribute are among it.
    "!=": lambda value, wanted: value == wanted,
    "~=": lambda value, wanted: bool(wanted) and wanted in _SPACE.split(value),
    "|=": lambda value, wanted: value == wanted or value.startswith(wanted + "-"),
    "^=": lambda value, wanted: bool(wanted) and value.startswith(wanted),
    "$=": lambda value, wanted: bool(wanted) and value.endswith(wanted),
    "*=": lambda value, wanted: bool(wanted) and wanted in value,
}
