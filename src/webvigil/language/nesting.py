"""A target, change expression or condition in, the depth of its nesting out.

The parser refuses what is nested deeper than DEEPEST. Because of this limit all code that walks these values
(printing, comparing, detecting) may recurse; the depth itself is counted without recursion.
"""

from __future__ import annotations

from webvigil.model import sentinel as model

# Far below Python's limit for recursion (1,000 calls), and far above what people write.
DEEPEST = 100

Nested = model.Target | model.ChangeExpression | model.WhenCondition


def depth(value: Nested) -> int:
    """Returns the number of levels: 1 for a single page, change type or comparison. Stops counting one level
    beyond DEEPEST."""
    level, values = 0, [value]
    while values and level <= DEEPEST:
        level, values = level + 1, [inner for one in values for inner in _inside(one)]
    return level


def _inside(value: Nested) -> tuple[Nested, ...]:
    if isinstance(value, model.SeveralTargets):
        return value.targets
    _, operands = getattr(value, "joined", ("", ()))
    return tuple(operands)
