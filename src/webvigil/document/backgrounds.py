"""A page in, the background pictures and colours that it names itself out (for scores, T2)."""

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
