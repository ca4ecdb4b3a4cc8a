"""`webvigil collect`: removes old versions, old log entries and unwatched pages."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say_json


@click.command()
@click.option("--dry-run", is_flag=True, help="Only tell what would be removed.")
@as_json
@store_options
def collect(store: dict[str, Any], dry_run: bool, as_json: bool) -> None:
    """Remove versions beyond what the settings keep_versions, keep_days and keep_bytes say, and looks,
    delivered notices, entries of the journal and pages without a sentinel that are older than log_days.

    What a sentinel or a change may still need and what was not delivered yet are never removed. It may run
    beside a server, which does the same once in collect_interval.

    \b
    Example:
      webvigil collect --dry-run
      webvigil collect --json
    """
    from webvigil.app.pages.collector import collector, told

    with store_of(store) as (knowledge, settings):
        went = collector(knowledge, settings, dry_run=dry_run).collect()
    if as_json:
        say_json({"dry_run": dry_run, **asdict(went)}, indent=None)
        return
    click.echo(told(went, "Would remove" if dry_run else "Removed"))
