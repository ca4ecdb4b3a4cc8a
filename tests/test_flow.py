"""One check of one page, told as a conversation: what the stages answer, and what the store has to write."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from webvigil import flow
from webvigil.errors import HostBusy, HostUnreachable, PageRefused, PageUnreachable, StepFailed
from webvigil.fetch.http import Fetched
from webvigil.graph.due import Compared, Comparisons, Found
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.doubt import Doubt, Suspicion
from webvigil.model.moment import NEVER
from webvigil.model.pace import NewPace, PaceRecord
from webvigil.model.page import Page
from webvigil.model.schedule import Schedule
from webvigil.model.sentinel import FetchOnChange, Hours
from webvigil.model.trouble import Trouble, Why
from webvigil.model.version import Answer
from webvigil.model.work import CheckResult, DuePage, LatestVersion, NewTrouble, NewVersion, Watch
from webvigil.pace.pacing import Pacing, Seen

NOW = 1_800_000_000_000
MINUTE = 60_000
HOUR = 60 * MINUTE
LOGIN = Suspicion("log-in", "asks for a log-in")
ANSWER = Answer(url="http://a.test/", status=200, headers=(), body=b"x")
FETCHED = Fetched(answer=ANSWER, status=200, validators={"etag": "2"}, reason="it was sent", received=7)
SAME = replace(FETCHED, answer=None, status=304)
LATEST = LatestVersion(number=4, signature="s", object="o")
WISHES = (flow.ASKED, flow.SECOND_LOOK)
AT_NIGHT = Schedule(FetchOnChange(Hours(between=((3 * 60, 4 * 60),))), "UTC")


def watch(**more: Any) -> Watch:
    given = {"sentinel": 1, "user": "jill", "name": "s", "text": "", "interval": HOUR, "next_at": NOW}
    return Watch(**{**given, "reference": 4, **more})


def due(*watches: Watch, **more: Any) -> DuePage:
    one = DuePage.unscheduled(Page(url="http://a.test/"), watches or (watch(),), 9)
    return replace(one, **{"latest": LATEST, "validators": {"etag": "1"}, **more})


class Script:
    """Stages that answer what they were told to, and note what they were asked."""

    def __init__(
        self, fetched: Fetched | Exception, found: Sequence[Compared] = (), came_at: int = 0
    ) -> None:
        self.fetched, self.found, self.came = fetched, found, came_at
        self.asked: list[str] = []
        self.quiet = True
        self.wrong: dict[int, Trouble] = {}
        self.turns: list[tuple[int, bool, str]] = []

    async def fetch(self, due: DuePage) -> Fetched:
        if isinstance(self.fetched, Exception):
            raise self.fetched
        return self.fetched

    async def examined(self, fetched: Fetched, due: DuePage) -> Fetched:
        self.asked.append("examined")
        return fetched

    async def keep(self, fetched: Fetched, due: DuePage) -> NewVersion | None:
        self.asked.append("kept")
        number = due.latest.number + 1 if due.latest else 1
        return NewVersion(number=number, url="u", status=200, signature="s", object="o", size=1)

    async def compare(self, due: DuePage, watches: Any, newest: Any, now: int) -> Comparisons:
        self.asked.append(f"compared {[one.sentinel for one in watches]}")
        return Comparisons(list(self.found))

    async def came_at(self, due: DuePage, version: int) -> int:
        self.asked.append(f"came {version}")
        return self.came

    def is_quiet(self, due: DuePage) -> bool:
        return self.quiet

    def changes(self, due: DuePage, compared: Any, newest: Any, at: int) -> tuple[Any, ...]:
        return tuple(one.found for one in compared if one.found)

    async def links(self, due: DuePage, newest: Any) -> tuple[Any, ...]:
        self.asked.append("links")
        return ()

    async def troubles(self, due: DuePage, compared: Any, newest: Any) -> dict[int, Any]:
        return self.wrong

    async def keep_picture(self, picture: bytes) -> str:
        return f"object of {picture!r}"

    def notices_of_trouble(self, due: DuePage, turns: Any, key: str, newest: Any = None) -> tuple[Any, ...]:
        self.turns = [(turn.watch.sentinel, turn.silent, key) for turn in turns]
        return ()

    def notices_of_doubt(self, due: DuePage, verdict: Any) -> tuple[Any, ...]:
        return ("doubt",) if verdict.doubt or verdict.over else ()

    def notices_of_loss(self, due: DuePage, compared: Any) -> tuple[Any, ...]:
        self.asked.append("loss")
        return ("loss",)


CALM = Pacing(confirm_after=MINUTE, second_look=0)


def check(page: DuePage, script: Script, pacing: Pacing = CALM) -> CheckResult:
    return asyncio.run(flow.check(page, NOW, script, 0.0, pacing))


# --- a look that brings a version --------------------------------------------------------------------


def test_a_new_version_is_examined_kept_and_compared():
    script = Script(FETCHED)
    result = check(due(), script)
    assert script.asked == ["examined", "kept", "compared [1]"]
    assert result.version is not None
    assert result.version.number == 5
    assert (result.page, result.due, result.failures) == (9, NOW + HOUR, 0)
    assert (result.validators, result.wish, result.links, result.doubt) == ({"etag": "2"}, "", (), None)
    look = result.look
    assert (look.why, look.decision, look.status, look.bytes) == ("due", "new version", 200, 7)
    assert (look.reason, look.plan) == ("it was sent", "looked at every hour; next look in 1 hour")


def test_a_page_that_has_not_changed_is_neither_examined_nor_kept():
    script = Script(SAME)
    result = check(due(), script)
    assert script.asked == ["compared [1]"]
    assert (result.look.decision, result.version) == ("not modified", None)


def test_without_confirming_nothing_is_examined():
    script = Script(FETCHED)
    check(due(), script, replace(CALM, confirm_after=0))
    assert "examined" not in script.asked


def test_links_are_read_only_if_a_sentinel_follows_them_and_losses_told_only_if_there_are_some():
    script = Script(FETCHED)
    check(due(watch(follows="")), script)
    assert "links" in script.asked
    lost = Script(FETCHED, [Compared(watch(), 5, lost="the past is lost")])
    result = check(due(), lost)
    assert result.notices == ("loss",)
    assert result.look.error == "the past is lost"


def test_only_watches_that_are_due_are_compared_unless_it_is_the_second_look():
    later = watch(sentinel=2, next_at=NOW + 1)
    first, second = Script(FETCHED), Script(FETCHED)
    check(due(watch(), later), first)
    check(due(watch(), later, wish=flow.SECOND_LOOK), second)
    assert first.asked[-1] == "compared [1]"
    assert second.asked[-1] == "compared [1, 2]"


@pytest.mark.parametrize(
    ("pacing", "page", "quiet", "again"),
    [
        (replace(CALM, second_look=5_000), due(latest=None), True, True),
        (replace(CALM, second_look=0), due(latest=None), True, False),
        (replace(CALM, second_look=5_000), due(), True, False),
        (replace(CALM, second_look=5_000), due(latest=None), False, False),
        (replace(CALM, second_look=HOUR - 1), due(latest=None), True, True),
        (replace(CALM, second_look=HOUR), due(latest=None), True, False),
    ],
)
def test_a_second_look_comes_after_the_first_one(pacing: Pacing, page: DuePage, quiet: bool, again: bool):
    script = Script(FETCHED)
    script.quiet = quiet
    result = check(page, script, pacing)
    assert result.wish == ("second look" if again else "")
    assert result.due == (NOW + pacing.second_look if again else NOW + HOUR)


def test_the_first_version_of_a_strange_page_is_kept_with_a_warning():
    result = check(due(latest=None), Script(replace(FETCHED, suspicion=LOGIN)))
    assert result.version
    assert result.look.why == "first look"
    assert result.look.error == "this may not be the page that you mean: it asks for a log-in"


@pytest.mark.parametrize(
    ("page", "why"),
    [
        (due(), "due"),
        (due(latest=None), "first look"),
        (due(failures=1), "retry"),
        (due(wish=flow.ASKED, failures=1), "asked"),
        (due(wish=flow.SECOND_LOOK), "second look"),
    ],
)
def test_the_log_says_why_a_page_was_looked_at(page: DuePage, why: str):
    assert check(page, Script(FETCHED)).look.why == why
    assert flow.postponed(page, NOW, HOUR).look.why == why


def test_a_page_that_nobody_looks_at_any_more_has_no_plan():
    result = check(replace(due(), watches=()), Script(FETCHED))
    assert (result.due, result.look.plan) == (NEVER, "")


def test_the_trouble_that_a_look_shows_is_written_and_told_once():
    """Sentinel 1 sees nothing, and finds a change at the same time: its user hears of the change."""
    nothing = Trouble(Why.NOTHING, "the part is empty")
    script = Script(FETCHED, [went()._replace(found=went().found * 2), Compared(watch(sentinel=2), 5)])
    script.wrong = {1: nothing, 2: nothing}
    result = check(due(watch(), watch(sentinel=2), failing_since=NOW - 1), script)
    assert result.troubles == tuple(NewTrouble(sentinel=one, trouble=nothing) for one in (1, 2))
    key = f"9:5:{NOW - 1}"
    assert script.turns == [(1, True, key), (2, False, key)]


# --- a look that is not believed -----------------------------------------------------------------------


def test_a_strange_answer_leaves_nothing_but_the_doubt():
    result = check(due(), Script(replace(FETCHED, suspicion=LOGIN)))
    assert result.doubt == Doubt(kind="log-in", said="asks for a log-in", clear=True, since=NOW)
    assert (result.version, result.watches, result.validators) == (None, (), {"etag": "1"})
    assert (result.due, result.look.decision, result.look.error) == (NOW + MINUTE, "doubted", "")
    assert (result.failures, result.asked) == (0, 0)
    reason = "it asks for a log-in; looked at again in 1 minute, before anybody is told"
    assert (result.look.reason, result.notices) == (reason, ("doubt",))


def test_the_page_is_looked_at_again_no_later_than_it_would_be_anyway():
    result = check(due(), Script(replace(FETCHED, suspicion=LOGIN)), replace(CALM, confirm_after=2 * HOUR))
    assert result.due == NOW + HOUR


def test_a_doubt_that_is_confirmed_is_told_and_the_page_looked_at_as_usual():
    doubt = Doubt(kind="log-in", said="asks for a log-in", clear=True, since=NOW - MINUTE)
    result = check(due(doubt=doubt), Script(replace(FETCHED, suspicion=LOGIN)))
    assert result.doubt == replace(doubt, told=True)
    assert (result.due, result.look.why) == (NOW + HOUR, "confirm")
    assert (result.look.decision, result.look.error) == ("no page", "it asks for a log-in")
    assert (result.look.reason, result.look.plan) == ("", "looked at every hour; next look in 1 hour")
    assert [(one.reference, one.next_at) for one in result.watches] == [(4, NOW + HOUR)]


@pytest.mark.parametrize(("told", "said"), [(False, "; nobody was told"), (True, "")])
def test_a_page_that_is_back_is_told_in_the_log(told: bool, said: str):
    doubt = Doubt(kind="log-in", said="asks for a log-in", clear=True, since=NOW - MINUTE, told=told)
    result = check(due(doubt=doubt), Script(FETCHED))
    assert result.look.reason == f"it was sent; the page is back, before that it asked for a log-in{said}"
    assert result.look.why == ("due" if told else "confirm")
    assert result.doubt is None


def test_a_page_that_stays_very_different_is_what_the_page_has_become():
    other = Suspicion("different", "is very different", clear=False)
    doubt = Doubt(kind="different", said="is very different", clear=False, since=NOW - MINUTE)
    result = check(due(doubt=doubt), Script(replace(FETCHED, suspicion=other)))
    assert (result.doubt, result.look.decision, result.look.error) == (None, "new version", "")
    assert result.look.reason == "it is very different, and stays so: that is what the page has become"


# --- things that went away --------------------------------------------------------------------------


def went(**more: Any) -> Compared:
    gone = ObjectChange("/a", Status.GONE, old=1, new=0)
    finding = Finding(type="all links", objects=(gone,), score=1, share=1.0)
    return Compared(watch(interval=MINUTE, **more), 5, found=(Found(old=4, new=5, findings=(finding,)),))


@pytest.mark.parametrize(
    ("page", "compared", "since", "told"),
    [
        (due(watch(interval=MINUTE)), went(), 0, False),  # it went just now
        (due(watch(interval=MINUTE)), went(reference=3), NOW - 5 * MINUTE + 1, False),
        (due(watch(interval=MINUTE)), went(reference=3), NOW - 5 * MINUTE, True),
        (due(watch(interval=MINUTE), wish=flow.ASKED), went(), 0, True),
    ],
)
def test_what_went_away_is_told_when_looks_confirm_it(
    page: DuePage, compared: Compared, since: int, told: bool
):
    script = Script(FETCHED, [compared], since)
    assert bool(check(page, script).changes) is told
    assert ("came 4" in script.asked) is (compared.watch.reference == 3)


def test_what_came_as_well_is_told_at_once_and_so_are_two_findings():
    came = ObjectChange("/b", Status.NEW, old=0, new=1)
    finding = Finding(type="all links", objects=(came,), score=1, share=1.0)
    both = went()._replace(found=(Found(old=4, new=5, findings=(*went().found[0].findings, finding)),))
    twice = went()._replace(found=went().found * 2)
    older = went()._replace(found=(replace(went().found[0], new=4),))
    for one in (both, twice, older):
        assert check(due(watch(interval=MINUTE)), Script(FETCHED, [one])).changes


# --- pages that are looked at on change ----------------------------------------------------------------


class Paced(Pacing):
    """A pacing that notes what it was told."""

    seen: ClassVar[list[Any]] = []

    def after_look(self, kept: Any, seen: Seen, *, host: str, weight: float = 1.0) -> tuple[NewPace, str]:
        self.seen.append((seen, host, weight))
        return NewPace(memory=b"m", next_at=NOW + 7 * MINUTE, pings=0), "changes every 7 minutes"


MADE = ("last-modified", "Sat, 14 Nov 2026 10:00:00 GMT")


@pytest.mark.parametrize(
    ("validators", "answer", "is_told"),
    [
        ({}, replace(ANSWER, headers=(MADE,)), True),
        ({"lies": "1"}, replace(ANSWER, headers=(MADE,)), False),
        ({}, None, False),
        ({}, ANSWER, False),
    ],
)
def test_a_look_teaches_when_the_page_was_made_if_the_server_is_believed(
    validators: dict[str, str], answer: Answer | None, is_told: bool
):
    Paced.seen.clear()
    on_change = watch(interval=0), watch(sentinel=2, interval=0), watch(sentinel=3)
    page = due(*on_change, pace=PaceRecord(), priority=3)
    result = check(
        page, Script(replace(FETCHED, answer=answer, validators=validators)), Paced(confirm_after=0)
    )
    ((seen, host, weight),) = Paced.seen
    assert (seen.now, seen.version, seen.told is not None) == (NOW, 5 if answer else 4, is_told)
    assert (host, weight) == ("a.test", 8)  # four times the priority, for two that look on change
    assert result.pace is not None
    assert (result.due, result.look.plan) == (
        NOW + 7 * MINUTE,
        "changes every 7 minutes; next look in 7 minutes",
    )


def test_a_page_without_a_version_teaches_its_first_look():
    Paced.seen.clear()
    check(due(watch(interval=0), pace=PaceRecord(), latest=None), Script(SAME), Paced())
    assert [seen.version for seen, _, _ in Paced.seen] == [0]


def moved(*compared: Compared) -> list[int]:
    page = due(*(one.watch for one in compared), pace=PaceRecord())
    result = check(page, Script(FETCHED, compared), Paced(confirm_after=0))
    return [one.sentinel for one in result.watches]


def test_a_watch_on_change_is_written_only_if_its_versions_move_or_it_has_hours():
    assert moved(Compared(watch(interval=0), 4, 0)) == []
    assert moved(Compared(watch(interval=0), 5, 0)) == [1]
    assert moved(Compared(watch(interval=0), 4, 2)) == [1]
    assert moved(Compared(watch(), 4, 0)) == [1]
    assert moved(Compared(watch(interval=0, schedule=AT_NIGHT), 4, 0)) == [1]


def test_a_watch_on_change_with_hours_gets_its_next_time_though_it_is_not_compared():
    resting = watch(sentinel=2, interval=0, schedule=AT_NIGHT, reference=3, measured_from=2)
    plain = watch(sentinel=3, interval=0)
    timed = watch(sentinel=4, schedule=AT_NIGHT, next_at=NOW + 1)
    page = due(watch(), resting, plain, timed, pace=PaceRecord())
    result = check(page, Script(FETCHED, [Compared(watch(), 5)]), Paced(confirm_after=0))
    assert [(one.sentinel, one.reference, one.measured_from) for one in result.watches] == [
        (1, 5, 0),
        (2, 3, 2),
    ]


# --- a look that fails ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "failures", "wait", "host_down", "host_wait"),
    [
        (PageRefused("no"), 0, HOUR, False, 0),
        (HostUnreachable("no"), 0, 2 * MINUTE, True, 0),
        (HostBusy("no", wait=3 * HOUR), 0, 3 * HOUR, True, 3 * HOUR),
    ],
)
def test_a_failure_is_a_result(error: Exception, failures: int, wait: int, host_down: bool, host_wait: int):
    result = check(due(failures=failures, asked=3), Script(error))
    assert (result.failures, result.asked, result.failing_since) == (failures + 1, 3, NOW)
    assert (result.host_down, result.host_wait) == (host_down, host_wait)
    assert (result.look.decision, result.look.error) == ("failed", "no")
    assert result.due == NOW + wait


@pytest.mark.parametrize(("picture", "kept"), [(b"png", "object of b'png'"), (b"", "")])
def test_what_the_browser_showed_when_a_step_failed_is_kept(picture: bytes, kept: str):
    assert check(due(), Script(StepFailed("no button", number=2, picture=picture))).look.picture == kept


def test_the_third_failure_in_a_row_is_told():
    no, key = Trouble(Why.FAILING, "no"), f"9:{NOW - 9}"
    for failures, told in ((1, []), (2, [1])):
        script = Script(PageUnreachable("no"))
        page = due(watch(), watch(sentinel=2, level=1), failures=failures, failing_since=NOW - 9)
        result = check(page, script)
        assert result.troubles == tuple(NewTrouble(sentinel=one, trouble=no) for one in told)
        assert script.turns == [(one, False, key) for one in told]


@pytest.mark.parametrize(
    ("error", "wait"),
    [(PageUnreachable("no"), 6 * HOUR), (HostUnreachable("no"), HOUR), (HostBusy("no"), HOUR)],
)
def test_a_host_that_was_away_for_long_is_tried_each_hour(error: PageUnreachable, wait: int):
    page = due(watch(interval=24 * HOUR), failures=9, failing_since=1)
    result = flow.failed(page, NOW, error, 12)
    assert (result.due, result.look.duration) == (NOW + wait, 12)
    assert result.look.reason == f"tried again in {'1 hour' if wait == HOUR else '6 hours'}"


def test_a_failed_page_that_is_looked_at_on_change_waits_for_the_shortest_wait():
    page = due(watch(interval=0), watch(sentinel=2))
    assert flow.failed(page, NOW, PageUnreachable("no"), 0, 0.0, Pacing()).due == NOW + MINUTE


def test_a_page_that_keeps_failing_keeps_the_time_of_its_first_failure():
    result = check(due(failures=2, failing_since=NOW - HOUR), Script(PageRefused("no")))
    assert (result.failures, result.failing_since, result.look.why) == (3, NOW - HOUR, "retry")


def test_a_page_that_nobody_watches_is_not_tried_again():
    page = replace(due(), watches=())
    assert flow.failed(page, NOW, PageRefused("no"), 0).due == NEVER
    assert flow.failed(page, NOW, PageRefused("no"), 0).look.reason == ""


def test_a_page_is_tried_again_at_the_moment_when_its_users_must_know():
    """They must know an hour after the interval, at the latest."""
    page = due(watch(interval=HOUR), failing_since=NOW - 2 * HOUR + 1_000, failures=1)
    assert flow.failed(page, NOW, PageRefused("no"), 0).due == NOW + 1_000
    linked = due(watch(interval=HOUR, level=1), failing_since=NOW - 2 * HOUR + 1_000, failures=1)
    assert flow.failed(linked, NOW, PageRefused("no"), 0).due > NOW + HOUR
    soon = due(watch(interval=HOUR), failing_since=NOW - 2 * HOUR + 1, failures=1)
    assert flow.failed(soon, NOW, PageRefused("no"), 0).due == NOW + 1
    late = due(watch(interval=HOUR), failing_since=NOW - 2 * HOUR, failures=1)
    assert flow.failed(late, NOW, PageRefused("no"), 0).due > NOW + HOUR


@pytest.mark.parametrize(
    ("result", "reason", "since"),
    [
        (
            flow.postponed(due(), NOW, HOUR),
            "the host did not answer for other pages; tried again in 1 hour",
            NOW,
        ),
        (flow.put_off(due(), NOW, HOUR), "the budget of looks is used up; tried again in 1 hour", 0),
        (
            flow.not_kept(due(), NOW, HOUR),
            "the store could not be written or read; tried again in 1 hour",
            0,
        ),
    ],
)
def test_a_page_that_was_not_tried_is_due_later(result: CheckResult, reason: str, since: int):
    assert (result.page, result.due, result.failures, result.failing_since) == (9, NOW + HOUR, 0, since)
    assert (result.look.why, result.look.decision, result.look.reason) == ("due", "postponed", reason)


def test_a_page_that_was_not_tried_keeps_its_failures():
    page = due(watch(schedule=AT_NIGHT), failing_since=NOW - HOUR, failures=2)
    for result in (
        flow.postponed(page, NOW, HOUR),
        flow.put_off(page, NOW, HOUR),
        flow.not_kept(page, NOW, HOUR),
        flow.outside_hours(page, NOW),
    ):
        assert result is not None
        assert (result.failures, result.failing_since, result.look.why) == (2, NOW - HOUR, "retry")


def test_outside_its_hours_a_page_is_left_alone():
    """It is eight in the morning of a Friday; the sentinel looks at three."""
    page = due(watch(schedule=AT_NIGHT))
    result = flow.outside_hours(page, NOW)
    assert result is not None
    assert result.due == flow.allowed_from(page.watches, NOW) > NOW
    assert result.look.reason.startswith("outside the hours of its sentinels; looked at in ")
    for other in (due(), replace(page, latest=None), *(replace(page, wish=one) for one in WISHES)):
        assert flow.outside_hours(other, NOW) is None
