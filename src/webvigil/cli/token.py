"""`webvigil token`: makes, lists and ends the secrets with which programs use the API."""

from __future__ import annotations

from typing import Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say_json


@click.group()
def token() -> None:
    """Make, list and end API tokens.

    \b
    Example:
      webvigil token add "my script" --scope write
      webvigil token list
    """


@token.command()
@click.argument("name")
@click.option(
    "--scope",
    type=click.Choice(["read", "write", "admin"]),
    default="read",
    show_default=True,
    help="What it opens.",
)
@store_options
def add(store: dict[str, Any], name: str, scope: Any) -> None:
    """Make a token; NAME tells what it is for. The secret is shown this once.

    \b
    Example:
      webvigil token add "my script" --scope write
    """
    from webvigil.app.people.sign_in import new_api_token

    with store_of(store) as (knowledge, settings):
        secret = new_api_token(knowledge, knowledge.users.get(settings.user), name, scope)
    click.echo(secret)
    click.echo("Keep it: it is not shown again. Send it as Authorization: Bearer …", err=True)


@token.command(name="list")
@as_json
@store_options
def list_(store: dict[str, Any], as_json: bool) -> None:
    """List your tokens, newest first.

    \b
    Example:
      webvigil token list
    """
    with store_of(store) as (knowledge, settings):
        found = knowledge.users.tokens(settings.user, purpose="api")
    if as_json:
        rows = [
            {
                "id": one.id,
                "name": one.name,
                "scope": one.scope,
                "created_at": one.created_at.isoformat(),
                "used_at": one.used_at.isoformat() if one.used_at else None,
            }
            for one in found
        ]
        say_json(rows)
        return
    for one in found:
        used = f"used {one.used_at:%Y-%m-%d %H:%M} UTC" if one.used_at else "never used"
        click.echo(f"{one.id}  {one.scope:6} {one.name}  ({used})")


@token.command()
@click.argument("token_id", metavar="ID")
@store_options
def end(store: dict[str, Any], token_id: str) -> None:
    """End a token: it opens nothing from now on.

    \b
    Example:
      webvigil token end 4f1c02ab93de
    """
    with store_of(store) as (knowledge, settings):
        knowledge.users.drop_token(settings.user, token_id, purpose="api")
    click.echo("ended")
