"""`webvigil user`: who may use this WebVigil."""

from __future__ import annotations

from typing import Any

import click

from webvigil.cli.options import store_of, store_options


@click.group()
def user() -> None:
    """Add and list users, and make sign-in links.

    \b
    Example:
      webvigil user add jill
      webvigil user link jill
    """


@user.command()
@click.argument("name")
@click.option("--admin", is_flag=True, help="Sees everybody's sentinels.")
@store_options
def add(store: dict[str, Any], name: str, admin: bool) -> None:
    """Add a user.

    \b
    Example:
      webvigil user add jill
    """
    with store_of(store) as (knowledge, _):
        knowledge.users.add(name, role="admin" if admin else "user")
    click.echo(f"{name} is added; make a sign-in link with: webvigil user link {name}")


@user.command(name="list")
@store_options
def list_(store: dict[str, Any]) -> None:
    """List the users.

    \b
    Example:
      webvigil user list
    """
    with store_of(store) as (knowledge, _):
        for one in knowledge.users.all():
            click.echo(f"{one.name:24} {one.role}")


@user.command()
@click.argument("name", required=False)
@click.option("--url", help="Address of the dashboard (default http://HOST:PORT of the settings).")
@store_options
def link(store: dict[str, Any], name: str | None, url: str | None) -> None:
    """Make a sign-in link, good for a day; earlier links end.

    \b
    Example:
      webvigil user link
      webvigil user link jill --url https://vigil.example.org
    """
    from webvigil.app.sign_in import new_link

    with store_of(store) as (knowledge, settings):
        address = url or f"http://{settings.host}:{settings.port}"
        click.echo(new_link(knowledge, name or settings.user, address.rstrip("/")))
