"""What AND, OR and NOT mean: the one evaluator of change expressions, of the graph's nodes and of conditions.

A joined value (`And`, `NotCondition`, a composite node) tells its operator and its operands by `joined`;
everything else is a leaf, of which only the caller knows whether it is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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


def leaves(tree: Any) -> Iterator[Any]:
    """Yields the leaves in the order they are written."""
    joined: Joined | None = getattr(tree, "joined", None)
    if joined is None:
        yield tree
    else:
        for operand in joined[1]:
            yield from leaves(operand)
