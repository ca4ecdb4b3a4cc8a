"""The graph of one page: which sentinels watch it, and what each of them looks for (G1, G4).

    page ─► part ─► change node ─► composite node ─► interest ─► sentinels

A part is what `Within` and `Ignore` leave of a page. A change node is one change type, with its parameters,
on a part. Composite nodes are AND, OR and NOT of other nodes. An interest is everything of a sentinel that
matters when two versions are compared. Equal nodes are one object, however many sentinels share them: a
result that is kept by node serves all of them, and a million sentinels with the same wish cost one node. The
table of nodes holds weak references, so a node is freed when its last sentinel leaves.

A graph stores a sentinel as its number and a reference to its interest. A sentinel enters or leaves at any
time, at a cost that does not depend on the number of sentinels.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from webvigil.detect.keywords import is_part
from webvigil.detect.wording import folded_words
from webvigil.document.patterns import compile_pattern
from webvigil.errors import PatternRefused
from webvigil.model.change_types import KINDS, names_place
from webvigil.model.logic import Joined, Operator, leaves
from webvigil.model.memo import cached_property
from webvigil.model.sentinel import (
    OF_PRODUCTS,
    ChangeExpression,
    ChangeType,
    Compare,
    Part,
    Sentinel,
    WhenCondition,
    change_types,
    conditions_of,
    part_key,
)
from webvigil.model.work import DuePage, Watch

ANY_CHANGE = ChangeType("any change")
_PAIRWISE = Compare()


@dataclass(frozen=True, eq=False)
class PartNode:
    """The part of the page that a sentinel sees. Without `within` and `ignore` it is the whole page."""

    within: tuple[Part, ...] = ()
    ignore: tuple[Part, ...] = ()

    @cached_property
    def key(self) -> str:
        """A short text, equal for equal parts."""
        return part_key(self.within, self.ignore)


@dataclass(frozen=True, eq=False)
class ChangeNode:
    """One change type on one part of the page."""

    part: PartNode
    change: ChangeType

    @cached_property
    def sound(self) -> bool:
        """True if all texts of this change type can be searched. A node that is not sound is computed alone,
        and its detector raises the error that names the reason."""
        match self.change.kind:
            case "keywords" | "phrase":
                return is_part(self.change) or all(map(folded_words, self.change.arguments))
            case "regular expression":
                return all(map(_is_readable, self.change.arguments))
        return True


@dataclass(frozen=True, eq=False)
class CompositeNode:
    """AND, OR or NOT of other nodes."""

    operator: Operator
    below: tuple[Node, ...]

    @property
    def joined(self) -> Joined:
        return self.operator, self.below


Node = ChangeNode | CompositeNode


@dataclass(frozen=True, eq=False)
class Interest:
    """Everything of a sentinel that matters for a comparison. Sentinels with the same interest get the same
    findings from one comparison."""

    top: Node
    when: WhenCondition | None = None
    compare: Compare = _PAIRWISE
    quiet: bool = False
    loud: tuple[Part, ...] = ()
    only_new: bool = False

    @cached_property
    def changes(self) -> tuple[ChangeNode, ...]:
        """The change nodes in the order they are written, each once."""
        return tuple(dict.fromkeys(leaves(self.top)))

    @property
    def part(self) -> PartNode:
        """The part that all change nodes of this interest look at."""
        return self.changes[0].part

    @cached_property
    def lesson(self) -> str:
        """A short text, equal for those who learn together what a page usually does: they look at the same
        part, for the same kinds of change. "" is any change of the whole page."""
        kinds = sorted({node.change.kind for node in self.changes if KINDS[node.change.kind].quieted})
        if ANY_CHANGE.kind in kinds:
            return self.part.key
        return blake2b("\n".join((self.part.key, *kinds)).encode(), digest_size=16).hexdigest()

    @cached_property
    def names_places(self) -> bool:
        """True if a place that is missing on the page would leave the sentinel with nothing to watch."""
        return bool(self.part.within) or any(names_place(node.change) for node in self.changes)

    @cached_property
    def is_of_products(self) -> bool:
        """True if a product is watched, or its price or availability is asked for."""
        return any(node.change.kind == "product" for node in self.changes) or any(
            one.subject in OF_PRODUCTS for one in conditions_of(self.when)
        )

    @cached_property
    def on_linked_pages(self) -> Interest:
        """The same interest on a page that is watched because the named page links to it (B7). `Within` names
        a part of the named page, so on linked pages everything is watched; `Ignore` applies there, too."""
        if not self.part.within:
            return self
        top = _elsewhere(self.top, _one(PartNode, (), self.part.ignore))
        return _one(Interest, top, self.when, self.compare, self.quiet, self.loud, self.only_new)


def interest(sentinel: Sentinel) -> Interest:
    """Returns the interest of a sentinel: the same object for all sentinels that want the same."""
    part = _one(PartNode, sentinel.within, sentinel.ignore)
    top = _node(part, sentinel.monitor or ANY_CHANGE)
    told = sentinel.when, sentinel.compare or _PAIRWISE
    return _one(Interest, top, *told, is_quiet(sentinel), sentinel.loud, sentinel.only == "new")


def is_quiet(sentinel: Sentinel) -> bool:
    """Returns True if what moves by itself on the page is left out: by default, where a change type allows it
    (Q8)."""
    kinds = change_types(sentinel.monitor or ANY_CHANGE)
    return sentinel.quiet != "off" and any(KINDS[one.kind].quieted for one in kinds)


def _node(part: PartNode, expression: ChangeExpression) -> Node:
    """Returns the node for an expression of change types on this part."""
    if isinstance(expression, ChangeType):
        return _one(ChangeNode, part, expression)
    operator, operands = expression.joined
    return _one(CompositeNode, operator, tuple(_node(part, one) for one in operands))


def _elsewhere(node: Node, part: PartNode) -> Node:
    """Returns the node with the same change types on another part."""
    if isinstance(node, ChangeNode):
        return _one(ChangeNode, part, node.change)
    return _one(CompositeNode, node.operator, tuple(_elsewhere(one, part) for one in node.below))


N = TypeVar("N", PartNode, ChangeNode, CompositeNode, Interest)

_made: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()


def _one(make: Callable[..., N], *parts: Any) -> N:
    """Returns the only node of this kind with these parts, and makes it if there is none yet. Parts that are
    nodes are unique as well, so comparing them by identity is enough."""
    key = (make, *parts)
    found: N | None = _made.get(key)
    if found is None:
        found = _made.setdefault(key, make(*parts))
    return found


def _is_readable(pattern: str) -> bool:
    try:
        compile_pattern(pattern)
    except PatternRefused:
        return False
    return True


class PageGraph:
    """The sentinels of one page with their interests."""

    __slots__ = ("_interests",)

    def __init__(self) -> None:
        self._interests: dict[int, Interest] = {}

    def __len__(self) -> int:
        """Returns how many sentinels watch the page."""
        return len(self._interests)

    def enter(self, sentinel: int, interest: Interest) -> None:
        """Sets the interest of a sentinel, and replaces the interest it had before."""
        self._interests[sentinel] = interest

    def leave(self, sentinel: int) -> None:
        self._interests.pop(sentinel, None)

    def interest_of(self, sentinel: int) -> Interest:
        return self._interests[sentinel]

    def interests_of(self, sentinels: Iterable[int]) -> Iterator[Interest]:
        return map(self._interests.__getitem__, sentinels)

    def bring_up_to_date(self, watches: Iterable[Watch], read: Callable[[str], Interest]) -> None:
        """Makes the graph hold exactly these watches: new sentinels enter, and sentinels without a watch
        leave. `read` turns the text of a sentinel into its interest."""
        present = {
            watch.sentinel: read(watch.text).on_linked_pages if watch.level else read(watch.text)
            for watch in watches
        }
        for sentinel in self._interests.keys() - present.keys():
            self.leave(sentinel)
        for sentinel, interest in present.items():
            self.enter(sentinel, interest)

    def interests(self) -> Counter[Interest]:
        """Returns each interest and how many sentinels share it."""
        return Counter(self._interests.values())

    def wants(self, change: ChangeType) -> bool:
        """Returns True if some sentinel looks for exactly this change type."""
        distinct = set(self._interests.values())
        return any(node.change == change for interest in distinct for node in interest.changes)

    def looks_for_products(self) -> bool:
        """Returns True if some sentinel watches a product, or asks for its price or availability."""
        return any(interest.is_of_products for interest in set(self._interests.values()))

    def parts(self) -> tuple[Part, ...]:
        """Returns the parts that sentinels look within, each once."""
        distinct = dict.fromkeys(self._interests.values())
        return tuple(dict.fromkeys(part for interest in distinct for part in interest.part.within))

    def nodes(self) -> Counter[Node]:
        """Returns each change node and composite node, and how many sentinels depend on it."""
        counts: Counter[Node] = Counter()
        for interest, sentinels in self.interests().items():
            for node in _below(interest.top):
                counts[node] += sentinels
        return counts


def _below(top: Node) -> set[Node]:
    """Returns a node and all nodes below it, each once."""
    found: set[Node] = set()
    left = [top]
    while left:
        node = left.pop()
        if node not in found:
            found.add(node)
            left += getattr(node, "below", ())
    return found


class Graphs:
    """Keeps the graphs of the pages that a worker checked last, for as long as their sentinels stay the same.

    The store counts every sentinel that comes to or leaves a page (`DuePage.asked`). This count is the
    revision of the graph: if it differs, the graph is brought up to date.
    """

    def __init__(self, read: Callable[[str], Interest], most: int = 10_000) -> None:
        self._read = read
        self._most = most
        self._kept: OrderedDict[int, tuple[int, PageGraph]] = OrderedDict()

    def of(self, due: DuePage) -> PageGraph:
        """Returns the graph of a due page, up to date."""
        revision, graph = self._kept.get(due.id) or (-1, PageGraph())
        if revision != due.asked or len(graph) != len(due.watches):
            graph.bring_up_to_date(due.watches, self._read)
        self.keep(due, graph)
        return graph

    def keep(self, due: DuePage, graph: PageGraph) -> None:
        """Keeps the graph as that of the page's present revision. Beyond `most` pages, the oldest graph is
        dropped."""
        self._kept.pop(due.id, None)
        self._kept[due.id] = due.asked, graph
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
