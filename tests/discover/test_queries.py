"""The likeliest query comes first, and none comes twice (S3)."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.discover.test_questions import questions
from webvigil.discover.description import Argument, Example
from webvigil.discover.queries import (
    Fill,
    Query,
    _cheapest,
    _fills,
    _in_control,
    _is_called,
    _takes,
    _ways,
    _without_sense,
    lacking,
    queries,
    takes_words,
)
from webvigil.discover.questions import Control
from webvigil.discover.service import service_class
from webvigil.document.forms import Option


def asked(markup: str, service: str, most: int = 50) -> list[Query]:
    (form,) = questions(markup)
    return list(islice(queries(form, service_class(service), post=True), most))


def first(markup: str, service: str) -> dict[str, str]:
    return {fill.control.name: fill.value for fill in asked(markup, service, 1)[0].fills}


def test_hints_lead_to_the_right_field():
    assert first(
        "<form><input name=year><input name=author><input name=title></form>", "library-catalogue"
    ) == {"author": "shakespeare"}
    assert first("<form>Jahr <input name=f1> Verfasser <input name=f2></form>", "library-catalogue") == {
        "f2": "shakespeare"
    }


def test_a_whole_word_of_a_name_counts_more_than_a_part():
    assert first("<form><input name=unquestioned><input name=q></form>", "price-search") == {"q": "camera"}


def test_without_any_hint_fields_come_in_the_order_of_the_arguments():
    assert first("<form><input name=f1><input name=f2></form>", "timetable") == {
        "f1": "Berlin",
        "f2": "Hamburg",
    }


def test_choices_are_chosen_by_pattern():
    chosen = first(
        """<form><textarea name=seq></textarea><select name=program><option>tblastn<option>blastn</select>
        <select name=db><option value=nr>Everything<option value=nt selected>Nucleotides</select></form>""",
        "dna-blast",
    )
    assert chosen == {"seq": chosen["seq"], "program": "blastn", "db": "nt"}


def test_an_iterator_tries_its_choices_one_after_the_other():
    found = asked(
        "<form><textarea name=seq></textarea><select name=db><option>a<option>b<option>c</select></form>",
        "dna-blast",
    )
    tried = [fill.value for query in found for fill in query.fills if fill.argument.name == "database"]
    assert list(dict.fromkeys(tried)) == ["a", "b", "c"]


def test_what_need_not_be_told_is_not_told_unless_the_form_insists():
    free = "<form><textarea name=seq></textarea><input name=email></form>"
    assert "email" not in first(free, "dna-blast")
    assert (
        first(free.replace("name=email", "name=email required"), "dna-blast")["email"] == "nobody@example.org"
    )


def test_a_field_too_short_for_the_value_is_not_taken():
    assert first("<form><input name=seq maxlength=20><input name=other></form>", "dna-blast").keys() == {
        "other"
    }


def test_a_line_takes_no_line_ends():
    assert "\n" not in first("<form><input name=seq></form>", "dna-blast")["seq"]
    assert "\n" in first("<form><textarea name=seq></textarea></form>", "dna-blast")["seq"]


def test_no_query_comes_twice():
    found = asked(
        "<form><input name=a><input name=b><input name=c><button>Go</button><button>Go</button></form>",
        "timetable",
    )
    identities = [(query.url, query.method, query.fields) for query in found]
    assert len(set(identities)) == len(identities) == 12


@pytest.mark.parametrize(
    ("markup", "service", "reason"),
    [
        ("<form><input name=a></form>", "timetable", "too few fields"),
        ("<form><input type=number name=a></form>", "price-search", "no field for 'product'"),
        ("<form action='javascript:x()'><input name=a></form>", "price-search", "script"),
    ],
)
def test_a_form_that_lacks_something_has_no_queries_and_a_reason(markup: str, service: str, reason: str):
    (form,) = questions(markup)
    assert asked(markup, service) == []
    assert reason in lacking(form, service_class(service))


def test_nonsense_is_asked_in_the_same_fields():
    (query, *_) = asked("<form><input name=from><input name=to></form>", "timetable")
    control = query.nonsense()
    assert [fill.control for fill in control.fills] == [fill.control for fill in query.fills]
    assert not set(control.arguments) & set(query.arguments)


@pytest.mark.parametrize(
    ("value", "longest", "length"),
    [("ab", 0, 6), ("v" * 12, 0, 12), ("v" * 60, 0, 40), ("v" * 60, 8, 8), ("v" * 60, 50, 40)],
)
def test_nonsense_is_as_long_as_what_makes_sense_within_bounds(value: str, longest: int, length: int):
    (query, *_) = asked("<form><input name=from><input name=to></form>", "timetable")
    fill = query.fills[0]
    made = _without_sense(replace(fill, value=value, control=replace(fill.control, longest=longest)))
    assert len(made.value) == length


def test_nonsense_among_choices_is_no_choice_or_twice_the_same():
    options = "<option>Berlin<option>Hamburg"
    lists = "<select name={}><option value=''>-{}</select>"
    empty = f"<form>{lists.format('from', options)}{lists.format('to', options)}</form>"
    assert [value for _, value in asked(empty, "timetable")[0].nonsense().arguments] == ["", ""]
    full = empty.replace("<option value=''>-", "")
    assert [value for _, value in asked(full, "timetable")[0].nonsense().arguments] == ["Berlin", "Berlin"]


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4).map(sorted), min_size=1, max_size=4))
def test_combinations_come_in_the_order_of_their_sums_and_all_of_them(costs: list[list[int]]):
    found = list(_cheapest([[float(one) for one in row] for row in costs]))
    sums = [cost for cost, _ in found]
    assert sums == sorted(sums)
    every = 1
    for row in costs:
        every *= len(row)
    assert len({places for _, places in found}) == len(found) == every


# --- one argument in one field ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "value", "taken"),
    [
        ("email", "a@b.org", True),
        ("email", "water", False),
        ("number", "12", True),
        ("number", "-1.5", True),
        ("number", "1.5.2", False),
        ("number", "one", False),
        ("url", "https://e.org/", True),
        ("url", "http://e.org/", True),
        ("url", "e.org", False),
        ("date", "2024-01-02", True),
        ("date", "tomorrow", False),
        ("time", "7 o'clock", False),
        ("month", "20", True),
        ("text", "anything", True),
        ("textarea", "", True),
    ],
)
def test_a_field_takes_the_values_that_a_browser_lets_into_it(kind: str, value: str, taken: bool):
    assert _takes(Control(name="x", kind=kind), value) is taken


@pytest.mark.parametrize(("length", "taken"), [(4, True), (5, True), (6, False)])
def test_a_field_takes_no_more_letters_than_it_says(length: int, taken: bool):
    assert _takes(Control(name="x", kind="text", longest=5), "v" * length) is taken


def cost(argument: Argument, control: Control) -> float:
    ((found, fill),) = _in_control(argument, control)
    assert fill.control == control
    return round(found, 6)


def word(value: str = "apple", *hints: str, **more: Any) -> Argument:
    return Argument(name="word", value=value, hints=hints, **more)


def field(*words: str, kind: str = "text", **more: Any) -> Control:
    return Control(name="f", kind=kind, words=words, **more)


def test_fields_are_ranked_by_how_well_their_names_fit_the_hints():
    """From the best to the worst."""
    hints = ("author", "writer|name")
    ranked = [
        field("author"),
        field("x", "author"),
        field("x", "y", "author"),
        field("writer"),
        field("writer", "coauthors"),
        field("coauthors"),
        field("username"),
        field("year"),
    ]
    costs = [cost(word("apple", *hints), one) for one in ranked]
    assert costs == sorted(costs)
    assert costs[0] == 0.0 < costs[1] < costs[2] < costs[3] == costs[4] < costs[5] < costs[6] < costs[7]


@pytest.mark.parametrize(
    ("name", "whole"),
    [
        ("db", True),
        ("my_db", True),
        ("db2", True),
        ("myDb", True),
        ("dbName", True),
        ("the db here", True),
        ("sandbox", False),
        ("mydb", False),
        ("dbs", False),
        ("MYDB", False),
        ("", False),
    ],
)
def test_a_hint_is_a_whole_word_between_signs_numbers_and_capitals(name: str, whole: bool):
    assert _is_called(("[dD][bB]",), field(name)) is whole


def test_a_hint_that_is_no_pattern_fits_nothing():
    assert cost(word("apple", "("), field("(")) == cost(word("apple"), field("x"))


@pytest.mark.parametrize(
    ("inputs", "kind", "fits"),
    [
        ("", "text", True),
        ("text", "text", True),
        ("text", "search", True),
        ("text", "tel", True),
        ("text", "url", True),
        ("text", "textarea", False),
        ("text|textarea", "textarea", True),
        ("area", "textarea", False),
        ("search", "text", False),
    ],
)
def test_an_argument_belongs_into_the_kind_of_field_that_it_wants(inputs: str, kind: str, fits: bool):
    value = "http://e.org/"
    (plain,) = _in_control(word(value, "q"), field("q", kind=kind))
    (wanted,) = _in_control(word(value, "q", inputs=inputs), field("q", kind=kind))
    assert (wanted[0] == plain[0]) is fits
    assert wanted[0] >= plain[0]


def test_a_long_value_belongs_rather_into_an_area_than_into_a_line():
    line, area = field("q"), field("q", kind="textarea")
    assert cost(word("v" * 200, "q"), line) == cost(word("v" * 200, "q"), area)
    assert cost(word("v" * 201, "q"), line) > cost(word("v" * 201, "q"), area)


def choices(*values: str, **more: Any) -> Control:
    options = tuple(Option(one.lower(), one, False) for one in values)
    return field("kind", kind="select", options=options, **more)


@pytest.mark.parametrize(
    ("value", "hint", "chosen"),
    [
        ("Pear", "kind", ["pear"]),
        ("PEAR", "kind", ["pear"]),
        ("pea.*", "kind", ["pear"]),
        ("pea.*", "other", []),
        ("pear", "other", ["pear"]),
        ("plum|pear", "kind", ["pear"]),
        ("Plum", "kind", ["plum"]),
        ("fig", "kind", []),
    ],
)
def test_a_choice_is_named_or_fits_the_pattern_where_the_field_is_the_right_one(
    value: str, hint: str, chosen: list[str]
):
    control = choices("Apple", "Pear", "Plum", "Pears and plums")
    assert [fill.value for _, fill in _in_control(word(value, hint), control)] == chosen


def test_an_iterator_begins_with_what_the_form_sends_and_tries_eight():
    control = choices(*(f"N{number}" for number in range(10)), value="n3")
    ways = list(_in_control(word("n.*", "kind", iterator=True), control))
    assert [fill.value for _, fill in ways] == ["n3", "n0", "n1", "n2", "n4", "n5", "n6", "n7"]
    assert [cost for cost, _ in ways] == sorted({cost for cost, _ in ways})
    assert list(_in_control(word("n.*", "kind", iterator=True), field("kind"))) == []


def test_of_a_field_with_another_name_the_first_fifty_choices_are_compared():
    control = choices(*(f"N{number}" for number in range(60)))
    assert [fill.value for _, fill in _in_control(word("n49", "other"), control)] == ["n49"]
    assert list(_in_control(word("n50", "other"), control)) == []
    assert [fill.value for _, fill in _in_control(word("n50", "kind"), control)] == ["n50"]


def test_an_empty_choice_is_never_taken():
    control = field("kind", kind="select", options=(Option("", "Pear", True), Option("1", "Pear", False)))
    assert [fill.value for _, fill in _in_control(word("pear", "kind"), control)] == ["1"]


def test_what_need_not_be_asked_is_left_out_unless_the_form_has_choices_or_insists():
    def ways(markup: str) -> list[str | None]:
        (form,) = questions(f"<form>{markup}</form>")
        return [fill and fill.control.name for _, fill in _ways(word("apple", "kind"), form, 0)]

    assert ways("<input name=kind>") == [None, "kind"]
    assert ways("<input name=kind required>") == ["kind", None]
    assert ways("<select name=kind><option>apple</select>") == ["kind", None]
    assert ways("<input name=other>") == [None]


@pytest.mark.parametrize(
    ("markup", "names"),
    [
        ("<input name=isbn><input name=x>", ["isbn"]),
        ("<input name=x><input name=y>", []),
        ("<input name=x><button>Search</button>", ["x"]),
        ("<input name=x><input name=y><button>Search</button>", []),
        ("<input name=x><button>Send</button>", []),
    ],
)
def test_a_called_argument_goes_where_it_is_called_or_into_the_only_field_of_a_search(
    markup: str, names: list[str]
):
    (form,) = questions(f"<form>{markup}</form>")
    found = _fills(word("apple", "isbn", called=True), form)
    assert [fill.control.name for _, fill in found] == names


def test_twelve_fields_are_tried_and_the_nearest_place_comes_first():
    (form,) = questions("<form>" + "".join(f"<input name=f{number}>" for number in range(15)) + "</form>")
    names = [fill.control.name for _, fill in _fills(word("apple", "none"), form, 2)]
    assert (names[0], len(names)) == ("f2", 12)
    assert set(names[1:3]) == {"f1", "f3"}


@pytest.mark.parametrize(
    ("post", "browser", "markup", "count"),
    [
        (False, False, "<form action=/a><input name=q></form>", 1),
        (False, False, "<form method=post action=/a><input name=q></form>", 0),
        (True, False, "<form method=post action=/a><input name=q></form>", 1),
        (True, False, "<form action='javascript:x()'><input name=q></form>", 0),
        (False, True, "<form action='javascript:x()'><input name=q></form>", 0),
        (True, True, "<form action='javascript:x()'><input name=q></form>", 1),
    ],
)
def test_forms_are_asked_in_the_ways_that_are_allowed(post: bool, browser: bool, markup: str, count: int):
    (form,) = questions(markup)
    found = queries(form, service_class("price-search"), post=post, browser=browser)
    assert len(list(islice(found, 1))) == count


def test_classes_that_are_asked_by_words_alone_take_a_described_search():
    assert [takes_words(service_class(name)) for name in ("keyword-search", "price-search", "timetable")] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("markup", "without_script"),
    [
        ("<form action=/a><input name=q></form>", True),
        ("<form action=/a><input id=q></form>", False),
        ("<form action='javascript:x()'><input name=q></form>", False),
    ],
)
def test_a_script_is_needed_where_the_form_does_not_say_what_is_sent_or_where(
    markup: str, without_script: bool
):
    (form,) = questions(markup)
    query = next(queries(form, service_class("price-search"), post=True, browser=True))
    assert query.is_sent_without_script is without_script


def test_a_browser_fills_in_the_fields_and_presses_a_button_that_has_a_name():
    def filled(button: str) -> list[tuple[str, str, str]]:
        (query, *_) = asked(f"<form><input name=q><input name=x value=1>{button}</form>", "price-search")
        return [(one.name, one.value, one.argument) for one in query.filled_in]

    assert filled("<button>Go</button>") == [("q", "camera", "product")]
    assert filled("<button name=go value=1>Go</button>") == [("q", "camera", "product"), ("go", "1", "")]


@pytest.mark.parametrize(
    ("options", "emptied"),
    [(("a", ""), ""), (("a", "--"), "--"), (("a", "0"), "0"), (("a", " – "), " – "), (("a", "b"), "a")],
)
def test_an_empty_choice_makes_no_sense(options: tuple[str, ...], emptied: str):
    control = field("kind", kind="select", options=tuple(Option(one, one, False) for one in options))
    assert _without_sense(Fill(word("a"), control, "a")).value == emptied


def test_a_number_makes_no_sense_as_another_number():
    made = [
        _without_sense(Fill(word(), field("q", kind=kind), value)).value
        for kind, value in (("number", "1"), ("text", "12"), ("text", "ab"))
    ]
    assert [one.isdigit() for one in made] == [True, True, False]
    told = Fill(word(control="zz\nz"), field("q"), "ab")
    assert _without_sense(told).value == "zzz"


def test_a_question_outside_of_the_alphabet_is_long_and_only_asked_where_the_class_names_one():
    (query, *_) = asked("<form><input name=q></form>", "price-search")
    assert query.outside() is None
    told = replace(query.fills[0].argument, control="zzz", required=True)
    (fill,) = replace(query, fills=(replace(query.fills[0], argument=told),)).outside().fills
    assert len(fill.value) == 40
    optional = replace(told, required=False)
    assert replace(query, fills=(replace(query.fills[0], argument=optional),)).outside() is None


def test_a_query_is_sent_as_its_button_says():
    markup = "<form action=/a?x=1><input name=q><button formaction=/b formmethod=post>Search</button></form>"
    (query, *_) = asked(markup, "price-search")
    assert (query.url, query.method) == ("http://e.org/b", "POST")
    (query, *_) = asked("<form action=/a?x=1><input name=q></form>", "price-search")
    assert (query.url, query.method) == ("http://e.org/a", "GET")


def test_the_other_examples_are_asked_in_the_same_fields_where_these_are_enough():
    one, two, more = (Argument(name=name, value=name, required=name != "more") for name in ("a", "b", "more"))
    other = replace(one, value="other\nline")
    examples = [
        Example(arguments=(one,), result="R"),
        Example(arguments=(other,), result="R"),
        Example(arguments=(other, two), result="R"),
        Example(arguments=(other, more), result="R"),
    ]
    service = replace(service_class("price-search"), examples=tuple(examples))
    (query, *_) = asked("<form><input name=q></form>", "price-search")
    listed = field("s", kind="select", options=(Option("x", "x", True),))
    fills = (Fill(one, field("f"), "a"), Fill(more, listed, "x"))
    told = list(replace(query, example=examples[0], fills=fills).retold(service))
    assert [each.example for each in told] == [examples[1], examples[3]]
    assert told[0].fills == (Fill(other, field("f"), "otherline"),)
    assert told[1].fills == (Fill(other, field("f"), "otherline"), Fill(more, listed, "x"))


def test_only_required_choices_among_the_same_options_become_the_same():
    def place(name: str, value: str, *options: str, required: bool = True) -> Fill:
        control = field(name, kind="select", options=tuple(Option(one, one, False) for one in options))
        return Fill(Argument(name=name, value=value, required=required), control, value)

    (query, *_) = asked("<form><input name=q></form>", "price-search")
    optional = place("via", "c", "b", "c", required=False)
    there = place("from", "b", "b", "c"), place("to", "c", "b", "c")
    fills = (optional, *there, place("class", "2", "1", "2"))
    control = replace(query, fills=fills).nonsense()
    assert [fill.value for fill in control.fills] == ["c", "b", "b", "2"]
    assert replace(query, fills=(optional, place("to", "c", "b", "c"))).nonsense() is None


@pytest.mark.parametrize(
    ("arguments", "takes"),
    [
        ([word("a", "query", required=True)], True),
        ([word("a", "query", required=True, type="word")], True),
        ([word("a", "query", required=True), word("a", "query")], True),
        ([word("a", "query", required=True, type="date")], False),
        ([word("a", "isbn", required=True)], False),
        ([word("a", "query", required=True)] * 2, False),
        ([word("a", "query")], False),
        ([], False),
    ],
)
def test_words_alone_are_one_required_text_that_a_search_field_fits(arguments: list[Argument], takes: bool):
    example = Example(arguments=tuple(arguments), result="R")
    assert takes_words(replace(service_class("price-search"), examples=(example,))) is takes


def test_a_field_that_a_person_does_not_write_into_takes_nothing():
    (form,) = questions(
        """<form><input><input type=hidden name=h><input type=checkbox name=c><input type=password name=p>
        <input name=q></form>"""
    )
    assert [fill.control.name for _, fill in _fills(word("apple"), form)] == ["q"]


@pytest.mark.parametrize(("value", "taken"), [("7:30", False), ("07:30", True), ("20", True), ("2", True)])
def test_a_time_begins_with_two_digits(value: str, taken: bool):
    assert _takes(Control(name="x", kind="time"), value) is taken
