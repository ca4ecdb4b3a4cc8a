"""Text or values in, lines for a person or JSON for a program out.

Names, addresses and texts come from pages, and pages are written by strangers. A control character in them
must not act on the terminal, for example hide a line, rename the window or reverse the marks that WebVigil
prints.
"""

from __future__ import annotations

from typing import Any

import click

from webvigil.present.escape import one_line, plain_text


def say(text: str, *, err: bool = False, nl: bool = True, **style: Any) -> None:
    """Prints one or more lines. Control characters are made harmless; only `style` sets colours."""
    click.secho(plain_text(text), err=err, nl=nl, **style)


def styled(text: str, **style: Any) -> str:
    """Returns a part of a line with colours. The text is cleaned here, so the result is printed with
    `click.echo`, not with `say`."""
    return click.style(one_line(text), **style)


def say_json(value: Any, indent: int | None = 2) -> None:
    from webvigil.model.json_text import json_text

    click.echo(json_text(value, indent))
