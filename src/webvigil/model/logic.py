"""What AND, OR and NOT mean: the one evaluator of change expressions, of the graph's nodes and of conditions.

A joined value (`And`, `NotCondition`, a composite node) tells its operator and its operands by `joined`;
everything else is a leaf, of which only the caller knows whether it is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Literal

Operator = Literal["AND", "OR", "NOT", "BECOMES"]
Joined = tuple[Operator, tuple[Any, ...]]


def holds(tree: Any, is_true: Callable[[Any], bool]) -> bool:
    """Returns whether the whole is true, given which leaves are. A leaf that decides nothing is not asked.
    What becomes true is asked like a leaf: only the caller knows what was true before."""
    joined: Joined | None = getattr(tree, "joined", None)
    match joined:
        case None | ("BECOMES", _):
            return is_true(tree)
        case "NOT", (operand,):
            return not holds(operand, is_true)
        case "AND", operands:
            return all(holds(one, is_true) for one in operands)
        case _, operands:
            return any(holds(one, is_true) for one in operands)


def rest(tree: Any, known: Callable[[Any], bool | None]) -> Any:
    """Returns whether the whole is true. If that depends on leaves that nobody knows yet (`known` returns
    None for them), returns what is left of the tree: the same operators over these leaves alone."""
    joined: Joined | None = getattr(tree, "joined", None)
    match joined:
        case None | ("BECOMES", _):
            found = known(tree)
            return tree if found is None else found
        case "NOT", (operand,):
            left = rest(operand, known)
            return not left if isinstance(left, bool) else replace(tree, operand=left)
        case operator, operands:
            return _rest_of_several(tree, operator == "OR", operands, known)


def _rest_of_several(
    tree: Any, decides: bool, operands: tuple[Any, ...], known: Callable[[Any], bool | None]
) -> Any:
    """Returns what is left of operands joined by AND or OR. `decides` is the value of an operand that decides
    the whole: True for OR, False for AND."""
    left = []
    for one in operands:
        found = rest(one, known)
        if found is decides:
            return decides
        if not isinstance(found, bool):
            left.append(found)
    if not left:
        return not decides
    return left[0] if len(left) == 1 else replace(tree, operands=tuple(left))


def leaves(tree: Any) -> Iterator[Any]:
    """Yields the leaves in the order they are written."""
    joined: Joined | None = getattr(tree, "joined", None)
    if joined is None:
        yield tree
    else:
        for operand in joined[1]:
            yield from leaves(operand)
