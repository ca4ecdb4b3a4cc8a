"""What every knowledge base and every object store promises. Keepers: `sql`, `memory`; `objects`.

A knowledge base is made of small parts, one for each noun, so that a stage asks for the part it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol

from webvigil.model.agent import Agent, AgentSide, AgentState, Letter
from webvigil.model.change import Change
from webvigil.model.contact import KnownContact, Preferences
from webvigil.model.discovery import (
    Counted,
    Discovery,
    DiscoveryState,
    FoundService,
    NewService,
    WantedServices,
)
from webvigil.model.event import Event
from webvigil.model.following import Limits
from webvigil.model.history import Ages, Forgotten, History, Use
from webvigil.model.installed import InstalledSentinel, NewSentinel, PageView, WatchedPage
from webvigil.model.life import LifeNews, LifeStep
from webvigil.model.login import SealedLogin
from webvigil.model.moment import Millis
from webvigil.model.notice import Notice, OutboxRecord, Receipt, Told, Waiting
from webvigil.model.pace import PaceRecord, Shares, Steering
from webvigil.model.page import Page
from webvigil.model.peer import Peer, SeenPage, SharedPage, Wanted
from webvigil.model.push import Push
from webvigil.model.quiet import PageHabits
from webvigil.model.set_back import SetBack
from webvigil.model.user import Role, Scope, Token, User
from webvigil.model.version import Version
from webvigil.model.wanted import LARGEST_ID, PIECE, WantedChanges, WantedSentinels
from webvigil.model.work import (
    Backlog,
    CheckResult,
    Claim,
    Counts,
    HostAfter,
    LastLooks,
    OutboxItem,
    UndeliveredNotice,
    Visited,
    Watch,
)


class Users(Protocol):
    def add(self, name: str, *, role: Role = "user", zone: str = "UTC") -> User:
        """A new user; NameTaken if there is one of that name."""

    def get(self, name: str) -> User:
        """NotFound if there is none."""

    def all(self) -> list[User]: ...

    def prefer(self, name: str, taste: str) -> None:
        """Remember what a user cares about."""

    def change(self, name: str, *, role: Role | None = None, zone: str | None = None) -> User: ...

    def remove(self, name: str) -> None:
        """The user with all that is theirs; what others watch too stays."""

    def password(self, name: str) -> str:
        """The hash of it; empty where there is none, or no such user."""

    def set_password(self, name: str, hashed: str) -> None: ...

    def add_token(
        self,
        user: str,
        digest: str,
        *,
        purpose: str,
        expires: Millis,
        name: str = "",
        scope: Scope = "admin",
    ) -> None:
        """Remember the digest of a secret; the secret itself is never stored."""

    def token(self, digest: str, *, purpose: str) -> Token | None:
        """The unexpired token of this digest; that it was used is remembered, to the minute."""

    def tokens(self, user: str, *, purpose: str) -> list[Token]:
        """Those that are not expired, newest first."""

    def end_token(self, digest: str, *, expires: Millis) -> None:
        """It opens nothing from then on."""

    def drop_token(self, user: str, token: str, *, purpose: str) -> None:
        """By its id; NotFound if the user has none such."""

    def drop_tokens(self, user: str, *, purpose: str) -> None: ...


class Sentinels(Protocol):
    def add(self, *new: NewSentinel) -> list[InstalledSentinel]:
        """Install all of them or none: their pages are shared with everybody who watches the same, and
        due at once; the journal tells it."""

    def replace(self, *new: NewSentinel) -> list[InstalledSentinel]:
        """The sentinels of these names get another text, life and place in the queue, and keep their changes.

        Pages that stay are compared with the same version as before; those that are gone are left, new ones
        are due at once. All in one transaction, and the journal tells it. NotFound, and nothing written, if
        one is not there.
        """

    def get(self, user: str, name: str) -> InstalledSentinel: ...

    def all(self, user: str | None = None) -> list[InstalledSentinel]:
        """Newest first."""

    def some(self, wanted: WantedSentinels) -> list[InstalledSentinel]:
        """Newest first, as many as are wanted."""

    def count(self, wanted: WantedSentinels) -> int:
        """How many there are, whatever the limit."""

    def topics(self, user: str | None = None) -> list[str]:
        """In order of the alphabet."""

    def pages(
        self, user: str | None = None, *, words: str = "", before: int = LARGEST_ID, limit: int = PIECE
    ) -> list[WatchedPage]:
        """The pages that somebody watches, newest first; `words`: all of them in the address."""

    def watch(self, user: str | None, page: int) -> bool:
        """Whether this user, or anybody, watches the page."""

    def views(self, user: str, pages: Iterable[int]) -> dict[int, PageView]:
        """What a user may see of each of these pages; those that they do not watch are left out."""

    def enable(self, user: str, name: str, *, enabled: bool) -> InstalledSentinel:
        """A disabled sentinel is not looked at, though its life goes on; one that becomes active is due at
        once."""

    def rewatch(self, user: str, instead: Mapping[int, Page]) -> None:
        """The user's sentinels on these pages watch the other ones instead, due at once; what the old page
        showed is not compared with what the new one shows."""

    def watching(self, page: int) -> list[Watch]:
        """The watches of active sentinels on a page, whether it is due or not."""

    def live(self, step: LifeStep) -> bool:
        """Write down that a sentinel moved on in its life, with what happened and whom to tell; False (and
        nothing written) if it is not where the step begins."""

    def news(self, since: int) -> LifeNews:
        """The sentinels that are new, changed or removed since that revision; 0: all there are."""

    def linked(self, user: str, name: str) -> list[WatchedPage]:
        """The pages that a sentinel watches because others link to them (B7), the nearer ones first."""

    def follow(self, limits: Limits, *, most: int = 100) -> int:
        """Sentinels with a depth watch the pages that are linked to now, and let go of those that are gone
        for good. Up to `most` of those for which there may be something to do; how many."""

    def remove(self, user: str, name: str) -> None:
        """The sentinel and its changes go; versions stay for those who watch the same page."""


class Schedule(Protocol):
    def claim(self, worker: str, *, hosts: int, pages: int, lease: Millis) -> list[Claim]:
        """Lease up to so many ready hosts, each with up to so many due pages, the most urgent first."""

    def renew(self, *claims: Claim, lease: Millis) -> list[Claim]:
        """Hold on to hosts; those that are still ours."""

    def finish(self, claim: Claim, results: Sequence[CheckResult], after: HostAfter | None = None) -> bool:
        """Write the results and give the host back, in one transaction; False (and nothing written)
        if the lease was lost. Without `after` the host was there, and rests for its delay."""

    def finish_all(self, visits: Sequence[Visited]) -> list[bool]:
        """Many at once, in one transaction; which of them were written. A lease ends when it is finished:
        what is handed in a second time is not written again."""

    def ask(self, page: int, why: str = "asked") -> None:
        """Look at this page now, whatever the schedule says; `why` is for its log."""

    def look_by(self, page: int, at: Millis, why: str) -> None:
        """Look at this page no later than then; its sentinels are evaluated at their own times."""

    def take_over(self) -> None:
        """End all leases: only for one who knows that nobody else is at work."""

    def next_at(self) -> Millis | None:
        """How long until a host is ready; 0 if one is, None if there is nothing to do."""

    def age(self) -> Millis:
        """For how long the host that has waited longest has been ready; 0 if none waits."""

    def listen(self, ring: Callable[[], None]) -> AbstractContextManager[Millis]:
        """`ring` is called, from any thread, when somebody asks for a look or brings new pages. Gives how
        long one may sleep and trust to be woken."""

    def now(self) -> Millis:
        """The clock that leases and due times are measured by."""


class Versions(Protocol):
    def of(self, page: int) -> list[Version]:
        """Newest first."""

    def get(self, page: int, number: int) -> Version: ...

    def page_id(self, page: Page) -> int:
        """NotFound if nobody watches it."""

    def page(self, page: int) -> Page: ...


class HabitStore(Protocol):
    """What pages taught us about themselves (Q3); written with what a check found (`CheckResult.habits`)."""

    def of(self, page_id: int) -> PageHabits:
        """Nothing of a page that taught us nothing, or is not there."""

    def forget(self, page_id: int) -> None:
        """The page is learnt anew."""


class Histories(Protocol):
    """For the collector: all that is kept of a page, and what may be removed of it (R1)."""

    def pages(self, *, after: int, limit: int) -> list[int]:
        """The next pages that have versions, by id."""

    def of(self, page: int) -> History: ...

    def drop(self, page: int, numbers: Sequence[int]) -> list[int]:
        """These are no versions any more; which ones were. The newest one, and those that a sentinel is to
        be compared with, stay."""

    def forget(self, page: int, numbers: Sequence[int]) -> list[str]:
        """Forget dropped versions that no other is stored relative to; the objects that nobody needs now."""

    def uses(self, objects: Sequence[str]) -> dict[str, Use]:
        """What those of these objects (and pictures of old versions) that are named by a version are for."""


class Logs(Protocol):
    """For the collector: what was written down and is too old to be needed. Each call looks at so many rows
    after an id, in a short transaction, so that nobody waits long for it. A `dry_run` only counts."""

    def forget_looks(self, ages: Ages, *, after: int, limit: int, dry_run: bool = False) -> Forgotten:
        """Stay: the last look at each page, the last that saw it, and, as long as versions do, the last that
        saw a version before another one came."""

    def forget_notices(self, ages: Ages, *, after: int, limit: int, dry_run: bool = False) -> Forgotten:
        """Only delivered ones, and those that went into a summary that was delivered. The last one of each
        sentinel stays."""

    def forget_events(
        self,
        ages: Ages,
        *,
        after: int,
        limit: int,
        sparing: Mapping[str, Millis] | None = None,
        dry_run: bool = False,
    ) -> Forgotten:
        """`sparing` gives subjects a moment of their own, where that is earlier."""

    def forget_pages(self, ages: Ages, *, after: int, limit: int, dry_run: bool = False) -> Forgotten:
        """Pages that no sentinel watches and that nobody looked at since `ages.log`, with their versions if
        all of them are older than `ages.versions`. A page that a change, a push or a link of a sentinel
        refers to stays. The objects that nobody needs now are told."""


class Changes(Protocol):
    def all(
        self,
        user: str | None = None,
        *,
        sentinel: str | None = None,
        since: datetime | None = None,
        after: int = 0,
        limit: int = 100,
    ) -> list[Change]:
        """Newest first; `after` leaves out all up to and including that id."""

    def some(self, wanted: WantedChanges) -> list[Change]:
        """Newest first, as many as are wanted."""

    def count(self, wanted: WantedChanges, *, most: int | None = None) -> int:
        """How many there are, whatever the limit; nobody counts further than `most`."""

    def get(self, change_id: int) -> Change: ...

    def last_found(self, sentinels: Iterable[int]) -> dict[int, datetime]:
        """When the newest change of each sentinel was found; those without one are left out."""

    def mark(self, user: str, ids: Sequence[int], *, seen: bool) -> int:
        """As seen or not; how many of them are this user's."""

    def mark_all(self, wanted: WantedChanges) -> int:
        """All that are wanted, whatever the limit, as seen; how many there were."""

    def note(self, user: str, change_id: int, text: str) -> None:
        """What the user wants to remember of it."""


