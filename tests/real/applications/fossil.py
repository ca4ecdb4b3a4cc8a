"""Fossil: files, a wiki, tickets and a timeline in one program."""

from __future__ import annotations

from pathlib import Path

from tests.real.application import HARBOUR, LANTERN, Application, Page, free_port
from tests.real.installing import Debian


class Fossil(Application):
    name = "Fossil"
    pages = (
        Page(name="front page", path="/wiki?name=Office", edited=False),
        Page(name="content page", path="/wiki?name=Harbour"),
        Page(name="timeline", path="/timeline?y=all"),
        Page(name="list of pages", path="/wcontent", edited=False),
        Page(name="history", path="/whistory?name=Harbour", edited=False),
        Page(name="search result", path="/search?s=harbour&y=w"),
        Page(name="files", path="/dir?ci=trunk&type=tree", edited=False),
    )

    searches = ((("/search", "s"),), (("/wikisrch", "s"),))
    forms = ("/wikiedit?name=Harbour", "/wikinew", "/tktnew", "/login", "/register")
    content = ("office.fossil#event,blob,user",)

    def install(self) -> None:
        self._package = Debian("fossil")

    def start(self, folder: Path) -> str:
        self._folder, self._file = folder, folder / "office.fossil"
        self.environment |= {
            "HOME": str(folder),
            "USER": "keeper",
            "LD_LIBRARY_PATH": self._package.libraries,
        }
        self._program = self._package.path("usr/bin/fossil")
        self._fossil("init", "--admin-user", "keeper", str(self._file))
        title = "REPLACE INTO config (name, value, mtime) VALUES ('project-name', 'Harbour office', 0);"
        self._fossil("sqlite", "-R", str(self._file), text=title)
        self._fossil("fts-config", "enable", "w", "-R", str(self._file))
        self._fossil("fts-config", "index", "on", "-R", str(self._file))
        self._wiki("create", "Office", "Welcome to the harbour office. See [Harbour] and [Ships].")
        self._wiki("create", "Harbour", f"{HARBOUR}.")
        self._wiki("create", "Ships", "No ship of the harbour is out at sea.")
        port = free_port()
        # Started by root it would lock itself into its folder, where it finds no file that moves its clock.
        return self.launch(
            *(self._program, "server", self._file, "--localhost", "--nojail", "--port", str(port)),
            folder=folder,
            port=port,
            path="/timeline",
        )

    def edit(self) -> None:
        self._wiki("commit", "Harbour", f"{HARBOUR}.\n\n{LANTERN} of the harbour.")
        self._wiki("create", LANTERN, "See [Harbour].")

    def _wiki(self, what: str, page: str, text: str) -> None:
        self._fossil("wiki", what, page, "-R", str(self._file), "--mimetype", "text/x-fossil-wiki", text=text)

    def _fossil(self, *command: str, text: str = "") -> None:
        self.run(self._program, *command, text=text, cwd=self._folder)
