"""The only access to the web: a request in, the answer out, within limits and to allowed addresses only.

Pages, frames, pictures, robots.txt and feeds all come through this client, and so does every step of a
redirect. An address is judged where its socket is made (F5), so neither a host name that changes its address
nor an odd spelling gets past the check.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
import ssl
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar
from urllib.parse import urljoin, urlsplit

import aiohttp
from aiohttp.client_exceptions import (
    ClientConnectorCertificateError,
    ClientConnectorError,
    ClientError,
    ClientHttpProxyError,
    ClientPayloadError,
    ClientProxyConnectionError,
    ClientResponseError,
    ConnectionTimeoutError,
    InvalidURL,
    ServerDisconnectedError,
)
from multidict import CIMultiDict
from yarl import URL

from webvigil.errors import (
    CertificateRefused,
    HostUnreachable,
    PageError,
    PageRefused,
    PageUnreachable,
    SettingRefused,
)
from webvigil.fetch.coding import ACCEPTED, decoded, too_large
from webvigil.fetch.login import Login
from webvigil.fetch.names import Lookup, Names, system_lookup
from webvigil.fetch.networks import Network, may_visit
from webvigil.fetch.ways import (
    DIRECT,
    SOCKS,
    ForbiddenAddress,
    Proxy,
    Ways,
    connector_for,
    in_words,
    judge,
    refusal_of,
)
from webvigil.model.approach import Approach
from webvigil.model.page import normal_url
from webvigil.model.version import Answer

E = TypeVar("E", bound=BaseException)

# Seconds in which a connection must be made, and for which the address of a name is kept.
_CONNECT = 10.0
_DNS_SECONDS = 60
_OF_SOCKS = ("python_socks", "aiohttp_socks")
_REDIRECTS = (301, 302, 303, 307, 308)
# Of bodies larger than so many bytes only a few are read at a time, so that thousands of requests in progress
# do not fill the memory.
_SMALL = 1_000_000
_LARGE_AT_A_TIME = 8
# Bodies of more bytes are unpacked in a thread, because unpacking would block the event loop for too long.
_THREAD_WORTH = 256_000
# Real sites send policies and cookies beyond aiohttp's own limit of eight kilobytes.
_LONGEST_HEADER = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one request: seconds, bytes, redirects, and the frames of a page. `step` are the seconds
    for one step in a browser."""

    timeout: float = 30.0
    step: float = 10.0
    bytes: int = 20_000_000
    redirects: int = 10
    frames: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One request. `limit` is for files that must be smaller than a page may be. `multipart` sends the fields
    of a POST in parts. `own_headers` are sent to the origin of `url` only, as a log-in is. `cookies` keeps
    the cookies of several requests; without it they are forgotten. `through` names a proxy, `agent` is how we
    introduce ourselves, `timeout` the seconds for the answer; without a value the defaults of the client
    hold."""

    url: str
    method: str = "GET"
    fields: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    own_headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    login: Login | None = None
    limit: int | None = None
    body: bytes | None = None
    multipart: bool = False
    cookies: Cookies | None = None
    through: str = ""
    agent: str = ""
    timeout: float = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The answer, whatever its status, and the number of bytes of its body on the wire."""

    answer: Answer
    received: int