class Search(Protocol):
    def find(
        self,
        user_name: str | None,
        words: str = "",
        *,
        sentinel_name: str | None = None,
        topic: str | None = None,
        kind: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 100,
    ) -> list[Change]:
        """The changes of a user (None: of all) that hold all these words, newest first; see `searching`."""


class Outbox(Protocol):
    def claim(self, worker: str, *, count: int, lease: Millis) -> list[OutboxItem]:
        """The first ones of each queue, and none behind one that waits: every queue is told in order."""

    def delivered(self, item: OutboxItem, receipt: Receipt) -> bool:
        """False if the lease was lost."""

    def retry(self, item: OutboxItem, *, wait: Millis, error: str, tried: bool = True) -> bool:
        """Again after so long; without `tried` it does not count as an attempt."""

    def give_up(self, item: OutboxItem, *, error: str) -> bool: ...

    def hold(self, item: OutboxItem, *, until: Millis) -> bool:
        """Not now, and nobody's fault: those behind it in its queue wait, too."""

    def put_back(self, items: Sequence[OutboxItem]) -> None:
        """They were claimed and not tried."""

    def renew(self, items: Sequence[OutboxItem], *, lease: Millis) -> list[OutboxItem]:
        """Hold on to them for so long from now; those that are still ours."""

    def delivered_all(self, told: Sequence[tuple[OutboxItem, Receipt]]) -> None:
        """In one transaction; those whose lease was lost are left out."""

    def ripe(self, *, limit: int) -> list[Notice]:
        """The first held notice of every queue in which the time of one has come."""

    def waiting(self, queue: str, *, due: bool, limit: int) -> list[Waiting]:
        """The notices in a queue that nobody is at work on, in order; with `due` only those whose time has
        come."""

    def place(self, ids: Iterable[int], *, until: Millis) -> None:
        """Let them wait until then."""

    def merge(self, ids: Sequence[int], summary: Notice) -> bool:
        """One notice in the place of several, in one transaction; False (and nothing written) if one of
        them is not waiting any more."""

    def let_go(self, waiting: Waiting) -> bool:
        """It waits for no other, and is told at once."""

    def wake(self, user: str, channel: str, address: str) -> int:
        """What was held for this contact is due now; how many."""

    def sent(self, user: str, channels: Sequence[str], *, since: Millis) -> list[Millis]:
        """When the user got something by these channels, in order."""

    def all(
        self, user: str | None = None, *, state: str | None = None, limit: int = 100
    ) -> list[OutboxRecord]:
        """Newest first."""

    def revive(self, user: str | None = None, *, notice: int | None = None) -> int:
        """Try again what was given up, all or one; how many."""

    def told(self, user: str) -> dict[str, Told]:
        """By the name of the sentinel."""

    def given_up(self, user: str | None = None) -> list[UndeliveredNotice]: ...

    def add(self, notice: Notice) -> bool:
        """False if the same notice was written before."""

    def take_over(self) -> None:
        """End all leases: only for one who knows that nobody else is at work."""

    def next_at(self) -> Millis | None: ...

    def backlog(self) -> Backlog:
        """How many notices wait, and how many were given up."""


