"""`webvigil preferences`: shows and changes when a user wants to be told, and when not."""

from __future__ import annotations

from typing import Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say_json


@click.command()
@click.option(
    "--quiet", metavar="FROM-TO", help="Hours in which nothing is sent, such as 22:00-07:00; or off."
)
@click.option("--rate", metavar="N", help="Most messages in an hour, the rest as a summary; off, or default.")
@click.option("--summary-at", metavar="TIME", help="When summaries of days and weeks come, such as 08:00.")
@click.option("--order", type=click.Choice(["time", "priority", "topic"]), help="Order in a summary.")
@click.option(
    "--share-pages",
    type=click.Choice(["yes", "no"]),
    help="Whether peers of this server may know of the pages you watch.",
)
@as_json
@store_options
def preferences(store: dict[str, Any], as_json: bool, **wanted: str | None) -> None:
    """Show your preferences, or change those you name. Times are on your own clock.

    \b
    Example:
      webvigil preferences
      webvigil preferences --quiet 22:00-07:00 --rate 10 --summary-at 7:30 --order topic
    """
    from webvigil.app.telling.preferences import preferences_as_json, preferences_from

    named = {name: value for name, value in wanted.items() if value is not None}
    with store_of(store) as (knowledge, settings):
        chosen = preferences_from(knowledge.contacts.preferences(settings.user), named)
        if named:
            knowledge.contacts.prefer(settings.user, chosen)
    shown = preferences_as_json(chosen)
    if as_json:
        say_json(shown)
        return
    click.echo(f"quiet       {shown['quiet'] or 'off'}")
    rate = shown["rate"]
    click.echo(f"rate        {'default' if rate is None else rate or 'off'}")
    click.echo(f"summary at  {shown['summary_at']}")
    click.echo(f"order       {shown['order']}")
    click.echo(f"share pages {'yes' if shown['share_pages'] else 'no'}")
