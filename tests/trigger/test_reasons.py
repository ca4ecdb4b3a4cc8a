"""What is left out is said in sentences (Q7)."""

from __future__ import annotations

from webvigil.model.change import ObjectChange, Status
from webvigil.model.quiet import LeftOut, Place, Why
from webvigil.trigger.reasons import about_place, in_sentences, where


def left(why: Why, text: str = "7", place: str = "") -> LeftOut:
    return LeftOut(why, ObjectChange("6", Status.UPDATED, before="6", after=text), place)


def test_each_reason_is_a_sentence():
    said = {why: in_sentences([left(why, place="/html/body/p")]) for why in Why}
    assert said == {
        Why.ADDRESS: "1 address that means the same as before, such as “7”",
        Why.UNSEEN: "1 picture or link that nobody sees, such as “7”",
        Why.TICKING: "1 time that ticks, such as “7”",
        Why.RESTLESS: "/html/body/p changes at nearly every look, this time: “7”",
        Why.SEEN: "“7” was there before, and /html/body/p takes turns",
        Why.NOT_NEW: "1 change to what was on the page before, such as “7”",
        Why.JUST_GONE: "“7” went away just now: told if the next looks confirm it",
    }


def test_what_belongs_together_is_said_once():
    assert in_sentences([left(Why.TICKING), left(Why.TICKING, "8")]) == "2 times that tick, such as “7”"
    assert in_sentences([]) == ""


def test_many_places_are_counted_and_long_texts_cut():
    said = in_sentences(left(Why.RESTLESS, "x" * 500, f"/p[{n}]") for n in range(9))
    assert said.endswith("; and at 4 more places")
    assert len(said) < 700


def test_a_place_is_told_by_what_it_does():
    number = Place(key="/html/body/p", form="number", example="12")
    assert about_place(number) == "a number at /html/body/p changes at nearly every look, last: “12”"
    assert about_place(Place(key="nav", form="text", example="Sale")) == (
        "the navigation changes at nearly every look, last: “Sale”"
    )
    back = Place(key="/html/body/p", form="text", example="Sale", returned=1)
    assert about_place(back) == "a text at /html/body/p comes and goes, last: “Sale”"
    age = Place(key="/html/body/p", form="age", example="2 min ago")
    assert about_place(age) == "an age at /html/body/p goes on with the clock, last: “2 min ago”"


def test_an_address_that_is_written_anew_is_one_address():
    went = ObjectChange("/logo.png?v=3", Status.GONE, old=1, new=0)
    came = ObjectChange("/logo.png?v=4", Status.NEW, old=0, new=1)
    said = in_sentences([LeftOut(Why.ADDRESS, went), LeftOut(Why.ADDRESS, came)])
    assert said == "1 address that means the same as before, such as “/logo.png?v=3”"


def test_five_places_are_said_and_a_sixth_is_counted():
    said = [in_sentences(left(Why.RESTLESS, "7", f"/p[{n}]") for n in range(count)) for count in (5, 6)]
    five = "; ".join(f"/p[{n}] changes at nearly every look, this time: “7”" for n in range(5))
    assert said == [five, five + "; and at 1 more places"]


def test_a_quoted_text_has_at_most_sixty_characters():
    whole, cut = (in_sentences([left(Why.TICKING, "x" * length)]) for length in (60, 61))
    assert whole == "1 time that ticks, such as “" + "x" * 60 + "”"
    assert cut == "1 time that ticks, such as “" + "x" * 59 + "…”"


def test_a_place_is_called_by_its_label_and_the_first_of_a_group_names_it():
    group = [left(Why.RESTLESS, text, "/html/body/p")._replace(label=label) for text, label in ("7a", "8b")]
    assert in_sentences(group) == "the number beside “a” changes at nearly every look, this time: “7”"
    labelled = Place(key="/html/body/p", form="number", example="12", label="Stock")
    assert about_place(labelled) == "the number beside “Stock” changes at nearly every look, last: “12”"
    assert [where(key) for key in ("nav", "menu", "aside", "header", "/html/p", "")] == [
        "the navigation",
        "the menu",
        "the side column",
        "the header",
        "/html/p",
        "the page",
    ]


def test_addresses_are_counted_by_those_that_went_or_by_those_that_came():
    went = [LeftOut(Why.ADDRESS, ObjectChange(f"/{n}", Status.GONE, old=1, new=0)) for n in range(3)]
    came = [LeftOut(Why.ADDRESS, ObjectChange(f"/{n}?v", Status.NEW, old=0, new=1)) for n in range(5)]
    fewer = [LeftOut(Why.ADDRESS, ObjectChange(f"/{n}", Status.FEWER, old=3, new=2)) for n in range(3)]
    assert in_sentences(went + came[:1]).startswith("3 addresses that mean the same")
    assert in_sentences(went[:1] + came).startswith("5 addresses that mean the same")
    assert in_sentences(fewer + came[:2]).startswith("3 addresses that mean the same")


def test_what_went_away_together_is_counted():
    said = [in_sentences(left(Why.JUST_GONE, str(n)) for n in range(count)) for count in (1, 2, 3)]
    assert [one.partition(" went")[0] for one in said] == ["“0”", "“0” and 1 more", "“0” and 2 more"]
