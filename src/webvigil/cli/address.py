"""A server's address and a token from the command line in, a pair that may be used together out.

A token opens everything that belongs to its owner. It is therefore sent only through TLS or to this machine;
through plain HTTP to another machine only if the user asks for it. This is decided before any byte is sent.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from webvigil.errors import SettingRefused

MAKE_ONE = "'webvigil token add NAME --scope write' makes one where the server runs"


@dataclass(frozen=True, slots=True)
class Server:
    """A server that commands may ask. `address` has no slash at its end; `local` tells that it is on this
    machine."""

    address: str
    local: bool
    token: str = field(repr=False)


def server(address: str, token: str | None, *, plain_http: bool = False) -> Server:
    """Returns the server with its token. Raises SettingRefused if the text is no address, or if the token
    would go through plain HTTP to another machine without `plain_http`."""
    parts, local = _checked(address, plain_http)
    return Server(_plain(parts), local, _token(token))


def checked_address(address: str, *, plain_http: bool = False) -> str:
    """Returns the address of a server to which others send their tokens. Raises SettingRefused as `server`
    does."""
    return _plain(_checked(address, plain_http)[0])


def _checked(address: str, plain_http: bool) -> tuple[SplitResult, bool]:
    """Returns the parts of an address that tokens may be sent to, and whether it is on this machine."""
    parts = _parts(address.strip())
    local = _is_loopback(parts.hostname or "")
    if parts.scheme == "http" and not local and not plain_http:
        raise SettingRefused(
            f"{address} is plain http: everybody on the way could read the token; "
            f"use https, or say --plain-http if the way is safe"
        )
    return parts, local


def _plain(parts: SplitResult) -> str:
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def _parts(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise SettingRefused(f"{address!r} is no address of a server: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise SettingRefused(f"{address!r} is no address of a server; one is https://vigil.example")
    if parts.username is not None or parts.query or parts.fragment:
        raise SettingRefused("the address of a server has no user, password, ? or #; the token is enough")
    if not address.isascii() or not address.isprintable() or " " in address or "%" in parts.netloc:
        raise SettingRefused(f"{address!r} has letters that an address must not have")
    return parts


def _token(token: str | None) -> str:
    """Returns the token, or raises SettingRefused. The message never contains the token."""
    found = (token or "").strip()
    if not found:
        raise SettingRefused(f"a server wants a token: set WEBVIGIL_TOKEN, or say --token; {MAKE_ONE}")
    if not found.isascii() or not found.isprintable() or " " in found:
        raise SettingRefused(f"the token has letters that no token has; {MAKE_ONE}")
    return found


def _is_loopback(host: str) -> bool:
    """Tells whether a host is surely this machine. A host name other than localhost does not count, because
    somebody else may answer for it."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
