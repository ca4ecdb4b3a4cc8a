"""`webvigil import`, `export`, `backup` and `restore`: move sentinels and whole databases in and out."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webvigil.app.moving.formats import FORMATS
from webvigil.cli.bars import bar
from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say, say_json
from webvigil.model.short_text import short_text

if TYPE_CHECKING:
    from webvigil.app.moving.formats.found import Told
    from webvigil.app.moving.imports import Plan
    from webvigil.app.moving.past import Brought
    from webvigil.app.settings import Settings
    from webvigil.store.archive import Summary

# Characters of the left column where old and new stand side by side.
_WIDEST = 48
_EXPORTS = ("sentinels", "urls", "opml", "json", "warc", "wacz")
# Bytes of a file that are read to know its kind.
_BEGINNING = 1 << 16


@click.command(name="import")
@click.argument("files", metavar="FILE…", type=click.File("rb"), nargs=-1, required=True)
@click.option(
    "--format", "format_", type=click.Choice(tuple(FORMATS)), help="Of what kind FILE is (default: seen)."
)
@click.option("--page", metavar="URL", help="For web archives: only the past of this page.")
@click.option(
    "--captures",
    metavar="PLACE",
    default="",
    help="For CDX lists: the folder or web archive with the captures.",
)
@click.option("--again", is_flag=True, help="For web archives: replace the past that a page has already.")
@click.option("--dry-run", is_flag=True, help="Only tell what would be installed.")
@as_json
@store_options
def import_(
    store: dict[str, Any],
    files: tuple[Any, ...],
    format_: str | None,
    page: str | None,
    captures: str,
    again: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Install what is in FILE: sentinels, addresses, OPML, or an export of another program.

    With --dry-run every key of the file stands beside what it becomes, and the selectors of both are run on
    the page as it is now. What cannot be taken along is told; the exit code is 1 if something was refused.
    Several files of jobs and configuration are read as one.

    A web archive (WARC, WACZ, or a CDX list with its captures) becomes the past of the pages that you watch.

    \b
    Example:
      webvigil import subscriptions.opml --dry-run
      webvigil import changedetection-backup.zip
      webvigil import urls.yaml urlwatch.yaml --dry-run
      webvigil import prices.warc.gz --page https://example.org/prices
      webvigil import prices.cdx --captures https://web.archive.org/web
    """
    from webvigil.app.moving.beside import beside
    from webvigil.app.moving.imports import install_plan, plan_import
    from webvigil.app.moving.sources import is_archive

    first = files[0]
    start = first.read(_BEGINNING)
    file = Path(str(getattr(first, "name", "")))  # standard input has no name, a number, or one of its own
    if format_ is None and (captures or is_archive(start, file.name)):
        if not file.is_file():
            raise click.UsageError("a web archive is read from a file; name one")
        if len(files) > 1:
            raise click.UsageError("a web archive is read alone: give one file at a time")
        return _bring_past(store, file, page, captures, again, dry_run, as_json)
    data = b"\n---\n".join([start + first.read(), *(file.read() for file in files[1:])])
    with store_of(store) as (knowledge, settings):
        plan = plan_import(knowledge, settings, data, format_)
        if len(files) > 1 and plan.format != "urlwatch":
            raise click.UsageError("several files can be read as one only if they are jobs and configuration")
        compared = {one.name: one.words for one in beside(knowledge, settings, plan)} if dry_run else {}
        if not dry_run:
            install_plan(knowledge, settings, plan)
    _print_plan(plan, dry_run, as_json, compared)
    return 1 if plan.refused else 0


