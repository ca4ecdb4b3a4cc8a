"""`webvigil compare`: compares two stored versions of a page, named by number or by time (R6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from webvigil.cli.changes import seen_at
from webvigil.cli.difference import Asked, comparing_options
from webvigil.cli.options import store_of, store_options

if TYPE_CHECKING:
    from webvigil.app.pages.find import SeenStore
    from webvigil.app.settings import Settings
    from webvigil.document import PageDigest


# An unknown option may be the number of a version of the past, such as -3.
@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("url")
@click.argument("old", metavar="A", default="previous")
@click.argument("new", metavar="B", default="latest")
@comparing_options
@store_options
def compare(store: dict[str, Any], url: str, old: str, new: str, asked: Asked) -> int:
    """Compare the versions A and B (previous and latest by default) of a page.

    A version is a number, latest, previous, first, or a time: 2026-11-01 12:00, yesterday, 2 days ago. A time
    means the page as it was then. Options and exit codes are those of `webvigil diff`.

    \b
    Example:
      webvigil compare https://example.org/prices
      webvigil compare https://example.org/prices 3 7 --monitor 'all links'
      webvigil compare https://example.org/prices yesterday latest --present dual
      webvigil compare https://example.org/prices '2026-11-01 12:00' latest -o changes.html
    """
    asked.check()
    with store_of(store) as (knowledge, settings):
        before, after = _digests(knowledge, settings, url, (old, new))
    return asked.answer(before, after)


def _digests(knowledge: SeenStore, settings: Settings, url: str, names: tuple[str, str]) -> list[PageDigest]:
    from webvigil.app.operating.stores import repository
    from webvigil.app.pages.compare import digests_of
    from webvigil.model.moment import zone_named

    zone = zone_named(knowledge.users.get(settings.user).zone)
    try:
        return digests_of(
            seen_at(knowledge, settings, url), repository(settings, knowledge.versions), names, zone
        )
    except ValueError as error:
        raise click.ClickException(str(error)) from error
