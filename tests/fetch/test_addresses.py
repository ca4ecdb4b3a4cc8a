"""Names become addresses, and addresses are judged, without a name server (F5)."""

from __future__ import annotations

import asyncio
import ipaddress
import socket

import pytest

from webvigil.fetch.names import Names
from webvigil.fetch.networks import is_address, may_visit


def resolved(*addresses: str) -> list[tuple[str, str, int, int, int]]:
    async def once() -> list[tuple[str, str, int, int, int]]:
        names = Names(lambda _: list(addresses))
        found = await names.resolve("a.test", 81)
        await names.close()
        return [(one["hostname"], one["host"], one["port"], one["family"], one["proto"]) for one in found]

    return asyncio.run(once())


def test_a_name_has_its_addresses_in_their_order():
    assert resolved("192.0.2.1", "2001:db8::1") == [
        ("a.test", "192.0.2.1", 81, socket.AF_INET, 0),
        ("a.test", "2001:db8::1", 81, socket.AF_INET6, 0),
    ]


def test_a_name_without_an_address_is_an_error():
    with pytest.raises(OSError, match=r"a\.test has no address"):
        resolved()


@pytest.mark.parametrize(
    ("host", "so"),
    [
        ("192.0.2.1", True),
        ("::1", True),
        ("fe80::1%eth0", True),
        ("a.test", False),
        ("1.2.3", False),
        ("", False),
    ],
)
def test_what_is_an_address(host: str, so: bool):
    assert is_address(host) is so


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("2002:5db8:d822::", True),  # 93.184.216.34 in 6to4
        ("2002:0a00:0001::", False),  # 10.0.0.1 in 6to4
        ("2001:0:4136:e378:8000:63bf:a247:27dd", True),  # 93.184.216.34 in Teredo
        ("2001:0:4136:e378:8000:63bf:f5ff:fffe", False),  # 10.0.0.1 in Teredo
        ("64:ff9b::a00:1", False),
        ("64:ff9b:1::5db8:d822", False),
        ("ff0e::1", False),
        ("fec0::1", False),
        ("239.1.2.3", False),
    ],
)
def test_the_address_within_an_address_is_judged(address: str, public: bool):
    assert may_visit(address, ()) is public


def test_an_allowed_network_is_one_of_its_own_kind():
    everything = ipaddress.ip_network("::/0")
    assert may_visit("fec0::1", (everything,))
    assert not may_visit("10.0.0.1", (everything,))
    assert may_visit("10.0.0.1", (everything, ipaddress.ip_network("10.0.0.0/8")))
    assert not may_visit("10.0.0.1", (ipaddress.ip_network("11.0.0.0/8"),))
