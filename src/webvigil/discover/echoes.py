"""A query in, what only repeats it in an answer out: links that ask again, texts with another question.

A page without results repeats the question as well: in its tabs, in the headers that sort, in the link that
leads back here after a log-in. Such links are no results. What is left is compared with the answer to a
question that makes no sense: texts that differ from that answer in the question alone are no results either.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import parse_qsl, quote, quote_plus, unquote_plus, urlsplit

from webvigil.discover.manners import command
from webvigil.discover.queries import Query

# Stands in a text for the question that was asked.
_ASKED = "\x1a"
# A shorter value is in many texts by chance.
_SHORTEST = 3


@dataclass(frozen=True)
class Echoes:
    """The echoes of one query. `place` is the address of the page with the form."""

    query: Query
    place: str

    @cached_property
    def _values(self) -> tuple[str, ...]:
        """The words that were asked, as they stand in texts and in addresses."""
        written = [" ".join(one.value.split()) for one in self.query.fills if one.control.is_text]
        spelled = [
            each for one in written for each in (one, quote(one), quote(one, safe=""), quote_plus(one))
        ]
        long_enough = {one.casefold() for one in spelled if len(one) >= _SHORTEST}
        return tuple(sorted(long_enough, key=len, reverse=True))

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(one.control.name for one in self.query.fills if one.control.is_text)

    def repeats(self, address: str, answered: str) -> bool:
        """Tells whether a link asks the same again, leads to the answer itself or to the form, offers to
        write what was not found, or only carries the address of the answer along. `answered` is the address
        of the answer."""
        parts = urlsplit(address)
        here = urlsplit(answered)
        if address in (answered, self.place):
            return True
        pairs = _pairs(parts.query)
        if any(command(name, value) for name, value in pairs):
            return True
        carried = [(name, value) for name, value in pairs if self._is_asked(value)]
        if not carried:
            return False
        asks = ((here.netloc, here.path), _at(self.query.url))
        named = any(name in self._names or (name, value) in _pairs(here.query) for name, value in carried)
        # The same in another format has an ending at its path.
        again = named and any(parts.netloc == host and parts.path.startswith(path) for host, path in asks)
        return again or any(_is_address(value) for _, value in carried)

    def _is_asked(self, value: str) -> bool:
        text = unquote_plus(value).casefold()
        return any(one in text or one in value.casefold() for one in self._values)

    def shape(self, text: str) -> str:
        """Returns the text with the question taken out, so that the echoes of two questions are equal."""
        found = text.casefold()
        for value in self._values:
            found = found.replace(value, _ASKED)
        return found

    def news(self, texts: Iterable[str], other: Echoes, known: Iterable[str]) -> tuple[str, ...]:
        """Returns the texts that are not among the `known` texts of the answer to another question: neither
        as they are, nor with the one question for the other."""
        seen = set(known)
        shapes = {other.shape(text) for text in seen}
        return tuple(text for text in texts if text not in seen and self.shape(text) not in shapes)


def _pairs(query: str) -> list[tuple[str, str]]:
    return parse_qsl(query.replace(";", "&"), keep_blank_values=True)


def _at(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.netloc, parts.path


def _is_address(value: str) -> bool:
    """Tells whether the value of a field is itself an address or the query of one, such as the page to return
    to after a log-in."""
    plain = unquote_plus(value)
    return plain.startswith(("/", "http://", "https://")) or "?" in plain or "=" in plain
