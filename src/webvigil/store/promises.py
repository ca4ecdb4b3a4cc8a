"""The interfaces of every knowledge base and object store.

`sql` and `memory` implement the first, `objects` the second.

A knowledge base has small parts, one for each noun, so that a stage asks for the part it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from webvigil.model.wanted import LARGEST_ID, PIECE

if TYPE_CHECKING:
    from webvigil.model.agent import Agent, AgentSide, AgentState, Letter
    from webvigil.model.change import Change, ChangeOutline
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
    from webvigil.model.installed import (
        InstalledSentinel,
        NewSentinel,
        PageView,
        RemovedSentinel,
        WatchedPage,
    )
    from webvigil.model.life import LifeNews, LifeStep, LivingSentinel
    from webvigil.model.login import SealedLogin
    from webvigil.model.meaning import Allowance, Answer, JudgedChange, Spent, WaitingQuestion
    from webvigil.model.moment import Millis
    from webvigil.model.notice import Notice, OutboxRecord, Receipt, Stuck, Told, Waiting
    from webvigil.model.pace import PaceRecord, Shares, Steering
    from webvigil.model.page import Page
    from webvigil.model.past import PastChange, PastVersion
    from webvigil.model.peer import Peer, SeenPage, SharedPage, Wanted
    from webvigil.model.push import Push
    from webvigil.model.quiet import PageHabits
    from webvigil.model.sentinel import State
    from webvigil.model.set_back import SetBack
    from webvigil.model.user import Role, Scope, Token, User
    from webvigil.model.version import Version
    from webvigil.model.wanted import WantedChanges, WantedSentinels
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
        """Adds and returns a new user. Raises NameTaken if a user of that name exists."""

    def get(self, name: str) -> User:
        """Returns the user. Raises NotFound if there is no such user."""

    def all(self) -> list[User]: ...

    def prefer(self, name: str, taste: str) -> None:
        """Stores the taste of a user: what the user cares about, as text."""

    def topics(self, name: str) -> dict[str, str]:
        """Returns the clauses that the user's topics say, by topic. Topics that say nothing are left out."""

    def say_topic(self, name: str, topic: str, clauses: str) -> None:
        """Stores the clauses of a topic; "" lets the topic say nothing."""

    def change(self, name: str, *, role: Role | None = None, zone: str | None = None) -> User: ...

    def remove(self, name: str) -> None:
        """Removes the user with all sentinels, changes and contacts. Pages that other users watch stay."""

    def password(self, name: str) -> str:
        """Returns the hash of the user's password; "" if the user has none or does not exist."""

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
        """Stores the digest of a secret; the secret itself is never stored."""

    def token(self, digest: str, *, purpose: str) -> Token | None:
        """Returns the unexpired token of this digest, or None. Stores when the token was used, to the
        minute."""

    def tokens(self, user: str, *, purpose: str) -> list[Token]:
        """Returns the unexpired tokens of a user, newest first."""

    def end_token(self, digest: str, *, expires: Millis) -> None:
        """Makes the token expire at the given time."""

    def drop_token(self, user: str, token: str, *, purpose: str) -> None:
        """Removes a token by its id. Raises NotFound if the user has no such token."""

    def drop_tokens(self, user: str, *, purpose: str) -> None: ...


