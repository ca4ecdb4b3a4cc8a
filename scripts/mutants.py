"""Puts small faults into a copy of the tree, and tells which of them the tests of the module notice.

    python scripts/mutants.py --trace             finds out which tests reach which lines: the first step
    python scripts/mutants.py                     200 mutants, spread over the packages
    python scripts/mutants.py --count 40 --seed 7
    python scripts/mutants.py --only pace/bea.py --count 30
    python scripts/mutants.py --judged --count 1000   of these, only those that are judged to be no faults
    python scripts/mutants.py --trace tests/pace/test_bea.py   adds what new tests reach

A mutant is the tree with one comparison, number, `and`, `or`, `not` or returned value changed. The tests run
that reach the changed line (`scripts/reached.py`): first a few that reach little else, then more, three
times. A mutant is killed when a test fails that passes without the fault, when the tests take more than
`--limit` seconds of processor time and do not without the fault, or when the types are wrong, which `./test`
checks as well. A survivor is printed, to be judged by a person: it gets a test, or an entry in
`scripts/mutants.toml` that says why it is no fault. A mutant with an entry is not run, unless `--judged` asks
for these: an entry whose mutant is killed is wrong.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Container, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import accumulate, chain, zip_longest
from pathlib import Path
from time import monotonic, sleep
from typing import NoReturn

import pytest
from reached import Reached, trace
from warm import LAWS, Warm

ROOT = Path(__file__).parents[1]
REACHED = ROOT / ".coverage-reached"
"""What `--trace` found: the lines that each test reaches."""
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
_LARGE = 1_000
"""Numbers of this size and above are not changed: they are limits and times, and one more or less is no
fault."""
_ROUNDS = (5, 15, 40, 120, 420)
"""So many tests run first, and so many then for as long as none of them fails.

