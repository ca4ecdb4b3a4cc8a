"""What a page in doubt remembers and what its newest answer looks like in, whether to believe it out (Q6).

An answer that looks like no page is looked at again, `confirm_after` later, before anybody is told:

    back to normal          nobody is told; the log says what was not believed
    it stays, and clearly   told once, as trouble of the page; the page is looked at as usual, and once it is
      is no page            back it is compared with the last good version, and that it is back is told
    it stays, and is only   believed: that is what the page has become, and told as the change that it is
      very different

A text that is missing for a moment (an application left it out because a database was slow, a part was not
ready) looks like one that was taken away. Only further looks can tell the two apart (Q4).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webvigil.model.change import Finding, Status
from webvigil.model.change_types import KINDS
from webvigil.model.doubt import Doubt, Suspicion
from webvigil.model.moment import HOUR, Millis
from webvigil.model.work import Watch


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is made of an answer. With a `doubt`, which the page remembers, the answer is neither kept nor
    compared. `tell`: those who watch the page are to hear of it now; `over`: they are to hear that this doubt
    is over. `again`: when to look in order to be sure; None: as usual."""

    doubt: Doubt | None = None
    tell: bool = False
    over: Doubt | None = None
    again: Millis | None = None


BELIEVED = Verdict()
# What a busy server leaves out is back after a few looks as a rule. A part that each answer lacks by chance,
# one time in three, is missing at so many looks and the one before them in a row once in 700 times.
_LOOKS = 5
_LONGEST: Millis = HOUR
_GOING = (Status.GONE, Status.FEWER)
_QUIET_OFF = re.compile(r"^Quiet off$", re.MULTILINE)


def are_told_everything(watches: Sequence[Watch]) -> bool:
    """Returns True if all who watch a page want to be told of every answer, as it comes. The versions of a
    page are there for all who watch it, so one who wants quiet is enough."""
    return bool(watches) and all(_QUIET_OFF.search(watch.text) for watch in watches)


def only_went(findings: Iterable[Finding]) -> bool:
    """Tells whether all objects went away, and were found by change types that `Quiet` is for."""
    told = [finding for finding in findings if finding.objects]
    return bool(told) and all(
        finding.type in KINDS
        and KINDS[finding.type].quieted
        and all(one.status in _GOING for one in finding.objects)
        for finding in told
    )


def believed_from(watch: Watch, gone_since: Millis, confirm_after: Millis) -> Millis:
    """Returns the moment from which on a watch believes that what went away will not come back: at once,
    unless its looks come by themselves within the time after which a strange answer is believed. A sentinel
    with hours of its own may have to wait long, and one that is told everything is told at once."""
    soon = 0 < watch.interval <= confirm_after and watch.schedule is None
    if not soon or _QUIET_OFF.search(watch.text):
        return gone_since
    return gone_since + max(confirm_after, _LOOKS * watch.interval)


def looks_of_patience(watches: Sequence[Watch]) -> int:
    """Returns for how many looks something may be missing again that came back before: a few, but no longer
    than an hour."""
    shortest = min((watch.interval for watch in watches if watch.interval), default=0)
    return min(_LOOKS, _LONGEST // shortest) if shortest else 0


def judged(known: Doubt | None, seen: Suspicion | None, now: Millis, confirm_after: Millis) -> Verdict:
    if seen is None:
        return _believed(known)
    if known is None:
        return _not_yet(seen, now, told=False, again=now + confirm_after)
    sure_at = known.since + confirm_after
    if seen.clear and known.told:
        return Verdict(doubt=_doubt(seen, known.since, told=True))
    if now < sure_at:
        return _not_yet(seen, known.since, told=known.told, again=sure_at)
    if seen.clear:
        return Verdict(doubt=_doubt(seen, known.since, told=True), tell=True)
    if not known.clear:
        return _believed(known)
    return _not_yet(seen, known.since, told=known.told, again=now + confirm_after)


def _believed(known: Doubt | None) -> Verdict:
    return Verdict(over=known) if known and known.told else BELIEVED


def _not_yet(seen: Suspicion, since: Millis, *, told: bool, again: Millis) -> Verdict:
    return Verdict(doubt=_doubt(seen, since, told=told), again=again)


def _doubt(seen: Suspicion, since: Millis, *, told: bool) -> Doubt:
    return Doubt(kind=seen.kind, said=seen.said, clear=seen.clear, since=since, told=told)
