"""What a probe may cost, and which texts answer a question (S3, S5)."""

from __future__ import annotations

import pytest

from tests.discover.classes import ASKED, small
from tests.discover.test_questions import questions
from webvigil.discover.bounds import Bounds
from webvigil.discover.probing import Budget, Spent, mentioning
from webvigil.discover.queries import Query, queries
from webvigil.discover.types import Found


def spent(budget: Budget, reserve: int) -> str:
    try:
        budget.spend(reserve)
    except Spent as error:
        return str(error)
    return ""


FORM = "no more than 3 requests are made for one form"
SITE = "no more than 5 requests are made to its site"


@pytest.mark.parametrize(("reserve", "allowed"), [(0, 3), (1, 2), (2, 1), (3, 0)])
def test_requests_are_made_while_enough_are_left_as_proof(reserve: int, allowed: int):
    budget = Budget(Bounds(probes_per_form=3, probes_per_site=5))
    assert [spent(budget, reserve) for _ in range(4)] == [""] * allowed + [FORM] * (4 - allowed)
    assert (budget.form, budget.site) == (allowed, allowed)


def test_the_next_form_begins_anew_and_the_site_does_not():
    budget = Budget(Bounds(probes_per_form=3, probes_per_site=5))
    assert [spent(budget, 0) for _ in range(3)] == [""] * 3
    budget.next_form()
    assert (budget.form, budget.site) == (0, 3)
    assert [spent(budget, 0) for _ in range(3)] == ["", "", SITE]
    assert (budget.form, budget.site) == (2, 5)


def query(mentions: str = "") -> Query:
    (form,) = questions("<form action=/a><input name=q></form>")
    service = small(arguments=ASKED.replace("apple", "Red  Apple"), mentions=mentions)
    return next(queries(form, service, post=False))


@pytest.mark.parametrize(
    ("mentions", "texts", "found"),
    [
        ('mentions="word"', ("a RED apple", "an apple", "Red Apples"), ["a RED apple", "Red Apples"]),
        ('mentions="word"', (), []),
        ("", ("one", "two"), ["one", "two"]),
        ("", (), [""]),
    ],
)
def test_texts_count_that_mention_the_question_where_the_class_wants_it(
    mentions: str, texts: tuple[str, ...], found: list[str]
):
    assert mentioning(Found(type="Result", texts=texts), query(mentions)) == found
