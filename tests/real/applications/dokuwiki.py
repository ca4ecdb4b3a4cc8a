"""DokuWiki: a wiki that keeps its pages in files."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import httpx2

from tests.real.application import HARBOUR, LANTERN, Application, Page, free_port
from tests.real.installing import Debian
from tests.real.php import PACKAGES, libraries, php


class DokuWiki(Application):
    name = "DokuWiki"
    on_true_time = True
    pages = (
        Page(name="front page", path="/doku.php?id=start", edited=False),
        Page(name="content page", path="/doku.php?id=harbour"),
        Page(name="recent changes", path="/doku.php?id=start&do=recent"),
        Page(name="search result", path="/doku.php?id=start&do=search&q=harbour"),
        Page(name="history", path="/doku.php?id=harbour&do=revisions"),
        Page(name="index", path="/doku.php?id=start&do=index", edited=False),
    )

    searches = ((("/doku.php", "q"), ("/doku.php", "id")),)
    forms = ("/doku.php?id=harbour&do=edit", "/doku.php?id=crane&do=edit", "/doku.php?id=start&do=media")
    content = ("data/pages/**/*.txt", "data/attic/**/*", "data/media/**/*")

    def install(self) -> None:
        Debian(*PACKAGES)
        self._package = Debian("dokuwiki", *PACKAGES)

    def start(self, folder: Path) -> str:
        conf, data = folder / "conf", folder / "data"
        shutil.copytree(self._package.root / "etc/dokuwiki", conf, ignore_dangling_symlinks=True)
        shutil.copytree(self._package.root / "var/lib/dokuwiki/data", data)
        (conf / "local.php").write_text(
            "<?php\n$conf['title'] = 'Harbour office'; $conf['useacl'] = 0; $conf['lang'] = 'en';\n"
            f"$conf['savedir'] = '{data}';\n"
        )
        before = folder / "before.php"
        before.write_text(f"<?php\ndefine('DOKU_CONF', '{conf}/'); define('DOKU_MAIN_CONF', '{conf}/');\n")
        command = php(folder, auto_prepend_file=before, error_reporting="0")
        site = self._package.root / "usr/share/dokuwiki"
        port = free_port()
        self._address = self.launch(
            *command,
            "-S",
            f"127.0.0.1:{port}",
            "-t",
            site,
            folder=folder,
            port=port,
            path="/doku.php",
            **libraries(),
        )
        self._save("start", "====== Harbour office ======\n\nSee [[harbour]] and [[ships]].\n", "first page")
        self._save("harbour", f"====== Harbour ======\n\n{HARBOUR}.\n", "rules of the harbour")
        self._save("ships", "====== Ships ======\n\nNo ship of the harbour is out at sea.\n", "list of ships")
        return self._address

    def edit(self) -> None:
        text = f"====== Harbour ======\n\n{HARBOUR}.\n\n{LANTERN} of the harbour.\n"
        self._save("harbour", text, LANTERN)

    def _save(self, page: str, text: str, summary: str) -> None:
        """Writes a page by the form that a visitor uses, and lets the index of the search know."""
        with httpx2.Client(base_url=self._address, timeout=60) as browser:
            form = browser.get("/doku.php", params={"id": page, "do": "edit"}).text
            hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
            sent = {**hidden, "id": page, "wikitext": text, "summary": summary, "do[save]": "Save"}
            answer = browser.post("/doku.php", data=sent)
            assert answer.status_code in (200, 302), answer.text
            browser.get("/lib/exe/taskrunner.php", params={"id": page})
