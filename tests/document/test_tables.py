"""Tables as a reader sees them (C8)."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document import read
from webvigil.document import tables as made_by
from webvigil.document.fast import twins
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
    digest = read(b"<table><tr><td>1</td></tr></table>", "text/xml")
    assert digest.tables == ()
    assert [*grids(digest, digest.nodes_of("table"))] == []


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


@pytest.mark.parametrize(
    ("rows", "header", "texts"),
    [
        ("<tr><td colspan=2>a<td>b<tr><td>c<td>d<td>e<td>f", (), ["a a b", "c d e f"]),
        ("<tr><td rowspan=2 colspan=2>a<td>b<tr><td>c<tr><td>d", (), ["a a b", "a a c", "d"]),
        ("<tr><td>a<td rowspan=2>b<td>c<tr><td>d<td>e<td>f", (), ["a b c", "d b e f"]),
        ("<tr><td>a<td rowspan=2>b<td>c<tr><td colspan=2>d<td>e", (), ["a b c", "d b e"]),
        ("<tr><td rowspan=3>a<tr><td>b<tr>", (), ["a", "a b", "a"]),
        ("<tr><td rowspan=2>a<tbody><tr><td>b", (), ["a", "b"]),
        ("<tr><td rowspan=0>a<td>1<tr><td>2<tr><td>3<tbody><tr><td>4", (), ["a 1", "a 2", "a 3", "4"]),
        ("<tr><td><tr><td><td rowspan=2>a<tr><td>b", (), ["", " a", "b a"]),
        ("<tr><td><tr><td rowspan=2>x<td>a<tr><td>b", (), ["", "x a", "x b"]),
        # A number is written in at most eight digits of ASCII.
        ("<tr><td colspan=' 2 '>a<td>b", (), ["a a b"]),
        ("<tr><td colspan=00000002>a<td>b", (), ["a a b"]),
        ("<tr><td colspan=000000002>a<td>b", (), ["a b"]),
        ("<tr><td colspan=+2>a<td>b", (), ["a b"]),
        ("<tr><td colspan=&#xff12;>a<td>b", (), ["a b"]),
        ("<tr><td colspan=''>a<td>b", (), ["a b"]),
        # The first row is the header if there are others, and it has header cells alone.
        ("<tr><th>A", (), ["A"]),
        ("<tr><th>A<tr>", ("A",), [""]),
        ("<tr><th>A<td>B<tr><td>1<td>2", (), ["A B", "1 2"]),
        ("<tr><th>A<th>B<tr><td>1<td>2", ("A", "B"), ["1 2"]),
        ("<tr><th colspan=2>A<tr><td>1<td>2", ("A", "A"), ["1 2"]),
        ("<tr><th>A<tr><th>B<tr><td>1", ("A",), ["B", "1"]),
        ("<thead><tr><th>A<th>B<tr><th>C</thead><tr><td>1<td>2", ("A C", "B"), ["1 2"]),
        ("<thead><tr><th>A<th>B<tr><th>A<th>C</thead><tr><td>1<td>2", ("A", "B C"), ["1 2"]),
        ("<thead><tr><td>A</thead><tr><td>1", ("A",), ["1"]),
        ("<thead></thead><tr><th>A<tr><td>1", ("A",), ["1"]),
        ("<tr><td>1<thead><tr><th>A</thead>", (), ["1", "A"]),
        ("<tr><tr><td>1", (), ["", "1"]),
    ],
)  # fmt: skip
def test_rows_are_read_as_they_are_shown(rows: str, header: tuple[str, ...], texts: list[str]):
    (table,) = tables(f"<table>{rows}</table>")
    assert (table.header, [" ".join(row.texts) for row in table.rows]) == (header, texts)
    assert [row.text(len(row.texts)) for row in table.rows] == [""] * len(texts)
    digest = read(f"<table>{rows}</table>".encode(), "text/html")
    ((_, bare),) = grids(digest, digest.nodes_of("table"))
    heads = len(table.header_rows)
    assert (bare.heads, len(bare.rows)) == (heads, heads + len(texts))
    assert [
        " ".join([" ".join(digest.text(one).split()) if one >= 0 else "" for one in cells])
        for cells in bare.cells[heads:]
    ] == texts


@pytest.mark.parametrize(("span", "places"), [(999, 999), (1000, 1000), (1001, 1000), (99999999, 1000)])
def test_a_cell_is_at_most_a_thousand_places_wide(span: int, places: int):
    (table,) = tables(f"<table><tr><td colspan={span}>a</table>")
    assert table.rows[0].texts == ("a",) * places


def test_a_place_of_a_row_is_a_text_and_a_node():
    row = Row((4, 5), 3, ("a", "b"))
    assert [row.place(column) for column in (0, 1, 2)] == [("a", 4), ("b", 5), ("", 3)]
    assert [row.text(column) for column in (0, 1, 2)] == ["a", "b", ""]


@pytest.mark.parametrize(
    ("room", "rows", "texts"),
    [
        (4, "<td colspan=2>a<td colspan=2>b<td colspan=2>c", ["a a b b c"]),
        (5, "<td colspan=2>a<td colspan=2>b<td colspan=2>c", ["a a b b c c"]),
        (3, "<td colspan=3>a<tr><td colspan=2>b", ["a a a", "b"]),
        (5, "<td rowspan=2>a<td colspan=3>b<tr><td>c", ["a b b b", "a c"]),
        (4, "<td rowspan=2>a<td colspan=3>b<tr><td>c", ["a b b b", "c"]),
        (6, "<td rowspan=2>a<td colspan=3>b<tr><td colspan=2>c", ["a b b b", "a c c"]),
    ],
)
def test_spans_fill_a_limited_number_of_places(
    room: int, rows: str, texts: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(made_by, "_FILL", 0)
    monkeypatch.setattr(made_by, "_ALLOWANCE", room)
    (table,) = tables(f"<table><tr>{rows}</table>")
    assert [" ".join(row.texts) for row in table.rows] == texts


@pytest.mark.parametrize(("room", "widths"), [(1, [2, 1]), (2, [2, 1]), (3, [2, 2])])
def test_the_tables_of_a_page_have_one_limit_of_places(
    room: int, widths: list[int], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(made_by, "_MOST_PLACES", room)
    digest = read(b"<table><tr><td colspan=2>a</table>" * 2, "text/html")
    assert [len(table.cells[0]) for _, table in grids(digest, digest.nodes_of("table"))] == widths


@pytest.mark.parametrize(("cells", "is_row_by_row"), [(4, False), (5, True)])
def test_a_page_of_more_cells_is_read_row_by_row(
    cells: int, is_row_by_row: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(made_by, "MOST_CELLS", 4)
    digest = read(f"<table><caption>c</caption><tr>{'<td>a' * cells}</table>".encode(), "text/html")
    assert made_by.row_by_row(digest) is is_row_by_row
    (table,) = digest.tables
    assert table.rows[0].texts == (("a" + " a" * (cells - 1),) if is_row_by_row else ("a",) * cells)
    ((_, bare),) = grids(digest, digest.nodes_of("table"))
    assert bare.cells == ([[row] for row in bare.rows] if is_row_by_row else [digest.nodes_of("td").tolist()])


@pytest.mark.parametrize(
    ("inside", "found"),
    [
        ("<tr><td>1", ([3], [4], [], [1])),
        ("<caption>c</caption><tr><td>1<th>2<tr><td>3", ([5, 10], [6, 8, 11], [2], [2, 3])),
        ("", ([], [], [], [])),
        ("<tr><tr>", ([3, 4], [], [], [0, 0])),
        ("<tr><td><table></table>", None),
        ("<tr><td><div><table></table></div>", None),
    ],
)
def test_a_plain_table_is_read_in_one_walk(inside: str, found: object):
    digest = read(f"<table>{inside}</table>".encode(), "text/html")
    part = digest.part(digest.is_tag(("table", "caption", "tbody", "tr", "td", "th", "div", "#text")))
    names = tuple(part.tag_index.get(name, -1) for name in ("table", "tr", "td", "th", "caption"))
    twin = made_by.plain_rows
    plain = twins["plain_rows"][0] if "plain_rows" in twins else twin
    for rows in (plain, twin):
        assert rows(part.tags, part.sizes, 1, names) == found


def test_a_table_has_its_first_caption():
    (table,) = tables("<table><caption>a</caption><caption>b</caption><tr><td>1</table>")
    assert table.caption == "a"
    (table,) = tables("<table><caption>a</caption><caption>b</caption><tr><td colspan=2>1</table>")
    assert table.caption == "a"


@pytest.mark.parametrize(
    ("rows", "width"),
    [("<tr><td>1", 1), ("<tr><td>1<tr><td>2<tr><td>3", 1), ("<tr><td>1<td>2<tr><td>3<td>4", 2), ("<tr>", 0)],
)
def test_rows_of_one_width_stand_in_one_list(rows: str, width: int):
    (table,) = tables(f"<table>{rows}</table>")
    assert (isinstance(table.rows, EvenRows), getattr(table.rows, "width", 0)) == (width > 0, width)


def test_a_place_that_no_cell_fills_belongs_to_its_row():
    (table,) = tables("<table><tr><td>1<td>2<td rowspan=2>x<tr><tr><td>3</table>")
    first, second, third = table.rows
    assert (second.nodes, second.texts) == ((second.node, second.node, first.nodes[2]), ("", "", "x"))
    assert (len(third.nodes), third.texts) == (1, ("3",))
