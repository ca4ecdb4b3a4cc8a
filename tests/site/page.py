"""One page of the site, with all commands for it. Commands work from any thread, from the next request on.

Every command returns the page, so that commands can be chained:

    site.page("/news", "<p>one").compressed("gzip").slow(first_byte=0.2)
"""

from __future__ import annotations

import asyncio
import threading
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tests.site.coding import bomb
from tests.site.log import Request
from tests.site.look import Coding, Content, Digest, Framing, Guard, Look, Refusal, Validators, known
from tests.site.trouble import BEFORE_HEAD, NONE, Gate, Trouble, retry_header

if TYPE_CHECKING:
    from tests.site.server import Site

_AN_HOUR = 3600


class SitePage:
    """One page. A `path` with a query answers that query alone; other paths answer any query."""

    def __init__(self, site: Site, path: str, contents: list[Content], **look: Any) -> None:
        self.path = path
        self._site = site
        self._lock = threading.Lock()
        self._later = contents[1:]
        self._look = Look(content=contents[0], modified=int(site.clock()) - _AN_HOUR, **look)
        self._trouble = NONE
        self._gates: list[Gate] = []

    # --- requests

    @property
    def url(self) -> str:
        return self._site.url + quote(self.path, safe="/?&=%:@+,;~!$'()*[]")

    @property
    def requests(self) -> list[Request]:
        return [request for request in self._site.requests if self._is_asked_by(request)]

    @property
    def hits(self) -> int:
        return len(self.requests)

    def wait_for(self, hits: int = 1, within: float = 90.0) -> list[Request]:
        """Blocks until that many requests began. Raises TimeoutError with the requests that came instead."""
        self._site.log.wait(lambda _: self.hits >= hits, within)
        return self.requests

    async def hits_reach(self, hits: int = 1, within: float = 90.0) -> list[Request]:
        """Does the same as `wait_for`, for a client in the test's own event loop."""
        return await asyncio.to_thread(self.wait_for, hits, within)

    def _is_asked_by(self, request: Request) -> bool:
        return self._site.page_for(request) is self

    # --- content

    def becomes(self, content: Content, *later: Content, modified: float | None = None) -> SitePage:
        """Changes the content at once; `later` contents wait for `next`.

        Last-Modified moves by at least a second, so that quick changes differ in it.
        """
        with self._lock:
            self._later = [*later] or self._later
            self._show(content, modified)
        return self

    def next(self) -> SitePage:
        """Shows the next of the contents that were given as a list."""
        with self._lock:
            if not self._later:
                raise IndexError(f"{self.path} has no further content")
            self._show(self._later.pop(0), None)
        return self

    def touched(self) -> SitePage:
        """Changes the validators but not the content: a change that nobody sees."""
        with self._lock:
            self._look = replace(self._look, touched=self._look.touched + 1)
            self._show(self._look.content, None)
        return self

    def _show(self, content: Content, modified: float | None) -> None:
        moved = max(self._look.modified + 1, int(self._site.clock()))
        self._look = replace(
            self._look, content=content, packed=None, modified=int(moved if modified is None else modified)
        )

    # --- headers and codings

    @property
    def validators(self) -> Validators:
        return self._look.validators

    @validators.setter
    def validators(self, kind: Validators) -> None:
        self._looks(validators=known(kind, Validators))

    def ignores_conditions(self) -> SitePage:
        """Sends validators, but answers If-None-Match and If-Modified-Since with the whole page."""
        return self._looks(conditional=False)

    def digests(self, *kinds: Digest) -> SitePage:
        return self._looks(digests=frozenset(known(kind, Digest) for kind in kinds))

    def compressed(self, *codings: Coding, forced: bool = False) -> SitePage:
        """Compresses answers for clients that accept it, or for all if `forced`. Several codings are applied
        in turn."""
        return self._looks(codings=tuple(known(coding, Coding) for coding in codings), forced=forced)

    def bomb(self, *codings: Coding, size: int = 100 << 20) -> SitePage:
        """Sends a small body that unpacks to `size` zero bytes; each further coding compresses it again."""
        kinds = tuple(known(coding, Coding) for coding in codings)
        return self._looks(codings=kinds, forced=True, packed=bomb(kinds, size))

    def framed(self, framing: Framing) -> SitePage:
        return self._looks(framing=known(framing, Framing))

    def charset(self, name: str, *, declared: str | None = "") -> SitePage:
        """Sends text in this charset. The header names it too, unless another charset, or None, is to be
        declared."""
        return self._looks(charset=name, declared=name if declared == "" else declared)

    def content_type(self, media_type: str | None, *, charset: str | None = None) -> SitePage:
        """Sets the media type; None leaves the header out."""
        return self._looks(media_type=media_type, declared=charset)

    def headers(self, headers: Mapping[str, str] | Iterable[tuple[str, str]]) -> SitePage:
        """Adds headers to answers with the status 200 or 304."""
        pairs = headers.items() if isinstance(headers, Mapping) else headers
        return self._looks(headers=(*self._look.headers, *pairs))

    def sets_cookie(self, name: str, value: str, **attributes: str | bool) -> SitePage:
        """Sets a cookie. Attributes are those of http.cookies, with _ for -: path, domain, max_age, httponly,
        samesite …"""
        cookie: SimpleCookie = SimpleCookie({name: value})
        for attribute, setting in attributes.items():
            cookie[name][attribute.replace("_", "-")] = setting
        return self.headers([("Set-Cookie", cookie[name].OutputString())])

    def allows(self, *methods: str) -> SitePage:
        """Answers other methods with 405. `allows("GET")` is a server that does not know HEAD."""
        return self._looks(methods=methods)

    # --- access

    def requires_header(self, name: str, value: str, status: int = 403) -> SitePage:
        return self.guarded(lambda r: None if r.headers.get(name) == value else Refusal(status))

    def requires_cookie(self, name: str, value: str, status: int = 403) -> SitePage:
        return self.guarded(lambda r: None if _cookies(r).get(name) == value else Refusal(status))

    def requires_login(self, user: str, password: str, realm: str = "site") -> SitePage:
        """Requires basic authentication."""
        right = "Basic " + b64encode(f"{user}:{password}".encode()).decode()
        ask = Refusal(401, (("WWW-Authenticate", f'Basic realm="{realm}"'),))
        return self.guarded(lambda r: None if r.headers.get("Authorization") == right else ask)

    def guarded(self, guard: Guard) -> SitePage:
        return self._looks(guards=(*self._look.guards, guard))

    # --- troubles

    def answers(
        self,
        status: int,
        *,
        headers: Mapping[str, str] | None = None,
        retry_after: int | datetime | None = None,
        body: str | bytes = b"",
    ) -> SitePage:
        pairs = tuple((headers or {}).items()) + (() if retry_after is None else (retry_header(retry_after),))
        said = body.encode() if isinstance(body, str) else body
        return self._suffers(status=status, headers=pairs, body=said)

    def redirects_to(self, url: str | SitePage, status: int = 302) -> SitePage:
        return self.answers(status, headers={"Location": url if isinstance(url, str) else url.url})

    def slow(self, *, first_byte: float = 0.0, per_chunk: float = 0.0, chunk: int = 1024) -> SitePage:
        """Waits so many seconds before the answer begins, and between its chunks."""
        return self._suffers(first_byte=first_byte, per_chunk=per_chunk, chunk=chunk)

    def breaks(self, *, after_bytes: int | None, reset: bool = False) -> SitePage:
        """Ends the connection after so many bytes of the body; None ends it before the status line."""
        return self._suffers(cut_at=_place(after_bytes), reset=reset)

    def hangs(self, *, after_bytes: int | None = None) -> SitePage:
        """Stops the answer there. It continues when the page answers normally again."""
        with self._lock:
            self._gates.append(gate := Gate(self._site.in_loop))
        return self._suffers(hang_at=_place(after_bytes), gate=gate)

    def length_off_by(self, difference: int) -> SitePage:
        """Sends a wrong Content-Length. The connection closes after the body, so that the client can
        notice."""
        return self._suffers(length_off=difference)

    def endless(self, chunk: bytes = b"<p>and so on</p>\n" * 1000) -> SitePage:
        return self._suffers(endless=chunk)

    def raw(self, answer: bytes) -> SitePage:
        """Sends exactly these bytes on the connection, HTTP or not."""
        return self._suffers(raw=answer)

    def times(self, answers: int) -> SitePage:
        """Limits the present troubles to so many answers: `page.answers(503).times(2)`."""
        return self._suffers(answers_left=answers)

    def answers_normally(self) -> SitePage:
        with self._lock:
            self._trouble = NONE
            gates, self._gates = self._gates, []
        for gate in gates:
            gate.open()
        return self

    # --- for the server

    def state(self) -> tuple[Look, Trouble]:
        """Returns what the next answer is made of, and counts down the troubles that last for some
        answers."""
        with self._lock:
            look, trouble = self._look, self._trouble
            self._trouble = trouble.after_one_answer()
        return look, trouble

    def _looks(self, **changes: Any) -> SitePage:
        with self._lock:
            self._look = replace(self._look, **changes)
        return self

    def _suffers(self, **changes: Any) -> SitePage:
        with self._lock:
            self._trouble = replace(self._trouble, **changes)
        return self


def _place(after_bytes: int | None) -> int:
    return BEFORE_HEAD if after_bytes is None else after_bytes


def _cookies(request: Request) -> dict[str, str]:
    return {name: morsel.value for name, morsel in SimpleCookie(request.headers.get("Cookie", "")).items()}
