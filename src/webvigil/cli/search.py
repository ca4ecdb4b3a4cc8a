"""`webvigil search`: full-text search over all changes found."""

from __future__ import annotations

from typing import Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say_json


@click.command()
@click.argument("words", nargs=-1)
@click.option("--sentinel", metavar="NAME", help="Only changes of this sentinel.")
@click.option("--topic", metavar="WORD", help="Only changes of sentinels on this topic.")
@click.option("--type", "kind", metavar="TYPE", help="Only changes of this type, such as 'all links'.")
@click.option(
    "--since", metavar="TIME", help="Only changes found since then (ISO 8601, UTC unless it says so)."
)
@click.option("--until", metavar="TIME", help="Only changes found before then.")
@click.option(
    "--limit", default=100, show_default=True, type=click.IntRange(1, 100_000), help="At most so many."
)
@as_json
@store_options
def search(
    store: dict[str, Any],
    words: tuple[str, ...],
    sentinel: str | None,
    topic: str | None,
    kind: str | None,
    since: str | None,
    until: str | None,
    limit: int,
    as_json: bool,
) -> int:
    """Search the changes found, newest first: all WORDS must be there.

    Words in quotes must stand together; a star stands for any end of a word. Accents and capitals make no
    difference. Exit code 0: found; 1: nothing found.

    \b
    Example:
      webvigil search solar panels
      webvigil search '"interest rate"' --topic money --since 2026-12-01
      webvigil search 'invest*' --type phrase --json
    """
    from webvigil.app.to_json import change_as_json
    from webvigil.cli.changes import moment_of, told

    asked = {name: moment_of(text) for name, text in (("since", since), ("until", until)) if text}
    with store_of(store) as (knowledge, settings):
        found = knowledge.search.find(
            settings.user,
            " ".join(words),
            sentinel_name=sentinel,
            topic=topic,
            kind=kind,
            limit=limit,
            **asked,
        )
    if as_json:
        say_json([change_as_json(one) for one in found])
    elif not found:
        click.echo("Nothing found.")
    else:
        told(found)
    return 0 if found else 1
