"""The options and the output that `diff` and `compare` share."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webvigil.cli.options import collected
from webvigil.cli.saying import say, styled
from webvigil.errors import MistakeInText
from webvigil.model.json_text import json_text

if TYPE_CHECKING:
    from webvigil.document import PageDigest
    from webvigil.library import Diff
    from webvigil.model.change import Finding, ObjectChange

SAME, DIFFERENT, TROUBLE = 0, 1, 2
_CONDITION = re.compile(r"\b(?:when|means)\b", re.IGNORECASE)
_NOT_JUDGED = (
    'This command lists what is different and judges no condition. When means "…" is judged by a language'
    " model when a sentinel finds a change; 'webvigil means' tries a sentence on its last changes."
)

_MARKS = {"i": "+", "i+": "+", "d": "-", "d-": "-", "u": "~", "m": ">"}
_LONGEST = 300
_COLOURS = {"+": "green", "-": "red", "~": "yellow", ">": "cyan"}
_FORMS = {
    ".html": "page",
    ".htm": "page",
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".json": "json",
}


_OPTIONS = {
    "monitor": click.option(
        "--monitor", metavar="EXPR", default="any change", help="What counts as a change."
    ),
    "within": click.option(
        "--within",
        metavar="SEL",
        multiple=True,
        help="Only this part: CSS, xpath:…, /pattern/, words:a,b or main:.",
    ),
    "ignore": click.option(
        "--ignore", metavar="SEL", multiple=True, help="Not this part: CSS, xpath:…, /pattern/ or words:a,b."
    ),
    "quiet": click.option(
        "--quiet", is_flag=True, help="Addresses that mean the same and times that tick are no change."
    ),
    "as_json": click.option("--json", "as_json", is_flag=True, help="Print the findings as one JSON object."),
    "how": click.option(
        "--present",
        "how",
        type=click.Choice(["only", "single", "dual", "auto"]),
        help="Show the page with its changes marked: only these, all of it, old beside new, or what fits.",
    ),
    "output": click.option(
        "-o",
        "--output",
        metavar="FILE",
        type=click.Path(dir_okay=False),
        help="Write the presentation to a .html, .md or .txt file, the findings to a .json file.",
    ),
    "edits": click.option(
        "--edits",
        is_flag=True,
        help="Print what became of every node, and the edits for webvigil patch, as JSON.",
    ),
    "plain": click.option("--plain", is_flag=True, help="In HTML only the words of the page, not its look."),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of a comparison: what is compared, and how the answer is shown."""

    monitor: str
    within: tuple[str, ...]
    ignore: tuple[str, ...]
    quiet: bool
    as_json: bool
    how: str | None
    output: str | None
    edits: bool
    plain: bool

    def check(self) -> None:
        """Raises BadParameter if the options do not fit together, or the answer cannot be written to the
        wanted file. Called before any file is read."""
        if self.edits and (self.within or self.ignore or self.how or self.monitor != "any change"):
            raise click.BadParameter(
                "edits are those of whole documents; leave out the other options", param_hint="--edits"
            )
        if self.output:
            _form(self.output, self.plain)

    def answer(self, before: PageDigest, after: PageDigest) -> int:
        """Compares, prints or writes the answer, and returns the exit code."""
        if self.edits:
            return self._answer_edits(before, after)
        from webvigil import library

        try:
            answer = library.diff(
                before, after, self.monitor, within=self.within, ignore=self.ignore, quiet=self.quiet
            )
        except MistakeInText as mistake:
            say(f"webvigil: --monitor: {mistake.pointed(self.monitor)}", err=True)
            if _CONDITION.search(self.monitor):
                say(_NOT_JUDGED, err=True)
            return TROUBLE
        self._tell(answer)
        return DIFFERENT if answer.changed else SAME

    def _answer_edits(self, before: PageDigest, after: PageDigest) -> int:
        from webvigil.detect.edit_json import edits_as_json

        script = edits_as_json(before, after)
        text = json_text(script) + "\n"
        if self.output:
            Path(self.output).write_text(text, "utf-8")
        else:
            click.echo(text, nl=False)
        return DIFFERENT if script["edits"] else SAME

    def _tell(self, answer: Diff) -> None:
        if self.output:
            Path(self.output).write_text(
                _presented(answer, self.how, _form(self.output, self.plain)), "utf-8"
            )
        if self.as_json:
            click.echo(_presented(answer, self.how, "json"), nl=False)
        elif not self.output:
            shown = _presented(answer, self.how, "terminal") if self.how else "\n".join(_lines(answer))
            click.echo(shown, nl=not self.how)


