"""The second origin: a web application of its own that shows watched pages and nothing else (P4, DESIGN 7).

Watched pages are foreign content. On an origin without sessions they cannot act as the user. A signed pass
that ends soon opens one change, one page or one picture. The headers of every answer forbid all that is not
needed to look at it, also when somebody opens it outside the dashboard's frame.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import FastAPI, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse

from webvigil.app.pages.display import Both, Sights
from webvigil.app.people.passes import Passes
from webvigil.app.sentinels.pick import kinds
from webvigil.document import PageDigest
from webvigil.errors import WebVigilError
from webvigil.model.change import Finding
from webvigil.present.aspect import Aspect, aspect
from webvigil.present.dressed import Dress
from webvigil.present.html import Showing, policy
from webvigil.present.pickable import pickable
from webvigil.present.presentation import Form, present
from webvigil.present.swipe import Drawn
from webvigil.store.promises import Changes

NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; sandbox"
# Seconds that a pass is valid for a picture, and for a page on which somebody picks elements.
PICTURES_LAST = 3600
PICKING_LASTS = 3600
_COMMON = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), clipboard-read=(), payment=(), usb=()",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
}

_ASPECTS = frozenset(Aspect)

Pass = Annotated[str, Path(max_length=8_000)]


def create_shown(changes: Changes, sights: Sights, passes: Passes) -> FastAPI:
    """Returns the application. A pass names a change, which is read from `changes`; `sights` provides its
    pages, style sheets and pictures."""
    application = FastAPI(title="WebVigil, shown pages", docs_url=None, redoc_url=None, openapi_url=None)
    application.middleware("http")(_guarded)
    application.exception_handler(WebVigilError)(_trouble)

    @application.get("/shown/{pass_}")
    async def shown(pass_: Pass, part: Annotated[int, Query(ge=0, le=10**6)] = 1) -> Response:
        said = passes.read("shown", pass_)
        if said is None:
            return _closed()
        both, findings = await asyncio.to_thread(_both, changes, sights, said)
        how = _how(str(said.get("how") or both.how), findings)
        sheets = {} if how in _ASPECTS else await sights.sheets(both.old, both.new)
        nonce, origin = secrets.token_urlsafe(16), str(said["origin"])
        dress = Dress(
            address=_through(passes, origin),
            sheet=lambda url: sheets.get(url, ""),
            earlier=_earlier(passes, both, origin),
        )
        showing = Showing(
            nonce=nonce,
            dress=dress,
            part=max(part, 1),
            link=f"/shown/{pass_}?part={{}}".format,
            bare=bool(said.get("bare")),
            captions=(str(said.get("before", "")), str(said.get("after", ""))),
            drawn=await asyncio.to_thread(_drawn, sights, passes, both, origin)
            if how == Aspect.IMAGES
            else None,
        )
        html = await asyncio.to_thread(_presented, both.old, both.new, how, findings, showing)
        return HTMLResponse(
            html, headers={"Content-Security-Policy": _policy(nonce, origin, str(said["frame"]))}
        )

    @application.get("/pick/{pass_}")
    async def pick(pass_: Pass) -> Response:
        said = passes.read("pick", pass_)
        if said is None:
            return _closed()
        page = await asyncio.to_thread(sights.kept, str(said["object"]))
        sheets = {} if said["plain"] else await sights.sheets(page)
        nonce, origin, home = secrets.token_urlsafe(16), str(said["origin"]), str(said["frame"])
        dress = Dress(address=_through(passes, origin), sheet=lambda url: sheets.get(url, ""))
        showing = Showing(nonce=nonce, dress=dress)

        def written() -> str:
            return pickable(page, kinds(page), showing, token=pass_, home=home, plain=bool(said["plain"]))

        html = await asyncio.to_thread(written)
        return HTMLResponse(html, headers={"Content-Security-Policy": _policy(nonce, origin, home)})

    @application.get("/picture/{pass_}")
    async def picture(pass_: Pass) -> Response:
        said = passes.read("picture", pass_)
        if said is None:
            return _closed()
        if "url" in said and "page" in said:
            which = int(said["page"]), int(said["version"]), str(said["url"])
            found = await asyncio.to_thread(sights.earlier, *which)
        elif "url" in said:
            found = await sights.picture(str(said["url"]))
        else:
            found = await asyncio.to_thread(sights.rendered, int(said["page"]), int(said["version"]))
        if found is None:
            return PlainTextResponse("there is no such picture", 404)
        headers = {"Cache-Control": "private, max-age=600", "Content-Disposition": "inline"}
        return Response(found.body, media_type=found.type, headers=headers)

    return application


def _presented(
    old: PageDigest, new: PageDigest, how: str, findings: tuple[Finding, ...], showing: Showing
) -> str:
    if how in _ASPECTS:
        return aspect(old, new, Aspect(how), findings=findings, showing=showing)
    return present(old, new, how, Form.PAGE, findings=findings, showing=showing)


def _how(how: str, findings: tuple[Finding, ...]) -> str:
    """Returns the view of a change. What differs in the picture of a page alone is shown by the pictures."""
    changed = {finding.type for finding in findings if finding.changed}
    return Aspect.IMAGES if how in ("", "auto") and changed == {"visual"} else how


def _drawn(sights: Sights, passes: Passes, both: Both, origin: str) -> tuple[Drawn, Drawn] | None:
    """Returns the pictures that a browser took of both versions, or None if there are none."""
    sizes = sights.sizes(both)
    if sizes is None:
        return None
    old, new = (
        Drawn(f"{origin}/picture/{rendered_pass(passes, both.page, number)}", *size)
        for number, size in zip(both.numbers, sizes, strict=True)
    )
    return old, new


def shown_pass(
    passes: Passes,
    *,
    user: str | None,
    change: int,
    how: str = "",
    origin: str,
    frame: str,
    captions: tuple[str, str] | None = None,
) -> str:
    """Returns a pass that shows one change of one user at `origin`, in a frame on pages of `frame`. A pass
    can be read by whoever has it: where the reader must not know the user, `user` is None. With `captions`,
    which name the two versions, the page around the frame has the list of changes."""
    what: dict[str, str | int] = {
        **({"shared": 1} if user is None else {"user": user}),
        "change": change,
        "how": how,
        "origin": origin,
        "frame": frame,
    }
    return passes.written("shown", what | _bare(captions))


def versions_pass(
    passes: Passes,
    *,
    page: int,
    old: int,
    new: int,
    how: str = "",
    origin: str,
    frame: str,
    captions: tuple[str, str] | None = None,
) -> str:
    """Returns a pass that compares any two versions of a page (R6). The caller must have checked that the
    user may see the page."""
    what: dict[str, str | int] = {
        "page": page,
        "old": old,
        "new": new,
        "how": how,
        "origin": origin,
        "frame": frame,
    }
    return passes.written("shown", what | _bare(captions))


def _bare(captions: tuple[str, str] | None) -> dict[str, str | int]:
    return {"bare": 1, "before": captions[0], "after": captions[1]} if captions else {}


def pick_pass(
    passes: Passes,
    *,
    user: str,
    url: str,
    kept: str,
    render: str = "",
    plain: bool = False,
    origin: str,
    frame: str,
) -> str:
    """Returns a pass for a page on which a user picks elements. `kept` names the stored answer of `url`;
    `render` says whether a browser fetched it, and `plain` leaves out the style of the page."""
    what: dict[str, str | int] = {
        "user": user,
        "url": url,
        "object": kept,
        "render": render,
        "plain": int(plain),
        "origin": origin,
        "frame": frame,
    }
    return passes.written("pick", what, PICKING_LASTS)


def rendered_pass(passes: Passes, page: int, version: int) -> str:
    return passes.written("picture", {"page": page, "version": version}, PICTURES_LAST)


def _both(changes: Changes, sights: Sights, said: dict[str, str | int]) -> tuple[Both, tuple[Finding, ...]]:
    if "page" in said:
        return sights.versions(int(said["page"]), int(said["old"]), int(said["new"])), ()
    change = changes.get(int(said["change"]))
    if not said.get("shared") and change.user != said["user"]:
        raise WebVigilError("this is another user's change")
    return sights.both(change), change.findings


def _through(passes: Passes, origin: str) -> Callable[[str], str]:
    """Returns a function that turns the address of a picture on its site into an address on this origin, so
    that the reader's browser does not contact the site. It returns "" for addresses that cannot be
    fetched."""

    def address(url: str) -> str:
        if urlsplit(url).scheme not in ("http", "https") or len(url) > 4_000:
            return ""
        return f"{origin}/picture/{passes.written('picture', {'url': url}, PICTURES_LAST)}"

    return address


def _earlier(passes: Passes, both: Both, origin: str) -> Callable[[str], str]:
    """Returns a function that gives the address of a picture as it was in the old version, or "" where the
    picture was not kept."""

    def address(url: str) -> str:
        if url not in both.earlier or len(url) > 4_000:
            return ""
        what: dict[str, str | int] = {"page": both.page, "version": both.earlier[url], "url": url}
        return f"{origin}/picture/{passes.written('picture', what, PICTURES_LAST)}"

    return address


def _policy(nonce: str, origin: str, frame: str) -> str:
    rules = policy(f"'nonce-{nonce}'", f"data: {origin}/picture/")
    return f"{rules}; sandbox allow-scripts; frame-ancestors {frame}"


def _closed() -> Response:
    return PlainTextResponse("This view has expired. Go back and open it again.", 403)


async def _guarded(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
    response = await go_on(request)
    for name, value in _COMMON.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Content-Security-Policy", NOTHING)
    return response


async def _trouble(_: Request, error: Exception) -> Response:
    return PlainTextResponse(f"This cannot be shown: {error}", 404)
