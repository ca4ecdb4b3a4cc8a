"""Text in, sentinels out: the grammar is built once, when it is first needed."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedInput

from webvigil.errors import MistakeInText
from webvigil.language.reader import Reader
from webvigil.model.sentinel import ChangeExpression, Sentinel

_PIECE = re.compile(
    r"""--[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | \{(?:\\.|[^{}\\]|\{(?:\\.|[^{}\\])*\})*\}
    | (create\s+sentinel\b) | [^\s"'{]+ | \S""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


def parse(text: str) -> list[Sentinel]:
    """All sentinels of the text, or MistakeInText for the first that cannot be read."""
    return [_read(piece, "sentinel", start, text) for start, piece in _pieces(text)]


def parse_expression(text: str) -> Any:
    """A change expression by itself: `all links OR phrase: {low risk}`."""
    return _read(text, "alone", 0, text)


def _pieces(text: str):
    starts = [match.start() for match in _PIECE.finditer(text) if match[1]]
    if not starts or text[: starts[0]].strip():
        starts.insert(0, 0)
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        if text[start:end].strip():
            yield start, text[start:end]


@cache
def _grammar() -> Lark:
    source = files("webvigil.language").joinpath("sentinel.lark").read_text("utf-8")
    return Lark(
        source, parser="lalr", start=["sentinel", "alone"], maybe_placeholders=False, transformer=Reader()
    )


def _read(piece: str, rule: str, start: int, text: str):
    try:
        return _grammar().parse(piece, start=rule)
    except UnexpectedInput as error:
        line, column = max(error.line, 1), max(error.column, 1)
        word = str(getattr(error, "token", "")) or piece[error.pos_in_stream : error.pos_in_stream + 10]
        before = text[:start]
        raise MistakeInText(
            f"line {line + before.count(chr(10))}, column {column}: {word!r} cannot be read",
            line=line,
            column=column,
            word=word,
        ) from None