def comparing_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options of a comparison, from --monitor to --plain, to a command, which gets them as one
    argument `asked`."""
    return collected(command, _OPTIONS, "asked", Asked)


def _form(output: str, plain: bool) -> str:
    """Returns the output format for the ending of a file name."""
    suffix = Path(output).suffix.lower()
    if suffix not in _FORMS:
        raise click.BadParameter(
            f"{output}: write to a file that ends in {', '.join(_FORMS)}", param_hint="-o"
        )
    return "html" if plain and _FORMS[suffix] == "page" else _FORMS[suffix]


def _presented(answer: Diff, how: str | None, form: str) -> str:
    if form == "json":
        return json_text(answer.as_json()) + "\n"
    if form in ("html", "page") and answer.old.screenshot and answer.new.screenshot:
        from webvigil.present.pictures import pictured

        return pictured(answer.old.screenshot, answer.new.screenshot, answer.findings)
    from webvigil.present.presentation import present

    width = shutil.get_terminal_size((100, 24)).columns
    return present(answer.old, answer.new, how or "auto", form, findings=answer.findings, width=width)


def _lines(answer: Diff) -> Iterator[str]:
    from webvigil.present.rows import by_row, is_cell

    for finding in answer.findings:
        told = list(by_row(finding.objects))
        cells = sum(len(some) for some in told if is_cell(some[0])) if len(told) < len(finding.objects) else 0
        yield _headline(finding, len(told), cells)
        yield from (f"  {_line(some)}" for some in told)
    if answer.left_out:
        from webvigil.trigger.reasons import in_sentences

        yield styled(f"left out: {in_sentences(answer.left_out)}", dim=True)


def _headline(finding: Finding, changes: int, cells: int) -> str:
    """Returns the line above the changes of a finding: how many lines follow, and how many cells they tell
    of if a row has several."""
    note = f"; {finding.note}" if finding.note else ""
    if not finding.changed:
        return f"{finding.type}: no change{note}"
    number = f"{changes} change{'s' if changes > 1 else ''}" + (f" with {cells} cells" if cells else "")
    return styled(f"{finding.type}: {number}", bold=True) + (
        f" ({finding.share:.1%} of it, score {finding.score:,}){note}"
    )


def _line(some: Sequence[ObjectChange]) -> str:
    """Returns the line of one object, or of the changed cells of one row of a table together."""
    from webvigil.present.lines import line_of_row

    one = some[0]
    mark = _MARKS[one.status]
    what = _what(one) if len(some) == 1 else line_of_row(some).text
    return styled(f"{mark} {what}", fg=_COLOURS[mark]) + styled(_where(one, of_row=len(some) > 1), dim=True)


def _where(one: ObjectChange, *, of_row: bool) -> str:
    """Returns the first place of a change, shortened, and how many more there are; "" for a summary, which
    has no place. With `of_row` it is the place of the row around a cell."""
    if not one.where:
        return ""
    if of_row:
        return f"  {one.where[0].rpartition('/')[0]}"
    first = one.where[0] if len(one.where[0]) <= _LONGEST else one.where[0][: _LONGEST - 1] + "…"
    return f"  {first}" + (f" and {len(one.where) - 1} more" if len(one.where) > 1 else "")


def _what(one: ObjectChange) -> str:
    from webvigil.present.lines import named

    if one.old is not None and one.new is not None:
        return (f"{one.link_text}: " if one.link_text else "") + f"{one.object} ({one.old} → {one.new})"
    name = f"{one.label}: " if one.label and not (one.before or one.after or "").startswith(one.label) else ""
    if one.before is not None and one.after is not None and one.status != "m":
        return f"{name}{one.before} → {one.after}"
    return name + (named(one) if one.status in "id" else one.object)
