"""Collects what happened at each real application, and prints the table at the end of a run."""

from __future__ import annotations

import pytest

from tests.real.application import LANTERN
from tests.real.table import Report

_REPORT = pytest.StashKey[Report]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_REPORT] = Report()


@pytest.fixture
def report(request: pytest.FixtureRequest) -> Report:
    return request.config.stash[_REPORT]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    report = config.stash.get(_REPORT, Report())
    if report.rows or report.searched or report.skipped:
        terminalreporter.section("real applications")
        terminalreporter.write("\n".join(report.lines(LANTERN)) + "\n")
