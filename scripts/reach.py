"""Which tests reach a piece of code? A guess by names, for `scripts/mutants.py`.

A definition is reached through the definitions that mention its name: first those of its own module, then
those of the modules that import it. A test is the more likely to reach the code, the rarer the names are that
it mentions of these. Tests that mirror the module or import it come before others.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from math import log
from pathlib import Path

_FURTHER = 0.4
"""What a name counts of another module, for each module on the way. Tests of callers come after one's own."""
_ELSEWHERE = 0.5
"""What a name counts in a test of another package."""
_FAR = ("whole", "journeys", "docs", "bench", "zoo")
"""Folders of tests that reach everything and take long. They are asked last."""


@dataclass(frozen=True)
class Tree:
    """The sources of the product and of its tests, by their path in the tree."""

    root: Path

    @cached_property
    def modules(self) -> dict[Path, str]:
        folder = self.root / "src/webvigil"
        return {path.relative_to(folder): path.read_text("utf-8") for path in sorted(folder.rglob("*.py"))}

    @cached_property
    def tests(self) -> dict[Path, str]:
        found = sorted((self.root / "tests").rglob("test_*.py"))
        return {path.relative_to(self.root): path.read_text("utf-8") for path in found}

    @cached_property
    def words(self) -> dict[Path, set[str]]:
        return {path: set(re.findall(r"\w+", text)) for path, text in self.tests.items()}

    @cached_property
    def rarity(self) -> dict[str, float]:
        counts = Counter(word for words in self.words.values() for word in words)
        return {word: log(len(self.tests) / count) for word, count in counts.items()}


def tests_reaching(tree: Tree, file: Path, line: int) -> list[Path]:
    """Returns the tests that mention what leads to a line of a module, the most likely first."""
    names = _leading_to(tree, file, line)
    scores = {path: _score(tree, path, file, names) for path in tree.tests}
    return sorted((path for path, score in scores.items() if score > 0), key=lambda path: -scores[path])


def _score(tree: Tree, test: Path, file: Path, names: dict[str, float]) -> float:
    known = sum(weight * tree.rarity[name] for name, weight in names.items() if name in tree.words[test])
    is_near = test.parts[1] in (file.parts[0], f"test_{file.parts[0]}")
    # Elsewhere a name such as `take` or `add` mostly means something else.
    known = known + 2 if is_near else known * _ELSEWHERE
    known += 8 * (test.stem == f"test_{file.stem}" and is_near)
    known += 4 * bool(_importing(file).search(tree.tests[test]))
    return known / 10 if test.parts[1] in _FAR else known


def _leading_to(tree: Tree, file: Path, line: int) -> dict[str, float]:
    """Names of definitions through which a line is reached, and how much each of them counts."""
    mentions = _mentions(tree, file)
    inside = {name for name, (first, last, _) in mentions.items() if first <= line <= last}
    reached = dict.fromkeys(_closure(inside, tree, file), 1.0)
    rim, weight = {file: set(reached)}, 1.0
    for _ in range(2):
        weight *= _FURTHER
        users: dict[Path, set[str]] = {}
        for used, names in rim.items():
            for path in _users(tree, used):
                users.setdefault(path, set()).update(_closure(names, tree, path) - names)
        for names in users.values():
            for name in names:
                reached.setdefault(name, weight)
        rim = users
    return reached


def _closure(names: set[str], tree: Tree, file: Path) -> set[str]:
    """Returns these names, and those of the module's definitions that mention them, directly or not."""
    found, mentions = set(names), _mentions(tree, file)
    while more := {one for one, (_, _, used) in mentions.items() if one not in found and used & found}:
        found |= more
    return found


@cache
def _users(tree: Tree, file: Path) -> list[Path]:
    """Returns the modules that import a module."""
    return [path for path, text in tree.modules.items() if path != file and _importing(file).search(text)]


@cache
def _mentions(tree: Tree, file: Path) -> dict[str, tuple[int, int, set[str]]]:
    """For each definition of a module its first line, its last line, and the names that it mentions."""
    return {
        name: (node.lineno, node.end_lineno or node.lineno, _names_in(node))
        for name, node in _definitions(ast.parse(tree.modules[file]).body)
    }


def _definitions(body: list[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.name, node
            case ast.ClassDef():
                yield node.name, node
                yield from _definitions(node.body)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name, node


def _names_in(node: ast.AST) -> set[str]:
    found = (getattr(one, "id", None) or getattr(one, "attr", None) for one in ast.walk(node))
    return {name for name in found if isinstance(name, str)}


@cache
def _importing(file: Path) -> re.Pattern[str]:
    """Finds imports from the module, and of the module from its package."""
    module = ".".join(("webvigil", *file.with_suffix("").parts)).removesuffix(".__init__")
    package, _, name = module.rpartition(".")
    return re.compile(
        rf"^\s*(?:from {re.escape(module)} import|import {re.escape(module)}\b"
        rf"|from {re.escape(package)} import (?:\([^)]*|.*)\b{name}\b)",
        re.MULTILINE,
    )
