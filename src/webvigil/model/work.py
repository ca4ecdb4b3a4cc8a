"""The work of one check as values: what a worker claims from the store, and what it hands back.

A worker leases a host, so that no other worker sends requests there, and gets the host's due pages. The lease
carries a token. Results handed back under an old token are dropped, so that a worker that froze and woke up
again does no harm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from webvigil.model.change import Finding
from webvigil.model.doubt import Doubt
from webvigil.model.following import PageLinks
from webvigil.model.meaning import Judgement, NewQuestion
from webvigil.model.moment import NEVER, Millis
from webvigil.model.notice import Notice
from webvigil.model.pace import NewPace, PaceRecord
from webvigil.model.page import Page
from webvigil.model.quiet import Habits
from webvigil.model.schedule import Schedule
from webvigil.model.set_back import TOLERANCE
from webvigil.model.trouble import FINE, Trouble
from webvigil.model.version import Version


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """One sentinel's interest in one page: the page is compared with version `reference`, at the sentinel's
    own times.

    `interval` 0 means on change, at the times of the page's best-effort rule. Movements of values are
    measured from version `measured_from` (0: no such version yet). `taste` is what its user cares about.
    `level` is the number of links between this page and a page that the sentinel names. `follows` is the part
    of this page whose links it follows, None if it follows none. `trouble` is the trouble that its user was
    last told of. `zone` is the time zone of its user; `schedule` is present if it looks at certain hours or
    times only.
    """

    sentinel: int
    user: str
    name: str
    text: str
    interval: Millis
    next_at: Millis
    reference: int
    measured_from: int = 0
    taste: str = ""
    level: int = 0
    follows: str | None = None
    trouble: Trouble = FINE
    zone: str = "UTC"
    schedule: Schedule | None = None

    @property
    def on_change(self) -> bool:
        return self.interval == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestVersion:
    number: int
    signature: str
    object: str
    picture: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DuePage:
    """A page whose time has come, with everything that a worker needs to know for the look.

    `wish` says who asked for a look out of turn. `pace` is present if a sentinel looks on change. `links`
    holds, for each followed part, the version that its links were last read from. `doubt` is present while
    the newest answer is not believed to be the page. `failing_since` is when the current row of failures
    began, 0 if the last look succeeded. `checks` counts the looks at the page so far. `has_habits` is False
    if no look has taught anything about the page yet; then nobody has to ask the store for its habits.
    """

    id: int
    page: Page
    due: Millis
    asked: int
    failures: int
    latest: LatestVersion | None
    validators: dict[str, str]
    watches: tuple[Watch, ...]
    wish: str = ""
    priority: int = 0
    pace: PaceRecord | None = None
    links: dict[str, int] = field(default_factory=dict)
    doubt: Doubt | None = None
    failing_since: Millis = 0
    checks: int = 0
    has_habits: bool = True

    @classmethod
    def unscheduled(cls, page: Page, watches: tuple[Watch, ...], id_: int = 0) -> DuePage:
        """Returns a page that is compared or told about, but not looked at: nothing is known of its looks."""
        return cls(
            id=id_,
            page=page,
            due=0,
            asked=0,
            failures=0,
            latest=None,
            validators={},
            watches=watches,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A leased host and its due pages. `now` is the database's time of the claim.

    `delay` and `concurrency` bound the requests to the host; `failures` counts how often in a row the host
    could not be reached.
    """

    host: int
    name: str
    token: int
    now: Millis
    until: Millis
    delay: Millis
    pages: tuple[DuePage, ...]
    concurrency: int = 1
    failures: int = 0


