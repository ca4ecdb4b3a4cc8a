"""MediaWiki: the wiki of the great encyclopedias."""

from __future__ import annotations

from pathlib import Path

import httpx2

from tests.real.application import HARBOUR, LANTERN, Application, Page, free_port
from tests.real.installing import Debian
from tests.real.php import PACKAGES, libraries, php


class MediaWiki(Application):
    name = "MediaWiki"
    pages = (
        Page(name="front page", path="/index.php?title=Main_Page", edited=False),
        Page(name="content page", path="/index.php?title=Harbour"),
        Page(name="recent changes", path="/index.php?title=Special:RecentChanges&hidebots=0"),
        Page(name="search result", path="/index.php?title=Special:Search&fulltext=1&search=harbour"),
        Page(name="history", path="/index.php?title=Harbour&action=history"),
        Page(name="all pages", path="/index.php?title=Special:AllPages", edited=False),
    )

    searches = ((("/index.php", "search"),),)
    forms = (
        "/index.php?title=Harbour&action=edit",
        "/index.php?title=Talk:Harbour&action=edit&section=new",
        "/index.php?title=Special:CreateAccount",
        "/index.php?title=Special:Upload",
    )
    content = ("wiki.sqlite#page,revision,user",)

    def install(self) -> None:
        Debian(*PACKAGES)
        self._package = Debian("mediawiki", *PACKAGES)

    def start(self, folder: Path) -> str:
        site = self._package.root / "usr/share/mediawiki"
        port = free_port()
        self._settings = {"MW_CONFIG_FILE": str(folder / "LocalSettings.php"), **libraries()}
        command = php(folder, error_reporting="0")
        self.run(
            *command,
            site / "maintenance/install.php",
            *("--dbtype", "sqlite", "--dbpath", folder, "--dbname", "wiki", "--confpath", folder),
            *("--server", f"http://127.0.0.1:{port}", "--scriptpath", "", "--pass", "a-long-secret-for-42"),
            *("Harbour office", "Keeper"),
            **libraries(),
        )
        # It names itself by the address that it is asked by.
        with (folder / "LocalSettings.php").open("a") as settings:
            settings.write("\n$wgServer = WebRequest::detectServer();\n")
        self._jobs = (*command, site / "maintenance/runJobs.php")
        address = self.launch(
            *command,
            *("-S", f"127.0.0.1:{port}", "-t", site),
            folder=folder,
            port=port,
            path="/api.php",
            **self._settings,
        )
        self._address = address
        self._save("Harbour", f"{HARBOUR}.", "rules of the harbour")
        self._save("Ships", "No ship of the [[harbour]] is out at sea.", "list of ships")
        return address

    def edit(self) -> None:
        self._save("Harbour", f"{HARBOUR}.\n\n{LANTERN} of the harbour.", LANTERN)

    def _save(self, title: str, text: str, summary: str) -> None:
        asked = {
            "action": "edit",
            "title": title,
            "text": text,
            "summary": summary,
            "token": "+\\",
            "format": "json",
        }
        answer = httpx2.post(f"{self._address}/api.php", data=asked, timeout=60).json()
        assert answer.get("edit", {}).get("result") == "Success", answer
        self.run(*self._jobs, **self._settings)