class Duties(Protocol):
    """What one worker does for all, such as keeping lives."""

    def take(self, name: str, worker: str, *, lease: Millis) -> bool:
        """Take up a duty, or hold on to it; False while somebody else has it."""

    def lay_down(self, name: str, worker: str) -> None:
        """Leave it to whoever takes it next."""

    def is_held(self, name: str) -> bool:
        """Does any worker have this duty now?"""

    def take_over(self) -> None:
        """End all leases: only for one who knows that nobody else is at work."""


class Clock(Protocol):
    """The clock that the store goes by, which somebody may set back."""

    def behind(self) -> Millis:
        """How far the clock stands behind what the store was told already; 0 if it was not set back."""

    def set_right(self) -> Millis:
        """Bring back what was planned, and what happened, by a clock that was set back since; by how much.
        Called now and then, also to remember what time it is."""

    def last_set_back(self) -> SetBack | None: ...


class Journal(Protocol):
    def record(self, name: str, subject: str, details: dict[str, Any] | None = None) -> None: ...

    def events(self, *, subject: str | None = None, limit: int = 100) -> list[Event]:
        """Newest first."""

    def fetch_log(self, page: int, *, limit: int = 100) -> list[dict[str, Any]]:
        """The looks at a page, newest first (F10)."""

    def fetch_logs(self, pages: Iterable[int], *, limit: int = 100) -> dict[int, list[dict[str, Any]]]:
        """So many looks at each of these pages, newest first; those never looked at are left out."""

    def last_looks(self, pages: Iterable[int]) -> dict[int, LastLooks]:
        """When each page was last looked at, and last seen; those never looked at are left out."""

    def fact(self, key: str) -> str | None:
        """A fact about this installation, such as its id."""

    def remember(self, key: str, value: str) -> None: ...

    def counts(self) -> Counts: ...


