"""Which tests reach a piece of code? For `scripts/mutants.py`: traced, then looked up.

`trace` runs the tests with coverage.py. Every test is a context of the run, by the plugin at the end of this
module; programs that a test starts are traced in its context, too. From Python 3.12 on that takes little more
time than `./test`; before, about four times as much. `Reached` reads what was found.
"""

from __future__ import annotations

import ast
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Generator, Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path

import coverage
import pytest

_MONITORS = sys.version_info >= (3, 12)
"""Is there `sys.monitoring`? It sees all threads and greenlets, and tells of each line once."""
_SETTINGS = f"""[run]
source = webvigil
parallel = true
relative_files = true
concurrency = {"thread" if _MONITORS else "thread, greenlet"}
patch = fork, _exit
sigterm = true
disable_warnings = no-sysmon-context
context = ${{TRACED_TEST-}}

[paths]
source =
    src/webvigil
    */src/webvigil
"""


def trace(root: Path, found: Path, tests: list[str]) -> None:
    """Runs the tests, or all that `./test` runs, and adds the lines that they reach to `found`."""
    folder = found.with_suffix(".traced")
    folder.mkdir(exist_ok=True)
    settings = folder / "settings"
    settings.write_text(_SETTINGS, "utf-8")
    told = {
        "COVERAGE_PROCESS_START": str(settings),
        "COVERAGE_FILE": str(folder / "part"),
        "COVERAGE_CORE": "sysmon" if _MONITORS else "ctrace",
        "PYTHONPATH": f"{Path(__file__).parent}{os.pathsep}{root.absolute() / 'src'}",
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "reached",
        "-n",
        "auto",
        "--dist",
        "worksteal",
        *tests,
    ]
    subprocess.run(command, cwd=root, env=os.environ | told, check=False)  # noqa: S603  (a traced bound on time fails)
    combining = coverage.Coverage(data_file=str(found), config_file=str(settings))
    if found.exists():
        combining.load()
    combining.combine([str(part) for part in folder.glob("part.*")])
    combining.save()


_DEFAULTS = "tests/test_defaults.py::test_a_number_that_is_left_out_is_nothing_but_for_a_few"
_KEPT = dict.fromkeys(("community", "events", "graph", "model", "notify"), (_DEFAULTS,)) | {
    "pace": (_DEFAULTS, "tests/pace/test_kept.py::test_what_is_learnt_of_made_up_pages_stays_as_it_was"),
    "web": ("tests/web/test_routes.py::test_every_route_takes_what_it_took",),
}
"""Tests that compare what the modules of a package say when they are imported with a kept list. No trace
shows that they reach it, because a module is imported only once."""


_FIRST = 20
"""So many tests are asked before the others in their files."""