class Sentinels(Protocol):
    def add(self, *new: NewSentinel) -> list[InstalledSentinel]:
        """Installs all the sentinels or none, and records this in the journal. A page that somebody already
        watches is shared; all the pages are due at once."""

    def replace(self, *new: NewSentinel) -> list[InstalledSentinel]:
        """Replaces the text, life and priority of installed sentinels with the same names; their changes
        stay.

        Pages that stay are compared with the same version as before, pages that are no longer named are
        released, and new pages are due at once. All this is one transaction, recorded in the journal. Raises
        NotFound and writes nothing if one of the sentinels does not exist.
        """

    def get(self, user: str, name: str) -> InstalledSentinel: ...

    def all(self, user: str | None = None) -> list[InstalledSentinel]:
        """Returns the sentinels of a user (None: of all users), newest first."""

    def some(self, wanted: WantedSentinels) -> list[InstalledSentinel]:
        """Returns the sentinels that match, newest first unless the query names an order, at most as many as
        the query wants."""

    def count(self, wanted: WantedSentinels) -> int:
        """Returns how many sentinels match, regardless of the limit."""

    def states(self, user: str) -> dict[State, int]:
        """Returns how many sentinels of a user there are in each state. States without any are left out."""

    def topics(self, user: str | None = None) -> dict[str, int]:
        """Returns the topics of a user's sentinels in alphabetical order, each with the number of its
        sentinels."""

    def pages(
        self, user: str | None = None, *, words: str = "", before: int = LARGEST_ID, limit: int = PIECE
    ) -> list[WatchedPage]:
        """Returns watched pages, newest first, whose address contains all of the `words`."""

    def page(self, user: str | None, page: int) -> WatchedPage:
        """Returns a page that this user (None: any user) watches. Raises NotFound if there is none."""

    def coming(self, user: str, *, limit: int) -> list[tuple[str, WatchedPage]]:
        """Returns the pages that are looked at next for a user's active sentinels, each with the name of the
        sentinel, soonest first."""

    def watch(self, user: str | None, page: int) -> bool:
        """Says whether this user (None: any user) watches the page."""

    def views(self, user: str, pages: Iterable[int]) -> dict[int, PageView]:
        """Returns what the user may see of each of these pages. Pages that the user does not watch are left
        out."""

    def enable(self, user: str, name: str, *, enabled: bool) -> InstalledSentinel:
        """Enables or disables a sentinel. The pages of a disabled sentinel are not looked at, though its life
        goes on. A sentinel that becomes active is due at once."""

    def rewatch(self, user: str, instead: Mapping[int, Page]) -> None:
        """Makes the user's sentinels on these pages watch other pages instead, due at once. Versions of the
        old page are not compared with versions of the new one."""

    def watching(self, page: int) -> list[Watch]:
        """Returns the watches of active sentinels on a page, due or not."""

    def live(self, step: LifeStep) -> bool:
        """Writes one step of a sentinel's life with its events and notices. Returns False and writes nothing
        if the sentinel is not at the step's beginning any more."""

    def news(self, since: int, *, until: Millis | None = None) -> LifeNews:
        """Returns the sentinels that were added, changed or removed since that revision; revision 0 returns
        all. With `until`, sentinels in whose lives nothing happens before that time are only named by their
        ids."""

    def living(self, user: str, names: Collection[str]) -> list[LivingSentinel]:
        """Returns the sentinels of a user with these names, as far as there are any."""

    def linked(self, user: str, name: str) -> list[WatchedPage]:
        """Returns the pages that a sentinel watches because others link to them (B7), nearest first."""

    def follow(self, limits: Limits, *, most: int = 100) -> int:
        """Lets sentinels with a depth watch the pages that are linked now, and release those whose links are
        gone for good. Handles up to `most` sentinels that may need this, and returns how many it handled."""

    def follow_at(self) -> Millis | None:
        """Returns the milliseconds until a sentinel may need `follow`; None if no sentinel is waiting for
        it."""

    def set_aside(self, user: str, name: str) -> RemovedSentinel:
        """Removes the sentinel and its changes in a way that `restore` can undo. To everybody they are gone,
        and the name is free; the versions that they need stay."""

    def removed(self, user: str) -> list[RemovedSentinel]:
        """Returns the sentinels of a user that can be restored, the one that was removed last first."""

    def restore(self, user: str, removed: int) -> InstalledSentinel:
        """Brings a sentinel back by its id, with its changes; its pages are due at once. Raises NotFound if
        it is gone for good, and NameTaken if another sentinel has its name now."""

    def forget_removed(self, before: Millis, *, limit: int) -> int:
        """Deletes sentinels that were removed before that time for good, with their changes: at most `limit`,
        the longest removed first. Returns how many. Versions stay for others who watch the same page."""


