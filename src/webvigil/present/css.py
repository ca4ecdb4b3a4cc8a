"""The style of a stranger's page in, the same style without anything that is fetched out (P4).

What remains can colour and place things and nothing else: no import, no font from elsewhere, and of pictures
only those that the caller has an address for. Names are compared as a browser reads them, escapes undone.
The policy of the shown page forbids the network as well; this is the first of two doors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import urljoin

from webvigil.document.markup import names

# The address of a picture in, the address it may be shown from out; "" for none.
Address = Callable[[str], str]

_FETCHING = names(
    "url src image image-set -webkit-image-set cross-fade -webkit-cross-fade element -moz-element paint "
    "expression url-prefix domain document"
)
_KEPT_RULES = names(
    "media supports layer container scope starting-style page keyframes -webkit-keyframes -moz- keyframes"
)
_DATA = re.compile(
    r"data:image/(?:png|jpe?g|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)[;,]", re.IGNORECASE
)
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
# Stretches in which no token that matters begins: taken at once, for speed. A name that may go on to be a
# call is left for the next token; so are braces in a `style` attribute, where they are dropped.
_PLAIN = re.compile(r"""[^"'\\@/(]*[^"'\\@/(\w\-\u0080-\U0010ffff]""")
_PLAIN_INSIDE = re.compile(r"""[^"'\\@/({}]*[^"'\\@/({}\w\-\u0080-\U0010ffff]""")
_ONE_ESCAPE = re.compile(_ESCAPE)
_QUIET = re.compile(r"[\\@]|/\*|\(|</|<!")
_UNQUOTED = re.compile(rf"[ \t\n\r\f]*((?:[^\\\"'()\s]|{_ESCAPE})*)[ \t\n\r\f]*(?:\)|\Z)")
_SPACES = " \t\n\r\f"


def nothing(_: str) -> str:
    """For where no picture is at hand."""
    return ""


def style_sheet(text: str, address: Address = nothing, base: str = "") -> str:
    """A sheet for inside a `style` element."""
    text = text.replace("\0", "\ufffd")
    if not _QUIET.search(text):
        return text
    return _no_end("".join(_kept(text, address, base)))


def declarations(text: str, address: Address = nothing, base: str = "") -> str:
    """The value of a `style` attribute: no blocks, no rules."""
    if not _QUIET.search(text) and "{" not in text and "}" not in text:
        return text
    kept = _kept(text, address, base, _PLAIN_INSIDE)
    return "".join([part for part in kept if part not in ("{", "}")])


def data_picture(url: str) -> str:
    """The address itself if it holds its picture, else ""."""
    return url if len(url) <= _LONGEST_DATA and _DATA.match(url) else ""


def _no_end(text: str) -> str:
    """Nothing in it ends the element it stands in."""
    return text.replace("</", "<\\/").replace("<!", "<\\!")


def _kept(text: str, address: Address, base: str, plain: re.Pattern[str] = _PLAIN) -> Iterator[str]:
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
    """A name as a browser reads it."""
    return _ONE_ESCAPE.sub(_character, name).lower() if "\\" in name else name.lower()


def _character(escape: re.Match[str]) -> str:
    body = escape[0][1:].strip(_SPACES)
    try:
        return chr(int(body, 16)) if re.fullmatch("[0-9a-fA-F]+", body) else escape[0][1:]
    except (ValueError, OverflowError):
        return "\ufffd"


def _fetched(name: str, text: str, place: int, address: Address, base: str) -> tuple[int, str]:
    """Behind a function that fetches, and what stands for it."""
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
    """One behind the parenthesis that closes the one before `place`."""
    depth = 1
    while depth and (found := _TOKEN.match(text, place)):
        place = found.end()
        depth += (found["sign"] == "(" or found["call"] is not None) - (found["sign"] == ")")
    return place


def _behind_rule(text: str, place: int) -> int:
    """One behind a rule: its semicolon, or its block."""
    depth = 0
    while found := _TOKEN.match(text, place):
        if found["sign"] == "}" and not depth:
            return place
        place = found.end()
        depth += (found["sign"] == "{") - (found["sign"] == "}")
        if (found["sign"] == ";" and not depth) or (found["sign"] == "}" and not depth):
            break
    return place
