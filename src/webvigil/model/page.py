"""A page: one thing on the web that can be fetched again. Users who watch the same thing share one page."""

from __future__ import annotations

import ipaddress
import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal
from urllib.parse import SplitResult, urlsplit, urlunsplit

from webvigil.model.approach import PLAIN, Approach, approach_as_json

Render = Literal["http", "browser", "status"]

_DEFAULT_PORTS = {"http": 80, "https": 443}
# The most characters of a wrong address that an error message shows.
_SHOWN = 200
# Characters of a host name, as the domain name system bounds them.
_LONGEST_HOST = 253
_BLANK = re.compile(r"[\s\x00-\x1f]")


Sending = Literal["GET", "POST", "MULTIPART", "FILL"]
"""How the fields of a form are sent: in the address, in a body, in a body of several parts
(`enctype="multipart/form-data"`), or by a browser that opens the page, fills in the form and presses its
button."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The identity of a page: what is requested, and how.

    `login` names the log-in that the page is fetched with. A page seen by a logged-in user differs from the
    public page and is never shared with other users. With `render` "status" it is the state of the page that
    is watched, not what it shows. `approach` says what is done before the page is read.
    """

    url: str
    method: Sending = "GET"
    fields: tuple[tuple[str, str], ...] = ()
    render: Render = "http"
    login: str = ""
    approach: Approach = PLAIN

    @property
    def key(self) -> str:
        """Returns a hash of the request: equal for equal requests, short enough for an index, long enough
        never to collide."""
        # Without a log-in and an approach of its own the list has four parts, as it had before these existed,
        # so that stored keys stay valid.
        parts: list[Any] = [self.url, self.method, self.fields, self.render]
        if self.login:
            parts.append(self.login)
        if self.approach != PLAIN:
            parts.append(approach_as_json(self.approach))
        identity = json.dumps(parts, separators=(",", ":"))
        import hashlib

        return hashlib.blake2b(identity.encode(), digest_size=20).hexdigest()

    @property
    def addresses(self) -> tuple[str, ...]:
        """Returns the address of the page and those that its steps open."""
        return (self.url, *(one.text for one in self.approach.steps if one.do == "open"))

    @property
    def host(self) -> str:
        """Returns the host name and port of the address. Politeness, such as delays between requests, is owed
        per host."""
        return place_of(self.url)[1]


# An address whose host is a plain name or number, maybe with a port; nearly all are like that.
_PLAIN_PLACE = re.compile(r"(https?)://([a-z0-9.:-]+)(?=[/?#]|\Z)")


def place_of(url: str) -> tuple[str, str]:
    """Returns the scheme of an address, and its host name with the port, without user and password."""
    if found := _PLAIN_PLACE.match(url):
        return found[1], found[2]
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.rpartition("@")[2]


def with_scheme(word: str) -> str:
    """Completes an address as people write it: an address without a scheme gets https.

    `example.org:8080` has no scheme, `mailto:jill` has one. Raises ValueError for a bare word such as
    `intranet`, which could be anything; such a host must be written with its scheme.
    """
    # A colon with digits behind it begins a port and does not end a scheme.
    if re.match(r"[a-z][a-z0-9+.-]*:(?!\d+([/?#]|$))", word, re.IGNORECASE):
        return word
    host = re.split(r"[/?#]", word, maxsplit=1)[0]
    if not re.search(r"[.:]", host) and host.lower() != "localhost":
        raise ValueError(f"{_shown(word)} is not a web address: write it with http:// or https://")
    return f"https://{word}"


# A sentinel is verified, planned and installed with the same few addresses.
@lru_cache(maxsize=1024)
def normal_url(url: str) -> str:
    """Returns the single normal spelling of an address: host in lower case, no default port, no fragment, a
    path.

    Raises ValueError if the text is not the address of a web page.
    """
    text = url.strip()
    if _BLANK.search(text):
        raise ValueError(f"{_shown(url)} is not a web address: it contains a space or a control character")
    if "\\" in text.partition("?")[0]:
        # Programs disagree on which host `http://a\@b/` names: one could check host a and another one fetch
        # from b.
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
    """Returns the single normal spelling of a host; a host written as numbers becomes a dotted IPv4
    address."""
    try:
        if ":" in host:
            return f"[{_ipv6(host)}]"
        # Python's IDNA encoder takes time proportional to the square of the length, so longer names are
        # refused first. DNS names have at most 253 characters.
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
    """Returns the normal spelling of an IPv6 address. A mapped IPv4 address is written in hexadecimal,
    because Python versions differ in how they write it."""
    if "%" in host:
        raise ValueError("a scope is known to one machine alone")
    address = ipaddress.IPv6Address(host)
    inner = address.ipv4_mapped
    return f"::ffff:{int(inner) >> 16:x}:{int(inner) & 0xFFFF:x}" if inner else str(address)


def _ends_in_a_number(name: str) -> bool:
    last = name.removesuffix(".").rpartition(".")[2]
    return last.isdigit() or bool(re.fullmatch("0x[0-9a-f]*", last))


def _ipv4(name: str) -> str:
    """Reads an IPv4 address as browsers do: `127.1`, `0x7f.1`, `017700000001` and `2130706433` are all
    127.0.0.1."""
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