class Client:
    """Sends requests. Use it as an async context manager, because it owns the connections."""

    def __init__(
        self,
        *,
        user_agent: str,
        limits: Limits | None = None,
        allowed: Iterable[Network] = (),
        proxy: str = "",
        ways: Ways | None = None,
        ca_file: Path | None = None,
        lookup: Lookup = system_lookup,
        dns_seconds: int = _DNS_SECONDS,
    ) -> None:
        self.user_agent = user_agent
        self.limits = limits or Limits()
        self._allowed = tuple(allowed)
        wished = ways or Ways(everywhere=proxy)
        self._ways = DIRECT if wished == DIRECT else wished
        self._tls = tls_context(ca_file)
        self.certificates = _ENDS[self._tls]
        """When the certificates end that hosts have shown, by host name."""
        self._lookup = lookup
        self._dns_seconds = dns_seconds
        self._large = asyncio.Semaphore(_LARGE_AT_A_TIME)
        self._sessions: dict[str, aiohttp.ClientSession] = {}

    async def __aenter__(self) -> Self:
        self._names = Names(self._lookup)
        self._session_for(None)
        return self

    def _session_for(self, proxy: Proxy | None) -> aiohttp.ClientSession:
        """Returns the session for a proxy, or for direct ways; each proxy has connections of its own."""
        key = proxy.url if proxy else ""
        if key not in self._sessions:
            self._sessions[key] = self._session(self._connector(proxy))
        return self._sessions[key]

    def _connector(self, proxy: Proxy | None) -> aiohttp.BaseConnector:
        # No limit of connections here: the callers decide how many requests run at a time.
        if proxy and proxy.scheme in SOCKS:
            made: aiohttp.BaseConnector = connector_for(proxy, limit=0, ssl=self._tls)
            return made
        return aiohttp.TCPConnector(
            limit=0,
            resolver=self._names,
            # The address of a proxy is the operator's word.
            socket_factory=_any_socket if proxy else self._socket,
            use_dns_cache=self._dns_seconds > 0,
            ttl_dns_cache=self._dns_seconds,
            ssl=self._tls,
        )

    def _session(self, connector: aiohttp.BaseConnector) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=connector,
            headers={
                "User-Agent": self.user_agent,
                "Accept": "text/html,application/xhtml+xml,*/*;q=0.8",
                "Accept-Encoding": ACCEPTED,
            },
            timeout=aiohttp.ClientTimeout(sock_connect=min(_CONNECT, self.limits.timeout)),
            # No cookie may pass from one fetch to the next; `Cookies` keeps those of a single fetch.
            cookie_jar=aiohttp.DummyCookieJar(),
            # Bodies are unpacked by `coding`, which stops at the limit; aiohttp would unpack a bomb.
            auto_decompress=False,
            max_line_size=_LONGEST_HEADER,
            max_field_size=_LONGEST_HEADER,
        )

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for session in self._sessions.values():
            await session.close()
        if self._sessions:
            await self._names.close()
        self._sessions = {}

    async def ask(self, ask: Ask) -> Reply:
        """Returns any answer of a server. Raises PageUnreachable (try later) or PageRefused (needs a
        person)."""
        seconds = ask.timeout or self.limits.timeout
        with _our_errors(ask.url):
            try:
                async with asyncio.timeout(seconds):
                    return await self._follow(ask)
            except TimeoutError as error:
                if isinstance(error, ConnectionTimeoutError):
                    raise HostUnreachable("the host does not answer: no connection in time") from error
                raise HostUnreachable(f"no answer within {seconds:g} seconds") from error

    async def _follow(self, ask: Ask) -> Reply:
        """Sends the request and follows redirects up to the limit."""
        cookies = ask.cookies or Cookies()
        for _ in range(self.limits.redirects + 1):
            direct = self._ways is DIRECT and not ask.through
            proxy = None if direct else self._ways.to(ask.url, ask.through)
            try:
                async with await self._sent(ask, cookies, proxy) as response:
                    target = _redirect(response)
                    cookies.learn(response)
                    if target is None:
                        return await self._reply(ask, response)
            except Exception as error:
                if proxy and (said := _proxy_trouble(proxy, error)):
                    raise PageUnreachable(f"the page could not be fetched: {said}") from error
                raise
            ask = _redirected(ask, target, response.status)
        raise PageRefused(f"the page leads from place to place: more than {self.limits.redirects} redirects")

    async def _sent(self, ask: Ask, cookies: Cookies, proxy: Proxy | None) -> aiohttp.ClientResponse:
        """Sends one request and returns the answer, whose body is still to be read."""
        assert self._sessions, "enter the client first"
        if proxy:
            # The proxy connects in our place, so `_socket` never sees the address of the host.
            await judge(urlsplit(ask.url).hostname or "", self._allowed, self._names.addresses)
        response = await self._session_for(proxy).request(
            ask.method,
            URL(ask.url),
            headers=_headers(ask, cookies),
            allow_redirects=False,
            proxy=proxy.url if proxy and proxy.scheme not in SOCKS else None,
            ssl=self._tls if self._ways is DIRECT or self._ways.verifies(ask.url) else False,
            **_form(ask),
        )
        if proxy and response.status == 407:
            response.close()
            raise PageUnreachable(f"the page could not be fetched: {refusal_of(proxy, 407)}")
        return response

    async def _reply(self, ask: Ask, response: aiohttp.ClientResponse) -> Reply:
        """Reads and unpacks the body."""
        limit = min(ask.limit or self.limits.bytes, self.limits.bytes)
        wire = b"" if ask.method == "HEAD" else await self._received(response, limit)
        body = await _plain(wire, response.headers.get("Content-Encoding", ""), limit)
        answer = Answer(
            url=str(response.url),
            status=response.status,
            headers=tuple(response.headers.items()),
            body=body,
        )
        return Reply(answer=answer, received=len(wire))

    async def _received(self, response: aiohttp.ClientResponse, limit: int) -> bytes:
        """Reads the body. Its bytes are counted as they arrive, because the length in the header may be
        wrong."""
        if (response.content_length or 0) > limit:
            raise too_large(limit)
        if response.content.at_eof():  # an answer without a body, such as 304
            return b""
        parts: list[bytes] = []
        size = await _gather(response, parts, 0, min(_SMALL, limit))
        if size > _SMALL:
            async with self._large:
                size = await _gather(response, parts, size, limit)
        if size > limit:
            raise too_large(limit)
        return b"".join(parts)

    def _socket(self, address_info: Any) -> socket.socket:
        """Makes the socket for a connection. Raises ForbiddenAddress if the address may not be visited."""
        if not may_visit(address_info[4][0], self._allowed):
            raise ForbiddenAddress(address_info[4][0])
        return _any_socket(address_info)


