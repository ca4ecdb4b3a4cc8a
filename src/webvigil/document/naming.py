"""A node of a page in, its name for a reader out: `Aurora lamp · Price`, `Opening hours`, `items 3 · price`.

What stands around the node names it. A cell has the name of its row and the heading of its column; a
description has its term; a field of a form has its label; a text may have a lead-in such as "Price:"; an
item among items of its sort has a title. Whatever has none of these has the nearest heading, or the title of
the page. In JSON and XML the keys on the way name a node.

Only the arrays of the digest are read, and of those only the neighbourhood of the nodes that are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from webvigil.document import arrays
from webvigil.document.digest import PageDigest, kept_of_tree
from webvigil.document.markup import BLOCKS
from webvigil.document.reading import LEVELS, heading_nodes
from webvigil.model.memo import cached_property

LONGEST = 80
"""The most characters of one part of a name."""
JOINT = " · "
# A text of more nodes is read in part: an element may hold the whole page.
_READ = 400
_LONGEST_TITLE = 200
# Ancestors, siblings and headings that are looked at for one node. Pages of people need far fewer.
_HIGHEST, _ASIDE, _BACK = 60, 40, 60

_ROWS = "tr"
_CELLS = frozenset(("td", "th"))
_FIELDS = frozenset(("input", "select", "textarea", "button", "meter", "progress", "output"))
_PICTURES = frozenset(("img", "picture", "source", "image", "svg", "video"))
# Elements that are items where several of them stand side by side.
_ITEMS = frozenset(("li", "article", "section", "div", "details", "figure", "a", "dl", "tbody", "option"))
_PLAIN_BOXES = frozenset(("div", "section", "a", "dl", "tbody"))
# A heading inside of one of these is none for what stands outside.
_SECTIONS = frozenset(
    ("article", "section", "nav", "aside", "footer", "li", "td", "th", "details", "dialog", "figure")
)
_LEVELS = frozenset(LEVELS)
_REGIONS = {"nav": "Navigation", "aside": "Side column", "footer": "Footer"}
_NAMED_BY = ("name", "title", "label", "headline", "summary", "id", "key", "slug", "code", "symbol", "guid")
_EMPHASIS = frozenset(("a", "b", "strong", "summary", "legend", "figcaption", "caption", "dt", "label"))
_LEAD_IN = re.compile(r"(?<!\w)([^:.!?;\n|]{1,60}?)\s*:\s*$")
_TITLE_CLASS = re.compile(r"(?:^|[\s_-])(?:title|name|headline|heading)(?:$|[\s_-])", re.IGNORECASE)
_BETWEEN_PARTS = re.compile(r"\s+[|·•–—:»/-]+\s+|\s*[|»]\s*")
_LETTER = re.compile(r"[^\W\d_]")


def title_of(digest: PageDigest) -> str:
    """Returns the title of a page or, without one, its first heading."""
    return cut(digest.title, _LONGEST_TITLE) or Naming(digest).first_heading


def parts_of(title: str) -> list[str]:
    """Returns the parts of a title. Mostly the first says what the page is about and the last names the site,
    as in "Polaris sofa – The lamp shop"."""
    return [part for part in _BETWEEN_PARTS.split(title) if part]


class Name(NamedTuple):
    """`label` says what a node is, `section` where on the page it stands. Each may be the other."""

    label: str
    section: str


class Naming:
    """The names of the nodes of one whole page. Names are kept, because many changes stand side by side."""

    def __init__(self, digest: PageDigest) -> None:
        self._digest = digest
        self._names: dict[int, Name] = {}
        self._columns: dict[int, list[str]] = {}
        self._cells: dict[int, list[int]] = {}
        self._items: dict[int, str] = {}
        self._texts: dict[int, str] = {}

    def of(self, node: int) -> Name:
        """Returns the name of an element; of a text, that of its element."""
        if node not in self._names:
            self._names[node] = self._named(node)
        return self._names[node]

    def _named(self, node: int) -> Name:
        if self._digest.kind in ("json", "xml") and not self._digest.is_html:
            return self._by_keys(node)
        if not self._digest.is_html:
            return Name(self.title, self.title)
        parts, root = self._parts(node)
        section = self._section(root)
        parts = list(dict.fromkeys(filter(None, parts)))
        return Name(JOINT.join(parts) or section, section)

    @cached_property
    def title(self) -> str:
        return cut(self._digest.title)

    # --- texts ------------------------------------------------------------------------------------

    def text(self, node: int) -> str:
        """Returns the text of a node on one line; of a very long text only the beginning."""
        if node not in self._texts:
            pieces = self._digest.pieces
            edges = node, node + min(int(self._digest.sizes[node]), _READ)
            first, last = pieces.nodes.searchsorted(edges).tolist()
            texts = [pieces.table[index] for index in pieces.indices[first:last].tolist()]
            self._texts[node] = " ".join(" ".join(texts)[: 20 * LONGEST].split())
        return self._texts[node]

    def link_text(self, node: int) -> str:
        """Returns what a link is called: its text, the text of its picture, or what it says for readers of
        the screen."""
        written = self.text(node)
        return cut(written or self._said(node) or self._alt(node))

    def picture(self, node: int) -> str:
        """Returns what a picture shows: its alternative text, its caption or its title."""
        figure = self._named_around(node, "figure")
        caption = self._first(figure, ("figcaption",)) if figure >= 0 else ""
        return cut(self._digest.attribute(node, "alt") or caption or self._said(node))

    def _said(self, node: int) -> str:
        attributes = self._digest.attributes(node)
        return next((attributes[name] for name in ("aria-label", "title", "alt") if attributes.get(name)), "")

    def _alt(self, node: int) -> str:
        end = node + min(int(self._digest.sizes[node]), _READ)
        for one in range(node + 1, end):
            if self._digest.tag(one) in ("img", "svg") and (said := self._said(one)):
                return said
        return ""

    def _first(self, root: int, tags: Iterable[str]) -> str:
        """Returns the first text of an element with one of these names below a node."""
        digest = self._digest
        wanted = {digest.tag_index[tag] for tag in tags if tag in digest.tag_index}
        if not wanted:
            return ""
        run = digest.tags[root + 1 : root + min(int(digest.sizes[root]), _READ)]
        for place in (np.isin(run, list(wanted))).nonzero()[0][:_ASIDE].tolist():
            if text := self.text(root + 1 + place):
                return text
        return ""

    # --- HTML -------------------------------------------------------------------------------------

    def around(self, node: int) -> Iterator[tuple[int, str]]:
        """Yields the node and its ancestors with their names, the nearest first."""
        digest = self._digest
        names, tags, parents = digest.tag_names, digest.tags, digest.parents
        for _ in range(_HIGHEST):
            if node <= 0:
                return
            yield node, names[tags[node]]
            node = int(parents[node])

    def _named_around(self, node: int, name: str) -> int:
        """Returns the nearest element of this name: the node or one of its ancestors; -1 if there is none."""
        return next((one for one, tag in self.around(node) if tag == name), -1)

    def _before(self, node: int, most: int = _ASIDE) -> list[int]:
        """Returns the siblings right before a node that begin not too far from it, the nearest first."""
        parents = self._digest.parents
        parent, first, one = parents[node], max(0, node - _READ), node - 1
        near: list[int] = []
        while first <= one != parent and len(near) < most:
            while (above := int(parents[one])) != parent:
                one = above
            if one >= first:
                near.append(one)
            one -= 1
        return near

    def _after(self, node: int, most: int) -> list[int]:
        """Returns the siblings right behind a node that begin not too far from it, the nearest first."""
        parents, sizes = self._digest.parents, self._digest.sizes
        parent, one = parents[node], node + int(sizes[node])
        end = min(len(parents), one + _READ)
        near: list[int] = []
        while one < end and parents[one] == parent and len(near) < most:
            near.append(one)
            one += int(sizes[one])
        return near

    def _parts(self, node: int) -> tuple[list[str], int]:
        """Returns the parts of a name, the most general first, and the element in whose section the node
        stands. Without parts only the section names the node."""
        digest = self._digest
        own = self.text(node)
        tag = digest.tag(node)
        if tag == "title":
            return ["Title of the page"], node
        found: list[str] = []
        if tag in _PICTURES and (picture := self.picture(node)):
            return [picture], node
        if tag in _FIELDS or tag == "option":
            found.append(self._field(node))
        if not found and (lead := self._lead_in(node)):
            found.append(lead)
        for one, tag in self.around(node):
            if tag in _CELLS and (cell := self._cell(one, own)):
                return [*cell, *found], one
            if tag == "dd" and (term := self._term(one)):
                found.append(term)
            elif tag == "tr" and one == node:
                return found, node
            elif tag in _ITEMS and (title := self.item(one)) and title not in own:
                return [title, *found], one
        return found, node

    def _cell(self, cell: int, own: str) -> list[str]:
        """Returns the name of the row and the heading of the column; [] for the cell of a layout."""
        row, table = self._named_around(cell, _ROWS), self._named_around(cell, "table")
        if row < 0 or table < 0:
            return []
        cells = self._cells_of(row)[:_ASIDE]
        name = self._row_name(cells, cell)
        headings = self._headings(table)
        if headings and self._first_row(table) == row:
            return []
        place = cells.index(cell) if cell in cells else -1
        heading = headings[place] if 0 <= place < len(headings) and len(cells) <= len(headings) else ""
        return [part for part in (cut(name), heading) if part and part != own]

    def _cells_of(self, row: int) -> list[int]:
        """Returns the cells of a row. Many of the cells that are asked for stand in the same row."""
        if row not in self._cells:
            digest = self._digest
            self._cells[row] = [one for one in digest.children(row) if digest.tag(one) in _CELLS]
        return self._cells[row]

    def _row_name(self, cells: Iterable[int], cell: int) -> str:
        """Returns the text of the first cell before this one that can be a name."""
        names = (self.text(one) for one in cells if one < cell)
        return next((text for text in names if _is_name(text)), "")

    def _headings(self, table: int) -> list[str]:
        """Returns the headings of the columns of a table."""
        if table not in self._columns:
            self._columns[table] = self._read_headings(table)
        return self._columns[table]

    def _read_headings(self, table: int) -> list[str]:
        digest = self._digest
        row = self._first_row(table)
        if row < 0:
            return []
        cells = self._cells_of(row)[: 5 * _ASIDE]
        in_head = digest.tag(digest.parent(row)) == "thead"
        if not in_head and not all(digest.tag(one) == "th" for one in cells):
            return []
        if any(digest.attribute(one, "colspan") for one in cells):
            return []
        return [cut(self.text(one)) for one in cells]

    def _first_row(self, table: int) -> int:
        rows, end = self._rows, table + int(self._digest.sizes[table])
        place = int(rows.searchsorted(table))
        return int(rows[place]) if place < len(rows) and rows[place] < end else -1

    @cached_property
    def _rows(self) -> arrays.Longs:
        return self._digest.nodes_of(_ROWS)

    def _term(self, description: int) -> str:
        """Returns the term before a description."""
        for one in self._before(description):
            if self._digest.tag(one) == "dt":
                return cut(self.text(one).rstrip(" :"))
        return ""

    def _field(self, node: int) -> str:
        """Returns the label of a field; of an option, that of its select."""
        digest = self._digest
        if digest.tag(node) == "option":
            select = self._named_around(node, "select")
            node = select if select >= 0 else node
        attributes = digest.attributes(node)
        label = self._labels.get(attributes.get("id", ""), -1)
        if label < 0:
            label = self._named_around(node, "label")
        written = self.text(label).rstrip(" :*") if label >= 0 else ""
        said = next((attributes[name] for name in _SAID_BY_FIELDS if attributes.get(name)), "")
        return cut(written or said)

    @cached_property
    def _labels(self) -> dict[str, int]:
        """The labels by the ids of their fields."""
        digest = self._digest
        rows = digest.rows_of("for").tolist()
        return {
            digest.attribute_values[digest.attribute_value[row]]: int(digest.attribute_node[row])
            for row in reversed(rows)
        }

    def _lead_in(self, node: int) -> str:
        """Returns the text right before a node on its line if it ends with a colon, as in "Price: 12"."""
        digest = self._digest
        parent = int(digest.parents[node])
        if parent < 0 or digest.tag(node) in _LINES:
            return self._lead_in_own(node)
        text = " ".join([self.text(one) for one in reversed(self._before(node, 3))]).rstrip()
        # Most lines have no colon here, and the expression tries every place.
        match = _LEAD_IN.search(text[-2 * LONGEST :]) if text.endswith(":") else None
        name = match[1].strip() if match else ""
        return cut(name) if _is_name(name) else self._lead_in_own(node)

    def _lead_in_own(self, node: int) -> str:
        """Returns the words before the colon of a short line such as "Price: 12"."""
        text = self.text(node)
        head, colon, tail = text.partition(":")
        if not colon or not tail.startswith(" ") or len(text) > 2 * LONGEST:
            return ""
        return head.strip() if len(head) <= LONGEST // 2 and _is_name(head) and len(head.split()) <= 5 else ""

    def item(self, node: int) -> str:
        """Returns the title of an item that stands among others of its sort; "" if the node is no such
        item."""
        if node not in self._items:
            is_item = self._digest.tag(node) in _ITEMS and self._is_item(node)
            self._items[node] = cut(self._title_in(node)) if is_item else ""
        return self._items[node]

    def _is_item(self, node: int) -> bool:
        """Tells whether an element is an item of a list, or a box beside boxes of the same name and class, as
        the cards of a shop are."""
        digest = self._digest
        if not 3 <= int(digest.sizes[node]) <= _READ:
            return False
        tag = int(digest.tags[node])
        if digest.tag_names[tag] not in _PLAIN_BOXES:
            return True
        kind = digest.attribute(node, "class")
        if kind is None:
            return False
        near = self._before(node, 2) + self._after(node, 2)
        return any(digest.tags[one] == tag and digest.attribute(one, "class") == kind for one in near)

    def _title_in(self, node: int) -> str:
        """Returns the title of an item: its heading, what is marked as name or title, or its first link or
        strong words."""
        digest = self._digest
        end = node + int(digest.sizes[node])
        nodes, _ = self._headings_and_ends
        inside = nodes[nodes.searchsorted(node) : nodes.searchsorted(end)][:_ASIDE].tolist()
        likely = chain(inside, self._marked(node, end))
        named = (text for one in likely if _is_name(text := self.text(one)))
        return next(named, "") or self._strong(node, end)

    def _strong(self, node: int, end: int) -> str:
        """Returns the link or the strong words that an item begins with."""
        tags = enumerate(self._digest.tags[node + 1 : end].tolist(), node + 1)
        first = islice((one for one, tag in tags if tag in self._emphatic), 3)
        whole = self.text(node)
        return next(
            (text for one in first if _is_name(text := self.text(one)) and whole.startswith(text)), ""
        )

    @cached_property
    def _emphatic(self) -> frozenset[int]:
        """The numbers of the tags of links and strong words."""
        index = self._digest.tag_index
        return frozenset(index[tag] for tag in _EMPHASIS & index.keys())

    def _marked(self, first: int, end: int) -> Iterator[int]:
        """Yields the nodes of a run whose class or `itemprop` says that they are a name or title."""
        digest = self._digest
        starts = digest.attribute_start
        begin = int(starts[first + 1])
        names = digest.attribute_name[begin : int(starts[end])].tolist()
        wanted = [digest.attribute_index.get(name, -1) for name in ("class", "itemprop")]
        for row, name in enumerate(names, begin):
            if name in wanted and _says_title(digest.attribute_values[digest.attribute_value[row]]):
                yield int(digest.attribute_node[row])

    # --- sections ---------------------------------------------------------------------------------

    def _section(self, node: int) -> str:
        """Returns the caption of the table around a node, the nearest heading before it, or the title of the
        page."""
        digest = self._digest
        region = ""
        for one, tag in self.around(node):
            if tag == "table" and (caption := self._caption(one)):
                return caption
            if tag in _REGIONS:
                inside = self._heading_before(node, one)
                region = inside or cut(digest.attribute(one, "aria-label") or "") or _REGIONS[tag]
                break
        return region or self._heading_before(node, 0) or self.title or self.first_heading

    def _caption(self, table: int) -> str:
        digest = self._digest
        if "caption" not in digest.tag_index:
            return ""
        captions = [one for one in digest.children(table)[:3] if digest.tag(one) == "caption"]
        return cut(self.text(captions[0])) if captions else ""

    def _heading_before(self, node: int, root: int) -> str:
        """Returns the nearest heading before a node, inside of `root`, that is not the heading of another
        section."""
        nodes, ends = self._headings_and_ends
        last = int(nodes.searchsorted(node))
        near = slice(max(0, last - _BACK), last)
        level = self._level(node)
        for heading in nodes[near][ends[near] > node][::-1].tolist():
            if heading <= root:
                break
            if (not level or self._level(heading) < level) and (text := self.text(heading)):
                return cut(text)
        return ""

    def _level(self, node: int) -> int:
        tag = self._digest.tag(node)
        return int(tag[1]) if tag in _LEVELS else 0

    @cached_property
    def _headings_and_ends(self) -> tuple[arrays.Longs, arrays.Longs]:
        return _headings_and_ends(self._digest)

    @cached_property
    def first_heading(self) -> str:
        if not self._digest.is_html:
            return ""
        nodes, _ = self._headings_and_ends
        return next((cut(text) for node in nodes[:_BACK].tolist() if (text := self.text(node))), "")

    # --- JSON and XML -----------------------------------------------------------------------------

    def _by_keys(self, node: int) -> Name:
        """Returns the keys on the way to a node. An item of a list is called by its name, title or id."""
        digest = self._digest
        keys: list[str] = []
        own, listed = self.text(node), -1
        for one, _ in self.around(node):
            if digest.is_text[one] or one in (self._root, listed):
                continue
            name = self._member_name(one)
            if name and name != own:
                keys.append(name)
                break
            keys.append(self._key(one))
            if digest.kind != "json" and self._stands_in_list(one):
                break
            if digest.kind == "json" and digest.attribute(one, "key") is None:
                listed = digest.parent(one)  # the key of an item says the key of its list
        keys.reverse()
        label = JOINT.join(dict.fromkeys(filter(None, keys[-3:])))
        return Name(label or self.title or self._key(node), self.title or self._key(self._root))

    @cached_property
    def _root(self) -> int:
        return 1 if len(self._digest) > 1 else 0

    def _key(self, node: int) -> str:
        digest = self._digest
        if digest.kind != "json":
            return cut(digest.tag(node).rpartition(":")[2])
        key = digest.attribute(node, "key")
        if key is not None:
            return cut(key)
        parent = digest.parent(node)
        listed = digest.attribute(parent, "key") if parent > 0 else None
        return cut(f"{listed or 'item'} {int(digest.ranks[node]) + 1}") if parent >= 0 else ""

    def _member_name(self, node: int) -> str:
        """Returns the name of an element that stands in a list: what its member `name`, `title` or `id`
        says."""
        digest = self._digest
        if not self._stands_in_list(node):
            return ""
        if digest.kind != "json":
            attributes = digest.attributes(node)
            said = next((attributes[name] for name in _NAMED_BY if attributes.get(name)), "")
        else:
            said = ""
        members = {self._key(one).lower(): one for one in reversed(digest.children(node)[: 2 * _ASIDE])}
        written = next(
            (text for name in _NAMED_BY if name in members and (text := self.text(members[name]))), ""
        )
        return cut(written or said)

    def _stands_in_list(self, node: int) -> bool:
        digest = self._digest
        if digest.structure[node] == 0:
            return False
        if digest.kind == "json":
            return digest.attribute(node, "key") is None and digest.tag(node) == "object"
        return int(digest.places.total[node]) > 1 or digest.tag(node).rpartition(":")[2] in ("item", "entry")


_SAID_BY_FIELDS = ("aria-label", "placeholder", "title", "name")
# Blocks that stand in a line like words do.
_INLINE_BOXES = frozenset(("button", "input", "select", "textarea", "option", "dd"))
_LINES = BLOCKS - _INLINE_BOXES


@kept_of_tree
def _headings_and_ends(digest: PageDigest) -> tuple[arrays.Longs, arrays.Longs]:
    """Returns the visible headings, and for each where the section ends that it stands in."""
    nodes = heading_nodes(digest)
    if not len(nodes):
        return nodes, nodes
    homes = arrays.enclosing(digest.is_tag(_SECTIONS), digest.sizes)[nodes]
    homes[homes < 0] = 0
    return nodes, homes + digest.sizes[homes]


@lru_cache(4096)
def _says_title(words: str) -> bool:
    """Tells whether a class or property says that something is a name or title."""
    return len(words) < 200 and _TITLE_CLASS.search(words) is not None


def cut(text: str, longest: int = LONGEST) -> str:
    """Returns a text on one line, of at most so many characters. It is cut behind a word where words are
    apart."""
    # The text is cut before its white space is collapsed, too, because it may have megabytes.
    line = " ".join(text[: 20 * longest].split())
    if len(line) <= longest:
        return line
    kept = line[:longest]
    behind = kept.rfind(" ")
    return kept[: behind if behind > longest // 2 else longest - 1].rstrip(" ,;:") + "…"


def _is_name(text: str) -> bool:
    """Tells whether a text can name something: it has a letter and is short."""
    return bool(text) and len(text) <= 2 * LONGEST and _LETTER.search(text) is not None
