"""Joints: pages that a sentinel wants to see changed together, such as `Using A AND (B OR C)` (L3, G5).

The sentinel fires when enough of its pages have changed since it last fired. Until then the findings on each
page are held back; only the newest finding of each page is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from webvigil.model.page import Page


@dataclass(frozen=True, slots=True)
class Joint:
    operator: Literal["AND", "OR"]
    pages: tuple[Page | Joint, ...]


def pages_in(one: Page | Joint) -> Iterator[Page]:
    if isinstance(one, Page):
        yield one
        return
    for inner in one.pages:
        yield from pages_in(inner)


def each_page(one: Page | Joint, change: Callable[[Page], Page]) -> Page | Joint:
    """Returns the same tree with `change` applied to every page."""
    if isinstance(one, Page):
        return change(one)
    return Joint(one.operator, tuple(each_page(inner, change) for inner in one.pages))


def unless_any_will_do(one: Page | Joint) -> Joint | None:
    """Returns the joint, or None if a change of any single page completes it: then nothing has to be held
    back."""
    if isinstance(one, Page):
        return None
    return None if _enough_alone(one) == {page.key for page in pages_in(one)} else one


def _enough_alone(one: Page | Joint) -> frozenset[str]:
    """Returns the keys of the pages whose change alone completes the joint."""
    if isinstance(one, Page):
        return frozenset({one.key})
    inner = map(_enough_alone, one.pages)
    return frozenset.intersection(*inner) if one.operator == "AND" else frozenset().union(*inner)


def joint_as_json(one: Joint, number: Callable[[Page], int]) -> list[Any]:
    """Returns the joint as lists with the number of each page: `["AND", 7, ["OR", 8, 9]]`."""
    plain: list[Any] = _plain(one, number)
    return plain


def is_complete(plain: Any, changed: Collection[Any]) -> bool:
    """Says whether enough pages of a stored joint have changed."""
    if not isinstance(plain, list):
        return plain in changed
    operator, *inner = plain
    enough = all if operator == "AND" else any
    return enough(is_complete(one, changed) for one in inner)


def _plain(one: Page | Joint, name: Callable[[Page], Any]) -> Any:
    """Returns the tree as nested lists, with each page replaced by `name(page)`."""
    return (
        name(one) if isinstance(one, Page) else [one.operator, *(_plain(inner, name) for inner in one.pages)]
    )
