"""Findings and the kept history of a page in, what of it is not new out (Q4, `Only new`).

New is what was on no version that is kept. What only went is no news.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from webvigil.detect import all_images, all_links
from webvigil.detect.quiet.addresses import meant
from webvigil.document import PageDigest
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.memo import cached_property
from webvigil.model.quiet import LeftOut, Why

_GOING = (Status.GONE, Status.FEWER)
_PIECE = re.compile(r"\w+|[^\w\s]")
# Texts that are searched one by one, and the most characters of such a text.
_FEW, _SHORT = 20, 300
# Places of one version that are tried for all texts together, about a second of a hostile page.
_MOST_TRIED = 500_000


def not_new(findings: Iterable[Finding], earlier: Iterable[PageDigest]) -> list[LeftOut]:
    """Returns the objects that some earlier version had, and those that only went. `earlier` are the versions
    before, the latest first; no more of them are asked for than needed."""
    objects = [one for finding in findings for one in finding.objects]
    known = [one for one in objects if one.status in _GOING]
    sought = [one for one in objects if one.status not in _GOING]
    versions = iter(earlier)
    while sought and (digest := next(versions, None)) is not None:
        page = _Page(digest)
        found = [one for one in sought if page.has(one)]
        known += found
        gone = set(map(id, found))
        sought = [one for one in sought if id(one) not in gone]
    return [LeftOut(Why.NOT_NEW, one) for one in known]


class _Page:
    """One version, asked whether something is on it."""

    def __init__(self, digest: PageDigest) -> None:
        self._text = _Text(" ".join(digest.reading.text.split()))
        self._title = " ".join(digest.title.split())
        self._addresses = {meant(name) for name in all_links.placed(digest).names} | {
            meant(name, asset=True) for name in all_images.placed(digest).names
        }

    def has(self, one: ObjectChange) -> bool:
        if one.old is not None:
            return not self._addresses.isdisjoint({meant(one.object), meant(one.object, asset=True)})
        text = " ".join((one.after or one.object).split())
        return text == self._title or self._text.has(text)


class _Text:
    """A text, asked whether other texts stand in it and do not begin or end within a word.

    A few short texts are searched one by one. After them the rarest word of a wanted text tells where it can
    stand at all, so that thousands of texts can be looked for in a long one."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._asked = 0
        self._tried = 0

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Where each word and each sign stands."""
        found: dict[str, list[int]] = {}
        for match in _PIECE.finditer(self._text):
            found.setdefault(match[0], []).append(match.start())
        return found

    def has(self, wanted: str) -> bool:
        self._asked += 1
        if self._asked <= _FEW and len(wanted) <= _SHORT:
            return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", self._text) is not None
        return any(self._stands_at(at, wanted) for at in self._possible(wanted))

    def _possible(self, wanted: str) -> Iterator[int]:
        """Yields where the text can stand. After too many places in vain, none: what is told once more than
        needed does no harm."""
        pieces = {match[0]: match.start() for match in _PIECE.finditer(wanted)}
        if not pieces or not all(piece in self._places for piece in pieces):
            return
        rarest = min(pieces, key=lambda piece: len(self._places[piece]))
        for at in self._places[rarest]:
            self._tried += 1
            if self._tried > _MOST_TRIED:
                return
            yield at - pieces[rarest]

    def _stands_at(self, at: int, wanted: str) -> bool:
        end = at + len(wanted)
        return at >= 0 and self._text.startswith(wanted, at) and self._is_apart(at, end)

    def _is_apart(self, start: int, end: int) -> bool:
        beside = self._text[start - 1 : start] if start else "", self._text[end : end + 1]
        return not any(sign.isalnum() or sign == "_" for sign in beside)
