"""Mercurial: a repository as a web site, by its own server."""

from __future__ import annotations

from pathlib import Path

from tests.real.application import HARBOUR, LANTERN, Application, Page, free_port
from tests.real.installing import python


class Mercurial(Application):
    name = "Mercurial"
    pages = (
        Page(name="front page", path="/"),
        Page(name="short log", path="/shortlog"),
        Page(name="graph", path="/graph"),
        Page(name="file", path="/file/tip/harbour.txt"),
        Page(name="files", path="/file/tip", edited=False),
        Page(name="summary", path="/summary?style=gitweb"),
        Page(name="search result", path="/log?rev=harbour"),
    )

    searches = ((("/log", "rev"),),)
    content = ("*/.hg/store/**/*",)

    def install(self) -> None:
        self._programs = python("mercurial", "mercurial", "setuptools<80")

    def start(self, folder: Path) -> str:
        self._work = folder / "office"
        self._work.mkdir()
        self.environment |= {"HGRCPATH": str(folder / "none"), "HGUSER": "Keeper <keeper@harbour.test>"}
        self._hg("init")
        (self._work / "README").write_text("Books of the harbour office.\n")
        self._hg("commit", "--addremove", "--message", "Books of the harbour are opened")
        (self._work / "harbour.txt").write_text(f"{HARBOUR}.\n")
        self._hg("commit", "--addremove", "--message", "Rules of the harbour")
        port = free_port()
        return self.launch(
            *(self._programs / "hg", "serve", "--address", "127.0.0.1", "--port", str(port)),
            folder=folder,
            port=port,
            cwd=self._work,
        )

    def edit(self) -> None:
        (self._work / "harbour.txt").write_text(f"{HARBOUR}.\n\n{LANTERN}.\n")
        self._hg("commit", "--message", f"{LANTERN} of the harbour")

    def _hg(self, *command: str) -> None:
        self.run(self._programs / "hg", *command, cwd=self._work)
