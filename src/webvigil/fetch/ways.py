"""An address in, the way to it out: direct or through a proxy, with or without a verified certificate (K9).

A proxy connects in our place and looks up names by itself. So a host is judged before its name is handed to a
proxy, while the proxy may stand anywhere: that is the operator's word.
"""

from __future__ import annotations

import asyncio
import base64
import ssl
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from webvigil.errors import PageRefused
from webvigil.fetch.networks import Network, is_address, may_visit

SOCKS = ("socks5", "socks5h", "socks4", "socks4a")
Way = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Lookup = Callable[[str], Awaitable[list[str]]]
# Bytes of the answer of a proxy that are read before it is refused; an answer to CONNECT has a few hundred.
_HEAD = 65536


class ForbiddenAddress(OSError):
    """A connection to an address that may not be visited."""

    def __init__(self, address: str) -> None:
        # The same words for every address: of several errors that read alike, aiohttp passes the first on.
        super().__init__("this is not a public address")
        self.address = address


class ProxyTrouble(OSError):
    """A proxy does not answer, or does not want to. The words name the proxy, never its address, which may
    hold a password."""


@dataclass(frozen=True, slots=True, repr=False)
class Proxy:
    """A proxy by its name in the settings; "" for the proxy of all fetches."""

    name: str
    url: str

    def __str__(self) -> str:
        return f"the proxy {self.name}" if self.name else "the proxy"

    @property
    def scheme(self) -> str:
        return urlsplit(self.url).scheme

    @property
    def place(self) -> tuple[str, int]:
        parts = urlsplit(self.url)
        usual = {"http": 80, "https": 443}.get(parts.scheme, 1080)
        return parts.hostname or "", parts.port or usual

    @property
    def credentials(self) -> tuple[str, str]:
        parts = urlsplit(self.url)
        return unquote(parts.username or ""), unquote(parts.password or "")

    @property
    def authorization(self) -> str:
        """The value of the header Proxy-Authorization; "" without a user name."""
        user, password = self.credentials
        return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode() if user else ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Ways:
    """How the operator wants hosts to be reached. `hosts` are pairs of a host and the name of its proxy; a
    host may be `*.example.org` for all hosts below. `unverified` are hosts whose certificate is not
    verified."""

    everywhere: str = ""
    proxies: tuple[tuple[str, str], ...] = ()
    hosts: tuple[tuple[str, str], ...] = ()
    unverified: tuple[str, ...] = ()

    def to(self, url: str, through: str = "") -> Proxy | None:
        """Returns the proxy for an address: the one the sentinel names, the one of the host, the one for
        all; None for a direct way. Raises PageRefused for a name that the operator has taken away."""
        name = through or next((name for host, name in self.hosts if fits(host, url)), "")
        if not name:
            return Proxy("", self.everywhere) if self.everywhere else None
        found = dict(self.proxies).get(name)
        if found is None:
            raise PageRefused(f"there is no proxy {name!r} any more; the setting proxies names them")
        return Proxy(name, found)

    def verifies(self, url: str) -> bool:
        """Says whether the certificate of a host must be valid."""
        return not any(fits(host, url) for host in self.unverified)


DIRECT = Ways()


def fits(host: str, url: str) -> bool:
    """Says whether an address is at a host. The host may have a port, and may begin with `*.`."""
    parts = urlsplit(url)
    name, _, port = host.rpartition(":") if host.rpartition(":")[2].isdigit() else (host, "", "")
    there = (parts.hostname or "").lower()
    if port and int(port) != (parts.port or {"http": 80, "https": 443}.get(parts.scheme)):
        return False
    name = name.lower().strip("[]")
    return there.endswith(name[1:]) if name.startswith("*.") else there == name


async def judge(host: str, allowed: Iterable[Network], lookup: Lookup) -> None:
    """Raises ForbiddenAddress if a host has an address that may not be visited, OSError if it has none."""
    for address in [host] if is_address(host) else await lookup(host):
        if not may_visit(address, tuple(allowed)):
            raise ForbiddenAddress(address)


