"""Findings and changes: the differences between two versions of a page, as values and as JSON."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, cast

if TYPE_CHECKING:
    from webvigil.model.meaning import Judgement
    from webvigil.model.shapes import FindingShape, ObjectShape, SurroundingShape


class Status(StrEnum):
    """What happened to one object. The first four signs are those of CH-Diff; `u` and `m` are additions of
    WebVigil."""

    NEW = "i"
    MORE = "i+"
    GONE = "d"
    FEWER = "d-"
    UPDATED = "u"
    MOVED = "m"


OPPOSITE = {
    Status.NEW: Status.GONE,
    Status.GONE: Status.NEW,
    Status.MORE: Status.FEWER,
    Status.FEWER: Status.MORE,
    Status.UPDATED: Status.UPDATED,
    Status.MOVED: Status.MOVED,
}


Range = tuple[int, int]


# What stands between two cells of a row, or two lines of an item, in a surrounding.
CELL_JOINT = " | "

_TOGETHER = re.compile(r"(?:.*: )?(\d[\d,]*) more")
_ANYWHERE = ("/",)


class Surrounding(NamedTuple):
    """The sentence, row or item that an object stands in, in the old and in the new version; "" for a side
    that does not exist. The ranges (start, end) mark the characters that changed in each of the two texts."""

    before: str = ""
    after: str = ""
    before_marks: tuple[Range, ...] = ()
    after_marks: tuple[Range, ...] = ()

    @property
    def is_part(self) -> bool:
        """Whether the marked words are a part of a longer cell, item or sentence."""
        line, marks = (self.after, self.after_marks) if self.after else (self.before, self.before_marks)
        if not marks:
            return False
        start, end = marks[0][0], marks[-1][1]
        begins = start == 0 or line.endswith(CELL_JOINT, 0, start)
        return not (begins and (end == len(line) or line.startswith(CELL_JOINT, end)))


class ObjectChange(NamedTuple):
    """One changed object that a reader would name. A side that does not exist is None.

    Counted objects (links, images, keywords) carry `old` and `new` counts; objects with a text of their own
    (phrases, rows, values) carry `before` and `after`. `where` holds node paths: in the new version where the
    object still exists, otherwise in the old version.

    The last four fields tell a person what the object is, and are filled in for findings that are told
    (`detect.in_context`). `label` names the object, such as `Aurora lamp · Price`; `section` names the table
    or the section of the page around the object; `link_text` is the text of a link.
    """

    object: str
    status: Status
    old: int | None = None
    new: int | None = None
    before: str | None = None
    after: str | None = None
    where: tuple[str, ...] = ()
    label: str = ""
    section: str = ""
    surrounding: Surrounding | None = None
    link_text: str = ""

    @property
    def many(self) -> int:
        """How many objects this one stands for. Where very many changed, one that is called `1,666 more`
        stands for those that are not told one by one."""
        if self.where and self.where != _ANYWHERE:
            return 1
        told = _TOGETHER.fullmatch(self.object)
        return int(told[1].replace(",", "")) if told else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The objects that one change type found between two versions."""

    type: str
    objects: tuple[ObjectChange, ...] = ()
    share: float = 0.0
    score: int = 0
    note: str = ""

    @property
    def changed(self) -> bool:
        return bool(self.objects)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The findings of a sentinel between two versions of a page, as recorded in the knowledge base.
    `title` is the title of the page."""

    id: int
    sentinel: str
    user: str
    page: int
    url: str
    old_version: int
    new_version: int
    found_at: datetime
    findings: tuple[Finding, ...]
    topic: str = ""
    seen: bool = False
    note: str = ""
    title: str = ""
    judgement: Judgement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeOutline:
    """A change without its findings: enough to count changes by day, topic or page."""

    id: int
    sentinel: str
    page: int
    url: str
    found_at: datetime
    topic: str
    seen: bool
    title: str = ""


def finding_as_json(finding: Finding) -> FindingShape:
    """Returns the finding in the documented JSON form: sides that do not exist are left out, `where` always
    is a list."""
    plain: FindingShape = {
        "type": finding.type,
        "changed": finding.changed,
        "share": round(finding.share, 4),
        "score": finding.score,
        "objects": [object_as_json(one) for one in finding.objects],
    }
    if finding.note:
        plain["note"] = finding.note
    return plain


def finding_from_json(plain: dict[str, Any]) -> Finding:
    return Finding(
        type=plain["type"],
        share=plain.get("share", 0.0),
        score=plain.get("score", 0),
        note=plain.get("note", ""),
        objects=tuple(_object_from_json(one) for one in plain.get("objects", ())),
    )


def object_as_json(one: ObjectChange) -> ObjectShape:
    sides = {"old": one.old, "new": one.new, "before": one.before, "after": one.after}
    told: dict[str, Any] = {"object": one.object, "status": str(one.status)}
    told |= {name: side for name, side in sides.items() if side is not None}
    told["where"] = list(one.where)
    names = {"label": one.label, "section": one.section, "link_text": one.link_text}
    told |= {name: text for name, text in names.items() if text}
    if one.surrounding:
        told["surrounding"] = _surrounding_as_json(one.surrounding)
    return cast("ObjectShape", told)


def _surrounding_as_json(one: Surrounding) -> SurroundingShape:
    """Returns both texts and their marks. A side that does not exist is left out."""
    told: SurroundingShape = {}
    if one.before:
        told |= {"before": one.before, "before_marks": [list(mark) for mark in one.before_marks]}
    if one.after:
        told |= {"after": one.after, "after_marks": [list(mark) for mark in one.after_marks]}
    return told


def _object_from_json(plain: dict[str, Any]) -> ObjectChange:
    return ObjectChange(
        object=plain["object"],
        status=Status(plain["status"]),
        old=plain.get("old"),
        new=plain.get("new"),
        before=plain.get("before"),
        after=plain.get("after"),
        where=tuple(plain.get("where", ())),
        label=plain.get("label", ""),
        section=plain.get("section", ""),
        surrounding=_surrounding_from_json(plain.get("surrounding")),
        link_text=plain.get("link_text", ""),
    )


def _surrounding_from_json(plain: dict[str, Any] | None) -> Surrounding | None:
    if not plain:
        return None
    return Surrounding(
        before=plain.get("before", ""),
        after=plain.get("after", ""),
        before_marks=tuple((start, end) for start, end in plain.get("before_marks", ())),
        after_marks=tuple((start, end) for start, end in plain.get("after_marks", ())),
    )
