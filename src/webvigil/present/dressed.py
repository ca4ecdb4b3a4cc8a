"""A page and the marks on it in, sanitised HTML in the page's own look out (P3, P4).

The tree of the page is written again, without anything hidden or active, and with the marks in its text. Form
fields, films and drawings become boxes at the same place. The result has passed nh3.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from webvigil.document import PageDigest, arrays
from webvigil.document.links import absolute, srcset
from webvigil.document.markup import BLOCKS, BOXES, VOID
from webvigil.present.css import Address, data_picture, nothing, style_sheet
from webvigil.present.html_text import html_text
from webvigil.present.marks import Marks, Range
from webvigil.present.sanitise import OURS, TAGS, attribute, clean, is_custom

_SKIPPED = frozenset({"html", "head", "body", "#document"})
# Elements that are written under another name: forms, fields and objects because they could act, outdated
# elements, and `ins` and `del` because these are our own marks.
_OTHER = {
    "form": "div",
    "dialog": "div",
    "dir": "ul",
    "frameset": "div",
    "object": "div",
    "ins": "u",
    "del": "s",
    "select": "button",
    "textarea": "button",
    "input": "button",
    "listing": "pre",
    "xmp": "pre",
}
_FIELDS = frozenset({"select", "textarea", "input"})
_DRAWINGS = frozenset({"svg", "math"})
_SPECIAL = _SKIPPED | _FIELDS | _DRAWINGS | {"option", "optgroup", "title", "img"}
_ELEMENT, _TEXT, _PASSED = range(3)
_BODY = {"bgcolor": "background-color", "text": "color"}
_FIRST_TAG = re.compile(r"<(?!br>)([a-z][a-z0-9-]*)")
_SOLID = re.compile(r"\S+")
_COLOUR = re.compile(r"#?[0-9A-Za-z]{1,30}")


@dataclass(frozen=True, slots=True)
class Dress:
    """How a page is dressed: `address` says where its pictures are shown from, `sheet` returns a style sheet
    by address, and `earlier` says where a picture is shown from as the old version had it."""

    address: Address = nothing
    sheet: Callable[[str], str] = nothing
    earlier: Address = nothing

    @property
    def of_old(self) -> Dress:
        """Returns the dress for the old version, which prefers the earlier pictures."""
        return replace(self, address=lambda url: self.earlier(url) or self.address(url))


@dataclass(frozen=True)
class Dressed:
    """The HTML inside the body of a page, the attributes of the body, and the style sheets of the page."""

    html: str
    attributes: str
    page: PageDigest
    dress: Dress

    @cached_property
    def sheets(self) -> tuple[str, ...]:
        return tuple(_sheets(self.page, self.dress))


def dressed(page: PageDigest, marks: Marks, dress: Dress) -> Dressed:
    """Writes the page with the marks. `page` may be a part of a page: the whole page is shown, and the marks
    are on the part."""
    writer = _Writer(page, marks, dress)
    html = clean(writer.written(), pictures=frozenset(writer.pictures), custom=writer.custom)
    return Dressed(html, writer.body(), page.whole, dress)


class _Writer:
    """Writes the tree of one page as HTML, with the marks."""

    def __init__(self, page: PageDigest, marks: Marks, dress: Dress) -> None:
        self._page, self._marks, self._dress = page.whole, marks, dress
        self.pictures: set[str] = set()
        self.custom: set[str] = set()
        self._texts = _Texts(page, marks)
        page = self._page
        self._start = page.attribute_start.tolist()
        # One number for each combination of attribute name and value, so that each combination is escaped
        # only once.
        self._many = len(page.attribute_values)
        self._keys = (page.attribute_name.astype(np.int64) * self._many + page.attribute_value).tolist()
        self._known = _Once(self._attribute)

    def written(self) -> str:
        """Returns the HTML of the page: the text of each node, with the ends of the elements between.

        An element ends before the node that follows its last node; of elements that end at the same place,
        the one that began last ends first. The ends are sorted by that rule, and both lists are merged by
        counting, which is much faster than walking the tree.
        """
        page, marks = self._page, self._marks
        which = self._which()
        nodes = self._visited(which)
        texts, passed, elements = (nodes[which[nodes] == kind] for kind in (_TEXT, _PASSED, _ELEMENT))
        opened, closed = self._elements(elements)
        pieces = [*self._texts.written(texts), *self._boxes(passed.tolist()), *opened]
        standing = np.concatenate([texts, passed, elements])
        for place, html in _at(marks.ahead, standing):
            pieces[place] = html + pieces[place]
        ends = elements + page.sizes[elements]
        order = np.lexsort((-elements, ends))
        before = np.searchsorted(ends[order], standing, side="right")
        places = np.empty(len(pieces) + len(closed), dtype=np.int64)
        places[np.searchsorted(nodes, standing) + before] = np.arange(len(pieces))
        places[np.searchsorted(nodes, ends[order]) + np.arange(len(closed))] = len(pieces) + order
        pieces += closed
        body = map(pieces.__getitem__, places.tolist())
        return "".join([*body, *marks.before.get(self._texts.length, ()), *marks.tail])

    def _which(self) -> arrays.Longs:
        """Returns the kind of each node: a written element, a text, or a node that is passed over."""
        page = self._page
        named = page.tag_names
        silent = np.array([name[0] in "#?" or name == "head" for name in named], dtype=np.bool_)[page.tags]
        kept = np.array([name in _SKIPPED for name in named], dtype=np.bool_)[page.tags]
        passed = np.where(silent | (page.hidden & ~kept), _PASSED, _ELEMENT)
        return np.where(page.is_text & ~page.hidden, _TEXT, passed)

    def _visited(self, which: arrays.Longs) -> arrays.Longs:
        """Returns all nodes except the first one and the nodes inside passed-over nodes."""
        passed = which == _PASSED
        passed[0] = False
        within = arrays.below(passed, self._page.sizes)
        return np.flatnonzero(~within | (passed & ~within[self._page.parents]))[1:]

    def _boxes(self, nodes: list[int]) -> list[str]:
        """Returns a box for each film or drawing, and "" for nodes that nobody sees."""
        page = self._page
        return [self._box(node) if page.tag(node) in BOXES else "" for node in nodes]

    # --- elements -------------------------------------------------------------------------------------

    def _elements(self, nodes: arrays.Longs) -> tuple[list[str], list[str]]:
        """Returns how each element begins, with the HTML that is put right inside, and how each element
        ends."""
        page, marks = self._page, self._marks
        plain = list(map(self._plain, page.tag_names))
        drawn, known, keys = self._drawn(), self._known.__getitem__, self._keys
        first, last = page.attribute_start[nodes].tolist(), page.attribute_start[nodes + 1].tolist()
        tags = page.tags[nodes].tolist()
        # Most elements are ordinary, and most of those have no attributes.
        bare = [f"{one[0]}>" if one else "" for one in plain]
        ends = [one[1] if one else "" for one in plain]
        opened = [
            bare[tag]
            if begin == end or not bare[tag]
            else f"{bare[tag][:-1]}{''.join(map(known, keys[begin:end]))}>"
            for tag, begin, end in zip(tags, first, last, strict=True)
        ]
        closed = [ends[tag] for tag in tags]
        special = {*drawn, *marks.classes}
        for place, (node, tag) in enumerate(zip(nodes.tolist(), tags, strict=True)):
            if plain[tag] is None or node in special:
                opened[place], closed[place] = self._element(node, page.tag_names[tag], node in drawn)
        if marks.kinds is not None:
            opened = list(map(partial(self._numbered, marks.kinds), nodes.tolist(), opened))
        for place, html in _at(marks.inside, nodes):
            opened[place] += html
        for place, html in _at(marks.ending, nodes):
            closed[place] = html + closed[place]
        for place, html in _at(marks.behind, nodes):
            closed[place] += html
        return opened, closed

    def _drawn(self) -> frozenset[int]:
        """Returns the nodes inside drawings (svg, math)."""
        drawings = self._page.is_tag(_DRAWINGS)
        if not drawings.any():
            return frozenset()
        inside = arrays.below(drawings, self._page.sizes)
        first = drawings & ~inside[self._page.parents]
        return frozenset(np.flatnonzero(inside & ~first).tolist())

    def _plain(self, tag: str) -> tuple[str, str] | None:
        """Returns the beginning and the end of an ordinary element of this name, or None if the name needs
        special treatment."""
        name = "" if tag in _SPECIAL else self._name(tag)
        return (f"<{name}", "" if tag in VOID else f"</{name}>") if name else None

    def _element(self, node: int, tag: str, drawn: bool) -> tuple[str, str]:
        """Returns the beginning and the end of an element that needs special treatment."""
        if tag in _SKIPPED:
            return "", ""
        if tag in _DRAWINGS:
            return f'<span class="{OURS}drawing">', "</span>"
        if drawn:
            return ("<br><span>", "</span><br>") if tag in BLOCKS else ("<span>", "</span>")
        if tag in ("option", "optgroup", "title"):
            return "<br><span>", "</span><br>"
        if tag == "img":
            return self._picture(node), ""
        name = self._name(tag)
        if not name:
            return "<span>", "</span>"
        more = self._attributes(node, tag)
        return (f"<{name}{more}>", "" if tag in VOID and tag != "input" else f"</{name}>")

    @staticmethod
    def _numbered(kinds: Mapping[int, str], node: int, opening: str) -> str:
        """Adds the number of the node, and its kind if known, to the first tag. The picker finds the clicked
        element by that number."""
        kind = f' data-wv-kind="{kinds[node]}"' if node in kinds else ""
        return _FIRST_TAG.sub(rf'<\1 data-wv-node="{node}"{kind}', opening, count=1)

    def _name(self, tag: str) -> str:
        """Returns the tag to write an element with; "" for an unknown inline element, which becomes a
        `span`."""
        if tag in _OTHER:
            return _OTHER[tag]
        if tag in TAGS:
            return tag
        if is_custom(tag):
            self.custom.add(tag)
            return tag
        return "" if tag not in BLOCKS else "div"

    def _attributes(self, node: int, tag: str) -> str:
        """Returns the written attributes of an element, with the classes of our marks added."""
        first, last = self._start[node], self._start[node + 1]
        written = map(self._known.__getitem__, self._keys[first:last])
        extra = self._marks.classes.get(node, "") + (f" {OURS}field" if tag in _FIELDS else "")
        if not extra:
            return "".join(written)
        found = []
        for one in written:
            if extra and one.startswith(' class="'):
                one, extra = f'{one[:-1]} {extra}"', ""
            found.append(one)
        if extra:
            found.append(f' class="{extra.strip()}"')
        if tag == "input":
            found.append(self._field(node))
        return "".join(found)

    def _attribute(self, key: int) -> str:
        """Returns an attribute as it is written, or "" if it must go. The result does not depend on the
        element."""
        page = self._page
        name, value = page.attribute_names[key // self._many], page.attribute_values[key % self._many]
        kept = attribute(name, value, self._css_picture, page.url)
        title = f' title="{html_text(absolute(page.url, value) or value)}"' if name == "href" else ""
        return title if kept is None else f'{title} {name}="{html_text(kept)}"'

    def _field(self, node: int) -> str:
        """Returns the content of a form field as an attribute, unless a reader would not see it either
        (hidden fields, passwords)."""
        kind = (self._page.attribute(node, "type") or "").lower()
        if kind in ("hidden", "password", "image"):
            return ' data-wv-hidden=""' if kind == "hidden" else ""
        said = self._page.attribute(node, "value") or self._page.attribute(node, "placeholder") or ""
        return f' data-wv-value="{html_text(said[:200])}"' if said else ""

    def _css_picture(self, url: str) -> str:
        return self._dress.address(url)

    def _picture(self, node: int) -> str:
        """Returns the `img` of a picture, or a box with its description if the picture cannot be shown."""
        url = self._picture_url(node)
        shown = data_picture(url) or (self._dress.address(url) if url else "")
        kind = self._marks.pictures.get(node, "")
        kept = self._attributes(node, "img")
        kept = re.sub(r' src="[^"]*"', "", kept)
        if shown:
            self.pictures.add(shown)
            picture = f'<img src="{html_text(shown)}"{kept}>'
        else:
            alt = self._page.attribute(node, "alt") or url.rpartition("/")[2][:60] or "picture"
            kept = re.sub(r' alt="[^"]*"| class="[^"]*"', "", kept)
            picture = f'<span class="{OURS}picture" data-wv-alt="{html_text(alt)}"{kept}></span>'
        return f'<span class="{OURS}{kind}-picture">{picture}</span>' if kind else picture

    def _picture_url(self, node: int) -> str:
        """Returns the address of a picture, "" for one without. Pictures that load late have theirs in
        `data-src` or `srcset`."""
        page = self._page
        said = page.attribute(node, "src") or ""
        later = page.attribute(node, "data-src") or ""
        several = page.attribute(node, "srcset") or page.attribute(node, "data-srcset") or ""
        if later and (not said or said.startswith("data:")):
            said = later
        if not said and several:
            said = next(iter(srcset(several)), "")
        return said if said.startswith("data:") else _led_to(page, said)

    def _box(self, node: int) -> str:
        """Returns an empty `canvas` of the size that a film or drawing names."""
        size = [
            f' {name}="{value}"'
            for name in ("width", "height")
            if (value := self._page.attribute(node, name) or "").isascii()
            and value.isdigit()
            and len(value) < 5
        ]
        return f'<canvas class="{OURS}box"{"".join(size)}></canvas>'

    def body(self) -> str:
        """Returns the attributes for `body`. Those of `html` that style sheets refer to are added, because
        our document has its own `html`."""
        page = self._page
        found: dict[str, str] = {}
        colours = ""
        for node in [*page.nodes_of("html")[:1].tolist(), *page.nodes_of("body")[:1].tolist()]:
            for name, value in page.attribute_pairs(node):
                if name in _BODY and _COLOUR.fullmatch(value):
                    colours += f"{_BODY[name]}:{value};"
                elif name in ("class", "style", "dir", "lang", "id"):
                    kept = attribute(name, value, self._css_picture, page.url) or ""
                    found[name] = (
                        f"{found[name]} {kept}".strip() if name == "class" and name in found else kept
                    )
        # Styles win over the attributes of HTML, as they do in the page itself.
        found["style"] = colours + found.get("style", "")
        return "".join([f' {name}="{html_text(value)}"' for name, value in found.items() if value])


class _Once(dict[int, str]):
    """A dictionary that makes the value for a number when it is first asked for."""

    def __init__(self, make: Callable[[int], str]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: int) -> str:
        made = self[key] = self._make(key)
        return made


def _at(pieces: Mapping[int, list[str]], nodes: arrays.Longs) -> Iterator[tuple[int, str]]:
    """Yields the HTML that is put at some of the nodes, with the place of each of these nodes in the list."""
    if not pieces:
        return
    order = np.argsort(nodes, kind="stable")
    wanted = np.array(list(pieces), dtype=np.int64)
    found = np.searchsorted(nodes, wanted, sorter=order)
    for node, place in zip(pieces, found.tolist(), strict=True):
        if place < len(nodes) and nodes[order[place]] == node:
            yield int(order[place]), "".join(pieces[node])


_LONG = 500  # Characters. Shorter texts are searched faster by the regular expression than by numpy.
# Tells for each code point whether it is white space. U+3000 is the last one; every later code point uses the
# last entry.
_SPACES = np.array([chr(code).isspace() for code in range(0x3001)] + [False])


def _solid_places(text: str) -> list[int]:
    """Returns the places of all characters that are not white space."""
    if len(text) < _LONG:
        return [place for word in _SOLID.finditer(text) for place in range(*word.span())]
    places: list[int] = np.flatnonzero(np.diff(_solid_before(text))).tolist()
    return places


def _solid_before(text: str) -> arrays.Longs:
    """Returns for each place how many characters before it are not white space, and at the end how many there
    are in all."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    counted = np.zeros(len(codes) + 1, dtype=np.int64)
    np.cumsum(~_SPACES[np.minimum(codes, len(_SPACES) - 1)], out=counted[1:])
    return counted


