"""The inbox: changes by day, and the things that a card shows of a change."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from fastapi.testclient import TestClient
from lxml import html

from tests.store.making import checked, claim_all, new_change, sentinel
from webvigil.model.change import Change, Finding, ObjectChange, Status, Surrounding
from webvigil.model.moment import as_millis
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.dashboard.inbox import SHOWN, days_of
from webvigil.web.found import found_in

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
ZONE = ZoneInfo("UTC")


class Clock:
    def __init__(self) -> None:
        self.now = as_millis(NOON - timedelta(days=2))

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def knowledge(clock: Clock) -> MemoryKnowledge:
    """Returns a store with one change from two days ago and two from today, on two topics."""
    made = MemoryKnowledge(delay=0, clock=clock)
    made.users.add("jill")
    for name, topic in (("a", "press"), ("b", "")):
        made.sentinels.add(sentinel(name, f"http://{name}.test/", topic=topic))
    find(made, 1, "a.test")
    clock.now = as_millis(NOON)
    for page in made.sentinels.pages("jill"):
        made.schedule.ask(page.id)
    find(made, 2, "a.test", "b.test")
    return made


def find(knowledge: MemoryKnowledge, old: int, *hosts: str) -> None:
    for claim in claim_all(knowledge):
        for due in claim.pages:
            found = new_change(due.watches[0].sentinel, old, old + 1)
            knowledge.schedule.finish(
                claim, [checked(claim, due, changes=(found,) if claim.name in hosts else ())]
            )


class TestDays:
    def test_changes_stand_under_their_day_with_how_many(self, jill: TestClient):
        page = html.fromstring(jill.get("/inbox").text)
        heads = [one.text_content().strip() for one in page.xpath("//div[@class='dayhead']")]
        assert heads == ["Today2 changes, 2 unread", "Saturday, 14 November1 change, 1 unread"]
        assert len(page.xpath("//div[@data-today]/article")) == 2

    def test_a_card_draws_how_busy_its_sentinel_was(self, jill: TestClient, knowledge: MemoryKnowledge):
        knowledge.users.add("jack")
        knowledge.sentinels.add(sentinel("b", "http://b.test/", user="jack"))
        page = html.fromstring(jill.get("/inbox").text)
        drawn = page.xpath("//article//*[contains(@class, 'spark')]/@aria-label")
        assert sorted(drawn) == ["1 change in 24 days", "2 changes in 24 days", "2 changes in 24 days"]
        newest = next(one for one in knowledge.changes.all("jill") if one.sentinel == "a")
        again = jill.post(f"/changes/{newest.id}/seen", headers={"hx-request": "true"})
        assert "2 changes in 24 days" in again.text, "also when the card is drawn anew"
        assert "2 changes in 24 days" in jill.get("/search?sentinel=a").text

    def test_one_day_can_be_looked_at(self, jill: TestClient):
        assert jill.get("/inbox?day=2026-11-14").text.count('class="change unread"') == 1
        assert jill.get("/inbox?day=2026-11-15").text.count('class="change unread"') == 0
        assert jill.get("/inbox?day=yesterday").status_code == 422

    def test_how_many_are_unread_stands_beside_a_topic(self, jill: TestClient):
        page = html.fromstring(jill.get("/inbox").text)
        (press,) = [one for one in page.xpath("//aside//a") if "press" in one.text_content()]
        assert press.text_content() == "press2"
        (nav,) = page.xpath("//nav[@aria-label='Main']//span[@class='count']")
        assert nav.text_content() == "3 unread"

    def test_a_day_that_goes_on_has_no_second_heading(self):
        found = [change(number, NOON - timedelta(hours=number)) for number in range(14)]
        today = date(2026, 11, 16)
        first, second = days_of(found, ZONE, today, more=True)
        assert (first.name, first.is_whole, second.name, second.is_whole) == (
            "Today",
            True,
            "Yesterday",
            False,
        )
        (rest,) = days_of(found[13:], ZONE, today, more=False, going_on="2026-11-15")
        assert rest.name == ""

    def test_the_present_day_waits_for_what_arrives(self):
        today = date(2026, 11, 16)
        (empty,) = days_of([], ZONE, today, more=False, live=True)
        assert (empty.is_today, empty.name) == (True, "")
        assert days_of([], ZONE, today, more=False) == []


def change(number: int, at: datetime) -> Change:
    return Change(
        id=number + 1,
        sentinel="s",
        user="jill",
        page=1,
        url="http://s.test/",
        old_version=1,
        new_version=2,
        found_at=at,
        findings=(),
    )


PRICE = ObjectChange(
    object="p",
    status=Status.UPDATED,
    before="9",
    after="8",
    label="Sofa · Price",
    surrounding=Surrounding("Now € 9 <b>only", "Now € 8 <b>only", ((6, 7),), ((6, 7),)),
)


class TestFound:
    def test_old_and_new_words_stand_in_their_sentence(self):
        shown = found_in([Finding(type="value", objects=(PRICE,))])
        (one,) = shown.objects
        assert (one.label, one.word) == ("Sofa · Price", "changed")
        assert one.text == "Now € <del>9</del> <ins>8</ins> &lt;b&gt;only"

    def test_what_went_is_shown_in_the_old_sentence(self):
        gone = PRICE._replace(status=Status.GONE, after=None)
        (one,) = found_in([Finding(type="value", objects=(gone,))]).objects
        assert (one.sign, one.text) == ("−", "Now € <del>9</del> &lt;b&gt;only")

    def test_a_text_that_was_replaced_whole_is_shown_with_the_old_one(self):
        whole = PRICE._replace(before="Puzzles", after="Birds", surrounding=Surrounding("", "Birds"))
        (one,) = found_in([Finding(type="any change", objects=(whole,))]).objects
        assert one.text == "<del>Puzzles</del> → <ins>Birds</ins>"

    def test_without_a_sentence_the_object_itself_is_shown(self):
        plain = ObjectChange(object="<i>x", status=Status.NEW, old=0, new=1)
        (one,) = found_in([Finding(type="all links", objects=(plain,))]).objects
        assert one.text == "<ins>&lt;i&gt;x</ins>"

    def test_three_are_shown_and_the_rest_is_counted(self):
        finding = Finding(type="value", objects=(PRICE,) * 4)
        shown = found_in([finding, replace(finding, objects=(PRICE,)), Finding(type="all words")])
        assert (len(shown.objects), shown.more) == (3, 2)


class TestPresentDay:
    """The present day waits in the list for what arrives, unless the list is narrowed."""

    def heads(self, jill: TestClient, query: str) -> tuple[int, list[str]]:
        page = html.fromstring(jill.get(f"/inbox{query}").text)
        heads = [one.text_content().strip() for one in page.xpath("//div[@class='dayhead']")]
        return len(page.xpath("//div[@data-today]")), heads

    def test_it_is_there_before_anything_arrived(self, jill: TestClient, clock: Clock):
        clock.now += 86_400_000
        before = ["Today", "Yesterday2 changes, 2 unread", "Saturday, 14 November1 change, 1 unread"]
        assert self.heads(jill, "") == (1, before)

    @pytest.mark.parametrize(
        "query", ["?show=unread", "?topic=press", "?type=all+links", "?sentinel=a", "?day=2026-11-14"]
    )
    def test_a_list_that_is_narrowed_has_only_what_was_found(
        self, jill: TestClient, clock: Clock, query: str
    ):
        clock.now += 86_400_000
        days, heads = self.heads(jill, query)
        assert days == 0
        assert len(heads) == (1 if query == "?day=2026-11-14" else 2)

    def test_the_largest_first_is_one_list(self, jill: TestClient):
        days, heads = self.heads(jill, "?order=largest")
        assert (days, heads) == (0, [])


def test_a_long_inbox_comes_in_pieces(jill: TestClient, knowledge: MemoryKnowledge, clock: Clock):
    (one,) = [page for page in knowledge.sentinels.pages("jill") if "a.test" in page.url]
    knowledge.schedule.ask(one.id)
    (claim,) = claim_all(knowledge)
    (due,) = [page for page in claim.pages if page.id == one.id]
    found = tuple(new_change(due.watches[0].sentinel, old, old + 1) for old in range(10, 10 + SHOWN))
    knowledge.schedule.finish(claim, [checked(claim, due, changes=found)])
    page = html.fromstring(jill.get("/inbox").text)
    assert len(page.xpath("//article")) == SHOWN
    newest = sorted((change.id for change in knowledge.changes.all("jill")), reverse=True)
    (older,) = page.xpath("//*[@hx-get]/@hx-get[contains(., 'before=')]")
    assert f"before={newest[SHOWN - 1]}" in older
    assert "going_on=2026-11-16" in older
    rest = html.fromstring(jill.get(older, headers={"hx-request": "true"}).text)
    assert len(rest.xpath("//article")) == 3
    assert rest.xpath("//*[contains(@hx-get, 'before=')]") == []
