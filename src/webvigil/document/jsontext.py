"""JSON as a tree: `object`, `array`, `string`, `number`, `boolean`, `null` are elements, a member's
name is its attribute `key`, a value's text is its leaf.

Numbers stay as written, repeated keys stay, and the depth of nesting does not matter: the text is
read token by token with a stack of our own.
"""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]

from webvigil.document.digest import PageDigest
from webvigil.document.sink import Pairs, Sink

_TOKEN = re.compile(
    r"""[ \t\n\r]*(?:([{}\[\],:"])|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)|(true|false)|(null))"""
)
_SPACE = re.compile(r"[ \t\n\r]*")
_CLOSED_BY = {"{": "}", "[": "]"}
_NAMES = {"{": "object", "[": "array"}


class NotJson(Exception):
    """The text is no JSON."""


def read_json(text: str, url: str = "") -> PageDigest:
    """Raises NotJson."""
    reader = _Reader(text.removeprefix("\ufeff"))
    reader.value()
    while reader.open:
        reader.step()
    if _SPACE.match(reader.text, reader.place).end() != len(reader.text):  # type: ignore[union-attr]
        raise NotJson("there is something behind the end")
    return reader.sink.digest("json", url)


class _Reader:
    """A place in the text, the containers open there, and whether the current one has members yet."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.sink = Sink()
        self.open: list[str] = []
        self.empty = True

    def step(self) -> None:
        """One member or item, or the end of the container."""
        closing = _CLOSED_BY[self.open[-1]]
        if self._next(closing):
            self.sink.end_element(_NAMES[self.open.pop()])
            self.empty = False
            return
        if not self.empty and not self._next(","):
            raise NotJson(f"a comma or {closing} is missing at {self.place}")
        self.value(self._key() if closing == "}" else ())

    def value(self, attributes: Pairs = ()) -> None:
        match = _TOKEN.match(self.text, self.place)
        if not match:
            raise NotJson(f"a value is missing at {self.place}")
        self.place = match.end()
        sign, number, truth, nothing = match.groups()
        if sign in _NAMES:
            self._enter(sign, attributes)
        elif sign == '"':
            self._leaf("string", self._string(), attributes)
        elif number:
            self._leaf("number", number, attributes)
        elif truth or nothing:
            self._leaf("boolean" if truth else "null", truth or nothing, attributes)
        else:
            raise NotJson(f"a value is missing before {self.place}")

    def _enter(self, sign: str, attributes: Pairs) -> None:
        self.sink.start_element(_NAMES[sign], attributes)
        self.open.append(sign)
        self.empty = True

    def _leaf(self, name: str, text: str, attributes: Pairs) -> None:
        self.sink.start_element(name, attributes)
        self.sink.characters(text)
        self.sink.end_element(name)
        self.empty = False

    def _key(self) -> Pairs:
        if not self._next('"'):
            raise NotJson(f"a key is missing at {self.place}")
        key = self._string()
        if not self._next(":"):
            raise NotJson(f"a colon is missing at {self.place}")
        return (("key", key),)

    def _string(self) -> str:
        try:
            text, self.place = scanstring(self.text, self.place, False)
        except json.JSONDecodeError as error:
            raise NotJson(str(error)) from error
        return str(text)

    def _next(self, sign: str) -> bool:
        """Step over the sign if it comes next."""
        place = _SPACE.match(self.text, self.place).end()  # type: ignore[union-attr]
        if self.text.startswith(sign, place):
            self.place = place + 1
            return True
        return False
