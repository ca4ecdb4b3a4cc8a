"""The address of a client in, whether that client may read the metrics and the version of this server out."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

from webvigil.app.people.sign_in import api_token
from webvigil.app.settings import Network
from webvigil.store.promises import Users

# A request with one of these headers was passed on by a proxy, so its address is that of the proxy.
FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")


def is_inside(address: str, networks: Sequence[Network], *, forwarded: bool = False) -> bool:
    """Tells whether an address is this machine or in a network that the operator allows. A request that a
    proxy on this machine passed on (`forwarded`) does not count as coming from this machine."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(known, ipaddress.IPv6Address) and known.ipv4_mapped:
        known = known.ipv4_mapped
    if known.is_loopback and not forwarded:
        return True
    return any(known in network for network in networks if network.version == known.version)


def has_token(users: Users, authorization: str) -> bool:
    kind, _, secret = authorization.partition(" ")
    return kind.lower() == "bearer" and api_token(users, secret.strip()) is not None
