r"""Text in quotes, braces or slashes in, the plain text out, and back.

In quotes `\"`, `\'`, `\\`, `\n`, `\r`, `\t` and `\uXXXX` mean what they mean in most languages. Any other
backslash stays, so that `"\d+"` needs no doubling.

In braces a text may run over several lines, and a line break counts as a space. A backslash before
`\`, `{`, `}`, `,` or `"` makes that character stand for itself; balanced braces may stand as they are.
An item that is wholly in double quotes is read as a quoted text, but braces in it are still written
`\{` and `\}`. Patterns keep every backslash; behind the last slash of a pattern there may be flags.

Printing tries the plain form and takes it only if it reads back as the same text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_IN_QUOTES = r'"(?:\\.|[^"\\\n])*"'
_IN_BRACES = r"\{(?:\\.|[^{}\\]|\{(?:\\.|[^{}\\])*\})*\}"

QUOTED = re.compile(_IN_QUOTES)
BRACED = re.compile(_IN_BRACES, re.DOTALL)
SLASHED = re.compile(r"/(?:\\.|[^/\\\n])+/(?:[gimsux]+\b)?")
# An expression in slashes with nothing around it. A slash inside needs no backslash, because the last one
# closes.
EXPRESSION = re.compile(r"/(.+)/([gimsux]*)", re.DOTALL)

# Raw control characters, line separators and direction overrides hide what a text says; they must be
# written by number (`\u202e`). Joiners and plain direction marks belong to some scripts and may stay.
HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)
# Characters that no database and no encoding accepts: NUL and lone surrogates.
IMPOSSIBLE = re.compile("[\x00\ud800-\udfff]")

_ESCAPE = re.compile(r"\\(?:([\"'\\nrt])|u([0-9a-fA-F]{4}))")
_ESCAPE_IN_BRACES = re.compile(r"\\(?:([\"'\\nrt{}])|u([0-9a-fA-F]{4}))")
_MEANING = {"n": "\n", "r": "\r", "t": "\t"}
_SPELLING = {"\n": r"\n", "\r": r"\r", "\t": r"\t", '"': r"\""}
_SPELLING_IN_BRACES = _SPELLING | {"{": r"\{", "}": r"\}"}
_STANDS_FOR_ITSELF = re.compile(r"\\([\\{},\"])")
_ITEM = re.compile(rf"\s*(?:({_IN_QUOTES})\s*|((?:\\.|[^,\\])*))(?:,|\Z)", re.DOTALL)
_WORD = re.compile(rf"({_IN_QUOTES})(?=[\s,]|\Z)|((?:\\.|[^\s,\\])+)")
_SEVERAL_QUOTED = re.compile(rf"{_IN_QUOTES}(?:\s*,?\s*{_IN_QUOTES})*")
_FIELD = re.compile(rf"\s*({_IN_QUOTES}|[^=,\"]+?)\s*=\s*({_IN_QUOTES}|[^,\"]*?)\s*(?:,|\Z)")
_PLAIN_ITEM = re.compile(r"[^\s\\{},\"]+(?: [^\s\\{},\"]+)*")
_PLAIN_WORD = re.compile(r"[^\s\\{},\"]+")
_PLAIN_SIDE = re.compile(r"[^\W_][\w.-]*")

# --- out of the quotes ----------------------------------------------------------------------------


def unquoted(token: str) -> str:
    """Returns the text inside quotes, with its escapes replaced."""
    return _without_escapes(token, _ESCAPE)


def unquoted_in_braces(token: str) -> str:
    """Returns the text inside quotes that stand in braces, where `\\{` and `\\}` are escapes too."""
    return _without_escapes(token, _ESCAPE_IN_BRACES)


def _without_escapes(token: str, escape: re.Pattern[str]) -> str:
    text = escape.sub(_meaning, token[1:-1])
    return _joined_halves(text) if IMPOSSIBLE.search(text) else text


def whole(token: str) -> str:
    """Returns what stands in quotes or braces as one text; commas do not separate."""
    if token[0] != "{":
        return unquoted(token)
    inside = token[1:-1].strip()
    return unquoted_in_braces(inside) if QUOTED.fullmatch(inside) else _standing(inside)


def pattern(token: str) -> str:
    """Returns a pattern. In braces and slashes every backslash stays as it is; only `\\/` in slashes means
    `/`."""
    if token[0] == "/":
        body, _, flags = token[1:].rpartition("/")
        return with_flags(body.replace(r"\/", "/"), flags)
    inside = token[1:-1].strip()
    if token[0] == "{" and not QUOTED.fullmatch(inside):
        return inside
    return unquoted(inside if token[0] == "{" else token)


def with_flags(expression: str, flags: str) -> str:
    """Returns the expression with its flags written inside: `/sold/i` becomes `(?i)sold`."""
    meant = "".join(sorted(set(flags) & set("imsx")))
    return f"(?{meant}){expression}" if meant else expression


def items(token: str) -> tuple[str, ...]:
    """Returns the items of `{a, b}`. A text in quotes is a list of one item."""
    if token[0] != "{":
        return (unquoted(token),)
    pairs = (match.groups() for match in _ITEM.finditer(token[1:-1]))
    return tuple(
        unquoted_in_braces(quote) if quote else _standing(plain)
        for quote, plain in pairs
        if quote or plain.strip()
    )


def words(token: str) -> tuple[str, ...]:
    """Returns the words in braces, separated by commas or spaces; a text in quotes counts as one word."""
    if token[0] != "{":
        return (unquoted(token),)
    return tuple(
        unquoted_in_braces(quote) if quote else _standing(plain)
        for quote, plain in _WORD.findall(token[1:-1])
    )


def phrases(token: str) -> tuple[str, ...]:
    """Returns the phrases in braces or quotes: one phrase that may hold commas, or several if each stands in
    double quotes."""
    inside = token[1:-1].strip()
    if token[0] == "{" and _SEVERAL_QUOTED.fullmatch(inside):
        return tuple(unquoted_in_braces(one) for one in QUOTED.findall(inside))
    return (whole(token),)


def fields(token: str) -> tuple[tuple[str, str], ...]:
    """Returns the fields of a form such as `{q = shoes, size = "4, 5"}` as pairs. Raises ValueError for a
    text of another shape."""
    inside = token[1:-1].rstrip().removesuffix(",")
    return tuple(_fields(inside)) if inside.strip() else ()


def _fields(inside: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(inside):
        match = _FIELD.match(inside, at)
        if not match:
            raise ValueError(f"{inside[at:].strip()!r} is no field; a field is written name = value")
        yield _side(match[1]), _side(match[2])
        at = match.end()


def _side(text: str) -> str:
    return unquoted_in_braces(text) if text.startswith('"') else text


def _standing(text: str) -> str:
    return _STANDS_FOR_ITSELF.sub(r"\1", " ".join(text.split()))


def _meaning(escape: re.Match[str]) -> str:
    letter, code = escape.groups()
    return chr(int(code, 16)) if code else _MEANING.get(letter, letter)


def _joined_halves(text: str) -> str:
    """Returns the text with surrogate pairs joined: `\\ud83d\\ude00` is one character written in two
    halves."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


