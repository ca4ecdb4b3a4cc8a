"""Findings in, the amounts and one line for each object out, readable without colour (P3, P5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.present.escape import one_line

_MARKS = {
    Status.NEW: "+",
    Status.MORE: "+",
    Status.GONE: "-",
    Status.FEWER: "-",
    Status.UPDATED: "~",
    Status.MOVED: ">",
}
_ANOTHER_LOOK = "looks different"
_WORDS = {"+": "new", "-": "gone", "~": "updated", ">": "moved"}


@dataclass(frozen=True, slots=True)
class Line:
    """One changed object as a line. `mark` is + - ~ or >; an updated object has a text `before` and a text
    `after`."""

    mark: str
    text: str
    before: str = ""
    after: str = ""

    def __str__(self) -> str:
        if self.mark == "~":
            return f"~ {one_line(self.before)} → {one_line(self.after)}"
        return f"{self.mark} {one_line(self.text)}"


def amounts(findings: Iterable[Finding]) -> str:
    """Returns the amounts of all findings in one phrase, such as `3 new, 1 gone, 12 % of the text`."""
    changed = [finding for finding in findings if finding.changed]
    counts = Counter(_MARKS[one.status] for finding in changed for one in finding.objects)
    parts = [f"{counts[mark]} {word}" for mark, word in _WORDS.items() if counts[mark]]
    share = max((finding.share for finding in changed), default=0.0)
    # A smaller share would be shown as "0 %".
    if share >= 0.005:
        what = "picture" if all(finding.type == "visual" for finding in changed) else "text"
        parts.append(f"{share:.0%} of the {what}".replace("%", " %"))
    return ", ".join(parts)


def lines(finding: Finding) -> Iterator[Line]:
    return (_line(one) for one in finding.objects)


def _line(one: ObjectChange) -> Line:
    mark = _MARKS[one.status]
    text = one.object
    if one.status in (Status.MORE, Status.FEWER):
        text = f"{text} ({one.old} → {one.new})"
    if one.status is Status.UPDATED:
        # The object of a picture is a region, named by its place, and that place mostly stays the same.
        after = _ANOTHER_LOOK if one.before == one.after else one.after
        return Line(mark, text, before=one.before or one.object, after=after or "")
    return Line(mark, named(one) if one.status in (Status.NEW, Status.GONE) else text)


def named(one: ObjectChange) -> str:
    """Returns how an object that came or went is called in a line.

    Objects that are known by their place (a leaf of XML or JSON, an attribute, a row) are called by the place
    and the content, others by the content alone.
    """
    content = one.after if one.status is Status.NEW else one.before
    if not content or content in one.object:
        return one.object
    return content if content.startswith(one.object) else f"{one.object}: {content}"
