"""A page's history and a policy in, the versions that may be removed out (R1).

These versions are always kept: the newest; the version that a sentinel is next compared with; and all later
ones if the sentinel compares a moving window (L7). By policy these are kept: the newest versions up to a
number, an age and a total size; and, up to the same age, the two versions that a recorded change is about. A
removed version stays stored as long as another version is stored relative to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from webvigil.errors import MistakeInText
from webvigil.language import parse
from webvigil.model.history import Ages, History, KeptVersion
from webvigil.model.moment import DAY, Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How much is kept. 0 means no limit."""

    versions: int = 100
    days: int = 365
    bytes: int = 100_000_000
    log_days: int = 90

    def ages(self, now: Millis) -> Ages:
        """Returns the moments before which log entries and versions may go."""
        return Ages(log=_before(now, self.log_days), versions=_before(now, self.days))


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do with a page: `drop` are the numbers of versions to remove; `forget` are removed versions
    that no other version is stored relative to, so that they can be deleted."""

    drop: tuple[int, ...]
    forget: tuple[int, ...]


def plan(history: History, policy: Policy, now: Millis) -> Plan:
    living = [one for one in history.versions if not one.dropped]
    kept = needed(history) | set(_by_policy(living, policy, now)) | set(_told(history, policy, now))
    drop = [one.number for one in living if one.number not in kept]
    gone = {one.number for one in history.versions if one.dropped}.union(drop)
    resting = _rested_on(history.versions, gone)
    return Plan(tuple(drop), tuple(sorted(gone - resting)))


def _before(now: Millis, days: int) -> Millis:
    return now - days * DAY if days else 0


def needed(history: History) -> set[int]:
    """Returns the versions that sentinels may still be compared with, whatever the policy says."""
    found = {history.latest}
    for need in history.needs:
        if _moves(need.text):
            found.update(one.number for one in history.versions if one.number >= need.reference)
        found.add(need.reference)
    return found


def _by_policy(living: list[KeptVersion], policy: Policy, now: Millis) -> Iterator[int]:
    """Yields the versions that the policy keeps, from the newest on, until the first limit is reached."""
    room = 0
    for place, one in enumerate(reversed(living)):
        room += one.stored
        too_many = policy.versions and place >= policy.versions
        too_old = policy.days and now - one.fetched_at > policy.days * DAY
        too_large = policy.bytes and room > policy.bytes
        if too_many or too_old or too_large:
            return
        yield one.number


def _told(history: History, policy: Policy, now: Millis) -> Iterator[int]:
    for one in history.told:
        if not policy.days or now - one.found_at <= policy.days * DAY:
            yield from (one.old, one.new)


def _rested_on(versions: tuple[KeptVersion, ...], gone: set[int]) -> set[int]:
    """Returns the numbers of all versions that a staying version is stored relative to, directly or through
    others."""
    by_object = {one.object: one for one in versions}
    found: set[int] = set()
    for one in versions:
        above = by_object.get(one.base) if one.number not in gone else None
        while above and above.number not in found:
            found.add(above.number)
            above = by_object.get(above.base)
    return found


@lru_cache(4096)
def _moves(text: str) -> bool:
    """Tells whether a sentinel compares a moving window. A text that cannot be read any more counts as
    moving, so that nothing it may need is lost."""
    try:
        compare = parse(text)[0].compare
    except MistakeInText:
        return True
    return bool(compare and compare.how != "pairwise")
