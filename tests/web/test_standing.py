"""How a sentinel stands: the word, the reason and the next step, for each thing that may be the matter."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from webvigil.model.doubt import Doubt
from webvigil.model.installed import InstalledSentinel, WatchedPage
from webvigil.model.life import LifeRecord
from webvigil.model.moment import as_millis
from webvigil.model.sentinel import State
from webvigil.web.standing import Stand, Standing, error_of, errors_of, in_dashboard, sentence, standing_of

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
FINE = WatchedPage(id=3, url="http://tea.test/?a=1&b=2", due=NOW + 3 * HOUR, latest=1, checks=1, failures=0)
LIFE = LifeRecord(installed_at=NOW - 9 * HOUR)


def installed(
    *pages: WatchedPage, state: State = State.ACTIVE, life: LifeRecord = LIFE, text: str = ""
) -> InstalledSentinel:
    return InstalledSentinel(
        id=1,
        user="jill",
        enabled=True,
        name="tea & cake/1",
        text=text,
        state=state,
        installed_at=LIFE.installed_at,
        pages=pages,
        changes=0,
        life=life,
    )


def standing(one: InstalledSentinel, error: str = "") -> Standing:
    return standing_of(one, UTC, error=error, now=NOW)


def test_a_sentinel_whose_pages_were_read_is_watching():
    made = standing(installed(FINE, replace(FINE, id=4)))
    assert made == Standing(kind=Stand.WATCHING, word="Watching", icon="check", tone="ok")
    assert not made.needs_attention


@pytest.mark.parametrize(
    ("due", "word"), [(NOW + HOUR, "First look in 1 h"), (NOW, "First look now"), (None, "First look")]
)
def test_before_the_first_look_it_says_when_that_is(due: datetime | None, word: str):
    made = standing(installed(FINE, replace(FINE, checks=0, due=due)))
    assert made == Standing(kind=Stand.FIRST, word=word, icon="clock")


def test_a_sentinel_that_waits_says_for_what():
    waiting = standing(installed(FINE, state=State.WAITING, life=replace(LIFE, next_at=NOW + 2 * HOUR)))
    assert waiting == Standing(kind=Stand.WAITING, word="Starts in 2 h", icon="clock")
    assert standing(installed(FINE, state=State.WAITING)).word == "Waits for its start"


def test_a_paused_sentinel_can_watch_again():
    bad = replace(FINE, failures=3)
    assert standing(installed(bad, state=State.DISABLED)) == Standing(
        kind=Stand.PAUSED, word="Paused", icon="pause", step="Watch again", action="enable"
    )


@pytest.mark.parametrize(
    ("state", "life", "why"),
    [
        (State.EXPIRED, replace(LIFE, ended_at=NOW - 2 * HOUR), "Its time ended 2 h ago."),
        (State.EXPIRED, LIFE, "Its time ended."),
        (State.FAILED, replace(LIFE, failure="The start is no time."), "The start is no time."),
    ],
)
def test_an_ended_sentinel_says_why_and_can_watch_another_year(state: State, life: LifeRecord, why: str):
    assert standing(installed(replace(FINE, failures=1), state=state, life=life)) == Standing(
        kind=Stand.ENDED, word="Ended", icon="end", why=why, step="Watch for another year", action="year"
    )


LOG_IN = "/add?log_in=true&url=http%3A%2F%2Ftea.test%2F%3Fa%3D1%26b%3D2"


@pytest.mark.parametrize(
    ("failures", "error", "why", "step", "path", "action"),
    [
        (1, "", "The page could not be read. It failed once.", "Look now", "", "run"),
        (2, "no such host", "No such host. It failed 2 times in a row.", "Look now", "", "run"),
        (1, "status 403", "Status 403. It failed once.", "Look with a browser", "", "browser"),
        (1, "status 404", "Status 404. It failed once.", "Look now", "", "run"),
        (
            1,
            "it needs JavaScript",
            "It needs JavaScript. It failed once.",
            "Look with a browser",
            "",
            "browser",
        ),
        (
            1,
            "status 403: it wants a log-in; give it by --login",
            "Status 403: it wants a log-in. It failed once.",
            "Log in",
            LOG_IN,
            "",
        ),
    ],
)
def test_a_page_that_fails_has_a_remedy(
    failures: int, error: str, why: str, step: str, path: str, action: str
):
    made = standing(installed(FINE, replace(FINE, failures=failures)), error)
    assert made == Standing(
        kind=Stand.FAILING,
        word="Failing",
        icon="alert",
        tone="bad",
        why=why,
        step=step,
        path=path,
        action=action,
    )
    assert made.needs_attention


def test_what_looks_with_a_browser_already_is_looked_at_again():
    made = standing(installed(replace(FINE, failures=1), text="Create … With Browser"), "status 403")
    assert (made.step, made.action) == ("Look now", "run")


def test_it_says_since_when_a_page_fails():
    bad = replace(FINE, failures=2, failing_since=NOW - 5 * HOUR)
    assert standing(installed(bad), "no").why == "No. It failed 2 times in a row, first 5 h ago."


@pytest.mark.parametrize(
    ("said", "step", "path", "action"),
    [("asks for a log-in", "Log in", LOG_IN, ""), ("is empty", "Look now", "", "run")],
)
def test_an_answer_that_is_not_the_page_is_told(said: str, step: str, path: str, action: str):
    doubt = Doubt(kind="x", said=said, clear=True, since=as_millis(NOW - 2 * HOUR))
    made = standing(installed(replace(FINE, doubt=doubt, trouble="the part is gone")))
    assert (made.kind, made.why) == (Stand.FAILING, f"The page {said}, first seen 2 h ago.")
    assert (made.step, made.path, made.action) == (step, path, action)


def test_a_part_that_is_gone_can_be_chosen_again():
    made = standing(installed(replace(FINE, trouble="the part is gone", checks=0)))
    assert made == Standing(
        kind=Stand.NOTHING,
        word="Watching nothing",
        icon="blank",
        tone="warn",
        why="The part is gone.",
        step="Choose it again",
        path="/sentinels/tea%20%26%20cake%2F1/edit",
    )
    assert made.needs_attention


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", ""),
        ("  ", ""),
        ("a", "A."),
        ("it is so", "It is so."),
        ("is it so? ", "Is it so?"),
        ("so!", "So!"),
        ("and so on…", "And so on…"),
        ("A b.", "A b."),
    ],
)
def test_words_become_a_sentence(words: str, said: str):
    assert sentence(words) == said


def test_the_dashboard_leaves_out_how_a_command_logs_in():
    assert in_dashboard("403: it wants a log-in; use --login") == "403: it wants a log-in"
    assert in_dashboard("no such host") == "no such host"


@pytest.mark.parametrize(
    ("error", "reason", "said"),
    [
        ("broken", "why", "broken"),
        ("", "its host had failed; tried again in 5 min", "its host had failed"),
        ("", None, ""),
        (None, "", ""),
    ],
)
def test_a_look_that_was_not_tried_has_a_reason(error: str | None, reason: str | None, said: str):
    assert error_of({"error": error, "reason": reason}) == said


class Logs:
    """Keeps which logs were asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[set[int], int]] = []

    def fetch_logs(self, pages: set[int], limit: int) -> dict[int, list[dict[str, str]]]:
        self.asked.append((pages, limit))
        return {4: [{"error": "broken", "reason": ""}], 6: []}


def test_errors_are_those_of_the_newest_look_at_the_first_page_that_fails():
    logs = Logs()
    first = replace(installed(FINE, replace(FINE, id=4, failures=1), replace(FINE, id=5, failures=1)), id=11)
    second = replace(installed(replace(FINE, id=6, failures=1)), id=12)
    assert errors_of(logs, [first, second, replace(installed(FINE), id=13)]) == {11: "broken"}
    assert logs.asked == [({4, 6}, 1)]
    assert errors_of(logs, [installed(FINE)]) == {}
    assert len(logs.asked) == 1, "nothing is read if nothing fails"
