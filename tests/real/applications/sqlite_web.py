"""sqlite-web: the tables of a database as pages that can be edited."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from tests.real.application import HARBOUR, LANTERN, Application, Page, free_port
from tests.real.installing import python


class SqliteWeb(Application):
    name = "sqlite-web"
    pages = (
        Page(name="front page", path="/", edited=False),
        Page(name="structure", path="/log/", edited=False),
        Page(name="content", path="/log/content/"),
        Page(name="newest first", path="/log/content/?ordering=-id"),
        Page(name="form for questions", path="/log/query/", edited=False),
    )

    forms = ("/log/insert/", "/log/query/", "/log/import/", "/create-table/")
    content = ("office.db#log",)

    def install(self) -> None:
        self._programs = python("sqlite-web", "sqlite-web")

    def start(self, folder: Path) -> str:
        self._file = folder / "office.db"
        with sqlite3.connect(self._file) as database:
            database.execute("create table log (id integer primary key, ship text, text text)")
            texts = [("Albatros", f"{HARBOUR}."), ("Kestrel", "Left at dawn."), ("Heron", "At rest.")]
            database.executemany("insert into log (ship, text) values (?, ?)", texts)
        database.close()
        port = free_port()
        return self.launch(
            *(self._programs / "sqlite_web", "--no-browser", "--host", "127.0.0.1", "--port", str(port)),
            self._file,
            folder=folder,
            port=port,
        )

    def edit(self) -> None:
        with sqlite3.connect(self._file) as database:
            text = f"{HARBOUR}. {LANTERN} of the harbour."
            database.execute("update log set text = ? where id = 1", (text,))
        database.close()
