"""`webvigil diff`: what two versions of a page differ in."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webvigil.errors import MistakeInText

if TYPE_CHECKING:
    from webvigil.document import PageDigest
    from webvigil.library import Diff
    from webvigil.model.change import Finding, ObjectChange

SAME, DIFFERENT, TROUBLE = 0, 1, 2

_MARKS = {"i": "+", "i+": "+", "d": "-", "d-": "-", "u": "~", "m": ">"}
_COLOURS = {"+": "green", "-": "red", "~": "yellow", ">": "cyan"}
_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".xml": "application/xml",
    ".rss": "application/rss+xml",
    ".atom": "application/atom+xml",
    ".json": "application/json",
    ".txt": "text/plain",
}
_FILE = click.Path(exists=True, dir_okay=False, allow_dash=True)
_FORMS = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".json": "json",
}


@click.command()
@click.argument("old", type=_FILE)
@click.argument("new", type=_FILE)
@click.option("--monitor", metavar="EXPR", default="any change", help="What counts as a change.")
@click.option("--within", metavar="SEL", multiple=True, help="Only this part: CSS, or xpath:…")
@click.option("--ignore", metavar="SEL", multiple=True, help="Not this part: CSS, or xpath:…")
@click.option("--url", default="", help="The address of the page, for relative links.")
@click.option("--type", "content_type", default="", help="Content type; by default told by name and bytes.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as one JSON object.")
@click.option(
    "--present",
    "how",
    type=click.Choice(["only", "single", "dual", "auto"]),
    help="Show the page with its changes marked: only these, all of it, old beside new, or what suits.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Write the presentation to a .html, .md or .txt file, the findings to a .json file.",
)
def diff(
    old: str,
    new: str,
    monitor: str,
    within: tuple[str, ...],
    ignore: tuple[str, ...],
    url: str,
    content_type: str,
    as_json: bool,
    how: str | None,
    output: str | None,
) -> int:
    """Compare two versions of a page, the files OLD and NEW (- for standard input).

    Exit code 0: same; 1: different; 2: trouble. Marks: + came, - went, ~ was updated, > moved.
    Without --present and -o the findings are listed.

    \b
    Example:
      webvigil diff monday.html tuesday.html
      webvigil diff old.html new.html --monitor 'all links OR phrase: {low risk growth}' --json
      webvigil diff old.html new.html --within '#content' --ignore .ads
      webvigil diff old.html new.html --present only
      webvigil diff old.html new.html -o changes.html
      webvigil diff old.png new.png --monitor visual -o changes.html
    """
    from webvigil import library

    form = _form(output) if output else "terminal"
    before, after = _page(old, content_type, url), _page(new, content_type, url)
    try:
        answer = library.diff(before, after, monitor, within=within, ignore=ignore)
    except MistakeInText as mistake:
        click.echo(f"webvigil: --monitor: {mistake.pointed(monitor)}", err=True)
        return TROUBLE
    if output:
        Path(output).write_text(_presented(answer, how, form), "utf-8")
    if as_json:
        click.echo(_presented(answer, how, "json"), nl=False)
    elif not output:
        click.echo(_presented(answer, how, form) if how else "\n".join(_lines(answer)), nl=not how)
    return DIFFERENT if answer.changed else SAME


def _form(output: str) -> str:
    """The format that belongs to the name of a file."""
    suffix = Path(output).suffix.lower()
    if suffix not in _FORMS:
        raise click.BadParameter(
            f"{output}: write to a file that ends in {', '.join(_FORMS)}", param_hint="-o"
        )
    return _FORMS[suffix]


def _presented(answer: Diff, how: str | None, form: str) -> str:
    if form == "json":
        return json.dumps(answer.as_json(), ensure_ascii=False) + "\n"
    if form == "html" and answer.old.screenshot and answer.new.screenshot:
        from webvigil.present.pictures import pictured

        return pictured(answer.old.screenshot, answer.new.screenshot, answer.findings)
    from webvigil.present.presentation import present

    width = shutil.get_terminal_size((100, 24)).columns
    return present(answer.old, answer.new, how or "auto", form, findings=answer.findings, width=width)


def _page(file: str, content_type: str, url: str) -> PageDigest:
    from webvigil.library import digest_of

    body = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    return digest_of(body, content_type or _TYPES.get(Path(file).suffix.lower(), ""), url)


def _lines(answer: Diff) -> Iterator[str]:
    for finding in answer.findings:
        yield _headline(finding)
        yield from (f"  {_line(one)}" for one in finding.objects)


def _headline(finding: Finding) -> str:
    if not finding.changed:
        return f"{finding.type}: no change"
    number = f"{len(finding.objects)} change{'s' if len(finding.objects) > 1 else ''}"
    return click.style(f"{finding.type}: {number}", bold=True) + (
        f" ({finding.share:.1%} of it, score {finding.score:,})"
    )


def _line(one: ObjectChange) -> str:
    mark = _MARKS[one.status]
    where = f"  {one.where[0]}" + (f" and {len(one.where) - 1} more" if len(one.where) > 1 else "")
    return click.style(f"{mark} {_what(one)}", fg=_COLOURS[mark]) + click.style(
        where if one.where else "", dim=True
    )


def _what(one: ObjectChange) -> str:
    if one.old is not None and one.new is not None:
        return f"{one.object} ({one.old} → {one.new})"
    if one.before is not None and one.after is not None and one.status != "m":
        return f"{one.before} → {one.after}"
    return one.object
