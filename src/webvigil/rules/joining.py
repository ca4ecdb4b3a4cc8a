"""Which pages of a sentinel must have changed together, also where it is set on other sentinels (L3, G5).

Sentinels may be set on each other in chains of thousands. Each is worked out once, with a stack of our own,
and the result is used by all that name it. What is built is bounded: a few sentinels that each name another
twice would otherwise stand for more pages than there are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from webvigil.errors import SentinelRefused
from webvigil.model.joint import Joint, unless_any_will_do
from webvigil.model.page import Page
from webvigil.model.sentinel import Sentinel, SentinelPages, SeveralTargets, Target
from webvigil.rules.inherit import targets
from webvigil.rules.install import PagesOf, Render, pages

# Everything that walks a joint may recurse because of the first limit, and is quick because of the second.
DEEPEST, MOST = 200, 10_000


class _Joined(NamedTuple):
    value: Page | Joint
    depth: int
    pages: int


class Joining:
    """`pages_of` tells the pages of a sentinel by its name, `sentinel_of` what it was told to do."""

    def __init__(self, pages_of: PagesOf, sentinel_of: Callable[[str], Sentinel | None]) -> None:
        self._pages_of = pages_of
        self._sentinel_of = sentinel_of
        self._known: dict[str, _Joined] = {}

    def __call__(self, sentinel: Sentinel) -> Joint | None:
        """None: a change of any of its pages is enough. Raises SentinelRefused for more than is bearable."""
        self._learn(sentinel)
        return unless_any_will_do(self._joined(sentinel).value)

    def _learn(self, sentinel: Sentinel) -> None:
        """All that it is set on, directly or through others, each after those it is set on itself."""
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
        joined = self._joined_targets(sentinel.target, sentinel.render or "http")
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

    def _joined_targets(self, target: Target, render: Render) -> _Joined:
        match target:
            case SeveralTargets(operator, several):
                inner = [self._joined_targets(one, render) for one in several]
                value = Joint(operator, tuple(one.value for one in inner))
                return _Joined(value, 1 + max(one.depth for one in inner), sum(one.pages for one in inner))
            case SentinelPages(name):
                return self._known[name]
        return _Joined(pages(target, render, self._pages_of)[0], 1, 1)


def _of_any(found: tuple[Page, ...]) -> _Joined:
    return _Joined(Joint("OR", found), 2, len(found))
