"""When a page was made, by its server's word and on our clock (A1, A3). None where the word is worth nothing.

A server whose clock is wrong says `Last-Modified` by that clock, and `Date` as well: the difference between
`Date` and our time puts it right. A page that is made for every request says that it was made just now; that
is the moment of our look, and tells nothing of a change.
"""

from __future__ import annotations

from webvigil.fetch.retry import date_of
from webvigil.model.moment import Millis, as_millis
from webvigil.model.version import Answer

_AGREED: Millis = 60_000
"""Clocks closer than this agree; the rest is the time that an answer takes."""
_JUST_NOW: Millis = 2_000


def made_at(answer: Answer, now: Millis) -> Millis | None:
    made = _moment(answer, "last-modified")
    if made is None:
        return None
    theirs = _theirs(answer, now)
    if made >= theirs - _JUST_NOW:
        return None
    return made + (now - theirs if abs(now - theirs) > _AGREED else 0)


def _theirs(answer: Answer, now: Millis) -> Millis:
    """The time on the server's clock, also where a cache has kept its answer for a while."""
    sent = _moment(answer, "date")
    age = (answer.header("age") or "").strip()
    kept = int(age[:9]) * 1000 if age.isascii() and age.isdigit() else 0
    return now if sent is None else sent + kept


def _moment(answer: Answer, header: str) -> Millis | None:
    date = date_of(answer.header(header) or "")
    return as_millis(date) if date else None
