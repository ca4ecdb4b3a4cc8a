"""The same row is found again on the other side of a table."""

from __future__ import annotations

import pytest

from webvigil.detect.rows import in_order, key_columns, match_rows


def columns(text: str) -> list[tuple[str, ...]]:
    """Reads columns: `Ann Bob | 1 2` are two of two rows; `_` is an empty cell, `~` a blank."""
    return [
        tuple("" if cell == "_" else cell.replace("~", " ") for cell in part.split())
        for part in text.split("|")
    ]


@pytest.mark.parametrize(
    ("old", "new", "keys"),
    [
        # A list has one column, and its texts need no key.
        ("Ann Bob", "Ann Bob", ()),
        ("Ann Bob | 5 6", "Ann Bob | 5 7", (0,)),
        # A name goes before a number that happens to be unique.
        ("5 6 | Ann Bob", "5 6 | Ann Bob", (1,)),
        ("5 7 9 | Ann Bob Cy", "5 8 9 | Ann Bob Cy", (1,)),
        # The leftmost of two equally good columns, and the better of two.
        ("Ann Bob | Ayr Ely", "Ann Bob | Ayr Ely", (0,)),
        ("Ann Bob Cy | Ayr Ely Hull", "Ann Bob Di | Ayr Ely Hull", (1,)),
        # A number of the row says nothing, up or down, with or without a point.
        ("1 2 3 | 9 4 7", "1 2 3 | 9 4 7", (1,)),
        ("3 2 1 | 9 4 7", "3 2 1 | 9 4 7", (1,)),
        ("1. 2. 3. | 9 4 7", "#1 #2 #3 | 9 4 7", (1,)),
        ("1) 2) 3) | 9 4 7", "1) 2) 3) | 9 4 7", (1,)),
        ("0 1 2 | 9 4 7", "8 7 6 | 9 4 7", (1,)),
        ("1 2 4 | 9 4 7", "1 2 4 | 9 4 7", (0,)),
        ("1 3 5 | 9 4 7", "1 2 3 | 9 4 7", (1,)),
        ("1000000000 1000000001 | 9 4", "1000000000 1000000001 | 9 4", (0,)),
        ("100000000 100000001 | 9 4", "100000000 100000001 | 9 4", (1,)),
        ("² ³ | 9 4", "² ³ | 9 4", (0,)),
        # Nothing but numbers of the rows: they are a key after all.
        ("1 2 3 | a a a", "1 2 3 | b b b", (0,)),
        # Texts that stand twice are no key.
        ("Ann Ann | 5 9", "Ann Ann | 5 9", (1,)),
        ("Ann Ann | 5 5", "Ann Ann | 5 5", ()),
        # Half of the shorter side has to be known.
        ("Ann Bob | a a", "Ann Cy | a a", (0,)),
        ("Ann Bob Cy | a a a", "Ann Di Ed | a a a", ()),
        ("Ann Bob Cy | a a a", "Ann Di | a a", (0,)),
        ("Ann Bob | a a", "Cy Di | a a", ()),
        # More than half of the rows need a key; empty cells are none.
        ("Ann _ Cy | a a a", "Ann _ Cy | a a a", (0,)),
        ("Ann _ _ Di | a a a a", "Ann _ _ Di | a a a a", ()),
        # Two columns together.
        ("Ann Ann Bob | May June May", "Ann Ann Bob | May June May", (0, 1)),
        ("Ann Ann Bob | x x x | May June May", "Ann Ann Bob | x x x | May June May", (0, 2)),
        (
            "Ann Ann Bob Bob | _ _ _ _ | May June May June",
            "Ann Ann Bob Bob | _ _ _ _ | May June May June",
            (0, 2),
        ),
        # The times of a timetable stayed, and its subjects changed.
        ("9:00 10:00 11:00 | Art Bio Chem", "9:00 10:00 11:00 | Art Chem Drama", (0,)),
        ("9:00 10:00 11:00 | Art Bio Chem", "9:00 10:00 12:00 | Art Chem Drama", (1,)),
        ("9:00 | Art", "9:00 | Bio", (0,)),
        # A pair of columns before a name.
        ("1 1 2 2 | 1 2 1 2 | Art Bio Chem Drama", "1 1 2 2 | 1 2 1 2 | Art Bio Ed Fun", (0, 1)),
        # A name in any script; a text of signs is none.
        ("5 6 | Åse Øle", "5 6 | Åse Øle", (1,)),
        ("5 6 | 東 西", "5 6 | 東 西", (1,)),
        ("5 7 | + -", "5 7 | + -", (0,)),
        # Half of the texts may be without a letter, not more.
        ("5 7 | Ann 3", "5 7 | Ann 3", (0,)),
        ("5 7 9 | Ann Bob 3", "5 7 9 | Ann Bob 3", (1,)),
        ("5 7 9 | Ann 4 3", "5 7 9 | Ann 4 3", (0,)),
        ("5 7 9 8 | 1 2 Ann 東", "5 7 9 8 | 1 2 Ann 東", (0,)),
        ("5 7 9 | 1 東 Ann", "5 7 9 | 1 東 Ann", (1,)),
    ],
)
def test_the_columns_that_identify_a_row(old: str, new: str, keys: tuple[int, ...]):
    assert key_columns(columns(old), columns(new)) == keys


