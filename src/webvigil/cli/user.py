"""`webvigil user`: adds, changes and removes users, and makes sign-in links."""

from __future__ import annotations

from typing import Any

import click

from webvigil.cli.options import store_of, store_options


@click.group()
def user() -> None:
    """Add, list, change and remove users, and make sign-in links.

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
    from webvigil.app.people.accounts import add_user

    with store_of(store) as (knowledge, _):
        add_user(knowledge.users, name, "admin" if admin else "user")
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
@click.option("--interest", "interests", metavar="WORDS", multiple=True, help="Words that add to a score.")
@click.option("--weight", "weights", metavar="KIND=N", multiple=True, help="What a kind of change weighs.")
@click.option("--reset", is_flag=True, help="Back to what holds for everybody.")
@store_options
def scores(
    store: dict[str, Any],
    name: str | None,
    interests: tuple[str, ...],
    weights: tuple[str, ...],
    reset: bool,
) -> None:
    """Set what weighs more to a user than to others; without options, show it.

    The given options replace everything that was set before.

    \b
    Example:
      webvigil user scores --interest merger --interest "interest rate" --weight link=512
      webvigil user scores jill --reset
    """
    from webvigil.trigger.scores import Taste, new_taste, taste

    with store_of(store) as (knowledge, settings):
        known = knowledge.users.get(name or settings.user)
        wanted = taste(known.taste)
        if interests or weights or reset:
            wanted = Taste() if reset else new_taste(map(_weight, weights), interests)
            knowledge.users.prefer(known.name, wanted.as_text())
    click.echo(wanted.in_words())


def _weight(text: str) -> tuple[str, int]:
    kind, _, number = text.partition("=")
    if not number.strip().isdecimal():
        raise click.ClickException(f"{text!r} is not a weight; write link=512")
    return kind.strip().replace(" ", "_"), int(number)


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
    from webvigil.app.people.sign_in import new_link

    with store_of(store) as (knowledge, settings):
        address = url or f"http://{settings.host}:{settings.port}"
        click.echo(new_link(knowledge, name or settings.user, address.rstrip("/")))


@user.command()
@click.argument("name")
@click.option(
    "--password", prompt=True, hide_input=True, confirmation_prompt=True, help="Asked for if left out."
)
@store_options
def password(store: dict[str, Any], name: str, password: str) -> None:
    """Set a user's password; it is asked for, and only a hash of it is kept.

    \b
    Example:
      webvigil user password jill
    """
    from webvigil.app.people.passwords import set_password

    with store_of(store) as (knowledge, _):
        set_password(knowledge.users, knowledge.users.get(name).name, password)
    click.echo(f"{name} can sign in with the new password")


@user.command()
@click.argument("name")
@click.argument("role", type=click.Choice(["user", "admin"]))
@store_options
def role(store: dict[str, Any], name: str, role: Any) -> None:
    """Make somebody an administrator, or a user like others.

    \b
    Example:
      webvigil user role jill admin
    """
    from webvigil.app.people.accounts import change_role

    with store_of(store) as (knowledge, _):
        change_role(knowledge.users, name, role)
    click.echo(f"{name} is now {'an administrator' if role == 'admin' else 'a user like others'}")


@user.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_options
def remove(store: dict[str, Any], name: str, yes: bool) -> None:
    """Remove a user with all their sentinels and changes.

    \b
    Example:
      webvigil user remove jill
    """
    from webvigil.app.people.accounts import remove_user
    from webvigil.model.wanted import WantedSentinels

    with store_of(store) as (knowledge, _):
        knowledge.users.get(name)  # raises NotFound
        count = knowledge.sentinels.count(WantedSentinels(user=name))
        if not yes:
            click.confirm(f"Remove {name} with {count} sentinels and their changes?", abort=True)
        remove_user(knowledge, name)
    click.echo(f"{name} is removed")
