"""`webvigil message`: shows what a message in a user's own words says about the last change."""

from __future__ import annotations

from typing import Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say, say_json


@click.command()
@click.argument("name")
@click.option("--title", default="", metavar="TEXT", help="Try this title instead of the sentinel's own.")
@click.option("--body", default="", metavar="TEXT", help="Try this body instead of the sentinel's own.")
@as_json
@store_options
def message(store: dict[str, Any], name: str, title: str, body: str, as_json: bool) -> None:
    r"""Show what the messages of a sentinel say, told with its last change. Nothing is sent or saved.

    \b
    Example:
      webvigil message price
      webvigil message price --title '{{ label }} is {{ after }} now' --body '{{ changes }}'
    """
    from webvigil.app.telling.delivery import renderer_of
    from webvigil.app.telling.messages import previewed
    from webvigil.language import parse
    from webvigil.model.message import Message

    with store_of(store) as (knowledge, settings):
        (found,) = parse(knowledge.sentinels.get(settings.user, name).text)
        own = Message(title, body.replace("\\n", "\n")) if title or body else found.message
        renderer = renderer_of(settings, knowledge.users)
        said = previewed(knowledge.changes, renderer, settings.user, found, own)
    if as_json:
        change = said.change.id if said.change else None
        say_json({"title": said.title, "text": said.text, "change": change})
        return
    say(said.title, bold=True)
    click.echo()
    click.echo(said.text, nl=False)
    if not said.change:
        say(f"\n{name} has found no change yet; this is an example.", dim=True)
