"""READ FIRST: the life of one check of one page, top to bottom.

This module passes values from stage to stage and decides nothing.

1. A worker has claimed a host and its due pages (`store`: leases, `app.worker`: the loop).
2. The worker fetches the page, or learns that the page has not changed (`fetch`). An answer that looks like
   no page is looked at again before it is believed (`rules.doubts`).
3. New content is stored as the next version of the page (`store.repository`).
4. Every sentinel whose time has come gets its versions compared, all sentinels in one go (`graph`, `detect`).
5. Findings that are worth telling (`trigger`) become changes and notices (`notify`). A change that depends on
   what it means waits in the store for an answer, and is told later (`app.meaning`). The links that sentinels
   follow are read from a new version.
6. The store writes all results, and the time of the next look (`pace`), in one transaction.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from webvigil.errors import HostBusy, HostUnreachable, PageError, StepFailed
from webvigil.fetch.http import Fetched
from webvigil.fetch.last_modified import made_at
from webvigil.fetch.manners import LONGEST_REST, spread
from webvigil.graph.due import Compared, Comparisons, at_rest, unconfirmed
from webvigil.model.following import PageLinks
from webvigil.model.moment import NEVER, Millis, every, in_words
from webvigil.model.notice import Notice
from webvigil.model.pace import NewPace
from webvigil.model.trouble import Trouble
from webvigil.model.work import (
    CheckResult,
    DuePage,
    Look,
    NewChange,
    NewTrouble,
    NewVersion,
    Watch,
    WatchUpdate,
)
from webvigil.pace.backoff import wait_after
from webvigil.pace.budget import weight_of
from webvigil.pace.pacing import Pacing, Seen
from webvigil.rules.doubts import BELIEVED, Verdict, are_told_everything, believed_from, judged, only_went
from webvigil.rules.fetch import FetchRule, allowed_from, due_watches, first_of, rule_of, rules_of
from webvigil.rules.trouble import Turn, after_failure, after_look, latest_telling
from webvigil.trigger.reasons import in_sentences

SECOND_LOOK = "second look"
"""Right after the first look at a page: what differs then differs without time passing (Q3)."""

ASKED = "asked"
"""A user asked for the look."""

ALONE = Pacing()
"""The pacing of pages where no setting says otherwise."""


class Stages(Protocol):
    """The work outside of this module that a check calls: network, store, comparison. `app.worker` provides
    it."""

    async def fetch(self, due: DuePage) -> Fetched: ...

    async def examined(self, fetched: Fetched, due: DuePage) -> Fetched:
        """Returns the answer with its parsed document, and with what it seems to be if it does not look like
        the page."""

    async def keep(self, fetched: Fetched, due: DuePage) -> NewVersion | None:
        """Stores the answer as the page's next version and returns that version. Returns None if the newest
        stored version has the same content."""

    async def keep_picture(self, picture: bytes) -> str:
        """Stores what the browser showed when a step failed, and returns its object."""

    async def compare(
        self,
        due: DuePage,
        watches: Sequence[Watch],
        newest: NewVersion | None,
        now: Millis,
    ) -> Comparisons:
        """Compares, for each watch, the two versions that its sentinel wants compared, and returns the
        findings with the habits of the page as they are known then."""

    async def came_at(self, due: DuePage, version: int) -> Millis:
        """Returns when a version of the page was first seen; 0 if that version is not kept any more."""

    def is_quiet(self, due: DuePage) -> bool:
        """Tells whether anybody who watches the page wants its restless places left out."""

    def changes(
        self, due: DuePage, compared: Sequence[Compared], newest: NewVersion | None, at: Millis
    ) -> tuple[NewChange, ...]:
        """Turns the findings into changes, each with the notices that tell its user."""

    async def links(self, due: DuePage, newest: NewVersion | None) -> tuple[PageLinks, ...]:
        """Returns the links in the parts of the page that sentinels follow. Leaves out parts whose links were
        already read from this version."""

    async def troubles(
        self, due: DuePage, compared: Sequence[Compared], newest: NewVersion | None
    ) -> dict[int, Trouble]:
        """Returns, by the id of the sentinel, what keeps that sentinel from seeing what it watches. Sentinels
        that had no reason to look for their part again are not in the result."""

    def notices_of_trouble(
        self, due: DuePage, turns: Sequence[Turn], key: str, newest: NewVersion | None = None
    ) -> tuple[Notice, ...]:
        """Returns notices for the users whose trouble with the page begins or ends. `key` names the occasion,
        so that each occasion is told once."""

    def notices_of_doubt(self, due: DuePage, verdict: Verdict) -> tuple[Notice, ...]:
        """Returns notices for the users who watch a page that shows something else in its place, or is
        back."""

    def notices_of_loss(self, due: DuePage, compared: Sequence[Compared]) -> tuple[Notice, ...]:
        """Returns notices for the users whose earlier version of the page cannot be read any more."""


async def check(
    due: DuePage, now: Millis, stages: Stages, chance: float = 0.0, pacing: Pacing = ALONE
) -> CheckResult:
    """Looks at one page and returns everything that the store has to write. A page that cannot be fetched is
    a result, not an exception.

    `chance`, between 0 and 1, spreads retries of pages that failed at the same moment.
    """
    started = time.monotonic()
    try:
        return await _checked(due, now, stages, pacing, started)
    except PageError as error:
        result = failed(due, now, error, _since(started), chance, pacing)
        if isinstance(error, StepFailed) and error.picture:
            picture = await stages.keep_picture(error.picture)
            result = replace(result, look=replace(result.look, picture=picture))
        return with_failure_told(result, due, stages, str(error))


async def _checked(due: DuePage, now: Millis, stages: Stages, pacing: Pacing, started: float) -> CheckResult:
    """Fetches, stores and compares the page. Raises PageError if the page cannot be fetched, or if the answer
    is refused when it is read."""
    fetched = await stages.fetch(due)
    fetched, verdict = await _believable(fetched, due, now, stages, pacing)
    if verdict.doubt:
        result = doubted(due, now, fetched, verdict, _since(started), pacing)
        return replace(result, notices=stages.notices_of_doubt(due, verdict))
    version = await stages.keep(fetched, due) if fetched.answer else None
    newest = version.number if version else _latest(due)
    watches = due.watches if due.wish == SECOND_LOOK else due_watches(due.watches, now)
    compared, habits = await stages.compare(due, watches, version, now)
    compared = [
        await _confirmed(one, due, newest, now, stages, pacing) if one.found else one for one in compared
    ]
    pace, habit = _paced(due, fetched, newest, now, pacing)
    updates = tuple(
        _moved_on(one, now, pace) for one in (*compared, *_left_alone(due, compared)) if _moves(one)
    )
    rule = _next_rule(due, now, pace)
    turns = after_look(due, await stages.troubles(due, compared, version), _who_found(compared))
    again = version is not None and _is_looked_at_again(due, now, rule, stages, pacing)
    return CheckResult(
        page=due.id,
        asked=due.asked,
        due=now + pacing.second_look if again else rule.next_at,
        failures=0,
        look=_look(due, fetched, version, compared, _since(started), _plan(rule, now, habit)),
        validators=fetched.validators,
        version=version,
        watches=updates,
        changes=stages.changes(due, compared, version, now + _since(started)),
        pace=pace,
        links=await stages.links(due, version) if _is_followed(due) else (),
        habits=habits,
        wish=SECOND_LOOK if again else "",
        troubles=_new_troubles(turns),
        notices=(
            *stages.notices_of_trouble(due, turns, f"{due.id}:{newest}:{due.failing_since}", version),
            *stages.notices_of_doubt(due, verdict),
            *(stages.notices_of_loss(due, compared) if any(one.lost for one in compared) else ()),
        ),
    )


async def _believable(
    fetched: Fetched, due: DuePage, now: Millis, stages: Stages, pacing: Pacing
) -> tuple[Fetched, Verdict]:
    """Returns the answer with what is suspicious about it, and whether it is believed. This is decided once
    for the page, whoever watches it. Before the first version there is nothing to go back to: a strange
    answer is kept then, and the log says so."""
    if not pacing.confirm_after or are_told_everything(due.watches):
        return fetched, BELIEVED
    if fetched.answer:
        fetched = await stages.examined(fetched, due)
    if due.latest is None:
        return fetched, BELIEVED
    return fetched, judged(due.doubt, fetched.suspicion, now, pacing.confirm_after)


async def _confirmed(
    compared: Compared, due: DuePage, newest: int, now: Millis, stages: Stages, pacing: Pacing
) -> Compared:
    """Returns what a watch is told by now. If things went away and nothing else happened, further looks are
    to confirm it; a user who asked for the look is told at once."""
    watch, found = compared.watch, compared.found
    if len(found) != 1 or due.wish == ASKED or not only_went(found[0].findings):
        return compared
    since = now if watch.reference == _latest(due) else await stages.came_at(due, watch.reference + 1)
    may_be_back = now < believed_from(watch, since, pacing.confirm_after)
    return unconfirmed(compared) if may_be_back and found[0].new == newest else compared


def with_failure_told(result: CheckResult, due: DuePage, stages: Stages, reason: str) -> CheckResult:
    """Adds to the result of a failed check the notices for users who must know about the failure by now."""
    turns = after_failure(
        due, failures=result.failures, since=result.failing_since, next_try=result.due, reason=reason
    )
    told = stages.notices_of_trouble(due, turns, f"{due.id}:{result.failing_since}")
    return replace(result, troubles=_new_troubles(turns), notices=told)


def _new_troubles(turns: Sequence[Turn]) -> tuple[NewTrouble, ...]:
    return tuple(NewTrouble(sentinel=turn.watch.sentinel, trouble=turn.now) for turn in turns)


def _who_found(compared: Sequence[Compared]) -> frozenset[int]:
    return frozenset(one.watch.sentinel for one in compared if one.found)


def _is_looked_at_again(due: DuePage, now: Millis, rule: FetchRule, stages: Stages, pacing: Pacing) -> bool:
    """Tells whether the page gets a second look: once, after its first version, unless its next look comes as
    soon anyway."""
    return due.latest is None and now < now + pacing.second_look < rule.next_at and stages.is_quiet(due)


def _is_followed(due: DuePage) -> bool:
    """Says whether any sentinel follows the links of this page."""
    return any(watch.follows is not None for watch in due.watches)


def _paced(
    due: DuePage, fetched: Fetched, newest: int, now: Millis, pacing: Pacing
) -> tuple[NewPace | None, str]:
    """Returns the next best-effort look and a sentence about how often the page changes. Returns None and ""
    if no sentinel looks on change."""
    if due.pace is None:
        return None, ""
    # The fetcher notes "lies" once a page changed while its ETag or Last-Modified stayed the same. The dates
    # of such a server are not believed either.
    believed = fetched.answer is not None and "lies" not in fetched.validators
    told = made_at(fetched.answer, now) if fetched.answer and believed else None
    sentinels = sum(watch.on_change for watch in due.watches)
    return pacing.after_look(
        due.pace,
        Seen(now=now, version=newest, told=told),
        host=due.page.host,
        weight=weight_of(1 + due.priority, sentinels),
    )


def _moves(compared: Compared) -> bool:
    """Says whether the watch needs an update of its own. Sentinels that look on change get their next time
    together, from the page's rule; they need an update only when their reference versions changed, or when
    they have hours of their own."""
    watch = compared.watch
    stays = (compared.reference, compared.measured_from) == (watch.reference, watch.measured_from)
    return not watch.on_change or watch.schedule is not None or not stays


def _left_alone(due: DuePage, compared: Sequence[Compared]) -> Iterator[Compared]:
    """Yields the watches that look on change, but not at this hour: they keep their versions, and get the
    next time within their hours."""
    seen = {one.watch.sentinel for one in compared}
    for watch in due.watches:
        if watch.on_change and watch.schedule and watch.sentinel not in seen:
            yield Compared(watch, watch.reference, watch.measured_from)


def _moved_on(compared: Compared, now: Millis, pace: NewPace | None) -> WatchUpdate:
    watch = compared.watch
    on_change = pace.next_at if pace else now
    return WatchUpdate(
        sentinel=watch.sentinel,
        reference=compared.reference,
        measured_from=compared.measured_from,
        next_at=rule_of(watch).after_look(now, on_change).next_at,
    )


def _next_rule(due: DuePage, now: Millis, pace: NewPace | None) -> FetchRule:
    best_effort = pace.next_at if pace else NEVER
    return first_of([rule.after_look(now, best_effort) for rule in rules_of(due.watches)])


def _plan(rule: FetchRule, now: Millis, habit: str) -> str:
    """Returns when the next look is and why, as a sentence for the fetch log (F10)."""
    if rule.next_at >= NEVER:
        return ""
    why = habit
    if not rule.best_effort:
        why = "looked at as its schedule says" if rule.schedule else f"looked at {every(rule.interval)}"
    return f"{why}; next look in {in_words(rule.next_at - now)}"


def doubted(
    due: DuePage, now: Millis, fetched: Fetched, verdict: Verdict, duration: Millis, pacing: Pacing = ALONE
) -> CheckResult:
    """Returns the result of a check whose answer is not believed: it leaves nothing behind but the doubt, and
    what is known of the page is what the page last was.

    As long as a second look is to tell, nobody's comparison is over. Afterwards the page is looked at like
    one that has not changed.
    """
    assert verdict.doubt, "nothing else is doubted"
    said = f"it {verdict.doubt.said}"
    look = replace(_look(due, fetched, None, [], duration, ""), decision="no page", reason="", error=said)
    result = CheckResult(
        page=due.id,
        asked=due.asked,
        due=now,
        failures=0,
        look=look,
        validators=due.validators,
        doubt=verdict.doubt,
    )
    if verdict.again is not None:
        next_at = min(verdict.again, _next_rule(due, now, None).next_at)
        reason = f"{said}; looked at again in {in_words(next_at - now)}, before anybody is told"
        return replace(result, due=next_at, look=replace(look, decision="doubted", reason=reason, error=""))
    pace, habit = _paced(due, replace(fetched, answer=None), _latest(due), now, pacing)
    rule = _next_rule(due, now, pace)
    resting = [at_rest(watch, _latest(due)) for watch in due_watches(due.watches, now)]
    return replace(
        result,
        due=rule.next_at,
        look=replace(look, plan=_plan(rule, now, habit)),
        watches=tuple(
            _moved_on(one, now, pace) for one in (*resting, *_left_alone(due, resting)) if _moves(one)
        ),
        pace=pace,
    )


def failed(
    due: DuePage,
    now: Millis,
    error: PageError,
    duration: Millis,
    chance: float = 0.0,
    pacing: Pacing = ALONE,
) -> CheckResult:
    """Returns the result of a check that failed: the failure goes into the log, and the page is left alone
    for a while."""
    failures = due.failures + 1
    host_down = isinstance(error, HostUnreachable | HostBusy)
    host_wait = error.wait if isinstance(error, HostBusy) else 0
    # A page that keeps failing keeps the time of its first failure, from which users are told.
    since = due.failing_since or now
    wait = spread(_wait(due, failures, error, pacing), chance)
    wait = max(_before_telling(due, wait, since, now), host_wait)
    return CheckResult(
        page=due.id,
        asked=due.asked,
        due=allowed_from(due.watches, min(NEVER, now + wait)),
        failures=failures,
        look=Look(
            why=_why(due),
            decision="failed",
            duration=duration,
            error=str(error),
            reason=f"tried again in {in_words(wait)}" if wait < NEVER else "",
        ),
        validators=due.validators,
        host_down=host_down,
        host_wait=host_wait,
        doubt=due.doubt,
        failing_since=since,
    )


def postponed(due: DuePage, now: Millis, rest: Millis) -> CheckResult:
    """Returns the result for a page that was not tried, because its host had just failed for another page.
    The page's own count of failures stays as it is."""
    reason = f"the host did not answer for other pages; tried again in {in_words(rest)}"
    return CheckResult(
        page=due.id,
        asked=due.asked,
        due=now + rest,
        failures=due.failures,
        look=Look(why=_why(due), decision="postponed", reason=reason),
        validators=due.validators,
        doubt=due.doubt,
        failing_since=due.failing_since or now,
    )


