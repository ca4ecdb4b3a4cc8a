"""`webvigil agent`: sends the agents of sentinels to peers, lists them and recalls them."""

from __future__ import annotations

from typing import Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say, say_json


@click.group()
def agent() -> None:
    """Let a sentinel work at a peer: it watches there, and what it finds comes home.

    \b
    Example:
      webvigil agent send news --peer https://vigil.example
      webvigil agent list
      webvigil agent recall news
    """


@agent.command()
@click.argument("name")
@click.option("--peer", required=True, metavar="P", help="The address or the fingerprint of the peer.")
@as_json
@store_options
def send(store: dict[str, Any], name: str, peer: str, as_json: bool) -> None:
    """Send the agent of the sentinel NAME to a peer. At home the sentinel rests until it is back.

    \b
    Example:
      webvigil agent send news --peer https://vigil.example
    """
    from webvigil.app.peers.agents import agent_as_json, send_agent

    with store_of(store) as (knowledge, settings):
        sent = agent_as_json(knowledge.peers, send_agent(knowledge, settings, name, peer))
    if as_json:
        say_json(sent)
        return
    say(f"the agent of {name} goes to {sent['peer']}; the running server sends it")


@agent.command(name="list")
@as_json
@store_options
def list_(store: dict[str, Any], as_json: bool) -> None:
    """List your agents that are away, and those of peers that are guests here.

    \b
    Example:
      webvigil agent list
    """
    from webvigil.app.peers.agents import agent_as_json

    with store_of(store) as (knowledge, settings):
        mine = knowledge.agents.all("away", user=settings.user)
        found = [agent_as_json(knowledge.peers, one) for one in (*mine, *knowledge.agents.all("guest"))]
    if as_json:
        say_json(found)
        return
    if not found:
        say("No agents are away, and none are guests here.")
    for one in found:
        where = "at" if one["side"] == "away" else "a guest from"
        peer = one["peer"] or "a server that is no peer any more"
        reason = f": {one['reason']}" if one["reason"] else ""
        say(f"{one['sentinel']:24} {where} {peer}, {one['state']}{reason}")


@agent.command()
@click.argument("name")
@store_options
def recall(store: dict[str, Any], name: str) -> None:
    """Let the agent of the sentinel NAME come back; the sentinel watches at home again, at once.

    \b
    Example:
      webvigil agent recall news
    """
    from webvigil.app.peers.agents import recall_agent

    with store_of(store) as (knowledge, settings):
        recall_agent(knowledge, settings.user, name)
    say(f"{name} watches here again; its agent is called back")


@agent.command()
@click.argument("text")
@click.option("--days", default=7, show_default=True, help="How many days it is shown.")
@store_options
def broadcast(store: dict[str, Any], text: str, days: int) -> None:
    """Show TEXT to all users of this server and of its peers, on their dashboards. Nobody gets a message.

    \b
    Example:
      webvigil agent broadcast 'Our server moves on Friday' --days 3
    """
    from webvigil.community.broadcasting import Board

    with store_of(store) as (knowledge, _):
        Board(knowledge).say(text, days)
    say("it is shown from now on")
