"""A repository of git with some commits, for the applications that show one."""

from __future__ import annotations

from pathlib import Path

from tests.real.application import HARBOUR, LANTERN, Application

_WHO = ("-c", "user.name=Keeper", "-c", "user.email=keeper@harbour.test")


class GitRepository:
    def __init__(self, application: Application, folder: Path) -> None:
        self._application = application
        self.bare, self._work = folder / "office.git", folder / "work"
        self._git("init", "--quiet", "--bare", "--initial-branch=main", str(self.bare), cwd=folder)
        (self.bare / "description").write_text("Books of the harbour office\n")
        self._git("clone", "--quiet", str(self.bare), str(self._work), cwd=folder)
        self._git("checkout", "--quiet", "-B", "main")
        (self._work / "README").write_text("Books of the harbour office.\n")
        self._commit("Books of the harbour are opened")
        (self._work / "harbour.txt").write_text(f"{HARBOUR}.\n")
        self._commit("Rules of the harbour")

    def commit_lantern(self) -> None:
        (self._work / "harbour.txt").write_text(f"{HARBOUR}.\n\n{LANTERN}.\n")
        self._commit(f"{LANTERN} of the harbour")

    def _commit(self, message: str) -> None:
        self._git("add", "--all")
        self._git(*_WHO, "commit", "--quiet", "--message", message)
        self._git("push", "--quiet", "origin", "main")

    def _git(self, *command: str, cwd: Path | None = None) -> None:
        self._application.run("git", *command, cwd=cwd or self._work)