def connector_for(proxy: Proxy, **options: Any) -> Any:
    """Returns a connector of aiohttp that goes through a SOCKS proxy. Raises PageRefused if the library for
    it is missing."""
    try:
        from aiohttp_socks import ProxyConnector, ProxyType
    except ModuleNotFoundError as error:
        raise PageRefused("SOCKS proxies need a library; pip install aiohttp-socks") from error
    host, port = proxy.place
    kind = ProxyType.SOCKS4 if proxy.scheme.startswith("socks4") else ProxyType.SOCKS5
    user, password = proxy.credentials
    return ProxyConnector(
        host=host,
        port=port,
        proxy_type=kind,
        username=user or None,
        password=password or None,
        rdns=True,
        **options,
    )


async def tunnel(proxy: Proxy, host: str, port: int, tls: ssl.SSLContext) -> Way:
    """Returns a connection to a host through a proxy. Raises ProxyTrouble."""
    if proxy.scheme in SOCKS:
        return await _by_socks(proxy, host, port)
    reader, writer = await to_proxy(proxy, tls)
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    asked = [f"CONNECT {place} HTTP/1.1", f"Host: {place}"]
    asked += [f"Proxy-Authorization: {proxy.authorization}"] if proxy.authorization else []
    writer.write("\r\n".join([*asked, "", ""]).encode("latin-1"))
    try:
        answer = await reader.readuntil(b"\r\n\r\n")
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        writer.close()
        raise ProxyTrouble(f"{proxy} gave no answer") from error
    status = answer.split(b" ", 2)[1:2]
    if status != [b"200"]:
        writer.close()
        raise ProxyTrouble(refusal_of(proxy, int(status[0]) if status and status[0].isdigit() else 0))
    return reader, writer


async def to_proxy(proxy: Proxy, tls: ssl.SSLContext) -> Way:
    """Returns a connection to an HTTP proxy itself."""
    host, port = proxy.place
    try:
        return await asyncio.open_connection(
            host, port, limit=_HEAD, ssl=tls if proxy.scheme == "https" else None
        )
    except (OSError, ssl.SSLError) as error:
        raise ProxyTrouble(f"{proxy} cannot be reached") from error


async def _by_socks(proxy: Proxy, host: str, port: int) -> Way:
    try:
        from python_socks import ProxyError, ProxyType
        from python_socks.async_.asyncio import Proxy as Socks
    except ModuleNotFoundError as error:
        raise PageRefused("SOCKS proxies need a library; pip install aiohttp-socks") from error
    at, on = proxy.place
    kind = ProxyType.SOCKS4 if proxy.scheme.startswith("socks4") else ProxyType.SOCKS5
    user, password = proxy.credentials
    way = Socks(kind, at, on, username=user or None, password=password or None, rdns=True)
    try:
        connected = await way.connect(dest_host=host, dest_port=port)
    except (ProxyError, OSError, EOFError) as error:
        raise ProxyTrouble(in_words(proxy, error)) from error
    return await asyncio.open_connection(sock=connected, limit=_HEAD)


def in_words(proxy: Proxy, error: BaseException) -> str:
    """Returns what went wrong at a proxy, without its address."""
    if isinstance(error, TimeoutError) or "Timeout" in type(error).__name__:
        return f"{proxy} does not answer"
    if isinstance(error, OSError) or "Connection" in type(error).__name__:
        return f"{proxy} cannot be reached"
    if isinstance(error, EOFError):
        return f"{proxy} closed the connection; is its user name or password another one?"
    return f"{proxy} does not lead there ({error})"


def refusal_of(proxy: Proxy, status: int) -> str:
    if status == 407:
        return f"{proxy} wants another user name or password (407)"
    return f"{proxy} does not lead there ({status or 'no answer of a proxy'})"
