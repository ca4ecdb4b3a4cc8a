"""`webvigil means`: tries a sentence for `When means` on the last changes of a sentinel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from webvigil.cli.options import as_json
from webvigil.cli.place import place_of, place_options
from webvigil.cli.saying import say, say_json

if TYPE_CHECKING:
    from webvigil.model.shapes import TriedShape


@click.command()
@click.argument("name")
@click.argument("sentence")
@click.option("--last", default=5, show_default=True, type=click.IntRange(1, 20), help="On so many changes.")
@click.option("--ask", is_flag=True, help="Ask the model; without it, only say what that would take.")
@as_json
@place_options
def means(place: dict[str, Any], name: str, sentence: str, last: int, ask: bool, as_json: bool) -> None:
    """Try a sentence on the last changes of a sentinel: which of them would When means "…" have told?

    \b
    Example:
      webvigil means sofa "the price went down or it is sold out"
      webvigil means sofa "the price went down or it is sold out" --ask
    """
    from webvigil.app.meaning.trial import in_words

    with place_of(place) as there:
        trial = there.tried(name, sentence, last=last, ask=ask)
    if as_json:
        say_json(trial)
        return
    say(in_words(trial), bold=bool(trial["results"]))
    if trial["asks"] and trial["results"] is None:
        say("With --ask it is asked.", dim=True)
    for one in trial["results"] or ():
        _say(one)


def _say(one: TriedShape) -> None:
    judged = one["judgement"]
    said = judged.get("said") or judged.get("sentence")
    mark = "+" if judged["told"] else "-"
    say(f"{mark} {one['headline']}", fg="green" if judged["told"] else "red")
    if said:
        say(f"    {said}", dim=True)