def _bring_past(
    store: dict[str, Any],
    file: Path,
    page: str | None,
    captures: str,
    again: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    from webvigil.app.moving.past import bring_past
    from webvigil.app.moving.sources import opened_source

    with (
        store_of(store) as (knowledge, settings),
        opened_source(file, settings, captures) as source,
        bar("Reading bytes", file.stat().st_size) as progress,
    ):
        try:
            done = bring_past(
                knowledge, settings, source, page=page, again=again, dry_run=dry_run, progress=progress
            )
        except ValueError as error:
            raise click.ClickException(str(error)) from error
    _print_past(done, dry_run, as_json)
    return 1 if done.troubles else 0


def _print_past(done: Brought, dry_run: bool, as_json: bool) -> None:
    from dataclasses import asdict

    if as_json:
        say_json(asdict(done))
        return
    for one in done.pages:
        found = f"{one.versions:,} versions {'would be' if dry_run else 'are'} its past"
        span = f", {one.oldest:%Y-%m-%d} to {one.newest:%Y-%m-%d}" if one.oldest and one.newest else ""
        # Sentinels are compared over the past only when it is there.
        changes = "" if dry_run else f"; {one.changes:,} changes"
        say(f"{one.url}: {found}{span}{changes}")
        say(
            f"    {one.unchanged:,} captures changed nothing, {one.not_pages:,} were no page, "
            f"{one.later:,} are not older than the first version here"
        )
    if not done.pages:
        say("No capture is of a page that you watch. Watch it first: webvigil watch URL")
    if done.others:
        say(f"{done.others:,} captures are of other addresses")
    for trouble in done.troubles:
        say(f"webvigil: left out: {trouble}", err=True)
    if done.untold:
        say(f"webvigil: left out: {done.untold:,} more", err=True)


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True), default="-")
@click.option(
    "--format",
    "format_",
    type=click.Choice(_EXPORTS),
    help="Default: what the name of FILE says, or sentinels.",
)
@click.option("--warc", "format_", flag_value="warc", help="All versions as WARC 1.1 (--format warc).")
@click.option("--wacz", "format_", flag_value="wacz", help="All versions as signed WACZ (--format wacz).")
@click.option("--page", metavar="URL", help="For WARC and WACZ: only this page.")
@click.option("--sentinel", metavar="NAME", help="For WARC and WACZ: only the pages of this sentinel.")
@store_options
def export(
    store: dict[str, Any], file: str, format_: str | None, page: str | None, sentinel: str | None
) -> int:
    """Write your sentinels, or the versions of your pages, to FILE (or standard output).

    A web archive (WARC, WACZ) holds every version that you may see; other programs replay it. Versions that
    can no longer be read are named, and the exit code is 1.

    \b
    Example:
      webvigil export my.sentinels
      webvigil export feeds.opml --format opml
      webvigil export prices.wacz --page https://example.org/prices
      webvigil export everything.warc.gz
    """
    from webvigil.app.moving.archives import kind_of_name
    from webvigil.app.moving.exports import export as exported

    format_ = format_ or kind_of_name(file) or "sentinels"
    if format_ in ("warc", "wacz"):
        return _write_archive(store, file, format_, page, sentinel)
    if page or sentinel:
        raise click.UsageError("--page and --sentinel choose what goes into a WARC or WACZ file")
    with store_of(store) as (knowledge, settings):
        content = exported(knowledge.sentinels, settings.user, format_)
    if file == "-":
        sys.stdout.buffer.write(content)
    else:
        Path(file).write_bytes(content)
    return 0


def _write_archive(
    store: dict[str, Any], file: str, kind: Any, page: str | None, sentinel: str | None
) -> int:
    from webvigil.app.moving.archives import write_archive
    from webvigil.app.moving.captures import Chosen

    if page and sentinel:
        raise click.UsageError("choose a page or a sentinel, not both")
    if file == "-":
        raise click.UsageError("a web archive is written to a file; name one")
    compressed = not file.endswith(".warc")
    # The file appears complete or not at all.
    draft = Path(f"{file}.part")
    with store_of(store) as (knowledge, settings), bar("Writing versions") as progress:
        chosen = Chosen(user=settings.user, page=page, sentinel=sentinel)
        try:
            with draft.open("wb") as stream:
                made = write_archive(
                    knowledge, settings, chosen, kind, stream, compressed=compressed, progress=progress
                )
            draft.replace(file)
        except ValueError as error:
            raise click.ClickException(str(error)) from error
        finally:
            draft.unlink(missing_ok=True)
    say(
        f"{file}: {made.versions:,} versions of {made.pages:,} pages, {made.bytes:,} bytes; "
        f"{made.repeated:,} times the same content was in it already"
    )
    for one in made.lost:
        say(f"webvigil: not written: {one}", err=True)
    return 1 if made.lost else 0


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@as_json
@store_options
def backup(store: dict[str, Any], file: Path, as_json: bool) -> int:
    """Write everything to one FILE, while WebVigil runs: users, sentinels, changes, all versions.

    Versions whose objects are missing or damaged are named; the exit code is then 1.

    Keep the file secret_key of the data folder with it: log-ins cannot be opened without.

    \b
    Example:
      webvigil backup webvigil-2026-11-16.zip
    """
    from webvigil.app.operating.stores import opened
    from webvigil.app.settings import read_settings
    from webvigil.store.archive import back_up
    from webvigil.store.objects import open_objects
    from webvigil.store.sql.database import Database

    settings = read_settings(store)
    with opened(settings), bar("Writing objects") as progress:
        database = Database(settings.database_url)
        made = back_up(database, open_objects(settings.objects_url), file, progress)
        database.close()
    return _print_summary(made, f"{file} holds", as_json)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--check", is_flag=True, help="Only verify the checksums; restore nothing.")
