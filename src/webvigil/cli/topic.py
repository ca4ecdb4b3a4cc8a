"""`webvigil topic`: shows and replaces the clauses that a topic gives to its sentinels."""

from __future__ import annotations

from typing import Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say, say_json


@click.group()
def topic() -> None:
    """Let a topic say clauses for all its sentinels that leave them out: how often to look, whom to tell,
    what to ignore.

    \b
    Example:
      webvigil topic say shops 'Fetch 1 day Notify By email jill@example.org'
      webvigil topic list
    """


@topic.command(name="list")
@as_json
@store_options
def list_(store: dict[str, Any], as_json: bool) -> None:
    """List your topics, with what they say and how many sentinels they have.

    \b
    Example:
      webvigil topic list
    """
    from webvigil.app.sentinels.topics import topics_of
    from webvigil.app.to_json import topic_as_json

    with store_of(store) as (knowledge, settings):
        found = topics_of(knowledge, settings.user)
    if as_json:
        say_json([topic_as_json(one) for one in found])
        return
    if not found:
        click.echo("No topics yet.")
    for one in found:
        say(f"{one.name}  {_sentinels(one.sentinels)}", bold=True)
        for line in one.clauses.splitlines():
            say(f"  {line}")


@topic.command(name="say")
@click.argument("name")
@click.argument("clauses")
@as_json
@store_options
def say_(store: dict[str, Any], name: str, clauses: str, as_json: bool) -> None:
    """Let the topic NAME say CLAUSES: Fetch, Notify By, Every, Ignore, Quiet, Only, Message, Priority. They
    take the place of what it said before, and count for its sentinels at once. An empty text says nothing.

    \b
    Example:
      webvigil topic say shops 'Fetch 1 day Ignore css ".ad"'
      webvigil topic say shops ''
    """
    from webvigil.app.sentinels.topics import say_topic
    from webvigil.app.to_json import topic_as_json

    with store_of(store) as (knowledge, settings):
        one = say_topic(knowledge, settings, name, clauses)
    if as_json:
        say_json(topic_as_json(one))
        return
    say(f"{one.name} says {'this' if one.clauses else 'nothing'} for {_sentinels(one.sentinels)}.")
    for line in one.clauses.splitlines():
        say(f"  {line}")


def _sentinels(count: int) -> str:
    return f"{count} sentinel" if count == 1 else f"{count} sentinels"