class Asks(Protocol):
    """The interface of objects that send requests: the client, or the client with the approach of a page."""

    user_agent: str
    limits: Limits
    certificates: dict[str, datetime]

    async def ask(self, ask: Ask) -> Reply: ...


class Approached:
    """The client with the approach of a page: each request uses its proxy, its user agent and its time
    limit."""

    def __init__(self, client: Client, approach: Approach) -> None:
        self._client = client
        self._approach = approach
        self.user_agent = client.user_agent
        self.limits = client.limits
        self.certificates = client.certificates

    async def ask(self, ask: Ask) -> Reply:
        said = self._approach
        return await self._client.ask(
            replace(ask, through=said.through, agent=said.agent, timeout=said.timeout)
        )


def _any_socket(address_info: Any) -> socket.socket:
    family, kind, protocol, _, _ = address_info
    made = socket.socket(family=family, type=kind, proto=protocol)
    made.setblocking(False)
    return made


def _proxy_trouble(proxy: Proxy, error: BaseException) -> str:
    """Returns what went wrong at the proxy; "" for an error that is not the proxy's."""
    if isinstance(error, ClientHttpProxyError):
        return refusal_of(proxy, error.status)
    of_socks = isinstance(error, EOFError) or type(error).__module__.startswith(_OF_SOCKS)
    if isinstance(error, ClientProxyConnectionError) or of_socks:
        return in_words(proxy, error)
    return ""


@lru_cache
def tls_context(ca_file: Path | None) -> ssl.SSLContext:
    """Returns the TLS settings. Certificates are always verified; `ca_file` names further authorities to
    trust. Raises SettingRefused if that file cannot be read."""
    context = ssl.create_default_context()
    if ca_file:
        try:
            context.load_verify_locations(ca_file)
        except (OSError, ssl.SSLError) as error:
            raise SettingRefused(f"ca_file {ca_file} holds no certificates that can be read") from error
    context.sslobject_class = _noting(_ENDS.setdefault(context, {}))
    return context


# Hosts whose certificates are remembered.
_MOST_HOSTS = 10_000
_ENDS: dict[ssl.SSLContext, dict[str, datetime]] = {}
"""The ends of the certificates that each context has seen, by host name."""


def _noting(ends: dict[str, datetime]) -> type[ssl.SSLObject]:
    """Returns a class of TLS connections that note when the certificate of their host ends."""

    class Noting(ssl.SSLObject):
        def do_handshake(self) -> None:
            super().do_handshake()
            certificate = self.getpeercert()
            if certificate and self.server_hostname and "notAfter" in certificate:
                if len(ends) >= _MOST_HOSTS:
                    ends.clear()
                seconds = ssl.cert_time_to_seconds(str(certificate["notAfter"]))
                ends[self.server_hostname] = datetime.fromtimestamp(seconds, UTC)

    return Noting


