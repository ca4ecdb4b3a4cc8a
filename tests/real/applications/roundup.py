"""Roundup: an issue tracker."""

from __future__ import annotations

import re
from pathlib import Path

import httpx2

from tests.real.application import HARBOUR, LANTERN, Application, Page, free_port
from tests.real.installing import python

# By its own interface for web servers: its own server refuses to work for an administrator.
_SERVER = """
import sys
from wsgiref.simple_server import WSGIServer, make_server
from socketserver import ThreadingMixIn
from roundup.cgi.wsgi_handler import RequestDispatcher

class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True

application = RequestDispatcher(sys.argv[1])
make_server("127.0.0.1", int(sys.argv[2]), application, server_class=Server).serve_forever()
"""


class Roundup(Application):
    name = "Roundup"
    pages = (
        Page(name="front page", path="/"),
        Page(name="issues", path="/issue?@columns=id,activity,title,creator,status&@sort=-activity"),
        Page(name="issue", path="/issue1"),
        Page(name="search result", path="/issue?@search_text=harbour&@columns=id,activity,title"),
        Page(name="search form", path="/issue?@template=search", edited=False),
    )

    searches = ((("/issue", "@search_text"),),)
    forms = ("/issue?@template=item", "/issue1", "/user?@template=register", "/keyword?@template=item")
    content = ("tracker/db/db#_issue,_msg,_user,_keyword",)

    def install(self) -> None:
        self._programs = python("roundup", "roundup")

    def start(self, folder: Path) -> str:
        home, port = folder / "tracker", free_port()
        admin = (self._programs / "roundup-admin", "-i", home)
        web = f"http://127.0.0.1:{port}/"
        self.run(*admin, "install", "classic", "sqlite")
        self._configure(
            home / "config.ini", {"web": web, "domain": "harbour.test", "host": "localhost"}, folder
        )
        self.run(*admin, "initialise", "a-secret")
        self.run(*admin, "create", "user", "username=keeper", "password=a-secret", "roles=User,Admin")
        self._address = self.launch(
            *(self._programs / "python", "-c", _SERVER, home, str(port)),
            folder=folder,
            port=port,
        )
        for title in ("The harbour bell is silent", "The crane of the harbour squeaks"):
            self._send("issue", {"title": title, "@note": f"{HARBOUR}.", "priority": "3", "@action": "new"})
        return self._address

    def edit(self) -> None:
        self._send(
            "issue1", {"title": f"{LANTERN} of the harbour", "@note": f"{LANTERN}.", "@action": "edit"}
        )

    def _configure(self, file: Path, values: dict[str, str], folder: Path) -> None:
        """Sets what must be set; mail is written to a file."""
        general, mark, mail = file.read_text().partition("\n[mail]\n")
        mail = re.sub(r"(?m)^#?debug = .*$", f"debug = {folder / 'mail'}", mail, count=1)
        text = general + mark + mail
        for name, value in values.items():
            text = re.sub(rf"(?m)^#?{name} = .*$", f"{name} = {value}", text, count=1)
        file.write_text(text)

    def _send(self, item: str, sent: dict[str, str]) -> None:
        """Logs in and sends the form of an item."""
        with httpx2.Client(base_url=f"{self._address}/", timeout=60, follow_redirects=True) as browser:
            browser.headers["referer"] = f"{self._address}/"
            browser.headers["origin"] = self._address
            name = {"__login_name": "keeper", "__login_password": "a-secret", "@action": "Login"}
            browser.post("issue", data={**name, **self._hidden(browser, "issue")})
            form = f"{item}?@template=item"
            answer = browser.post(item, data={"@template": "item", **self._hidden(browser, form), **sent})
            assert "ok" in str(answer.url) or "ok-message" in answer.text, answer.text[:3000]

    def _hidden(self, browser: httpx2.Client, path: str) -> dict[str, str]:
        found = re.findall(
            r'<input name="(@csrf|@lastactivity)" type="hidden" value="([^"]*)"', browser.get(path).text
        )
        return dict(found)
