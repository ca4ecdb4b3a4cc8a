"""Progress bars of long commands, on standard error. Where that is no terminal, nothing is shown."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

_CLEARED = "\r\x1b[K"


@contextmanager
def bar(label: str, length: int | None = None) -> Iterator[Callable[[int], None] | None]:
    """Yields a function that is called with what was done since its last call; None without a terminal.

    Without a length the bar tells only how much is done.
    """
    if not sys.stderr.isatty():
        yield None
        return
    with _click_bar(label, length, show_pos=True, show_percent=length is not None) as shown:
        yield shown.update


@contextmanager
def bar_with_words(label: str, length: int) -> Iterator[Callable[[int, str], None] | None]:
    """Yields a function that is called with all that is done so far and some words about it."""
    if not sys.stderr.isatty():
        yield None
        return
    with _click_bar(label, length, show_pos=True, show_eta=False, item_show_func=_shown) as shown:
        yield lambda done, words: shown.update(done - shown.pos, words)


def clear_bar() -> None:
    """Takes the bar off its line, so that something else can be said there; its next step draws it again."""
    if sys.stderr.isatty():
        sys.stderr.write(_CLEARED)


def _shown(words: str | None) -> str:
    return words or ""


def _click_bar(label: str, length: int | None, **options: Any) -> Any:
    if length is None:
        return click.progressbar(_of_unknown_length(), label=label, file=sys.stderr, **options)
    return click.progressbar(length=length, label=label, file=sys.stderr, **options)


def _of_unknown_length() -> Iterator[None]:
    """Yields nothing. Click draws a bar without an end for a generator, because a generator cannot tell its
    length."""
    yield from ()
