"""cgit: repositories of git as a web site, in C."""

from __future__ import annotations

from pathlib import Path

from tests.real.application import Application, Page
from tests.real.installing import Debian
from tests.real.repository import GitRepository


class Cgit(Application):
    name = "cgit"
    pages = (
        Page(name="front page", path="/", edited=False),
        Page(name="summary", path="/office/"),
        Page(name="log", path="/office/log/"),
        Page(name="file", path="/office/tree/harbour.txt"),
        Page(name="tree", path="/office/tree/", edited=False),
        Page(name="search result", path="/office/log/?qt=grep&q=harbour"),
    )

    searches = (
        (("/office/log/", "q"), ("/office/log/harbour.txt", "q")),
        (("/", "q"),),
    )
    content = ("office.git/refs/**/*",)

    def install(self) -> None:
        self._package = Debian("cgit")

    def start(self, folder: Path) -> str:
        self._repository = GitRepository(self, folder)
        config = folder / "cgitrc"
        config.write_text(
            "virtual-root=/\nroot-title=Harbour office\ncache-size=0\n"
            f"repo.url=office\nrepo.path={self._repository.bare}\nrepo.desc=Books of the harbour office\n"
        )
        script = self._package.path("usr/lib/cgit/cgit.cgi")
        return self.serve_cgi(script, CGIT_CONFIG=str(config), LD_LIBRARY_PATH=self._package.libraries)

    def edit(self) -> None:
        self._repository.commit_lantern()
