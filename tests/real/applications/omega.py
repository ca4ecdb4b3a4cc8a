"""Omega: the search engine that comes with Xapian, for a folder of documents."""

from __future__ import annotations

from pathlib import Path

from tests.real.application import HARBOUR, LANTERN, Application, Page
from tests.real.installing import Debian

_TEXTS = {
    "harbour": ("Rules of the harbour", f"{HARBOUR}."),
    "bell": ("Bell", "The bell of the harbour is silent, and nobody knows why."),
    "ships": ("Ships", "No ship is out at sea."),
}
# A web server beside it gives the documents themselves.
_SCRIPT = """#!/bin/sh
case "$PATH_INFO" in
    /docs/*) printf 'Content-Type: text/html\n\n'; cat "$FOLDER$PATH_INFO" ;;
    *) exec "$OMEGA" ;;
esac
"""


class Omega(Application):
    name = "Omega"
    pages = (
        Page(name="front page", path="/omega", edited=False),
        Page(name="search result", path="/omega?P=harbour&DB=default"),
        Page(name="two words", path="/omega?P=harbour+master&DB=default&DEFAULTOP=or"),
    )
    searches = ((("/omega", "P"),),)
    content = ("docs/*",)

    def install(self) -> None:
        self._package = Debian("xapian-omega")

    def start(self, folder: Path) -> str:
        self._folder = folder
        for name in ("docs", "data", "logs", "cdb"):
            (folder / name).mkdir()
        for name, (title, text) in _TEXTS.items():
            self._write(name, title, text)
        self._index()
        templates = self._package.path("usr/share/xapian-omega/templates")
        config = folder / "omega.conf"
        config.write_text(
            f"database_dir {folder}/data\ntemplate_dir {templates}\n"
            f"log_dir {folder}/logs\ncdb_dir {folder}/cdb\n"
        )
        script = folder / "server"
        script.write_text(_SCRIPT)
        script.chmod(0o755)
        way = {"OMEGA": str(self._package.path("usr/lib/cgi-bin/omega/omega")), "FOLDER": str(folder)}
        way |= {"OMEGA_CONFIG_FILE": str(config), "LD_LIBRARY_PATH": self._package.libraries}
        return self.serve_cgi(script, **way)

    def edit(self) -> None:
        self._write("harbour", "Rules of the harbour", f"{LANTERN} of the harbour master. {HARBOUR}.")
        self._index()

    def _write(self, name: str, title: str, text: str) -> None:
        page = f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{text}</p></body></html>"
        (self._folder / "docs" / f"{name}.html").write_text(page)

    def _index(self) -> None:
        program = self._package.path("usr/bin/omindex")
        database = self._folder / "data/default"
        self.run(
            *(program, "--db", database, "--url", "/docs", self._folder / "docs"),
            LD_LIBRARY_PATH=self._package.libraries,
        )
