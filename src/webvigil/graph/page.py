"""The graph of one page: which sentinels watch it, and what each of them looks for (G1, G4).

A sentinel is stored as its number and a reference to its interest. Sentinels that want the same share one
interest, and interests share the nodes below them (`nodes`). A sentinel enters or leaves at any time, at a
cost that does not depend on the number of sentinels.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator

from webvigil.graph.nodes import Interest, Node
from webvigil.model.sentinel import OF_PRODUCTS, ChangeType, Part, conditions_of
from webvigil.model.work import DuePage, Watch


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
        return any(map(_looks_for_products, set(self._interests.values())))

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


def _looks_for_products(interest: Interest) -> bool:
    asked = (one.subject for one in conditions_of(interest.when))
    return any(node.change.kind == "product" for node in interest.changes) or any(
        subject in OF_PRODUCTS for subject in asked
    )
