"""Findings in, the same findings out with what a person needs to understand each object.

That is its name, the sentence, row or item around it with the changed words marked, and the text of a link.

This is done for findings that are told, once, when a change is recorded: the versions of the page may be
removed later, and the change must still be readable. Of very many objects the first of each status are
described; the others have the title of the page as their name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import islice

from webvigil.detect.alignment import word_gaps
from webvigil.detect.lcs import likeness
from webvigil.detect.rowwise import rowwise
from webvigil.document import PageDigest, jsonpath
from webvigil.document.links import PICTURES
from webvigil.document.naming import Name, Naming, cut
from webvigil.document.paths import node_at
from webvigil.document.reading import Reading, equal_ends, lines_around
from webvigil.errors import PatternRefused
from webvigil.model.change import CELL_JOINT, Finding, ObjectChange, Range, Status, Surrounding

# Objects of one finding that are described. A notice tells 50 of them, a screen shows about as many.
DESCRIBED = 100
# The most characters of a surrounding, on each side.
LONGEST = 300
_LINE_OF_TEXT = re.compile(r"/text\(\)(?:\[(\d+)\])?")
# A path into a table or a list.
_IN_ROWS = re.compile(r"/(?:table|ul|ol)\b")
_CELL = re.compile(r"/t[dh](?:\[\d+\])?$")
_WORD = re.compile(r"\d[\d.,]*\d|\w+|[^\w\s]")
_Words = list[re.Match[str]]
_SENTENCE_END = re.compile(r"[.!?…]\s+")
# Deeper than any page in a browser. What stands deeper is called by the title of the page.
_DEEPEST = 600
# Elements around a text that are asked whether they are a row: a cell holds its text a few elements deep.
_ABOVE = 6
# Occurrences of an old text that are tried when its place is not known.
_TRIED = 20


def in_context(old: PageDigest, new: PageDigest, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Returns the findings between two versions with their objects described. Both digests may be parts of
    their pages; what names an object may stand outside of the part."""
    context = Context(old, new)
    return tuple(map(context.described, findings))


class Context:
    """Both versions of a page. What was read of them once is kept for the next finding."""

    def __init__(self, old: PageDigest, new: PageDigest) -> None:
        self._old = _Page(old.whole)
        self._new = _Page(new.whole)
        self._known: dict[ObjectChange, ObjectChange] = {}

    def described(self, finding: Finding) -> Finding:
        """Returns a finding with its objects described."""
        if not finding.objects:
            return finding
        old, new = self._old, self._new
        if finding.type == "any change" and _is_in_rows(finding):
            finding = rowwise(old.digest, new.digest, old.node, new.node, finding)
        chosen = _described(finding.objects)
        told = (
            self._once(finding.type, one) if place in chosen else self._titled(one)
            for place, one in enumerate(finding.objects)
        )
        return replace(finding, objects=tuple(told))

    def _titled(self, one: ObjectChange) -> ObjectChange:
        """Returns an object with the title of the page as its name."""
        title = self._new.naming.title or self._old.naming.title
        return one._replace(label=title, section=title)

    def label(self, one: ObjectChange) -> str:
        """Returns what an object is, or "" if nothing names it."""
        page = self._old if one.status is Status.GONE else self._new
        node = page.node(one.where[0]) if one.where else -1
        return page.name(node, one.where[0]).label if node >= 0 else ""

    def _once(self, kind: str, one: ObjectChange) -> ObjectChange:
        """Describes an object. Several change types may have found the same one."""
        if one not in self._known:
            self._known[one] = self._object(kind, one)
        return self._known[one]

    def _object(self, kind: str, one: ObjectChange) -> ObjectChange:
        if one.label:
            return one
        gone = one.status is Status.GONE
        page = self._old if gone else self._new
        node = page.node(one.where[0]) if one.where else -1
        if node < 0:
            title = page.naming.title
            return one._replace(label=title, section=title)
        name = page.name(node, one.where[0])
        around = self._surrounding(one, page, node)
        tag = page.digest.tag(node)
        if page.digest.is_html and tag in ("td", "th") and is_column(one):
            name = name._replace(label=cut(one.object))
        is_line = tag in _LINES and not (around and around.is_part)
        if is_line and one.old is None and kind in _BY_ROWS:
            name = name._replace(label=page.naming.item(node) or cut(one.object))
        if kind == "attributes" and one.status is Status.UPDATED:
            attribute = one.object.rpartition("@")[2]
            name = name._replace(label=" · ".join(filter(None, (name.label, attribute))))
        return one._replace(
            label=name.label,
            section=name.section,
            surrounding=around,
            link_text=page.naming.link_text(node) if _is_link(kind, one) else "",
        )

    def _surrounding(self, one: ObjectChange, page: _Page, node: int) -> Surrounding | None:
        """Returns what stands around an object, on both sides where both are there."""
        # Of a column the row of headings is shown.
        heading = one.object if is_column(one) else ""
        if one.status is Status.GONE:
            line = page.line(node, heading or one.before or "")
            return Surrounding(before=line.text, before_marks=line.marks) if line else _alone(one)
        now = page.line(node, heading or one.after or "")
        if now is None:
            return _alone(one)
        if one.status is not Status.UPDATED or not one.before:
            return Surrounding(after=now.text, after_marks=now.marks)
        was = self._old.line_like(one, now)
        if was is None:
            return Surrounding(after=now.text, after_marks=now.marks)
        before, after = marked(was.text, now.text)
        if page.is_row(node):  # Other cells of the row may have changed, too; they are objects of their own.
            before = _inside(before, was.marks) or before
            after = _inside(after, now.marks) or after
        return Surrounding(was.text, now.text, before or was.marks, after or now.marks)


