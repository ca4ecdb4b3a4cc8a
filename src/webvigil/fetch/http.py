"""Pages over HTTP: one client, kept-alive connections, conditional requests, hard limits.

A server that knows the version we have answers 304 and sends nothing; we ask with the validators it gave
us last time (F2).
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import aiohttp
from aiohttp.client_exceptions import ClientError, InvalidURL, TooManyRedirects

from webvigil.errors import PageError, PageRefused, PageUnreachable
from webvigil.fetch.addresses import Network, may_visit
from webvigil.model.page import Page
from webvigil.model.version import Answer

_CHUNK = 65536
_RETRY = {408, 421, 425, 429, 500, 502, 503, 504}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    timeout: float = 30.0
    bytes: int = 20_000_000
    redirects: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """`answer` is None where the server said that nothing has changed."""

    answer: Answer | None
    status: int
    validators: dict[str, str]


class HttpFetcher:
    """Use as an async context manager: it owns the connections."""

    def __init__(
        self, *, user_agent: str, limits: Limits | None = None, allowed: Iterable[Network] = ()
    ) -> None:
        self._headers = {"User-Agent": user_agent, "Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
        self._limits = limits or Limits()
        self._allowed = tuple(allowed)
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        connector = aiohttp.TCPConnector(limit=0, socket_factory=self._socket, ttl_dns_cache=60)
        self._session = aiohttp.ClientSession(
            connector=connector,
            headers=self._headers,
            timeout=aiohttp.ClientTimeout(total=self._limits.timeout),
            cookie_jar=aiohttp.DummyCookieJar(),
            requote_redirect_url=True,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session:
            await self._session.close()

    async def fetch(self, page: Page, validators: dict[str, str]) -> Fetched:
        """The page as it is now. Raises PageUnreachable (try later) or PageRefused (needs a person)."""
        assert self._session, "enter the fetcher first"
        try:
            async with self._session.request(
                page.method,
                page.url,
                headers=_conditions(validators),
                max_redirects=self._limits.redirects,
                **_form(page),
            ) as response:
                return await self._fetched(page, response, validators)
        except TimeoutError as error:
            raise PageUnreachable(f"no answer within {self._limits.timeout:g} seconds") from error
        except TooManyRedirects as error:
            raise PageRefused(f"more than {self._limits.redirects} redirects") from error
        except InvalidURL as error:
            raise PageRefused(f"{str(error)!r} is not a web address") from error
        except ClientError as error:
            raise _unreachable(error) from error

    async def _fetched(
        self, page: Page, response: aiohttp.ClientResponse, validators: dict[str, str]
    ) -> Fetched:
        if response.status == 304 and validators:
            return Fetched(answer=None, status=304, validators=validators)
        if response.status >= 400:
            raise _refusal(response)
        answer = Answer(
            url=str(response.url),
            status=response.status,
            headers=tuple(response.headers.items()),
            body=await self._body(response),
        )
        return Fetched(answer=answer, status=response.status, validators=_validators(answer))

    async def _body(self, response: aiohttp.ClientResponse) -> bytes:
        """Counted while it arrives, after decompression, so that a bomb goes off in our hand at its start."""
        parts: list[bytes] = []
        size = 0
        async for chunk in response.content.iter_chunked(_CHUNK):
            size += len(chunk)
            if size > self._limits.bytes:
                raise PageRefused(f"the page is larger than {self._limits.bytes:,} bytes")
            parts.append(chunk)
        return b"".join(parts)

    def _socket(self, address_info: Any) -> socket.socket:
        family, kind, protocol, _, address = address_info
        if not may_visit(address[0], self._allowed):
            raise _ForbiddenAddress(address[0])
        made = socket.socket(family=family, type=kind, proto=protocol)
        made.setblocking(False)
        return made


class _ForbiddenAddress(OSError):
    def __init__(self, address: str) -> None:
        super().__init__(f"{address} is not a public address")
        self.address = address


def _conditions(validators: dict[str, str]) -> dict[str, str]:
    names = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}
    return {names[kind]: value for kind, value in validators.items() if kind in names}


def _validators(answer: Answer) -> dict[str, str]:
    found = {kind: answer.header(kind) for kind in ("etag", "last-modified")}
    return {kind: value for kind, value in found.items() if value}


def _form(page: Page) -> dict[str, Any]:
    if not page.fields:
        return {}
    return {"data": list(page.fields)} if page.method == "POST" else {"params": list(page.fields)}


def _refusal(response: aiohttp.ClientResponse) -> PageError:
    message = f"the server answered {response.status} {response.reason or ''}".rstrip()
    return PageUnreachable(message) if response.status in _RETRY else PageRefused(message)


def _unreachable(error: BaseException) -> PageError:
    """Our own refusal is wrapped by the client in its connection error; find it again."""
    reason: BaseException | None = error
    seen = 0
    while reason is not None and seen < 10:
        if isinstance(reason, _ForbiddenAddress):
            return PageRefused(
                f"{reason.address} is not a public address; allow it with the setting allow_networks"
            )
        reason = getattr(reason, "os_error", None) or reason.__cause__ or reason.__context__
        seen += 1
    text = str(error) or type(error).__name__
    return PageUnreachable(f"the page could not be fetched: {text}")
