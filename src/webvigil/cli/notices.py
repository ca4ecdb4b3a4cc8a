"""`webvigil notices`: lists notices that were delivered, wait or failed, and sends failed ones again."""

from __future__ import annotations

from typing import Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say, say_json
from webvigil.present.escape import one_line

STATES = ("pending", "held", "merged", "delivered", "given-up")


@click.group(invoke_without_command=True)
@click.option("--state", type=click.Choice(STATES), help="Only those; given-up ones could not be delivered.")
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="At most so many."
)
@as_json
@store_options
def notices(store: dict[str, Any], as_json: bool, state: str | None, limit: int) -> int | None:
    """List your notices, newest first: what was told, what waits, what could not be delivered.

    \b
    Example:
      webvigil notices
      webvigil notices --state given-up --json
      webvigil notices retry --all
    """
    context = click.get_current_context()
    if context.invoked_subcommand:
        return None
    from webvigil.app.to_json import notice_as_json

    with store_of(store) as (knowledge, settings):
        wanted = state.replace("-", " ") if state else None
        found = knowledge.outbox.all(settings.user, state=wanted, limit=limit)
    if as_json:
        say_json([notice_as_json(one) for one in found])
        return None
    for one in found:
        where = f"{one.notice.channel} {one.notice.address}".strip()
        say(f"{one.id:>7}  {one.created_at:%Y-%m-%d %H:%M}  {one.state:9}  {where}")
        say(f"         {one_line(one.notice.subject)}")
        if one.error and one.state != "delivered":
            say(f"         {one_line(one.error)} (tried {one.attempts} times)")
    if not found:
        click.echo("No notices.")
    return None


@notices.command()
@click.argument("notice", type=click.IntRange(0, 2**53 - 1), required=False, metavar="[ID]")
@click.option("--all", "all_", is_flag=True, help="Everything of yours that was given up.")
@store_options
def retry(store: dict[str, Any], notice: int | None, all_: bool) -> None:
    """Try again what was given up: the notice with this ID, or all.

    \b
    Example:
      webvigil notices retry 17
      webvigil notices retry --all
    """
    from webvigil.errors import NotFound

    if (notice is None) == (not all_):
        raise click.UsageError("name one notice, or --all")
    with store_of(store) as (knowledge, settings):
        count = knowledge.outbox.revive(settings.user, notice=notice)
    if notice is not None and not count:
        raise NotFound(f"no notice {notice} of yours was given up")
    say(f"{count} {'notice is' if count == 1 else 'notices are'} tried again.")
