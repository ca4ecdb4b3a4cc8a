"""How far a peer is believed: when it is asked again after it failed, how often its answers are checked, what
a check shows, and when it has lied too often (B5). No clock and no network in here.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import islice

from webvigil.model.moment import Millis
from webvigil.model.peer import Figures, Peer

FIRST_REST: Millis = 10_000
LONGEST_REST: Millis = 3_600_000
STRIKES = 3
_WELL_KNOWN = 20
_TOLERANCE = 0.05
_WORD = re.compile(rb"[^\s<>\"'=&;]+")
_MOST_WORDS = 50_000


def failed(peer: Peer, now: Millis, reason: str) -> Peer:
    """It is left alone, longer each time; its pages are fetched here meanwhile."""
    failures = peer.failures + 1
    rest = min(FIRST_REST << min(failures - 1, 20), LONGEST_REST)
    return replace(peer, failures=failures, rest_until=now + rest, reason=reason[:300])


def well_again(peer: Peer, now: Millis) -> Peer:
    return replace(peer, failures=0, rest_until=0, reason="", heard_at=now)


def distrusted(peer: Peer, reason: str) -> Peer:
    return replace(peer, state="distrusted", reason=reason[:300], failures=0, rest_until=0)


def chance_of_check(figures: Figures, changed: bool, usual: int) -> float:
    """News of one who has not been checked often is always checked; later only a share, `usual` in a hundred.

    What has not changed can be told wrong, too, but tells nobody anything: only the usual share is checked.
    """
    share = min(usual, 100) / 100
    return max(share, _WELL_KNOWN / (_WELL_KNOWN + figures.agreed)) if changed else share


def is_liar(figures: Figures) -> bool:
    """Some pages show something else to everybody who asks, by place or language. Several such pages, among
    few that were checked, are more than that."""
    return figures.strikes >= STRIKES and figures.strikes * 10 > figures.checked


def agree(theirs: bytes, ours: bytes, spread: float) -> bool:
    """Whether two bodies may be one page that is never the same twice: they differ little more than two of
    our own (`spread`)."""
    return distance(theirs, ours) <= 2 * spread + (_TOLERANCE if spread else 0.0)


def distance(one: bytes, other: bytes) -> float:
    """The share of words that only one of them has: 0 for the same, 1 for nothing in common."""
    first, second = _words(one), _words(other)
    common = (first & second).total()
    all_ = (first | second).total()
    return 1 - common / all_ if all_ else float(one != other)


def _words(body: bytes) -> Counter[bytes]:
    return Counter(found[0] for found in islice(_WORD.finditer(body), _MOST_WORDS))
