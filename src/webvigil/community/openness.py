"""Which hosts are the same for everybody: those with public addresses.

`http://intranet/` and `http://192.168.0.1/` name another page in every network, and are
nobody else's business.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from webvigil.fetch.addresses import Network, is_address, may_visit
from webvigil.fetch.names import Lookup, Names, system_lookup

_LASTS = 600.0
_MOST = 100_000


class OpenHosts:
    """`also` are private networks whose pages are shared all the same."""

    def __init__(self, also: Iterable[Network] = (), lookup: Lookup = system_lookup) -> None:
        self._also = tuple(also)
        self._names = Names(lookup)
        self._known: dict[str, tuple[bool, float]] = {}

    async def is_open(self, host: str) -> bool:
        """A name that cannot be found is nobody's."""
        known = self._known.get(host)
        if known and known[1] > time.monotonic():
            return known[0]
        if len(self._known) >= _MOST:
            self._known.clear()
        found = await self._judged(_name(host))
        self._known[host] = found, time.monotonic() + _LASTS
        return found

    async def close(self) -> None:
        await self._names.close()

    async def _judged(self, name: str) -> bool:
        try:
            addresses = [name] if is_address(name) else await self._names.addresses(name)
        except (OSError, UnicodeError):
            return False
        return bool(addresses) and all(may_visit(one, self._also) for one in addresses)


def _name(host: str) -> str:
    """Without the port, and without the brackets around an IPv6 address."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]
