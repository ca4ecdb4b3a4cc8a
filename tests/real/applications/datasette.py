"""Datasette: a database as a web site."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from tests.real.application import HARBOUR, LANTERN, Application, Page, free_port
from tests.real.installing import python


class Datasette(Application):
    name = "Datasette"
    # The page of the database counts rows for ten milliseconds at most and then says "Many": on a busy
    # machine it differs from look to look.
    pages = (
        Page(name="front page", path="/", edited=False),
        Page(name="list", path="/office/log"),
        Page(name="row", path="/office/log/1"),
        Page(name="search result", path="/office/log?text__contains=harbour&_sort=id"),
        Page(name="question", path="/office?sql=select+id,+text+from+log+order+by+id+desc"),
    )

    searches = (
        (
            ("/office/log", "_search"),
            ("/office/log", "_filter_value"),
            ("/office/log", "_filter_value_1"),
            ("/office/log_fts", "_search"),
        ),
    )
    content = ("office.db#log",)

    def install(self) -> None:
        self._programs = python("datasette", "datasette", "setuptools<80")

    def start(self, folder: Path) -> str:
        self._file = folder / "office.db"
        with sqlite3.connect(self._file) as database:
            database.execute("create table log (id integer primary key, ship text, text text)")
            texts = [
                ("Albatros", f"{HARBOUR}."),
                ("Kestrel", "Left the harbour at dawn."),
                ("Heron", "At rest."),
            ]
            database.executemany("insert into log (ship, text) values (?, ?)", texts)
            database.execute('create virtual table log_fts using fts5(ship, text, content="log")')
            database.execute("insert into log_fts (log_fts) values ('rebuild')")
        database.close()
        port = free_port()
        command = (
            self._programs / "datasette",
            "serve",
            self._file,
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
        )
        return self.launch(*command, folder=folder, port=port)

    def edit(self) -> None:
        with sqlite3.connect(self._file) as database:
            database.execute(
                "update log set text = ? where id = 1", (f"{HARBOUR}. {LANTERN} of the harbour.",)
            )
        database.close()