class _Texts:
    """The texts of a page with their marks. Characters are counted without white space, as in `Marks`."""

    def __init__(self, page: PageDigest, marks: Marks) -> None:
        self._page, self._marks = page.whole, marks
        solid = _solid_before(page.reading.text)
        self.length = int(solid[-1])
        self._starts = solid[page.reading.starts]
        self._lengths = np.diff(self._starts, append=self.length)
        self._ranges = {one.start: one for one in marks.ranges if one.end > one.start}
        self._edges = np.array(self._places(), dtype=np.int64)
        self._marked = self._touched(page.origin[page.reading.nodes])

    def written(self, nodes: arrays.Longs) -> list[str]:
        """Returns the escaped text of each node, with its marks."""
        texts = self._page.texts
        indices = self._page.content[nodes].tolist()
        written = [*map(html_text, map(texts.__getitem__, indices))]
        marked = np.isin(nodes, np.array(list(self._marked), dtype=np.int64)) if self._marked else ()
        for place in np.flatnonzero(marked).tolist():
            written[place] = self._with_marks(texts[indices[place]], *self._marked[int(nodes[place])])
        return written

    def _places(self) -> list[int]:
        """Returns, ascending, the places where a mark begins or ends or HTML is put in."""
        marks = self._marks
        places = {*marks.before, *(place + 1 for place in marks.after)}
        places |= {edge for one in marks.ranges for edge in (one.start, one.end)}
        return sorted(places)

    def _touched(self, nodes: arrays.Longs) -> dict[int, tuple[int, int, int, int]]:
        """Returns, by node, the texts that carry marks: start, length, and the first and last of the edges
        inside."""
        first = np.searchsorted(self._edges, self._starts)
        last = np.searchsorted(self._edges, self._starts + self._lengths, side="right")
        inside = (last > first) | self._covered()
        return {
            node: (start, length, one, other)
            for node, start, length, one, other in zip(
                nodes[inside].tolist(),
                self._starts[inside].tolist(),
                self._lengths[inside].tolist(),
                first[inside].tolist(),
                last[inside].tolist(),
                strict=True,
            )
            if length
        }

    def _covered(self) -> arrays.Mask:
        """Tells for each text whether it lies inside a mark that began before it."""
        begun = np.array([0, *sorted(self._ranges)], dtype=np.int64)
        ends = np.array([0, *(self._ranges[start].end for start in begun[1:].tolist())], dtype=np.int64)
        covered: arrays.Mask = ends[np.searchsorted(begun[1:], self._starts)] > self._starts
        return covered

    def _range_at(self, place: int) -> Range | None:
        """Returns the mark that began before this place and continues beyond it, or None."""
        number = bisect_left(self._range_starts, place) - 1
        one = self._ranges[self._range_starts[number]] if number >= 0 else None
        return one if one and one.end > place else None

    @cached_property
    def _range_starts(self) -> list[int]:
        return sorted(self._ranges)

    def _with_marks(self, raw: str, start: int, length: int, first: int, last: int) -> str:
        edges = self._edges[first:last].tolist()
        return _with_marks(raw, start, length, edges, self._range_at(start), self._marks, self._ranges)


