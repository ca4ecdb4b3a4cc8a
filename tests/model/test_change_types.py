"""How change types are called and said, and which of them cannot exist."""

from __future__ import annotations

import pytest

from webvigil.model.change_types import (
    KINDS,
    called_together,
    change_types_called,
    form_of,
    named_by,
    names_place,
    option,
    sees_beyond,
    trouble_with,
    words_of,
)
from webvigil.model.sentinel import ChangeType


@pytest.mark.parametrize(
    ("names", "called"),
    [
        ((), ""),
        (("any change",), ""),
        (("all links", "table", "value"), "links, tables, values"),
        (("structure", "any change", "unheard of"), "structure, unheard of"),
        (("visual", "phrase"), "how it looks, phrases"),
    ],
)
def test_what_people_call_change_types_together(names: tuple[str, ...], called: str):
    assert called_together(names) == called


def test_change_types_are_listed_by_what_people_call_them():
    called = change_types_called()
    assert called["table"] == "A table"
    assert called["structure"] == "Structure"
    assert list(called.values()) == sorted(called.values())
    assert called.keys() == KINDS.keys()


@pytest.mark.parametrize(
    ("form", "said", "words"),
    [
        ("… [context words]", "", ["context", "words"]),
        ("… context # tags", "context # tags", ["context", "tags"]),
        ("all part … appear", "all part appear", ["all", "part", "appear"]),
        ("[all] link(s) [change]", "link(s)", ["all", "link(s)", "change"]),
    ],
)
def test_the_notation_of_forms(form: str, said: str, words: list[str]):
    assert option(form) == said
    assert list(words_of(form)) == words


@pytest.mark.parametrize(
    ("change", "form"),
    [
        (ChangeType("all words", ("a",), "except"), "except …"),
        (ChangeType("all words"), ""),
        (ChangeType("all words", ("a",)), None),
        (ChangeType("all words", (), "except"), None),
        (ChangeType("phrase", ("a",), "context 1"), "… context # [words]"),
        (ChangeType("phrase", ("a",), "context 999 tags"), "… context # tags"),
        (ChangeType("phrase", ("a",), "context 1000"), "… context # [words]"),
        (ChangeType("phrase", ("a",), "context 1001"), None),
        (ChangeType("phrase", ("a",), "context 0"), None),
        (ChangeType("keywords"), None),
    ],
)
def test_the_form_in_which_a_change_type_is_said(change: ChangeType, form: str | None):
    assert form_of(change) == form


@pytest.mark.parametrize(
    ("change", "trouble"),
    [
        (ChangeType("all links"), ""),
        (ChangeType("keywords", ("a", "b")), ""),
        (ChangeType("table", ("1",)), ""),
        (ChangeType("nonsense"), "there is no change type 'nonsense'"),
        (ChangeType("keywords"), "keywords cannot be without an option and without a text"),
        (ChangeType("table", ("1",), "x"), "table cannot be with 'x' and texts"),
        (ChangeType("all links", (), "x"), "all links cannot be with 'x' and without a text"),
        (ChangeType("table", ("1", "2")), "table takes one text, not 2"),
        (ChangeType("regular expression", ("1", "2", "3")), "regular expression takes one text, not 3"),
        (ChangeType("value", ("1", "2"), "css"), "value takes one text, not 2"),
        (ChangeType("keywords", ("a", " ")), "a text of keywords is empty"),
    ],
)
def test_change_types_that_cannot_exist(change: ChangeType, trouble: str):
    assert trouble_with(change) == trouble


@pytest.mark.parametrize(
    ("change", "beyond"),
    [
        (ChangeType("exact change"), True),
        (ChangeType("visual"), True),
        (ChangeType("all images", (), "content"), True),
        (ChangeType("all images"), False),
        (ChangeType("all links"), False),
        (ChangeType("unheard of"), False),
    ],
)
def test_which_change_types_see_more_than_the_document(change: ChangeType, beyond: bool):
    assert sees_beyond(change) is beyond


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (ChangeType("product"), True),
        (ChangeType("table", ("1",)), True),
        (ChangeType("value", ("a",), "css"), True),
        (ChangeType("phrase", ("a",)), False),
        (ChangeType("all links"), False),
    ],
)
def test_which_change_types_watch_one_place(change: ChangeType, place: bool):
    assert names_place(change) is place


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("", ""),
        ("text only", ""),
        ("caption", "caption"),
        ("caption text only", "caption"),
        ("css text only", "css"),
    ],
)
def test_how_a_table_is_named(said: str, named: str):
    assert named_by(ChangeType("table", ("1",), said)) == named


def test_a_row_has_its_spellings_and_its_name_in_python():
    assert KINDS["any change"].spellings == ("any change", "anychange")
    assert KINDS["all links"].spellings == ("[all] link(s) [change]",)
    assert KINDS["any change"].identifier == "any_change"
    assert (KINDS["table"].called, KINDS["tags"].called) == ("a table", "tags")
    assert KINDS["regular expression"].options == ("", "in text", "in source")
