"""MoinMoin: a wiki in Python."""

from __future__ import annotations

from pathlib import Path

import httpx2

from tests.real.application import HARBOUR, LANTERN, Application, Page, free_port
from tests.real.installing import python


class Moin(Application):
    name = "MoinMoin"
    pages = (
        Page(name="front page", path="/Home", edited=False),
        Page(name="content page", path="/Harbour"),
        Page(name="recent changes", path="/+history"),
        Page(name="history", path="/+history/Harbour"),
        Page(name="index", path="/+index/", edited=False),
        Page(name="search result", path="/+search?q=harbour", edited=False),
    )

    # Its robots.txt does not want robots to search, so there is no search to be found. It also asks for 20
    # seconds between two requests: a crawl takes ten minutes.
    searches = ()
    forms = (
        "/+modify/Harbour?itemtype=default&contenttype=text/x.moin.wiki;charset%3Dutf-8&template=",
        "/+rename/Harbour",
        "/+delete/Harbour",
        "/+register",
    )
    content = ("wiki/wiki/data/**/*",)

    def install(self) -> None:
        self._programs = python("moin", "--pre", "moin")

    def start(self, folder: Path) -> str:
        moin = self._programs / "moin"
        self.run(moin, "create-instance", "--path", folder / "wiki")
        config = folder / "wiki" / "wikiconfig.py"
        config.write_text(config.read_text().replace("YOUR-SUPER-EDITOR:", "All:"))
        self.run(moin, "index-create", cwd=folder / "wiki")
        port = free_port()
        self._address = self.launch(
            *(moin, "run", "--host", "127.0.0.1", "--port", str(port)),
            folder=folder,
            port=port,
            path="/+index/",
            cwd=folder / "wiki",
        )
        self._save("Home", "Welcome to the harbour office.", "first page")
        self._save("Harbour", f"{HARBOUR}.", "rules of the harbour")
        self._save("Ships", "No ship of the harbour is out at sea.", "list of ships")
        return self._address

    def edit(self) -> None:
        self._save("Harbour", f"{HARBOUR}.\n\n{LANTERN} of the harbour.", LANTERN)

    def _save(self, page: str, text: str, comment: str) -> None:
        with httpx2.Client(base_url=self._address, timeout=60, follow_redirects=True) as browser:
            path = f"/+modify/{page}"
            asked = {"itemtype": "default", "contenttype": "text/x.moin.wiki;charset=utf-8", "template": ""}
            browser.get(path, params=asked)
            about = {"acl": "None", "name": page, "summary": "", "tags": ""}
            sent = {f"meta_form_{name}": value for name, value in about.items()}
            sent |= {"content_form_data_text": text, "comment": comment}
            answer = browser.post(path, params=asked, data=sent, files={"content_form_data_file": ("", b"")})
            assert text[:20] in answer.text, answer.text[:2000]