def _described(objects: Sequence[ObjectChange]) -> Collection[int]:
    """Returns the places of the objects that are described: the first ones, and of many the first of each
    status, so that what came has a name also where very much went."""
    if len(objects) <= DESCRIBED:
        return range(len(objects))
    places: dict[Status, list[int]] = {}
    for place, one in enumerate(objects):
        places.setdefault(one.status, []).append(place)
    each = DESCRIBED // len(places)
    chosen = {place for some in places.values() for place in some[:each]}
    others = (place for place in range(len(objects)) if place not in chosen)
    return chosen | set(islice(others, DESCRIBED - len(chosen)))


class _Page:
    """One version: its nodes by their paths, their names, and the lines around them."""

    def __init__(self, digest: PageDigest) -> None:
        self.digest = digest
        self.naming = Naming(digest)
        self._nodes: dict[str, int] = {}
        self._passages: dict[int, _Passage] = {}
        self._rows: dict[int, int] = {}
        self._read = 0  # texts in all lines that were read

    def name(self, node: int, path: str) -> Name:
        name = self.naming.of(node)
        attribute = path.rpartition("/@")[2] if "/@" in path else ""
        if attribute and self.digest.kind == "xml":
            return name._replace(label=f"{name.label} · {attribute}")
        return name

    # --- nodes ------------------------------------------------------------------------------------

    def node(self, path: str) -> int:
        """Returns the element at a path, or -1. The path of a text or attribute leads to its element."""
        if path not in self._nodes:
            self._nodes[path] = self._found(path)
        return self._nodes[path]

    def _found(self, path: str) -> int:
        if self.digest.kind == "json":
            try:
                return jsonpath.node_at(self.digest, path)
            except PatternRefused:
                return -1
        if path.count("/") > _DEEPEST:
            return -1
        if self.digest.kind == "text" and (line := _LINE_OF_TEXT.fullmatch(path)):
            number = int(line[1] or 1)
            return number if number < len(self.digest) else 0
        return node_at(path, self.digest.tags, self.digest.sizes, self.digest.tag_index)

    # --- lines ------------------------------------------------------------------------------------

    def line(self, node: int, wanted: str) -> Line | None:
        """Returns the row, item or sentence at a node, and where in it the wanted text stands."""
        digest = self.digest
        if not digest.is_html:
            text = self.naming.text(node)
            return _cut_around(text, _place(text, wanted)) if text else None
        whole = wanted
        row = self._row(node)
        passage = self._passage(row if row >= 0 else node)
        text, (start, end) = passage.text, passage.extent
        if start == end:
            return None
        # A short text such as a number may also stand elsewhere in the row.
        at = _found_in(text, passage.extent_of(digest, node), wanted)
        if at < 0:
            at = _found_in(text, (start, end), wanted)
        if at < 0:
            at, wanted = start, ""
        first, last = _line_edges(text, at) if row < 0 else (start, end)
        shown = text[first:last].replace("\n", CELL_JOINT)
        # The joint of a row is longer than the line break that it stands for.
        offset = at - first + 2 * text.count("\n", first, at)
        mark = (offset, offset + len(wanted)) if wanted else None
        if mark is None and whole.startswith(shown[:LONGEST]):
            mark = 0, len(shown)  # the wanted text goes on in the next lines
        return _cut_around(shown, mark) if shown else None

    def line_like(self, one: ObjectChange, now: Line) -> Line | None:
        """Returns the line of this version that became the line `now`."""
        before = one.before or ""
        node = self.node(one.where[0])
        if node >= 0:
            line = self.line(node, before)
            if line is not None and line.marks:
                return line
        return self._most_alike(before, now) if self.digest.is_html else None

    def _most_alike(self, before: str, now: Line) -> Line | None:
        if not before or len(before) > LONGEST:
            return None
        text = self.digest.visible_text
        found: list[tuple[float, int]] = []
        at = text.find(before)
        while at >= 0 and len(found) < _TRIED:
            first, last = _line_edges(text, at)
            common = likeness(text[first:last][:LONGEST], now.text)
            if not (text[at - 1 : at].isalnum() or text[at + len(before) : at + len(before) + 1].isalnum()):
                found.append((common, -at))
            at = text.find(before, at + 1)
        if not found:
            return None
        return self.line(self.digest.shown.node_at(-max(found)[1]), before)

    def _passage(self, node: int) -> _Passage:
        """Returns the lines around a node."""
        if node not in self._passages:
            self._passages[node] = _Passage(self.digest, node, self._lines(node))
        return self._passages[node]

    def _lines(self, node: int) -> Reading:
        """Returns a text that has the lines around a node: these lines alone or, once as much was read as the
        page has, the whole text. Elements inside of each other, or in one long line, share their lines."""
        if self._read > len(self.digest.pieces.nodes):
            return self.digest.shown
        lines = lines_around(self.digest, node)
        self._read += len(lines.nodes)
        return lines

    def is_row(self, node: int) -> bool:
        return self._row(node) >= 0

    def _row(self, node: int) -> int:
        """Returns the row or the short item around a node, or -1 if it stands in none."""
        if node not in self._rows:
            self._rows[node] = self._find_row(node)
        return self._rows[node]

    def _find_row(self, node: int) -> int:
        for one, tag in islice(self.naming.around(node), _ABOVE):
            if tag in _LINES:
                start, end = self._passage(one).extent
                return one if 0 < end - start <= 2 * LONGEST else -1
        return -1


