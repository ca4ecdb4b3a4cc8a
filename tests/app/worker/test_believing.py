"""What looks like no page is looked at again before anybody is told, and told as trouble, once (Q6)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.databases import migrated_sqlite
from tests.fetch.bad_answers import BAD, GOOD, MENU, URL, Bad, answer, page
from tests.store.making import sentinel
from webvigil.app.worker.stages import RealStages
from webvigil.errors import PageUnreachable
from webvigil.fetch.http import Fetched
from webvigil.flow import check
from webvigil.model.change import Status
from webvigil.model.doubt import Doubt
from webvigil.model.moment import as_datetime
from webvigil.model.notice import Notice, Receipt
from webvigil.model.version import Answer
from webvigil.model.wanted import WantedChanges
from webvigil.model.work import DuePage, HostAfter
from webvigil.pace.pacing import Pacing
from webvigil.present.story import story
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.promises import Knowledge
from webvigil.store.repository import PageRepository
from webvigil.store.sql.knowledge import SqlKnowledge

MINUTE, DAY = 60_000, 86_400_000
NOON = 1_800_000_000_000
BETTER = GOOD.replace("120 EUR", "99 EUR")
TEXT = (
    "Create Sentinel {name} Using http://shop.test/lamps Monitor {monitor} Notify By webhook https://me.test/"
)


class _Stages(RealStages):
    """The real stages, except that nothing is fetched: `answers` returns what the page answers now."""

    def __init__(self, knowledge: Knowledge, pages: PageRepository, answers: Callable[[], Answer]) -> None:
        super().__init__(cast(Any, None), knowledge, pages)
        self._answers = answers

    async def fetch(self, due: DuePage) -> Fetched:
        came = self._answers()
        return Fetched(answer=came, status=200, validators={}, reason="fetched", received=len(came.body))


class Watched:
    """A page that somebody watches, with a clock that moves only in `passes`."""

    def __init__(
        self,
        *monitors: str,
        first: Answer | None = None,
        interval: int = DAY,
        knowledge: Any = None,
        **pacing: Any,
    ) -> None:
        self.now = NOON
        self.came: Answer | Exception = first or answer(GOOD)
        self._told: list[Notice] = []
        self.looks = 0
        make = knowledge or (lambda clock: MemoryKnowledge(delay=0, clock=clock))
        self.knowledge: Knowledge = make(lambda: self.now)
        self.knowledge.users.add("jill")
        self._pages = PageRepository(MemoryObjects())
        self._pacing = Pacing(**pacing)
        for number, monitor in enumerate(monitors or ("any change",)):
            text = TEXT.format(name=f"s{number}", monitor=monitor)
            self.knowledge.sentinels.add(sentinel(f"s{number}", URL, text=text, interval=interval))
        self.passes(0)

    def passes(self, milliseconds: int) -> None:
        """Lets so much time pass, and looks at the page whenever it is due."""
        until = self.now + milliseconds
        while True:
            wait = self.knowledge.schedule.next_at()
            if wait is None or self.now + wait > until:
                break
            self.now += wait
            asyncio.run(self._visit())
        self.now = until

    async def _visit(self) -> None:
        stages = _Stages(self.knowledge, self._pages, self._answer)
        for claim in self.knowledge.schedule.claim("w", hosts=10, pages=50, lease=30_000):
            results = [await check(due, self.now, stages, 0.0, self._pacing) for due in claim.pages]
            self.knowledge.schedule.finish(claim, results, HostAfter(rest=0))

    def _answer(self) -> Answer:
        self.looks += 1
        if isinstance(self.came, Exception):
            raise self.came
        return self.came

    def shows(self, came: Answer | str | Exception) -> None:
        self.came = answer(came) if isinstance(came, str) else came

    def told(self, name: str = "s0") -> list[str]:
        """Returns what a sentinel's user was told of the page, beside its changes, in order."""
        for item in self.knowledge.outbox.claim("w", count=100, lease=DAY):
            self._told.append(item.notice)
            self.knowledge.outbox.delivered(
                item, Receipt(dedup=item.notice.dedup, delivered_at=as_datetime(self.now))
            )
        news = [one for one in self._told if one.sentinel == name and one.body["event"] != "change"]
        return [re.sub(rf"^(?:{name}: {URL}|.*: the page) ", "", one.subject) for one in news]

    def body(self, version: int) -> str:
        """Returns the content of a version."""
        return self._pages.answer(self.knowledge.versions.get(self.page.id, version).object).body.decode()

    def changes(self) -> list[tuple[str, int, int]]:
        found = self.knowledge.changes.some(WantedChanges())
        return sorted((one.sentinel, one.old_version, one.new_version) for one in found)

    @property
    def page(self) -> Any:
        return self.knowledge.sentinels.get("jill", "s0").pages[0]

    def log(self) -> list[str]:
        return [
            " ".join(line.split()[1:]) for line in story(self.knowledge.journal.fetch_log(self.page.id)[::-1])
        ]


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_one_bad_answer_is_not_told(bad: Bad):
    watched = Watched()
    watched.shows(bad.answer)
    watched.passes(DAY + 1)
    assert watched.page.doubt == Doubt(
        kind=bad.kind, said=watched.page.doubt.said, clear=True, since=NOON + DAY, told=False
    )
    watched.shows(GOOD)
    watched.passes(MINUTE)
    assert watched.looks == 3, "the second look comes a minute later, though the interval is a day"
    assert (watched.changes(), watched.told(), watched.page.doubt) == ([], [], None)
    watched.passes(3 * DAY)
    assert (watched.changes(), watched.told(), watched.looks) == ([], [], 6)


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_what_stays_is_told_once_as_trouble_and_the_page_is_compared_with_the_last_good_version(bad: Bad):
    watched = Watched()
    watched.shows(bad.answer)
    watched.passes(DAY + MINUTE)
    (subject,) = watched.told()
    assert bad.said in subject
    assert watched.page.doubt.told
    watched.passes(5 * DAY)
    assert watched.looks == 3 + 5, "the page is looked at as usual"
    assert (len(watched.told()), watched.changes()) == (1, [])
    watched.shows(BETTER)
    watched.passes(DAY)
    assert watched.changes() == [("s0", 1, 2)]
    assert "is back" in watched.told()
    assert watched.page.doubt is None


