"""`webvigil edit`: gives a sentinel another text, from a file or from an editor."""

from __future__ import annotations

from typing import Any

import click

from webvigil.cli.options import as_json, store_of, store_options


@click.command()
@click.argument("name")
@click.argument("file", type=click.File("r", encoding="utf-8"), required=False)
@as_json
@store_options
def edit(store: dict[str, Any], name: str, file: Any, as_json: bool) -> int:
    """Give a sentinel the text of FILE (- for standard input), or open its text in your editor ($EDITOR).

    Its changes and versions stay. A life span that is written as before goes on; another one begins now.
    Exit code 0: changed; 1: there is no such sentinel, or the editor was left without a change.

    \b
    Example:
      webvigil edit news
      webvigil edit news news.sentinel
    """
    from webvigil.app.sentinels.edit import edit as edit_it
    from webvigil.app.sentinels.first_look import by_a_look_of_our_own
    from webvigil.cli.sentinels import print_one, read_text

    with store_of(store) as (knowledge, settings):
        present = knowledge.sentinels.get(settings.user, name).text
        text = read_text(file) if file else click.edit(present, extension=".sentinel")
        if text is None or (not file and text.strip() == present.strip()):
            click.echo(f"{name} stays as it is", err=True)
            return 1
        (found,) = by_a_look_of_our_own(knowledge, settings, [edit_it(knowledge, settings, name, text)])
    print_one(found, "has a new text", as_json)
    return 0
