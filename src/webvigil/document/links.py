"""A page in, the absolute addresses on it out: its links (C2), its pictures (C3) and its backgrounds (T2).

Links are the href of `a` and `area`, the actions of forms and of their buttons, and URLs in `value`
attributes; in feeds and other XML the `link` and `enclosure` of each entry and every href or src. `mailto:`,
`javascript:` and the like are no links. Pictures are those of `img`, `srcset` and `picture`. Backgrounds are
the pictures and colours that the page names itself; scores count them.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

import numpy as np

from webvigil.document.fast import accelerated
from webvigil.document.markup import names

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

_WEB = ("http://", "https://", "ftp://")
_SPACE = " \t\n\r\f"
# Most addresses on a page are plain paths like these. They become absolute by putting the host before them,
# which is much cheaper than urljoin.
_PLAIN_PATH = re.compile(r"(?:/[\w%~-][\w%~.-]*)+/?", re.ASCII)


class Link(NamedTuple):
    """One link: the absolute address and the element that carries it."""

    url: str
    node: int


def base(digest: PageDigest) -> str:
    """Returns the base of relative addresses: the first `<base href>`, or the address of the page."""
    digest = digest.whole
    if digest.is_html:
        for node in digest.nodes_of("base"):
            if (href := digest.attribute(int(node), "href")) is not None:
                return absolute(digest.source_url, href) or digest.source_url
    return digest.source_url


def links(digest: PageDigest) -> tuple[Link, ...]:
    nodes, written = digest.link_sources
    resolved = zip(all_absolute(digest.url, written), nodes, strict=True)
    return tuple([Link(url, node) for url, node in resolved if url])


def same(old: PageDigest, new: PageDigest) -> bool:
    """Tells whether two pages have the same links, each as often. Only addresses that are written differently
    are made absolute, to save time."""
    before, after = old.link_sources[1], new.link_sources[1]
    if old.url == new.url and before == after:
        return True
    gone, come = Counter(before), Counter(after)
    if old.url == new.url:
        gone, come = gone - come, come - gone
    return _resolved(old.url, gone) == _resolved(new.url, come)


def _resolved(origin: str, written: Counter[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for address, count in written.items():
        if url := absolute(origin, address):
            found[url] += count
    return found


def link_sources(digest: PageDigest) -> tuple[list[int], list[str]]:
    """Returns the elements that carry a link, and the addresses as written."""
    if digest.is_html:
        return _in_html(digest)
    return _in_xml(digest) if digest.kind == "xml" else ([], [])


def absolute(origin: str, address: str) -> str:
    """Returns the address as a browser would request it, or "" if it does not lead to the web."""
    return _known(origin, address) if len(address) < _LONG else _absolute(origin, address)


def all_absolute(origin: str, addresses: list[str]) -> list[str]:
    """Returns each address as `absolute` does. Plain paths take a fraction of the time."""
    found = plainly_absolute(origin, addresses)
    return [
        absolute(origin, address) if url is None else url
        for url, address in zip(found, addresses, strict=True)
    ]


def plainly_absolute(origin: str, addresses: list[str]) -> list[str | None]:
    """Returns the absolute address of each plain path, None for every other address."""
    root = _root(origin)
    return [None] * len(addresses) if root is None else rooted(root, addresses)


@accelerated
def rooted(root: str, addresses: list[str]) -> list[str | None]:
    return [root + address if _PLAIN_PATH.fullmatch(address) else None for address in addresses]


def _absolute(origin: str, address: str) -> str:
    if _PLAIN_PATH.fullmatch(address):
        root = _root(origin)
        return "" if root is None else root + address
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


# The cache keeps its addresses in memory, and an address may hold a whole picture (data:). So only shorter
# ones are cached.
_LONG = 1_000
_known = lru_cache(maxsize=16_384)(_absolute)


@lru_cache(maxsize=256)
def _root(origin: str) -> str | None:
    """Returns what stands before a path that begins with a slash: scheme and host; None if the origin is no
    address."""
    try:
        return _lower_host(urljoin(origin, "/"))[:-1]
    except ValueError:
        return None


def _lower_host(url: str) -> str:
    """Returns the address with scheme and host in lower case, because their case has no meaning."""
    scheme, slashes, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    if not slashes or (scheme + host).islower() or "@" in host or "?" in host or "#" in host:
        return url
    return f"{scheme.lower()}://{host.lower()}{slash}{path}"


# Bits that say which attributes of which elements carry a link: those of anchors, those of forms and their
# buttons, and `value`, which may stand at any element.
_ANCHOR, _SENDER, _VALUE = 1, 2, 4
LINK_ATTRIBUTES = {
    **dict.fromkeys(("href", "xlink:href"), _ANCHOR),
    **dict.fromkeys(("action", "formaction"), _SENDER),
    "value": _VALUE,
}
_CARRIERS = {
    **dict.fromkeys(("a", "area"), _ANCHOR | _VALUE),
    **dict.fromkeys(("form", "button", "input"), _SENDER | _VALUE),
}


def _in_html(digest: PageDigest) -> tuple[list[int], list[str]]:
    kinds = np.array([LINK_ATTRIBUTES.get(name, 0) for name in digest.attribute_names] or [0], dtype=np.uint8)
    bits = kinds[digest.attribute_name]
    rows = bits.nonzero()[0]
    tags = np.array([_CARRIERS.get(tag, _VALUE) for tag in digest.tag_names], dtype=np.uint8)
    nodes, bits = digest.attribute_node[rows], bits[rows]
    kept = (bits & tags[digest.tags[nodes]]).nonzero()[0]
    written = [digest.attribute_values[index] for index in digest.attribute_value[rows[kept]].tolist()]
    carriers: list[int] = nodes[kept].tolist()
    values = (bits[kept] == _VALUE).nonzero()[0].tolist()
    # The whole value must be an address; a text that contains one is no link.
    for place in reversed([place for place in values if not is_address(written[place])]):
        del written[place], carriers[place]
    return carriers, written


def is_address(text: str) -> bool:
    """Tells whether a text begins like an address of the web."""
    return text.lstrip(_SPACE)[:8].lower().startswith(_WEB)


def _in_xml(digest: PageDigest) -> tuple[list[int], list[str]]:
    rows = digest.rows_of("href", "src", "url", "xlink:href").tolist()
    found = [
        (int(digest.attribute_node[row]), digest.attribute_values[digest.attribute_value[row]])
        for row in rows
    ]
    texts = ((node, digest.text(node)) for node in digest.nodes_of("link", "guid", "comments").tolist())
    found += [(node, text) for node, text in texts if is_address(text)]
    found.sort(key=lambda one: one[0])
    return [node for node, _ in found], [address for _, address in found]


# --- pictures -------------------------------------------------------------------------------------

# The elements that a reader sees as a picture.
PICTURES = ("img", "source", "image", "picture", "video")
_CANDIDATE = re.compile(r"[ \t\n\r\f,]*([^ \t\n\r\f,][^ \t\n\r\f]*)")
# The size that follows an address in a srcset, up to the next comma that is not in parentheses.
_SIZE = re.compile(r"(?:[^,(]|\([^)]*(?:\)|\Z))*")


class Image(NamedTuple):
    """One address of a picture and the element that carries it (`img`, `source`, `image`, `input`)."""

    url: str
    node: int


class ImageSources(NamedTuple):
    """The attributes that name pictures: the element, the name and the value of each."""

    nodes: list[int]
    names: list[str]
    values: list[str]


def images(digest: PageDigest) -> tuple[Image, ...]:
    origin, written = digest.url, digest.image_sources
    resolved = plainly_absolute(origin, written.values)
    if all(resolved):  # as on most pages
        return tuple(map(Image._make, zip(resolved, written.nodes, strict=True)))
    found: list[Image] = []
    for node, name, value, plain in zip(*written, resolved, strict=True):
        if plain is not None:  # a srcset that is a plain path has this one address, too
            found.append(Image(plain, node))
        elif name == "srcset":
            found += [Image(url, node) for url in addresses(origin, name, value)]
        elif url := picture_url(origin, value):
            found.append(Image(url, node))
    return tuple(found)


def image_sources(digest: PageDigest) -> ImageSources:
    if not digest.is_html:
        return ImageSources([], [], [])
    carriers = digest.is_tag(("img", "source", "input", "image", "video"))
    rows = digest.rows_of("src", "srcset", "href", "xlink:href", "poster")
    nodes = digest.attribute_node[rows]
    rows, nodes = rows[carriers[nodes]], nodes[carriers[nodes]]
    columns = (digest.tags[nodes], nodes, digest.attribute_name[rows], digest.attribute_value[rows])
    tags, carrying, names, values = (column.tolist() for column in columns)
    found = ImageSources(
        carrying,
        [digest.attribute_names[name] for name in names],
        [digest.attribute_values[value] for value in values],
    )
    always = {(digest.tag_index.get(tag), digest.attribute_index.get(name)) for tag, name in _ALWAYS_PICTURES}
    if always.issuperset(zip(tags, names, strict=True)):  # as on most pages
        return found
    shown = [
        (tag, name) in always or _shows_picture(digest, digest.tag_names[tag], node, said)
        for tag, name, node, said in zip(tags, names, found.nodes, found.names, strict=True)
    ]
    return ImageSources(
        list(compress(found.nodes, shown)),
        list(compress(found.names, shown)),
        list(compress(found.values, shown)),
    )


def addresses(origin: str, name: str, value: str) -> list[str]:
    """Returns the absolute addresses in one attribute: several for a srcset, otherwise at most one."""
    candidates = srcset(value) if name == "srcset" else [value]
    return [url for one in candidates if (url := picture_url(origin, one))]


# Elements and their attributes that name a picture whatever else the element has.
_ALWAYS_PICTURES = (
    *(("img", name) for name in ("src", "srcset")),
    *(("image", name) for name in ("href", "xlink:href")),
    ("video", "poster"),
)


def _shows_picture(digest: PageDigest, tag: str, node: int, name: str) -> bool:
    """Tells whether an attribute that is not always one names a picture."""
    if tag == "source":
        return name == "srcset" and digest.tag(int(digest.parents[node])) == "picture"
    return tag == "input" and name == "src" and (digest.attribute(node, "type") or "").lower() == "image"


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


# --- backgrounds ----------------------------------------------------------------------------------

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