Most faults are noticed by the first tests. Only a survivor costs the time of all of them.
"""
_KEPT = (
    "tests/detect/test_golden.py",
    "tests/detect/test_cases.py",
    "tests/detect/test_kept_texts.py",
    "tests/detect/test_kept_sentences.py",
    "tests/detect/test_kept_sequences.py",
    "tests/detect/test_kept_pages.py",
    "tests/detect/test_by_lot.py",
    "tests/present/test_golden.py",
    "tests/present/test_kept.py",
    "tests/document/test_kept.py",
    "tests/document/test_naming.py",
    "tests/xpack/test_layout.py",
    "tests/pace/test_kept.py",
    "tests/pace/test_simulated.py",
    "tests/app/moving/test_outcomes.py",
    "tests/app/moving/test_combinations.py",
    "tests/whole/test_week.py",
)
"""Tests that compare results with kept ones, letter for letter. They reach much, so a line that many tests
reach would ask them last, or not at all. They notice what small tests do not ask for, so they run in the
third round."""
_BUSY = 5
"""Seconds that a second of processor time may take on a busy machine. Tests that wait for ever are ended
after that time."""
_PLUGINS = (
    "hypothesis",
    "schemathesis.pytest",
    "xdist",
    "numpy",
    "sqlalchemy",
    "alembic",
    "lxml.etree",
    "lark",
)
"""Packages of others that most tests import. They are imported once, before the processes of the runs are
forked."""


_Key = tuple[str, str, str]


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
    def last(self) -> int:
        """The last line of the code that is changed."""
        return self.line + self.before.count("\n")

    @property
    def text(self) -> str:
        """The first line of the code that is changed, without its indentation."""
        return self.whole.decode().splitlines()[self.line - 1].strip()

    @property
    def key(self) -> _Key:
        """What `scripts/mutants.toml` knows a mutant by, also when lines move."""
        return str(self.file), self.text, self.after

    @property
    def source(self) -> str:
        return (self.whole[: self.begin] + self.after.encode() + self.whole[self.end :]).decode()

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {_short(self.before)}  ->  {_short(self.after)}    in: {self.text}"


def mutants(file: Path, source: str) -> Iterator[Mutant]:
    """Yields every mutant of a module, in the order of its lines."""
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
    """Yields the nodes that may be changed. Annotations, decorators, f-strings and code for type checkers are
    left out."""
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
        case ast.Constant(value=int()) if not isinstance(node.value, bool) and node.value < _LARGE:
            yield ast.Constant(node.value + 1)
            yield ast.Constant(node.value - 1)
        case ast.Return(value=ast.Constant(value=bool() as value)):
            yield ast.Return(value=ast.Constant(not value))
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield ast.Return(value=ast.Constant(None))


def sampled(count: int, seed: int, only: str = "") -> list[Mutant]:
    """Returns as many mutants of each package as of any other, chosen by the seed."""
    chance = random.Random(seed)  # noqa: S311
    packages: dict[str, list[Mutant]] = {}
    for path in sorted((ROOT / SOURCE).rglob("*.py")):
        file = path.relative_to(ROOT / SOURCE)
        if only.partition(":")[0] in str(file) and not {"migrations", "__main__.py"} & {*file.parts}:
            made = mutants(file, path.read_text("utf-8"))
            kept = [one for one in made if only in f"{file}:{one.line}"]
            packages.setdefault(str(file.parent).partition("/")[0], []).extend(kept)
    for found in packages.values():
        chance.shuffle(found)
    rows = zip_longest(*packages.values())
    return [one for one in chain.from_iterable(rows) if one][:count]


def judged() -> dict[_Key, str]:
    """Reads why mutants are no faults: by file, first line of the code, and what the code becomes."""
    entries = tomllib.loads((ROOT / "scripts/mutants.toml").read_text("utf-8"))["judged"]
    return {
        (one["file"], line, after): one["why"]
        for one in entries
        for line, *changed in one["code"]
        for after in changed
    }


def rounds_of(tests: list[str]) -> Iterator[list[str]]:
    """Yields a few of the tests, then more. The tests with kept results run in the third round."""
    early = sum(_ROUNDS[:2])
    kept = [test for test in tests[early:] if test.startswith(_KEPT)]
    tests = [*tests[:early], *kept, *(test for test in tests[early:] if test not in kept)]
    for count in _ROUNDS:
        some, tests = tests[:count], tests[count:]
        if some:
            yield some


class Chosen:
    """A plugin of pytest that runs the chosen tests of the collected files, in the order of the choice."""

    def __init__(self, tests: list[str]) -> None:
        self._places = {test: place for place, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        kept = [item for item in items if _function(item.nodeid) in self._places]
        items[:] = sorted(kept, key=lambda item: self._places[_function(item.nodeid)])


class Laboratory:
    """A copy of the tree in which mutants live, one at a time.

    Python keeps the bytecode of the copy between runs. The bytecode of a mutant is removed with the mutant.
    Tests run in a process that has imported everything (`scripts/warm.py`); if the fault cannot be put there,
    in one that imports the mutant.
    """

    def __init__(self, place: Path, limit: int) -> None:
        self.place, self.limit, self.rubbish = place, limit, place / "tmp"
        self._broken: set[str] = set()
        for name in _COPIED:
            path = ROOT / name
            ignored = shutil.ignore_patterns("__pycache__")
            if path.is_dir():
                shutil.copytree(path, place / name, ignore=ignored)
            elif path.exists():
                shutil.copy2(path, place)
        self._warm = Warm(place, self._run_by)

    def close(self) -> None:
        self._warm.close()

    def verdict(self, mutant: Mutant, tests: list[str]) -> str:
        """Asks the tests. One that fails without the fault, too, is not asked again."""
        for some in rounds_of([test for test in tests if test not in self._broken]):
            while some and (failed := self._failed_with(mutant, some)):
                if not self._warm.failed(failed):
                    return "killed"
                if len(failed) > 1:
                    break  # these tests take too long with and without the fault
                self._broken.update(failed)
                some = [test for test in some if test not in self._broken]
        with self._changed(mutant) as path:
            is_right = self._has_right_types(path)
        return "survived" if is_right or not self._has_right_types(path) else "killed"

    def _has_right_types(self, path: Path) -> bool:
        """Asks mypy about a module. The first time, mypy checks all that the module imports."""
        asked = [sys.executable, "-m", "mypy", str(path)]
        return subprocess.run(asked, cwd=self.place, capture_output=True, check=False).returncode == 0  # noqa: S603

    def _failed_with(self, mutant: Mutant, tests: list[str]) -> list[str]:
        with self._changed(mutant) as path:
            failed = self._warm.failed(tests, path, mutant.source)
            return self._run(tests) if failed is None else failed

    @contextmanager
    def _changed(self, mutant: Mutant) -> Iterator[Path]:
        """Puts the fault into the file of its module for as long as the block runs."""
        path = self.place / SOURCE / mutant.file
        whole, times = path.read_bytes(), path.stat()
        path.write_text(mutant.source, "utf-8")
        try:
            yield path
        finally:
            path.write_bytes(whole)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
                compiled.unlink()

    def _run(self, tests: list[str]) -> list[str]:
        """Runs the tests in a process that has imported nothing of ours."""
        return self._run_by(tests, self._test)

    def _run_by(self, tests: list[str], run: Callable[[list[str]], int]) -> list[str]:
        """Runs the tests by `run` in a forked process. Returns the first test that failed, nothing if none
        did, and all tests if they took too long or their output names no test."""
        self.rubbish.mkdir(exist_ok=True)
        with tempfile.TemporaryFile("w+") as output:
            child = os.fork()
            if child == 0:
                self._end_with(partial(run, tests), output.fileno())
            try:
                code = self._ended(child)
            finally:
                self._tidy()
            output.seek(0)
            said = output.read()
        if code in (0, 5):
            return []
        first = re.search(r"^(?:FAILED|ERROR) (tests/\S+?\.py(?:::\w+)*)", said, re.MULTILINE)
        return [first[1]] if first and first[1] in tests else tests

    def _end_with(self, run: Callable[[], int], output: int) -> NoReturn:
        """Runs tests in this process, which was forked for them, and ends it."""
        code = 3
        try:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CPU, (self.limit, self.limit))
            os.dup2(output, 1)
            os.dup2(output, 2)
            os.environ["TMPDIR"] = tempfile.tempdir = str(self.rubbish)
            code = run()
        finally:
            sys.stdout.flush()
            os._exit(code)

    def _test(self, tests: list[str]) -> int:
        os.chdir(self.place)
        os.environ["PYTHONPATH"] = str(self.place / "src")
        sys.path[0] = str(self.place / "src")
        options = ["-x", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=no", *LAWS]
        options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # plugins were imported before
        files = dict.fromkeys(test.partition("::")[0] for test in tests)
        return pytest.main([*options, *files], plugins=[Chosen(tests)])

    def _ended(self, child: int) -> int:
        """Waits for a process; ends it, with the servers and browsers it started, when the time is over."""
        end = monotonic() + _BUSY * self.limit
        done, status = 0, 0
        try:
            while not done and monotonic() < end:
                sleep(0.05)
                done, status = os.waitpid(child, os.WNOHANG)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
        if not done:
            _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)

    def _tidy(self) -> None:
        """Removes what a run left behind. PostgreSQL runs in a session of its own, so it is ended here."""
        for lock in self.rubbish.rglob("postmaster.pid"):
            with suppress(ProcessLookupError):
                os.kill(int(lock.read_text("utf-8").split()[0]), signal.SIGQUIT)
        shutil.rmtree(self.rubbish, ignore_errors=True)


def _function(name: str) -> str:
    """The name of a test without its parameters."""
    return name.partition("[")[0]


def _short(text: str) -> str:
    return " ".join(text.split())[:70]


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--count", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument(
        "--skip", type=int, default=0, help="mutants at the start of the sample to leave out"
    )
    options.add_argument(
        "--only", default="", help="a part of the path of a module, such as pace/bea.py or pace/bea.py:50"
    )
    options.add_argument(
        "--limit", type=int, default=120, help="seconds of processor time for a run of tests"
    )
    options.add_argument(
        "--trace", nargs="*", metavar="TESTS", help="find out which lines these tests reach, or all tests"
    )
    options.add_argument(
        "--judged", action="store_true", help="run those of the sample that are judged to be no faults"
    )
    given = options.parse_args()
    if given.trace is not None:
        trace(ROOT, REACHED, given.trace)
    elif REACHED.exists():
        some = sampled(given.count, given.seed, given.only)[given.skip :]
        known = judged()
        if given.judged:
            some, known = [one for one in some if one.key in known], {}
        _judge(some, known, given.limit)
    else:
        sys.exit("it is not known which tests reach what: run `python scripts/mutants.py --trace` first")


def _judge(some: list[Mutant], known: Container[_Key], limit: int) -> None:
    """Runs the tests for each mutant that is not known to be no fault, and prints what comes of it."""
    reached = Reached(ROOT, REACHED)
    verdicts = {"killed": 0, "survived": 0, "judged": 0}
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # `finally` blocks end processes and tidy up
    for name in _PLUGINS:
        import_module(name)
    with (
        tempfile.TemporaryDirectory(prefix="webvigil-mutants-") as place,
        closing(Laboratory(Path(place), limit)) as laboratory,
    ):
        for mutant in some:
            is_known = mutant.key in known
            begun = monotonic()
            tests = reached.tests(mutant.file, mutant.line, mutant.last)
            verdict = "judged" if is_known else laboratory.verdict(mutant, tests)
            verdicts[verdict] += 1
            print(f"{verdict:8} {monotonic() - begun:4.0f} s  {len(tests):4} tests  {mutant}", flush=True)
    told = verdicts["killed"] + verdicts["survived"]
    share = verdicts["killed"] / told if told else 0
    print(f"{verdicts['killed']} of {told} killed ({share:.0%}); {verdicts['judged']} judged to be no faults")


if __name__ == "__main__":
    main()