class _Passage:
    """A text with the whole lines in which the visible text below a node stands, and where in it that text
    does."""

    __slots__ = ("_lines", "extent", "text")

    def __init__(self, digest: PageDigest, node: int, lines: Reading) -> None:
        self._lines = lines
        self.text = self._lines.text
        self.extent = self.extent_of(digest, node)

    def extent_of(self, digest: PageDigest, node: int) -> Range:
        """Returns where the text below a node begins and ends."""
        lines = self._lines
        first, last = lines.nodes.searchsorted((node, node + int(digest.sizes[node]))).tolist()
        if first == last:
            return 0, 0
        start = int(lines.starts[first])
        if last == len(lines.nodes):
            return start, len(self.text)
        return start, start + len(self.text[start : int(lines.starts[last])].rstrip())


class Line:
    """A text and the marked ranges in it."""

    __slots__ = ("marks", "text")

    def __init__(self, text: str, marks: tuple[Range, ...]) -> None:
        self.text = text
        self.marks = marks


def _is_in_rows(finding: Finding) -> bool:
    """Tells whether a changed object stands in a table or a list."""
    return any(one.where and _IN_ROWS.search(one.where[0]) for one in finding.objects)


def is_column(one: ObjectChange) -> bool:
    """Tells whether an object in a cell is a column that came, went or moved: its cells are told in one
    text."""
    if not one.where or not _CELL.search(one.where[0]):
        return False
    if one.status is Status.MOVED:
        return True
    return one.status is not Status.UPDATED and CELL_JOINT in (one.after or one.before or "")


def marked(before: str, after: str) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
    """Returns the ranges in which two lines differ, word by word."""
    words, others = _differing_words(before, after)
    changed = word_gaps([one[0] for one in words], [one[0] for one in others])
    gone = ((words[start], words[end - 1]) for start, end, _, _ in changed if start < end)
    come = ((others[start], others[end - 1]) for _, _, start, end in changed if start < end)
    return tuple(_joined(gone, before)), tuple(_joined(come, after))


