"""`webvigil noise`: marks a change as noise, and proposes the clause that would have left it out."""

from __future__ import annotations

from typing import Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say_json


@click.command()
@click.argument("change", type=click.IntRange(0, 2**53 - 1))
@click.option("--apply", "apply_it", is_flag=True, help="Add the clause to the sentinel.")
@as_json
@store_options
def noise(store: dict[str, Any], change: int, apply_it: bool, as_json: bool) -> None:
    """Mark a change as noise (its id is in `changes --json`), and see which clause would have left it out.

    What the clause would have done to the changes that are kept is said with it. The sentinel stays as it is
    without --apply.

    \b
    Example:
      webvigil noise 17
      webvigil noise 17 --apply
    """
    from webvigil.app.operating.stores import repository
    from webvigil.app.sentinels.edit import edit
    from webvigil.app.sentinels.quiet import mark_as_noise, propose
    from webvigil.app.to_json import proposal_as_json
    from webvigil.errors import NotFound

    with store_of(store) as (knowledge, settings):
        found = knowledge.changes.get(change)
        if found.user != settings.user:
            raise NotFound(f"there is no change {change}")
        mark_as_noise(knowledge.changes, found)
        proposal = propose(knowledge, repository(settings, knowledge.versions), found)
        if apply_it:
            edit(knowledge, settings, found.sentinel, proposal.text)
    if as_json:
        say_json(proposal_as_json(proposal, applied=apply_it), indent=None)
        return
    click.echo(f"{proposal.clause}\n{proposal.says}")
    click.echo(f"{found.sentinel} has the clause now" if apply_it else "Add it with --apply.")
