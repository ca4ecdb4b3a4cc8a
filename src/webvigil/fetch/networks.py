"""A network address in, yes or no out: decides which addresses may be visited (F5).

The address is judged when the connection is made, so that neither a host name that changes its address nor a
redirect leads into the private network.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# A NAT64 translator turns addresses of these networks into IPv4 addresses. The second network is for an
# operator's own translator (RFC 8215).
_TRANSLATION = ipaddress.ip_network("64:ff9b::/96")
_LOCAL_TRANSLATION = ipaddress.ip_network("64:ff9b:1::/48")
# IPv6 addresses of these networks carry an IPv4 address in their last four bytes: NAT64, "IPv4-compatible",
# "IPv4-mapped" and "IPv4-translated" addresses.
_CARRYING = (
    _TRANSLATION,
    ipaddress.ip_network("::/96"),
    ipaddress.ip_network("::ffff:0:0/96"),
    ipaddress.ip_network("::ffff:0:0:0/96"),
)
# Site-local addresses are an obsolete kind of private network (RFC 3879), which some routers still pass on.
_LOOPBACK = ipaddress.IPv6Address("::1")
_SITE_LOCAL = ipaddress.ip_network("fec0::/10")
_NEVER_PUBLIC = (_LOCAL_TRANSLATION, _SITE_LOCAL)


def may_visit(address: str, allowed: Iterable[Network]) -> bool:
    """Returns True for a public address, and for other addresses if the operator allowed their network."""
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
    """Returns the IPv4 address that an IPv6 address carries, or else the address itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address == _LOOPBACK:
        return address
    if any(address in network for network in _CARRYING):
        return ipaddress.IPv4Address(address.packed[-4:])
    return address.sixtofour or (address.teredo or (None, None))[1] or address