def resolved(base: str, reference: str) -> str:
    """Returns the address that a link in a page or a Location header means. Raises ValueError if it is not a
    web address.

    Backslashes are read as slashes, as browsers do.
    """
    place = reference.strip().partition("#")[0]
    path, mark, query = place.partition("?")
    joined = urljoin(base, path.replace("\\", "/") + mark + query)
    return normal_url(joined.replace(" ", "%20"))


class Cookies:
    """The cookies that servers set during one visit (some servers test whether we keep them).

    A fetch has cookies of its own, which are forgotten after it, so that every check sees what a new visitor
    sees. The steps from a form to its result share one object.
    """

    def __init__(self, answer: Answer | None = None) -> None:
        """`answer`: the page that the visit begins with; its cookies are kept."""
        self._jar: aiohttp.CookieJar | None = None
        if answer is not None:
            set_by_page = SimpleCookie()
            for name, value in answer.headers:
                if name.lower() == "set-cookie":
                    with suppress(CookieError):
                        set_by_page.load(value)
            self._keep(set_by_page, URL(answer.url))

    def learn(self, response: aiohttp.ClientResponse) -> None:
        """Remembers the cookies that an answer sets."""
        if "Set-Cookie" in response.headers:
            self._keep(response.cookies, response.url)

    def _keep(self, cookies: SimpleCookie, url: URL) -> None:
        if cookies:
            self._jar = self._jar or aiohttp.CookieJar(unsafe=True, quote_cookie=False)
            self._jar.update_cookies(cookies, url)

    def header(self, url: str, login: Login | None = None) -> dict[str, str]:
        """Returns the Cookie header for an address. Cookies of the login are sent to its own origin only."""
        known = dict(login.cookies) if login and same_origin(login.url, url) else {}
        if self._jar:
            known |= {name: morsel.value for name, morsel in self._jar.filter_cookies(URL(url)).items()}
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in known.items())} if known else {}


def same_origin(one: str, other: str) -> bool:
    first, second = urlsplit(one), urlsplit(other)
    return (first.scheme, first.hostname, first.port) == (second.scheme, second.hostname, second.port)


def _headers(ask: Ask, cookies: Cookies) -> CIMultiDict[str]:
    """Returns all headers of a request, each once however it is written."""
    found: CIMultiDict[str] = CIMultiDict({"User-Agent": ask.agent} if ask.agent else {})
    for some in (ask.headers, _login_headers(ask), ask.own_headers, cookies.header(ask.url, ask.login)):
        found.update(some)
    return found


def _login_headers(ask: Ask) -> dict[str, str]:
    return dict(ask.login.headers) if ask.login and same_origin(ask.login.url, ask.url) else {}


async def _gather(response: aiohttp.ClientResponse, parts: list[bytes], size: int, until: int) -> int:
    """Reads until the body ends or has more than `until` bytes. Returns the size so far."""
    async for chunk in response.content.iter_any():
        parts.append(chunk)
        size += len(chunk)
        if size > until:
            break
    return size


async def _plain(wire: bytes, coding: str, limit: int) -> bytes:
    """Unpacks a body, a large one in a thread."""
    if not coding:
        return wire
    if len(wire) < _THREAD_WORTH:
        return decoded(wire, coding, limit)
    return await asyncio.to_thread(decoded, wire, coding, limit)


def _redirect(response: aiohttp.ClientResponse) -> str | None:
    """Returns the address that a redirect leads to, or None if the answer is not a redirect."""
    location = response.headers.get("Location")
    if response.status not in _REDIRECTS or not location:
        return None
    try:
        return resolved(str(response.url), location)
    except ValueError as error:
        raise PageRefused(f"the page redirects to {location[:200]!r}, which is not a web address") from error


def _redirected(ask: Ask, target: str, status: int) -> Ask:
    """Returns the request for the target of a redirect. A body is not sent again, unless the server asks for
    that (307, 308). Headers of its own, which may hold secrets, stay at their origin."""
    own = ask.own_headers if same_origin(ask.url, target) else {}
    if status in (307, 308) or ask.method in ("GET", "HEAD"):
        fields = ask.fields if ask.method == "POST" else ()
        if ask.body is not None and not own:
            own = {name: value for name, value in ask.own_headers.items() if name.lower() == "content-type"}
        return replace(ask, url=target, fields=fields, own_headers=own)
    own = {name: value for name, value in own.items() if name.lower() != "content-type"}
    return replace(ask, url=target, method="GET", fields=(), body=None, own_headers=own)


