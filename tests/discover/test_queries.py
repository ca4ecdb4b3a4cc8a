"""The likeliest query comes first, and none comes twice (S3)."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.discover.test_questions import questions
from webvigil.discover.queries import Query, _cheapest, _without_sense, lacking, queries
from webvigil.discover.service import service_class


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