class Logins(Protocol):
    def put(self, user: str, url: str, sealed: str) -> None:
        """Another one for the same address takes its place."""

    def get(self, login_id: int) -> SealedLogin: ...

    def all(self, user: str) -> list[SealedLogin]: ...

    def remove(self, user: str, url: str) -> None:
        """NotFound if there is none."""


class Contacts(Protocol):
    def put(self, one: KnownContact) -> None:
        """In the place of what was known of it."""

    def get(self, user: str, channel: str, address: str) -> KnownContact | None: ...

    def of_digest(self, digest: str) -> KnownContact | None: ...

    def all(self, user: str) -> list[KnownContact]: ...

    def remove(self, user: str, channel: str, address: str) -> None:
        """NotFound if nothing is known of it."""

    def preferences(self, user: str) -> Preferences: ...

    def prefer(self, user: str, preferences: Preferences) -> None: ...


class Pushes(Protocol):
    def put(self, one: Push) -> None:
        """New, or in the place of the one with the same digest."""

    def get(self, digest: str) -> Push | None: ...

    def all(self, *, page: int | None = None, kind: str | None = None) -> list[Push]: ...

    def remove(self, digest: str) -> None: ...


class Paces(Protocol):
    def get(self, page: int) -> PaceRecord | None:
        """What the best-effort rule of a page remembers; None where no sentinel looks at it on change."""

    def hint(self, page: int, at: Millis, why: str = "a hint") -> None:
        """One more hint that a page has changed; its best-effort rule looks no later than `at`."""

    def shares(self, hosts: int) -> Shares:
        """What the watched pages ask of a budget, and so many of the hosts that ask most."""

    def host_share(self, host: str) -> float: ...

    def steering(self) -> Steering: ...

    def steer(self, change: Callable[[Steering], Steering]) -> Steering:
        """Change the steering that all workers share, one after the other; the new one."""


