"""JSON text in, a Page Digest out.

`object`, `array`, `string`, `number`, `boolean` and `null` become elements. The name of a member is the
attribute `key` of its element, and the text of a value is a text node in it. Numbers stay as written,
repeated keys stay, and nesting may be of any depth: the text is cut into tokens at once, and a state machine
takes them one by one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from json.decoder import scanstring  # type: ignore[attr-defined]

from webvigil.document.digest import PageDigest
from webvigil.document.sink import Pairs, Sink

# The last alternative makes a token of any other character, so that nothing but white space is skipped.
_SIGN = re.compile(r"""[{}\[\],:]|"(?:[^"\\]|\\.)*"|[^ \t\n\r{}\[\],:"]+|[^ \t\n\r]""", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_LITERALS = {"true": "boolean", "false": "boolean", "null": "null"}
_LAST = frozenset('}]"0123456789el')
_SHOWN = 20
_SHOWN_LINE = 200
# Lines of which it is said what is wrong with them. In a text with more of them the sentences would be
# several times as long as the text itself.
_EXPLAINED = 1_000
_GUARD = re.compile(r"\s*(?:\)\]\}'?,?|(?:while\s*\(\s*1\s*\)|for\s*\(\s*;\s*;\s*\))\s*;|/\*\*/)")
_CALL = re.compile(r"(?:/\*\*/\s*)?[A-Za-z_$][\w$.]*\s*\((.*)\)\s*;?", re.DOTALL)


class NotJson(Exception):
    """The text is not JSON."""


def read_json(text: str, url: str = "") -> PageDigest:
    """Returns the digest of a JSON text. Raises NotJson for any other text."""
    if text.rstrip()[-1:] not in _LAST:
        raise NotJson("the text ends too early")
    sink = Sink()
    reader = _Reader(sink)
    for sign in _SIGN.findall(text.removeprefix("\ufeff")):
        reader.take(sign)
    if reader.take != reader.end:
        raise NotJson("the text ends too early")
    return sink.digest("json", url)


def bare_json(text: str) -> str:
    """Returns the object or array in a text without what servers put around it, or "" for any other text.

    Servers add a byte order mark, characters that keep scripts from running the text (`)]}',`, `while(1);`),
    or the call of a function (JSONP)."""
    text = text.removeprefix("\ufeff")
    guard = _GUARD.match(text)
    text = text[guard.end() if guard else 0 :].strip()
    if call := _CALL.fullmatch(text):
        text = call[1].strip()
    return text if text[:1] in ("{", "[") and text[-1:] in ("}", "]") else ""


def json_in(text: str) -> PageDigest | None:
    """Returns the digest of the JSON object or array in a text, or None if the text holds something else."""
    found = bare_json(text)
    if not found:
        return None
    try:
        return read_json(found)
    except NotJson:
        return None


def read_ndjson(text: str, url: str = "") -> PageDigest:
    """Returns the digest of JSON values that stand one on a line, as one array. A line that is no JSON
    becomes a string that says so, of very many only the first ones; the others stay. Raises NotJson if no
    line is JSON."""
    sink = Sink()
    sink.start_element("array", ())
    fine = wrong = 0
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip("\x1e \t\r"):
            continue
        signs = _SIGN.findall(line.strip("\x1e"))
        trouble = _trouble_with(signs)
        if trouble:
            told = f"line {number} is no JSON ({trouble}): " if wrong < _EXPLAINED else ""
            signs = [json.dumps(told + line.strip()[:_SHOWN_LINE])]
            wrong += 1
        fine += not trouble
        reader = _Reader(sink)
        for sign in signs:
            reader.take(sign)
    sink.end_element("array")
    if not fine:
        raise NotJson("no line is JSON")
    return sink.digest("json", url)


def _trouble_with(signs: list[str]) -> str:
    """Says why these tokens are no JSON value; "" if they are one."""
    reader = _Reader(_Nowhere())
    try:
        for sign in signs:
            reader.take(sign)
    except NotJson as error:
        return str(error)
    return "" if reader.take == reader.end else "the text ends too early"


class _Nowhere:
    """Takes the events of a text that is only tried."""

    def start_element(self, name: str, attributes: Pairs) -> None:
        pass

    def end_element(self, name: str) -> None:
        pass

    def characters(self, text: str) -> None:
        pass


class _Reader:
    """A state machine. Each public method is a state that takes one token; `take` is the state for the next
    one."""

    def __init__(self, sink: Sink | _Nowhere) -> None:
        self.sink = sink
        self.take: Callable[[str], None] = self.value
        self._open: list[str] = []
        self._key: Pairs = ()

    def value(self, sign: str) -> None:
        if sign == "{":
            self._enter("object", self.first_key)
        elif sign == "[":
            self._enter("array", self.first_item)
        else:
            name, text = _scalar(sign)
            self.sink.start_element(name, self._key)
            self.sink.characters(text)
            self.sink.end_element(name)
            self._done()

    def first_item(self, sign: str) -> None:
        if sign == "]":
            self._leave()
        else:
            self.value(sign)

    def first_key(self, sign: str) -> None:
        if sign == "}":
            self._leave()
        else:
            self.key(sign)

    def key(self, sign: str) -> None:
        self._key = (("key", _string(sign)),)
        self.take = self.colon

    def colon(self, sign: str) -> None:
        if sign != ":":
            raise _wrong(sign, "a colon")
        self.take = self.value

    def item_end(self, sign: str) -> None:
        if sign == ",":
            self.take = self.value
        elif sign == "]":
            self._leave()
        else:
            raise _wrong(sign, "a comma or ]")

    def member_end(self, sign: str) -> None:
        if sign == ",":
            self.take = self.key
        elif sign == "}":
            self._leave()
        else:
            raise _wrong(sign, "a comma or }")

    def end(self, sign: str) -> None:
        raise _wrong(sign, "the end")

    def _enter(self, name: str, take: Callable[[str], None]) -> None:
        self.sink.start_element(name, self._key)
        self._open.append(name)
        self._key = ()
        self.take = take

    def _leave(self) -> None:
        self.sink.end_element(self._open.pop())
        self._done()

    def _done(self) -> None:
        """Chooses the next state after a complete value: it depends on whether the value stands in an object,
        in an array or alone."""
        self._key = ()
        if not self._open:
            self.take = self.end
        else:
            self.take = self.member_end if self._open[-1] == "object" else self.item_end


def _scalar(sign: str) -> tuple[str, str]:
    if sign[0] == '"':
        return "string", _string(sign)
    if sign in _LITERALS:
        return _LITERALS[sign], sign
    if _NUMBER.fullmatch(sign):
        return "number", sign
    raise _wrong(sign, "a value")


def _string(sign: str) -> str:
    if len(sign) < 2 or sign[0] != '"':
        raise _wrong(sign, "a string")
    if "\\" not in sign:
        return sign[1:-1]
    try:
        return str(scanstring(sign, 1, False)[0])
    except json.JSONDecodeError as error:
        raise NotJson(str(error)) from error


def _wrong(sign: str, expected: str) -> NotJson:
    return NotJson(f"{sign[:_SHOWN]!r} stands where {expected} should be")
