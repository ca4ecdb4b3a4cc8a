"""A process that has imported and collected all tests, and runs some of them with a fault. For
`scripts/mutants.py`.

To start a run of tests takes seconds: everything is imported, and files are collected. This process does it
once. For a mutant it makes a copy of itself, puts the changed code into the functions that live there, and
runs the tests in the copy. That cannot be done with code that ran when its module was imported, such as a
constant; and what such code made of a function before stays as it was.
"""

from __future__ import annotations

import gc
import json
import os
import pkgutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import IO, NoReturn

import pytest
from hypothesis import Phase, settings

Run = Callable[[list[str], Callable[[list[str]], int]], list[str]]
"""Runs tests in a copy of this process by a function that returns their exit code; returns what failed."""
_Swap = tuple[FunctionType, CodeType]
LAWS = ["--hypothesis-seed=0", "--hypothesis-profile=unshrunk"]
"""Options for laws: the same examples each time, and after one fails no smaller one is searched for."""
settings.register_profile(
    "unshrunk", deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate), database=None
)


class Warm:
    """The process, as others see it. It has read all modules when it is made, and ends with its owner."""

    def __init__(self, place: Path, run: Run) -> None:
        asked, self._ask = (os.fdopen(one, mode) for one, mode in zip(os.pipe(), "rw", strict=True))
        self._answers, answer = (os.fdopen(one, mode) for one, mode in zip(os.pipe(), "rw", strict=True))
        self._process = os.fork()
        if self._process == 0:
            self._ask.close()
            _serve(place, Server(place, run, asked, answer))
        asked.close()
        answer.close()
        self.failed([])

    def failed(self, tests: list[str], file: Path | None = None, source: str = "") -> list[str] | None:
        """Returns what fails of the tests with this source of a module. None says: it cannot be put into a
        program that runs."""
        print(json.dumps([tests, file and str(file), source]), file=self._ask, flush=True)
        answer: list[str] | None = json.loads(self._answers.readline())
        return answer

    def close(self) -> None:
        """Ends the process, which reads questions until there can be none."""
        self._ask.close()
        os.waitpid(self._process, 0)


class Server:
    """A plugin of pytest. Instead of running what was collected, it answers questions."""

    def __init__(self, place: Path, run: Run, asked: IO[str], answer: IO[str]) -> None:
        self._place, self._run, self._asked, self._answer = place, run, asked, answer

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        functions = _functions(self._place)
        items: dict[str, list[pytest.Item]] = {}
        for item in session.items:
            items.setdefault(item.nodeid.partition("[")[0], []).append(item)
        for line in self._asked:
            tests, file, source = json.loads(line)
            swaps = _swaps(functions, file, source) if file else []
            run = partial(_run_collected, items, swaps)
            failed = self._run(tests, run) if swaps or not file else None
            print(json.dumps(failed), file=self._answer, flush=True)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            print(f"\nFAILED {report.nodeid}", flush=True)


def _serve(place: Path, server: Server) -> NoReturn:
    """Imports and collects everything, then answers until nobody can ask any more."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.chdir(place)
        sys.path[0] = str(place / "src")
        os.environ["PYTHONPATH"] = sys.path[0]
        package = import_module("webvigil")
        for module in pkgutil.walk_packages(package.__path__, "webvigil."):
            if not {"__main__", "migrations"} & {*module.name.split(".")}:
                with suppress(ImportError):  # a part of an extra
                    import_module(module.name)
        options = ["-x", "-q", "-s", "-p", "no:cacheprovider", "--no-header", "--tb=no"]
        options += [*LAWS, "-W", "ignore::pytest.PytestAssertRewriteWarning"]
        pytest.main([*options, "tests"], plugins=[server])
    finally:
        os._exit(0)


def _run_collected(items: dict[str, list[pytest.Item]], swaps: list[_Swap], tests: list[str]) -> int:
    """Runs tests in this process until one fails."""
    for function, code in swaps:
        function.__code__ = code
    chosen = [item for test in tests for item in items.get(test, ())]
    for item, behind in zip(chosen, [*chosen[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=behind)
        if item.session.testsfailed:
            return 1
    return 0


def _functions(place: Path) -> list[FunctionType]:
    """All functions of our modules that live in this process."""
    gc.unfreeze()
    ours = str(place / "src") + os.sep
    found = [
        one
        for one in gc.get_objects()
        if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(ours)
    ]
    gc.freeze()
    return found


def _swaps(functions: list[FunctionType], file: str, source: str) -> list[_Swap]:
    """The functions whose code is another one in the source; nothing if that cannot be said of all of it."""
    new: dict[tuple[str, int], list[CodeType]] = {}
    for code in _codes(compile(source, file, "exec", dont_inherit=True)):
        new.setdefault((code.co_qualname, code.co_firstlineno), []).append(code)
    swaps = []
    for function in functions:
        old = function.__code__
        if old.co_filename == file and (codes := new.get((old.co_qualname, old.co_firstlineno))):
            if len(codes) > 1 or len(codes[0].co_freevars) != len(old.co_freevars):
                return []
            if codes[0] != old:
                swaps.append((function, codes[0]))
    return swaps


def _codes(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _codes(one)