def _with_marks(
    raw: str,
    start: int,
    length: int,
    edges: list[int],
    within: Range | None,
    marks: Marks,
    ranges: dict[int, Range],
) -> str:
    """Returns the HTML of one text node with its marks.

    A mark that continues beyond the node is closed here and opened again in the next node, because the
    elements between must nest.
    """
    places = _solid_places(raw)
    out: list[str] = []
    written = 0

    def up_to(place: int) -> None:
        nonlocal written
        out.append(html_text(raw[written:place]))
        written = max(written, place)

    if within:
        out.append(_opened(within))
    for edge in edges:
        if edge > start + length:
            break
        at = edge - start
        if at > 0:
            if within and within.end == edge:
                up_to(places[at - 1] + 1)
                out.append(f"</{within.tag}>")
                within = None
            if edge - 1 in marks.after:
                up_to(places[at - 1] + 1)
                out += marks.after[edge - 1]
        if at == length:
            break
        if edge in marks.before:
            up_to(places[at] if at == 0 or not _leading(ranges.get(edge)) else places[at - 1] + 1)
            out += marks.before[edge]
        if edge in ranges:
            within = ranges[edge]
            up_to(written if at == 0 and within.lead else places[at - 1] + 1 if within.lead else places[at])
            out.append(_opened(within))
    if within and within.end > start + length:
        up_to(places[-1] + 1)
        out.append(f"</{within.tag}>")
    up_to(len(raw))
    return "".join(out)


