"""The graph of one page: who watches it, and for what (G1, G4).

A sentinel is a number and a reference to its interest, which it shares with all that want the same; what
lies below an interest is shared as well (`nodes`). Sentinels enter and leave at any time, at a cost that
does not depend on how many there are.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator

from webvigil.graph.nodes import Interest, Node
from webvigil.model.sentinel import ChangeType, Part
from webvigil.model.work import DuePage, Watch


class PageGraph:
    __slots__ = ("_interests",)

    def __init__(self) -> None:
        self._interests: dict[int, Interest] = {}

    def __len__(self) -> int:
        """How many sentinels watch the page."""
        return len(self._interests)

    def enter(self, sentinel: int, interest: Interest) -> None:
        """Also for one that is there and wants something else now."""
        self._interests[sentinel] = interest

    def leave(self, sentinel: int) -> None:
        self._interests.pop(sentinel, None)

    def interest_of(self, sentinel: int) -> Interest:
        return self._interests[sentinel]

    def interests_of(self, sentinels: Iterable[int]) -> Iterator[Interest]:
        return map(self._interests.__getitem__, sentinels)

    def bring_up_to_date(self, watches: Iterable[Watch], read: Callable[[str], Interest]) -> None:
        """Who came enters, who is no longer there leaves."""
        present = {
            watch.sentinel: read(watch.text).on_linked_pages if watch.level else read(watch.text)
            for watch in watches
        }
        for sentinel in self._interests.keys() - present.keys():
            self.leave(sentinel)
        for sentinel, interest in present.items():
            self.enter(sentinel, interest)

    def interests(self) -> Counter[Interest]:
        """Each interest, and how many sentinels share it."""
        return Counter(self._interests.values())

    def wants(self, change: ChangeType) -> bool:
        """Does anybody look for exactly this?"""
        distinct = set(self._interests.values())
        return any(node.change == change for interest in distinct for node in interest.changes)

    def parts(self) -> tuple[Part, ...]:
        """What anybody looks within, each part once."""
        distinct = dict.fromkeys(self._interests.values())
        return tuple(dict.fromkeys(part for interest in distinct for part in interest.part.within))

    def nodes(self) -> Counter[Node]:
        """Each change node and composite node, and how many sentinels rest on it."""
        counts: Counter[Node] = Counter()
        for interest, sentinels in self.interests().items():
            for node in _below(interest.top):
                counts[node] += sentinels
        return counts


def _below(top: Node) -> set[Node]:
    """A node and all that it rests on, each once."""
    found: set[Node] = set()
    left = [top]
    while left:
        node = left.pop()
        if node not in found:
            found.add(node)
            left += getattr(node, "below", ())
    return found


class Graphs:
    """The graphs of the pages that a worker looked at last, kept as long as nobody entered or left.

    The store counts every coming and going on a page (`DuePage.asked`): that is the revision of its graph.
    """

    def __init__(self, read: Callable[[str], Interest], most: int = 10_000) -> None:
        self._read = read
        self._most = most
        self._kept: OrderedDict[int, tuple[int, PageGraph]] = OrderedDict()

    def of(self, due: DuePage) -> PageGraph:
        revision, graph = self._kept.get(due.id) or (-1, PageGraph())
        if revision != due.asked or len(graph) != len(due.watches):
            graph.bring_up_to_date(due.watches, self._read)
        self.keep(due, graph)
        return graph

    def keep(self, due: DuePage, graph: PageGraph) -> None:
        """It is that of the page as it is."""
        self._kept.pop(due.id, None)
        self._kept[due.id] = due.asked, graph
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
