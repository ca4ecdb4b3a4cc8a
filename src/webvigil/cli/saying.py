"""What a command says: lines for a person, or JSON for a program.

Names, addresses and texts come from pages, and pages are written by strangers: a control character in one
of them must not act on the terminal that shows it (hide a line, name the window, turn our own marks round).
"""

from __future__ import annotations

from typing import Any

import click

from webvigil.model.json_text import json_text
from webvigil.present.escape import one_line, plain_text


def say(text: str, *, err: bool = False, nl: bool = True, **style: Any) -> None:
    """Prints a line, or several; only `style` paints."""
    click.secho(plain_text(text), err=err, nl=nl, **style)


def styled(text: str, **style: Any) -> str:
    """A part of a line, painted. To be printed as it is: cleaned already, and on one line."""
    return click.style(one_line(text), **style)


def say_json(value: Any, indent: int | None = 2) -> None:
    click.echo(json_text(value, indent))
