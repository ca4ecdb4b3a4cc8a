"""A page in, the absolute addresses of its pictures (C3) and its backgrounds (T2) out.

Pictures are those of `img`, `srcset` and `picture`. Backgrounds are the pictures and colours that the page
names itself; scores count them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from webvigil.document.links import absolute
from webvigil.document.markup import names

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


_DECLARATION = re.compile(r"(?:^|;)\s*background(-color|-image)?\s*:\s*([^;]*)", re.IGNORECASE)
_URL = re.compile(r"""url\(\s*["']?([^"')]*)["']?\s*\)""", re.IGNORECASE)
_COLOR = re.compile(r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\([^)]*\)|\b[a-z]+\b", re.IGNORECASE)
# Words in the CSS property `background` that are no colours.
_NOT_COLORS = names(
    "repeat no-repeat repeat-x repeat-y fixed scroll local left right top bottom center cover contain none "
    "inherit initial unset auto border-box padding-box content-box important x y no space round box"
)


@dataclass(frozen=True, slots=True)
class Background:
    """A background picture (absolute address) or colour (as written, in lower case)."""

    image: str
    color: str
    node: int


def backgrounds(digest: PageDigest) -> tuple[Background, ...]:
    """Returns the backgrounds in `background` and `bgcolor` attributes and in inline styles, in document
    order."""
    if not digest.is_html:
        return ()
    rows = digest.rows_of("background", "bgcolor", "style")
    # Each distinct value is read once, because the same style often stands at many elements.
    named = list(
        zip(digest.attribute_name[rows].tolist(), digest.attribute_value[rows].tolist(), strict=True)
    )
    known = {one: _background(digest, *one) for one in dict.fromkeys(named)}
    found = zip(digest.attribute_node[rows].tolist(), map(known.__getitem__, named), strict=True)
    return tuple([Background(*both, node) for node, both in found if any(both)])


def _background(digest: PageDigest, name: int, value: int) -> tuple[str, str]:
    """Returns the picture and the colour that an attribute names, each "" for none."""
    attribute, written = digest.attribute_names[name], digest.attribute_values[value]
    image, color = _from_style(written) if attribute == "style" else _from_attribute(attribute, written)
    return picture_url(digest.url, image) if image else "", color


def _from_attribute(name: str, value: str) -> tuple[str, str]:
    return (value, "") if name == "background" else ("", value.strip().lower())


def _from_style(style: str) -> tuple[str, str]:
    if "background" not in style.lower():
        return "", ""
    image = color = ""
    for part, value in _DECLARATION.findall(style):
        address = _URL.search(value)
        if address and part.lower() != "-color":
            image = address.group(1)
        if part.lower() != "-image":
            color = _color(_URL.sub(" ", value)) or color
    return image, color


def _color(value: str) -> str:
    names = (match.lower() for match in _COLOR.findall(value))
    return next((name for name in names if name not in _NOT_COLORS), "")
