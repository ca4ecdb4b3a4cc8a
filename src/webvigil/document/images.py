"""The pictures of a page (C3): img src, srcset, picture sources, as absolute addresses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webvigil.document.links import absolute

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

_SPACE = " \t\n\r\f"


@dataclass(frozen=True, slots=True)
class Image:
    """One address of a picture and the element that carries it (`img`, `source`, `image`, `input`)."""

    url: str
    node: int


def images(digest: PageDigest) -> tuple[Image, ...]:
    if not digest.is_html:
        return ()
    carriers = digest.is_tag(("img", "source", "input", "image", "video"))
    found: list[Image] = []
    for row in digest.rows_of("src", "srcset", "href", "xlink:href", "poster").tolist():
        node = int(digest.attribute_node[row])
        if carriers[node]:
            name = digest.attribute_names[digest.attribute_name[row]]
            value = digest.attribute_values[digest.attribute_value[row]]
            found += [Image(url, node) for url in _addresses(digest, node, name, value)]
    return tuple(found)


def _addresses(digest: PageDigest, node: int, name: str, value: str) -> list[str]:
    """The same picture in src and srcset of one element counts once per attribute, as written."""
    if not _shows_picture(digest, node, name):
        return []
    candidates = srcset(value) if name == "srcset" else [value]
    urls = (picture_url(digest.url, one) for one in candidates)
    return [url for url in urls if url]


def _shows_picture(digest: PageDigest, node: int, name: str) -> bool:
    match digest.tag(node):
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
    """A picture may also be written into the page itself (`data:`)."""
    address = address.strip(_SPACE)
    if address[:5].lower() == "data:":
        return address
    return absolute(origin, address) if address else ""


def srcset(value: str) -> list[str]:
    """The addresses of a srcset: each ends at white space, or at a comma that ends it; then its size."""
    found, rest = [], value
    while rest := rest.lstrip(_SPACE + ","):
        parts = rest.split(None, 1)
        url, rest = parts[0], parts[1] if len(parts) > 1 else ""
        if url.endswith(","):
            found.append(url.rstrip(","))
        else:
            found.append(url)
            rest = _after_descriptor(rest)
    return found


def _after_descriptor(rest: str) -> str:
    """What follows the size of a candidate; a comma in parentheses does not end it."""
    depth = 0
    for place, character in enumerate(rest):
        depth += (character == "(") - (character == ")")
        if character == "," and depth <= 0:
            return rest[place + 1 :]
    return ""
