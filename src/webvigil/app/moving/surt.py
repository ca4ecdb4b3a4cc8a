"""An address in, the key under which indexes of web archives file it out.

The key writes the host backwards, so that the pages of a site stand together: `org,example)/path?query`.
Differences that seldom matter are levelled: the scheme, `www.`, case, the order of the query.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_DEFAULT_PORTS = {"http": 80, "https": 443}


def surt(url: str) -> str:
    """Returns the key. What is no address of a web page, such as `urn:view:…`, is its own key."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return url.lower()
    if parts.scheme.lower() not in _DEFAULT_PORTS or not host:
        return url.lower()
    named = re.sub(r"^www\d*\.", "", host.lower())
    place = named if ":" in named else ",".join(reversed(named.split(".")))
    shown = "" if port in (None, _DEFAULT_PORTS[parts.scheme.lower()]) else f":{port}"
    path = re.sub(r"/+", "/", parts.path or "/").lower()
    path = path.rstrip("/") or "/"
    query = "&".join(sorted(parts.query.lower().split("&"))) if parts.query else ""
    return f"{place}{shown}){path}{f'?{query}' if query else ''}"
