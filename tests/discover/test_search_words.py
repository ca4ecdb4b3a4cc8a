"""Words that a user gives, or that the site speaks of, are asked before the examples of the class (S3)."""

from __future__ import annotations

import pytest

from webvigil.discover.search_words import asked, site_words, with_words_of
from webvigil.discover.service import service_class
from webvigil.discover.views import Views
from webvigil.errors import SettingRefused
from webvigil.model.version import Answer


def views(markup: str) -> Views:
    return Views(Answer(url="http://a.test/", status=200, headers=(), body=markup.encode()), 10_000)


def values(name: str, *given: str) -> list[dict[str, str]]:
    examples = asked(service_class(name), given).examples
    return [{one.name: one.value for one in each.arguments if one.required} for each in examples]


def test_given_words_come_first():
    assert values("keyword-search", "tide table", "keywords=bell")[:3] == [
        *({"keywords": "tide table"}, {"keywords": "bell"}, {"keywords": "water"}),
    ]


def test_named_words_are_one_question_until_a_name_comes_again():
    told = values("timetable", "from=Kiel", "to=Rostock", "from=Bremen")
    assert told[0] == {"from": "Kiel", "to": "Rostock"}
    assert told[1]["from"] == "Bremen"


@pytest.mark.parametrize(
    ("name", "given", "why"),
    [
        ("dna-blast", "hello", "cannot be asked"),
        ("keyword-search", "keywords= ", "empty"),
    ],
)
def test_words_that_cannot_be_asked_are_told(name: str, given: str, why: str):
    with pytest.raises(SettingRefused, match=why):
        asked(service_class(name), [given])


def test_the_words_of_a_page_are_those_of_its_headings_and_links():
    markup = (
        "<h1>Harbour office</h1><a href=/s>Ships</a> <a href=/l>Log in</a> <a href=/h>Harbour</a><p>Welcome"
    )
    assert site_words(views(markup))[:3] == ["harbour", "office", "ships"]


def test_words_of_the_page_stand_between_those_of_the_user_and_those_of_the_class():
    service = with_words_of(views("<h1>Harbour</h1>"), asked(service_class("keyword-search"), ["tide"]))
    assert [one.arguments[0].value for one in service.examples][:3] == ["tide", "harbour", "water"]


def test_a_class_may_keep_to_its_own_examples():
    service = service_class("dna-blast")
    assert with_words_of(views("<h1>Harbour</h1>"), service) == service
