"""A host name in, its addresses out.

Names are looked up in threads of their own, so that a slow name server delays nothing else.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from aiohttp.abc import AbstractResolver, ResolveResult

Lookup = Callable[[str], list[str]]
"""Returns all addresses of a name, the best first. Raises OSError if there is none."""

# Name lookups block a thread each; so many slow name servers may be waited for at a time.
_AT_A_TIME = 64


def system_lookup(name: str) -> list[str]:
    found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class Names(AbstractResolver):
    """Resolves names for aiohttp and for the gate."""

    def __init__(self, lookup: Lookup = system_lookup) -> None:
        self._lookup = lookup
        self._threads = ThreadPoolExecutor(_AT_A_TIME, thread_name_prefix="names")

    async def addresses(self, name: str) -> list[str]:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._lookup, name)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        found = await self.addresses(host)
        if not found:
            raise OSError(f"{host} has no address")
        return [_result(host, address, port) for address in found]

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _result(name: str, address: str, port: int) -> ResolveResult:
    return ResolveResult(
        hostname=name,
        host=address,
        port=port,
        family=socket.AF_INET6 if ":" in address else socket.AF_INET,
        proto=0,
        flags=socket.AI_NUMERICHOST,
    )
