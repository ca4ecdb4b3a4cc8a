"""A host in, whether its pages are public and may be shared with peers out.

Only hosts with public addresses are. `http://intranet/` and `http://192.168.0.1/` name another page in every
network, and their contents must not leave ours.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from webvigil.fetch.names import Lookup, Names, system_lookup
from webvigil.fetch.networks import Network, is_address, may_visit
from webvigil.model.version import Answer

# Seconds for which a verdict is remembered.
_LASTS = 600.0
# Hosts whose verdicts are remembered. Beyond that all are forgotten, and their names are looked up again.
_MOST = 100_000


class OpenHosts:
    """Judges hosts. `also` are private networks whose pages are shared all the same."""

    def __init__(self, also: Iterable[Network] = (), lookup: Lookup = system_lookup) -> None:
        self._also = tuple(also)
        self._lookup = lookup
        self._names = Names(lookup)
        self._known: dict[str, tuple[bool, float]] = {}

    async def is_open(self, host: str) -> bool:
        """Tells whether all addresses of a host are public. A name that cannot be resolved counts as not
        public."""
        known = self._remembered(host)
        if known is not None:
            return known
        name = _name(host)
        try:
            return self._judged(host, [name] if is_address(name) else await self._names.addresses(name))
        except (OSError, UnicodeError):
            return self._judged(host, [])

    def are_open(self, urls: Iterable[str]) -> bool:
        """Tells whether all addresses are public. This blocks, and is meant for worker threads."""
        return all(self._is_open_now(_host(url)) for url in set(urls))

    def lead_inside(self, urls: Iterable[str]) -> bool:
        """Tells whether any of the addresses is in a private network. A name that cannot be resolved now does
        not count."""
        found = (one for url in set(urls) for one in self._addresses(_name(_host(url))))
        return not all(may_visit(one, self._also) for one in found)

    async def close(self) -> None:
        await self._names.close()

    def _is_open_now(self, host: str) -> bool:
        known = self._remembered(host)
        return self._judged(host, self._addresses(_name(host))) if known is None else known

    def _addresses(self, name: str) -> list[str]:
        try:
            return [name] if is_address(name) else self._lookup(name)
        except (OSError, UnicodeError):
            return []

    def _remembered(self, host: str) -> bool | None:
        known = self._known.get(host)
        return known[0] if known and known[1] > time.monotonic() else None

    def _judged(self, host: str, addresses: list[str]) -> bool:
        if len(self._known) >= _MOST:
            self._known.clear()
        found = bool(addresses) and all(may_visit(one, self._also) for one in addresses)
        self._known[host] = found, time.monotonic() + _LASTS
        return found


def places_of(answer: Answer) -> Iterator[str]:
    """Yields the addresses that the content of an answer came from, after all redirects, including its
    frames.

    Empty answers are skipped: they show nothing, mostly because their address could not be visited.
    """
    left = [answer]
    while left:
        one = left.pop()
        if one.body:
            yield one.url
        left += [frame.answer for frame in one.frames]


def _host(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2]


def _name(host: str) -> str:
    """Returns the host without the port, and without the brackets around an IPv6 address."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]
