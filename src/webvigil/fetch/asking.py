"""A page and its log-in in, the request that is sent for it out."""

from __future__ import annotations

from webvigil.errors import PageRefused
from webvigil.fetch.client import Ask, Cookies, same_origin
from webvigil.fetch.login import Login
from webvigil.model.page import Page
from webvigil.model.request import headers_to_send


def asked(page: Page, login: Login | None = None, cookies: Cookies | None = None) -> Ask:
    """Returns the request for a page. Raises PageRefused if a secret of its headers is gone."""
    request = page.approach.request
    if request is None:
        return Ask(
            url=page.url,
            method="GET" if page.method == "GET" else "POST",
            fields=page.fields,
            login=login,
            multipart=page.method == "MULTIPART",
            cookies=cookies,
        )
    return Ask(
        url=page.url,
        method=request.method,
        own_headers=headers_to_send(request, lambda name: _secret(page.url, name, login)),
        body=request.content,
        login=login,
        cookies=cookies,
    )


def _secret(url: str, name: str, login: Login | None) -> str:
    """Returns a secret of the log-in for this page. No message repeats it."""
    known = dict(login.secrets) if login and same_origin(login.url, url) else {}
    if name not in known:
        raise PageRefused(f"there is no secret {name!r} in the log-in for {url}; keep it anew")
    if not known[name].isascii() or not known[name].isprintable():
        raise PageRefused(f"the secret {name!r} has a character that cannot be sent in a header")
    return known[name]
