"""Middleware behind a reverse proxy: takes the reader's address and scheme from its headers.

Anybody can write these headers, so they count only in requests from one of `trusted_proxies`. Of the
addresses in X-Forwarded-For the last one counts that is not a trusted proxy: the reader may have invented
those before it.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from webvigil.app.settings import Network

_PEER = "webvigil.peer"


class Forwarded:
    def __init__(self, application: ASGIApp, trusted: Sequence[Network]) -> None:
        self._application = application
        self._trusted = trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            peer, port = scope.get("client") or ("", 0)
            scope[_PEER] = peer
            if self._trusted and is_among(peer, self._trusted):
                headers = Headers(scope=scope)
                scope["client"] = (_reader(headers, self._trusted) or peer, port)
                scope["scheme"] = _scheme(headers) or scope["scheme"]
        await self._application(scope, receive, send)


def peer_of(request: HTTPConnection) -> str:
    """Returns the address of the machine at the other end of the connection: the reader's, or the proxy's."""
    return str(request.scope.get(_PEER, ""))


def is_among(address: str, networks: Sequence[Network]) -> bool:
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(known in network for network in networks if network.version == known.version)


def _reader(headers: Headers, trusted: Sequence[Network]) -> str:
    said = [one.strip() for line in headers.getlist("x-forwarded-for") for one in line.split(",")]
    return next((one for one in reversed(said) if one and not is_among(one, trusted)), "")[:100]


def _scheme(headers: Headers) -> str:
    said = headers.get("x-forwarded-proto", "").rpartition(",")[2].strip().lower()
    return said if said in ("http", "https") else ""
