"""A page and the marks on it in, HTML in the page's own look out, sanitised (P3, P4).

The tree of the page is written again, without what is hidden or could act; its text carries the marks.
Form fields, films and drawings become boxes of the same place. What comes out has passed nh3.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from webvigil.document import PageDigest
from webvigil.document.images import srcset
from webvigil.document.links import absolute
from webvigil.document.markup import BLOCKS, BOXES, VOID
from webvigil.present.css import Address, data_picture, nothing, style_sheet
from webvigil.present.escape import html_text
from webvigil.present.marks import Marks, Range
from webvigil.present.sanitise import KEPT, OURS, PREFIXES, TAGS, attribute, clean, is_custom

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
_BODY = {"bgcolor": "background-color", "text": "color"}
_FIRST_TAG = re.compile(r"<(?!br>)([a-z][a-z0-9-]*)")
_COLOUR = re.compile(r"#?[0-9A-Za-z]{1,30}")


@dataclass(frozen=True, slots=True)
class Dress:
    """How a page is dressed: where its pictures are shown from, and its style sheets by address."""

    address: Address = nothing
    sheet: Callable[[str], str] = nothing


@dataclass(frozen=True, slots=True)
class Dressed:
    """The body of a page, its own attributes as they are written, and its style sheets."""

    html: str
    attributes: str
    sheets: tuple[str, ...]
    custom: frozenset[str]


def dressed(page: PageDigest, marks: Marks, dress: Dress) -> Dressed:
    """`page` may be a part: the whole of it is shown, the marks are on the part."""
    writer = _Writer(page, marks, dress)
    written = "".join(writer.nodes())
    html = clean(written, pictures=frozenset(writer.pictures), custom=writer.custom)
    return Dressed(html, writer.body(), tuple(_sheets(page.whole, dress)), frozenset(writer.custom))


class _Writer:
    def __init__(self, page: PageDigest, marks: Marks, dress: Dress) -> None:
        self._page, self._marks, self._dress = page.whole, marks, dress
        self.pictures: set[str] = set()
        self.custom: set[str] = set()
        reading = page.reading
        self._texts = dict(zip(page.origin[reading.nodes].tolist(), self._starts(page), strict=True))

    @staticmethod
    def _starts(page: PageDigest) -> list[int]:
        """Per visible text: how many characters come before it, white space not counted."""
        lengths = {
            index: len("".join(page.texts[index].split())) for index in page.content[page.reading.nodes]
        }
        counted = [lengths[index] for index in page.content[page.reading.nodes].tolist()]
        return [0, *np.cumsum(counted).tolist()][: len(counted)]

    @cached_property
    def _edges(self) -> list[int]:
        """The places where something is marked or put in, ascending."""
        marks = self._marks
        places = {*marks.before, *(place + 1 for place in marks.after)}
        places |= {edge for one in marks.ranges for edge in (one.start, one.end)}
        return sorted(places)

    def nodes(self) -> Iterator[str]:
        page, marks = self._page, self._marks
        hidden = page.hidden
        ends = (np.arange(len(page)) + page.sizes).tolist()
        names = [page.tag_names[index] for index in page.tags.tolist()]
        open_tags: list[tuple[int, int, str]] = []  # (one behind the last node, node, what closes it)
        drawing = 0
        node = 1
        while node < len(page):
            while open_tags and open_tags[-1][0] <= node:
                yield self._closed(*open_tags.pop()[1:])
            tag = names[node]
            if node in marks.ahead:
                yield "".join(marks.ahead[node])
            if tag[0] in "#?" or (hidden[node] and tag not in _SKIPPED):
                if page.is_text[node] and not hidden[node]:
                    yield self._text(node)
                elif tag in BOXES:
                    yield self._box(node)
                node = ends[node]
                continue
            if tag == "head":
                node = ends[node]
                continue
            opening, closing = self._element(node, tag, node < drawing)
            if tag in _DRAWINGS:
                drawing = max(drawing, ends[node])
            yield opening if marks.kinds is None else self._numbered(node, opening, marks.kinds)
            if node in marks.inside:
                yield "".join(marks.inside[node])
            open_tags.append((ends[node], node, closing))
            node += 1
        while open_tags:
            yield self._closed(*open_tags.pop()[1:])
        yield "".join(marks.before.get(self._length, ()))
        yield "".join(marks.tail)

    @cached_property
    def _length(self) -> int:
        """All characters: what is put before the one behind the last stands at the end."""
        last = max(self._texts, default=-1)
        return self._texts[last] + len("".join(self._page.own_text(last).split())) if last >= 0 else 0

    def _closed(self, node: int, closing: str) -> str:
        marks = self._marks
        return "".join([*marks.ending.get(node, ()), closing, *marks.behind.get(node, ())])

    # --- elements -------------------------------------------------------------------------------------

    def _element(self, node: int, tag: str, drawn: bool) -> tuple[str, str]:
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
        found = []
        extra = self._marks.classes.get(node, "") + (f" {OURS}field" if tag in _FIELDS else "")
        for name, value in self._page.attribute_pairs(node):
            if name not in KEPT and not name.startswith(PREFIXES):
                continue
            kept = attribute(tag, name, value, self._css_picture, self._page.url)
            if name == "class":
                kept = f"{kept} {extra}" if extra else kept
                extra = ""
            if name == "href":
                found.append(f' title="{html_text(absolute(self._page.url, value) or value)}"')
            if kept is not None:
                found.append(f' {name}="{html_text(kept)}"')
        if extra:
            found.append(f' class="{extra.strip()}"')
        if tag == "input":
            found.append(self._field(node))
        return "".join(found)

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

    def _box(self, node: int) -> str:
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
                    kept = attribute("body", name, value, self._css_picture, page.url) or ""
                    found[name] = (
                        f"{found[name]} {kept}".strip() if name == "class" and name in found else kept
                    )
        return "".join([f' {name}="{html_text(value)}"' for name, value in found.items() if value])

    # --- texts ----------------------------------------------------------------------------------------

    def _text(self, node: int) -> str:
        raw = self._page.own_text(node)
        start = self._texts.get(node, -1)
        if start < 0 or not raw or raw.isspace():
            return html_text(raw)
        length = len("".join(raw.split()))
        first = bisect_left(self._edges, start)
        open_range = self._range_at(start)
        if (first == len(self._edges) or self._edges[first] > start + length) and not open_range:
            return html_text(raw)
        return _with_marks(raw, start, length, self._edges[first:], open_range, self._marks, self._ranges)

    @cached_property
    def _ranges(self) -> dict[int, Range]:
        return {one.start: one for one in self._marks.ranges if one.end > one.start}

    @cached_property
    def _range_starts(self) -> list[int]:
        return sorted(self._ranges)

    def _range_at(self, place: int) -> Range | None:
        """The mark that began before this place and goes on beyond it."""
        number = bisect_left(self._range_starts, place) - 1
        one = self._ranges[self._range_starts[number]] if number >= 0 else None
        return one if one and one.end > place else None


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
    places = [place for place, sign in enumerate(raw) if not sign.isspace()]
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
