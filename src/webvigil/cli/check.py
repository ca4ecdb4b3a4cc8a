"""`webvigil check`: checks sentinels and prints their canonical text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webvigil.cli.bars import bar_with_words
from webvigil.cli.files import body_of
from webvigil.cli.saying import say, say_json

if TYPE_CHECKING:
    from webvigil.language import Checked

TROUBLE = 2
# Characters. A shorter text is checked before a progress bar could be drawn.
_WORTH_A_BAR = 200_000


@click.command()
@click.argument("file", default="-", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print the parsed sentinels and the mistakes as JSON.")
def check(file: str, as_json: bool) -> int:
    """Check sentinels: print the canonical text of those in FILE (or standard input).

    Mistakes are shown with their place on standard error; then the exit code is 2.

    \b
    Example:
      webvigil check sentinels.txt
      echo 'Create Sentinel s1 Using https://example.org/ Monitor all links' | webvigil check -
    """
    from webvigil.app.sentinels.check import check_text

    text = _read(file)
    with _progress(text) as progress:
        checked = check_text(text, progress=progress)
    _print(checked, text, as_json)
    return TROUBLE if checked.mistakes else 0


def _read(file: str) -> str:
    data = body_of(Path(file))
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise click.ClickException(f"{file}: line {line} is not UTF-8 text") from error


@contextmanager
def _progress(text: str) -> Iterator[Callable[[int, int], None] | None]:
    if len(text) < _WORTH_A_BAR:
        yield None
        return
    with bar_with_words("Checking", len(text)) as told:
        yield told and (lambda done, _: told(done, ""))


def _print(checked: Checked, text: str, as_json: bool) -> None:
    if as_json:
        _print_json(checked)
        return
    from webvigil.language import print_sentinel

    click.echo("\n".join(map(print_sentinel, checked.sentinels)), nl=False)
    for mistake in checked.mistakes:
        say(mistake.pointed(text), err=True)
    for words in checked.warnings:
        say(f"warning: {words}", err=True)


def _print_json(checked: Checked) -> None:

    from webvigil.language import mistake_as_json, sentinel_as_json

    answer = {
        "sentinels": [sentinel_as_json(one) for one in checked.sentinels],
        "mistakes": [mistake_as_json(one) for one in checked.mistakes],
        "warnings": list(checked.warnings),
    }
    say_json(answer)
