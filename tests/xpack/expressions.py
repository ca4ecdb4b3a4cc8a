"""The XPath expressions on which our answers are compared with lxml's: every axis, function and operator.

Expressions written by hand are in `expressions.txt`, one per line; combinations of axes, tests and signs are
generated here.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

AXES = """ancestor ancestor-or-self attribute child descendant descendant-or-self following
following-sibling parent preceding preceding-sibling self""".split()  # noqa: SIM905

_ON_AXES = [f"//*/{axis}::{test}" for axis, test in product(AXES, ("*", "node()", "b"))]
_POSITIONS = [
    f"//*/{axis}::*[{predicate}]" for axis, predicate in product(AXES, ("1", "last()", "position() > 1"))
]
_INSIDE = [f"//*[{axis}::node()]" for axis in AXES] + [f"count(//*[count({axis}::*) > 1])" for axis in AXES]
_FROM_TEXTS = [f"//text()/{axis}::node()" for axis in AXES]
_FROM_ATTRIBUTES = [f"//@*/{axis}::node()" for axis in AXES if axis not in ("following", "preceding")]
_COMPARED = (
    ("1", "2"),
    ("'1'", "1"),
    ("'a'", "'b'"),
    ("//item", "3"),
    ("//b", "//a"),
    ("//nothing", "''"),
    ("true()", "//a"),
    ("//@a", "'1'"),
    ("0 div 0", "0 div 0"),
    ("//td", "//item"),
)
_COMPARISONS = [
    f"{left} {sign} {right}" for (left, right), sign in product(_COMPARED, ("=", "!=", "<", ">="))
]
_WRITTEN = Path(__file__).with_name("expressions.txt").read_text(encoding="utf-8").splitlines()

EXPRESSIONS = [*_ON_AXES, *_POSITIONS, *_INSIDE, *_FROM_TEXTS, *_FROM_ATTRIBUTES, *_COMPARISONS, *_WRITTEN]
