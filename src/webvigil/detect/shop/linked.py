"""A page in, the data of its JSON-LD scripts out, as far as they can be read.

Shops often write scripts that are not quite JSON: in a comment, with a comma or a semicolon too many, with
line breaks inside texts. Such scripts are read; what is broken further is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from html import unescape
from typing import Any

from webvigil.document import PageDigest

NODE = "@node"
"""The key under which data keep the node of the page that they come from."""

Data = dict[str, Any]
# A page with more is read in part.
_MOST_SCRIPTS, _MOST_LETTERS = 100, 4_000_000
_WRAPPED = re.compile(
    r"^\s*(?://\s*|/\*\s*)?(?:<!--|<!\[CDATA\[)(?:\s*\*/)?|(?://\s*|/\*\s*)?(?:-->|\]\]>)(?:\s*\*/)?\s*$"
)
# Only comments that begin a line: two slashes also stand in addresses.
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*[^*]*\*/)", re.MULTILINE)
_LOOSE_COMMA = re.compile(r",(?=\s*[}\]])")


def linked_data(digest: PageDigest) -> Iterator[Any]:
    """Yields the values of the JSON-LD scripts, each object at the top with the node of its script."""
    left = _MOST_LETTERS
    for node in _scripts(digest)[:_MOST_SCRIPTS]:
        text = digest.text(node)
        left -= len(text)
        if left < 0:
            return
        value = _read(text)
        if value is not None:
            yield {NODE: node, "@graph": value}


def _scripts(digest: PageDigest) -> list[int]:
    return [
        node
        for node in digest.nodes_of("script").tolist()
        if (digest.attribute(node, "type") or "").strip().lower().startswith("application/ld+json")
    ]


def _read(text: str) -> Any:
    """Returns the value that a script holds, or None."""
    for written in _readings(text):
        try:
            return json.loads(written, strict=False, parse_float=Decimal, parse_constant=_nothing)
        except (ValueError, RecursionError):
            continue
    return None


def _readings(text: str) -> Iterator[str]:
    """Yields the text as it is, mended, and mended without the entities of HTML."""
    yield text
    yield _mended(text)
    yield _mended(unescape(text))


def _nothing(_: str) -> None:
    """Stands for NaN and the like."""


def _mended(text: str) -> str:
    """Returns the text without what often stands around or in it and is no JSON."""
    bare = _COMMENT.sub("", _WRAPPED.sub("", text)).strip().removesuffix(";")
    return _LOOSE_COMMA.sub("", bare)
