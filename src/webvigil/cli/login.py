"""`webvigil login`: stores cookies, headers and secrets, sealed, for pages that only a user can see."""

from __future__ import annotations

from typing import Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say_json


@click.group()
def login() -> None:
    """Keep log-ins (cookies, headers, secrets) for pages that only you can see.

    They are sealed with a key that is not in the database, sent to their own site only, and the pages seen
    with them are never shared with other users. A log-in counts from the next look at each of your pages.
    Secrets are what the steps of a sentinel type, by their names.

    \b
    Example:
      webvigil login add https://intranet.example/ --header 'Authorization: Bearer abc'
      webvigil login list
    """


@login.command()
@click.argument("url")
@click.option("--cookie", "cookies", multiple=True, metavar="NAME=VALUE", help="A cookie; may be repeated.")
@click.option("--header", "headers", multiple=True, metavar="NAME:VALUE", help="A header; may be repeated.")
@click.option(
    "--secret",
    "secrets",
    multiple=True,
    metavar="NAME[=VALUE]",
    help="A secret that Steps type; asked for without a VALUE; may be repeated.",
)
@click.option(
    "--file",
    type=click.File("r", encoding="utf-8"),
    help="Headers from a file (- for standard input), one per line.",
)
@store_options
def add(
    store: dict[str, Any],
    url: str,
    cookies: tuple[str, ...],
    headers: tuple[str, ...],
    secrets: tuple[str, ...],
    file: Any,
) -> None:
    """Keep a log-in for the pages at and below URL; one that was there is replaced.

    \b
    Example:
      webvigil login add https://shop.example/account/ --cookie session=0123abcd
      webvigil login add https://shop.example/ --file headers.txt
      webvigil login add https://wiki.example/ --secret password
    """
    from webvigil.app.pages.logins import login_from, logins

    lines = [line for line in file.read().splitlines() if line.strip()] if file else []
    found = login_from(url, [*headers, *lines], cookies, [_with_value(one) for one in secrets])
    with store_of(store) as (knowledge, settings):
        logins(knowledge, settings).put(settings.user, found)
    amounts = [
        f"{len(pairs)} {what}{'s' if len(pairs) != 1 else ''}"
        for what, pairs in (("cookie", found.cookies), ("header", found.headers), ("secret", found.secrets))
        if pairs
    ]
    click.echo(f"Kept {' and '.join(amounts)} for {found.url}")


def _with_value(secret: str) -> str:
    """Returns NAME=VALUE; asks for the value if it is not given, so that no shell remembers it."""
    return (
        secret if "=" in secret else f"{secret}={click.prompt(f'Secret {secret}', hide_input=True, err=True)}"
    )


@login.command(name="list")
@as_json
@store_options
def list_(store: dict[str, Any], as_json: bool) -> None:
    """List the addresses that you have log-ins for, with the names of their secrets, and not what they say.

    \b
    Example:
      webvigil login list
    """
    from webvigil.app.pages.logins import logins

    with store_of(store) as (knowledge, settings):
        known = logins(knowledge, settings).with_secrets(settings.user)
    if as_json:
        say_json([{"url": url, "secrets": list(names)} for url, names in known])
        return
    for url, names in known:
        click.echo(f"{url} (secrets: {', '.join(names)})" if names else url)
    if not known:
        click.echo("No log-ins.")


@login.command()
@click.argument("url")
@store_options
def remove(store: dict[str, Any], url: str) -> None:
    """Forget the log-in for URL.

    \b
    Example:
      webvigil login remove https://shop.example/account/
    """
    from webvigil.app.pages.logins import logins

    with store_of(store) as (knowledge, settings):
        logins(knowledge, settings).remove(settings.user, url)
    click.echo(f"Forgot the log-in for {url}")