class Discoveries(Protocol):
    """Searches for services. Without a user those of everybody are meant."""

    def add(self, user: str, wanted: WantedServices) -> Discovery:
        """It waits until a worker takes it up."""

    def get(self, user: str | None, discovery: int) -> Discovery:
        """NotFound if there is none, or it is somebody else's."""

    def all(
        self, user: str | None = None, *, before: int = LARGEST_ID, limit: int = PIECE
    ) -> list[Discovery]:
        """Newest first."""

    def open(self, user: str | None = None) -> list[Discovery]:
        """Those that wait or run, oldest first."""

    def begin(self, discovery: int) -> bool:
        """It runs, perhaps again; False if it is over."""

    def append(
        self,
        discovery: int,
        number: int,
        step: dict[str, Any],
        counted: Counted,
        services: Sequence[NewService] = (),
    ) -> bool:
        """Write the next step, from 0 on, with what it found; False (and nothing written) if the discovery
        does not run any more, or somebody else has written this step."""

    def steps(self, discovery: int) -> list[dict[str, Any]]:
        """In order."""

    def end(self, discovery: int, state: DiscoveryState, why: str) -> bool:
        """False if it was over already."""

    def remove(self, user: str, discovery: int) -> None:
        """With all it found; NotFound if there is none."""

    def services(self, user: str | None, discovery: int) -> list[FoundService]: ...

    def service(self, user: str | None, discovery: int, number: int) -> FoundService: ...


