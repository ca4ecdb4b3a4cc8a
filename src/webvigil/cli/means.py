"""`webvigil means`: tries a sentence for `When means` on the last changes of a sentinel."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say, say_json

if TYPE_CHECKING:
    from webvigil.app.meaning.trial import Tried


@click.command()
@click.argument("name")
@click.argument("sentence")
@click.option("--last", default=5, show_default=True, type=click.IntRange(1, 20), help="On so many changes.")
@click.option("--ask", is_flag=True, help="Ask the model; without it, only say what that would take.")
@as_json
@store_options
def means(store: dict[str, Any], name: str, sentence: str, last: int, ask: bool, as_json: bool) -> None:
    """Try a sentence on the last changes of a sentinel: which of them would When means "…" have told?

    \b
    Example:
      webvigil means sofa "the price went down or it is sold out"
      webvigil means sofa "the price went down or it is sold out" --ask
    """
    from webvigil.app.meaning.trial import in_words, planned, result_in_words, tried
    from webvigil.app.to_json import trial_as_json

    with store_of(store) as (knowledge, settings):
        plan = planned(knowledge, settings, name, sentence, last)
        results = asyncio.run(tried(knowledge, settings, plan)) if ask and plan.changes else None
    if as_json:
        say_json(trial_as_json(plan, results))
        return
    if results is None:
        say(in_words(plan))
        if plan.asks:
            say("With --ask it is asked.", dim=True)
        return
    say(result_in_words(results), bold=True)
    for one in results:
        _say(one)


def _say(one: Tried) -> None:
    from webvigil.detect.headline import headline

    mark = "+" if one.judgement.told else "-"
    said = one.judgement.said or one.judgement.sentence
    say(f"{mark} {headline(one.change.findings)}", fg="green" if one.judgement.told else "red")
    if said:
        say(f"    {said}", dim=True)
