"""`webvigil import`, `export`, `backup` and `restore`: move sentinels and whole databases in and out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webvigil.app.moving.formats import FORMATS
from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say, say_json

if TYPE_CHECKING:
    from webvigil.app.moving.imports import Plan
    from webvigil.app.settings import Settings
    from webvigil.store.archive import Progress, Summary

_EXPORTS = ("sentinels", "urls", "opml", "json", "warc", "wacz")


@click.command(name="import")
@click.argument("file", type=click.File("rb"))
@click.option(
    "--format", "format_", type=click.Choice(tuple(FORMATS)), help="Of what kind FILE is (default: seen)."
)
@click.option("--dry-run", is_flag=True, help="Only tell what would be installed.")
@as_json
@store_options
def import_(store: dict[str, Any], file: Any, format_: str | None, dry_run: bool, as_json: bool) -> int:
    """Install what is in FILE: sentinels, addresses, OPML, or an export of another program.

    What cannot be taken along is told; the exit code is 1 if something was refused.

    \b
    Example:
      webvigil import subscriptions.opml --dry-run
      webvigil import changedetection-backup.zip
    """
    from webvigil.app.moving.imports import install_plan, plan_import

    with store_of(store) as (knowledge, settings):
        plan = plan_import(knowledge, settings, file.read(), format_)
        if not dry_run:
            install_plan(knowledge, settings, plan)
    _print_plan(plan, dry_run, as_json)
    return 1 if plan.refused else 0


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
    with store_of(store) as (knowledge, settings), _progress("Writing", "versions") as progress:
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
    with opened(settings), _progress("Writing") as progress:
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
    with _progress("Reading") as progress:
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


def _print_plan(plan: Plan, dry_run: bool, as_json: bool) -> None:
    if as_json:
        rows = [
            {
                "source": row.source,
                "name": row.name,
                "text": row.text,
                "enabled": row.enabled,
                "trouble": row.trouble,
                "remarks": list(row.remarks),
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
        elif dry_run or row.remarks:
            say(f"+ {row.name}{'' if row.enabled else ' (disabled)'}")
        for remark in row.remarks:
            say(f"    {remark}")


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def _print_summary(made: Summary, words: str, as_json: bool) -> int:
    """Prints what a backup holds, and returns the exit code: 1 if versions are lost."""
    from dataclasses import asdict

    if as_json:
        click.echo(json.dumps(asdict(made), indent=2))
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


@contextmanager
def _progress(label: str, of: str = "objects") -> Iterator[Progress | None]:
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bars

    with Bars(console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(f"{label} {of}", total=None)
        yield lambda done: bars.update(task, advance=done)