def test_a_page_that_comes_back_as_it_was_is_told_to_be_back_and_not_to_have_changed():
    watched = Watched()
    watched.shows(BAD["log-in form"].answer)
    watched.passes(DAY + MINUTE)
    watched.shows(GOOD)
    watched.passes(DAY)
    assert (watched.changes(), watched.told()) == ([], ["asks for a log-in", "is back"])


def test_a_change_that_comes_while_the_second_look_is_awaited_is_told():
    watched = Watched()
    watched.shows(BAD["maintenance"].answer)
    watched.passes(DAY + 1)
    watched.shows(BETTER)
    watched.passes(MINUTE)
    assert watched.changes() == [("s0", 1, 2)]


@pytest.mark.parametrize(
    "body",
    [
        page("Lamps | Shop", f"{MENU}<h1>All our lamps</h1><p>No results.</p>"),
        page("Lamps | Shop", "<p>All lamps are sold out."),
    ],
)
def test_a_page_that_is_emptied_for_good_is_told_as_a_change_after_the_second_look(body: str):
    watched = Watched()
    watched.shows(body)
    watched.passes(DAY + MINUTE - 1)
    assert watched.changes() == []
    watched.passes(1)
    assert watched.changes() == [("s0", 1, 2)]
    assert watched.page.doubt is None
    watched.shows(GOOD)
    watched.passes(DAY)
    assert watched.changes() == [("s0", 1, 2), ("s0", 2, 3)]


def test_a_page_that_is_redesigned_is_told_at_once():
    watched = Watched()
    watched.shows(
        page("Light", "<h1>Our new shop</h1>" + "<p>Entirely different words stand here now.</p>" * 12)
    )
    watched.passes(DAY)
    assert watched.changes() == [("s0", 1, 2)]


def test_all_who_watch_a_page_share_its_doubt():
    monitors = ("any change", "exact change", "keywords: {maintenance}", "all links")
    watched = Watched(*monitors)
    watched.shows(BAD["maintenance"].answer)
    watched.passes(DAY + MINUTE)
    assert watched.looks == 3
    assert watched.changes() == []
    for number in range(len(monitors)):
        assert watched.told(f"s{number}") == ["says that it is under maintenance"]


