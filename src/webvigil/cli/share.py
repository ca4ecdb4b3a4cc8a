"""`webvigil share`: makes, lists and ends links that show one change to somebody without an account."""

from __future__ import annotations

from typing import Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say_json


@click.group()
def share() -> None:
    """Make, list and end links that show one change to anybody who has them.

    \b
    Example:
      webvigil share add 42 --days 3
      webvigil share list
    """


@share.command()
@click.argument("change", type=click.IntRange(0, 2**53 - 1))
@click.option("--days", default=7, show_default=True, type=click.IntRange(1, 365), help="How long it opens.")
@as_json
@store_options
def add(store: dict[str, Any], change: int, days: int, as_json: bool) -> None:
    """Make a link to CHANGE (its number, as `changes --json` tells it). The link is shown this once.

    \b
    Example:
      webvigil share add 42 --days 3
    """
    from webvigil.app.telling.contacts import home_of
    from webvigil.app.telling.shares import share as new_share
    from webvigil.app.to_json import share_as_json
    from webvigil.errors import NotFound

    with store_of(store) as (knowledge, settings):
        found = knowledge.changes.get(change)
        if found.user != settings.user:
            raise NotFound(f"there is no change {change}")
        secret, made = new_share(knowledge, found, days)
        link = f"{home_of(settings)}/shared/{secret}"
    if as_json:
        say_json(share_as_json(made) | {"link": link})
        return
    click.echo(link)
    click.echo(f"It ends on {made.expires_at:%Y-%m-%d %H:%M} UTC.", err=True)


@share.command(name="list")
@as_json
@store_options
def list_(store: dict[str, Any], as_json: bool) -> None:
    """List your links that still open a change, newest first.

    \b
    Example:
      webvigil share list
    """
    from webvigil.app.telling.shares import shares
    from webvigil.app.to_json import share_as_json

    with store_of(store) as (knowledge, settings):
        found = shares(knowledge.users, settings.user)
    if as_json:
        say_json([share_as_json(one) for one in found])
        return
    for one in found:
        used = f"last opened {one.used_at:%Y-%m-%d %H:%M} UTC" if one.used_at else "never opened"
        click.echo(f"{one.id}  change {one.change}, over on {one.expires_at:%Y-%m-%d %H:%M} UTC, {used}")
    if not found:
        click.echo("Nothing is shared.")


@share.command()
@click.argument("share_id", metavar="ID")
@store_options
def end(store: dict[str, Any], share_id: str) -> None:
    """End a link: it opens nothing from now on.

    \b
    Example:
      webvigil share end 4f1c02ab93de
    """
    from webvigil.app.telling.shares import end_share

    with store_of(store) as (knowledge, settings):
        end_share(knowledge.users, settings.user, share_id)
    click.echo("ended")
