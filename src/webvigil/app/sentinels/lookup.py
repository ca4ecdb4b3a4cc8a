"""Names, pages or filters in, the installed sentinels of a user that match out.

A user may have very many sentinels, so these functions do not read all of them to find a few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from webvigil.model.wanted import LARGEST_PIECE, WantedSentinels

if TYPE_CHECKING:
    from webvigil.model.installed import InstalledSentinel
    from webvigil.store.promises import Sentinels

_T = TypeVar("_T")
_AT_A_TIME = 500  # names or pages in one question to the store


def named(sentinels: Sentinels, user: str, names: Iterable[str]) -> dict[str, InstalledSentinel]:
    """Returns the sentinels with these names, by name, as far as there are any."""
    found = (every(sentinels, WantedSentinels(user=user, names=some)) for some in _pieces(names))
    return {one.name: one for some in found for one in some}


def watching(sentinels: Sentinels, user: str, pages: Iterable[int]) -> list[InstalledSentinel]:
    """Returns the sentinels that watch at least one of these pages, each once."""
    found = (every(sentinels, WantedSentinels(user=user, pages=some)) for some in _pieces(pages))
    return list({one.id: one for some in found for one in some}.values())


def every(sentinels: Sentinels, wanted: WantedSentinels) -> Iterator[InstalledSentinel]:
    """Yields all sentinels that match, the newest first, and reads them piece by piece."""
    wanted = replace(wanted, limit=LARGEST_PIECE)
    while piece := sentinels.some(wanted):
        yield from piece
        if len(piece) < LARGEST_PIECE:
            return
        wanted = replace(wanted, before=piece[-1].id)


def _pieces(things: Iterable[_T]) -> Iterator[tuple[_T, ...]]:
    left = iter(dict.fromkeys(things))
    while some := tuple(islice(left, _AT_A_TIME)):
        yield some
