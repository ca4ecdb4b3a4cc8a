"""A page: one thing on the web that can be fetched again. Two users watching the same thing share it."""

from __future__ import annotations

import hashlib
import ipaddress
import json
import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import SplitResult, urlsplit, urlunsplit

_DEFAULT_PORTS = {"http": 80, "https": 443}
_SHOWN = 200
_LONGEST_HOST = 253


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What is requested and how: the identity of a page.

    `login` names the log-in it is fetched with: what is shown to one who is known is another page than
    what everybody sees, and is never shared.
    """

    url: str
    method: Literal["GET", "POST"] = "GET"
    fields: tuple[tuple[str, str], ...] = ()
    render: Literal["http", "browser"] = "http"
    login: str = ""

    @property
    def key(self) -> str:
        """Equal for equal requests; short enough for an index, long enough never to collide."""
        parts = [self.url, self.method, self.fields, self.render, *([self.login] if self.login else [])]
        identity = json.dumps(parts, separators=(",", ":"))
        return hashlib.blake2b(identity.encode(), digest_size=20).hexdigest()

    @property
    def host(self) -> str:
        """Whom we must be polite to: host name and port as written in the normal form."""
        return urlsplit(self.url).netloc.rpartition("@")[2]


def with_scheme(word: str) -> str:
    """An address as people write it: without a scheme it is meant with https.

    `example.org:8080` begins with none, `mailto:jill` does. Raises ValueError for a bare word, which could be
    anything; a host of that name is written with its scheme.
    """
    if re.match(r"[a-z][a-z0-9+.-]*:(?!\d+([/?#]|$))", word, re.IGNORECASE):
        return word
    host = re.split(r"[/?#]", word, maxsplit=1)[0]
    if not re.search(r"[.:]", host) and host.lower() != "localhost":
        raise ValueError(f"{_shown(word)} is not a web address: write it with http:// or https://")
    return f"https://{word}"


def normal_url(url: str) -> str:
    """The one spelling of an address: host in lower case, no default port, no fragment, a path.

    Raises ValueError where the text is no address of a web page at all.
    """
    text = url.strip()
    if any(character.isspace() or ord(character) < 32 for character in text):
        raise ValueError(f"{_shown(url)} is not a web address: it contains a space or a control character")
    if "\\" in text.partition("?")[0]:
        # Programs disagree on which host `http://a\@b/` names.
        raise ValueError(f"{_shown(url)} is not a web address: it contains a backslash")
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise ValueError(f"{_shown(url)} is not a web address: {error}") from error
    if parts.scheme.lower() not in _DEFAULT_PORTS:
        raise ValueError(f"{_shown(url)} is not a web address: it must start with http:// or https://")
    if not parts.hostname:
        raise ValueError(f"{_shown(url)} is not a web address: it names no host")
    return urlunsplit((parts.scheme.lower(), _authority(url, parts), parts.path or "/", parts.query, ""))


def _shown(url: str) -> str:
    return repr(url if len(url) <= _SHOWN else f"{url[:_SHOWN]}…")


def _authority(url: str, parts: SplitResult) -> str:
    try:
        port = parts.port
    except ValueError as error:
        raise ValueError(f"{_shown(url)} is not a web address: its port is no number up to 65535") from error
    host = _host(url, parts.hostname or "")
    shown_port = "" if port in (None, _DEFAULT_PORTS[parts.scheme.lower()]) else f":{port}"
    user = parts.netloc.rpartition("@")[0]
    return (f"{user}@" if user else "") + host + shown_port


def _host(url: str, host: str) -> str:
    """One spelling for one host: numbers that mean an address are written as that address."""
    try:
        if ":" in host:
            return f"[{_ipv6(host)}]"
        # Encoding a name takes time by the square of its length, and none is longer than this.
        if len(host) > _LONGEST_HOST:
            raise UnicodeError
        name = host.lower() if host.isascii() else host.encode("idna").decode("ascii").lower()
        if len(name) > _LONGEST_HOST or any(len(label) > 63 for label in name.split(".")):
            raise UnicodeError
        return _ipv4(name) if _ends_in_a_number(name) else name
    except UnicodeError as error:
        raise ValueError(f"{_shown(url)} is not a web address: its host name is none") from error
    except ValueError as error:
        raise ValueError(f"{_shown(url)} is not a web address: {host!r} is no host") from error


def _ipv6(host: str) -> str:
    """An IPv4 address inside is written in hexadecimal, whichever way this Python prefers."""
    if "%" in host:
        raise ValueError("a scope is known to one machine alone")
    address = ipaddress.IPv6Address(host)
    inner = address.ipv4_mapped
    return f"::ffff:{int(inner) >> 16:x}:{int(inner) & 0xFFFF:x}" if inner else str(address)


def _ends_in_a_number(name: str) -> bool:
    last = name.removesuffix(".").rpartition(".")[2]
    return last.isdigit() or bool(re.fullmatch("0x[0-9a-f]*", last))


def _ipv4(name: str) -> str:
    """`127.1`, `0x7f.1`, `017700000001` and `2130706433` are all 127.0.0.1, as every browser reads them."""
    numbers = [_number(part) for part in name.removesuffix(".").split(".")]
    if len(numbers) > 4 or any(number > 255 for number in numbers[:-1]):
        raise ValueError("no address")
    high = sum(number << 8 * (3 - place) for place, number in enumerate(numbers[:-1]))
    if numbers[-1] >= 1 << 8 * (5 - len(numbers)):
        raise ValueError("no address")
    return str(ipaddress.IPv4Address(high + numbers[-1]))


def _number(text: str) -> int:
    if text.startswith("0x"):
        return int(text[2:] or "0", 16)
    return int(text, 8) if len(text) > 1 and text.startswith("0") else int(text)