class Peers(Protocol):
    """Servers that share the work, and the pages that each of them watches."""

    def put(self, peer: Peer) -> None:
        """New, or in the place of what was known of it; its figures and its pages stay."""

    def change(self, key: str, change: Callable[[Peer], Peer]) -> Peer | None:
        """What it is made of what is known of it by then, one after the other; None if it is not known."""

    def get(self, key: str) -> Peer | None: ...

    def all(self) -> list[Peer]:
        """By address."""

    def remove(self, key: str) -> None:
        """With its pages. NotFound if there is none."""

    def count(self, key: str, **more: int) -> None:
        """Add to the figures of a peer."""

    def first_time(self, message: str, *, until: Millis) -> bool:
        """Whether this id is heard for the first time; remembered until then."""

    def announce(self, key: str, wanted: Iterable[Wanted], gone: Iterable[str] = ()) -> None:
        """The peer watches these pages, and those no more."""

    def announced(self, key: str) -> dict[str, Millis]:
        """The pages that a peer watches."""

    def how_many(self, key: str) -> int:
        """Of these."""

    def forget_pages(self, key: str) -> None: ...

    def wanting(self, pages: Iterable[str]) -> dict[str, list[str]]:
        """Page → the keys of the known peers that watch it, in order."""

    def shareable(self) -> list[SharedPage]:
        """The pages that active sentinels watch and that may be told of: seen by everybody alike, and
        watched by nobody who keeps their pages to this server. By id."""

    def shared(self, page: str) -> SharedPage | None:
        """One of these, by its key."""

    def seen(self, page: str) -> SeenPage | None:
        """A page of these, by its key; None where it is none, or was never seen."""


class Agents(Protocol):
    """Personal agents: ours that are with peers, and those of peers that are here."""

    def put(self, agent: Agent, *, was: AgentState | None = None) -> bool:
        """New, or in the place of what was known of it; its letters stay. With `was` only in the place of one
        that is in that state; whether it is written."""

    def get(self, agent: str) -> Agent | None: ...

    def all(self, side: AgentSide | None = None, *, user: str | None = None) -> list[Agent]:
        """The oldest first."""

    def remove(self, agent: str) -> None: ...

    def arrived(self, agent: str, letter: Letter) -> int:
        """A letter becomes a change of the sentinel that the agent works for, with its versions and notices,
        in one transaction; one that came before does not. The number of the last letter that is there."""

    def posted(self, agent: str, number: int) -> None:
        """All letters of a guest up to this one have arrived."""


class Knowledge(Protocol):
    users: Users
    sentinels: Sentinels
    schedule: Schedule
    versions: Versions
    histories: Histories
    logs: Logs
    changes: Changes
    search: Search
    outbox: Outbox
    journal: Journal
    logins: Logins
    pushes: Pushes
    duties: Duties
    clock: Clock
    paces: Paces
    contacts: Contacts
    habits: HabitStore
    discoveries: Discoveries
    peers: Peers
    agents: Agents

    def close(self) -> None: ...


class Objects(Protocol):
    """Bytes by key."""

    def put(self, key: str, content: bytes, *, lasting: bool = True) -> None:
        """In the place of what was there, whole or not at all.

        What is not `lasting` can be made again: a crash may take it, or a piece of it.
        """

    def get(self, key: str) -> bytes:
        """ObjectMissing if it is not there."""

    def has(self, key: str) -> bool: ...

    def delete(self, keys: Iterable[str]) -> None: ...

    def keys(self) -> Iterator[str]: ...

    def aged(self) -> Iterator[tuple[str, datetime]]:
        """Everything that lies there, also what was cut off while it was written, and since when."""
