"""A sequence makes only those of its items that are asked for."""

import gc
import weakref

import pytest

from webvigil.document import read
from webvigil.document.ondemand import OnDemand


def test_members_are_made_when_they_are_asked_for_and_once():
    made = []
    squares = OnDemand(5, lambda place: made.append(place) or place * place)
    assert len(squares) == 5
    assert made == []
    assert squares[3] == squares[-2] == 9
    assert made == [3]
    assert list(squares) == [0, 1, 4, 9, 16]
    assert squares[1:3] == [1, 4]
    assert made == [3, 0, 1, 2, 4]
    with pytest.raises(IndexError):
        squares[5]


def test_every_member_is_the_very_same_each_time():
    page = read(b"<ul><li>a<ul><li>b</ul></ul><table><tr><td>1</table>", "text/html")
    assert page.lists[1] is page.lists[1]
    assert page.tables[0] is next(iter(page.tables))


def test_a_list_has_its_own_items_and_those_of_the_lists_in_it():  # C8
    page = read(b"<ul><li>a<ol><li>b</ol><li>c</ul><li>stray<dl><dt>t<dd>d</dl>", "text/html")
    assert [[item.text for item in found.items] for found in page.lists] == [["a", "c"], ["b"], ["t", "d"]]
    assert page.lists.texts_and_nodes(0, nested=True)[0] == ["a", "b", "c"]
    assert page.lists.nested == 6


def test_a_page_that_nobody_needs_any_more_is_forgotten_at_once():
    page = read(b"<title>t</title><h1>x</h1><ul><li>a</ul><table><tr><td colspan=2>1</table>", "text/html")
    assert page.lists[0].items
    assert page.tables[0].rows
    assert page.shown.node_at(0) >= 0
    assert page.reading.starts is not None
    assert page.words.words
    gone = weakref.ref(page)
    gc.disable()
    try:
        del page
        assert gone() is None
    finally:
        gc.enable()
