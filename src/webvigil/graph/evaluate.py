"""Two versions of a page and any number of interests in, the findings of each interest out (G2, G3, G5).

Every part is cut out once, and every change node is computed at most once. Most change nodes need no
detector, because cheaper comparisons come first: the signatures of both versions, the nodes of the part, the
aspects that did not change, and one pass for all keywords, phrases and expressions. The findings of an
interest are exactly those of comparing it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from webvigil.detect.find import find, nothing
from webvigil.detect.pair import pair
from webvigil.detect.quiet.advance import Advances
from webvigil.detect.quiet.calm import Calmed, calmed, without
from webvigil.document import PageDigest
from webvigil.errors import WebVigilError
from webvigil.graph.aspects import Aspects, Together
from webvigil.graph.nodes import ChangeNode, Interest, PartNode
from webvigil.graph.part import Cover, Views, cover, loud
from webvigil.model.change import Finding, ObjectChange
from webvigil.model.change_types import sees_beyond
from webvigil.model.logic import holds
from webvigil.model.memo import cached_property
from webvigil.model.quiet import LeftOut


class Evaluated(NamedTuple):
    """The result of one interest: whether its expression holds, the findings of its change nodes, and a
    function that returns both versions of its part.

    If `vanished` is True, the watched part is no longer on the page, and that is the only finding. `left_out`
    holds what differs and is no change for a sentinel that wants quiet; `advances` says how far ages and
    clocks that differ went on.
    """

    changed: bool
    findings: tuple[Finding, ...]
    look: Callable[[], Views]
    vanished: bool = False
    left_out: tuple[LeftOut, ...] = ()
    advances: Mapping[ObjectChange, Advances] = MappingProxyType({})


class Comparison:
    """Compares two versions for many interests. Results are kept by node, so interests that share a node
    share its result."""

    def __init__(self, old: PageDigest, new: PageDigest, interests: Iterable[Interest]) -> None:
        self.old = old
        self.new = new
        self._nodes: dict[PartNode, list[ChangeNode]] = {}
        for node in dict.fromkeys(node for one in dict.fromkeys(interests) for node in one.changes):
            self._nodes.setdefault(node.part, []).append(node)
        self._scenes: dict[PartNode, _Scene] = {}
        self._evaluated: dict[Interest, Evaluated | WebVigilError] = {}

    def of(self, interest: Interest) -> Evaluated:
        """Returns the result of an interest, which must be one of those given at construction. Raises the
        error that comparing this interest alone would raise."""
        known = self._evaluated.get(interest)
        if known is None:
            known = self._evaluated[interest] = self._evaluate(interest)
        if isinstance(known, WebVigilError):
            raise known
        return known

    def _evaluate(self, interest: Interest) -> Evaluated | WebVigilError:
        try:
            scene = self._scene(interest.part)
            if isinstance(scene.cover, Finding):
                return Evaluated(True, (scene.cover,), lambda: (self.old, self.new), vanished=True)
            if interest.quiet:
                return self._calmed(interest, scene)
            found = {node: scene.find(node) for node in interest.changes}
            changed = _is_met(interest, found)
            return Evaluated(changed, tuple(found.values()), scene.look)
        except WebVigilError as error:
            return error

    def _calmed(self, interest: Interest, scene: _Scene) -> Evaluated:
        calm = {node: scene.calm(node) for node in interest.changes}
        if interest.loud:
            is_loud = loud(self.old, self.new, interest.loud)
            calm = {node: one.but_for(is_loud) for node, one in calm.items()}
        found = {node: one.finding for node, one in calm.items()}
        left_out = tuple(dict.fromkeys(one for some in calm.values() for one in some.left_out))
        changed = _is_met(interest, found)
        advances = {one: found for some in calm.values() for one, found in some.advances.items()}
        return Evaluated(changed, tuple(found.values()), scene.look, left_out=left_out, advances=advances)

    def _scene(self, part: PartNode) -> _Scene:
        if part not in self._scenes:
            self._scenes[part] = _Scene(self.old, self.new, part, self._nodes.get(part, []))
        return self._scenes[part]


class _Scene:
    """One part of the page in both versions, with the findings of its change nodes."""

    def __init__(self, old: PageDigest, new: PageDigest, part: PartNode, nodes: list[ChangeNode]) -> None:
        self._old = old
        self._new = new
        self._part = part
        self._nodes = nodes
        self._found: dict[ChangeNode, Finding | WebVigilError] = {}
        self._calm: dict[ChangeNode, Calmed] = {}

    @cached_property
    def cover(self) -> Cover | Finding | None:
        """The nodes of the part, or the finding that it has vanished; None for the whole page."""
        is_part = self._part.within or self._part.ignore
        return cover(self._old, self._new, self._part) if is_part else None

    def look(self) -> Views:
        assert not isinstance(self.cover, Finding), "a part that vanished is not looked at"
        return self.cover.views if self.cover else (self._old, self._new)

    def find(self, node: ChangeNode) -> Finding:
        known = self._found.get(node)
        if known is None:
            known = self._found[node] = self._find(node)
        if isinstance(known, WebVigilError):
            raise known
        return known

    def calm(self, node: ChangeNode) -> Calmed:
        """Returns what the node finds, without what is no change to a person (Q1, Q2)."""
        known = self._calm.get(node)
        if known is None:
            found = self.find(node)
            known = calmed(*self.look(), node.change, found) if found.objects else Calmed(found)
            self._calm[node] = known
        return known

    def _find(self, node: ChangeNode) -> Finding | WebVigilError:
        if self._leave_out(node):
            return nothing(node.change.kind)
        try:
            return find(*self.look(), node.change)
        except WebVigilError as error:
            return error

    def _leave_out(self, node: ChangeNode) -> bool:
        if self._same:
            return not sees_beyond(node.change)
        if not node.sound:
            return False
        if self._aspects.leave_out(node.change):
            return True
        return self._aspects.are_read and self._together.leave_out(node)

    @cached_property
    def _same(self) -> bool:
        if isinstance(self.cover, Cover) and self.cover.unchanged:
            return True
        return pair(*self.look()).same

    @cached_property
    def _aspects(self) -> Aspects:
        return Aspects(*self.look())

    @cached_property
    def _together(self) -> Together:
        return Together(*self.look(), self._nodes)


def lessened(interest: Interest, evaluated: Evaluated, left_out: Sequence[LeftOut]) -> Evaluated:
    """Returns what an interest finds when some more objects of its findings are left out."""
    gone = {id(one.object) for one in left_out}
    found = {
        node: without(*evaluated.look(), node.change, finding, gone)
        if any(id(one) in gone for one in finding.objects)
        else finding
        for node, finding in zip(interest.changes, evaluated.findings, strict=True)
    }
    return evaluated._replace(
        changed=_is_met(interest, found),
        findings=tuple(found.values()),
        left_out=(*evaluated.left_out, *left_out),
    )


def _is_met(interest: Interest, found: Mapping[ChangeNode, Finding]) -> bool:
    """Tells whether the expression of an interest holds for these findings. Mostly it is one change type."""
    if isinstance(interest.top, ChangeNode):
        return bool(found[interest.top].objects)
    changed = {node for node, finding in found.items() if finding.objects}
    return holds(interest.top, changed.__contains__)
