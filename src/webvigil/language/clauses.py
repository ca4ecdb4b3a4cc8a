"""Some fields of a sentinel in, the text of their clauses out: clauses with no sentinel around them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from webvigil.language.printer import print_sentinel
from webvigil.model.sentinel import Sentinel, WebPage

BARE = Sentinel(name="s", target=WebPage("https://s.invalid/"))
"""A sentinel that says nothing, to hold clauses that are read or printed without one."""
HEAD = "Create Sentinel s Using https://s.invalid/\n"
"""The text of `BARE`. Clauses that follow it make a whole text."""


def print_clauses(**fields: Any) -> str:
    """Returns the clauses that say these fields, a line each."""
    return print_sentinel(replace(BARE, **fields))[len(HEAD) :].strip()
