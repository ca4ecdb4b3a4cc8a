"""A watched page in, its change detection graph as plain data out, for people and programs to look at.

Nodes are listed from the page upwards: change nodes, composite nodes, interests. Each node names the nodes
that subscribe to it (`to`) and the number of sentinels that rest on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from webvigil.app.worker.interests import interest_of
from webvigil.graph.nodes import ChangeNode, Interest, Node, PageGraph, PartNode
from webvigil.language import print_clauses, print_expression
from webvigil.model.work import Watch

_NAMES_SHOWN = 10
Plain = dict[str, Any]


def graph_as_json(url: str, watches: Iterable[Watch]) -> Plain:
    drawing = _Drawing(list(watches))
    return {"page": url, "sentinels": len(drawing.graph), "nodes": list(drawing.nodes())}


class _Drawing:
    def __init__(self, watches: list[Watch]) -> None:
        self.graph = PageGraph()
        self.graph.bring_up_to_date(watches, interest_of)
        self._counts = self.graph.nodes()
        self._interests = self.graph.interests()
        in_order = sorted(self._counts, key=lambda node: (_height(node), -self._counts[node], _label(node)))
        self._names: dict[Node | Interest, str] = {
            node: f"n{number}" for number, node in enumerate([*in_order, *self._interests], 1)
        }

        self._subscribers: dict[Node, list[str]] = {}
        for one, name in self._names.items():
            for below in (one.top,) if isinstance(one, Interest) else getattr(one, "below", ()):
                self._subscribers.setdefault(below, []).append(name)
        self._members: dict[Interest, list[Watch]] = {}
        for watch in watches:
            self._members.setdefault(self.graph.interest_of(watch.sentinel), []).append(watch)

    def nodes(self) -> Iterator[Plain]:
        for node, name in self._names.items():
            if isinstance(node, Interest):
                yield self._interest(node, name)
            else:
                kind = "change" if isinstance(node, ChangeNode) else "composite"
                part = {"part": _part(node.part)} if isinstance(node, ChangeNode) else {}
                yield {
                    "id": name,
                    "kind": kind,
                    "label": _label(node),
                    **part,
                    "sentinels": self._counts[node],
                    "to": self._subscribers.get(node, []),
                }

    def _interest(self, interest: Interest, name: str) -> Plain:
        mine = self._members[interest]
        references = Counter(one.reference for one in mine)
        return {
            "id": name,
            "kind": "interest",
            "label": _clauses(when=interest.when, compare=interest.compare),
            "sentinels": self._interests[interest],
            "references": {str(number): count for number, count in sorted(references.items())},
            "names": [f"{one.user}/{one.name}" for one in mine[:_NAMES_SHOWN]],
        }


def _height(node: Node) -> int:
    return 0 if isinstance(node, ChangeNode) else 1 + max(map(_height, node.below))


def _label(node: Node) -> str:
    if isinstance(node, ChangeNode):
        return print_expression(node.change)
    return node.operator


def _part(part: PartNode) -> str:
    return _clauses(within=part.within, ignore=part.ignore) or "the whole page"


def _clauses(**clauses: Any) -> str:
    """Returns clauses as they are written in a sentinel, in one line."""
    return "  ".join(print_clauses(**clauses).splitlines())
