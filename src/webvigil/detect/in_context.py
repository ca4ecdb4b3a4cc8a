"""Findings in, the same findings out with what a person needs to understand each object.

That is its name, the sentence, row or item around it with the changed words marked, and the text of a link.

This is done for findings that are told, once, when a change is recorded: the versions of the page may be
removed later, and the change must still be readable. Of very many objects the first are described; the others
have the title of the page as their name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from rapidfuzz.distance import LCSseq

from webvigil.detect.rowwise import rowwise
from webvigil.document import PageDigest, jsonpath
from webvigil.document.arrays import Mask
from webvigil.document.images import ELEMENTS as PICTURES
from webvigil.document.naming import Name, Naming, cut
from webvigil.errors import PatternRefused
from webvigil.model.change import CELL_JOINT, Finding, ObjectChange, Range, Status, Surrounding
from webvigil.model.memo import cached_property

# Objects of one finding that are described. A notice tells 50 of them, a screen shows about as many.
DESCRIBED = 100
# The most characters of a surrounding, on each side.
LONGEST = 300
_STEP = re.compile(r"/([^/\[]+)(?:\[(\d+)\])?")
_CELL = re.compile(r"/t[dh](?:\[\d+\])?$")
_WORD = re.compile(r"\d[\d.,]*\d|\w+|[^\w\s]")
_SENTENCE_END = re.compile(r"[.!?…]\s+")
# Deeper than any page in a browser. What stands deeper is called by the title of the page.
_DEEPEST = 600
# Occurrences of an old text that are tried when its place is not known.
_TRIED = 20
# So many children are looked at one by one; among more, all nodes below are compared at once.
_FEW = 100


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
        finding = rowwise(old.digest, new.digest, old.node, new.node, finding)
        first = [self._once(finding.type, one) for one in finding.objects[:DESCRIBED]]
        title = self._new.naming.title or self._old.naming.title
        rest = [one._replace(label=title, section=title) for one in finding.objects[DESCRIBED:]]
        return replace(finding, objects=(*first, *rest))

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
        if page.digest.is_html and page.digest.tag(node) in ("td", "th") and is_column(one):
            name = name._replace(label=cut(one.object))
        is_line = page.digest.tag(node) in ("tr", "li") and not (around and around.is_part)
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


class _Page:
    """One version: its nodes by their paths, their names, and the lines around them."""

    def __init__(self, digest: PageDigest) -> None:
        self.digest = digest
        self.naming = Naming(digest)
        self._nodes: dict[str, int] = {"": 0, "/": 0}

    @cached_property
    def _text(self) -> str:
        """What a reader sees of the page; most objects are looked for in it several times."""
        return self.digest.visible_text

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
                return next(iter(jsonpath.select(self.digest, path)), -1)
            except PatternRefused:
                return -1
        if path.count("/") > _DEEPEST:
            return -1
        steps = []
        while path not in self._nodes:
            steps.append(path)
            path = path.rpartition("/")[0]
        node = self._nodes[path]
        for way in reversed(steps):
            node = self._nodes[way] = self._step(node, way.rpartition("/")[2])
        return node

    def _step(self, parent: int, step: str) -> int:
        match = _STEP.fullmatch(f"/{step}")
        if parent < 0 or match is None:
            return -1
        name, number = match[1], int(match[2] or 1)
        if name == "text()":
            return number if self.digest.kind == "text" and number < len(self.digest) else parent
        if name.startswith("@") or name.endswith(")"):
            return parent
        return self._child(parent, name, number)

    def _child(self, parent: int, name: str, number: int) -> int:
        digest = self.digest
        tag = digest.tag_index.get(name)
        if tag is None:
            return -1
        if int(digest.structure[parent]) <= _FEW:
            return self._walked_to(parent, tag, number)
        run = slice(parent + 1, parent + int(digest.sizes[parent]))
        found = ((digest.parents[run] == parent) & (digest.tags[run] == tag)).nonzero()[0]
        return parent + 1 + int(found[number - 1]) if number <= len(found) else -1

    def _walked_to(self, parent: int, tag: int, number: int) -> int:
        """Returns the child with so many children of its name up to it, or -1."""
        sizes, tags = self.digest.sizes, self.digest.tags
        child, end = parent + 1, parent + int(sizes[parent])
        while child < end:
            number -= int(tags[child]) == tag
            if not number:
                return child
            child += int(sizes[child])
        return -1

    # --- lines ------------------------------------------------------------------------------------

    def line(self, node: int, wanted: str) -> Line | None:
        """Returns the row, item or sentence at a node, and where in it the wanted text stands."""
        digest = self.digest
        if not digest.is_html:
            text = self.naming.text(node)
            return _cut_around(text, _place(text, wanted)) if text else None
        whole = wanted
        start, end = self._extent(self._box(node))
        if start == end:
            return None
        text = self._text
        # A short text such as a number may also stand elsewhere in the row.
        at = self._found_in(self._extent(node), wanted)
        if at < 0:
            at = self._found_in((start, end), wanted)
        if at < 0:
            at, wanted = start, ""
        first, last = self._line_edges(at) if not self.is_row(node) else (start, end)
        shown = text[first:last].replace("\n", CELL_JOINT)
        # The joint of a row is longer than the line break that it stands for.
        offset = at - first + 2 * text.count("\n", first, at)
        mark = (offset, offset + len(wanted)) if wanted else None
        if mark is None and whole.startswith(shown[:LONGEST]):
            mark = 0, len(shown)  # the wanted text goes on in the next lines
        return _cut_around(shown, mark) if shown else None

    def _found_in(self, extent: Range, wanted: str) -> int:
        """Returns where a text stands in a range of the visible text, at the border of a word if possible; -1
        if it does not."""
        if not wanted or len(wanted) > LONGEST:
            return -1
        text = self._text
        whole = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)").search(text, *extent)
        return whole.start() if whole else text.find(wanted, *extent)

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
        text = self._text
        if not before or len(before) > LONGEST:
            return None
        found: list[tuple[float, int]] = []
        at = text.find(before)
        while at >= 0 and len(found) < _TRIED:
            first, last = self._line_edges(at)
            common = LCSseq.normalized_similarity(text[first:last][:LONGEST], now.text)
            if not (text[at - 1 : at].isalnum() or text[at + len(before) : at + len(before) + 1].isalnum()):
                found.append((common, -at))
            at = text.find(before, at + 1)
        if not found:
            return None
        return self.line(self.digest.shown.node_at(-max(found)[1]), before)

    def _line_edges(self, at: int) -> Range:
        text = self._text
        last = text.find("\n", at)
        return text.rfind("\n", 0, at) + 1, last if last >= 0 else len(text)

    def _extent(self, node: int) -> Range:
        """Returns where the text below a node begins and ends in the visible text."""
        shown = self.digest.shown
        edges = [node, node + int(self.digest.sizes[node])]
        first, last = shown.nodes.searchsorted(edges).tolist()
        if first == last:
            return 0, 0
        start = int(shown.starts[first])
        if last == len(shown.nodes):
            return start, len(shown.text)
        return start, start + len(shown.text[start : int(shown.starts[last])].rstrip())

    def _box(self, node: int) -> int:
        """Returns the row or the short item around a node, if it stands in one; otherwise the node."""
        row = self._row(node)
        return row if row >= 0 else node

    def is_row(self, node: int) -> bool:
        return self._row(node) >= 0

    @cached_property
    def _rows(self) -> Mask:
        return self.digest.is_tag(("tr", "li"))

    def _row(self, node: int) -> int:
        digest = self.digest
        for _ in range(6):
            if node <= 0:
                return -1
            if self._rows[node]:
                start, end = self._extent(node)
                return node if 0 < end - start <= 2 * LONGEST else -1
            node = int(digest.parents[node])
        return -1


class Line:
    """A text and the marked ranges in it."""

    __slots__ = ("marks", "text")

    def __init__(self, text: str, marks: tuple[Range, ...]) -> None:
        self.text = text
        self.marks = marks


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
    words, others = list(_WORD.finditer(before)), list(_WORD.finditer(after))
    steps = LCSseq.opcodes([one[0] for one in words], [one[0] for one in others])
    changed = [step for step in steps if step.tag != "equal"]
    gone = (
        (words[step.src_start], words[step.src_end - 1]) for step in changed if step.src_start < step.src_end
    )
    come = (
        (others[step.dest_start], others[step.dest_end - 1])
        for step in changed
        if step.dest_start < step.dest_end
    )
    return tuple(_joined(gone, before)), tuple(_joined(come, after))


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


_BY_ROWS = ("any change", "table", "list")
_PICTURE = re.compile(rf"/(?:{'|'.join(PICTURES)})(?:\[\d+\])?$")
