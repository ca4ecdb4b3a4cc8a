"""The searches of real applications are found, nothing else is taken for one, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.real.application import Application
from tests.real.applications import WATCHED
from tests.real.discovering import contents, searched
from tests.real.installing import CannotInstall
from tests.real.proxy import Proxy
from tests.real.table import Report

pytestmark = pytest.mark.real


@pytest.mark.parametrize("kind", WATCHED, ids=lambda one: one.name)
def test_searches_are_found_and_nothing_is_written(kind: type[Application], tmp_path: Path, report: Report):
    application = kind()
    try:
        application.install()
    except CannotInstall as error:
        report.skipped[kind.name] = str(error)
        pytest.skip(str(error))
    try:
        proxy = Proxy(application.start(tmp_path))
        try:
            kept = contents(tmp_path, application.content)
            assert kept != contents(tmp_path, ()), "nothing is known of the contents"
            result = searched(application, proxy, tmp_path, ("harbour",))
        finally:
            proxy.close()
    finally:
        application.stop()
    report.searched.append(result)
    assert (result.wrong, result.unsafe) == ([], [])
    assert result.found == {*range(len(application.searches))}
