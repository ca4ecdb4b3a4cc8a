"""An answer in, the time when the page was made out, on our clock, or None if that is unknown (A1, A3).

A server whose clock is wrong writes `Last-Modified` by that clock, and `Date` as well: the difference between
`Date` and our time corrects it. A page that is made anew for every request claims to be made just now. That
is the moment of our request, and says nothing about a change.
"""

from __future__ import annotations

from webvigil.model.moment import Millis, as_millis
from webvigil.model.version import Answer, date_of

_AGREED: Millis = 60_000
"""Clocks that differ by less than this count as equal; the difference may be the duration of the request."""
# A page that is younger than this at the moment of the answer was made for our request.
_JUST_NOW: Millis = 2_000


def made_at(answer: Answer, now: Millis) -> Millis | None:
    """Returns when the page was made, or None if that is unknown or meaningless."""
    made = _moment(answer, "last-modified")
    if made is None:
        return None
    theirs = _theirs(answer, now)
    if made >= theirs - _JUST_NOW:
        return None
    return made + (now - theirs if abs(now - theirs) > _AGREED else 0)


def _theirs(answer: Answer, now: Millis) -> Millis:
    """Returns the time on the server's clock. The `Age` of an answer from a cache is added to its `Date`."""
    sent = _moment(answer, "date")
    age = (answer.header("age") or "").strip()
    kept = int(age[:9]) * 1000 if age.isascii() and age.isdigit() else 0
    return now if sent is None else sent + kept


def _moment(answer: Answer, header: str) -> Millis | None:
    date = date_of(answer.header(header) or "")
    return as_millis(date) if date else None
