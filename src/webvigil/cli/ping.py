"""`webvigil ping`: makes secret addresses at which a site or a script announces a change of a page."""

from __future__ import annotations

from typing import Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say, say_json


@click.command()
@click.argument("url")
@click.option("--remove", is_flag=True, help="Close all secret addresses of the page instead.")
@as_json
@store_options
def ping(store: dict[str, Any], url: str, remove: bool, as_json: bool) -> None:
    """Make a secret address for the watched page URL: whoever posts to it makes us look at once.

    \b
    Example:
      webvigil ping https://example.org/prices
      curl -X POST http://127.0.0.1:8420/push/SECRET
    """
    from webvigil.app.pages.find import page_of
    from webvigil.app.pages.pushes import new_ping

    with store_of(store) as (knowledge, settings):
        try:
            page = page_of(knowledge, settings.user, url)
        except ValueError as error:
            raise click.ClickException(str(error)) from error
        if remove:
            closed = knowledge.pushes.all(page=page, kind="ping")
            for one in closed:
                knowledge.pushes.remove(one.digest)
            say_json({"closed": len(closed)}, indent=None) if as_json else say(f"Closed {len(closed)}.")
            return
        base = settings.public_url.rstrip("/") or f"http://{settings.host}:{settings.port}"
        address = f"{base}/push/{new_ping(knowledge.pushes, page)}"
    say_json({"address": address}, indent=None) if as_json else say(address)
