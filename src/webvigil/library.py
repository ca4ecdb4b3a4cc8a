"""The Python library: the names that `from webvigil import …` offers, such as `diff` and `read`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webvigil.detect.find import check, evaluate
from webvigil.detect.headline import headline
from webvigil.detect.in_context import in_context
from webvigil.detect.quiet.calm import Calmed, calmed
from webvigil.detect.registry import functions_of
from webvigil.document import PageDigest, read
from webvigil.document.hashes import both
from webvigil.document.parsing import is_pdf, kind_of
from webvigil.document.screenshot import is_picture
from webvigil.errors import PatternRefused
from webvigil.fetch.pdf import pdf_text
from webvigil.graph.by_hand import Cut, cut
from webvigil.model.change import Finding, finding_as_json
from webvigil.model.change_types import KINDS
from webvigil.model.logic import holds
from webvigil.model.quiet import LeftOut, left_out_as_json
from webvigil.model.sentinel import MAIN, ChangeExpression, ChangeType, Part, change_types

if TYPE_CHECKING:
    from webvigil.model.shapes import DiffShape

__all__ = ["Diff", "PageDigest", "diff", "read"]

Page = bytes | str | PageDigest
# Names a part of a page: a CSS selector, an XPath after "xpath:", a /pattern/, words after "words:", a Part,
# or several of these.
Parts = str | Part | Sequence[str | Part]

_TYPES = {
    "html": "text/html; charset=utf-8",
    "xml": "application/xml; charset=utf-8",
    "json": "application/json; charset=utf-8",
    "text": "text/plain; charset=utf-8",
    "binary": "application/octet-stream",
}


@dataclass(frozen=True, slots=True)
class Diff:
    """The differences between two versions of a page. `old` and `new` are the parts of the versions that were
    compared. `left_out` is what differs and is no change to somebody who asked for quiet."""

    changed: bool
    findings: tuple[Finding, ...]
    old: PageDigest
    new: PageDigest
    left_out: tuple[LeftOut, ...] = ()

    @property
    def headline(self) -> str:
        """What changed, in one sentence."""
        return headline(self.findings)

    def as_json(self) -> DiffShape:
        """Returns the object that `webvigil diff --json` prints and the REST API returns."""
        findings = [finding_as_json(one) for one in self.findings]
        plain: DiffShape = {"changed": self.changed, "findings": findings, "headline": self.headline}
        if self.left_out:
            plain["left_out"] = [left_out_as_json(one) for one in self.left_out]
        return plain


def diff(
    old: Page,
    new: Page,
    monitor: str | ChangeExpression = "any change",
    *,
    content_type: str = "",
    url: str = "",
    within: Parts | None = None,
    ignore: Parts | None = None,
    quiet: bool = False,
) -> Diff:
    """Compares two versions of a page and returns their differences.

    `monitor` is a change expression as in a sentinel; `content_type` and `url` are those of both pages. The
    part `within` is looked for in the old version and found again in the new one (or the other way round, if
    only the new version has it). If it cannot be found again, the last finding says so.

    With `quiet`, addresses that mean the same and times that tick are no change.

    Raises MistakeInText for a `monitor` that cannot be read, and PatternRefused for a selector or pattern
    that cannot be used or that matches nothing on either page.
    """
    expression = _expression(monitor) if isinstance(monitor, str) else monitor
    kept, dropped = _parts(within), _parts(ignore)
    before, after = (_digest(page, content_type, url) for page in (old, new))
    if any(change.kind == "visual" for change in change_types(expression)):
        _judge_pictures((before, after))
    seen = cut(before, after, kept, dropped)
    asked = tuple(dict.fromkeys(change_types(expression)))
    for change in asked:
        check(change)
    answer = evaluate(seen.old, seen.new, expression)
    found = dict(zip(asked, answer.findings, strict=True))
    calm = {change: _calmed(seen, change, one, quiet) for change, one in found.items()}
    told = in_context(seen.old, seen.new, [one.finding for one in calm.values()])
    findings = tuple(_noted(one, change, seen) for change, one in zip(calm, told, strict=True))
    left_out = tuple(dict.fromkeys(one for some in calm.values() for one in some.left_out))
    if seen.lost is not None:
        return Diff(True, (*findings, seen.lost), seen.old, seen.new, left_out)
    changed = holds(expression, lambda change: calm[change].finding.changed)
    return Diff(changed, findings, seen.old, seen.new, left_out)


def digest_of(body: bytes, content_type: str = "", url: str = "") -> PageDigest:
    """Reads the bytes of a page into a Page Digest. A PDF is read as its text; a picture also keeps its bytes
    as a screenshot, for visual comparison.

    Raises DocumentRefused for a PDF that cannot be read.
    """
    if is_pdf(body, content_type):
        return read(pdf_text(body).encode(), "text/plain; charset=utf-8", url).with_source(both(body))
    digest = read(body, content_type, url)
    return digest.with_screenshot(lambda: body) if is_picture(body) else digest


def part(text: str) -> Part:
    """Reads the short form of a part of a page: `xpath://main` is an XPath, `json:$.items` a JSON path,
    `/\\d+ ago/i` a pattern with its flags, `words: today, now` are words, `main:` is the part that matters,
    and everything else is a CSS selector."""
    if text == "main:":
        return MAIN
    by, _, argument = text.partition(":")
    if by == "xpath":
        return Part("xpath", argument.strip())
    if by == "json":
        return Part("json", argument.strip())
    if by == "words":
        return Part("words", tuple(word.strip() for word in argument.split(",") if word.strip()))
    from webvigil.language.texts import EXPRESSION, with_flags

    if match := EXPRESSION.fullmatch(text):
        return Part("regex", with_flags(*match.groups()))
    return Part("css", text)


def _expression(text: str) -> ChangeExpression:
    """Reads a change expression. A change type alone, such as `any change`, is known by its name; the grammar
    is loaded only for anything else."""
    if text in KINDS and "" in KINDS[text].bare:
        return ChangeType(text)
    from webvigil.language import parse_expression

    return parse_expression(text)


def _parts(parts: Parts | None) -> list[Part]:
    if parts is None:
        return []
    listed = [parts] if isinstance(parts, str | Part) else parts
    return [part(one) if isinstance(one, str) else one for one in listed]


def _digest(page: Page, content_type: str, url: str) -> PageDigest:
    """Reads a page that was given as text or bytes. Text is always UTF-8, so a charset in `content_type` is
    replaced."""
    if isinstance(page, PageDigest):
        return page
    if isinstance(page, bytes):
        return digest_of(page, content_type, url)
    body = page.encode("utf-8", "replace")
    essence = content_type.partition(";")[0]
    return read(body, f"{essence}; charset=utf-8" if essence else _TYPES[kind_of(body)], url)


def _calmed(seen: Cut, change: ChangeType, finding: Finding, quiet: bool) -> Calmed:
    return calmed(seen.old, seen.new, change, finding) if quiet else Calmed(finding)


def _noted(finding: Finding, change: ChangeType, seen: Cut) -> Finding:
    """Adds a note to a finding without changes if the watched thing is on neither page, because a person who
    compares by hand would take silence for "unchanged"."""
    is_there = functions_of(change.kind).is_there
    if finding.changed or is_there is None or is_there(seen.old, change) or is_there(seen.new, change):
        return finding
    return replace(finding, note=f"there is no such {change.kind} on either page")


def _judge_pictures(pages: Sequence[PageDigest]) -> None:
    if not all(page.screenshot for page in pages):
        raise PatternRefused("visual compares pictures; give two screenshots in PNG, JPEG or WebP")
