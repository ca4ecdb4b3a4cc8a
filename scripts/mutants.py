"""Puts small faults into a copy of the tree, and tells which of them the tests of the module notice.

    python scripts/mutants.py                     200 mutants, spread over the packages
    python scripts/mutants.py --count 40 --seed 7
    python scripts/mutants.py --only pace/bea.py --count 30

A mutant is the tree with one comparison, number, `and`, `or`, `not` or returned value changed. The tests run
that mirror its module or name it, in the folder of its package. A mutant is killed when one of them
fails or when they take longer than `--limit` seconds; a survivor is printed, to be judged by a person.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain, zip_longest
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = Path("src/webvigil")
_COPIED = (
    "src",
    "tests",
    "bench",
    "docs",
    "deploy",
    "scripts",
    "pyproject.toml",
    "README.md",
    "CONTRIBUTING.md",
)
_FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_MOST_TESTS = 6
"""Files of tests that run for a mutant: with more of them the run would be that of the package."""


@dataclass(frozen=True)
class Mutant:
    """A module with one fault in it: instead of the bytes from `begin` to `end` there is `after`."""

    file: Path
    line: int
    whole: bytes
    begin: int
    end: int
    after: str

    @property
    def before(self) -> str:
        return self.whole[self.begin : self.end].decode()

    @property
    def source(self) -> str:
        return (self.whole[: self.begin] + self.after.encode() + self.whole[self.end :]).decode()

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {_short(self.before)}  ->  {_short(self.after)}"


def mutants(file: Path, source: str) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of its lines."""
    whole = source.encode()
    starts = [0, *accumulate(len(line) for line in whole.splitlines(keepends=True))]
    for node in _mutable(ast.parse(source)):
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        for changed in _faults(node):
            after = ast.unparse(changed)
            if isinstance(node, ast.expr):
                after = f"({after})"
            yield Mutant(file, node.lineno, whole, begin, end, after)


def _mutable(tree: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Nodes that may change. Annotations, f-strings and what only types see are left alone."""
    if isinstance(tree, ast.JoinedStr):
        return
    if isinstance(tree, ast.If) and ast.unparse(tree.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
        return
    if isinstance(tree, ast.expr | ast.stmt):
        yield tree
    for name, value in ast.iter_fields(tree):
        if name not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _mutable(child)


def _faults(node: ast.expr | ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.Compare():
            for place, operator in enumerate(node.ops):
                changed = copy.deepcopy(node)
                changed.ops[place] = _FLIPPED[type(operator)]()
                yield changed
        case ast.BoolOp():
            yield ast.BoolOp(op=ast.And() if isinstance(node.op, ast.Or) else ast.Or(), values=node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.Constant(value=int()) if not isinstance(node.value, bool):
            yield ast.Constant(node.value + 1)
            yield ast.Constant(node.value - 1)
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield ast.Return(value=ast.Constant(None))


def sampled(count: int, seed: int, only: str = "") -> list[Mutant]:
    """As many mutants of each package as of any other, chosen by the seed."""
    chance = random.Random(seed)  # noqa: S311
    packages: dict[str, list[Mutant]] = {}
    for path in sorted((ROOT / SOURCE).rglob("*.py")):
        file = path.relative_to(ROOT / SOURCE)
        if (not only or only in str(file)) and "migrations" not in file.parts:
            packages.setdefault(file.parts[0], []).extend(mutants(file, path.read_text("utf-8")))
    for found in packages.values():
        chance.shuffle(found)
    rows = zip_longest(*packages.values())
    return [one for one in chain.from_iterable(rows) if one][:count]


@cache
def tests_of(file: Path) -> tuple[str, ...]:
    """Tests that mirror the module, and those of its package that name it; if there are none, the folder."""
    inside = len(file.parts) > 1
    folder = ROOT / "tests" / (file.parts[0] if inside else "")
    module = ".".join(("webvigil", *file.with_suffix("").parts)).removesuffix(".__init__")
    mirrors = [*folder.rglob(f"test_{file.stem}.py")]
    naming = [
        path
        for path in sorted(folder.rglob("test_*.py"))
        if path not in mirrors and f"from {module} import" in path.read_text("utf-8")
    ]
    chosen = [str(path.relative_to(ROOT)) for path in [*mirrors, *naming][:_MOST_TESTS]]
    return tuple(chosen or [str(folder.relative_to(ROOT)) if inside else "tests/test_library.py"])


class Laboratory:
    """A copy of the tree in which mutants live, one at a time."""

    def __init__(self, place: Path, limit: float) -> None:
        self.place, self.limit = place, limit
        for name in _COPIED:
            path = ROOT / name
            ignored = shutil.ignore_patterns("__pycache__")
            if path.is_dir():
                shutil.copytree(path, place / name, ignore=ignored)
            elif path.exists():
                shutil.copy(path, place)

    @cache  # noqa: B019  (there is one laboratory, and it lives as long as the run)
    def passes(self, tests: tuple[str, ...]) -> bool:
        """Whether these tests pass in the tree as it is; otherwise they can judge nobody."""
        return self._run(tests)

    def kills(self, mutant: Mutant) -> bool:
        path = self.place / SOURCE / mutant.file
        whole = path.read_text("utf-8")
        path.write_text(mutant.source, "utf-8")
        try:
            return not self._run(tests_of(mutant.file))
        finally:
            path.write_text(whole, "utf-8")

    def _run(self, tests: tuple[str, ...]) -> bool:
        options = ["-x", "-q", "-p", "no:cacheprovider", "--no-header", "--hypothesis-seed=0"]
        environment = {
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "1",
        }  # a mutant's bytecode must not outlive it
        try:
            done = subprocess.run(  # noqa: S603
                [sys.executable, "-m", "pytest", *options, *tests],
                cwd=self.place,
                env=environment,
                capture_output=True,
                timeout=self.limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode in (0, 5)


def _short(text: str) -> str:
    return " ".join(text.split())[:70]


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--count", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="", help="a part of the path of a module, such as pace/bea.py")
    options.add_argument("--limit", type=float, default=300, help="seconds for the tests of one mutant")
    given = options.parse_args()
    verdicts = {"killed": 0, "survived": 0, "no verdict": 0}
    with tempfile.TemporaryDirectory(prefix="webvigil-mutants-") as place:
        laboratory = Laboratory(Path(place), given.limit)
        for mutant in sampled(given.count, given.seed, given.only):
            if not laboratory.passes(tests_of(mutant.file)):
                verdict = "no verdict"
            else:
                verdict = "killed" if laboratory.kills(mutant) else "survived"
            verdicts[verdict] += 1
            print(f"{verdict:10}  {mutant}", flush=True)
    judged = verdicts["killed"] + verdicts["survived"]
    share = verdicts["killed"] / judged if judged else 0
    print(
        f"{verdicts['killed']} of {judged} killed ({share:.0%}); {verdicts['no verdict']} without a verdict"
    )


if __name__ == "__main__":
    main()
