"""A peer's record in, how far the peer is believed out; no clock and no network in here (B5).

The functions decide when a peer is asked again after a failure, how often its answers are checked, what a
check shows, and when the peer has lied too often.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import islice

from webvigil.model.moment import HOUR, Millis
from webvigil.model.peer import Figures, Peer

# The pause after the first failure; it doubles with each further failure up to the longest.
FIRST_REST: Millis = 10_000
LONGEST_REST: Millis = HOUR
# Pages that a peer must have reported wrongly before it is distrusted.
STRIKES = 3
# After so many checked answers that proved right, half of the new versions from a peer are still checked.
_WELL_KNOWN = 20
# How much more a page that differs on every request may differ from the peer's answer than from our own
# second fetch, as a share of its words.
_TOLERANCE = 0.05
_WORD = re.compile(rb"[^\s<>\"'=&;]+")
# Words of a page that are compared, to bound the time.
_MOST_WORDS = 50_000


def failed(peer: Peer, now: Millis, reason: str) -> Peer:
    """Returns the peer with a pause, which gets longer with each failure. Meanwhile its pages are fetched
    here."""
    failures = peer.failures + 1
    rest = min(FIRST_REST << min(failures - 1, 20), LONGEST_REST)
    return replace(peer, failures=failures, rest_until=now + rest, reason=reason[:300])


def well_again(peer: Peer, now: Millis) -> Peer:
    return replace(peer, failures=0, rest_until=0, reason="", heard_at=now)


def distrusted(peer: Peer, reason: str) -> Peer:
    return replace(peer, state="distrusted", reason=reason[:300], failures=0, rest_until=0)


def chance_of_check(figures: Figures, changed: bool, usual: int) -> float:
    """Returns the chance that an answer is checked.

    New versions from a peer with few checked answers are almost always checked, later only the `usual`
    percentage. An answer "not changed" can be wrong too, but notifies nobody: only the usual percentage is
    checked.
    """
    share = min(usual, 100) / 100
    return max(share, _WELL_KNOWN / (_WELL_KNOWN + figures.agreed)) if changed else share


def is_liar(figures: Figures) -> bool:
    """Tells whether a peer has lied too often.

    Some pages differ for everybody, by place or language. Only several wrong pages, and more than a tenth of
    those checked, count as lies.
    """
    return figures.strikes >= STRIKES and figures.strikes * 10 > figures.checked


def agree(theirs: bytes, ours: bytes, spread: float) -> bool:
    """Tells whether two bodies may be the same page, of a kind that differs on every request.

    They may if they differ little more than two fetches of our own do (`spread`).
    """
    return distance(theirs, ours) <= 2 * spread + (_TOLERANCE if spread else 0.0)


def distance(one: bytes, other: bytes) -> float:
    """Returns the share of words that only one of the two bodies has: 0 for equal bodies, 1 for nothing in
    common."""
    first, second = _words(one), _words(other)
    common = (first & second).total()
    all_ = (first | second).total()
    return 1 - common / all_ if all_ else float(one != other)


def _words(body: bytes) -> Counter[bytes]:
    return Counter(found[0] for found in islice(_WORD.finditer(body), _MOST_WORDS))