@as_json
@store_options
def restore(store: dict[str, Any], file: Path, check: bool, as_json: bool) -> int:
    """Bring everything in the backup FILE into a new, empty store.

    Versions that were lost before the backup was written are named; the exit code is then 1. Contacts and
    log-ins that cannot be opened are named, with the way to bring the secret_key that they were sealed with.

    \b
    Example:
      webvigil restore webvigil-2026-11-16.zip --data new-data
      webvigil restore webvigil-2026-11-16.zip --check
    """
    from webvigil.app.operating.stores import make_data_folder
    from webvigil.app.settings import read_settings
    from webvigil.store.archive import restore as restored
    from webvigil.store.archive import verify
    from webvigil.store.objects import open_objects
    from webvigil.store.sql.database import Database

    if check:
        made = verify(file)
        state = "as it was written, but lacks objects" if made.lost else "whole"
        return _print_summary(made, f"{file} is {state}; it holds", as_json)
    settings = read_settings(store)
    make_data_folder(settings)
    database = Database(settings.database_url)
    with bar("Reading objects") as progress:
        made = restored(database, open_objects(settings.objects_url), file, progress)
    database.close()
    _tell_what_is_locked(settings)
    return _print_summary(made, "restored are", as_json)


def _tell_what_is_locked(settings: Settings) -> None:
    from webvigil.app.operating.sealed import how_to_open, locked
    from webvigil.store.sql.knowledge import SqlKnowledge

    knowledge = SqlKnowledge(settings.database_url)
    try:
        found = locked(knowledge, settings)
    finally:
        knowledge.close()
    if found:
        say("webvigil: these cannot be opened here:", err=True)
        for one in found:
            say(f"  {one}", err=True)
        say(how_to_open(settings), err=True)


def _print_plan(plan: Plan, dry_run: bool, as_json: bool, compared: dict[str, str]) -> None:
    if as_json:
        rows = [
            {
                "source": row.source,
                "name": row.name,
                "text": row.text,
                "enabled": row.enabled,
                "trouble": row.trouble,
                "remarks": list(row.remarks),
                "keys": [one._asdict() for one in row.told],
                **({"on_the_page": compared[row.name]} if row.name in compared else {}),
            }
            for row in plan.rows
        ]
        say_json({"format": plan.format, "sentinels": rows})
        return
    verb = "would be installed" if dry_run else "are installed"
    click.echo(f"{plan.format}: {len(plan.fine)} {verb}, {len(plan.refused)} refused")
    for row in plan.rows:
        if row.trouble:
            say(f"- {_printable(row.source)}: {row.trouble}", err=True)
        elif row.sentinel is None:
            say(f"{_printable(row.source)}:")
        elif dry_run or row.remarks:
            say(f"+ {row.name}{'' if row.enabled else ' (disabled)'}")
        keys = {one.key for one in row.told} if dry_run else set()
        if keys:
            _print_beside(row.told)
        for remark in row.remarks:
            if not keys.issuperset(remark.partition(": ")[0].split(", ")):
                say(f"    {remark}")
        if row.name in compared:
            say(f"    {compared[row.name]}")


def _print_beside(told: Iterable[Told]) -> None:
    """Prints a table: the key and value of the other program, and what becomes of it."""
    rows = [(_cut(f"{one.key}: {one.value}" if one.value else one.key), one) for one in told]
    width = max(len(left) for left, _ in rows)
    for left, one in rows:
        right = [text for text in (one.becomes, one.remark and f"! {one.remark}") if text]
        say(f"    {left:<{width}}  {right[0] if right else ''}")
        for text in right[1:]:
            say(f"    {'':<{width}}  {text}")


def _cut(text: str) -> str:
    return short_text(_printable(text), _WIDEST)


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def _print_summary(made: Summary, words: str, as_json: bool) -> int:
    """Prints what a backup holds, and returns the exit code: 1 if versions are lost."""
    from dataclasses import asdict

    if as_json:
        say_json(asdict(made))
    else:
        click.echo(
            f"{words} {made.rows:,} rows and {made.objects:,} objects, {made.bytes:,} bytes ({made.schema})"
        )
    if made.lost:
        lost = "1 version" if len(made.lost) == 1 else f"{len(made.lost):,} versions"
        say(f"webvigil: {lost} cannot be read any more:", err=True)
        for one in made.lost:
            say(f"  {one}", err=True)
    return 1 if made.lost else 0
