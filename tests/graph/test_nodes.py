"""Tests that sentinels enter and leave the graph of a page while it is in use (G4)."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.detect.pages import versions
from tests.graph.test_evaluate import alone
from tests.graph.wishes import sentinels
from webvigil.app.worker.interests import interest_of
from webvigil.document import PageDigest
from webvigil.errors import WebVigilError
from webvigil.graph.evaluate import Comparison
from webvigil.graph.nodes import Graphs, Interest, PageGraph, interest, is_quiet
from webvigil.language import parse, print_sentinel
from webvigil.model.page import Page
from webvigil.model.sentinel import ChangeType, Sentinel
from webvigil.model.work import DuePage, Watch


def watch(number: int, text: str) -> Watch:
    return Watch(
        sentinel=number, user="jill", name=f"s{number}", text=text, interval=1000, next_at=0, reference=1
    )


def due(*watches: Watch, asked: int = 0, page: int = 1) -> DuePage:
    return DuePage(
        id=page,
        page=Page(url="https://example.org/"),
        due=0,
        asked=asked,
        failures=0,
        latest=None,
        validators={},
        watches=watches,
    )


@settings(max_examples=40, deadline=None)
@given(
    st.lists(sentinels, min_size=1, max_size=6),
    st.lists(st.tuples(st.booleans(), st.integers(0, 9), st.integers(0, 5)), max_size=12),
    versions(),
)
def test_whoever_came_and_went_those_present_are_told_as_alone(
    wishes: list[Sentinel], moves: list[tuple[bool, int, int]], pages: tuple[PageDigest, PageDigest]
):
    graph, present = PageGraph(), {}
    for enters, number, wish in moves:
        if enters:
            present[number] = wishes[wish % len(wishes)]
            graph.enter(number, interest(present[number]))
        else:
            present.pop(number, None)
            graph.leave(number)
    assert len(graph) == len(present)
    comparison = Comparison(*pages, graph.interests())
    for number, sentinel in present.items():
        try:
            found = comparison.of(graph.interest_of(number))
            told = found.changed, found.findings
        except WebVigilError as error:
            told = str(error)
        assert told == alone(*pages, sentinel)


def test_a_graph_is_kept_until_somebody_comes_or_goes():
    graphs = Graphs(interest_of)
    words, links = (watch(n, f"Create Sentinel s{n} Using https://example.org/\nMonitor {kind}\n")
                    for n, kind in enumerate(("all words", "all links")))  # fmt: skip
    first = graphs.of(due(words, asked=1))
    assert graphs.of(due(words, asked=1)) is first
    assert len(graphs.of(due(words, links, asked=2))) == 2
    left = graphs.of(due(links, asked=3))
    assert len(left) == 1
    assert [node.change.kind for node in left.interest_of(1).changes] == ["all links"]
    other = graphs.of(due(words, asked=4))
    assert [node.change.kind for node in other.interest_of(0).changes] == ["all words"]
    assert len(graphs.of(due(words, links, asked=4))) == 2


def test_of_more_pages_than_are_kept_the_one_asked_for_longest_ago_is_forgotten():
    graphs = Graphs(interest_of, most=2)
    first, second = graphs.of(due(page=1)), graphs.of(due(page=2))
    assert graphs.of(due(page=1)) is first
    graphs.of(due(page=3))
    assert graphs.of(due(page=1)) is first
    assert graphs.of(due(page=2)) is not second


@pytest.mark.parametrize(
    ("clauses", "lesson"),
    [
        ("Monitor any change", ""),
        ("Monitor all links OR any change", ""),
        ("Monitor all links", "ee65112a05171fa4140d201d34ec8383"),
        ("Monitor all words AND all links", "f7d6d6a7800e86747ee37440204f9b6c"),
        ("Monitor all links OR all words OR layout", "f7d6d6a7800e86747ee37440204f9b6c"),
        ('Monitor all links\nWithin css "p"', "3b5174d5e87119f4494bd5ecd6355c9f"),
        ('Monitor any change\nWithin css "p"', "2db0000c584d593aba679ec83fe069c0"),
        ('Monitor any change\nIgnore css "p"', "4e8e1570c479453d18156ef7a3717278"),
    ],
)
def test_a_lesson_keeps_its_name_because_what_was_learnt_is_stored_by_it(clauses: str, lesson: str):
    assert interest_of(f"Create Sentinel s Using https://a.org/\n{clauses}\n").lesson == lesson


def wanted(clauses: str) -> Interest:
    return interest_of(f"Create Sentinel s Using https://a.org/\n{clauses}\n")


@pytest.mark.parametrize(
    ("monitor", "sound"),
    [
        ("keywords: {lamp, EUR}", True),
        ("keywords: {!?}", False),
        ("keywords: {lamp, !?}", False),
        ("keywords part {!?}", True),
        ("phrase: {new lamp}", True),
        ("phrase: {!?}", False),
        (r"regular expression: {\d+}", True),
        ("regular expression: {(}", False),
        ("layout", True),
        ("table: {!?}", True),
    ],
)
def test_a_node_is_sound_if_all_its_texts_can_be_searched(monitor: str, sound: bool):
    (node,) = wanted(f"Monitor {monitor}").changes
    assert node.sound is sound


@pytest.mark.parametrize(
    ("clauses", "places", "products"),
    [
        ("", False, False),
        ("Monitor all words OR keywords: {price}", False, False),
        ('Within css "p"', True, False),
        ('Ignore css "p"', False, False),
        ('Monitor all links OR value css "b"', True, False),
        ("Monitor table: {1}", True, False),
        ("Monitor list: {1} OR all links", True, False),
        ("Monitor product", True, True),
        ("Monitor all words OR product", True, True),
        ("When price < 10", False, True),
        ("When changed > 5 AND NOT in stock", False, True),
        ("When becomes out of stock", False, True),
        ("When value < 10", False, False),
    ],
)
def test_an_interest_says_whether_it_names_places_or_is_of_products(
    clauses: str, places: bool, products: bool
):
    assert (wanted(clauses).names_places, wanted(clauses).is_of_products) == (places, products)
    graph = PageGraph()
    graph.enter(1, wanted(clauses))
    assert graph.looks_for_products() is products


@pytest.mark.parametrize(
    ("clauses", "quiet"),
    [
        ("", True),
        ("Quiet on", True),
        ("Quiet off", False),
        ("Monitor all links", True),
        ("Monitor all links\nQuiet off", False),
        ("Monitor exact change", False),
        ("Monitor layout\nQuiet on", False),
        ("Monitor layout OR all images", True),
    ],
)
def test_a_sentinel_is_quiet_where_a_change_type_allows_it(clauses: str, quiet: bool):
    (sentinel,) = parse(f"Create Sentinel s Using https://a.org/\n{clauses}\n")
    assert is_quiet(sentinel) is interest(sentinel).quiet is quiet


def test_on_linked_pages_everything_is_watched_but_what_is_ignored():
    monitor = "Monitor all links AND NOT (all words OR all links)\nWhen changed > 1\nQuiet off\n"
    ignore = 'Ignore css "i"\n'
    assert wanted(f'{monitor}Within css "p"\n{ignore}').on_linked_pages is wanted(monitor + ignore)
    assert wanted(f'{monitor}Within css "p"').on_linked_pages is wanted(monitor)
    assert wanted(monitor + ignore).on_linked_pages is wanted(monitor + ignore)
    more = 'Monitor all links\nWhen changed > 2\nCompare every 3\nOnly new\nQuiet on except css "b"\n'
    assert wanted(f'{more}Within css "p"').on_linked_pages is wanted(more)


def test_a_graph_tells_what_anybody_wants():
    graph = PageGraph()
    content = ChangeType("all images", (), "content")
    within = ('css "p"', 'css "b", css "p"', 'xpath "//i"')
    for number, part in enumerate(within):
        graph.enter(number, interest_of(f"Create Sentinel s Using https://a.org/ Within {part}"))
    assert [part.argument for part in graph.parts()] == ["p", "b", "//i"]
    assert not graph.wants(content)
    graph.enter(
        9, interest_of("Create Sentinel s Using https://a.org/ Monitor all links OR all images content")
    )
    assert graph.wants(content)
    graph.leave(9)
    assert not graph.wants(content)


def test_nodes_tell_how_many_rest_on_them():
    graph = PageGraph()
    for number, monitor in enumerate(("all words", "all words", "all words AND all links")):
        text = f"Create Sentinel s Using https://example.org/ Monitor {monitor}"
        graph.enter(number, interest_of(text))
    assert sorted(graph.nodes().values()) == [1, 1, 3]
    assert sorted(graph.interests().values()) == [1, 2]


@settings(max_examples=100, deadline=None)
@given(sentinels)
def test_a_canonical_text_has_the_interest_of_its_sentinel(sentinel: Sentinel):
    (again,) = parse(print_sentinel(sentinel))
    assert interest_of(print_sentinel(sentinel)) is interest(again)


def test_only_what_matters_is_read_and_only_once():
    text = "Create Sentinel s{n} Using https://a.org/{n}\nMonitor all links\nNotify By email a{n}@b.org\n"
    assert len({interest_of(text.format(n=n)) for n in range(100)}) == 1


def test_a_text_in_one_line_is_read_whole():
    one = interest_of('Create Sentinel s Using https://a.org/ Monitor all links Within css "p"')
    other = interest_of('Create Sentinel t Using https://b.org/\nMonitor all links\nWithin css "p"\n')
    odd = interest_of(
        'Create Sentinel "within reach" Using https://b.org/\nMonitor all links\nWithin css "p"\n'
    )
    broken = interest_of('Create Sentinel x Using https://b.org/\nWithin\ncss "p" Monitor\nall links\n')
    assert one is other is odd is broken


def test_a_sentinel_more_costs_less_than_300_bytes():
    wanted = interest_of("Create Sentinel s Using https://a.org/ Monitor all links")
    tracemalloc.start()
    graphs = [PageGraph() for _ in range(1_000)]
    for number in range(10_000):
        graphs[number % 1_000].enter(1_000_000 + number, wanted)
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert used / 10_000 < 300


@pytest.mark.parametrize(("clauses", "only_new"), [("", False), ("Only new", True)])
def test_a_sentinel_may_want_only_what_is_new(clauses: str, only_new: bool):
    (sentinel,) = parse(f"Create Sentinel s Using https://a.org/\n{clauses}\n")
    assert interest(sentinel).only_new is only_new
