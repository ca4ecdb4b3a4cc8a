"""Text of a page in, the same text out in a spelling that Markdown or a terminal shows as plain text.

Pages are written by strangers. Presentations copy only words from a page, never its markup or attributes, and
the functions here take from those words whatever could still act: signs in Markdown, control characters on a
terminal. Commands that only write lines use them, so nothing about pages is loaded; `html_text` is the module
for HTML.
"""

from __future__ import annotations

import re

# Control characters, lone surrogates, and the two code points that XML forbids. "\t" and "\n" are missing
# here because they are harmless white space.
UNSPEAKABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# Characters that switch the writing direction. Without removing them, a terminal would show our own marks at
# the wrong place.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
# Characters that end a line, or that some programs take for the end of a line.
_BREAKING = re.compile("[\t-\r\x1c-\x1e\x85\u2028\u2029]")
_SIGNS = re.compile(r"[\\`*_\[\]<>~|&$]")
# Replaces each character removed above: the dot is visible, and like those characters it is no part of a
# word.
DOT = "·"
_OPENING = re.compile(r"^(\d{1,9}[.)]|[#+=-])")


def plain_text(text: str) -> str:
    """Replaces control characters and direction marks by dots, for output on a terminal or in a text file."""
    return _TURNING.sub(DOT, UNSPEAKABLE.sub(DOT, text))


def one_line(text: str) -> str:
    """Does the same as `plain_text` and also joins all lines into one, for lists where a line end would look
    like the next entry."""
    return plain_text(" ".join(text.split()) if _BREAKING.search(text) else text)


def markdown_text(text: str) -> str:
    """Puts a backslash before each sign that Markdown gives a meaning; control characters become dots."""
    return _SIGNS.sub(r"\\\g<0>", plain_text(text))


def markdown_opening(text: str) -> str:
    """Escapes the beginning of a text that `markdown_text` has escaped, so that a block does not begin as a
    list, a heading or a rule."""
    return _OPENING.sub(lambda found: found[0][:-1] + "\\" + found[0][-1], text)
