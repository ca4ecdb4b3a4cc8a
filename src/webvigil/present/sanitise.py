"""HTML of a stranger in, HTML that can only be looked at out (P4): nh3 decides what stays.

No script, no form, no frame, no foreign markup, no comment, no address but that of a picture the caller
allows. Links keep their look and lead nowhere. Names of the page's elements stay for its style, but none
that could stand for one of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import nh3

from webvigil.document.markup import names
from webvigil.present.css import Address, data_picture, declarations, nothing

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
# Names of our own: a page may not have them.
OURS = "wv-"
_OUR_DATA = "data-wv"
NOWHERE = "#"

_CUSTOM = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
_NOT_CUSTOM = names(
    "annotation-xml color-profile font-face font-face-src font-face-uri font-face-format font-face-name "
    "missing-glyph"
)


def clean(html: str, *, pictures: frozenset[str] = frozenset(), custom: Iterable[str] = ()) -> str:
    """What `sanitise` leaves of a text that may carry our own marks; `pictures` may be shown.

    The values allowed are given as lists, so that nobody asks us about each attribute.
    """
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


def sanitise(html: str, *, address: Address = nothing, base: str = "") -> str:
    """A stranger's fragment, as it may be shown. Its own marks are no marks of ours."""
    seen: set[str] = set()

    def judged(tag: str, name: str, value: str) -> str | None:
        kept = attribute(name, value, address, base)
        if kept and name == "src":
            seen.add(kept)
        return kept

    first = nh3.clean(
        html,
        tags=set(TAGS),
        clean_content_tags=set(_WITH_CONTENT),
        attributes=_ATTRIBUTES,
        attribute_filter=judged,
        generic_attribute_prefixes=set(PREFIXES),
        url_schemes={"http", "https", "data", "javascript", "mailto"},
        link_rel=None,
    )
    return clean(first, pictures=frozenset(seen))


def attribute(name: str, value: str, address: Address, base: str) -> str | None:
    """What an attribute of the page may say here; None for nothing."""
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
    """A name that some script would give a meaning; without one it is only a box."""
    return _CUSTOM.fullmatch(tag) is not None and tag not in _NOT_CUSTOM
