"""What a sentinel watches is told in few words, so that several sentinels of one page can be told apart."""

from __future__ import annotations

import pytest

from webvigil.app.sentinels.watched import found_in_short, in_short, watches_anything
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.change_types import KINDS


def text(monitor: str) -> str:
    return f"Create Sentinel s Using http://x.test/\nMonitor {monitor}\n"


def value(*amounts: tuple[str, str]) -> Finding:
    objects = (ObjectChange("b", Status.UPDATED, before=old, after=new) for old, new in amounts)
    return Finding(type="value", objects=tuple(objects))


@pytest.mark.parametrize(
    ("monitor", "words"),
    [
        ("any change", "anything"),
        ("all links", "links"),
        ("all links OR all images", "links or pictures"),
        ("all links AND NOT keywords: {sale}", "links and not keywords “sale”"),
        ("product", "price and availability"),
        ('table caption "Prices"', "table “Prices”"),
        ('table css "main table"', "a table"),
        ("list: {2}", "list “2”"),
        ('value css ".price"', "a value"),
        ('value json "rates.USD"', "value “rates.USD”"),
        ("keywords: {a, b, c}", "keywords “a”, “b”…"),
        ('phrase "low risk"', "phrase “low risk”"),
        ("visual", "how it looks"),
        ("all links OR all images OR all words", "links or pictures or words"),
        ("keywords: {a, b}", "keywords “a”, “b”"),
        (f'phrase "{"x" * 40}"', f"phrase “{'x' * 40}”"),
        (f'phrase "{"x" * 41}"', f"phrase “{'x' * 39}…”"),
        ("all links OR all links", "links"),
        ("all links OR all images OR all words OR comments", "links or pictures or words and 1 more"),
    ],
)
def test_what_is_watched_is_told_in_words_that_people_say(monitor: str, words: str):
    assert in_short(text(monitor)) == words


def test_a_value_is_called_by_what_was_found_last():
    watched = text('value css ".price"')
    assert in_short(watched, [value(("€ 5", "€ 4"))]) == "price"
    assert in_short(watched, [value(("€ 5", "€ 4"), ("€ 2", "€ 3"))]) == "prices"
    assert in_short(watched, [value(("12", "11"))]) == "value"
    assert in_short(watched, [value()]) == "a value"
    assert in_short(watched, [Finding(type="all links"), value(("12", "11"), ("3", "4"))]) == "values"


def test_findings_tell_what_was_watched():
    links = Finding(type="all links")
    assert found_in_short([links, value(("€ 5", "€ 4"))]) == "links, price"
    assert found_in_short([Finding(type="any change")]) == ""
    assert found_in_short([Finding(type="within", note="the part is gone")]) == ""


def test_a_text_that_cannot_be_read_has_no_words():
    assert in_short("Create Nonsense") == ""
    assert not watches_anything("Create Nonsense")
    assert watches_anything("Create Sentinel s Using http://x.test/")


def test_a_text_is_read_however_it_is_written():
    assert in_short("create sentinel s using http://x.test/ monitor all links") == "links"
    assert watches_anything("Create Sentinel s Using http://x.test/\n")
    assert not watches_anything('Create Sentinel s Using http://x.test/\nMonitor phrase "Monitor any change"')


def test_no_two_change_types_are_called_alike():
    called = [kind.called for kind in KINDS.values()]
    assert len(set(called)) == len(called)
