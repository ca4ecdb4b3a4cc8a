"""Trac: a wiki, a timeline and tickets of a project."""

from __future__ import annotations

from pathlib import Path

import httpx2

from tests.real.application import HARBOUR, LANTERN, Application, Page, free_port
from tests.real.installing import python


class Trac(Application):
    name = "Trac"
    pages = (
        Page(name="front page", path="/wiki", edited=False),
        Page(name="content page", path="/wiki/Harbour"),
        Page(name="timeline", path="/timeline"),
        Page(name="tickets", path="/report/1"),
        Page(name="ticket", path="/ticket/1", edited=False),
        Page(name="search result", path="/search?q=harbour&noquickjump=1&ticket=on&wiki=on"),
        Page(name="history", path="/wiki/Harbour?action=history"),
    )

    searches = ((("/search", "q"),),)
    forms = (
        "/wiki/Harbour?action=edit",
        "/wiki/Crane?action=edit",
        "/newticket",
        "/ticket/1",
        "/query",
        "/prefs",
    )
    content = ("project/db/trac.db#wiki,ticket,ticket_change,attachment,report",)

    def install(self) -> None:
        # Trac still asks for a module that newer versions of setuptools have no more.
        self._programs = python("trac", "Trac", "setuptools<80", "multipart")

    def start(self, folder: Path) -> str:
        project, admin = folder / "project", self._programs / "trac-admin"
        self.run(admin, project, "initenv", "Harbour office", "sqlite:db/trac.db")
        self.run(admin, project, "permission", "add", "anonymous", "TRAC_ADMIN")
        port = free_port()
        self._address = self.launch(
            *(self._programs / "tracd", "-s", "--hostname", "127.0.0.1", "--port", str(port), project),
            folder=folder,
            port=port,
        )
        self._write("Harbour", HARBOUR, "rules of the harbour", version=0)
        self._write("Ships", "No ship of the harbour is out at sea", "list of ships", version=0)
        self._report("The crane of the harbour squeaks")
        self._report("The harbour bell is silent")
        return self._address

    def edit(self) -> None:
        self._write("Harbour", f"{HARBOUR}\n\n{LANTERN} of the harbour", LANTERN, version=1)
        self._report(f"{LANTERN}, and the harbour is bright")

    def _write(self, page: str, text: str, comment: str, *, version: int) -> None:
        sent = {
            "action": "edit",
            "text": text,
            "comment": comment,
            "version": str(version),
            "save": "Submit changes",
        }
        self._post(f"/wiki/{page}", sent)

    def _report(self, summary: str) -> None:
        fields = {"summary": summary, "description": summary, "reporter": "keeper", "type": "defect"}
        sent = {f"field_{name}": value for name, value in fields.items()}
        self._post("/newticket", {**sent, "submit": "Create ticket"})

    def _post(self, path: str, sent: dict[str, str]) -> None:
        """Sends a form with the token that the application gave this visitor."""
        with httpx2.Client(base_url=self._address, timeout=60) as browser:
            browser.get("/wiki")
            token = browser.cookies["trac_form_token"]
            answer = browser.post(path, data={**sent, "__FORM_TOKEN": token})
            assert answer.status_code == 303, (answer.status_code, answer.text[:2000])