def put_off(due: DuePage, now: Millis, wait: Millis) -> CheckResult:
    """Returns the result for a page that was not tried, because the budget of looks is used up for the moment
    (A4)."""
    reason = f"the budget of looks is used up; tried again in {in_words(wait)}"
    look = Look(why=_why(due), decision="postponed", reason=reason)
    return replace(postponed(due, now, wait), look=look, failing_since=due.failing_since)


def outside_hours(due: DuePage, now: Millis) -> CheckResult | None:
    """Returns the result for a page that is due at an hour at which no sentinel wants it looked at; None if
    it may be looked at now. A first look, and a look that somebody asked for, are made at any hour."""
    opens = allowed_from(due.watches, now)
    if opens == now or due.latest is None or due.wish in (ASKED, SECOND_LOOK):
        return None
    reason = f"outside the hours of its sentinels; looked at in {in_words(opens - now)}"
    look = Look(why=_why(due), decision="postponed", reason=reason)
    return replace(postponed(due, now, opens - now), look=look, failing_since=due.failing_since)


def not_kept(due: DuePage, now: Millis, wait: Millis) -> CheckResult:
    """Returns the result for a page whose check the store could not serve. The page is due later than the
    other pages of its host, so that they do not wait for it."""
    reason = f"the store could not be written or read; tried again in {in_words(wait)}"
    look = Look(why=_why(due), decision="postponed", reason=reason)
    return replace(postponed(due, now, wait), look=look, failing_since=due.failing_since)


