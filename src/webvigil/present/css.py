"""The style sheet of a stranger's page in, the same style without anything that would be fetched out (P4).

The remaining style can colour and place things, nothing else: no import, no font from elsewhere, and only
pictures for which the caller has an address. Names are compared as a browser reads them, with escapes undone.
The content security policy of the shown page forbids the network as well; this module is the first of two
barriers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import urljoin

from webvigil.document.markup import names

# Takes the address of a picture and returns the address it may be shown from, or "" if it may not be shown.
Address = Callable[[str], str]

_FETCHING = names(
    "url src image image-set -webkit-image-set cross-fade -webkit-cross-fade element -moz-element paint "
    "expression url-prefix domain document"
)
_KEPT_RULES = names(
    "media supports layer container scope starting-style page keyframes -webkit-keyframes -moz-keyframes"
)
_DATA = re.compile(
    r"data:image/(?:png|jpe?g|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)[;,]", re.IGNORECASE
)
# Characters of a `data:` picture. A longer one is dropped, so that a page cannot blow up its presentation.
_LONGEST_DATA = 200_000

_ESCAPE = r"\\(?:[0-9a-fA-F]{1,6}(?:\r\n|[ \t\n\r\f])?|[^\n\r\f0-9a-fA-F])"
_TOKEN = re.compile(
    rf"""(?P<comment>/\*.*?(?:\*/|\Z))
    |(?P<string>"(?:[^"\\\n\r\f]|\\.)*(?:"|\Z|(?=[\n\r\f]))|'(?:[^'\\\n\r\f]|\\.)*(?:'|\Z|(?=[\n\r\f])))
    |(?P<name>@?(?:[\w\-\u0080-\U0010ffff]|{_ESCAPE})+)(?P<call>\()?
    |(?P<sign>[{{}};()])
    |(?P<rest>[^"'\w\-\u0080-\U0010ffff\\@{{}};()/]+|.)""",
    re.VERBOSE | re.DOTALL,
)
# Stretches without a token that matters are taken at once, for speed. A name at the end of a stretch is left
# for the next token because it may be a function call. In a `style` attribute braces are left as well,
# because they are dropped there.
_PLAIN = re.compile(r"""[^"'\\@/(]*[^"'\\@/(\w\-\u0080-\U0010ffff]""")
_PLAIN_INSIDE = re.compile(r"""[^"'\\@/({}]*[^"'\\@/({}\w\-\u0080-\U0010ffff]""")
_ONE_ESCAPE = re.compile(_ESCAPE)
_QUIET = re.compile(r"[\\@]|/\*|\(|</|<!")
_UNQUOTED = re.compile(rf"[ \t\n\r\f]*((?:[^\\\"'()\s]|{_ESCAPE})*)[ \t\n\r\f]*(?:\)|\Z)")
_SPACES = " \t\n\r\f"


def nothing(_: str) -> str:
    """Returns "" for every address; used where no picture is at hand."""
    return ""


def style_sheet(text: str, address: Address = nothing, base: str = "") -> str:
    """Returns a style sheet that is safe inside a `style` element."""
    text = text.replace("\0", "\ufffd")
    if not _QUIET.search(text):
        return text
    return _no_end("".join(_kept(text, address, base)))


def declarations(text: str, address: Address = nothing, base: str = "") -> str:
    """Returns the value of a `style` attribute, without blocks and rules."""
    if not _QUIET.search(text) and "{" not in text and "}" not in text:
        return text
    kept = _kept(text, address, base, _PLAIN_INSIDE)
    return "".join([part for part in kept if part not in ("{", "}")])


def data_picture(url: str) -> str:
    """Returns the address itself if it holds its picture as `data:`, else ""."""
    return url if len(url) <= _LONGEST_DATA and _DATA.match(url) else ""


def _no_end(text: str) -> str:
    """Escapes "</" and "<!", so that nothing in the style ends the `style` element around it."""
    return text.replace("</", "<\\/").replace("<!", "<\\!")


def _kept(text: str, address: Address, base: str, plain: re.Pattern[str] = _PLAIN) -> Iterator[str]:
    """Yields the tokens of a style that may stay. Functions that fetch are replaced, unknown at-rules are
    skipped."""
    place = 0
    while place < len(text):
        if quiet := plain.match(text, place):
            place = quiet.end()
            yield quiet[0]
        found = _TOKEN.match(text, place)
        if found is None:
            break
        place = found.end()
        name = _read(found["name"]) if found["name"] else ""
        if found["comment"] is not None:
            yield " "
        elif name.startswith("@"):
            if name[1:] in _KEPT_RULES:
                yield found[0]
            else:
                place = _behind_rule(text, place - len(found["call"] or ""))
        elif found["call"] and name in _FETCHING:
            place, value = _fetched(name, text, place, address, base)
            yield value
        else:
            yield found[0]


def _read(name: str) -> str:
    """Returns a name as a browser reads it: escapes undone, in lower case."""
    return _ONE_ESCAPE.sub(_character, name).lower() if "\\" in name else name.lower()


def _character(escape: re.Match[str]) -> str:
    body = escape[0][1:].strip(_SPACES)
    try:
        return chr(int(body, 16)) if re.fullmatch("[0-9a-fA-F]+", body) else escape[0][1:]
    except (ValueError, OverflowError):
        return "\ufffd"


def _fetched(name: str, text: str, place: int, address: Address, base: str) -> tuple[int, str]:
    """Returns the place after a function that fetches, and the harmless value to write instead."""
    plain = _UNQUOTED.match(text, place) if name == "url" else None
    if plain and plain[1]:
        return plain.end(), _shown(_ONE_ESCAPE.sub(_character, plain[1]), address, base)
    quoted = _quoted(text, place) if name == "url" else None
    return _behind_call(text, place), _shown(quoted, address, base) if quoted else "none"


def _quoted(text: str, place: int) -> str | None:
    while place < len(text) and text[place] in _SPACES:
        place += 1
    found = _TOKEN.match(text, place)
    if found is None or not found["string"]:
        return None
    return _ONE_ESCAPE.sub(_character, found["string"][1:].rstrip(found["string"][0]))


def _shown(url: str, address: Address, base: str) -> str:
    try:
        target = data_picture(url) or address(urljoin(base, url.strip()))
    except ValueError:
        return "none"
    written = re.sub(r"""["'\\\s<>()]""", lambda sign: f"%{ord(sign[0]):02X}", target)
    return f'url("{written}")' if target else "none"


def _behind_call(text: str, place: int) -> int:
    """Returns the place after the parenthesis that closes the one before `place`."""
    depth = 1
    while depth and (found := _TOKEN.match(text, place)):
        place = found.end()
        depth += (found["sign"] == "(" or found["call"] is not None) - (found["sign"] == ")")
    return place


def _behind_rule(text: str, place: int) -> int:
    """Returns the place after an at-rule, which ends with a semicolon or with its block."""
    depth = 0
    while found := _TOKEN.match(text, place):
        if found["sign"] == "}" and not depth:
            return place
        place = found.end()
        depth += (found["sign"] == "{") - (found["sign"] == "}")
        if (found["sign"] == ";" and not depth) or (found["sign"] == "}" and not depth):
            break
    return place
