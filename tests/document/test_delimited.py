"""CSV and TSV files are read as tables (F9)."""

from __future__ import annotations

import pytest

from webvigil.document.delimited import read_delimited


def rows(text: str, **how: bool) -> list[list[str]] | None:
    """Returns the cells row by row; those of a header are in capitals."""
    digest = read_delimited(text, **how)
    if digest is None:
        return None
    found: dict[int, list[str]] = {node: [] for node in digest.nodes_of("tr").tolist()}
    for cell in digest.nodes_of("td", "th").tolist():
        text = digest.text(cell)
        found[int(digest.parents[cell])].append(text.upper() if digest.tag(cell) == "th" else text)
    return list(found.values())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a,b\n1,2\n", [["A", "B"], ["1", "2"]]),
        ("a;b\n1,5;2,5\n", [["A", "B"], ["1,5", "2,5"]]),
        ("a\tb\n1, 2\t3\n", [["A", "B"], ["1, 2", "3"]]),
        ("a|b\n1|2\n", [["A", "B"], ["1", "2"]]),
        ("a;b,c;d\n1;2;3\n1;2;3\n", [["A", "B,C", "D"], ["1", "2", "3"], ["1", "2", "3"]]),
        ("a,b;c\n1,2;3\n", [["A", "B;C"], ["1", "2;3"]]),
        ("a,b;c;d\n1,2;3;4\n", [["A,B", "C", "D"], ["1,2", "3", "4"]]),
        ('a,b\n"x, y","he said ""no"""\n', [["A", "B"], ["x, y", 'he said "no"']]),
        ("a, b\n1, 2\n", [["A", "B"], ["1", "2"]]),
        ("a,b\r1,2\r", [["A", "B"], ["1", "2"]]),
        ("\ufeffa,b\n1,2", [["A", "B"], ["1", "2"]]),
        ("a,b\n\n , \n1,\n", [["A", "B"], ["1", ""]]),
        ("alone", [["alone"]]),
        ("name\nx\n", [["NAME"], ["x"]]),
    ],
)
def test_the_delimiter_is_the_one_that_makes_a_table(text: str, found: list[list[str]]):
    assert rows(text) == found


@pytest.mark.parametrize("text", ["", " \n ", "<p>a,b</p>", "  <!doctype html>", "</x>", "<?xml?>", ",\n,"])
def test_what_has_no_cells_or_is_markup_is_no_table(text: str):
    assert rows(text) is None


def test_a_comparison_is_no_markup():
    assert rows("< 5,6\n1,2") == [["< 5", "6"], ["1", "2"]] or rows("< 5,6\n1,2") == [
        ["< 5", "6"],
        ["1", "2"],
    ]


@pytest.mark.parametrize(
    ("first", "names"),
    [
        ("a,b", True),
        ("a,a", False),
        ("a,", False),
        ("a,1", False),
        ("a,-1.5", False),
        ("a,$ 12", False),
        ("a,12 %", False),
        ("a,(7)", False),
        ("a,2024-01-02", False),
        ("a,1.2.2024", False),
        ("a,2024-01-02T10:00:00", False),
        ("a,10:30", False),
        ("a,2024 budget", True),
        ("a,10:30x", False),
        ("a,1st", True),
    ],
)
def test_the_first_row_names_the_columns_if_it_looks_like_names(first: str, names: bool):
    made = rows(f"{first}\nx,y\n")
    assert made is not None
    plain = [cell.strip() for cell in first.split(",")]
    assert made == [[cell.upper() for cell in plain] if names else plain, ["x", "y"]]


def test_who_says_whether_there_is_a_header_is_believed():
    assert rows("1,2\n3,4", header=True) == [["1", "2"], ["3", "4"]]
    digest = read_delimited("1,2\n3,4", header=True)
    assert digest is not None
    assert (len(digest.nodes_of("th")), len(digest.nodes_of("td")), len(digest.nodes_of("thead"))) == (
        2,
        2,
        1,
    )
    assert rows("a,b\nc,d", header=False) == [["a", "b"], ["c", "d"]]


def test_one_row_alone_has_no_header():
    assert rows("a,b") == [["a", "b"]]


def test_a_file_of_tabs_is_cut_at_tabs_alone():
    assert rows("a,b\t c\n1,2\t3\n", tabs=True) == [["A,B", " C"], ["1,2", "3"]]
    assert rows("a;b\n", tabs=True) == [["a;b"]]


def test_fifty_rows_decide_about_the_delimiter():
    assert rows("a;b\n" * 50 + "c,d,e\n" * 200)[1] == ["a", "b"]
    assert rows("a;b\n" + "c,d,e\n" * 200)[1] == ["c", "d", "e"]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("a;b,c\nd;e;f\n", ["A", "B,C"]),
        ("a;b,c\na;b,c\na;b\na;b;c", ["A", "B,C"]),
        ("a;b\n" * 25 + "c,d\n" * 25 + "a;b\n", ["A;B"]),
    ],
)
def test_the_delimiter_of_most_rows_counts_then_that_of_more_cells_then_the_commoner_one(
    text: str, first: list[str]
):
    assert rows(text)[0] == first


def test_a_file_of_very_many_cells_is_no_table():
    assert read_delimited("a," * 100_000 + "\n") is not None
    assert read_delimited(",\n" * 450_001) is None
