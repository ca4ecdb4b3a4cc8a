"""Sentinels at a server: implements `Place` by requests to its API."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qs, quote, urlsplit

from webvigil.cli import from_json as heard
from webvigil.cli.asking import Answer, Asking
from webvigil.cli.place import Enabled, Ran
from webvigil.errors import NotFound, RemoteRefused, SentinelRefused
from webvigil.model.wanted import LARGEST_ID, LARGEST_PIECE

if TYPE_CHECKING:
    from webvigil.app.sentinels.timeline import Entry
    from webvigil.model.installed import RemovedSentinel, ToldSentinel
    from webvigil.model.portrait import Portrait, WatchedNow
    from webvigil.model.shapes import TrialShape

T = TypeVar("T")
LONGEST_NAME = 200
# Of how many sentinels a server tells the time line at once.
_TIMELINE = 200
_NEXT = re.compile(r'<([^<>]*)>\s*;\s*rel="?next')


@dataclass(frozen=True, slots=True)
class AtServer:
    """A server that a command asks."""

    asking: Asking

    @property
    def nothing_yet(self) -> str:
        return f"No sentinels yet at {self.asking.server.address}. Add some: webvigil add FILE"

    def free_name(self, wished: str) -> str:
        from webvigil.app.sentinels.names import first_free

        return first_free(wished, self._is_taken)

    def pointed(self, text: str) -> str:
        answer = self.asking.ask("POST", "/check", body={"text": text})
        found = self._heard(answer, lambda said: heard.each(heard.mistake)(said["mistakes"]))
        return "\n".join(one.pointed(text) for one in found)

    def add(self, text: str) -> list[ToldSentinel]:
        """Installs the sentinels. Asks first who answers and whether the token is valid, so that the text is
        not sent to a stranger."""
        self.asking.ask("GET", "/me")
        try:
            answer = self.asking.ask("POST", "/sentinels", body={"text": text}, new="true")
        except RemoteRefused as error:
            raise SentinelRefused(str(error)) from error
        return self._heard(answer, heard.each(heard.sentinel))

    def all(self) -> list[ToldSentinel]:
        pieces = self._pieces("/sentinels", heard.each(heard.sentinel), LARGEST_PIECE)
        return [one for piece in pieces for one in piece]

    def portrait(self, name: str) -> Portrait:
        return self._heard(self._about(name, "GET"), heard.portrait)

    def watched(self, name: str) -> list[WatchedNow]:
        return self._heard(self._about(name, "GET", "/watched"), heard.each(heard.watched))

    def timeline(self, name: str | None) -> list[Entry]:
        from webvigil.app.sentinels.timeline import in_order

        if name is not None:
            answer = self.asking.ask("GET", "/timeline", about=name, sentinel=_possible(name))
            return self._heard(answer, heard.each(_entry))
        pieces = list(self._pieces("/timeline", heard.each(_entry), _TIMELINE))
        return in_order(entry for piece in reversed(pieces) for entry in piece)

    def enable(self, name: str) -> Enabled:
        answer = self._about(name, "POST", "/enable")
        return self._heard(answer, lambda said: Enabled(heard.sentinel(said).state, said["next"]))

    def disable(self, name: str) -> str:
        return self._heard(self._about(name, "POST", "/disable"), heard.sentinel).state

    def remove(self, name: str) -> None:
        self._about(name, "DELETE")

    def removed(self) -> list[RemovedSentinel]:
        return self._heard(self.asking.ask("GET", "/removed"), heard.each(heard.removed))

    def bring_back(self, name: str) -> ToldSentinel:
        for one in self.removed():
            if one.name == name:
                answer = self.asking.ask("POST", f"/removed/{one.id}/restore")
                return self._heard(answer, heard.sentinel)
        raise NotFound(f"there is no removed sentinel {name!r}; 'webvigil undo-remove' lists what there is")

    def run(self, name: str) -> Ran:
        return self._heard(self._about(name, "POST", "/run"), _ran)

    def tried(self, name: str, sentence: str, *, last: int, ask: bool) -> TrialShape:
        body = {"means": sentence, "last": last, "ask": ask}
        return self._heard(self._about(name, "POST", "/meaning", body), heard.trial)

    def _pieces(self, path: str, read: Callable[[Any], T], limit: int) -> Iterator[T]:
        """Yields a list piece by piece, as the server has it."""
        before: int | None = LARGEST_ID
        while before is not None:
            answer = self.asking.ask("GET", path, limit=limit, before=before)
            yield self._heard(answer, read)
            before = next_before(answer.headers.get("Link", ""), before)

    def _is_taken(self, name: str) -> bool:
        try:
            self._about(name, "GET")
        except NotFound:
            return False
        return True

    def _about(self, name: str, method: str, action: str = "", body: Any = None) -> Answer:
        path = f"/sentinels/{quote(_possible(name), safe='')}{action}"
        return self.asking.ask(method, path, about=name, body=body)

    def _heard(self, answer: Answer, read: Callable[[Any], T]) -> T:
        try:
            return read(answer.content)
        except (KeyError, TypeError, ValueError, AttributeError):
            self.asking.misunderstood()


def next_before(link: str, before: int) -> int | None:
    """Returns where the next piece of a list begins; None after the last piece, or if the list would repeat
    itself.

    Only the number in the link is used: wherever the link leads to, the next request goes to the same server.
    """
    found = _NEXT.search(link)
    said = parse_qs(urlsplit(found[1]).query).get("before", [""])[0] if found else ""
    digits = said.removeprefix("-")
    number = int(said) if digits.isascii() and digits.isdigit() and len(said) < 20 else before
    return number if -LARGEST_ID <= number < before else None


def _possible(name: str) -> str:
    """Returns the name if a sentinel can have it. Raises NotFound otherwise: such a name would change the
    address of the request."""
    letters = any(letter.isalnum() for letter in name)
    if not letters or "/" in name or len(name) > LONGEST_NAME or not _is_utf8(name):
        raise NotFound(f"there is no sentinel {name!r}")
    return name


def _is_utf8(name: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


def _entry(plain: Any) -> Entry:
    from webvigil.app.sentinels.timeline import Entry

    at = heard.moment(plain["at"])
    return Entry(
        at,
        heard.sure(plain["sentinel"], str),
        heard.sure(plain["what"], str),
        heard.sure(plain["past"], bool),
    )


def _ran(plain: Any) -> Ran:
    return Ran(heard.sure(plain["pages"], int), tuple(heard.each(heard.text)(plain.get("warnings", []))))
