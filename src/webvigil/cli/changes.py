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
@as_json
@store_options
def changes(store: dict[str, Any], name: str | None, since: str | None, limit: int, as_json: bool) -> None:
    """List the changes found, newest first; of one sentinel or of all.

    \b
    Example:
      webvigil changes
      webvigil changes news --since 2026-12-01 --json
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
    if not found:
        click.echo("No changes yet.")
        return
    told(found)


def told(found: list[Change]) -> None:
    """Prints changes as lines for a person."""
    from webvigil.detect.headline import headline
    from webvigil.present.lines import amounts, lines

    for one in found:
        say(f"{one.found_at:%Y-%m-%d %H:%M:%S} UTC  {one.sentinel}  {headline(one.findings)}", bold=True)
        say(f"  {f'{one.title}  ' if one.title else ''}{one.url}", dim=True)
        say(f"  {amounts(one.findings)} (version {one.old_version} → {one.new_version})")
        for finding in one.findings:
            for line in lines(finding):
                say(f"  {line}", fg={"+": "green", "-": "red", "~": "yellow"}.get(line.mark))


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
