"""A page: one thing on the web that can be fetched again. Two users watching the same thing share it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Literal
from urllib.parse import SplitResult, urlsplit, urlunsplit

_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What is requested and how: the identity of a page."""

    url: str
    method: Literal["GET", "POST"] = "GET"
    fields: tuple[tuple[str, str], ...] = ()
    render: Literal["http", "browser"] = "http"

    @property
    def key(self) -> str:
        """Equal for equal requests; short enough for an index, long enough never to collide."""
        identity = json.dumps([self.url, self.method, self.fields, self.render], separators=(",", ":"))
        return hashlib.blake2b(identity.encode(), digest_size=20).hexdigest()

    @property
    def host(self) -> str:
        """Whom we must be polite to: host name and port as written in the normal form."""
        return urlsplit(self.url).netloc.rpartition("@")[2]


def normal_url(url: str) -> str:
    """The one spelling of an address: host in lower case, no default port, no fragment, a path.

    Raises ValueError where the text is no address of a web page at all.
    """
    text = url.strip()
    if any(character.isspace() or ord(character) < 32 for character in text):
        raise ValueError(f"{url!r} is not a web address: it contains a space or a control character")
    parts = urlsplit(text)
    if parts.scheme.lower() not in _DEFAULT_PORTS:
        raise ValueError(f"{url!r} is not a web address: it must start with http:// or https://")
    if not parts.hostname:
        raise ValueError(f"{url!r} is not a web address: it names no host")
    return urlunsplit((parts.scheme.lower(), _authority(url, parts), parts.path or "/", parts.query, ""))


def _authority(url: str, parts: SplitResult) -> str:
    try:
        port = parts.port
    except ValueError as error:
        raise ValueError(f"{url!r} is not a web address: {error}") from error
    host = _host(url, parts.hostname or "")
    shown_port = "" if port in (None, _DEFAULT_PORTS[parts.scheme.lower()]) else f":{port}"
    user = parts.netloc.rpartition("@")[0]
    return (f"{user}@" if user else "") + host + shown_port


def _host(url: str, host: str) -> str:
    if ":" in host:
        return f"[{host.lower()}]"
    if host.isascii():
        return host.lower()
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError as error:
        raise ValueError(f"{url!r} is not a web address: its host name cannot be encoded") from error
