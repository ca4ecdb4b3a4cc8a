"""gitweb: repositories of git as a web site."""

from __future__ import annotations

from pathlib import Path

from tests.real.application import Application, Page
from tests.real.installing import Debian
from tests.real.repository import GitRepository


class GitWeb(Application):
    name = "gitweb"
    pages = (
        Page(name="front page", path="/", edited=False),
        Page(name="summary", path="/?p=office.git;a=summary"),
        Page(name="log", path="/?p=office.git;a=log"),
        Page(name="short log", path="/?p=office.git;a=shortlog"),
        Page(name="file", path="/?p=office.git;a=blob;f=harbour.txt;hb=HEAD"),
        Page(name="tree", path="/?p=office.git;a=tree", edited=False),
        Page(name="search result", path="/?p=office.git;a=search;st=commit;s=harbour"),
    )

    searches = ((("/", "s"),),)
    content = ("office.git/refs/**/*",)

    def install(self) -> None:
        self._package = Debian("gitweb")

    def start(self, folder: Path) -> str:
        self._repository = GitRepository(self, folder)
        config = folder / "gitweb.conf"
        config.write_text(
            f'$projectroot = "{folder}"; $site_name = "Harbour office"; $git_temp = "{folder}";\n'
        )
        modules = self._package.root / "usr/share/perl5"
        script = self._package.path("usr/share/gitweb/gitweb.cgi", "usr/lib/cgi-bin/gitweb.cgi")
        return self.serve_cgi(script, GITWEB_CONFIG=str(config), PERL5LIB=str(modules))

    def edit(self) -> None:
        self._repository.commit_lantern()