def _differing_words(before: str, after: str) -> tuple[_Words, _Words]:
    """Returns the words of two lines, mostly without those that both lines begin and end with."""
    same, alike = equal_ends(before, after)
    start = before.rfind(" ", 0, same) + 1
    behind = before.find(" ", len(before) - alike)
    rest = len(before) - behind if behind >= 0 else 0
    words = list(_WORD.finditer(before, start, len(before) - rest))
    others = list(_WORD.finditer(after, start, len(after) - rest))
    if words and others and words[0][0] == others[0][0]:
        # Both go on with the same words, but with other white space between them. Which of the words further
        # on are the same is decided from the beginning, not from the end.
        return list(_WORD.finditer(before, start)), list(_WORD.finditer(after, start))
    return words, others


def _joined(runs: Iterable[tuple[re.Match[str], re.Match[str]]], text: str) -> list[Range]:
    """Returns ranges, with those joined that have nothing but signs between them."""
    found: list[Range] = []
    for first, last in runs:
        if found and not any(map(str.isalnum, text[found[-1][1] : first.start()])):
            found[-1] = found[-1][0], last.end()
        else:
            found.append((first.start(), last.end()))
    return found


def _alone(one: ObjectChange) -> Surrounding | None:
    """Returns the texts of an object that stands on no visible line, such as the title of the page."""
    before, after = (cut(text or "", LONGEST) for text in (one.before, one.after))
    return Surrounding(before, after, *marked(before, after)) if before or after else None


def _inside(ranges: tuple[Range, ...], marks: tuple[Range, ...]) -> tuple[Range, ...]:
    """Returns the parts of the ranges that lie within the first mark; without a mark all ranges."""
    if not marks:
        return ranges
    first, last = marks[0]
    cut_off = ((max(start, first), min(end, last)) for start, end in ranges)
    return tuple((start, end) for start, end in cut_off if start < end)


def _is_apart(text: str, start: int, stop: int, end: int) -> bool:
    """Tells whether no letter or digit stands right before or after a range; the text is read up to `end`."""
    return not ((start and _is_letter(text[start - 1])) or (stop < end and _is_letter(text[stop])))


def _is_letter(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _found_in(text: str, extent: Range, wanted: str) -> int:
    """Returns where a text stands in a range of another, at the border of a word if possible; -1 if it does
    not."""
    if not wanted or len(wanted) > LONGEST:
        return -1
    start, end = extent
    at = first = text.find(wanted, start, end)
    while at >= 0 and not _is_apart(text, at, at + len(wanted), end):
        at = text.find(wanted, at + 1, end)
    return at if at >= 0 else first


def _line_edges(text: str, at: int) -> Range:
    """Returns where the line around a place begins and ends."""
    last = text.find("\n", at)
    return text.rfind("\n", 0, at) + 1, last if last >= 0 else len(text)


def _place(text: str, wanted: str) -> Range | None:
    at = text.find(wanted) if wanted else -1
    return (at, at + len(wanted)) if at >= 0 else None


def _cut_around(text: str, mark: Range | None) -> Line:
    """Returns the sentences around a mark, of at most `LONGEST` characters."""
    if len(text) <= LONGEST:
        return Line(text, (mark,) if mark else ())
    start, end = mark or (0, 0)
    first = max(
        (one.end() for one in _SENTENCE_END.finditer(text, max(0, start - LONGEST), start)), default=0
    )
    if start - first > LONGEST // 2:
        first = start - LONGEST // 2
        first = text.find(" ", first, start) + 1 or first
    lead = "… " if first else ""
    kept = text[first : first + LONGEST - len(lead) - 1]
    stop = _SENTENCE_END.search(text, max(end, first + 1), first + len(kept))
    if stop:
        kept = text[first : stop.start() + 1]
    shown = lead + kept.rstrip() + ("" if first + len(kept) >= len(text) or stop else "…")
    if mark is None:
        return Line(shown, ())
    shift = len(lead) - first
    return Line(shown, ((start + shift, min(end + shift, len(shown))),))


def _is_link(kind: str, one: ObjectChange) -> bool:
    if one.old is None or kind not in ("all links", "any change"):
        return False
    return not _PICTURE.search(one.where[0])


_LINES = ("tr", "li")
_BY_ROWS = ("any change", "table", "list")
_PICTURE = re.compile(rf"/(?:{'|'.join(PICTURES)})(?:\[\d+\])?$")