def test_an_empty_table_has_no_key():
    assert key_columns([(), ()], [("Ann",), ("5",)]) == ()
    assert key_columns([("Ann",), ("5",)], [(), ()]) == ()


@pytest.mark.parametrize(("before", "keys"), [(11, (11,)), (12, ())])
def test_a_key_is_looked_for_in_the_first_twelve_columns(before: int, keys: tuple[int, ...]):
    table = [("x", "x")] * before + [("Ann", "Bob")]
    assert key_columns(table, table) == keys


@pytest.mark.parametrize(("before", "keys"), [(2, (0, 3)), (3, ())])
def test_two_columns_are_looked_for_among_the_first_four(before: int, keys: tuple[int, ...]):
    table = [("Ann", "Ann", "Bob"), *[("x",) * 3] * before, ("May", "June", "May")]
    assert key_columns(table, table) == keys


@pytest.mark.parametrize(("more", "keys"), [(0, (0, 1)), (1, ())])
def test_two_columns_are_looked_for_in_tables_of_ten_thousand_rows(more: int, keys: tuple[int, ...]):
    old = [tuple(f"a{n // 2}" for n in range(10_000)), ("May", "June") * 5_000]
    new = [column + ("Zoe",) * more for column in old]
    assert key_columns(old, new) == keys


@pytest.mark.parametrize(("more", "keys"), [(0, (0,)), (1, (1,))])
def test_other_columns_than_the_names_are_tried_in_tables_of_ten_thousand_rows(
    more: int, keys: tuple[int, ...]
):
    times = tuple(f"{n}:{n}" for n in range(10_000 + more))
    old = [times[:10_000], tuple(f"Art {n}" for n in range(10_000))]
    new = [times, tuple(f"Art {n + 9}" for n in range(10_000 + more))]
    assert key_columns(old, new) == keys


def rows(text: str) -> list[tuple[str, ...]]:
    """Reads rows: `Ann 5 | Bob 6` are two of two cells; `_` is an empty cell, `~` a blank."""
    return columns(text) if text else []


