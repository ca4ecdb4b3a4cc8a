"""Nothing is told of a real application while nobody edits it; an edit is told at the next look (Q1-Q6)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.real.application import LANTERN, Application
from tests.real.applications import WATCHED
from tests.real.clock import SharedClock, TrueClock
from tests.real.installing import CannotInstall
from tests.real.proxy import BAD_ANSWERS, Proxy
from tests.real.table import Report, Row
from tests.real.watching import Watching, on_pages, words_of

pytestmark = pytest.mark.real

INTERVAL = 30
FIVE_MINUTES = 300


class Scene:
    """A running application with a sentinel on each of its pages, and the rows of the table."""

    def __init__(self, application: Application, proxy: Proxy, watching: Watching, report: Report) -> None:
        self.application, self.proxy, self.watching = application, proxy, watching
        self.rows = {
            page.name: Row(application.name, page.name, edited=page.edited) for page in application.pages
        }
        report.rows += self.rows.values()

    def quiet_look(self, seconds: int = INTERVAL) -> None:
        """A look at which nothing is to be told."""
        self.watching.passes(seconds)
        for page, changes in self.watching.told().items():
            self.rows[page].alarms += [words_of([change]) for change in changes]
        self._count()

    def look_after_edit(self) -> None:
        self.watching.passes(INTERVAL)
        for page, changes in self.watching.told().items():
            self.rows[page].told = words_of(changes)
        self._count()

    def _count(self) -> None:
        for page, count in self.watching.looks().items():
            self.rows[page].looks = count

    def faults(self) -> list[str]:
        return [fault for row in self.rows.values() for fault in row.faults(LANTERN)]


@pytest.fixture(params=WATCHED, ids=lambda one: one.name)
def scene(request: pytest.FixtureRequest, tmp_path: Path, report: Report) -> Iterator[Scene]:
    kind: type[Application] = request.param
    for name in ("clock", "application", "webvigil"):
        (tmp_path / name).mkdir()
    with ExitStack() as opened:
        try:
            clock = TrueClock() if kind.on_true_time else SharedClock(tmp_path / "clock")
            application = kind(clock.environment)
            application.install()
        except CannotInstall as error:
            report.skipped[kind.name] = str(error)
            pytest.skip(str(error))
        opened.callback(application.stop)
        proxy = Proxy(application.start(tmp_path / "application"))
        opened.callback(proxy.close)
        install = on_pages(proxy.address, application.pages, every=int(30 * clock.per_second))
        watching = Watching(tmp_path / "webvigil", clock, install)
        opened.callback(watching.close)
        yield Scene(application, proxy, watching, report)


def test_only_the_edit_is_told(scene: Scene):
    scene.quiet_look(20)  # the second look at a new page
    for _ in range(int(FIVE_MINUTES // INTERVAL / scene.watching.clock.per_second)):
        scene.quiet_look()
    for answer in BAD_ANSWERS.values():
        scene.proxy.instead = answer
        scene.quiet_look()
        scene.proxy.instead = None
        scene.quiet_look(60)
    scene.application.edit()
    scene.look_after_edit()
    for _ in range(4):
        scene.quiet_look()
    if faults := scene.faults():
        pytest.fail("\n".join(faults), pytrace=False)
