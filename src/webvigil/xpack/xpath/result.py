"""What a query gives back: a number, a string, a boolean, or nodes that are read only when asked for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from webvigil.document.arrays import Longs, Mask
from webvigil.model.memo import cached_property
from webvigil.xpack.rows import Label
from webvigil.xpack.xpath.functions import count_of
from webvigil.xpack.xpath.namespaces import NamespaceView
from webvigil.xpack.xpath.values import Nodes, Paths
from webvigil.xpack.xpath.view import ELEMENT, NAMESPACE, TEXT, View

_STEPS = {"#text": "text()", "#cdata": "text()", "#comment": "comment()"}


class Found:
    """The nodes that a query found, in document order.

    Their number and their texts may need very little of the file: only what is asked for is opened.
    """

    def __init__(self, view: View, nodes: Nodes | Paths) -> None:
        self._view = view
        self._nodes = nodes

    def __len__(self) -> int:
        if isinstance(self._nodes, Paths):
            return count_of(self._view, self._nodes)
        return len(self._nodes.rows)

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts())

    @property
    def value(self) -> Nodes | Paths:
        """Returns the nodes for use as a variable in another query of the same document."""
        return self._nodes

    @cached_property
    def rows(self) -> Longs:
        """Returns the numbers of the rows, which count nodes and attributes together, in document order."""
        if isinstance(self._nodes, Paths):
            return self._view.rows_of_paths(self._nodes.marked)
        return self._nodes.rows

    @cached_property
    def nodes(self) -> Longs:
        """Returns the number of each node in the Page Digest; for an attribute, the number of its element."""
        view = self._view
        attributes = np.array([name[0] in "@&" for name, _ in view.labels], dtype=np.bool_)
        return (np.cumsum(~attributes[view.paths.label][view.path]) - 1)[self.rows]

    def labels(self) -> list[Label]:
        """Returns the name of each node, with the mark of its kind (`@`, `#`, `?`), and its namespace."""
        view = self._view
        return [view.labels[label] for label in view.paths.label[view.path[self.rows]].tolist()]

    def texts(self) -> list[str]:
        """Returns the string-value of each node."""
        if isinstance(self._nodes, Paths):
            whole = self._whole_group(self._nodes.marked)
            if whole is not None:
                return list(self._view.packed.group_values(whole))
        return self._view.strings(self.rows)

    def _whole_group(self, marked: Mask) -> int | None:
        """Returns the group of values that these paths make up, or None if they are not exactly one group.

        The values of one whole group are read without opening the rows.
        """
        view = self._view
        if view.adjacent or isinstance(view, NamespaceView):
            return None
        carrying = np.flatnonzero(marked)
        if (view.path_kinds[carrying] == ELEMENT).all():
            carrying = view.only_text[carrying]
            if (carrying < 0).any():
                return None
        groups = view.packed.group_of_path
        found: set[int] = set(groups[carrying].tolist())
        if len(found) != 1 or -1 in found:
            return None
        (group,) = found
        return group if np.count_nonzero(groups == group) == len(carrying) else None

    def paths(self) -> list[str]:
        """Returns the place of each node: `/html/body/ul[1]/li[3]/a`, `/a/@href`, `/a/text()[2]`."""
        place, total = self._places
        view = self._view
        names = [_step(name) for name, _ in view.labels]
        known: dict[int, str] = {-1: "", 0: ""}
        labels = view.paths.label[view.path]
        found = []
        for row in self.rows.tolist():
            climbed = []
            while row not in known:
                climbed.append(row)
                row = int(view.parents[row])
            path = known[row]
            for one in reversed(climbed):
                name = names[labels[one]]
                path += f"/{name}[{place[one]}]" if total[one] > 1 else f"/{name}"
                known[one] = path
            found.append(path or "/")
        return found

    @cached_property
    def _places(self) -> tuple[Longs, Longs]:
        """Returns, for each row, its number (from 1) among siblings of the same name, and their number."""
        view = self._view
        steps = [_step(name) for name, _ in view.labels]
        number = {step: index for index, step in enumerate(dict.fromkeys(steps))}
        step = np.array([number[one] for one in steps], dtype=np.int64)[view.paths.label[view.path]]
        family = (view.parents + 1) * len(number) + step
        counted = np.ones(len(view), dtype=np.int64)
        if view.adjacent:
            # A text that continues another is no node of its own: it has the number of the first.
            counted[np.flatnonzero((view.kinds > NAMESPACE) & (view.path_kinds[view.path] == TEXT))] = 0
        order = np.argsort(family, kind="stable")
        running = np.cumsum(counted[order])
        borders = np.flatnonzero(np.diff(family[order], prepend=-1))
        before = running[borders] - counted[order][borders]
        sizes = np.diff(borders, append=len(order))
        place, total = np.empty(len(order), dtype=np.int64), np.empty(len(order), dtype=np.int64)
        place[order] = running - np.repeat(before, sizes)
        total[order] = np.repeat(running[borders + sizes - 1] - before, sizes)
        return place, total

    def __repr__(self) -> str:
        return f"<{len(self)} nodes>"


def _step(name: str) -> str:
    """Returns the step of a path that leads to a node with this label."""
    if name[0] == "?":
        return f"processing-instruction('{name[1:]}')"
    if name[0] == "&":
        return f"namespace::{name[1:] or '*'}"
    return _STEPS.get(name, name)


Result = float | str | bool | Found
