"""A followed value is told from the first look on, step by step."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.store.making import checked, claim_all, new_version, sentinel
from webvigil.app.sentinels.values import Series, all_values_of, moves_of, values_of
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.moment import as_datetime
from webvigil.model.work import NewChange
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.chart import moves, value_name

HOUR = 3_600_000


class Clock:
    now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def knowledge(clock: Clock) -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0, clock=clock)
    made.users.add("jill")
    made.sentinels.add(sentinel("tea"))
    return made


def price(before: str | None, after: str | None, place: str = "/html/b") -> ObjectChange:
    status = Status.NEW if before is None else Status.GONE if after is None else Status.UPDATED
    return ObjectChange(object="b", status=status, before=before, after=after, where=(place,))


def looked(knowledge: MemoryKnowledge, clock: Clock, *prices: ObjectChange, name: str = "tea") -> datetime:
    """Takes a look that brings a new version, and the change if prices moved. Returns when it was."""
    page = knowledge.sentinels.get("jill", name).pages[0]
    number = page.latest + 1
    clock.now += HOUR
    knowledge.schedule.ask(page.id)
    claim, due = next(
        (claim, due) for claim in claim_all(knowledge) for due in claim.pages if due.id == page.id
    )
    change = NewChange(
        sentinel=due.watches[0].sentinel,
        old_version=number - 1,
        new_version=number,
        findings=(Finding(type="value", objects=prices),),
    )
    told = (change,) if prices else ()
    knowledge.schedule.finish(
        claim, [checked(claim, due, version=new_version(number, str(number)), changes=told)]
    )
    return as_datetime(clock.now)


def series(knowledge: MemoryKnowledge, *shown: ObjectChange, since: datetime | None = None) -> Series | None:
    watched = (Finding(type="value", objects=shown),)
    return values_of(
        knowledge.changes, knowledge.versions, knowledge.sentinels.get("jill", "tea"), watched, since
    )


def told(found: Series | None) -> list[tuple[datetime, str]]:
    assert found is not None
    return [(one.at, one.text) for one in found.steps]


def test_the_first_value_is_told_from_the_first_look_on(knowledge: MemoryKnowledge, clock: Clock):
    first = looked(knowledge, clock)
    second = looked(knowledge, clock, price("€ 10", "€ 12"))
    third = looked(knowledge, clock, price("€ 12", "€ 9"))
    found = series(knowledge, price(None, "€ 9"))
    assert told(found) == [(first, "€ 10"), (second, "€ 12"), (third, "€ 9")]
    newest = knowledge.changes.all()[0]
    assert found is not None
    assert [one.change for one in found.steps] == [0, newest.id - 1, newest.id]


def test_a_value_that_never_moved_is_one_step(knowledge: MemoryKnowledge, clock: Clock):
    first = looked(knowledge, clock)
    assert told(series(knowledge, price(None, "7 pieces"))) == [(first, "7 pieces")]
    assert series(knowledge) is None
    assert series(knowledge, price(None, "sold out")) is None


def test_a_range_begins_with_the_value_that_held_then(knowledge: MemoryKnowledge, clock: Clock):
    looked(knowledge, clock)
    looked(knowledge, clock, price("10", "12"))
    third = looked(knowledge, clock, price("12", "9"))
    middle = third - timedelta(minutes=30)
    assert told(series(knowledge, since=middle)) == [(middle, "12"), (third, "9")]
    late = third + timedelta(minutes=1)
    assert told(series(knowledge, since=late)) == [(late, "9")]


def test_what_was_not_told_between_two_changes_is_a_step_too(knowledge: MemoryKnowledge, clock: Clock):
    first = looked(knowledge, clock)
    second = looked(knowledge, clock, price("10", "20"))
    third = looked(knowledge, clock)  # it fell to 15, which was not worth telling
    fourth = looked(knowledge, clock, price("15", "30"))
    expected = [(first, "10"), (second, "20"), (third, "15"), (fourth, "30")]
    assert told(series(knowledge)) == expected


def test_of_several_values_the_one_that_moves_most_is_followed(knowledge: MemoryKnowledge, clock: Clock):
    first = looked(knowledge, clock)
    looked(knowledge, clock, price("1", "2", "/html/b[1]"), price("70", "80", "/html/b[2]"))
    last = looked(knowledge, clock, price("80", "90", "/html/b[2]"))
    found = series(knowledge, price(None, "2", "/html/b[1]"), price(None, "90", "/html/b[2]"))
    assert found is not None
    assert (found.place, found.others) == ("/html/b[2]", 1)
    assert [one.text for one in found.steps] == ["70", "80", "90"]
    assert (found.steps[0].at, found.steps[-1].at) == (first, last)


def test_a_lone_value_is_followed_when_the_page_around_it_moves(knowledge: MemoryKnowledge, clock: Clock):
    looked(knowledge, clock)
    looked(knowledge, clock, price("1", "2", "/html/p[1]/b"))
    looked(knowledge, clock, price("2", "3", "/html/p[2]/b"))
    found = series(knowledge, price(None, "3", "/html/p[2]/b"))
    assert found is not None
    assert ([one.text for one in found.steps], found.others) == (["1", "2", "3"], 0)


def test_a_value_that_is_not_there_for_a_while_leaves_no_step(knowledge: MemoryKnowledge, clock: Clock):
    looked(knowledge, clock)
    looked(knowledge, clock, price("5", None))
    looked(knowledge, clock, price(None, "6"))
    assert [text for _, text in told(series(knowledge))] == ["5", "6"]


def test_the_price_of_a_product_is_followed(knowledge: MemoryKnowledge, clock: Clock):
    text = "Create Sentinel sofa Using http://shop.test/sofa Monitor product"
    knowledge.sentinels.add(sentinel("sofa", "http://shop.test/sofa", text=text))
    stock = ObjectChange(object="availability", status=Status.UPDATED, before="in stock", after="sold out")
    found = ObjectChange(
        object="price", status=Status.NEW, after="€ 1,299.00", where=("/p",), label="Sofa · Price"
    )
    watched = (Finding(type="product", objects=(found, stock)),)
    made = knowledge.sentinels.get("jill", "sofa")
    series = values_of(knowledge.changes, knowledge.versions, made, watched)
    assert series is not None
    assert [(one.text, one.number) for one in series.steps] == [("€ 1,299.00", 1299)]
    assert (series.place, series.others) == ("Sofa · Price", 0)
    assert value_name(watched, series.place) == "Price"


def test_of_several_values_each_is_followed_and_the_largest_fall_stands_first(
    knowledge: MemoryKnowledge, clock: Clock
):
    def at(place: str, before: str | None, after: str) -> ObjectChange:
        return price(before, after)._replace(where=(place,), label=f"Thing {place}")

    looked(knowledge, clock)
    looked(knowledge, clock, at("/a", "€ 100.00", "€ 90.00"), at("/b", "€ 10.00", "€ 5.00"))
    looked(knowledge, clock, at("/a", "€ 90.00", "€ 99.00"))
    watched = (
        Finding(
            type="value",
            objects=(at("/a", None, "€ 99.00"), at("/b", None, "€ 5.00"), at("/c", None, "€ 7.00")),
        ),
    )
    sentinel_ = knowledge.sentinels.get("jill", "tea")
    every = all_values_of(knowledge.changes, knowledge.versions, sentinel_, watched)
    assert [(one.place, [step.text for step in one.steps], one.others) for one in every] == [
        ("/a", ["€ 100.00", "€ 90.00", "€ 99.00"], 2),
        ("/b", ["€ 10.00", "€ 5.00"], 2),
        ("/c", ["€ 7.00"], 2),
    ]
    assert [(one.label, one.first, one.last, one.step) for one in moves(every)] == [
        ("Thing /b", "€ 10.00", "€ 5.00", "−€\u00a05.00 (−50.0\u00a0%)"),
        ("Thing /a", "€ 100.00", "€ 99.00", "−€\u00a01.00 (−1.0\u00a0%)"),
        ("Thing /c", "€ 7.00", "€ 7.00", ""),
    ]


class TestSeveral:
    """Several values of one page, each known again."""

    def at(self, name: str, place: str, before: str | None, after: str | None) -> ObjectChange:
        return price(before, after, place)._replace(label=f"{name} · Price")

    def told(self, knowledge: MemoryKnowledge) -> dict[str, list[str]]:
        every = all_values_of(
            knowledge.changes, knowledge.versions, knowledge.sentinels.get("jill", "tea"), ()
        )
        return {one.label: [step.text for step in one.steps] for one in every}

    def test_another_product_at_the_same_place_begins_anew(self, knowledge: MemoryKnowledge, clock: Clock):
        looked(knowledge, clock)
        looked(knowledge, clock, self.at("Bell", "/2", "€ 9", "€ 10"), self.at("Rope", "/1", "€ 5", "€ 6"))
        looked(knowledge, clock, self.at("Bell", "/2", "€ 10", None), self.at("Ship", "/2", None, "€ 48"))
        looked(knowledge, clock, self.at("Ship", "/2", "€ 48", "€ 47"))
        assert self.told(knowledge) == {"Rope · Price": ["€ 5", "€ 6"], "Ship · Price": ["€ 48", "€ 47"]}

    def test_a_value_is_known_by_its_name_where_rows_move(self, knowledge: MemoryKnowledge, clock: Clock):
        looked(knowledge, clock)
        looked(knowledge, clock, self.at("Bell", "/2", "€ 9", "€ 10"), self.at("Rope", "/3", "€ 5", "€ 6"))
        looked(knowledge, clock, self.at("Rope", "/2", "€ 6", "€ 7"))
        assert self.told(knowledge) == {
            "Bell · Price": ["€ 9", "€ 10"],
            "Rope · Price": ["€ 5", "€ 6", "€ 7"],
        }

    def test_a_value_that_is_called_otherwise_is_known_by_its_place(
        self, knowledge: MemoryKnowledge, clock: Clock
    ):
        looked(knowledge, clock)
        looked(knowledge, clock, self.at("Bell", "/2", "€ 9", "€ 10"), self.at("Rope", "/3", "€ 5", "€ 6"))
        looked(knowledge, clock, self.at("Bell, sale", "/2", "€ 10", "€ 8"))
        assert self.told(knowledge)["Bell, sale · Price"] == ["€ 9", "€ 10", "€ 8"]


class TestMoves:
    """How the values of many sentinels moved, read at once."""

    def since(self, clock: Clock) -> datetime:
        return as_datetime(clock.now - 24 * 24 * HOUR)

    def test_the_moves_of_one_value_with_what_it_was_before(self, knowledge: MemoryKnowledge, clock: Clock):
        looked(knowledge, clock)
        first = looked(knowledge, clock, price("€ 3", "€ 4"))
        second = looked(knowledge, clock, price("€ 4", "€ 2"))
        found = moves_of(knowledge.changes, "jill", {"tea": 2, "coffee": 0}, self.since(clock))
        assert list(found) == ["tea"]
        assert [(one.at, one.text) for one in found["tea"].steps] == [
            (first, "€ 3"),
            (first, "€ 4"),
            (second, "€ 2"),
        ]

    def test_several_values_have_no_line_together(self, knowledge: MemoryKnowledge, clock: Clock):
        looked(knowledge, clock)
        looked(knowledge, clock, price("€ 3", "€ 4"), price("€ 7", "€ 8", "/html/i"))
        assert moves_of(knowledge.changes, "jill", {"tea": 1}, self.since(clock)) == {}

    def test_a_busy_value_takes_no_room_from_others(
        self, knowledge: MemoryKnowledge, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr("webvigil.app.sentinels.values._DRAWN", 20)
        looked(knowledge, clock)
        looked(knowledge, clock, price("€ 3", "€ 4"))
        knowledge.sentinels.add(sentinel("busy", "http://busy.test/"))
        for number in range(60):
            looked(knowledge, clock, price(f"€ {number}", f"€ {number + 1}"), name="busy")
        found = moves_of(knowledge.changes, "jill", {"tea": 1, "busy": 60}, self.since(clock))
        assert [one.text for one in found["tea"].steps] == ["€ 3", "€ 4"]
        assert (len(found["busy"].steps), found["busy"].cut, found["tea"].cut) == (49, True, False)

    def test_without_moves_there_is_nothing_to_read(self, knowledge: MemoryKnowledge, clock: Clock):
        looked(knowledge, clock)
        looked(knowledge, clock, price("€ 3", "€ 4"))
        clock.now += 30 * 24 * HOUR
        assert moves_of(knowledge.changes, "jill", {"tea": 1}, self.since(clock)) == {}
        assert moves_of(knowledge.changes, "jill", {}, self.since(clock)) == {}
