"""Places that never rest are learnt, and only they (Q3, Q4)."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.model.change import ObjectChange, Status
from webvigil.model.quiet import Habits, LeftOut, Place, Why, habits_as_json, habits_from_json
from webvigil.trigger import restless as module
from webvigil.trigger.restless import (
    COOLING,
    MOST_PLACES,
    MOST_SEEN,
    PATIENCE,
    REMEMBERED,
    SOON,
    form_of,
    heat,
    learnt,
    place_of,
    restless,
    thinned,
    unseen,
    usual,
)


def text(before: str, after: str, where: str = "/html/body/p") -> ObjectChange:
    return ObjectChange(before or after, Status.UPDATED, before=before, after=after, where=(where,))


def link(url: str, where: str = "/html/body/ul/li[2]/a") -> ObjectChange:
    return ObjectChange(url, Status.NEW, old=0, new=1, where=(where,))


class Page:
    """A page that is looked at, look by look."""

    def __init__(self) -> None:
        self.habits = Habits()
        self.look = 0

    def shows(self, *objects: ObjectChange, at_once: bool = False) -> list[str]:
        """Returns what is told of these."""
        self.look += 1
        left_out = usual(objects, self.habits, self.look, at_once=at_once)
        self.habits = learnt(self.habits, objects, left_out, self.look, at_once=at_once)
        gone = {id(one.object) for one in left_out}
        return [one.after or one.object for one in objects if id(one) not in gone]

    def rests(self, looks: int) -> None:
        self.look += looks


def ticking(page: Page, looks: int, where: str = "/html/body/p") -> list[str]:
    return [told for n in range(looks) for told in page.shows(text(str(9011 - n), str(9010 - n), where))]


def test_a_counter_is_told_twice_and_then_left_out():
    assert ticking(Page(), 10) == ["9010", "9009"]


def test_where_a_number_ticked_words_are_told():
    page = Page()
    ticking(page, 10)
    assert page.shows(text("9001", "sold out")) == ["sold out"]


def test_an_edit_elsewhere_is_told():
    page = Page()
    ticking(page, 10)
    assert page.shows(text("9001", "9000"), text("12", "13", "/html/body/div/p")) == ["13"]


def test_running_text_is_told_five_times_in_a_row():
    page = Page()
    told = [page.shows(text(f"old {n} news", f"new {n} story")) for n in range(8)]
    assert [bool(one) for one in told] == [True] * 5 + [False] * 3


def test_a_text_much_larger_than_usual_is_told():
    page = Page()
    for n in range(8):
        page.shows(text(f"old {n} news", f"new {n} story"))
    long = " ".join(f"word{n}" for n in range(60))
    assert page.shows(text("news", long)) == [long]


def test_what_takes_turns_is_told_twice():
    page = Page()
    turns = [("summer", "winter"), ("winter", "summer")] * 4
    assert [bool(page.shows(text(*one))) for one in turns] == [True, True] + [False] * 6


def test_something_new_among_what_takes_turns_is_told():
    page = Page()
    for one in [("summer", "winter"), ("winter", "summer")] * 2:
        page.shows(text(*one))
    assert page.shows(text("summer", "we are closed")) == ["we are closed"]


def test_going_back_once_is_told():
    page = Page()
    page.shows(text("open", "closed"))
    page.rests(1)
    assert page.shows(text("closed", "open")) == ["open"]


def test_a_place_that_rests_is_forgotten():
    page = Page()
    ticking(page, 10)
    page.rests(40)
    assert page.shows(text("9001", "9000")) == ["9000"]
    assert not restless(page.habits, page.look)


def test_a_place_that_changes_now_and_then_is_always_told():
    page = Page()
    for n in range(50):
        page.rests(20)
        assert page.shows(text(str(n), str(n + 1)))


def test_the_items_of_a_list_are_one_place():
    page = Page()
    told = [page.shows(link(f"/brand/{n}", f"/html/body/ul/li[{n % 7 + 1}]/a")) for n in range(12)]
    assert [bool(one) for one in told] == [True] * 5 + [False] * 7


def test_the_shell_of_a_page_is_one_place_and_the_text_is_not():
    menu = text("", "Sale", "/html/body/div[2]/header/nav/ul/li[4]/a")
    assert place_of(menu) == "header"
    assert place_of(text("", "x", "/html/body/main/article/header/h1")) == "/html/body/main/article/header/h1"
    page = Page()
    told = [page.shows(text("", f"Sale {n}", f"/html/body/header/div[{n}]/a")) for n in range(1, 6)]
    assert [bool(one) for one in told] == [True, True, False, False, False]
    assert page.shows(text("a", "b", "/html/body/main/p"))


def test_forms_are_told_apart():
    assert form_of(text("12 items", "13 items")) == "number"
    assert form_of(text("12 items", "sold out")) == "text"
    assert form_of(link("/a")) == "link"
    assert form_of(link("/a.png", "/html/body/img[2]")) == "picture"


def test_a_span_of_time_is_a_number_whatever_its_unit():
    page = Page()
    assert page.shows(text("4 seconds", "24 seconds"), at_once=True) == []
    told = [page.shows(text(*pair)) for pair in (("54 seconds", "1 minute"), ("1 minute", "2 minutes"))]
    assert told == [[], []]
    assert page.shows(text("2 minutes", "never")) == ["never"]
    assert form_of(text("vor 59 Sekunden", "vor 1 Minute")) == "number"
    assert form_of(text("3 apples", "4 pears")) == "text"


def test_a_term_that_is_changed_once_is_told():
    assert Page().shows(text("30 days", "2 weeks")) == ["2 weeks"]


def test_a_second_look_teaches_at_once():
    page = Page()
    assert page.shows(text("1", "2"), link("/x"), text("a", "b", "/html/body/div"), at_once=True) == ["b"]
    assert page.shows(text("2", "3"), link("/y")) == ["/y"]


def test_nothing_hides_for_ever():
    """A hostile page keeps a place busy and says something there."""
    page = Page()
    told = [bool(page.shows(text(f"{n} a", f"{n + 1} b c"))) for n in range(3 * PATIENCE)]
    quiet = "".join("." if one else "q" for one in told)
    assert "q" * (PATIENCE + 1) not in quiet
    assert sum(told) < 15


def test_ten_thousand_restless_places_are_bounded():
    page = Page()
    for look in range(4):
        page.shows(*(text(str(look), str(look + 1), f"/html/body/div[{n}]/p") for n in range(10_000)))
    assert len(page.habits.places) <= MOST_PLACES
    assert len(json.dumps(habits_as_json(page.habits))) < 100_000


def test_what_was_seen_is_bounded():
    page = Page()
    for look in range(4):
        page.shows(*(link(f"/{look}/{n}") for n in range(5_000)))
    assert max(len(one.seen_in_order) for one in page.habits.places) <= MOST_SEEN


_OBJECTS = st.builds(
    text,
    st.sampled_from(["1", "2", "low", "sold out"]),
    st.sampled_from(["3", "4", "high", "here"]),
    st.sampled_from(["/html/body/p", "/html/body/div[2]/p", "/html/body/header/a"]),
)


@given(st.lists(st.lists(_OBJECTS, max_size=4), max_size=12), st.text(min_size=1, max_size=20))
def test_an_edit_at_a_place_that_rested_is_always_told(looks: list[list[ObjectChange]], edit: str):
    """The law: whatever else the page does."""
    page = Page()
    for objects in looks:
        page.shows(*objects)
    assert page.shows(text("before", f"after {edit}", "/html/body/article/p[7]"))


@given(st.lists(st.lists(_OBJECTS, max_size=4), max_size=8))
def test_habits_are_written_and_read(looks: list[list[ObjectChange]]):
    page = Page()
    for objects in looks:
        page.shows(*objects)
    plain = json.loads(json.dumps(habits_as_json(page.habits)))
    again = habits_from_json(plain)
    assert habits_as_json(again) == plain
    assert [one.key for one in again.places] == [one.key for one in page.habits.places]


@given(st.lists(_OBJECTS, max_size=6))
def test_a_page_that_we_do_not_know_is_told_whole(objects: list[ObjectChange]):
    assert usual(objects, Habits(), 1) == []


def test_what_is_loud_is_told():
    page = Page()
    ticking(page, 10)
    left_out = usual([text("1", "2")], page.habits, page.look + 1, loud=lambda one: True)
    assert left_out == []
    (one,) = usual([text("1", "2")], page.habits, page.look + 1)
    assert (one.why, one.place) == (Why.RESTLESS, "/html/body/p")


def test_a_place_cools_with_every_look_after_its_last_change_and_never_warms_up():
    place = Place(key="/p", form="text", heat=8.0, look=5)
    assert [heat(place, look) for look in (3, 5, 6, 7)] == [8.0, 8.0, 8 * COOLING, 8 * COOLING**2]


class Flapping(Page):
    """A page that showed another text for two looks, and was as before for long."""

    def __init__(self, rested: int) -> None:
        super().__init__()
        self.shows(text("works", "fails"))
        self.rests(1)
        self.shows(text("fails", "works"))
        self.rests(rested)

    def would_leave_out(
        self, *objects: ObjectChange, patience: int = 5, happened: tuple[str, ...] | None = None
    ) -> list[Why]:
        found = usual(objects, self.habits, self.look + 1, patience=patience, happened=happened)
        return [one.why for one in found]


def test_what_was_soon_undone_may_be_undone_again():
    page = Flapping(rested=100)
    assert page.would_leave_out(text("works", "fails")) == [Why.SEEN]
    assert page.would_leave_out(text("works", "fails"), patience=0) == []
    assert page.would_leave_out(text("works", "sold out")) == []
    assert page.would_leave_out(text("works", "fails", "/html/body/div/p")) == []


def test_what_is_not_undone_for_a_few_looks_stays():
    page = Flapping(rested=100)
    page.shows(text("works", "fails"))
    waits = []
    for _ in range(8):
        waits.append(bool(page.would_leave_out(text("works", "fails"), happened=())))
        page.rests(1)
    assert waits == [True] * 4 + [False] * 4


def test_what_is_undone_late_was_no_slip():
    page = Page()
    page.shows(text("works", "fails"))
    page.rests(SOON)
    page.shows(text("fails", "works"))
    assert not any(one.returned for one in page.habits.places)


def test_a_number_that_was_soon_undone_is_news_again():
    page = Page()
    page.shows(text("12", "9"))
    page.shows(text("9", "12"))
    page.rests(30)
    assert usual([text("12", "9")], page.habits, page.look + 1, patience=5) == []


def test_a_place_that_flapped_is_forgotten_in_the_end():
    page = Flapping(rested=REMEMBERED - 2)
    page.shows(text("1", "2", "/html/body/div"))
    assert "/html/body/p" in [one.key for one in page.habits.places]
    page.rests(2)
    page.shows(text("2", "3", "/html/body/div"))
    assert [one.key for one in page.habits.places] == ["/html/body/div"]


def test_what_went_from_one_element_and_came_in_another_is_undone_at_both():
    page = Page()
    page.shows(text("two ships", "an error", "/html/body/ul/li"))
    page.shows(text("an error", "two ships", "/html/body/p"))
    assert {one.key: one.returned for one in page.habits.places} == {"/html/body/ul/li": 1, "/html/body/p": 1}


def test_a_place_that_flapped_warms_up_as_fast_as_any_other():
    page = Flapping(rested=100)
    assert ticking(page, 10) == ["9010", "9009"]


def test_habits_that_were_written_before_flaps_were_known_are_read():
    page = Flapping(rested=0)
    rows = [row[:-2] for row in habits_as_json(page.habits)["places"]]
    (place,) = habits_from_json(rows).places
    assert (place.swapped, place.returned, place.times) == ((), 0, 2)


def test_flaps_of_ten_thousand_places_are_bounded():
    page = Page()
    pairs = [("works", "fails"), ("fails", "works")] * 2
    for pair in pairs:
        page.shows(*(text(*pair, f"/html/body/div[{n}]/p") for n in range(10_000)))
    assert len(page.habits.places) <= MOST_PLACES
    assert len(json.dumps(habits_as_json(page.habits))) < 100_000


def test_a_number_that_moves_every_few_looks_is_news_each_time():
    habits, told = Habits(), 0
    for look in range(1, 60):
        if look % 4:
            continue
        moved = [_number(look)]
        left_out = usual(moved, habits, look)
        told += not left_out
        habits = learnt(habits, moved, left_out, look)
    assert told == 14


def test_a_number_that_moves_at_every_look_is_soon_left_out():
    habits, told = Habits(), 0
    for look in range(1, 60):
        moved = [_number(look)]
        left_out = usual(moved, habits, look)
        told += not left_out
        habits = learnt(habits, moved, left_out, look)
    assert told <= 3


def _number(value: int) -> ObjectChange:
    place = ("/html/body/p[2]/b",)
    return ObjectChange(
        object=str(value), status=Status.UPDATED, before=str(value - 1), after=str(value), where=place
    )


def test_a_number_that_comes_back_to_what_it_was_is_news_where_it_moves_seldom():
    habits, told = Habits(), 0
    for look in range(4, 60, 4):
        moved = [_number(look % 8 + 1)]
        left_out = usual(moved, habits, look)
        told += not left_out
        habits = learnt(habits, moved, left_out, look)
    assert told == 14


# --- what is kept of a place ------------------------------------------------------------------------


def mark(text: str) -> int:
    return crc32(text.encode())


def test_everything_about_a_place_is_noted_at_its_first_change():
    page = Page()
    page.shows(text("two ships", "an odd error"))
    assert page.habits.places == (
        Place(
            key="/html/body/p",
            form="text",
            heat=1.0,
            look=1,
            times=1,
            most=3,
            seen_in_order=(mark("two ships"), mark("an odd error")),
            example="an odd error",
            looks=1.0,
            swapped=(mark("two ships"), mark("an odd error")),
        ),
    )


def test_everything_about_a_place_is_noted_at_its_last_change():
    page = Page()
    for n in range(4):
        page.shows(text(str(n), str(n + 1)))
    (place,) = page.habits.places
    assert (place.look, place.times, place.most, place.left_out) == (4, 4, 1, 2)
    assert place.heat == place.looks == pytest.approx(1 + COOLING + COOLING**2 + COOLING**3)
    assert place.example == "4"
    page.shows(text("4", "5"), text("5", "12345"))
    (place,) = page.habits.places
    assert place.seen_in_order == tuple(map(mark, ["0", "1", "2", "3", "4", "5", "12345"]))
    assert place.swapped == (mark("4\n5"), mark("5\n12345"))
    assert (place.example, place.left_out, place.times) == ("12345", 3, 5)


def test_a_link_is_noted_by_its_address_and_by_whether_it_came():
    page = Page()
    went = ObjectChange("/old", Status.GONE, old=1, new=0, where=("/html/body/a",))
    fewer = ObjectChange("/less", Status.FEWER, old=3, new=2, where=("/html/body/a",))
    unknown = ObjectChange("/what", Status.GONE, old=1, where=("/html/body/a",), before="x", after="y")
    same = ObjectChange("/same", Status.UPDATED, old=2, new=2, where=("/html/body/a",))
    page.shows(went, fewer, link("/new", "/html/body/a"), same)
    (place,) = page.habits.places
    assert place.swapped == (mark("/old\n/less\n/same"), mark("/new"))
    assert (place.example, place.most, place.form) == ("/same", 1, "link")
    assert place.seen_in_order == tuple(map(mark, ["/old", "/less", "/new", "/same"]))
    other = Page()
    other.shows(unknown)
    assert other.habits.places[0].swapped == (mark("/what"), mark(""))


def test_what_only_went_is_the_example_and_a_long_one_is_cut():
    page = Page()
    page.shows(text("x" * 100, ""))
    assert page.habits.places[0].example == "x" * 80


def test_a_change_that_is_told_ends_the_row_of_those_left_out_and_a_label_stays():
    habits = Habits()
    one = text("9", "8")
    for look in (1, 2, 3, 4):
        habits = learnt(habits, [one], [LeftOut(Why.RESTLESS, one, "/html/body/p", f"Stock {look}")], look)
    assert [(place.left_out, place.label) for place in habits.places] == [(4, "Stock 1")]
    habits = learnt(habits, [one], [], 5)
    assert [(place.left_out, place.label) for place in habits.places] == [(0, "Stock 1")]


def test_a_place_that_has_cooled_down_counts_its_looks_anew():
    faded = Place(key="/html/body/p", form="text", heat=0.25, look=7, times=9, looks=9.0, returned=1)
    warm = replace(faded, heat=0.2501)
    one = text("a", "b")
    told = [learnt(Habits(places=(place,)), [one], [], 7).places[0].looks for place in (faded, warm)]
    assert told == [1.0, 9.0]


def test_a_place_is_kept_while_it_is_warm_or_if_it_flapped_of_late():
    places = tuple(
        Place(key=f"/{heat}/{returned}/{look}", form="text", heat=heat, look=look, returned=returned)
        for heat in (0.25, 0.26)
        for returned in (0, 1)
        for look in (500, 1)
    )
    kept = learnt(Habits(places=places), [], [], 500).places
    assert [one.key for one in kept] == [
        "/0.25/1/500",
        "/0.25/1/1",
        "/0.26/0/500",
        "/0.26/1/500",
        "/0.26/1/1",
    ]
    kept = learnt(Habits(places=places), [], [], 501).places
    assert [one.key for one in kept] == ["/0.25/1/500", "/0.26/1/500"]


def test_of_more_than_four_hundred_places_the_hottest_are_kept():
    places = tuple(Place(key=f"/{n:03}", form="text", heat=1.0 + n, look=1) for n in range(401))
    assert learnt(Habits(places=places[1:]), [], [], 1).places == places[1:]
    assert learnt(Habits(places=places), [], [], 1).places == places[:0:-1]


# --- at the borders ---------------------------------------------------------------------------------


def place(form: str = "text", heat: float = 5.0, looks: float = 5.0, **more: Any) -> Place:
    return Place(key="/html/body/p", form=form, heat=heat, looks=looks, look=1, times=5, most=1, **more)


def would_leave_out(one: ObjectChange, known: Place, look: int = 1, **more: Any) -> list[Why]:
    return [left.why for left in usual([one], Habits(places=(known,)), look, **more)]


@pytest.mark.parametrize(
    ("known", "leaves_out"),
    [
        (place("text", 4.0, 4.0), True),
        (place("text", 3.99, 3.99), False),
        (place("text", 4.5, 10.0), True),
        (place("text", 4.49, 10.0), False),
        (place("number", 1.5, 1.5), True),
        (place("number", 1.49, 1.49), False),
        (place("age", 0.26, 9.0), True),
        (place("age", 0.25, 9.0), False),
    ],
)
def test_a_place_is_restless_from_its_bounds_on(known: Place, leaves_out: bool):
    one = text("sold", "gone") if known.form == "text" else text("8", "9")
    ageing = [one] if known.form == "age" else []
    assert bool(usual([one], Habits(places=(known,)), 1, ageing=ageing)) is leaves_out
    assert bool(restless(Habits(places=(known,)), 1)) is leaves_out


def test_a_text_that_was_there_is_no_news_from_a_bound_on():
    seen = (mark("sold"), mark("gone"))
    assert would_leave_out(text("sold", "gone"), place(heat=1.2, looks=9.0, seen_in_order=seen)) == [Why.SEEN]
    assert would_leave_out(text("sold", "gone"), place(heat=1.19, looks=9.0, seen_in_order=seen)) == []


def test_a_number_that_was_there_is_no_news_where_numbers_move_often():
    seen = (mark("8"), mark("9"))
    often, seldom = (place("number", 1.2, looks, seen_in_order=seen) for looks in (1.2, 9.0))
    assert would_leave_out(text("8", "9"), often) == [Why.SEEN]
    assert would_leave_out(text("8", "9"), seldom) == []


@pytest.mark.parametrize(("most", "words"), [(1, 12), (3, 12), (4, 16), (50, 200)])
def test_a_text_of_more_than_four_times_the_words_is_another_form(most: int, words: int):
    known = replace(place(), most=most)
    assert would_leave_out(text("", " ".join(["x"] * words)), known) == [Why.RESTLESS]
    assert would_leave_out(text("", " ".join(["x"] * (words + 1))), known) == []


def test_a_link_counts_as_one_word():
    known = replace(place("link"), most=0)
    assert would_leave_out(link("/a", "/html/body/p"), known) == [Why.RESTLESS]


def test_a_place_is_told_once_after_a_hundred_times():
    assert would_leave_out(text("sold", "gone"), place(left_out=99)) == [Why.RESTLESS]
    assert would_leave_out(text("sold", "gone"), place(left_out=100)) == []


def test_what_came_back_before_may_be_missing_for_as_long_as_the_patience():
    known = place(heat=0.5, looks=9.0, returned=1, seen_in_order=(mark("gone"),))
    gone = text("", "gone")
    for look in (1, 2, 3):
        rested = look - 1
        assert would_leave_out(gone, known, look, patience=2, happened=()) == [Why.SEEN] * (rested < 2)
        assert would_leave_out(gone, known, look, patience=1, happened=("/html/body/p",)) == [Why.SEEN]
        assert would_leave_out(gone, known, look, patience=1) == [Why.SEEN]
    assert would_leave_out(gone, known) == []


@pytest.mark.parametrize(("looks", "returned"), [(5, 1), (6, 0)])
def test_what_is_undone_after_five_looks_was_missing_and_after_six_it_was_gone(looks: int, returned: int):
    page = Page()
    page.shows(text("works", "fails"))
    page.rests(looks - 1)
    page.shows(text("fails", "works"))
    assert [one.returned for one in page.habits.places] == [returned]


def test_the_restless_places_are_named_the_hottest_first_with_those_that_flap():
    places = (
        replace(place(heat=4.0, looks=4.0), key="/warm"),
        replace(place(heat=0.5, looks=9.0, returned=1, left_out=1), key="/flapping"),
        replace(place(heat=0.5, looks=9.0, returned=1), key="/told"),
        replace(place(heat=0.5, looks=9.0, left_out=1), key="/cold"),
        replace(place(heat=9.0, looks=9.0), key="/hot"),
    )
    assert [one.key for one in restless(Habits(places=places), 1)] == ["/hot", "/warm", "/flapping"]


def test_looks_of_others_do_not_cool_a_place():
    known = Habits(places=(place(), replace(place(), look=90), replace(place(), look=100)))
    assert [one.look for one in thinned(known, 100, 10).places] == [90, 99, 100]
    assert [one.look for one in thinned(known, 100, 1.5).places] == [34, 93, 100]
    assert thinned(known, 100, 1.0) is known
    assert [one.look for one in unseen(known, 3).places] == [4, 93, 103]
    alone = Habits(places=(place(),))
    assert (restless(alone, 51), len(restless(replace(alone, every=50.0), 51))) == ([], 1)


def test_a_place_without_a_path_is_the_page():
    nowhere = ObjectChange("/a", Status.NEW, old=0, new=1)
    assert (place_of(nowhere), form_of(nowhere)) == ("", "link")
    twice = nowhere._replace(where=("/html/body/p/img[3]", "/html/body/nav/a"))
    assert (place_of(twice), form_of(twice)) == ("/html/body/p/img", "picture")


steps = st.sampled_from(
    ["nav", "menu[2]", "header", "footer[12]", "main", "section[3]", "navx", "xnav", "li[2]", "@nav", "p"]
)


@given(st.lists(steps, max_size=6))
def test_the_part_of_the_shell_is_the_first_one_on_the_way(way: list[str]):
    names = [step.partition("[")[0] for step in way]
    sections = [place for place, name in enumerate(names) if name in ("main", "section")]
    outside = names[: sections[0]] if sections else names
    shell = [(place, name) for place, name in enumerate(names) if name in ("nav", "menu")]
    shell += [(place, name) for place, name in enumerate(outside) if name in ("header", "footer")]
    path = "".join(f"/{step}" for step in way)
    assert place_of(text("a", "b", path)) == (min(shell)[1] if shell else path.replace("li[2]", "li"))


moments = st.tuples(
    st.sampled_from(["/p[1]", "/p[2]", "/p[3]", "/p[4]", "/nav/a"]), st.sampled_from(["a", "b", "1", "2"])
)
days = st.lists(st.lists(st.tuples(moments, moments), max_size=6), min_size=1, max_size=4)


@given(days, st.booleans())
def test_of_very_many_new_places_the_same_are_kept_as_if_all_were_learnt(days: list[Any], at_once: bool):
    def after(skipping: bool) -> Habits:
        habits = Habits()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "MOST_PLACES", 3)
            if not skipping:
                patch.setattr(module, "_too_many", lambda new: set())
                patch.setattr(module, "_placed", lambda some, *_: [(place_of(one), one) for one in some])
            for look, day in enumerate(days, 1):
                objects = [text(before, now, where) for (where, before), (_, now) in day]
                habits = learnt(habits, objects, [], look, at_once=at_once)
        return habits

    assert after(skipping=True) == after(skipping=False)


def test_of_very_many_new_places_only_those_that_are_kept_are_learnt(monkeypatch: pytest.MonkeyPatch):
    warmed: list[str] = []
    plain = module._warmed
    monkeypatch.setattr(
        module, "_warmed", lambda *args, **named: warmed.append(args[0].key) or plain(*args, **named)
    )
    habits = learnt(Habits(), [text("a", "b", f"/p[{n}]") for n in range(9 * MOST_PLACES)], [], 1)
    assert len(warmed) - 1 == len(habits.places) == MOST_PLACES


def test_forms_of_changes_at_places_that_are_not_kept_are_not_worked_out(monkeypatch: pytest.MonkeyPatch):
    asked: list[ObjectChange] = []
    plain = module.form_of
    monkeypatch.setattr(module, "form_of", lambda one: asked.append(one) or plain(one))
    objects = [text("a", "b", f"/p[{n}]") for n in range(9 * MOST_PLACES)]
    assert usual(objects, Habits(), 1) == []
    assert asked == []
    learnt(Habits(), objects, [], 1)
    assert len(asked) == MOST_PLACES + 1


@given(st.text(alphabet="0129 ab٣", max_size=9).map(lambda text: text * 60))
def test_numbers_of_a_long_text_are_those_of_an_expression(text: str):
    assert module._same_but_numbers(f"{text} {'-' * 400}", f"{re.sub(r'[0-9٣]+', '7', text)} {'-' * 400}")
    assert not module._same_but_numbers(f"{text} {'-' * 400}", f"{text} {'-' * 400}a")


def test_of_many_new_places_those_with_the_first_keys_are_kept():
    known = Habits(places=(Place(key="/hot", form="text", heat=9.0, look=1),))
    new = [text("a", f"b{n}", f"/p{n:03}") for n in reversed(range(402))]
    numbers = [text("a 1", "a 2", f"/p{n:03}") for n in range(50)]
    kept = learnt(known, [*new, *numbers], [], 2).places
    both = sorted(f"/p{n:03}" for n in [*range(402), *range(50)])
    assert [one.key for one in kept] == ["/hot", *both[:399]]


@pytest.mark.parametrize(("length", "form"), [(400, "number"), (401, "text")])
def test_a_span_of_time_is_one_number_in_a_text_of_up_to_four_hundred_letters(length: int, form: str):
    before, after = " 59 minutes ago", " 1 hour ago"
    start = "x" * (length - len(before))
    assert (
        form_of(text(start + before, start + after)) == form_of(text(start + after, start + before)) == form
    )


@pytest.mark.parametrize("rest", ["", "é", "x" * 500, "é" * 500])
def test_numbers_are_told_apart_from_texts_however_long_they_are(rest: str):
    assert form_of(text(f"7 of 10{rest}", f"12345 of 99{rest}")) == "number"
    assert form_of(text(f"٣ of 10{rest}", f"٤٥ of 99{rest}")) == "number"
    assert form_of(text(f"7 of 10{rest}", f"7 for 10{rest}")) == "text"