@pytest.mark.parametrize(
    ("old", "new", "keys", "pairs"),
    [
        ("", "", (), []),
        ("", "a b", (0,), []),
        ("a b", "", (), []),
        ("Ann 5 | Bob 6", "Ann 5 | Bob 6", (0,), [(0, 0), (1, 1)]),
        ("Ann 5 | Bob 6", "Bob 7 | Ann 8", (0,), [(0, 1), (1, 0)]),
        ("Ann 5 | Bob 6 | Cy 7", "Ann 5 | Di 9 | Cy 7", (0,), [(0, 0), (2, 2)]),
        # Without a key equal rows are the same: in order, or moved.
        ("a b | c d | e f", "a b | e f", (), [(0, 0), (2, 1)]),
        ("a b | c d | e f", "c d | e f | a b", (), [(0, 2), (1, 0), (2, 1)]),
        # Rows without a key that is filled are the same if they are equal.
        ("_ x | Ann 5 | _ y", "Ann 6 | _ y | _ x", (0,), [(0, 2), (1, 0), (2, 1)]),
        ("_ x", "_ y", (0,), []),
        ("_ _ | Ann 5", "_ _ | Ann 6", (0,), [(0, 0), (1, 1)]),
        ("Ann 5 | _ _", "_ _ | Ann 5", (0,), [(0, 1), (1, 0)]),
        # A corrected key: much alike, and half of the other cells stayed.
        ("Annabel 5 7", "Anabel 5 7", (0,), [(0, 0)]),
        ("Annabel 5 7", "ANABEL 5 8", (0,), [(0, 0)]),
        ("Annabel 5 7", "Anabel 6 8", (0,), []),
        ("Ann 5 7", "Bob 5 7", (0,), []),
        ("abcd 5 7", "abcx 5 7", (0,), [(0, 0)]),
        ("abcd 5 7", "abxy 5 7", (0,), []),
        ("Annabel 5 7", "Anabel 5 7", (0, 1), [(0, 0)]),
        ("Annabel 5 7", "Anabel 5 8", (0, 1), []),
        # The only row at a place keeps most of its words.
        ("a b c", "a b x", (), [(0, 0)]),
        ("red~pears~x", "pears~green~small", (), []),
        ("pears~red~ripe", "Pears~Red~old", (), [(0, 0)]),
        ("pears~red", "pears~green~and~red", (), [(0, 0)]),
        # One row begins or ends with the other.
        ("pears | kiwis", "pears~green | x | y", (), [(0, 0)]),
        ("pears | kiwis", "x | green~pears | y", (), [(0, 1)]),
        ("pears~green | kiwis", "x | PEARS | y", (), [(0, 1)]),
        ("pears | kiwis", "x | ripe~pears~green | y", (), []),
        ("pears~red~ripe~and~soft | kiwis", "pears~green | x | y", (), []),
        ("soft~and~ripe~red~pears | kiwis", "green~pears | x | y", (), []),
        ("pears | pears | kiwis", "pears~green | x", (), []),
        ("pears | kiwis", "pears~green~and~very~sweet | pears~red~and~very~soft | y", (), []),
        # Equally many rows are left at one place of a table: other cells.
        ("a b | c d", "w x | y z", (), [(0, 0), (1, 1)]),
        ("a b | c d", "w x | y z | u v", (), []),
        ("a | c", "w | y", (), []),
        ("a b | = = | c d", "w x | = = | y z | u v", (), [(0, 0), (1, 1)]),
    ],
)
def test_the_rows_that_are_the_same(old: str, new: str, keys: tuple[int, ...], pairs: list[tuple[int, int]]):
    assert match_rows(rows(old), rows(new), keys) == pairs
    backwards = sorted((other, one) for one, other in pairs)
    assert match_rows(rows(new), rows(old), keys) == backwards


@pytest.mark.parametrize(
    ("theirs", "kept"),
    [
        ([], []),
        ([0, 1, 2], [0, 1, 2]),
        ([1, 2, 0], [0, 1]),
        ([2, 0, 1], [1, 2]),
        # As many rows are kept either way: the one that is nearest to where it was.
        ([3, 1, 2, 0], [1, 2]),
        ([1, 0], [1]),
        ([5, 1], [1]),
        ([1, 5, 2], [0, 2]),
        ([9, 1, 8, 2], [1, 3]),
    ],
)
def test_of_moved_rows_as_many_as_possible_keep_their_order(theirs: list[int], kept: list[int]):
    assert in_order(list(enumerate(theirs))) == kept
