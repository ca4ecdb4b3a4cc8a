"""A log-in by steps into a real application, watched for a day: only the edit is told (K1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest

from tests.real.application import HARBOUR, LANTERN, Application, Page
from tests.real.applications.mediawiki import MediaWiki
from tests.real.applications.roundup import Roundup
from tests.real.clock import SharedClock
from tests.real.installing import CannotInstall
from tests.real.watching import Watching, on_pages, words_of

pytestmark = pytest.mark.real

HOUR = 3600
EDITED_AFTER = 13


class PrivateRoundup(Roundup):
    """A tracker that shows its issues only to users who have logged in."""

    door = Page(name="log-in", path="/")
    hidden = "/issue1"
    password = "a-secret"
    steps = """type css "input[name='__login_name']" "keeper",
      type css "input[name='__login_password']" secret word,
      click css "input[type='submit'][value='Login']",
      wait for text "Hello, keeper",
      open {address}/issue1"""

    def _configure(self, file: Path, values: dict[str, str], folder: Path) -> None:
        super()._configure(file, values, folder)
        schema = file.parent / "schema.py"
        open_to_all = r"(?m)^(\s+)db\.security\.addPermissionToRole\('Anonymous', 'View', cl\)$"
        text, closed = re.subn(open_to_all, r"\1pass", schema.read_text())
        assert closed, "the tracker is open to all"
        schema.write_text(text)


class PrivateMediaWiki(MediaWiki):
    """A wiki that nobody reads who has not logged in."""

    door = Page(name="log-in", path="/index.php?title=Special:UserLogin")
    hidden = "/index.php?title=Harbour"
    password = "a-long-secret-for-42"
    steps = """type css "#wpName1" "Keeper",
      type text "Enter your password" secret word,
      click css "#wpLoginAttempt",
      open {address}/index.php?title=Harbour"""

    def start(self, folder: Path) -> str:
        address = super().start(folder)
        self._file = folder / "LocalSettings.php"
        self._open = self._file.read_text()
        self._close()
        return address

    def edit(self) -> None:
        """Writes as everybody may, in a moment in which the wiki is open."""
        self._file.write_text(self._open)
        super().edit()
        self._close()

    def _close(self) -> None:
        self._file.write_text(self._open + "\n$wgGroupPermissions['*']['read'] = false;\n")


class Scene:
    def __init__(self, application: Application, watching: Watching) -> None:
        self.application, self.watching = application, watching

    def an_hour(self) -> str:
        """Lets an hour pass, and returns what is told then."""
        self.watching.passes(HOUR)
        return words_of(self.watching.told()["log-in"])

    def newest(self) -> dict[str, object]:
        return self.watching.log("log-in")[0]


@pytest.fixture(params=[PrivateRoundup, PrivateMediaWiki], ids=lambda one: one.name)
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Scene]:
    kind = request.param
    for name in ("clock", "application", "webvigil"):
        (tmp_path / name).mkdir()
    with ExitStack() as opened:
        try:
            clock = SharedClock(tmp_path / "clock")
            application = kind(clock.environment)
            application.install()
        except CannotInstall as error:
            pytest.skip(str(error))
        opened.callback(application.stop)
        address = application.start(tmp_path / "application")
        assert HARBOUR not in httpx2.get(address + kind.hidden, follow_redirects=True).text, "it is private"
        clauses = f"Steps {kind.steps.format(address=address)}"
        install = on_pages(address, [kind.door], HOUR, clauses, [f"word={kind.password}"])
        watching = Watching(tmp_path / "webvigil", clock, install)
        opened.callback(watching.close)
        yield Scene(application, watching)


def test_a_day_behind_a_log_in(scene: Scene):
    assert (scene.newest()["decision"], scene.newest()["error"]) == ("new version", "")
    told = {}
    for hour in range(1, 25):
        if hour == EDITED_AFTER:
            scene.application.edit()
        told[hour] = scene.an_hour()
        assert scene.newest()["error"] == "", f"hour {hour}"
    assert LANTERN in told[EDITED_AFTER], told
    assert [hour for hour, words in told.items() if words] == [EDITED_AFTER], told