def test_a_page_that_is_looked_at_on_change_is_looked_at_again_soon():
    watched = Watched(interval=0)
    watched.passes(DAY)
    before = watched.looks
    watched.shows(BAD["empty"].answer)
    while watched.looks == before:
        watched.passes(MINUTE)
    since = watched.page.doubt.since
    watched.passes(since + MINUTE - watched.now)
    assert watched.told() == ["is empty"]
    watched.passes(5 * DAY)
    watched.shows(BETTER)
    watched.passes(2 * DAY)
    assert watched.changes() == [("s0", 1, 2)]


def test_a_page_that_is_looked_at_often_is_looked_at_as_often_in_doubt():
    watched = Watched(interval=MINUTE // 6)
    watched.shows(BAD["error"].answer)
    watched.passes(MINUTE)
    assert (watched.looks, watched.told()) == (7, [])
    watched.passes(MINUTE // 6)
    assert (watched.looks, watched.told()) == (8, ["shows an error in place of the page"])
    watched.shows(BETTER)
    watched.passes(MINUTE // 6)
    assert watched.changes() == [("s0", 1, 2)]


def test_a_failure_in_between_changes_nothing():
    watched = Watched()
    watched.shows(BAD["captcha"].answer)
    watched.passes(DAY + 1)
    watched.shows(PageUnreachable("the server answered 500"))
    watched.passes(MINUTE)
    assert watched.page.doubt
    watched.shows(GOOD)
    watched.passes(2 * DAY)
    assert (watched.changes(), watched.told(), watched.page.doubt) == ([], [], None)


def test_a_page_that_fails_after_it_asked_for_a_log_in_is_told_once_to_be_back():
    watched = Watched()
    watched.shows(BAD["log-in form"].answer)
    watched.passes(DAY + MINUTE)
    watched.shows(PageUnreachable("the server answered 500"))
    watched.passes(3 * DAY)
    assert watched.told() == ["asks for a log-in", "keeps failing"]
    watched.shows(BETTER)
    watched.passes(DAY)
    assert watched.told() == ["asks for a log-in", "keeps failing", "is back"]
    assert watched.changes() == [("s0", 1, 2)]


def test_who_asks_for_a_look_meanwhile_hears_nothing_yet():
    watched = Watched()
    watched.shows(BAD["error"].answer)
    watched.passes(DAY + 1)
    watched.now += 10_000
    watched.knowledge.schedule.ask(watched.page.id)
    watched.passes(1)
    assert (watched.looks, watched.told()) == (3, [])
    watched.passes(MINUTE)
    assert len(watched.told()) == 1


def test_the_log_tells_of_what_was_not_believed():
    watched = Watched()
    watched.shows(BAD["log-in form"].answer)
    watched.passes(DAY + 1)
    watched.shows(GOOD)
    watched.passes(MINUTE)
    watched.shows(BAD["empty"].answer)
    watched.passes(DAY + MINUTE)
    told = "\n".join(watched.log())
    assert ": it asks for a log-in; looked at again in 1 minute, before anybody is told" in told
    assert "the page is back, before that it asked for a log-in; nobody was told" in told
    assert "confirm: no page: it is empty" in told


def test_the_first_answer_is_kept_with_a_warning():
    watched = Watched(first=BAD["log-in form"].answer)
    assert (watched.page.latest, watched.page.doubt, watched.told()) == (1, None, [])
    assert "this may not be the page that you mean: it asks for a log-in" in "\n".join(watched.log())
    watched.shows(GOOD)
    watched.passes(DAY + MINUTE)
    assert watched.changes() == [("s0", 1, 2)]


def test_without_a_second_look_everything_is_believed_at_once():
    watched = Watched(confirm_after=0)
    watched.shows(BAD["log-in form"].answer)
    watched.passes(DAY)
    watched.shows(GOOD)
    watched.passes(DAY)
    assert watched.changes() == [("s0", 1, 2), ("s0", 2, 3)]


def test_a_doubt_survives_a_restart(tmp_path: Path):
    url = migrated_sqlite(tmp_path / "webvigil.sqlite3")
    watched = Watched(knowledge=lambda clock: SqlKnowledge(url, delay=0, clock=clock))
    watched.shows(BAD["log-in form"].answer)
    watched.passes(DAY + 1)
    doubted = watched.page.doubt
    cast(SqlKnowledge, watched.knowledge).close()
    watched.knowledge = SqlKnowledge(url, delay=0, clock=lambda: watched.now)
    assert doubted
    assert watched.page.doubt == doubted
    watched.passes(MINUTE)
    assert watched.told() == ["asks for a log-in"]
    cast(SqlKnowledge, watched.knowledge).close()
    watched.knowledge = SqlKnowledge(url, delay=0, clock=lambda: watched.now)
    watched.shows(BETTER)
    watched.passes(DAY)
    assert watched.changes() == [("s0", 1, 2)]
    assert watched.page.doubt is None
    cast(SqlKnowledge, watched.knowledge).close()


def shop(price: str = "120", stock: str = "InStock") -> str:
    data = (
        f'{{"@type": "Product", "name": "Lamp", "offers": {{"price": "{price}", "availability": "{stock}"}}}}'
    )
    return GOOD.replace("</title>", f'</title><script type="application/ld+json">{data}</script>', 1)


def _bare() -> str:
    """Returns the shop's page as it is when the shop does not know its products for a moment."""
    return re.sub(r"\d+ EUR|in stock", "", GOOD, flags=re.IGNORECASE)


@pytest.mark.parametrize("monitor", ["product", "product variants", "any change When becomes in stock"])
def test_a_page_without_its_product_for_one_look_has_not_lost_it(monitor: str):
    watched = Watched(monitor, first=answer(shop()))
    watched.shows(_bare())
    watched.passes(DAY + 1)
    assert watched.page.doubt.said == "shows no product any more"
    watched.shows(shop())
    watched.passes(3 * DAY)
    assert (watched.changes(), watched.told(), watched.page.doubt) == ([], [], None)


def test_a_price_that_changes_while_its_data_are_away_is_told():
    watched = Watched("product", first=answer(shop()))
    watched.shows(_bare())
    watched.passes(DAY + 1)
    watched.shows(shop("99"))
    watched.passes(MINUTE)
    (change,) = watched.knowledge.changes.some(WantedChanges())
    (one,) = change.findings[0].objects
    assert (one.before, one.after) == ("120.00", "99.00")


def test_a_product_that_stays_away_is_told_as_gone_and_not_as_sold_out():
    watched = Watched("product", first=answer(shop()))
    watched.shows(_bare())
    watched.passes(DAY + MINUTE)
    (change,) = watched.knowledge.changes.some(WantedChanges())
    objects = change.findings[0].objects
    assert {(one.object, one.status, one.after) for one in objects} == {
        ("price", Status.GONE, None),
        ("availability", Status.GONE, None),
        ("name", Status.GONE, None),
    }
    assert watched.told() == [], "the change says it"


def test_what_is_sold_out_needs_no_price():
    watched = Watched("product", first=answer(shop()))
    watched.shows(shop("", "SoldOut"))
    watched.passes(DAY)
    assert watched.page.doubt is None
    assert watched.changes() == [("s0", 1, 2)]


# --- what the reader believes (Q4) ----------------------------------------------------------------------

STATES = ("120 EUR</p><p>Two ships are in", "120 EUR</p><p>The list cannot be shown", "120 EUR</p><p>")


@settings(max_examples=12, deadline=None)
@given(st.lists(st.sampled_from(STATES), max_size=14), st.sampled_from([MINUTE // 2, 10 * MINUTE, DAY]))
def test_when_a_page_has_come_to_rest_its_reader_knows_what_it_shows(states: list[str], interval: int):
    """A law: the last change that was told leads to what the page shows, whatever took turns before."""
    watched = Watched(first=answer(GOOD.replace("120 EUR", STATES[0])), interval=interval)
    shown = STATES[0]
    for shown in states:
        watched.shows(GOOD.replace("120 EUR", shown))
        watched.passes(interval)
    watched.passes(50 * interval)
    told = max((new for _, _, new in watched.changes()), default=1)
    assert watched.body(told) == GOOD.replace("120 EUR", shown)
