"""Which network addresses may be visited. Judged when the connection is made, so that neither a name that
changes its address nor a redirect leads into the private network (F5)."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# A translator (NAT64) turns these into IPv4; the second is for an operator's own network (RFC 8215).
_TRANSLATION = ipaddress.ip_network("64:ff9b::/96")
_LOCAL_TRANSLATION = ipaddress.ip_network("64:ff9b:1::/48")
# These carry an IPv4 address in their last four bytes: of a translator, "compatible", mapped, translated.
_CARRYING = (
    _TRANSLATION,
    ipaddress.ip_network("::/96"),
    ipaddress.ip_network("::ffff:0:0/96"),
    ipaddress.ip_network("::ffff:0:0:0/96"),
)
# Private networks of an older day, which some routers still pass on.
_LOOPBACK = ipaddress.IPv6Address("::1")
_SITE_LOCAL = ipaddress.ip_network("fec0::/10")
_NEVER_PUBLIC = (_LOCAL_TRANSLATION, _SITE_LOCAL)


def may_visit(address: str, allowed: Iterable[Network]) -> bool:
    """Public addresses always; others only where the operator allowed their network."""
    parsed = _plain(ipaddress.ip_address(address.partition("%")[0]))
    if any(parsed.version == network.version and parsed in network for network in allowed):
        return True
    if parsed.version == 6 and any(parsed in network for network in _NEVER_PUBLIC):
        return False
    return parsed.is_global and not parsed.is_multicast


def is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def _plain(address: Address) -> Address:
    """The IPv4 address behind an IPv6 one that only carries it."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address == _LOOPBACK:
        return address
    if any(address in network for network in _CARRYING):
        return ipaddress.IPv4Address(address.packed[-4:])
    return address.sixtofour or (address.teredo or (None, None))[1] or address
