"""A text in, its sentinels out. Each piece of the text is read by itself and gives a sentinel or a mistake.

Building the grammar takes about a fifth of a second, so the built grammar is stored in Python's own folder of
compiled modules and read from there at the next start. Lark builds it again if the text of the grammar, the
version of Lark or that of Python is another one.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedInput

from webvigil.errors import MistakeInText
from webvigil.language import mistakes
from webvigil.language.change_types import with_change_types
from webvigil.language.pieces import Piece, pieces
from webvigil.language.reader import Reader
from webvigil.model.approach import MOST_STEPS, Step
from webvigil.model.request import Request
from webvigil.model.sentinel import ChangeExpression, Sentinel

# The most characters of one sentinel: far more than people write. The limit keeps the answer to a hostile
# text quick.
LONGEST = 100_000

Progress = Callable[[int, int], None]
_GRAMMAR = Path(__file__).with_name("sentinel.lark")
_BEFORE_NAME = re.compile(r"create\s+sentinel\s+", re.IGNORECASE)


def parse(text: str, progress: Progress | None = None) -> list[Sentinel]:
    """Returns all sentinels of the text. Raises MistakeInText for the first one that cannot be read."""
    found = []
    for _, one in read(text, progress):
        if isinstance(one, MistakeInText):
            raise one
        found.append(one)
    return found


def parse_expression(text: str) -> ChangeExpression:
    """Returns the change expression in a text such as `all links OR phrase: {low risk}`. Raises MistakeInText
    if the text cannot be read."""
    found = _read(Piece(text.removeprefix("\ufeff"), 1, 1, len(text)), "alone")
    if isinstance(found, MistakeInText):
        raise found
    expression: ChangeExpression = found
    return expression


def parse_request(text: str) -> Request:
    """Returns the request of a text such as `POST header Accept "text/csv" json {"q": 1}`, which names no
    address. Raises MistakeInText if the text cannot be read."""
    found = _read(Piece(text.removeprefix("\ufeff"), 1, 1, len(text)), "asked")
    if isinstance(found, MistakeInText):
        raise found
    request: Request = found
    return request


def parse_steps(text: str) -> tuple[Step, ...]:
    """Returns the steps of a text with one step on a line. Raises MistakeInText for a line that is no
    step."""
    found = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        plain = line.strip().removesuffix(",").rstrip()
        if plain:
            column = len(line) - len(line.lstrip()) + 1
            found.append(_read(Piece(plain, number, column, len(plain)), "step"))
    mistake = next((one for one in found if isinstance(one, MistakeInText)), None)
    if mistake is None and len(found) > MOST_STEPS:
        mistake = MistakeInText(f"a page is approached in at most {MOST_STEPS} steps, not {len(found)}")
    if mistake is not None:
        raise mistake
    return tuple(found)


def read(text: str, progress: Progress | None = None) -> Iterator[tuple[Piece, Sentinel | MistakeInText]]:
    """Yields each piece of the text with its sentinel or its mistake; a name that stands twice is a mistake.
    `progress` is called with the number of characters read so far and the length of the text."""
    text = text.removeprefix("\ufeff")
    lines: dict[str, int] = {}
    for piece in pieces(text):
        one = _read(piece, "sentinel")
        if isinstance(one, Sentinel) and one.name in lines:
            one = _name_again(piece, one.name, lines[one.name])
        elif isinstance(one, Sentinel):
            lines[one.name] = piece.line
        yield piece, one
        if progress:
            progress(piece.end, len(text))


def _read(piece: Piece, rule: str) -> Any:
    try:
        _refuse_at_sight(piece.text)
        return grammar().parse(piece.text, start=rule)
    except MistakeInText as mistake:
        return moved(mistake, piece)
    except UnexpectedInput as error:
        return moved(mistakes.unexpected(error, piece.text, grammar(), rule), piece)


def _refuse_at_sight(text: str) -> None:
    if len(text) > LONGEST:
        raise MistakeInText(f"a sentinel has at most {LONGEST:,} characters, this one has {len(text):,}")
    if hidden := mistakes.hidden_character(text):
        raise hidden


@cache
def grammar() -> Lark:
    """Returns the grammar: `sentinel.lark` with the change types, which come from their rows."""
    return Lark(
        with_change_types(_GRAMMAR.read_text("utf-8")),
        parser="lalr",
        start=["sentinel", "alone", "step", "asked"],
        maybe_placeholders=False,
        transformer=Reader(),
        cache=_built() or False,
    )


def _built() -> str:
    """Returns the file in which the built grammar is stored beside the compiled modules; "" if Python may not
    write there, or was told to write no compiled modules."""
    file = Path(cache_from_source(str(_GRAMMAR))).with_suffix(".lark")
    if file.exists():
        return str(file)
    if sys.dont_write_bytecode or not os.access(file.parent, os.W_OK):
        return ""
    return str(file)


@cache
def terminal(name: str) -> re.Pattern[str]:
    """Returns the pattern of one terminal of the grammar. The printer uses it to find out whether a text can
    stand without quotes."""
    definition = next(one for one in grammar().terminals if one.name == name)
    return re.compile(definition.pattern.to_regexp())


def moved(mistake: MistakeInText, piece: Piece) -> MistakeInText:
    """Changes the place of a mistake from its place in the piece to its place in the whole text."""
    mistake.column += piece.column - 1 if mistake.line == 1 else 0
    mistake.line += piece.line - 1
    return mistake


def _name_again(piece: Piece, name: str, first: int) -> MistakeInText:
    match = _BEFORE_NAME.match(piece.text)
    line, column = mistakes.place(piece.text, match.end() if match else 0)
    message = f"the name {name} is taken by the sentinel on line {first}"
    return moved(MistakeInText(message, line=line, column=column, word=name), piece)
