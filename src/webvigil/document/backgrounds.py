"""Backgrounds: pictures and colours behind the text, where the page itself names them (for scores, T2)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webvigil.document.images import picture_url
from webvigil.document.markup import names

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

_DECLARATION = re.compile(r"(?:^|;)\s*background(-color|-image)?\s*:\s*([^;]*)", re.IGNORECASE)
_URL = re.compile(r"""url\(\s*["']?([^"')]*)["']?\s*\)""", re.IGNORECASE)
_COLOR = re.compile(r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\([^)]*\)|\b[a-z]+\b", re.IGNORECASE)
# Words of the `background` shorthand that are no colours.
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
    """From `background` and `bgcolor` attributes and inline styles, in document order."""
    if not digest.is_html:
        return ()
    found: list[Background] = []
    for row in digest.rows_of("background", "bgcolor", "style").tolist():
        node = int(digest.attribute_node[row])
        name = digest.attribute_names[digest.attribute_name[row]]
        value = digest.attribute_values[digest.attribute_value[row]]
        image, color = _from_style(value) if name == "style" else _from_attribute(name, value)
        image = picture_url(digest.url, image) if image else ""
        if image or color:
            found.append(Background(image, color, node))
    return tuple(found)


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
