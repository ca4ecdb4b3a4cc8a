"""A notice in, the time until which it has to wait out: unverified address, quiet hours, too many (N6).

Only notices to people wait. Channels to programs (webhooks, logs) get theirs at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol
from zoneinfo import ZoneInfo

from webvigil.model.channels import FOR_PEOPLE
from webvigil.model.contact import Preferences
from webvigil.model.moment import HOUR, NEVER, Millis
from webvigil.model.notice import Notice
from webvigil.notify.timing import free_at, quiet_until

VERIFY = "verify"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A user's preferences and time zone. `rate` is the limit of notices per hour, the user's own or the
    operator's."""

    preferences: Preferences
    zone: ZoneInfo
    rate: int


class Sent(Protocol):
    """The part of the outbox that tells when notices were sent to a user."""

    def sent(self, user: str, channels: Sequence[str], *, since: Millis) -> list[Millis]: ...


class Waits:
    """Decides for one round of deliveries. Notices that it lets through count towards the hourly limit."""

    def __init__(
        self,
        box: Sent,
        reader: Callable[[str], Reader],
        is_verified: Callable[[Notice], bool],
        now: Millis,
        under_way: Callable[[str], int],
    ) -> None:
        """`under_way` returns how many notices to a user earlier rounds have let through and not yet
        delivered; they count towards the hourly limit."""
        self._box = box
        self._under_way = under_way
        self._reader = reader
        self._is_verified = is_verified
        self._now = now
        self._readers: dict[str, Reader] = {}
        self._sent: dict[str, list[Millis]] = {}
        self._verified: dict[tuple[str, str, str], bool] = {}

    def until(self, notice: Notice) -> Millis:
        """Returns when the notice may pass, or 0 if it may pass now."""
        if notice.channel not in FOR_PEOPLE or notice.body.get("event") == VERIFY:
            return 0
        if not self._may_be_told(notice):
            return NEVER
        reader = self.reader(notice.user)
        until = quiet_until(self._now, reader.preferences, reader.zone)
        if until <= self._now:
            until = free_at(self._now, self._sent_to(notice.user), reader.rate)
        return until if until > self._now else 0

    def knows(self, notice: Notice) -> bool:
        """Returns True if `until` can answer for this notice without asking the database."""
        contact = (notice.user, notice.channel, notice.address)
        return contact in self._verified and notice.user in self._readers and notice.user in self._sent

    def passed(self, notice: Notice) -> None:
        """Counts a notice that was let through."""
        if notice.channel in FOR_PEOPLE:
            self._sent_to(notice.user).append(self._now)

    def reader(self, user: str) -> Reader:
        """Returns the preferences of a user, which are read once per round."""
        if user not in self._readers:
            self._readers[user] = self._reader(user)
        return self._readers[user]

    def _may_be_told(self, notice: Notice) -> bool:
        """Returns True if the address of the notice is verified."""
        contact = (notice.user, notice.channel, notice.address)
        if contact not in self._verified:
            self._verified[contact] = self._is_verified(notice)
        return self._verified[contact]

    def _sent_to(self, user: str) -> list[Millis]:
        """Returns the times of the last hour at which notices were sent, or let through, to this user."""
        if user not in self._sent:
            sent = self._box.sent(user, FOR_PEOPLE, since=self._now - HOUR)
            self._sent[user] = sent + [self._now] * self._under_way(user)
        return self._sent[user]