def most_pages(pages: int, delay: Millis, within: Millis | None) -> int:
    """Returns how many of at most `pages` pages a visit of `within` milliseconds comes to, with a pause of
    `delay` between two requests. None: the visit takes as long as it takes."""
    return min(pages, within // delay + 1) if delay and within is not None else pages


NOT_SEEN = ("failed", "postponed", "doubted", "no page")
"""The decisions of looks that did not see the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One line of a page's fetch log (F10). `decision` says in a word or two what became of the look,
    `reason` why, `plan` when the next look is and why, and `left_out` what differs and is not told (Q7).
    `picture` is the object with what the browser showed when a step failed.
    Everybody who watches the page may read these fields; `troubles` (id of a sentinel, sentence) are for
    the owner of that sentinel alone."""

    why: str
    decision: str
    status: int = 0
    bytes: int = 0
    duration: Millis = 0
    error: str = ""
    reason: str = ""
    plan: str = ""
    troubles: tuple[tuple[int, str], ...] = ()
    left_out: str = ""
    picture: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastLooks:
    """When a page was last looked at, and when it last answered."""

    at: Millis
    seen: Millis | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVersion:
    """A version to be written. A `delta` is the content of its object, if the row is to hold it."""

    number: int
    url: str
    status: int
    signature: str
    object: str
    size: int
    picture: str = ""
    base: str = ""
    stored: int = 0
    title: str = ""
    delta: bytes = b""

    def of_page(self, page: int, fetched_at: datetime) -> Version:
        """Returns the version as it is stored."""
        return Version(
            page=page,
            number=self.number,
            fetched_at=fetched_at,
            url=self.url,
            status=self.status,
            signature=self.signature,
            object=self.object,
            size=self.size,
            picture=self.picture,
            base=self.base,
            stored=self.stored,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NewChange:
    """A change to be told. With a `question`, it is told, or not, when the question is answered; `judgement`
    is what became of its question."""

    sentinel: int
    old_version: int
    new_version: int
    findings: tuple[Finding, ...]
    notices: tuple[Notice, ...] = ()
    question: NewQuestion | None = None
    judgement: Judgement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchUpdate:
    sentinel: int
    reference: int
    next_at: Millis
    measured_from: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTrouble:
    """The new trouble of a sentinel with a page; FINE if the trouble has ended."""

    sentinel: int
    trouble: Trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """Everything that one check changes. The store writes all of it in one transaction or nothing.

    `host_down`: the failure was the host's and not the page's. `host_wait`: the rest that the host asked for.
    `habits`: what the page taught us about itself, by the key of a part. `wish`: why the next look comes out
    of turn.
    """

    page: int
    asked: int
    due: Millis
    failures: int
    look: Look
    validators: dict[str, str] = field(default_factory=dict)
    version: NewVersion | None = None
    watches: tuple[WatchUpdate, ...] = ()
    changes: tuple[NewChange, ...] = ()
    notices: tuple[Notice, ...] = ()
    host_down: bool = False
    host_wait: Millis = 0
    pace: NewPace | None = None
    links: tuple[PageLinks, ...] = ()
    doubt: Doubt | None = None
    habits: Mapping[str, Habits] = field(default_factory=dict)
    wish: str = ""
    failing_since: Millis = 0
    troubles: tuple[NewTrouble, ...] = ()

    def set_back(self, now: Millis, ahead: Millis) -> CheckResult:
        """Returns the result by a clock that shows `now`, `ahead` milliseconds less than the clock that the
        result was planned by."""
        doubt, pace = self.doubt, self.pace
        return replace(
            self,
            due=_earlier(self.due, ahead),
            doubt=replace(doubt, since=_happened(doubt.since, now, ahead)) if doubt else None,
            failing_since=_happened(self.failing_since, now, ahead),
            watches=tuple(replace(one, next_at=_earlier(one.next_at, ahead)) for one in self.watches),
            pace=replace(pace, next_at=_earlier(pace.next_at, ahead)) if pace else None,
        )


def _happened(moment: Millis, now: Millis, ahead: Millis) -> Millis:
    """Returns a moment of the past. One that lies after now was read from the old clock."""
    return moment - ahead if moment > now else moment


def _earlier(moment: Millis, ahead: Millis) -> Millis:
    return moment if moment >= NEVER else moment - ahead


@dataclass(frozen=True, slots=True, kw_only=True)
class HostAfter:
    """The state of a host after a visit: how long it is left alone, and how often in a row it could not be
    reached."""

    rest: Millis
    failures: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Visited:
    """A finished visit to a host: the claim, the results of its pages, and the state of the host
    afterwards."""

    claim: Claim
    results: tuple[CheckResult, ...]
    after: HostAfter

    def by_clock(self, now: Millis) -> Visited:
        """Returns the visit as the clock goes that shows `now`: if that clock was set back since the visit
        began, the times of the results move earlier by as much."""
        ahead = self.claim.now - now
        if ahead <= TOLERANCE:
            return self
        return replace(self, results=tuple(one.set_back(now, ahead) for one in self.results))


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxItem:
    """A notice to be delivered, leased to one worker."""

    id: int
    token: int
    attempts: int
    notice: Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class UndeliveredNotice:
    """A notice whose delivery was given up; it is kept for a person to see."""

    id: int
    notice: Notice
    attempts: int
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """How many notices wait to be delivered, and how many were given up."""

    pending: int
    given_up: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The number of rows of each kind in a knowledge base."""

    sentinels: int
    pages: int
    versions: int
    changes: int
    pending_notices: int
