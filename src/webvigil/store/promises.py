"""What every knowledge base and every object store promises. Keepers: `sql`, `memory`; `objects`.

A knowledge base is made of small parts, one for each noun, so that a stage asks for the part it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from webvigil.model.change import Change
from webvigil.model.event import Event
from webvigil.model.installed import InstalledSentinel, NewSentinel, WatchedPage
from webvigil.model.life import LifeNews, LifeStep
from webvigil.model.login import SealedLogin
from webvigil.model.moment import Millis
from webvigil.model.notice import Notice, Receipt
from webvigil.model.pace import PaceRecord, Shares, Steering
from webvigil.model.page import Page
from webvigil.model.push import Push
from webvigil.model.user import Role, Scope, Token, User
from webvigil.model.version import Version
from webvigil.model.wanted import LARGEST_ID, PIECE, WantedChanges, WantedSentinels
from webvigil.model.work import CheckResult, Claim, Counts, HostAfter, OutboxItem, UndeliveredNotice


class Users(Protocol):
    def add(self, name: str, *, role: Role = "user", zone: str = "UTC") -> User:
        """A new user; NameTaken if there is one of that name."""

    def get(self, name: str) -> User:
        """NotFound if there is none."""

    def all(self) -> list[User]: ...

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

    def enable(self, user: str, name: str, *, enabled: bool) -> InstalledSentinel:
        """A disabled sentinel is not looked at, though its life goes on; one that becomes active is due at
        once."""

    def rewatch(self, user: str, instead: Mapping[int, Page]) -> None:
        """The user's sentinels on these pages watch the other ones instead, due at once; what the old page
        showed is not compared with what the new one shows."""

    def live(self, step: LifeStep) -> bool:
        """Write down that a sentinel moved on in its life, with what happened and whom to tell; False (and
        nothing written) if it is not where the step begins."""

    def news(self, since: int) -> LifeNews:
        """The sentinels that are new, changed or removed since that revision; 0: all there are."""

    def remove(self, user: str, name: str) -> None:
        """The sentinel and its changes go; versions stay for those who watch the same page."""


class Schedule(Protocol):
    def claim(self, worker: str, *, hosts: int, pages: int, lease: Millis) -> list[Claim]:
        """Lease up to so many ready hosts, each with up to so many due pages, the most urgent first."""

    def renew(self, claim: Claim, *, lease: Millis) -> bool:
        """Hold on to a host; False if somebody else has it by now."""

    def finish(self, claim: Claim, results: Sequence[CheckResult], after: HostAfter | None = None) -> bool:
        """Write the results and give the host back, in one transaction; False (and nothing written)
        if the lease was lost. Without `after` the host was there, and rests for its delay."""

    def ask(self, page: int, why: str = "asked") -> None:
        """Look at this page now, whatever the schedule says; `why` is for its log."""

    def take_over(self) -> None:
        """End all leases: only for one who knows that nobody else is at work."""

    def next_at(self) -> Millis | None:
        """How long until a host is ready; 0 if one is, None if there is nothing to do."""

    def now(self) -> Millis:
        """The clock that leases and due times are measured by."""


class Versions(Protocol):
    def of(self, page: int) -> list[Version]:
        """Newest first."""

    def get(self, page: int, number: int) -> Version: ...

    def page_id(self, page: Page) -> int:
        """NotFound if nobody watches it."""

    def page(self, page: int) -> Page: ...


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

    def count(self, wanted: WantedChanges) -> int:
        """How many there are, whatever the limit."""

    def get(self, change_id: int) -> Change: ...

    def mark(self, user: str, ids: Sequence[int], *, seen: bool) -> int:
        """As seen or not; how many of them are this user's."""

    def note(self, user: str, change_id: int, text: str) -> None:
        """What the user wants to remember of it."""


class Outbox(Protocol):
    def claim(self, worker: str, *, count: int, lease: Millis) -> list[OutboxItem]: ...

    def delivered(self, item: OutboxItem, receipt: Receipt) -> bool:
        """False if the lease was lost."""

    def retry(self, item: OutboxItem, *, wait: Millis, error: str) -> bool: ...

    def give_up(self, item: OutboxItem, *, error: str) -> bool: ...

    def given_up(self, user: str | None = None) -> list[UndeliveredNotice]: ...

    def add(self, notice: Notice) -> bool:
        """False if the same notice was written before."""

    def take_over(self) -> None:
        """End all leases: only for one who knows that nobody else is at work."""

    def next_at(self) -> Millis | None: ...


class Journal(Protocol):
    def record(self, name: str, subject: str, details: dict[str, Any] | None = None) -> None: ...

    def events(self, *, subject: str | None = None, limit: int = 100) -> list[Event]:
        """Newest first."""

    def fetch_log(self, page: int, *, limit: int = 100) -> list[dict[str, Any]]:
        """The looks at a page, newest first (F10)."""

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


class Knowledge(Protocol):
    users: Users
    sentinels: Sentinels
    schedule: Schedule
    versions: Versions
    changes: Changes
    outbox: Outbox
    journal: Journal
    logins: Logins
    pushes: Pushes
    paces: Paces

    def close(self) -> None: ...


class Objects(Protocol):
    """Immutable bytes by the digest of their content. Putting the same bytes twice is one object."""

    def put(self, key: str, content: bytes) -> None: ...

    def get(self, key: str) -> bytes:
        """ObjectMissing if it is not there."""

    def has(self, key: str) -> bool: ...

    def delete(self, keys: Iterable[str]) -> None: ...

    def keys(self) -> Iterator[str]: ...
