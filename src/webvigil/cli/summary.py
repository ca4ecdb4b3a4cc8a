"""`webvigil summary`: prints how each sentinel stands: changes, looks, notices and their times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say, say_json

if TYPE_CHECKING:
    from datetime import datetime


@click.command()
@click.option(
    "--order", type=click.Choice(["time", "priority", "topic"]), help="Instead of the one you prefer."
)
@click.option("--topic", default="", help="Only the sentinels of this topic.")
@as_json
@store_options
def summary(store: dict[str, Any], as_json: bool, order: Any, topic: str) -> None:
    """Tell how your sentinels stand: what they watch, when it changed, was looked at and told, how often.

    \b
    Example:
      webvigil summary
      webvigil summary --order topic
      webvigil summary --topic prices --json
    """
    from webvigil.app.telling.standings import ordered, records
    from webvigil.notify.summary import record_as_json

    with store_of(store) as (knowledge, settings):
        chosen = order or knowledge.contacts.preferences(settings.user).order
        found = ordered(records(knowledge, settings.user).values(), chosen, topic)
    if as_json:
        say_json([record_as_json(one) for one in found])
        return
    for one in found:
        name = one.sentinel if one.title != one.sentinel else ""
        about = " · ".join(filter(None, [name, one.watches, one.topic, one.state]))
        say(one.title, bold=True, nl=False)
        say(f"  {about}")
        for url in one.urls:
            say(f"    {url}")
        click.echo(
            f"    changed {_at(one.modified)}, looked at {_at(one.evaluated)}, seen {_at(one.seen)}, "
            f"told {_at(one.notified)}"
        )
        click.echo(
            f"    installed {_at(one.installed)}, ends {_at(one.ends)}; {one.evaluations} looks, "
            f"{one.changes} changes, {one.notifications} notices"
        )
    if not found:
        click.echo("No sentinels.")


def _at(time: datetime | None) -> str:
    return f"{time:%Y-%m-%d %H:%M}" if time else "never"
