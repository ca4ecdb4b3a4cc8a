"""Federated wiki: pages that a script renders in the browser, each with a journal of what was done to it."""

from __future__ import annotations

import json
import time
from pathlib import Path

import httpx2

from tests.real.application import HARBOUR, LANTERN, Application, Page, free_port
from tests.real.installing import npm


class FederatedWiki(Application):
    name = "federated wiki"
    on_true_time = True
    pages = (
        Page(name="front page", path="/view/welcome-visitors", rendered=True, edited=False),
        Page(name="content page", path="/view/harbour", rendered=True),
        Page(name="recent changes", path="/view/recent-changes", rendered=True, edited=False),
        Page(name="content page as JSON", path="/harbour.json"),
    )

    content = ("**/pages/*",)

    def install(self) -> None:
        self._programs = npm("federated-wiki", "wiki")

    def start(self, folder: Path) -> str:
        port = free_port()
        self._address = self.launch(
            *(self._programs / "wiki", "--port", str(port), "--host", "127.0.0.1", "--data", folder / "data"),
            *("--security_type", "friends", "--packageDir", self._programs.parent),
            folder=folder,
            port=port,
            path="/system/slugs.json",
        )
        self._browser = httpx2.Client(base_url=self._address, timeout=60)
        self._browser.post("/login", json={})
        self._act({"type": "create", "item": {"title": "Harbour", "story": []}})
        self._add("a1", f"{HARBOUR}.")
        return self._address

    def stop(self) -> None:
        self._browser.close()
        super().stop()

    def edit(self) -> None:
        self._add("a2", f"{LANTERN}.")

    def _add(self, item: str, text: str) -> None:
        self._act({"type": "add", "id": item, "item": {"type": "paragraph", "id": item, "text": text}})

    def _act(self, action: dict[str, object]) -> None:
        action = {**action, "date": int(time.time() * 1000)}
        answer = self._browser.put("/page/harbour/action", data={"action": json.dumps(action)})
        assert answer.status_code == 200, answer.text