def _form(ask: Ask) -> dict[str, Any]:
    if ask.body is not None:
        return {"data": ask.body}
    if not ask.fields:
        return {}
    if ask.method == "POST" and ask.multipart:
        return {"data": _in_parts(ask.fields)}
    return {"data": list(ask.fields)} if ask.method == "POST" else {"params": list(ask.fields)}


def _in_parts(fields: Iterable[tuple[str, str]]) -> aiohttp.FormData:
    parts = aiohttp.FormData(default_to_multipart=True)
    for name, value in fields:
        parts.add_field(name, value)
    return parts


class _our_errors:  # noqa: N801  (reads as the clause it is)
    """Translates the errors of aiohttp and of sockets into errors of this program."""

    def __init__(self, url: str) -> None:
        self._url = url

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, PageError) or not isinstance(error, (ClientError, OSError, ValueError)):
            return
        raise self._translated(error) from error

    def _translated(self, error: BaseException) -> PageError:
        forbidden = _forbidden(error)
        if forbidden:
            return PageRefused(
                f"{forbidden} is not a public address; allow it with the setting allow_networks"
            )
        if isinstance(error, InvalidURL):
            return PageRefused(f"{self._url!r} is not a web address")
        if isinstance(error, ClientConnectorCertificateError):
            return CertificateRefused(
                f"the certificate of {error.host} is not valid: {_certificate_trouble(error)}"
            )
        if (invalid := _in_chain(error, ssl.SSLCertVerificationError)) is not None:
            host = urlsplit(self._url).hostname
            return CertificateRefused(f"the certificate of {host} is not valid: {invalid.verify_message}")
        if isinstance(error, ClientConnectorError):
            place = error.host if error.port in (None, 80, 443) else f"{error.host}:{error.port}"
            reason = _connection_trouble(error.os_error)
            return HostUnreachable(f"the page could not be fetched: no connection to {place} ({reason})")
        kind = HostUnreachable if isinstance(error, socket.gaierror) else PageUnreachable
        return kind(f"the page could not be fetched: {_in_words(error)}")


def _connection_trouble(error: OSError) -> str:
    """Returns in words why there is no connection."""
    if isinstance(error, socket.gaierror):
        known = error.errno not in (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))
        unknown = "there is no such host; is the address spelled right?"
        return (known and error.strerror) or unknown
    # If several addresses were tried, aiohttp gives their error numbers in the text only.
    number = error.errno or int((re.search(r"\[Errno (\d+)\]", str(error)) or [0, 0])[1])
    return os.strerror(number) if number else str(error) or "it does not answer"


# Words for errors of aiohttp, whose own texts tell a reader nothing.
_WORDS: tuple[tuple[type[BaseException], str], ...] = (
    (TimeoutError, "it took too long"),
    (ServerDisconnectedError, "the server closed the connection without an answer"),
    (ClientPayloadError, "the answer was cut off"),
    (ClientResponseError, "what came back is no answer of a web server"),
    (UnicodeError, "its address cannot be read"),
)


def _in_words(error: BaseException) -> str:
    said = next((words for kind, words in _WORDS if isinstance(error, kind)), "")
    if not said and isinstance(error, OSError):
        said = _connection_trouble(error)
    return said or str(error) or type(error).__name__


def _forbidden(error: BaseException) -> str:
    """Returns the forbidden address if that is the cause of an error."""
    found = _in_chain(error, ForbiddenAddress)
    return found.address if found else ""


def _in_chain(error: BaseException | None, kind: type[E]) -> E | None:
    """Returns the error of this kind among the causes of an error. aiohttp wraps our errors, and those of
    ssl, in its own."""
    for _ in range(10):
        if error is None or isinstance(error, kind):
            break
        error = getattr(error, "os_error", None) or error.__cause__ or error.__context__
    return error if isinstance(error, kind) else None


def _certificate_trouble(error: ClientConnectorCertificateError) -> str:
    reason = error.certificate_error
    return getattr(reason, "verify_message", "") or str(reason)
