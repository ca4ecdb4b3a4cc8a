"""Free text inside a sentinel: quoted, in braces, in slashes; taken apart and put together again.

In quotes `\\"`, `\\'`, `\\\\`, `\\n`, `\\r`, `\\t` and `\\uXXXX` are what they are in most languages; any other
backslash stays as it is, so that patterns can be written without doubling (`"\\d+"`).

In braces everything stands for itself, over several lines if need be. Braces inside must be balanced
(one level) or written `\\{` and `\\}`. Where a list is expected, `,` separates the items; an item in double
quotes may hold anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_ESCAPE = re.compile(r"\\(?:([\"'\\nrt])|u([0-9a-fA-F]{4}))")
_MEANING = {"n": "\n", "r": "\r", "t": "\t"}
_SPELLING = {"\n": r"\n", "\r": r"\r", "\t": r"\t", '"': r"\"", "\\": r"\\"}
_QUOTED = re.compile(r'"(?:\\.|[^"\\\n])*"')
_BRACED = re.compile(r"\{(?:\\.|[^{}\\]|\{(?:\\.|[^{}\\])*\})*\}", re.DOTALL)
_BRACE = re.compile(r"\\([{}])")
_ITEM = re.compile(r'\s*(?:("(?:\\.|[^"\\\n])*")\s*(?=,|$)|((?:\\.|[^,\\])*))(,|$)', re.DOTALL)
_WORD = re.compile(r'"(?:\\.|[^"\\\n])*"|[^\s,]+')
_SEVERAL = re.compile(r'"(?:\\.|[^"\\\n])*"(?:\s*,?\s*"(?:\\.|[^"\\\n])*")+')
_FIELD = re.compile(r'\s*("(?:\\.|[^"\\\n])*"|[^=,"]+?)\s*=\s*("(?:\\.|[^"\\\n])*"|[^,"]*?)\s*(?:,|$)')
_COMMA = re.compile(r"\\([{},\\\"])")


def unquoted(token: str) -> str:
    """What a text in quotes says."""
    return _ESCAPE.sub(_meaning, token[1:-1])


def _meaning(escape: re.Match[str]) -> str:
    letter, code = escape.groups()
    return chr(int(code, 16)) if code else _MEANING.get(letter, letter)


def quoted(text: str) -> str:
    """The text in double quotes, with as few backslashes as will do."""
    return '"' + "".join(_spelled(text, at) for at in range(len(text))) + '"'


def _spelled(text: str, at: int) -> str:
    letter = text[at]
    if (
        letter == "\\"
        and text[at + 1 : at + 2].isprintable()
        and text[at + 1 : at + 2] not in {*"\"'\\nrtu", ""}
    ):
        return letter
    if letter in _SPELLING:
        return _SPELLING[letter]
    return letter if letter.isprintable() else _by_number(letter)


def _by_number(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def whole(token: str) -> str:
    """A text in quotes or braces taken as one: commas belong to it."""
    if token[0] != "{":
        return unquoted(token)
    inside = token[1:-1].strip()
    return unquoted(inside) if _QUOTED.fullmatch(inside) else _BRACE.sub(r"\1", inside)


def pattern(token: str) -> str:
    """A pattern: in braces and slashes every backslash is its own."""
    if token[0] == "/":
        return token[1:-1].replace(r"\/", "/")
    inside = token[1:-1].strip()
    return unquoted(token) if token[0] != "{" else unquoted(inside) if _QUOTED.fullmatch(inside) else inside


def items(token: str) -> tuple[str, ...]:
    """The items of `{a, b}`; a text in quotes is a list of one."""
    if token[0] != "{":
        return (unquoted(token),)
    found = (_item(match) for match in _ITEM.finditer(token[1:-1]))
    return tuple(one for one in found if one is not None)


def _item(match: re.Match[str]) -> str | None:
    in_quotes, plain, _ = match.groups()
    if in_quotes:
        return unquoted(in_quotes)
    return _COMMA.sub(r"\1", " ".join(plain.split())) or None


def in_braces(texts: tuple[str, ...], reading: Callable[[str], tuple[str, ...]] = items) -> str:
    """`{a, b}`, each item plain where that reads back as the same."""
    return "{" + ", ".join(one if _plain_item(one, reading) else quoted(one) for one in texts) + "}"


def _plain_item(text: str, reading: Callable[[str], tuple[str, ...]]) -> bool:
    return bool(text) and reading("{" + text + "}") == (text,) and bool(_BRACED.fullmatch("{" + text + "}"))


def words(token: str) -> tuple[str, ...]:
    """Words are separated by commas or spaces; what stands in quotes stays together."""
    if token[0] != "{":
        return (unquoted(token),)
    return tuple(unquoted(one) if _QUOTED.fullmatch(one) else one for one in _WORD.findall(token[1:-1]))


def phrases(token: str) -> tuple[str, ...]:
    """One phrase, commas and all; several stand each in double quotes."""
    inside = token[1:-1].strip()
    if token[0] == "{" and _SEVERAL.fullmatch(inside):
        return tuple(unquoted(one) for one in _QUOTED.findall(inside))
    return (whole(token),)


def fields(token: str) -> tuple[tuple[str, str], ...]:
    """The fields of a form: `{q = shoes, size = "4, 5"}`."""
    return tuple((_side(name), _side(value)) for name, value in _FIELD.findall(token[1:-1]))


def _side(text: str) -> str:
    return unquoted(text) if _QUOTED.fullmatch(text) else text.strip()


NAME = re.compile(r"\w+(?:[-.]+\w+)*")
URL = re.compile(r'https?://(?:[^\s()<>"{}]|\([^\s()<>"{}]*\))+(?<![,;])', re.IGNORECASE)
ADDRESS = re.compile(
    r"""[a-z][\w+.-]*://(?:[^\s()<>"{}]|\([^\s()<>"{}]*\))+(?<![,;])|[^\s,;"'(){}<>\[\]]*[@\d#][^\s,;"'(){}<>\[\]]*""",
    re.IGNORECASE,
)


def phrases_in_braces(several: tuple[str, ...]) -> str:
    if (
        len(several) == 1
        and phrases("{" + several[0] + "}") == several
        and _BRACED.fullmatch("{" + several[0] + "}")
    ):
        return "{" + several[0] + "}"
    return "{" + ", ".join(map(quoted, several)) + "}"


def whole_in_braces(text: str) -> str:
    plain = "{" + text + "}"
    return plain if whole(plain) == text and _BRACED.fullmatch(plain) else "{" + quoted(text) + "}"


def pattern_in_braces(text: str) -> str:
    plain = "{" + text + "}"
    return plain if pattern(plain) == text and _BRACED.fullmatch(plain) else "{" + quoted(text) + "}"


def in_slashes(text: str) -> str:
    return "/" + text.replace("/", r"\/") + "/"


def fields_in_braces(several: tuple[tuple[str, str], ...]) -> str:
    return "{" + ", ".join(f"{quoted(name)} = {quoted(value)}" for name, value in several) + "}"
