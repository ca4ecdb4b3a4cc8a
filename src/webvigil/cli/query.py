"""`webvigil query`: evaluates XPath on a packed file without unpacking it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webvigil.cli.bars import bar
from webvigil.cli.main import NOT_FOUND
from webvigil.cli.options import as_json
from webvigil.cli.packing import chosen, opened, packed_file, which_document
from webvigil.cli.saying import say, say_json

if TYPE_CHECKING:
    from webvigil.xpack import Packed, Result


@click.command()
@packed_file
@click.argument("xpath")
@click.option("--count", "shown", flag_value="count", help="Only how many nodes there are.")
@click.option("--text", "shown", flag_value="text", help="The texts of the nodes, one per line.")
@click.option("--paths", "shown", flag_value="paths", default=True, help="Where the nodes are (the default).")
@as_json
@click.option(
    "--ns",
    "namespaces",
    metavar="PREFIX=URI",
    multiple=True,
    help="What a prefix means; by default as in the document.",
)
@click.option("--var", "variables", metavar="NAME=VALUE", multiple=True, help="The value of a variable.")
@which_document
def query(
    file: Path,
    xpath: str,
    shown: str,
    as_json: bool,
    namespaces: tuple[str, ...],
    variables: tuple[str, ...],
    which: str | None,
) -> int:
    """Ask FILE (- for standard input) an XPath 1.0 expression. Exit code 1: no such nodes.

    \b
    Example:
      webvigil query play.xpk 'count(//LINE)'
      webvigil query play.xpk '//SPEAKER' --text
      webvigil query archive.xpk '//title' --json
    """
    with opened(file) as packed:
        many = which is None and len(packed) > 1
        asked = _asking(xpath, namespaces, variables)
        answers = [(name, asked(document)) for name, document in _with_progress(packed, which, many)]
        if as_json:
            found = [{"document": name, **_plain(answer)} for name, answer in answers]
            say_json(found if many else found[0], None)
        else:
            for name, answer in answers:
                for line in _lines(answer, shown):
                    say(f"{name}: {line}" if many else line)
    return 0 if shown == "count" or any(_is_something(answer) for _, answer in answers) else NOT_FOUND


def _asking(
    xpath: str, namespaces: tuple[str, ...], variables: tuple[str, ...]
) -> Callable[[Packed], Result]:
    meanings = _pairs(namespaces, "--ns") or None
    values = {name: _value(text) for name, text in _pairs(variables, "--var").items()}
    return lambda document: document.query(xpath, namespaces=meanings, variables=values)


def _pairs(texts: tuple[str, ...], option: str) -> dict[str, str]:
    found = dict(text.partition("=")[::2] for text in texts)
    if any("=" not in text for text in texts):
        raise click.UsageError(f"{option} needs NAME=VALUE")
    return found


def _value(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


def _with_progress(packed: Any, which: str | None, many: bool) -> Iterator[Any]:
    """Yields the documents, with a progress bar if there are many and standard error is a terminal."""
    with bar("Documents", len(packed)) if many else nullcontext() as told:
        for one in chosen(packed, which):
            yield one
            if told:
                told(1)


def _lines(answer: Result, shown: str) -> list[str]:
    if isinstance(answer, (float, str, bool)):
        return [_text(answer)]
    if shown == "count":
        return [str(len(answer))]
    return answer.texts() if shown == "text" else answer.paths()


def _plain(answer: Result) -> dict[str, Any]:
    if isinstance(answer, (float, str, bool)):
        odd = isinstance(answer, float) and not math.isfinite(answer)
        return {"type": _TYPES[type(answer)], "value": _text(answer) if odd else _whole(answer)}
    nodes = [{"path": path, "text": text} for path, text in zip(answer.paths(), answer.texts(), strict=True)]
    return {"type": "nodes", "count": len(answer), "nodes": nodes}


_TYPES: dict[type, str] = {float: "number", str: "string", bool: "boolean"}


def _is_something(answer: Result) -> bool:
    return isinstance(answer, (float, str, bool)) or len(answer) > 0


def _text(value: float | str | bool) -> str:
    from webvigil.xpack.xpath.conversions import number_text

    if isinstance(value, bool):
        return "true" if value else "false"
    return number_text(value) if isinstance(value, float) else value


def _whole(value: float | str | bool) -> int | float | str | bool:
    """Returns a number without fraction as an int, so that it prints without a decimal point."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
