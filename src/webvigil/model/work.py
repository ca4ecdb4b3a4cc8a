"""The work of one check as values: what a worker claims, and what it hands back.

A worker leases a host (whoever holds the lease is the only one to knock there) and gets its due pages.
The lease carries a token; what is handed back under an old token is dropped, so that a worker that
froze and woke up again can do no harm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from webvigil.model.change import Finding
from webvigil.model.doubt import Doubt
from webvigil.model.following import PageLinks
from webvigil.model.moment import Millis
from webvigil.model.notice import Notice
from webvigil.model.pace import NewPace, PaceRecord
from webvigil.model.page import Page
from webvigil.model.quiet import Habits
from webvigil.model.trouble import FINE, Trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """One sentinel's interest in one page: compared with version `reference` at its own times.

    `interval` 0: on change, at the times of the page's best-effort rule. Values that move are measured from
    version `measured_from` (0: from none yet); `taste` is what its user cares about. `level`: so many links
    away from a page that the sentinel names; `follows`: the part of this page whose links it follows, None:
    none. `trouble` is what its user was last told to be wrong.
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
    """A page whose time has come, with all a worker needs to know to look at it.

    `wish` says who asked for it to be looked at out of turn; `pace` is there if a sentinel looks on change.
    `links`: the version that the links in each part were last read from, where somebody follows them. `doubt`
    is there while the newest answer is not believed to be the page.
    `failing_since`: when it failed first, of the failures it had in a row.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A leased host and its due pages. `now` is the database's time of the claim.

    `delay` and `concurrency` are what is due to the host, `failures` how often in a row it was not there.
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


NOT_SEEN = ("failed", "postponed", "doubted", "no page")
"""The decisions of looks that did not see the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One line of a page's fetch log (F10): `decision` says what became of it, in one word, `reason` in a
    sentence why, `plan` when the next look is and why then, and `left_out` what differs and is not told (Q7).
    All who watch the page may read these; `troubles` (id of a sentinel, sentence) are for the owner of the
    sentinel alone."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class LastLooks:
    """When a page was last looked at, and when it was last there to be seen."""

    at: Millis
    seen: Millis | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVersion:
    number: int
    url: str
    status: int
    signature: str
    object: str
    size: int
    picture: str = ""
    base: str = ""
    stored: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NewChange:
    sentinel: int
    old_version: int
    new_version: int
    findings: tuple[Finding, ...]
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchUpdate:
    sentinel: int
    reference: int
    next_at: Millis
    measured_from: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTrouble:
    """What is wrong, from now on, with what a sentinel watches on a page; also that nothing is."""

    sentinel: int
    trouble: Trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """Everything one check changes; written in one transaction or not at all.

    `host_down`: not the page but its host failed; `host_wait`: the rest that the host asked for. `habits`:
    what
    the page taught us about itself, by the key of a part. `wish`: why the next look comes out of turn.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class HostAfter:
    """How a host is left after a visit: how long it rests, and how often in a row it was not there."""

    rest: Millis
    failures: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Visited:
    """A host after a visit: what was claimed, what was found there, and how the host is left."""

    claim: Claim
    results: tuple[CheckResult, ...]
    after: HostAfter


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxItem:
    """A notice to be delivered, leased to one worker."""

    id: int
    token: int
    attempts: int
    notice: Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class UndeliveredNotice:
    """A notice that was given up, kept for a person to see."""

    id: int
    notice: Notice
    attempts: int
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """Notices that wait to be delivered, and those that were given up."""

    pending: int
    given_up: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The size of a knowledge base at a glance."""

    sentinels: int
    pages: int
    versions: int
    changes: int
    pending_notices: int