def _wait(due: DuePage, failures: int, error: PageError, pacing: Pacing) -> Millis:
    """Returns how long to leave a failed page alone. The wait for a host that does not answer is capped at
    LONGEST_REST, so that its return is noticed soon however long it was away."""
    if not due.watches:
        return NEVER
    shortest = pacing.bounds.shortest
    interval = min(watch.interval or shortest for watch in due.watches)
    wait = wait_after(failures, interval, passes=error.transient)
    return min(wait, LONGEST_REST) if isinstance(error, HostUnreachable | HostBusy) else wait


def _before_telling(due: DuePage, wait: Millis, since: Millis, now: Millis) -> Millis:
    """Shortens the wait so that the page is tried once more at the moment when its users have to know that it
    fails."""
    ahead = (latest_telling(watch, since) - now for watch in due.watches if not watch.level)
    return min((wait, *(left for left in ahead if left > 0)))


def _why(due: DuePage) -> str:
    if due.wish:
        return due.wish
    if due.failures:
        return "retry"
    if due.doubt and not due.doubt.told:
        return "confirm"
    return "due" if due.latest else "first look"


def _look(
    due: DuePage,
    fetched: Fetched,
    version: NewVersion | None,
    compared: list[Compared],
    duration: Millis,
    plan: str,
) -> Look:
    left_out = [one for watch in compared for one in watch.left_out]
    return Look(
        why=_why(due),
        decision="new version" if version else "same" if fetched.answer else "not modified",
        status=fetched.status,
        bytes=fetched.received,
        duration=duration,
        error="; ".join(dict.fromkeys(filter(None, _troubles(due, fetched, compared)))),
        reason=_reason(due, fetched),
        plan=plan,
        troubles=tuple((one.watch.sentinel, one.trouble) for one in compared if one.trouble),
        left_out=in_sentences(left_out) if left_out else "",
    )


def _troubles(due: DuePage, fetched: Fetched, compared: Sequence[Compared]) -> Iterator[str]:
    """Yields what the log says is wrong with a look that reached its page."""
    yield _first_impression(due, fetched)
    for one in compared:
        yield one.lost


def _first_impression(due: DuePage, fetched: Fetched) -> str:
    """Returns a warning for whoever has just begun to watch something that may not be the page they mean."""
    if due.latest or not fetched.suspicion:
        return ""
    return f"this may not be the page that you mean: it {fetched.suspicion.said}"


def _reason(due: DuePage, fetched: Fetched) -> str:
    """Returns how we know what the page is, and after a doubt also what became of the doubt."""
    if not due.doubt:
        return fetched.reason
    if fetched.suspicion:
        return f"it {fetched.suspicion.said}, and stays so: that is what the page has become"
    told = "" if due.doubt.told else "; nobody was told"
    return f"{fetched.reason}; the page is back, before that it {due.doubt.was}{told}"


def _since(started: float) -> Millis:
    return int((time.monotonic() - started) * 1000)


def _latest(due: DuePage) -> int:
    return due.latest.number if due.latest else 0
