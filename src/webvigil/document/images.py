"""A page in, the absolute addresses of its pictures out (C3): img src, srcset, picture sources."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from webvigil.document.links import absolute

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

# The elements that a reader sees as a picture.
ELEMENTS = ("img", "source", "image", "picture", "video")
_SPACE = " \t\n\r\f"
_CANDIDATE = re.compile(r"[ \t\n\r\f,]*([^ \t\n\r\f,][^ \t\n\r\f]*)")
# The size that follows an address in a srcset, up to the next comma that is not in parentheses.
_SIZE = re.compile(r"(?:[^,(]|\([^)]*(?:\)|\Z))*")


class Image(NamedTuple):
    """One address of a picture and the element that carries it (`img`, `source`, `image`, `input`)."""

    url: str
    node: int


def images(digest: PageDigest) -> tuple[Image, ...]:
    origin = digest.url
    found: list[Image] = []
    for node, name, value in digest.image_sources:
        if name == "srcset":
            found += [Image(url, node) for url in addresses(origin, name, value)]
        elif url := picture_url(origin, value):
            found.append(Image(url, node))
    return tuple(found)


def sources(digest: PageDigest) -> list[tuple[int, str, str]]:
    """Returns the attributes that name pictures as (element, name, value)."""
    if not digest.is_html:
        return []
    carriers = digest.is_tag(("img", "source", "input", "image", "video"))
    rows = digest.rows_of("src", "srcset", "href", "xlink:href", "poster")
    rows = rows[carriers[digest.attribute_node[rows]]]
    columns = (digest.attribute_node[rows], digest.attribute_name[rows], digest.attribute_value[rows])
    names, values = digest.attribute_names, digest.attribute_values
    tags = [digest.tag_names[tag] for tag in digest.tags[columns[0]].tolist()]
    return [
        (node, names[name], values[value])
        for tag, node, name, value in zip(tags, *(column.tolist() for column in columns), strict=True)
        if _shows_picture(digest, tag, node, names[name])
    ]


def addresses(origin: str, name: str, value: str) -> list[str]:
    """Returns the absolute addresses in one attribute: several for a srcset, otherwise at most one."""
    candidates = srcset(value) if name == "srcset" else [value]
    return [url for one in candidates if (url := picture_url(origin, one))]


def _shows_picture(digest: PageDigest, tag: str, node: int, name: str) -> bool:
    match tag:
        case "img":
            return name in ("src", "srcset")
        case "source":
            return name == "srcset" and digest.tag(int(digest.parents[node])) == "picture"
        case "image":
            return name in ("href", "xlink:href")
        case "input":
            return name == "src" and (digest.attribute(node, "type") or "").lower() == "image"
        case _:
            return name == "poster"


def picture_url(origin: str, address: str) -> str:
    """Returns the absolute address of a picture, or "" for none. The address of a picture that is written
    into the page itself (`data:`) stays as it is."""
    address = address.strip(_SPACE)
    if address[:5].lower() == "data:":
        return address
    return absolute(origin, address) if address else ""


def srcset(value: str) -> list[str]:
    """Returns the addresses of a srcset. Each ends at white space, after which its size may follow, or at a
    comma."""
    found, place = [], 0
    while match := _CANDIDATE.match(value, place):
        url, place = match.group(1), match.end()
        if url.endswith(","):
            found.append(url.rstrip(","))
        else:
            found.append(url)
            size = _SIZE.match(value, place)
            place = size.end() if size else place
    return found
