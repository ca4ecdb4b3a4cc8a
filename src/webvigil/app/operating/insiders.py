"""Who may read how this installation fares: the metrics, and which version it is."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

from webvigil.app.people.sign_in import api_token
from webvigil.app.settings import Network
from webvigil.store.promises import Knowledge

# With one of these a proxy stands between us and the one who asks.
FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")


def is_inside(address: str, networks: Sequence[Network], *, forwarded: bool = False) -> bool:
    """This machine itself, and the networks that the operator allows. A request that a proxy on this machine
    passed on did not begin here."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(known, ipaddress.IPv6Address) and known.ipv4_mapped:
        known = known.ipv4_mapped
    if known.is_loopback and not forwarded:
        return True
    return any(known in network for network in networks if network.version == known.version)


def has_token(knowledge: Knowledge, authorization: str) -> bool:
    kind, _, secret = authorization.partition(" ")
    return kind.lower() == "bearer" and api_token(knowledge, secret.strip()) is not None
