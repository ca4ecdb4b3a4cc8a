"""One service of the zoo: the page of its form, its answers, and the class it belongs to, if any."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.site import Request, Site
from tests.site.look import Refusal

Fields = dict[str, str]
Content = str | Callable[[Fields], str]
Redirect = Callable[[Fields], str]


@dataclass(frozen=True, kw_only=True)
class Specimen:
    """One service. `pages` holds texts, or functions of the sent fields, by path relative to the specimen's
    folder.

    `redirects` say where a path redirects to. `service` is the class that a crawler looks for here, and
    `member` tells whether the specimen is a member of it.
    """

    name: str
    service: str
    member: bool
    pages: dict[str, Content]
    redirects: dict[str, Redirect] = field(default_factory=dict)
    charset: str = "utf-8"
    plain: frozenset[str] = frozenset()
    """Paths that answer with plain text."""

    def url(self, site: Site) -> str:
        return f"{site.url}/{self.name}/"


def settle(site: Site, specimen: Specimen) -> str:
    """Puts the specimen on a site, and returns the address of its form."""
    for path, content in specimen.pages.items():
        media = "text/plain" if path in specimen.plain else "text/html"
        page = site.page(f"/{specimen.name}/{path}", _shown(content), media_type=media).charset(
            specimen.charset
        )
        page.content_type(media, charset=specimen.charset).allows("GET", "HEAD", "POST")
        page.validators = "none"
    for path, redirect in specimen.redirects.items():
        page = site.page(f"/{specimen.name}/{path}", "").allows("GET", "POST")
        page.guarded(_sends_on(redirect))
    return specimen.url(site)


def _shown(content: Content) -> str | Callable[[Request], str]:
    return (
        content
        if isinstance(content, str)
        else lambda request: content({**dict(request.query), **request.fields})
    )


def _sends_on(redirect: Redirect) -> Callable[[Request], Refusal]:
    return lambda request: Refusal(303, (("Location", redirect(request.fields)),))
