"""The links of a page (C2): where it can lead, as absolute addresses.

`a` and `area` href, form actions (and those of their buttons), URLs in `value` attributes; in feeds
and other XML the `link` and `enclosure` of each entry and every href or src. Not `mailto:`, `javascript:`
and the like.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import numpy as np

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

_WEB = ("http://", "https://", "ftp://")
_SPACE = " \t\n\r\f"


@dataclass(frozen=True, slots=True)
class Link:
    """One link: the absolute address and the element that carries it."""

    url: str
    node: int


def base(digest: PageDigest) -> str:
    """`<base href>` against the address of the page; the first one counts."""
    digest = digest.whole
    if digest.is_html:
        for node in digest.nodes_of("base"):
            if (href := digest.attribute(int(node), "href")) is not None:
                return absolute(digest.source_url, href) or digest.source_url
    return digest.source_url


def links(digest: PageDigest) -> tuple[Link, ...]:
    if digest.is_html:
        found = _in_html(digest)
    elif digest.kind == "xml":
        found = _in_xml(digest)
    else:
        return ()
    origin = digest.url
    resolved = ((absolute(origin, value), node) for node, value in found)
    return tuple([Link(url, node) for url, node in resolved if url])


@lru_cache(maxsize=65536)
def absolute(origin: str, address: str) -> str:
    """The address as a browser would request it, "" where it leads nowhere on the web."""
    address = address.strip(_SPACE)
    if any(space in address for space in "\t\n\r"):
        address = address.translate({9: None, 10: None, 13: None})
    scheme = address.partition(":")[0].lower() if ":" in address else ""
    if scheme.isalpha() and scheme not in ("http", "https", "ftp") and "/" not in scheme:
        return ""
    try:
        return _lower_host(urljoin(origin, address))
    except ValueError:
        return ""


def _lower_host(url: str) -> str:
    """Scheme and host mean the same in either case."""
    scheme, slashes, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    if not slashes or (scheme + host).islower() or "@" in host or "?" in host or "#" in host:
        return url
    return f"{scheme.lower()}://{host.lower()}{slash}{path}"


def _in_html(digest: PageDigest) -> list[tuple[int, str]]:
    anchors = digest.is_tag(("a", "area"))
    forms = digest.is_tag(("form", "button", "input"))
    rows = digest.rows_of("href", "xlink:href", "action", "formaction", "value")
    nodes = digest.attribute_node[rows]
    names = digest.attribute_name[rows]
    index = digest.attribute_index
    hrefs = np.isin(names, [index.get("href", -1), index.get("xlink:href", -1)]) & anchors[nodes]
    actions = np.isin(names, [index.get("action", -1), index.get("formaction", -1)]) & forms[nodes]
    values = names == index.get("value", -1)
    table = digest.attribute_values
    kept = zip(
        nodes.tolist(),
        digest.attribute_value[rows].tolist(),
        (hrefs | actions).tolist(),
        values.tolist(),
        strict=True,
    )
    return [
        (node, table[value])
        for node, value, plain, maybe in kept
        if plain or (maybe and table[value].strip(_SPACE).lower().startswith(_WEB))
    ]


def _in_xml(digest: PageDigest) -> list[tuple[int, str]]:
    rows = digest.rows_of("href", "src", "url", "xlink:href")
    written = [
        (int(digest.attribute_node[row]), digest.attribute_values[digest.attribute_value[row]])
        for row in rows
    ]
    for node in digest.nodes_of("link", "guid", "comments").tolist():
        text = digest.text(node).strip(_SPACE)
        if text.lower().startswith(_WEB):
            written.append((node, text))
    return sorted(written, key=lambda one: one[0])