def _leading(one: Range | None) -> bool:
    return one is not None and one.lead


def _opened(one: Range) -> str:
    return f'<{one.tag} class="{OURS}{one.kind}">' if one.kind else f"<{one.tag}>"


def _led_to(page: PageDigest, said: str) -> str:
    """Returns the whole address. An empty one leads nowhere: it would be that of the page itself, which is
    neither a picture nor a style sheet."""
    return absolute(page.url, said) if said.strip() else ""


def _sheets(page: PageDigest, dress: Dress) -> Iterator[str]:
    """Yields the style sheets of the page in order: those inside the page, and linked ones that the dress
    has."""
    for node in page.nodes_of("style", "link").tolist():
        media = page.attribute(node, "media") or ""
        base = page.url
        if page.tag(node) == "style":
            text = page.text(node)
        else:
            rel = (page.attribute(node, "rel") or "").lower().split()
            base = _led_to(page, page.attribute(node, "href") or "")
            if "stylesheet" not in rel or "alternate" in rel or not base:
                continue
            text = dress.sheet(base)
        if not text or page.attribute(node, "disabled") is not None:
            continue
        safe = style_sheet(text, dress.address, base)
        limited = re.fullmatch(r"[\w\s:(),.<>=-]*", media) and "</" not in media
        yield f"@media {media} {{\n{safe}\n}}" if media.strip() and limited else safe