class Schedule(Protocol):
    def claim(
        self, worker: str, *, hosts: int, pages: int, lease: Millis, within: Millis | None = None
    ) -> list[Claim]:
        """Leases up to `hosts` ready hosts to the worker, each with up to `pages` due pages, the most urgent
        first. A host that wants pauses comes with no more pages than a visit of `within` milliseconds can ask
        for."""

    def renew(self, *claims: Claim, lease: Millis) -> list[Claim]:
        """Prolongs the leases and returns the claims that are still held."""

    def finish(self, claim: Claim, results: Sequence[CheckResult], after: HostAfter | None = None) -> bool:
        """Writes the results and gives the host back, in one transaction. Returns False and writes nothing if
        the lease was lost. Without `after` the host counts as reachable, and rests for its delay."""

    def finish_all(self, visits: Sequence[Visited]) -> list[bool]:
        """Finishes many visits in one transaction and returns which of them were written. Finishing ends the
        lease, so a visit that is handed in twice is written once."""

    def ask(self, page: int, why: str = "asked") -> None:
        """Makes the page due now, whatever its schedule says; `why` goes into its log."""

    def look_by(self, page: int, at: Millis, why: str) -> None:
        """Makes the page due no later than `at`. Its sentinels are still evaluated at their own times."""

    def reserve(self, host: str, spell: Millis) -> Millis:
        """Keeps workers away from a host for `spell` milliseconds, because somebody else asks it something,
        and returns 0. If the host is being visited or rests, does nothing and returns for how long. A host
        that nobody watches is always free."""

    def take_over(self) -> None:
        """Ends all leases. Only for a caller who knows that no other worker is running."""

    def next_at(self) -> Millis | None:
        """Returns the milliseconds until a host is ready: 0 if one is ready now, None if there is nothing to
        do."""

    def age(self) -> Millis:
        """Returns for how many milliseconds the longest-waiting host has been ready; 0 if none waits."""

    def listen(self, ring: Callable[[], None]) -> AbstractContextManager[Millis]:
        """Calls `ring`, from any thread, when somebody asks for a look or adds pages. Yields how many
        milliseconds a worker may sleep and rely on being woken."""

    def now(self) -> Millis:
        """Returns the time of the clock that measures leases and due times."""

    def written(self) -> str:
        """Returns a text that is another one after every transaction that writes, of any process."""


