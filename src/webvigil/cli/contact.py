"""`webvigil contact`: adds, lists and removes the ways in which a user is reached."""

from __future__ import annotations

from typing import Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say_json
from webvigil.model.channels import KEPT


@click.group()
def contact() -> None:
    """Say how you are reached: e-mail addresses, webhooks, services, feeds.

    \b
    Example:
      webvigil contact add email jill@example.org
      webvigil contact add webhook https://example.org/hook
      webvigil contact list
    """


@contact.command()
@click.argument("channel", type=click.Choice(KEPT))
@click.argument("address", default="")
@click.option(
    "--url", help="Where the service is, as Apprise writes it; asked for when left out, and kept sealed."
)
@store_options
def add(store: dict[str, Any], channel: str, address: str, url: str | None) -> None:
    """Add a contact.

    An e-mail ADDRESS gets a mail with a link that confirms it. For a webhook, the secret that its messages
    are signed with is printed; adding it again makes another one. A service (apprise) gets a name of your
    choice. A feed is of everything, or of topic:NAME or sentinel:NAME; its secret address is printed, and an
    earlier one ends.

    \b
    Example:
      webvigil contact add email jill@example.org
      webvigil contact add webhook https://example.org/hook
      webvigil contact add apprise phone --url tgram://BOT/CHAT
      webvigil contact add feed topic:prices
    """
    from webvigil.app.telling import contacts

    if channel != "feed" and not address:
        raise click.UsageError(f"say which {channel} is meant")
    if channel == "apprise" and url is None:
        url = click.prompt("Address of the service", hide_input=True)
    with store_of(store) as (knowledge, settings):
        user = settings.user
        match channel:
            case "email":
                known = contacts.ask_to_verify(knowledge, user, address)
                done = known.verified_at is not None
                click.echo(f"{address} is {'confirmed' if done else 'asked to confirm'}.")
                if not settings.smtp_host:
                    click.echo("No mail server is set yet (smtp_host); the mail waits for one.", err=True)
            case "webhook":
                secret = contacts.put_webhook(knowledge.contacts, settings, user, address)
                click.echo(f"Messages to {address} are signed with the secret {secret}")
            case "apprise":
                contacts.put_service(knowledge.contacts, settings, user, address, url or "")
                click.echo(f'Kept. Say in a sentinel: Notify By apprise "{address}"')
            case _:
                secret = contacts.new_feed(knowledge.contacts, knowledge.sentinels, user, address)
                place = f"{contacts.home_of(settings)}/feeds/{secret}"
                click.echo(f"{place}.atom")
                click.echo(f"What is to come, as a calendar: {place}.ics", err=True)


@contact.command(name="list")
@as_json
@store_options
def list_(store: dict[str, Any], as_json: bool) -> None:
    """List your contacts; secrets are not shown.

    \b
    Example:
      webvigil contact list
    """
    from webvigil.app.to_json import contact_as_json

    with store_of(store) as (knowledge, settings):
        found = knowledge.contacts.all(settings.user)
    if as_json:
        say_json([contact_as_json(one) for one in found])
        return
    for one in found:
        waits = " (not confirmed yet)" if one.channel == "email" and one.verified_at is None else ""
        click.echo(f"{one.channel:8} {one.address}{waits}")
    if not found:
        click.echo("No contacts.")


@contact.command()
@click.argument("channel")
@click.argument("address", default="")
@store_options
def remove(store: dict[str, Any], channel: str, address: str) -> None:
    """Forget a contact: the secret of a webhook, a service, a feed; an e-mail address gets nothing more.

    \b
    Example:
      webvigil contact remove feed topic:prices
    """
    with store_of(store) as (knowledge, settings):
        knowledge.contacts.remove(settings.user, channel, address)
    click.echo(f"Forgot {channel} {address}".rstrip())
