"""Tables as a reader sees them (C8)."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document import read
from webvigil.document import tables as made_by
from webvigil.document.tables import MOST_CELLS, EvenRows, Row, _Groups, grids


def tables(page):
    return read(page.encode(), "text/html").tables


def grid(table):
    return [row.texts for row in table.rows]


def test_a_table_has_caption_header_and_rows():
    (table,) = tables(
        """<table><caption>Prices <b>today</b></caption><thead><tr><th>Item<th>Price</thead>
        <tbody><tr><td>Fish<td>3 €<tr><td>Bread<td>2 €</table>"""
    )
    assert table.caption == "Prices today"
    assert table.header == ("Item", "Price")
    assert grid(table) == [("Fish", "3 €"), ("Bread", "2 €")]


def test_a_first_row_of_header_cells_is_the_header():
    (table,) = tables("<table><tr><th>A<th>B<tr><th>x<td>1</table>")
    assert (table.header, grid(table)) == (("A", "B"), [("x", "1")])


def test_a_table_without_header_has_only_rows():
    (table,) = tables("<table><tr><td>A<td>B<tr><td>x<td>1</table>")
    assert (table.header, grid(table)) == ((), [("A", "B"), ("x", "1")])


def test_spans_are_filled_in():
    (table,) = tables(
        """<table><tr><td rowspan=2>a<td colspan=2>b<tr><td>c<td>d<tr><td>e<td rowspan=0>f<td>g
        <tr><td>h<td>i</table>"""
    )
    assert grid(table) == [("a", "b", "b"), ("a", "c", "d"), ("e", "f", "g"), ("h", "f", "i")]


def test_a_span_ends_with_its_section():
    (table,) = tables("<table><thead><tr><th rowspan=9>H<th>I</thead><tbody><tr><td>1<td>2</table>")
    assert (table.header, grid(table)) == (("H", "I"), [("1", "2")])


def test_two_header_rows_name_a_column_together():
    (table,) = tables("<table><thead><tr><th colspan=2>Size<tr><th>cm<th>in</thead><tr><td>1<td>2</table>")
    assert table.header == ("Size cm", "Size in")


def test_tables_in_tables_are_kept_apart():
    outer, inner = tables("<table><tr><td>a<table><caption>in</caption><tr><td>b</table>c<td>d</table>")
    assert grid(outer) == [("a c", "d")]
    assert (inner.caption, grid(inner)) == ("in", [("b",)])


def test_cells_lead_to_their_nodes():
    digest = read(b"<table><tr><td>a<td>b</table>", "text/html")
    assert [digest.path(node) for node in digest.tables[0].rows[0].nodes] == [
        "/html/body/table/tbody/tr/td[1]",
        "/html/body/table/tbody/tr/td[2]",
    ]


def test_without_texts_they_have_the_same_places():
    digest = read(
        b"""<table><caption>c</caption><thead><tr><th colspan=2>a<th>b</thead><tr><td rowspan=3>x<td>y
        <table><tr><td>inner</table><td>z<tr><td>1</table><table><tr><th>n<tr><td>m</table><table></table>""",
        "text/html",
    )
    bare, full = list(grids(digest, digest.nodes_of("table"))), digest.tables
    assert [number for number, _ in bare] == [0, 1, 2, 3]
    for (_, one), other in zip(bare, full, strict=True):
        rows = (*other.header_rows, *other.rows)
        assert (one.node, one.heads) == (other.node, len(other.header_rows))
        filled = [
            [node if node >= 0 else row for node in cells]
            for row, cells in zip(one.rows, one.cells, strict=True)
        ]
        assert (one.rows, filled) == ([row.node for row in rows], [list(row.nodes) for row in rows])


def test_odd_spans_and_empty_tables_are_survived():
    page = """<table></table><table><tr></tr></table><table><tr><td colspan=x rowspan=-1>a<td colspan=0>b
    <td colspan=99999999999>c</table>"""
    empty, bare, odd = tables(page)
    assert (empty.rows, grid(bare)) == ((), [()])
    assert grid(odd)[0][:3] == ("a", "b", "c")


def test_a_table_made_to_explode_does_not():
    page = "<table>" + "<tr>" + "<td colspan=1000 rowspan=65534>x" * 2000 + "<tr><td>y" * 2000 + "</table>"
    started = time.process_time()
    (table,) = tables(page)
    assert sum(len(row.nodes) for row in table.rows) < 5_000_000
    assert time.process_time() - started < 3


def test_what_is_not_html_has_no_tables():
    assert read(b"<table><tr><td>1</td></tr></table>", "text/xml").tables == ()


def test_rows_of_a_page_full_of_cells_are_read_as_one_cell_each_and_heads_stay_heads():  # C8
    rows = "".join(f"<tr><td>{number}<td>b" for number in range(MOST_CELLS // 2 + 1))
    (found,) = tables(f"<table><caption>c</caption><thead><tr><th>A<th>B</thead>{rows}</table>")
    assert (found.caption, found.header, len(found.rows)) == ("c", ("A B",), MOST_CELLS // 2 + 1)
    assert [row.texts for row in found.rows[:2]] == [("0 b",), ("1 b",)]
    assert found.rows[-1].texts == (f"{MOST_CELLS // 2} b",)
    assert found.rows[0].node < found.rows[1].node < found.rows[-1].node


_PIECES = st.sampled_from(
    ["<table>", "</table>", "<caption>", "<thead>", "<tbody>", "<tr>", "<td>", "<th>", "<td>a", "<td>b ",
     "<th>c", "<td colspan=2>d", "<td rowspan=2>e", "f", "<p>g", "<ul><li>h</ul>", "<td hidden>i",
     "</td>", "</tr>"]
)  # fmt: skip


def whole(digest):
    return [(one, [*one.rows]) for one in digest.tables]


@given(st.lists(_PIECES, max_size=30).map("".join), st.booleans())
def test_a_table_read_by_itself_is_the_one_read_with_all_others(page, as_xml):
    kind = "application/xhtml+xml" if as_xml else "text/html"
    digest, other = (read(f"<table><tr>{page}".encode(), kind) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(made_by._Plain, "read", lambda digest, node: None)
        expected = whole(other)
    assert [rows for _, rows in whole(digest)] == [rows for _, rows in expected]
    for (one, _), (table, _) in zip(whole(digest), expected, strict=True):
        assert (one.node, one.caption, one.header, one.header_rows) == (
            *(table.node, table.caption, table.header),
            table.header_rows,
        )


def test_rows_of_one_width_are_made_when_they_are_asked_for():
    rows = EvenRows(2, [3, 4, 6, 7, 9, 10], ["a", "b", "c", "d", "e", "f"], [2, 5, 8])
    assert rows[1] == rows[-2] == Row((6, 7), 5, ("c", "d"))
    assert [*rows[1:]] == [rows[1], rows[2]]
    assert [*rows[::2]] == [rows[0], rows[2]]
    assert rows.row_texts == [("a", "b"), ("c", "d"), ("e", "f")]
    assert rows[:2].column_texts == [("a", "c"), ("b", "d")]
    assert (len(rows[3:]), rows[3:].width, rows[3:].row_texts, rows[3:].column_texts) == (0, 0, [], [])


@pytest.mark.parametrize(
    ("owners", "found"),
    [
        ([], ([], [])),
        ([2], ([], [0])),
        ([3], ([4, 5], [2])),
        ([5, 7], ([7, 8, 9], [2, 3])),
        ([1, 5], ([2, 3, 6, 7, 8], [3, 5])),
        ([1, 2, 5], ([2, 3, 6, 7, 8], [3, 3, 5])),
    ],
)
def test_the_nodes_of_several_owners_leave_out_those_between(
    owners: list[int], found: tuple[list[int], list[int]]
):
    owner = np.array([0, 0, 1, 1, 3, 3, 1, 5, 5, 7])
    groups = _Groups(owner, np.arange(2, 10))
    assert groups.of_all(owners) == found
    assert groups.of(3) == [4, 5]


@pytest.mark.parametrize("down", [1, 2, 3, 4])
def test_a_cell_reaches_down_as_many_rows_as_it_says(down: int):
    rows = "".join(f"<tr><td>{number}" for number in range(2, 5))
    (table,) = tables(f"<table><tr><td rowspan={down}>a<td>1{rows}</table>")
    texts = [row.texts for row in table.rows]
    assert texts == [("a", str(number)) if number <= down else (str(number),) for number in range(1, 5)]