class Versions(Protocol):
    def of(self, page: int) -> list[Version]:
        """Returns all versions of a page, newest first."""

    def some(
        self,
        page: int,
        *,
        after: int = 0,
        before: int = LARGEST_ID,
        until: datetime | None = None,
        oldest_first: bool = False,
        limit: int = PIECE,
    ) -> list[Version]:
        """Returns at most `limit` versions whose numbers lie between `after` and `before` (both excluded)
        and that were fetched at `until` or earlier, newest first unless `oldest_first`."""

    def count(self, page: int, *, after: int = 0) -> int:
        """Returns how many versions with a number above `after` are kept."""

    def get(self, page: int, number: int) -> Version:
        """Returns a version; a negative number names a version of the past (`Pasts`). Raises NotFound if
        there is none."""

    def pictured(self, versions: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
        """Returns those of these versions, each a page and a number, of which a browser drew a picture."""

    def deltas(self, key: str) -> Mapping[str, bytes]:
        """Returns the contents of this object, and of all objects that it is stored relative to, as far as
        rows of versions hold them, by object (`PageRepository`)."""

    def page_id(self, page: Page) -> int:
        """Returns the id of a page. Raises NotFound if nobody watches it."""

    def page(self, page: int) -> Page: ...


class Pasts(Protocol):
    """The pasts that users brought to pages from web archives (`model.past`)."""

    def of(self, page: int, user_name: str | None) -> list[Version]:
        """Returns the versions that this user (None: any user) brought, the latest first."""

    def bring(self, page: int, user_name: str, versions: Sequence[PastVersion]) -> list[Version]:
        """Stores versions, given oldest first, and returns them with their numbers in the same order."""

    def tell(self, page: int, changes: Sequence[PastChange]) -> None:
        """Records changes between versions of the past, given oldest first. They are marked as seen, and
        nobody is told. Changes that are recorded later have lower ids."""

    def forget(self, page: int, user_name: str) -> list[str]:
        """Removes what the user brought, with its changes, and returns the keys of the objects that nothing
        needs any more."""


class HabitStore(Protocol):
    """What pages taught us about themselves (Q3); written with what a check found (`CheckResult.habits`)."""

    def of(self, page_id: int) -> PageHabits:
        """Returns what looks taught about a page: nothing if they taught nothing, or the page is gone."""

    def forget(self, page_id: int) -> None:
        """Forgets what looks taught about a page, so that it is learnt anew."""


class Histories(Protocol):
    """For the collector of old data: everything stored for a page, and what may be removed (R1)."""

    def pages(self, *, after: int, limit: int) -> list[int]:
        """Returns the ids of the next pages with versions, in ascending order."""

    def of(self, page: int) -> History: ...

    def drop(self, page: int, numbers: Sequence[int]) -> list[int]:
        """Marks these versions as dropped and returns the numbers that were. The newest version, and versions
        that a sentinel is still to be compared with, stay."""

    def forget(self, page: int, numbers: Sequence[int]) -> list[str]:
        """Deletes dropped versions that no other version is stored relative to, and returns the keys of the
        objects that nothing needs any more."""

    def uses(self, objects: Sequence[str]) -> dict[str, Use]:
        """Returns what each object (or picture of an old version) is used for. Objects that no version names
        are left out."""


class Logs(Protocol):
    """For the collector of old data: removes log rows that are too old to be needed. Each call examines
    `limit` rows after an id in a short transaction, so that nobody waits long for it. A `dry_run` only
    counts."""

    def forget_looks(self, ages: Ages, *, after: int, limit: int, dry_run: bool = False) -> Forgotten:
        """Removes old looks. The last look at each page and the last successful look stay; so do, as long as
        versions are kept, the last looks that saw a version before the next version came."""

    def forget_notices(self, ages: Ages, *, after: int, limit: int, dry_run: bool = False) -> Forgotten:
        """Removes old notices that were delivered, alone or in a delivered summary. The last notice of each
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
        """Removes old entries of the journal. `sparing` gives some subjects an earlier moment of their
        own."""

    def forget_pages(self, ages: Ages, *, after: int, limit: int, dry_run: bool = False) -> Forgotten:
        """Removes pages that no sentinel watches and that nobody looked at since `ages.log`, with their
        versions if all of these are older than `ages.versions`. A page to which a change, a push or a link of
        a sentinel refers stays. The result holds the objects that nothing needs any more."""


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
        """Returns changes, newest first; `after` leaves out all ids up to and including it."""

    def some(self, wanted: WantedChanges) -> list[Change]:
        """Returns the changes that match, newest first, at most as many as the query wants."""

    def outlines(self, wanted: WantedChanges) -> list[ChangeOutline]:
        """Returns the changes that match without their findings, newest first, at most as many as the query
        wants."""

    def count(self, wanted: WantedChanges, *, most: int | None = None) -> int:
        """Returns how many changes match, regardless of the limit; stops counting at `most`."""

    def get(self, change_id: int) -> Change: ...

    def rhythm(self, wanted: WantedChanges) -> dict[datetime, int]:
        """Returns how many matching changes were found in each quarter of an hour (UTC) that has any,
        regardless of the limit. The days of every time zone are whole numbers of such quarters."""

    def rhythms(self, wanted: WantedChanges) -> dict[str, dict[datetime, int]]:
        """Returns the same as `rhythm` for each sentinel that has matching changes, by its name. A query for
        all users adds the changes of sentinels with the same name."""

    def at_versions(self, wanted: WantedChanges, *, after: int, before: int) -> dict[int, int]:
        """Returns the newest matching change, by its id, that each version of a page brought, for versions
        whose numbers lie between `after` and `before` (both excluded). The limit does not count."""

    def newest(self, sentinels: Iterable[int]) -> dict[int, Change]:
        """Returns the newest change of each sentinel. Sentinels without changes are left out."""

    def last_found(self, sentinels: Iterable[int]) -> dict[int, datetime]:
        """Returns when the newest change of each sentinel was found. Sentinels without changes are left
        out."""

    def mark(self, user: str, ids: Sequence[int], *, seen: bool) -> int:
        """Marks these changes as seen or not seen. Returns how many of them belong to the user."""

    def mark_all(self, wanted: WantedChanges) -> int:
        """Marks all matching changes as seen, regardless of the limit, and returns how many there were."""

    def note(self, user: str, change_id: int, text: str) -> None:
        """Stores the user's note on a change."""


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
        """Returns the changes of a user (None: of all users) that contain all these words, newest first.
        `searching` defines what counts as a word."""


class Outbox(Protocol):
    def claim(self, worker: str, *, count: int, lease: Millis) -> list[OutboxItem]:
        """Leases the first due notices of each queue to the worker. A notice behind one that waits is not
        leased, because every queue is delivered in order."""

    def delivered(self, item: OutboxItem, receipt: Receipt) -> bool:
        """Marks the notice as delivered. Returns False if the lease was lost."""

    def retry(self, item: OutboxItem, *, wait: Millis, error: str, tried: bool = True) -> bool:
        """Makes the notice due again after `wait`. Without `tried` this does not count as an attempt."""

    def give_up(self, item: OutboxItem, *, error: str) -> bool: ...

    def hold(self, item: OutboxItem, *, until: Millis) -> bool:
        """Lets the notice wait until the given time without counting an attempt. The notices behind it in its
        queue wait, too."""

    def put_back(self, items: Sequence[OutboxItem]) -> None:
        """Gives back notices that were leased and not tried."""

    def renew(self, items: Sequence[OutboxItem], *, lease: Millis) -> list[OutboxItem]:
        """Prolongs the leases, from now on, and returns the items that are still held."""

    def delivered_all(self, told: Sequence[tuple[OutboxItem, Receipt]]) -> None:
        """Marks many notices as delivered in one transaction; notices whose lease was lost are left out."""

    def ripe(self, *, limit: int) -> list[Notice]:
        """Returns the first held notice of every queue in which the time of a held notice has come."""

    def waiting(self, queue: str, *, due: bool, limit: int) -> list[Waiting]:
        """Returns the notices of a queue that no worker is delivering, in order; with `due` only those whose
        time has come."""

    def place(self, ids: Iterable[int], *, until: Millis) -> None:
        """Lets these notices wait until the given time."""

    def merge(self, ids: Sequence[int], summary: Notice) -> bool:
        """Replaces several notices by one summary, in one transaction. Returns False and writes nothing if
        one of them does not wait any more."""

    def let_go(self, waiting: Waiting) -> bool:
        """Makes a waiting notice due at once, without waiting for others."""

    def wake(self, user: str, channel: str, address: str) -> int:
        """Makes the notices that were held for this contact due now, and returns how many."""

    def sent(self, user: str, channels: Sequence[str], *, since: Millis) -> list[Millis]:
        """Returns when the user received something by these channels, in order."""

    def all(
        self, user: str | None = None, *, state: str | None = None, limit: int = 100
    ) -> list[OutboxRecord]:
        """Returns notices and what became of them, newest first."""

    def revive(self, user: str | None = None, *, notice: int | None = None) -> int:
        """Makes notices that were given up due again, all of them or one, and returns how many."""

    def told(self, user: str, sentinels: Collection[str]) -> dict[str, Told]:
        """Returns for these sentinels of a user, by name, how often and when last the user was told."""

    def given_up(self, user: str | None = None, *, limit: int | None = None) -> list[UndeliveredNotice]:
        """Returns the notices that were given up, newest first."""

    def stuck(self, user: str) -> list[Stuck]:
        """Returns, by contact, the notices of a user that could not be delivered, the newest first."""

    def count_delivered(self, user: str, *, since: Millis) -> int:
        """Returns how many notices a user got since that time."""

    def add(self, notice: Notice) -> bool:
        """Adds a notice. Returns False if the same notice was added before."""

    def take_over(self) -> None:
        """Ends all leases. Only for a caller who knows that no other worker is running."""

    def next_at(self) -> Millis | None: ...

    def backlog(self) -> Backlog:
        """Returns how many notices wait, and how many were given up."""


class Questions(Protocol):
    """Questions to a language model about changes that wait to be told (`model.meaning`)."""

    def claim(self, worker: str, *, count: int, lease: Millis, allowance: Allowance) -> list[WaitingQuestion]:
        """Leases at most `count` questions that are due. Of equal questions only the first is leased. The
        tokens that a question may take are charged to its user at once. A question that its user may not ask
        any more today comes with `refused`, one that was answered before with its `answer`; neither is
        charged."""

    def retry(self, item: WaitingQuestion, *, wait: Millis, spent: Spent) -> bool:
        """Gives a leased question back, to be asked later; `spent` as in `settle`. Returns False if the lease
        was lost."""

    def settle(self, item: WaitingQuestion, said: Answer, spent: Spent, *, alone: bool = False) -> int | None:
        """Writes what the answer decides for a question and for all equal questions: the changes with their
        notices, or that the changes are not told. With `alone`, only this question is settled. `spent` is
        added to what its user has used today; it may be negative, because tokens were charged before. Returns
        how many changes are told; None if the lease was lost, and then nothing is written."""

    def take_over(self) -> None:
        """Ends all leases. Only for a caller who knows that no other worker is running."""

    def next_at(self) -> Millis | None:
        """Returns in how many milliseconds a question is due; None if none waits."""

    def waiting(self) -> int: ...

    def known(self, keys: Sequence[str]) -> dict[str, Answer]:
        """Returns the stored answers to questions with these keys, by key."""

    def remember(self, key: str, said: Answer) -> None: ...

    def spend(self, name: str, more: Spent, allowance: Allowance | None = None) -> str:
        """Adds to what a user has used today. Returns "", or why the allowance refuses it; then nothing is
        added."""

    def spent(self, name: str) -> Spent:
        """Returns what a user has used today (UTC)."""

    def spent_by_all(self) -> dict[str, Spent]:
        """Returns what each user has used today; users who used nothing are left out."""

    def judged(self, name: str, watching: str | None = None, *, limit: int = 20) -> list[JudgedChange]:
        """Returns the last changes of a user, or of one sentinel, that a model was asked about, the newest
        first; also those that were not told."""

    def forget(self, ages: Ages, *, after: int, limit: int, dry_run: bool = False) -> Forgotten:
        """Removes what is older than `ages.log`, as `Logs` does."""


class Duties(Protocol):
    """Work that one worker does for all, such as moving the lives of sentinels forward."""

    def take(self, name: str, worker: str, *, lease: Millis) -> bool:
        """Takes a duty, or keeps it for another `lease`. Returns False while another worker has it."""

    def lay_down(self, name: str, worker: str) -> None:
        """Releases the duty, so that another worker can take it at once."""

    def is_held(self, name: str) -> bool:
        """Says whether any worker has this duty now."""

    def take_over(self) -> None:
        """Ends all leases. Only for a caller who knows that no other worker is running."""


class Clock(Protocol):
    """The clock of the store, which an operator may set back."""

    def behind(self) -> Millis:
        """Returns how far the clock stands behind the latest time that the store has recorded; 0 if it was
        not set back."""

    def set_right(self) -> Millis:
        """Moves planned and recorded times earlier if the clock was set back, and returns by how much.
        Callers run this regularly, because it also records the present time."""

    def last_set_back(self) -> SetBack | None: ...


class Journal(Protocol):
    def record(self, name: str, subject: str, details: dict[str, Any] | None = None) -> None: ...

    def events(self, *, subject: str | None = None, limit: int = 100) -> list[Event]:
        """Returns entries of the journal, newest first."""

    def fetch_log(self, page: int, *, limit: int = 100) -> list[dict[str, Any]]:
        """Returns the looks at a page, newest first (F10)."""

    def fetch_logs(self, pages: Iterable[int], *, limit: int = 100) -> dict[int, list[dict[str, Any]]]:
        """Returns up to `limit` looks at each of these pages, newest first. Pages never looked at are left
        out."""

    def last_looks(self, pages: Iterable[int]) -> dict[int, LastLooks]:
        """Returns when each page was last looked at, and when it last answered. Pages never looked at are
        left out."""

    def fact(self, key: str) -> str | None:
        """Returns a fact about this installation, such as its id, or None."""

    def remember(self, key: str, value: str) -> None: ...

    def counts(self) -> Counts: ...


class Logins(Protocol):
    def put(self, user: str, url: str, sealed: str) -> None:
        """Stores a log-in in place of the user's earlier one for the same address."""

    def get(self, login_id: int) -> SealedLogin: ...

    def all(self, user: str) -> list[SealedLogin]: ...

    def remove(self, user: str, url: str) -> None:
        """Removes the log-in for this address. Raises NotFound if there is none."""


class Contacts(Protocol):
    def put(self, one: KnownContact) -> None:
        """Stores a contact in place of what was stored for it before."""

    def get(self, user: str, channel: str, address: str) -> KnownContact | None: ...

    def of_digest(self, digest: str) -> KnownContact | None: ...

    def all(self, user: str) -> list[KnownContact]: ...

    def remove(self, user: str, channel: str, address: str) -> None:
        """Removes what is stored for a contact. Raises NotFound if there is nothing."""

    def preferences(self, user: str) -> Preferences: ...

    def prefer(self, user: str, preferences: Preferences) -> None: ...


class Pushes(Protocol):
    def put(self, one: Push) -> None:
        """Stores a push address, in place of one with the same digest."""

    def get(self, digest: str) -> Push | None: ...

    def all(self, *, page: int | None = None, kind: str | None = None) -> list[Push]: ...

    def remove(self, digest: str) -> None: ...


class Paces(Protocol):
    def get(self, page: int) -> PaceRecord | None:
        """Returns the memory of the page's best-effort rule, or None if no sentinel looks at the page on
        change."""

    def hint(self, page: int, at: Millis, why: str = "a hint") -> None:
        """Counts one more hint that the page has changed; its best-effort rule looks no later than `at`."""

    def shares(self, hosts: int) -> Shares:
        """Returns how much of a budget all watched pages ask for, and the `hosts` hosts that ask for most."""

    def host_share(self, host: str) -> float: ...

    def steering(self) -> Steering: ...

    def steer(self, change: Callable[[Steering], Steering]) -> Steering:
        """Changes the steering that all workers share, one worker after the other, and returns the new
        steering."""


class Discoveries(Protocol):
    """Searches for services. Without a user the searches of all users are meant."""

    def add(self, user: str, wanted: WantedServices) -> Discovery:
        """Adds a discovery, which waits until a worker takes it."""

    def get(self, user: str | None, discovery: int) -> Discovery:
        """Returns a discovery. Raises NotFound if there is none or it belongs to another user."""

    def all(
        self, user: str | None = None, *, before: int = LARGEST_ID, limit: int = PIECE
    ) -> list[Discovery]:
        """Returns discoveries, newest first."""

    def open(self, user: str | None = None) -> list[Discovery]:
        """Returns the discoveries that wait or run, oldest first."""

    def begin(self, discovery: int) -> bool:
        """Marks the discovery as running, possibly again after a restart. Returns False if it has ended."""

    def append(
        self,
        discovery: int,
        number: int,
        step: dict[str, Any],
        counted: Counted,
        services: Sequence[NewService] = (),
    ) -> bool:
        """Writes the next step (the first has number 0) and the services it found. Returns False and writes
        nothing if the discovery does not run any more, or if another worker has written this step."""

    def steps(self, discovery: int) -> list[dict[str, Any]]:
        """Returns the steps of a discovery in order."""

    def end(self, discovery: int, state: DiscoveryState, why: str) -> bool:
        """Ends the discovery. Returns False if it had ended before."""

    def remove(self, user: str, discovery: int) -> None:
        """Removes a discovery with everything it found. Raises NotFound if there is none."""

    def services(self, user: str | None, discovery: int) -> list[FoundService]: ...

    def service(self, user: str | None, discovery: int, number: int) -> FoundService: ...


class Peers(Protocol):
    """Servers that share the work, and the pages that each of them watches."""

    def put(self, peer: Peer) -> None:
        """Stores a peer in place of what was stored for it; its figures and its pages stay."""

    def change(self, key: str, change: Callable[[Peer], Peer]) -> Peer | None:
        """Stores `change(peer)` in place of the peer, one caller after the other, and returns it. Returns
        None if the peer is not known."""

    def get(self, key: str) -> Peer | None: ...

    def all(self) -> list[Peer]:
        """Returns all peers, ordered by address."""

    def remove(self, key: str) -> None:
        """Removes a peer and its pages. Raises NotFound if there is none."""

    def count(self, key: str, **more: int) -> None:
        """Adds to the figures of a peer."""

    def first_time(self, message: str, *, until: Millis) -> bool:
        """Says whether this message id is heard for the first time, and remembers the id until the given
        time."""

    def announce(self, key: str, wanted: Iterable[Wanted], gone: Iterable[str] = ()) -> None:
        """Records that the peer watches the `wanted` pages, and no longer the `gone` ones."""

    def announced(self, key: str) -> dict[str, Millis]:
        """Returns the pages that a peer watches, each with its interval."""

    def how_many(self, key: str) -> int:
        """Returns how many pages a peer watches."""

    def forget_pages(self, key: str) -> None: ...

    def wanting(self, pages: Iterable[str]) -> dict[str, list[str]]:
        """Returns, for each page, the keys of the known peers that watch it, in order."""

    def shareable(self) -> list[SharedPage]:
        """Returns the pages of active sentinels that peers may know, by id: public pages that no user keeps
        to this server."""

    def shared(self, page: str) -> SharedPage | None:
        """Returns a shareable page by its key, or None."""

    def seen(self, page: str) -> SeenPage | None:
        """Returns the last seen state of a shareable page by its key. Returns None if the page is not
        shareable or was never seen."""


class Agents(Protocol):
    """Personal agents: this server's agents at peers, and peers' agents at this server."""

    def put(self, agent: Agent, *, was: AgentState | None = None) -> bool:
        """Stores an agent in place of what was stored for it; its letters stay. With `was` this only happens
        if the stored agent is in that state. Returns whether the agent was written."""

    def get(self, agent: str) -> Agent | None: ...

    def all(self, side: AgentSide | None = None, *, user: str | None = None) -> list[Agent]:
        """Returns agents, oldest first."""

    def remove(self, agent: str) -> None: ...

    def arrived(self, agent: str, letter: Letter) -> int:
        """Turns a letter into a change of the sentinel that the agent works for, with its versions and
        notices, in one transaction. A letter that arrived before is ignored. Returns the number of the last
        letter that has arrived."""

    def posted(self, agent: str, number: int) -> None:
        """Records that all letters of a guest up to this number have arrived at its home."""


class Knowledge(Protocol):
    users: Users
    sentinels: Sentinels
    schedule: Schedule
    versions: Versions
    pasts: Pasts
    histories: Histories
    logs: Logs
    changes: Changes
    search: Search
    outbox: Outbox
    questions: Questions
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
    """Stored bytes by key."""

    @property
    def distant(self) -> bool:
        """True if each call waits for a network."""

    def put(self, key: str, content: bytes, *, lasting: bool = True) -> None:
        """Stores the content in place of what was there, completely or not at all.

        Content that is not `lasting` can be made again: a crash may destroy it or cut it off.
        """

    def succeed(self, key: str, content: bytes, *, old: str) -> None:
        """Stores content that need not last, and deletes the object `old`. After a crash there may be the
        content of `old` or a part of this content under `key`, so whoever reads it has to notice that."""

    def get(self, key: str) -> bytes:
        """Returns the content. Raises ObjectMissing if there is no such object."""

    def has(self, key: str) -> bool: ...

    def delete(self, keys: Iterable[str]) -> None: ...

    def keys(self) -> Iterator[str]: ...

    def aged(self) -> Iterator[tuple[str, datetime]]:
        """Yields the key and age of every file, including leftovers of interrupted writes."""
