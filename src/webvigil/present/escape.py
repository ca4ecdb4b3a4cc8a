"""Text of a page in, text that stays text out, whatever it is written into.

Pages are written by strangers. Only words leave a page, never its markup or attributes, and here they lose
what could still act: in HTML as markup, in Markdown as signs, on a terminal as control characters.
"""

from __future__ import annotations

import re
from html import escape

# Control characters, lone surrogates, and the two that XML forbids. "\t" and "\n" are white space.
_UNSPEAKABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# Marks that turn the order of what follows: a terminal would show our own marks at the wrong place.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
# What ends a line, or may.
_BREAKING = re.compile("[\t-\r\x1c-\x1e\x85\u2028\u2029]")
_SIGNS = re.compile(r"[\\`*_\[\]<>~|&$]")
# Stands for each of them: visible, and like them no part of a word.
_DOT = "·"
# What HTML text may not hold as it is; most texts hold nothing of it.
_SPECIAL = re.compile("[&<>\"'\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_OPENING = re.compile(r"^(\d{1,9}[.)]|[#+=-])")


def html_text(text: str) -> str:
    if not _SPECIAL.search(text):
        return text
    return escape(_UNSPEAKABLE.sub(_DOT, text), quote=True)


def plain_text(text: str) -> str:
    """For a terminal or a text file."""
    return _TURNING.sub(_DOT, _UNSPEAKABLE.sub(_DOT, text))


def one_line(text: str) -> str:
    """The same where a line end would look like the next entry."""
    return plain_text(" ".join(text.split()) if _BREAKING.search(text) else text)


def markdown_text(text: str) -> str:
    return _SIGNS.sub(r"\\\g<0>", plain_text(text))


def markdown_opening(text: str) -> str:
    """The escaped text of a block that must not begin as a list, a heading or a line."""
    return _OPENING.sub(lambda found: found[0][:-1] + "\\" + found[0][-1], text)
