"""Joining: which pages of a sentinel must have changed together, also on other sentinels (L3, G5).

Sentinels may be set on each other in chains of thousands. Each sentinel is resolved once, with an explicit
stack instead of recursion, and all sentinels that name it reuse the result. The size of a joint is bounded: a
few sentinels that each name another sentinel twice would otherwise double the joint at every level.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from webvigil.errors import SentinelRefused
from webvigil.model.joint import Joint, unless_any_will_do
from webvigil.model.page import Page
from webvigil.model.sentinel import Sentinel, SentinelPages, SeveralTargets, Target
from webvigil.rules.inherit import targets
from webvigil.rules.install import Fetching, PagesOf, fetching_of, pages

# Functions that walk a joint recurse, so DEEPEST keeps them far from Python's recursion limit; MOST keeps the
# walk quick. Neither was tuned; tests/app/sentinels/test_chains.py covers both refusals.
DEEPEST, MOST = 200, 10_000


class _Joined(NamedTuple):
    """A resolved target, its depth as a tree and the number of pages in it (a page that occurs twice counts
    twice)."""

    value: Page | Joint
    depth: int
    pages: int


class Joining:
    """Resolves the joint of a sentinel. `pages_of` returns the pages of a sentinel by its name, `sentinel_of`
    its clauses."""

    def __init__(self, pages_of: PagesOf, sentinel_of: Callable[[str], Sentinel | None]) -> None:
        self._pages_of = pages_of
        self._sentinel_of = sentinel_of
        self._known: dict[str, _Joined] = {}

    def __call__(self, sentinel: Sentinel) -> Joint | None:
        """Returns the joint of the sentinel's pages, or None if a change of any page is enough. Raises
        SentinelRefused if the joint would be too deep or too large."""
        self._learn(sentinel)
        return unless_any_will_do(self._joined(sentinel).value)

    def _learn(self, sentinel: Sentinel) -> None:
        """Resolves all sentinels that this sentinel is set on, directly or through others, each after the
        sentinels that it is set on itself. In a circle the pages of a sentinel count as joined by OR."""
        begun = {sentinel.name}
        waiting = [(name, False) for name in targets(sentinel.target)]
        while waiting:
            name, explored = waiting.pop()
            if name in self._known:
                continue
            other = self._sentinel_of(name)
            if explored and other is not None:
                self._known[name] = self._joined(other)
            elif name in begun or other is None:
                self._known[name] = _of_any(self._pages_of(name))
            else:
                begun.add(name)
                waiting += [(name, True), *((one, False) for one in targets(other.target))]

    def _joined(self, sentinel: Sentinel) -> _Joined:
        joined = self._joined_targets(sentinel.target, fetching_of(sentinel))
        if joined.depth > DEEPEST:
            raise SentinelRefused(
                f"{sentinel.name} joins pages with AND and OR through more than {DEEPEST} levels of "
                "sentinels; name the pages themselves"
            )
        if joined.pages > MOST:
            raise SentinelRefused(
                f"{sentinel.name} names {joined.pages:,} pages through the sentinels it is set on; "
                f"at most {MOST:,}"
            )
        return joined

    def _joined_targets(self, target: Target, fetching: Fetching) -> _Joined:
        match target:
            case SeveralTargets(operator, several):
                inner = [self._joined_targets(one, fetching) for one in several]
                value = Joint(operator, tuple(one.value for one in inner))
                return _Joined(value, 1 + max(one.depth for one in inner), sum(one.pages for one in inner))
            case SentinelPages(name):
                return self._known[name]
        return _Joined(pages(target, fetching, self._pages_of)[0], 1, 1)


def _of_any(found: tuple[Page, ...]) -> _Joined:
    """Joins pages with OR; used for a sentinel whose clauses are unknown or that is part of a circle."""
    return _Joined(Joint("OR", found), 2, len(found))