class Reached:
    """The tests that reach each line, from the file that `trace` wrote.

    Lines have moved if the code was changed since then, and new tests are not known: trace again.
    """

    def __init__(self, root: Path, found: Path) -> None:
        self._sources, self._path = root / "src/webvigil", found
        self._data = coverage.CoverageData(str(found))
        self._data.read()

    def tests(self, file: Path, line: int, last: int) -> list[str]:
        """Returns the tests that reach these lines of a module, those first that reach little else.

        A constant is reached by the tests that reach the functions of its module that mention it. If there
        are none, it is reached by those that reach a line of any module with its name, or with the name of
        its class. Code in no function is in the kept list of its package as well. Behind the first ones come
        the other tests of their files: what one test computes, another one may find in a cache.
        """
        source = (self._sources / file).read_text("utf-8")
        found = self._with_neighbours(next(filter(None, self._found(file, source, line, last)), []))
        kept = _KEPT.get(file.parts[0], ())
        return found if _function_around(ast.parse(source), line) else [*dict.fromkeys([*kept, *found])]

    def _with_neighbours(self, found: list[str]) -> list[str]:
        """Puts the other tests in the files of the first tests behind these."""
        first, others = found[:_FIRST], found[_FIRST:]
        files = {test.partition("::")[0] for test in first}
        beside = [test for test in self._breadth if test.partition("::")[0] in files]
        return [*dict.fromkeys([*first, *self._narrow_first(beside), *others])]

    def _found(self, file: Path, source: str, line: int, last: int) -> Iterator[list[str]]:
        for lines in _leading_to(source, line, last):
            yield self._reaching(file, lines)
        names = [*_named(ast.parse(source), line), *_classes(ast.parse(source), line)]
        yield self._mentioning(frozenset(names)) if names else []

    def _reaching(self, file: Path, lines: Iterable[int]) -> list[str]:
        reached = self._lines(file)
        found = {test for one in lines for test in reached.get(one, ()) if test}
        return self._narrow_first(found)

    @cache  # noqa: B019  (one object lives as long as the program)
    def _mentioning(self, names: frozenset[str]) -> list[str]:
        mention = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
        found: set[str] = set()
        for path in self._sources.rglob("*.py"):
            texts = path.read_text("utf-8").splitlines()
            lines = [number for number, text in enumerate(texts, 1) if mention.search(text)]
            found.update(self._reaching(path.relative_to(self._sources), lines) if lines else ())
        return self._narrow_first(found)

    def _narrow_first(self, tests: Iterable[str]) -> list[str]:
        return sorted(tests, key=lambda test: (self._breadth.get(test, 0), test))

    @cache  # noqa: B019  (one object lives as long as the program)
    def _lines(self, file: Path) -> dict[int, list[str]]:
        return self._data.contexts_by_lineno(str(Path("src/webvigil") / file))

    @cached_property
    def _breadth(self) -> dict[str, int]:
        """How many modules each test reaches."""
        asked = (
            "SELECT context, COUNT(*) FROM line_bits JOIN context ON context.id = context_id GROUP BY context"
        )
        with sqlite3.connect(self._path) as connection:
            return dict(connection.execute(asked))


def _leading_to(source: str, line: int, last: int) -> Iterator[Iterable[int]]:
    """Yields lines whose tests reach the code in the lines from `line` to `last`: exact ones first."""
    tree = ast.parse(source)
    if around := _function_around(tree, line):
        yield range(line, last + 1)
        yield around
        return
    bodies = _bodies(tree)
    # Defaults of parameters: the body that uses them.
    yield from (body for body, header in bodies.items() if header <= line < body.start)
    inside = {one for body in bodies for one in body}
    texts = source.splitlines()
    for name in _named(tree, line):
        mentioning = re.compile(rf"\b{re.escape(name)}\b")
        yield [one for one in inside if mentioning.search(texts[one - 1])]
    yield inside


def _function_around(tree: ast.AST, line: int) -> range:
    """Returns the lines of the smallest body of a function with this line; no lines if there is none."""
    return min((body for body in _bodies(tree) if line in body), key=len, default=range(0))


def _bodies(tree: ast.AST) -> dict[range, int]:
    """Returns the lines of the body of each function, with the line where its header begins."""
    return {
        range(node.body[0].lineno, (node.end_lineno or 0) + 1): node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def _named(tree: ast.AST, line: int) -> Iterator[str]:
    """Names that a statement at the top of a module or of a class gives to what is in this line."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                if node.lineno <= line <= (node.end_lineno or 0):
                    yield name


def _classes(tree: ast.AST, line: int) -> Iterator[str]:
    """Names of the classes around this line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.lineno <= line <= (node.end_lineno or 0):
            yield node.name


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Names the context of what is traced after the test, here and in programs that the test starts."""
    name, tracing = item.nodeid.partition("[")[0], coverage.Coverage.current()
    if tracing and os.environ.get("TRACED_TEST") != name:
        os.environ["TRACED_TEST"] = name
        tracing.switch_context(name)
        if sys.version_info >= (3, 12):
            sys.monitoring.restart_events()  # each line is told once more
    return (yield)
