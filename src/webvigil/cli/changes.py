"""`webvigil changes`, `versions` and `log`: what was found, what is kept, how pages were looked at."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say, say_json

if TYPE_CHECKING:
    from webvigil.app.pages.find import SeenStore
    from webvigil.app.pages.view import SeenPage
    from webvigil.app.settings import Settings
    from webvigil.model.change import Change


@click.command()
@click.argument("name", required=False)
@click.option(
    "--since", metavar="TIME", help="Only changes found since then (ISO 8601, UTC unless it says so)."
)
@click.option(
    "--limit", default=100, show_default=True, type=click.IntRange(1, 100_000), help="At most so many."
)
@click.option("--csv", "as_csv", is_flag=True, help="Print a file for spreadsheets.")
@as_json
@store_options
def changes(
    store: dict[str, Any], name: str | None, since: str | None, limit: int, as_csv: bool, as_json: bool
) -> None:
    """List the changes found, newest first; of one sentinel or of all.

    \b
    Example:
      webvigil changes
      webvigil changes news --since 2026-12-01 --json
      webvigil changes --since 2026-12-01 --csv > december.csv
    """
    from webvigil.app.to_json import change_as_json
    from webvigil.model.wanted import FROM_THE_PAST_ON

    moment = moment_of(since) if since else None
    with store_of(store) as (knowledge, settings):
        if name:
            knowledge.sentinels.get(settings.user, name)
        found = knowledge.changes.all(
            settings.user, sentinel=name, since=moment, after=FROM_THE_PAST_ON, limit=limit
        )
    if as_json:
        say_json([change_as_json(one) for one in found])
        return
    if as_csv:
        click.echo(_as_csv(found), nl=False)
        return
    if not found:
        click.echo("No changes yet.")
        return
    told(found)


def _as_csv(found: list[Change]) -> str:
    from webvigil.detect.headline import headline
    from webvigil.model.csv_text import csv_text

    names = ("found_at", "sentinel", "topic", "url", "title", "old_version", "new_version", "headline")
    rows = (
        (
            one.found_at.isoformat(timespec="seconds"),
            *(one.sentinel, one.topic, one.url, one.title, one.old_version, one.new_version),
            headline(one.findings),
        )
        for one in found
    )
    return csv_text(names, rows)


def told(found: list[Change]) -> None:
    """Prints changes as lines for a person."""
    from webvigil.detect.headline import headline
    from webvigil.present.lines import amounts, lines

    for one in found:
        say(f"{one.found_at:%Y-%m-%d %H:%M:%S} UTC  {one.sentinel}  {headline(one.findings)}", bold=True)
        say(f"  {f'{one.title}  ' if one.title else ''}{one.url}", dim=True)
        if one.judgement and one.judgement.sentence:
            say(f"  {one.judgement.sentence} (in the words of {one.judgement.model})")
        if one.judgement and one.judgement.said:
            say(f"  {one.judgement.said}", dim=True)
        say(f"  {amounts(one.findings)} (version {one.old_version} → {one.new_version})")
        for finding in one.findings:
            for line in lines(finding):
                say(f"  {line}", fg={"+": "green", "-": "red", "~": "yellow"}.get(line.mark))


@click.command()
@click.argument("name")
@click.option("--since", metavar="TIME", help="Only from then on (ISO 8601, UTC unless it says so).")
@click.option("--csv", "as_csv", is_flag=True, help="Print a file for spreadsheets.")
@as_json
@store_options
def values(store: dict[str, Any], name: str, since: str | None, as_csv: bool, as_json: bool) -> None:
    """Tell the value that a sentinel follows over time, oldest first: since when it was what.

    \b
    Example:
      webvigil values price
      webvigil values price --since 2026-12-01 --csv > price.csv
      webvigil values price --json
    """
    from webvigil.app.sentinels.preview import watched_now
    from webvigil.app.sentinels.values import as_csv as csv_of
    from webvigil.app.sentinels.values import rows_of, values_of

    moment = moment_of(since) if since else None
    with store_of(store) as (knowledge, settings):
        found = knowledge.sentinels.get(settings.user, name)
        now = [one for page in watched_now(knowledge.versions, settings, found) for one in page.findings]
        series = values_of(knowledge.changes, knowledge.versions, found, now, moment)
    if as_json:
        say_json(rows_of(series))
    elif as_csv:
        click.echo(csv_of(series), nl=False)
    elif series is None:
        click.echo(f"{name} follows no number.")
    for one in series.steps if series and not as_json and not as_csv else ():
        say(f"{one.at:%Y-%m-%d %H:%M:%S} UTC  {one.text}")


@click.command()
@click.argument("url")
@as_json
@store_options
def versions(store: dict[str, Any], url: str, as_json: bool) -> None:
    """List the stored versions of a page, newest first.

    \b
    Example:
      webvigil versions https://example.org/prices
    """
    from webvigil.app.to_json import version_as_json

    with store_of(store) as (knowledge, settings):
        found = seen_at(knowledge, settings, url).versions()
    if as_json:
        say_json([version_as_json(one) for one in found])
        return
    for one in found:
        click.echo(f"{one.number:6}  {one.fetched_at:%Y-%m-%d %H:%M:%S} UTC  {one.size:10,} bytes")


@click.command()
@click.argument("url")
@click.option(
    "--limit", default=50, show_default=True, type=click.IntRange(1, 100_000), help="At most so many looks."
)
@as_json
@store_options
def log(store: dict[str, Any], url: str, limit: int, as_json: bool) -> None:
    """Tell how a page was looked at, the latest look last: when, why, what came, what became of it.

    \b
    Example:
      webvigil log https://example.org/prices
      webvigil log prices                                   by the name of its sentinel
      webvigil log https://example.org/prices --limit 5 --json
    """
    from webvigil.present.story import story

    with store_of(store) as (knowledge, settings):
        looks = seen_at(knowledge, settings, url).looks(limit)
    if as_json:
        rows = [{**look, "at": look["at"].isoformat()} for look in looks]
        say_json(rows)
        return
    if not looks:
        click.echo("Nobody has looked at it yet.")
    for line in story(list(reversed(looks))):
        say(line)


def seen_at(knowledge: SeenStore, settings: Settings, url: str) -> SeenPage:
    """Returns the page at this address as the user sees it for whom the command acts."""
    from webvigil.app.pages.find import page_of
    from webvigil.app.pages.view import eyes_of, seen_page

    try:
        page = page_of(knowledge, settings.user, url)
        return seen_page(knowledge, settings, eyes_of(knowledge.users.get(settings.user)), page)
    except ValueError as error:
        raise click.ClickException(str(error)) from error


def moment_of(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise click.ClickException(f"{text!r} is not a time; write 2026-12-01 or 2026-12-01T08:30") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
