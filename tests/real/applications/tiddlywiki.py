"""TiddlyWiki: a wiki that a script renders in the browser."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import httpx2

from tests.real.application import HARBOUR, LANTERN, Application, Page, free_port
from tests.real.installing import npm


class TiddlyWiki(Application):
    name = "TiddlyWiki"
    on_true_time = True
    pages = (
        Page(name="front page", path="/", rendered=True),
        Page(name="content page", path="/#Harbour", rendered=True),
        Page(name="content page, by the server", path="/Harbour"),
    )

    content = ("wiki/tiddlers/**/*",)

    def install(self) -> None:
        self._programs = npm("tiddlywiki", "tiddlywiki")

    def start(self, folder: Path) -> str:
        wiki, program, port = folder / "wiki", self._programs / "tiddlywiki", free_port()
        self.run(program, wiki, "--init", "server")
        self._address = self.launch(
            *(program, wiki, "--listen", "host=127.0.0.1", f"port={port}"),
            folder=folder,
            port=port,
            path="/status",
        )
        self._put("$:/SiteTitle", "Harbour office")
        self._put("$:/DefaultTiddlers", "Ships Recent")
        self._put("Ships", "No ship of the [[Harbour]] is out at sea.")
        self._put("Harbour", f"{HARBOUR}.")
        self._put("Recent", "<<timeline>>")
        return self._address

    def edit(self) -> None:
        self._put("Harbour", f"{HARBOUR}.\n\n{LANTERN}.")
        self._put(LANTERN, "See [[Harbour]].")

    def _put(self, title: str, text: str) -> None:
        now = self.run("date", "+%Y%m%d%H%M%S000").strip()  # on the clock of the application
        answer = httpx2.put(
            f"{self._address}/recipes/default/tiddlers/{quote(title, safe='')}",
            json={
                "title": title,
                "text": text,
                "type": "text/vnd.tiddlywiki",
                "tags": "",
                "created": now,
                "modified": now,
            },
            headers={"X-Requested-With": "TiddlyWiki"},
        )
        assert answer.status_code == 204, answer.text
