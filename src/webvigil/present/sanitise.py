"""HTML of a stranger in, HTML that can only be looked at out (P4); the library nh3 decides what stays.

No script, form, frame, foreign markup or comment stays, and no address except those of pictures that the
caller allows. Links keep their look but lead nowhere. Elements keep their ids and classes because the page's
style needs them, except names that begin like our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from webvigil.document.markup import names
from webvigil.present.css import Address, data_picture, declarations

TAGS = names(
    "a abbr acronym address article aside b bdi bdo big blockquote br button canvas caption center cite "
    "code col colgroup data dd del details dfn div dl dt em fieldset figcaption figure font footer h1 "
    "h2 h3 h4 h5 h6 header hgroup hr i img ins kbd legend li main map mark menu nav ol p picture pre q "
    "rp rt ruby s samp search section small span strike strong sub summary sup table tbody td tfoot th "
    "thead time tr tt u ul var wbr"
)
_WITH_CONTENT = frozenset({"script", "style", "template", "noscript", "iframe", "title"})
_ANYWHERE = names(
    "class id style lang dir title role align valign bgcolor color face size width height border "
    "cellpadding cellspacing nowrap hspace vspace clear noshade tabindex"
)
_ATTRIBUTES = {
    "*": set(_ANYWHERE),
    "a": {"href"},
    "img": {"src", "alt"},
    "ol": {"start", "reversed", "type"},
    "ul": {"type"},
    "li": {"value", "type"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "col": {"span"},
    "colgroup": {"span"},
    "details": {"open"},
    "time": {"datetime"},
}
_NO_ADDRESSES = {tag: said - {"href", "src"} for tag, said in _ATTRIBUTES.items()}
KEPT = _ANYWHERE.union(*_ATTRIBUTES.values())
PREFIXES = ("data-", "aria-")
# Prefixes of our own ids, classes and attributes. A page that used them could imitate our marks, so they are
# removed from its markup.
OURS = "wv-"
_OUR_DATA = "data-wv"
NOWHERE = "#"

_CUSTOM = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
_NOT_CUSTOM = names(
    "annotation-xml color-profile font-face font-face-src font-face-uri font-face-format font-face-name "
    "missing-glyph"
)


def clean(html: str, *, pictures: frozenset[str] = frozenset(), custom: Iterable[str] = ()) -> str:
    """Passes HTML that we have written, possibly with our own marks, through nh3. Only the `pictures` may be
    shown.

    The allowed attribute values are given to nh3 as lists: a callback for each attribute would be slow.
    """
    import nh3

    return nh3.clean(
        html,
        tags={*TAGS, *custom},
        clean_content_tags=set(_WITH_CONTENT),
        attributes=_NO_ADDRESSES,
        tag_attribute_values={"a": {"href": {NOWHERE}}, "img": {"src": set(pictures)}},
        generic_attribute_prefixes=set(PREFIXES),
        url_schemes={"http", "https", "data"},
        link_rel=None,
        strip_comments=True,
    )


def attribute(name: str, value: str, address: Address, base: str) -> str | None:
    """Returns the value that an attribute of the page may keep, or None if the attribute must go."""
    if name not in KEPT:
        kept = name.startswith(PREFIXES) and not name.startswith(_OUR_DATA)
        return value if kept else None
    match name:
        case "href":
            return NOWHERE
        case "src":
            return data_picture(value) or address(value) or None
        case "style":
            return declarations(value, address, base)
        case "id":
            return None if value.startswith(OURS) else value
        case "class":
            return " ".join([one for one in value.split() if not one.startswith(OURS)])
        case "tabindex":
            return None
    return value


def is_custom(tag: str) -> bool:
    """Tells whether a tag is the name of a custom element. Without its script such an element is only a box,
    so it may stay."""
    return _CUSTOM.fullmatch(tag) is not None and tag not in _NOT_CUSTOM
