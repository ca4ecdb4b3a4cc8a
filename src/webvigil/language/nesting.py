"""How deep targets, change expressions and conditions are nested, counted without recursion.

Everything that walks them (printing, comparing, detecting) may recurse because of this limit.
"""

from __future__ import annotations

from webvigil.model import sentinel as model

DEEPEST = 100

Nested = model.Target | model.ChangeExpression | model.WhenCondition


def depth(value: Nested) -> int:
    """1 for a single page, change type or comparison. Stops counting soon after DEEPEST."""
    level, values = 0, [value]
    while values and level <= DEEPEST:
        level, values = level + 1, [inner for one in values for inner in _inside(one)]
    return level


def _inside(value: Nested) -> tuple[Nested, ...]:
    if isinstance(value, model.SeveralTargets):
        return value.targets
    _, operands = getattr(value, "joined", ("", ()))
    return tuple(operands)