# --- and back -------------------------------------------------------------------------------------


def quoted(text: str) -> str:
    """Returns the text in double quotes, with as few backslashes as possible."""
    return _with_escapes(text, _SPELLING, frozenset("\"'\\nrtu"))


def quoted_in_braces(text: str) -> str:
    return _with_escapes(text, _SPELLING_IN_BRACES, frozenset("\"'\\nrtu{}"))


def _with_escapes(text: str, spelling: dict[str, str], meaningful: frozenset[str]) -> str:
    """Returns the text in double quotes. A backslash is doubled only where it would otherwise form an escape
    with the character after it."""
    spelled = [spelling.get(letter) or _by_number(letter) for letter in text]
    for at, letter in enumerate(text):
        following = spelled[at + 1][0] if at + 1 < len(text) else "\\"
        if letter == "\\" and (following in meaningful):
            spelled[at] = r"\\"
    return '"' + "".join(spelled) + '"'


def _by_number(letter: str) -> str:
    return f"\\u{ord(letter):04x}" if HIDDEN.match(letter) else letter


def in_braces(several: tuple[str, ...]) -> str:
    return _listed(several, _PLAIN_ITEM)


def words_in_braces(several: tuple[str, ...]) -> str:
    return _listed(several, _PLAIN_WORD)


def _listed(several: tuple[str, ...], plain: re.Pattern[str]) -> str:
    spelled = (
        one if plain.fullmatch(one) and not HIDDEN.search(one) else quoted_in_braces(one) for one in several
    )
    return "{" + ", ".join(spelled) + "}"


def phrases_in_braces(several: tuple[str, ...]) -> str:
    quotes = "{" + ", ".join(map(quoted_in_braces, several)) + "}"
    return _plain("{" + several[0] + "}", BRACED, phrases, several, quotes)


def whole_in_braces(text: str) -> str:
    return _plain("{" + text + "}", BRACED, whole, text, quoted(text))


def pattern_in_braces(text: str) -> str:
    return _plain("{" + text + "}", BRACED, pattern, text, quoted(text))


def pattern_in_slashes(text: str) -> str:
    return _plain("/" + text.replace("/", r"\/") + "/", SLASHED, pattern, text, f"regex {quoted(text)}")


def fields_in_braces(several: tuple[tuple[str, str], ...]) -> str:
    return "{" + ", ".join(f"{_side_text(name)} = {_side_text(value)}" for name, value in several) + "}"


def _side_text(text: str) -> str:
    return text if _PLAIN_SIDE.fullmatch(text) else quoted_in_braces(text)


def _plain(
    candidate: str, form: re.Pattern[str], reading: Callable[[str], object], meant: object, otherwise: str
) -> str:
    """Returns the candidate if it matches `form`, is one line without hidden characters, and `reading` gives
    `meant` for it; otherwise `otherwise`."""
    shown = "\n" not in candidate and "\r" not in candidate and not HIDDEN.search(candidate)
    return candidate if shown and form.fullmatch(candidate) and reading(candidate) == meant else otherwise
