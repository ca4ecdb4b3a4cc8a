"""Tests that pages made to hurt give few findings, and that twice the page takes about twice the time.

Some results stay exact: whether anything changed, the amounts, and the same changes in the opposite
direction.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.detect.alignment import TOLD, fewer, gaps
from webvigil.detect.find import find
from webvigil.document import PageDigest, read
from webvigil.document.tables import MOST
from webvigil.errors import PatternRefused
from webvigil.model.change import OPPOSITE, Finding, Status
from webvigil.model.sentinel import ChangeType

MANY = TOLD + 1_500


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Expressions may take longer than in the product: a busy machine is no mistake of theirs."""
    monkeypatch.setattr("webvigil.document.patterns._SECONDS", 5.0)


def page(make: Callable[[int], str], count: int = MANY) -> PageDigest:
    return read("".join(map(make, range(count))).encode(), "text/html", "https://example.org/")


SHAPES = {
    "all words": (ChangeType("all words"), lambda n: f"<p>same {n} words", lambda n: f"<p>same {n}b words"),
    "content": (ChangeType("content"), lambda n: f"<p>a {n}", lambda n: f"<p>b {n} c"),
    "links": (ChangeType("all links"), lambda n: f"<a href=/{n}>x</a>", lambda n: f"<a href=/b{n}>x</a>"),
    "images": (ChangeType("all images"), lambda n: f"<img src=/{n}>", lambda n: f"<img src=/b{n}>"),
    "expression": (ChangeType("regular expression", (r"\d+",)), lambda n: f"{n}1 ", lambda n: f"{n}2 "),
    "layout": (ChangeType("layout"), lambda n: f"<p>{n}</p>", lambda n: f"<b>{n}</b>"),
    "attributes": (ChangeType("attributes"), lambda n: f"<p class=a{n}>x", lambda n: f"<p class=b{n}>x"),
    "comments": (ChangeType("comments"), lambda n: f"<!--{n * 2}-->", lambda n: f"<!--{n * 2 + 1}-->"),
    "phrase": (ChangeType("phrase", ("a b",)), lambda n: f"{n} a b ", lambda n: f"{n * 2} c "),
}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_page_of_which_all_changed_is_told_in_few_words(shape: str):
    change, before, after = SHAPES[shape]
    old, new = page(before), page(after)
    forth, back = find(old, new, change), find(new, old, change)
    assert 0 < len(forth.objects) <= 2 * TOLD + 4
    assert Counter(sides(forth)) == Counter(
        (OPPOSITE[status], *texts[::-1]) for status, *texts in sides(back)
    )
    assert find(old, page(before), change).objects == ()


def sides(finding: Finding) -> list[tuple[Status, str, str]]:
    """Returns each status with the old and the new text, or with the old and the new count."""
    return [(one.status, one.before or str(one.old), one.after or str(one.new)) for one in finding.objects]


def test_links_that_are_told_together_still_count():  # C2
    finding = find(page(SHAPES["links"][1]), page(SHAPES["links"][2]), ChangeType("all links"))
    assert sum(one.old or 0 for one in finding.objects) == MANY
    assert sum(one.new or 0 for one in finding.objects) == MANY
    assert finding.share == 1.0
    assert finding.score == 2 * MANY * 256


def test_a_table_with_too_many_changes_is_told_row_by_row_then_as_one():  # C8
    def table(rows: int, cells: int, version: int) -> bytes:
        line = "".join(f"<td>{version}{{0}}-{cell}" for cell in range(cells))
        return "".join(["<table>", *(f"<tr><td>key {n}{line.format(n)}" for n in range(rows))]).encode()

    change = ChangeType("table", ("1",))
    by_row = find(read(table(1_000, 6, 1)), read(table(1_000, 6, 2)), change)
    assert len(by_row.objects) == 1_000
    as_one = find(read(table(MANY, 1, 1)), read(table(MANY, 1, 2)), change)
    assert [str(one.status) for one in as_one.objects] == ["u"]


def test_a_table_beyond_those_that_are_told_apart_is_refused():  # C8
    old, new = (page(lambda n: f"<table><tr><td>{n}</table>", MOST + count) for count in (1, 2))
    with pytest.raises(PatternRefused, match=f"first {MOST:,} "):
        find(old, new, ChangeType("table", (str(MOST + 1),)))


@given(st.lists(st.integers(0, 3), max_size=40), st.lists(st.integers(0, 3), max_size=40), st.integers(1, 5))
def test_fewer_gaps_cover_the_same(old: list[int], new: list[int], most: int):
    found = gaps(old, new)
    joined = fewer(found, most)
    assert len(joined) <= max(most, 0) or joined == found
    assert all(any(i <= gap[0] and gap[1] <= end for i, end, _, _ in joined) for gap in found)
    rest, i, j = [], 0, 0
    for gap in joined:
        assert old[i : gap.old_start] == new[j : gap.new_start]
        rest += old[i : gap.old_start]
        i, j = gap.old_end, gap.new_end
    assert old[i:] == new[j:]
    assert [gap.swapped for gap in fewer([gap.swapped for gap in found], most)] == joined


def seconds(make: Callable[[int], tuple[str, str]], change: ChangeType, size: int) -> float:
    old, new = (read(text.encode(), "text/html") for text in make(size))
    best = 9e9
    for _ in range(2):
        before, after = PageDigest(old._containers), PageDigest(new._containers)
        began = time.process_time()
        find(before, after, change)
        best = min(best, time.process_time() - began)
    return best


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("change", "make"),
    [
        (ChangeType("phrase", ("a",)), lambda n: ("a " * n, "a " * n + "a b a")),
        (ChangeType("content"), lambda n: ("<p>x" * n, ("<p>x" * 9 + "<p>y") * (n // 10))),
        (ChangeType("structure"), lambda n: ("<table><tr><td>1" * (n // 4), "<table><tr><td>2" * (n // 4))),
        (ChangeType("table", ("1",)), lambda n: ("<table>" + "<tr><td>1" * n, "<table>" + "<tr><td>2" * n)),
    ],
    ids=["one word", "equal paragraphs", "nested tables", "equal rows"],
)
def test_twice_as_much_takes_about_twice_as_long(change: ChangeType, make: Callable[[int], tuple[str, str]]):
    least, twice = seconds(make, change, 16_000), seconds(make, change, 32_000)
    # With quadratic effort it would be four times as long; the constant allows for the noise of short times.
    assert twice < 3.3 * least + 0.1
