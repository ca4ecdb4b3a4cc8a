"""A page and the marks on it in, HTML in the page's own look out, sanitised (P3, P4).

The tree of the page is written again, without what is hidden or could act; its text carries the marks.
Form fields, films and drawings become boxes of the same place. What comes out has passed nh3.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from webvigil.document import PageDigest, arrays
from webvigil.document.images import srcset
from webvigil.document.links import absolute
from webvigil.document.markup import BLOCKS, BOXES, VOID
from webvigil.present.css import Address, data_picture, nothing, style_sheet
from webvigil.present.escape import html_text
from webvigil.present.marks import Marks, Range, solid
from webvigil.present.sanitise import OURS, TAGS, attribute, clean, is_custom

_SKIPPED = frozenset({"html", "head", "body", "#document"})
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
    """How a page is dressed: where its pictures are shown from, and its style sheets by address; and where
    a picture is shown from as the old version had it."""

    address: Address = nothing
    sheet: Callable[[str], str] = nothing
    earlier: Address = nothing

    @property
    def of_old(self) -> Dress:
        """For the old version."""
        return replace(self, address=lambda url: self.earlier(url) or self.address(url))


@dataclass(frozen=True)
class Dressed:
    """The body of a page, its own attributes as they are written, and its style sheets."""

    html: str
    attributes: str
    page: PageDigest
    dress: Dress

    @cached_property
    def sheets(self) -> tuple[str, ...]:
        return tuple(_sheets(self.page, self.dress))


def dressed(page: PageDigest, marks: Marks, dress: Dress) -> Dressed:
    """`page` may be a part: the whole of it is shown, the marks are on the part."""
    writer = _Writer(page, marks, dress)
    written = "".join(writer.nodes())
    html = clean(written, pictures=frozenset(writer.pictures), custom=writer.custom)
    return Dressed(html, writer.body(), page.whole, dress)


class _Writer:
    def __init__(self, page: PageDigest, marks: Marks, dress: Dress) -> None:
        self._page, self._marks, self._dress = page.whole, marks, dress
        self.pictures: set[str] = set()
        self.custom: set[str] = set()
        self._texts = _Texts(page, marks)
        self._tags: dict[str, tuple[str, str] | None] = {}
        self._known: dict[tuple[int, int], str] = {}  # attributes as they are written, by name and value
        self._attribute_start = self._page.attribute_start.tolist()
        self._attribute_name = self._page.attribute_name.tolist()
        self._attribute_value = self._page.attribute_value.tolist()

    def nodes(self) -> list[str]:
        """The page node by node; what is asked of every node is asked of lists, for speed."""
        page, marks = self._page, self._marks
        out: list[str] = []
        which = self._which().tolist()
        ends = (np.arange(len(page)) + page.sizes).tolist()
        names = [page.tag_names[index] for index in page.tags.tolist()]
        open_tags: list[tuple[int, int, str]] = []  # (one behind the last node, node, what closes it)
        framed = marks.ending.keys() | marks.behind.keys()
        drawing = 0
        node, last = 1, len(page)
        while node < last:
            while open_tags and open_tags[-1][0] <= node:
                _, closed, closing = open_tags.pop()
                if closed in framed:
                    self._close(out, closed, closing)
                else:
                    out.append(closing)
            if node in marks.ahead:
                out += marks.ahead[node]
            if which[node]:
                out.append(
                    self._texts.written(node) if which[node] == _TEXT else self._box(node, names[node])
                )
                node = ends[node]
                continue
            tag = names[node]
            tags = self._plain(tag) if node >= drawing else None
            if tags:
                opening, closing = f"{tags[0]}{self._attributes(node, tag)}>", tags[1]
            else:
                opening, closing = self._element(node, tag, node < drawing)
                drawing = max(drawing, ends[node]) if tag in _DRAWINGS else drawing
            out.append(opening if marks.kinds is None else self._numbered(node, opening, marks.kinds))
            if node in marks.inside:
                out += marks.inside[node]
            open_tags.append((ends[node], node, closing))
            node += 1
        while open_tags:
            self._close(out, *open_tags.pop()[1:])
        out += marks.before.get(self._texts.length, ())
        return [*out, *marks.tail]

    def _which(self) -> arrays.Longs:
        """Per node: an element that is written, a text, or what is passed over."""
        page = self._page
        named = page.tag_names
        silent = np.array([name[0] in "#?" or name == "head" for name in named], dtype=np.bool_)[page.tags]
        kept = np.array([name in _SKIPPED for name in named], dtype=np.bool_)[page.tags]
        passed = np.where(silent | (page.hidden & ~kept), _PASSED, _ELEMENT)
        return np.where(page.is_text & ~page.hidden, _TEXT, passed)

    def _close(self, out: list[str], node: int, closing: str) -> None:
        marks = self._marks
        out += marks.ending.get(node, ())
        out.append(closing)
        out += marks.behind.get(node, ())

    # --- elements -------------------------------------------------------------------------------------

    def _plain(self, tag: str) -> tuple[str, str] | None:
        """How an element of this name begins and ends where there is nothing special about it."""
        if tag not in self._tags:
            special = tag in _SPECIAL or not self._name(tag)
            name = self._name(tag)
            self._tags[tag] = None if special else (f"<{name}", "" if tag in VOID else f"</{name}>")
        return self._tags[tag]

    def _element(self, node: int, tag: str, drawn: bool) -> tuple[str, str]:
        """One with something special about it."""
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
    def _numbered(node: int, opening: str, kinds: Mapping[int, str]) -> str:
        kind = f' data-wv-kind="{kinds[node]}"' if node in kinds else ""
        return _FIRST_TAG.sub(rf'<\1 data-wv-node="{node}"{kind}', opening, count=1)

    def _name(self, tag: str) -> str:
        if tag in _OTHER:
            return _OTHER[tag]
        if tag in TAGS:
            return tag
        if is_custom(tag):
            self.custom.add(tag)
            return tag
        return "" if tag not in BLOCKS else "div"

    def _attributes(self, node: int, tag: str) -> str:
        extra = self._marks.classes.get(node, "") + (f" {OURS}field" if tag in _FIELDS else "")
        first, last = self._attribute_start[node], self._attribute_start[node + 1]
        if first == last and not extra:
            return ""
        found = []
        for pair in zip(self._attribute_name[first:last], self._attribute_value[first:last], strict=True):
            written = self._known.get(pair)
            if written is None:
                written = self._known[pair] = self._attribute(*pair)
            if extra and written.startswith(' class="'):
                written, extra = f'{written[:-1]} {extra}"', ""
            found.append(written)
        if extra:
            found.append(f' class="{extra.strip()}"')
        if tag == "input":
            found.append(self._field(node))
        return "".join(found)

    def _attribute(self, at_name: int, at_value: int) -> str:
        """An attribute as it is written, "" for nothing; the same on whatever element it stands."""
        page = self._page
        name, value = page.attribute_names[at_name], page.attribute_values[at_value]
        kept = attribute(name, value, self._css_picture, page.url)
        title = f' title="{html_text(absolute(page.url, value) or value)}"' if name == "href" else ""
        return title if kept is None else f'{title} {name}="{html_text(kept)}"'

    def _field(self, node: int) -> str:
        """What stands in a field, unless a reader would not see it either."""
        kind = (self._page.attribute(node, "type") or "").lower()
        if kind in ("hidden", "password", "image"):
            return ' data-wv-hidden=""' if kind == "hidden" else ""
        said = self._page.attribute(node, "value") or self._page.attribute(node, "placeholder") or ""
        return f' data-wv-value="{html_text(said[:200])}"' if said else ""

    def _css_picture(self, url: str) -> str:
        return self._dress.address(url)

    def _picture(self, node: int) -> str:
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
        page = self._page
        said = page.attribute(node, "src") or ""
        later = page.attribute(node, "data-src") or ""
        several = page.attribute(node, "srcset") or page.attribute(node, "data-srcset") or ""
        if later and (not said or said.startswith("data:")):
            said = later
        if not said and several:
            said = next(iter(srcset(several)), "")
        return said if said.startswith("data:") else absolute(page.url, said) or ""

    def _box(self, node: int, tag: str) -> str:
        """What stands for a film or a drawing; nothing for what nobody sees."""
        if tag not in BOXES:
            return ""
        size = [
            f' {name}="{value}"'
            for name in ("width", "height")
            if (value := self._page.attribute(node, name) or "").isascii()
            and value.isdigit()
            and len(value) < 5
        ]
        return f'<canvas class="{OURS}box"{"".join(size)}></canvas>'

    def body(self) -> str:
        """The attributes of `body`; those of `html` that style hangs on are put there as well."""
        page = self._page
        found: dict[str, str] = {}
        for node in [*page.nodes_of("html")[:1].tolist(), *page.nodes_of("body")[:1].tolist()]:
            for name, value in page.attribute_pairs(node):
                if name in _BODY and _COLOUR.fullmatch(value):
                    found["style"] = f"{_BODY[name]}:{value};" + found.get("style", "")
                elif name in ("class", "style", "dir", "lang", "id"):
                    kept = attribute(name, value, self._css_picture, page.url) or ""
                    found[name] = (
                        f"{found[name]} {kept}".strip() if name == "class" and name in found else kept
                    )
        return "".join([f' {name}="{html_text(value)}"' for name, value in found.items() if value])


class _Texts:
    """The texts of a page with their marks. Characters are counted as in `Marks`."""

    def __init__(self, page: PageDigest, marks: Marks) -> None:
        self._page, self._marks = page.whole, marks
        index = page.content[page.reading.nodes].tolist()
        solids = {one: solid(page.texts[one]) for one in set(index)}
        self._lengths = np.array([solids[one] for one in index], dtype=np.int64)
        behind = np.cumsum(self._lengths)
        self.length = int(behind[-1]) if len(behind) else 0
        self._starts = behind - self._lengths
        self._ranges = {one.start: one for one in marks.ranges if one.end > one.start}
        self._edges = np.array(self._places(), dtype=np.int64)
        self._marked = self._touched(page.origin[page.reading.nodes])
        self._content = page.whole.content.tolist()
        self._plain: dict[int, str] = {}

    def written(self, node: int) -> str:
        index = self._content[node]
        if node in self._marked:
            return self._with_marks(self._page.texts[index], *self._marked[node])
        known = self._plain.get(index)
        if known is None:
            known = self._plain[index] = html_text(self._page.texts[index])
        return known

    def _places(self) -> list[int]:
        """Where something is marked or put in, ascending."""
        marks = self._marks
        places = {*marks.before, *(place + 1 for place in marks.after)}
        places |= {edge for one in marks.ranges for edge in (one.start, one.end)}
        return sorted(places)

    def _touched(self, nodes: arrays.Longs) -> dict[int, tuple[int, int, int, int]]:
        """The texts that are not written as they are: start, length, and which of the edges lie in them."""
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
        """Per text: is it inside a mark that began before it?"""
        begun = np.array([0, *sorted(self._ranges)], dtype=np.int64)
        ends = np.array([0, *(self._ranges[start].end for start in begun[1:].tolist())], dtype=np.int64)
        covered: arrays.Mask = ends[np.searchsorted(begun[1:], self._starts)] > self._starts
        return covered

    def _range_at(self, place: int) -> Range | None:
        """The mark that began before this place and goes on beyond it."""
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
    """The text of one node; a mark that goes on beyond it is closed here and opened again in the next."""
    places = [place for word in _SOLID.finditer(raw) for place in range(*word.span())]
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


def _sheets(page: PageDigest, dress: Dress) -> Iterator[str]:
    """The style of the page in its order: what stands in it, and what it links to where that is at hand."""
    for node in page.nodes_of("style", "link").tolist():
        media = page.attribute(node, "media") or ""
        base = page.url
        if page.tag(node) == "style":
            text = page.text(node)
        else:
            rel = (page.attribute(node, "rel") or "").lower().split()
            base = absolute(page.url, page.attribute(node, "href") or "") or ""
            if "stylesheet" not in rel or "alternate" in rel or not base:
                continue
            text = dress.sheet(base)
        if not text or page.attribute(node, "disabled") is not None:
            continue
        safe = style_sheet(text, dress.address, base)
        limited = re.fullmatch(r"[\w\s:(),.<>=-]*", media) and "</" not in media
        yield f"@media {media} {{\n{safe}\n}}" if media.strip() and limited else safe
