"""`webvigil evidence`: writes a version of a page as a signed file, and checks such files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webvigil.cli.changes import seen_at
from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say

if TYPE_CHECKING:
    from webvigil.app.pages.find import SeenStore
    from webvigil.app.settings import Settings
    from webvigil.model.version import Version

_SHOWN = ("address", "version", "fetched_at", "last_seen_so_at", "another_version_at", "written_at")
_SHOWN_OF_ARCHIVES = ("kind", "title", "software", "written_at")


@click.group()
def evidence() -> None:
    """Prove what a page said and when: a version as a signed file, and whether such a file is genuine.

    \b
    Example:
      webvigil evidence keep https://example.org/terms yesterday -o terms.zip
      webvigil evidence check terms.zip
    """


# An unknown option may be the number of a version of the past, such as -3.
@evidence.command(context_settings={"ignore_unknown_options": True})
@click.argument("url")
@click.argument("version", default="latest")
@click.option("-o", "--output", metavar="FILE", required=True, help="The .zip file to write.")
@store_options
def keep(store: dict[str, Any], url: str, version: str, output: str) -> None:
    """Write VERSION (a number, latest, previous, first or a time) of a page to a signed file.

    \b
    Example:
      webvigil evidence keep https://example.org/terms -o terms.zip
      webvigil evidence keep https://example.org/terms '2026-11-01 12:00' -o terms.zip
    """
    from webvigil.app.operating.stores import repository
    from webvigil.app.pages.evidence import evidence_of

    with store_of(store) as (knowledge, settings):
        kept = _version(knowledge, settings, url, version)
        content = evidence_of(knowledge, settings, repository(settings, knowledge.versions), kept)
    Path(output).write_bytes(content)
    say(f"{output}: version {kept.number} of {kept.url}, fetched {kept.fetched_at:%Y-%m-%d %H:%M:%S} UTC")


@evidence.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--fingerprint", metavar="LETTERS", help="The server that must have signed it.")
@as_json
def check(file: Path, fingerprint: str | None, as_json: bool) -> int:
    """Tell whether FILE is genuine, and what it says. Exit code 1: it is not to be believed.

    FILE is evidence that `webvigil evidence keep` wrote, or a WACZ file that `webvigil export` wrote.

    Who signed it is told by a fingerprint: compare it with the one that the server shows under Community, or
    that `webvigil peer id` prints there.

    \b
    Example:
      webvigil evidence check terms.zip
      webvigil evidence check terms.zip --fingerprint k3tq-9xzm-…
      webvigil evidence check terms.wacz
    """
    from webvigil.app.moving.wacz import is_wacz, read_wacz
    from webvigil.app.pages.evidence import read_evidence
    from webvigil.community.keys import same_fingerprint
    from webvigil.model.json_text import json_text

    found = read_wacz(file) if is_wacz(file) else read_evidence(file.read_bytes())
    troubles = list(found.troubles)
    if fingerprint and not same_fingerprint(fingerprint, found.fingerprint):
        troubles.append(f"it was signed by another server: {found.fingerprint}")
    if as_json:
        say(json_text(found.statement | {"genuine": not troubles, "troubles": troubles}, indent=2))
        return 1 if troubles else 0
    for name in _SHOWN if "address" in found.statement else _SHOWN_OF_ARCHIVES:
        say(f"{name.replace('_', ' '):20} {found.statement.get(name) or '–'}")
    for trouble in troubles:
        say(f"not genuine: {trouble}")
    if not troubles:
        say(f"genuine: signed by {found.fingerprint}")
    return 1 if troubles else 0


def _version(knowledge: SeenStore, settings: Settings, url: str, name: str) -> Version:
    from webvigil.app.pages.versions import chosen
    from webvigil.model.moment import as_datetime, zone_named

    zone = zone_named(knowledge.users.get(settings.user).zone)
    try:
        versions = seen_at(knowledge, settings, url).versions()
        return chosen(versions, name, as_datetime(knowledge.schedule.now()), zone)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
