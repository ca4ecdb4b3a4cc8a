"""The changes of a comparison are counted and told; what is shown of them is chosen and cut into parts."""

from __future__ import annotations

import pytest

from webvigil.document import PageDigest, read
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.present.align import Mark
from webvigil.present.choose import How, cheapest, costs, view
from webvigil.present.comparison import Change, Comparison, LeftOut, compare, tabled
from webvigil.present.instalments import instalments, parts_of_changes
from webvigil.present.only import Item, Shown, Skipped, everything, kept_places, only_changes


def page(text: str) -> PageDigest:
    return read(text.encode(), "text/html", "http://a.test/")


def paragraphs(count: int, changed: str = "", *, heads: str = "") -> str:
    """Returns so many paragraphs. Those in `changed` have another text, those in `heads` are headings."""
    other, headings = ({*map(int, numbers.split())} for numbers in (changed, heads))
    return "".join(
        f"<{tag}>block number {n} says {'no' if n in other else 'yes'}</{tag}>"
        for n in range(count)
        for tag in ("h2" if n in headings else "p",)
    )


def compared(old: str, new: str) -> Comparison:
    return compare(page(old), page(new))


def change(mark: Mark, size: int, came: int, went: int, gone: int = 0, new: int = 0) -> Change:
    return Change(1, mark, 0, size, "", came, went, ("x",) * gone, ("y",) * new)


@pytest.mark.parametrize(
    ("one", "amount"),
    [
        (change(Mark.CHANGED, 1, 2, 1), "changed: -1 +2 words"),
        (change(Mark.CHANGED, 1, 0, 1), "changed: -1 words"),
        (change(Mark.NEW, 3, 40, 0), "3 blocks new: +40 words"),
        (change(Mark.GONE, 2, 0, 7), "2 blocks gone: -7 words"),
        (change(Mark.MOVED, 1, 4, 4, 1), "moved"),
        (change(Mark.CHANGED, 1, 0, 0, 1, 2), "changed: 3 links"),
        (change(Mark.CHANGED, 1, 1, 0, 1), "changed: +1 words, 1 links"),
        (change(Mark.CHANGED, 1, 0, 0), "changed"),
    ],
)
def test_a_change_tells_its_amount(one: Change, amount: str):
    assert one.amount == amount


@pytest.mark.parametrize(
    ("old", "new", "amounts"),
    [
        ("<p>a b c", "<p>a b c", "no change a reader can see"),
        ("<p>one two three four", "<p>one two six four", "1 changed; -1 +1 words"),
        ("<p>a b", "<p>a b<p>c d e", "1 new; -0 +3 words"),
        ("<p>a b<p>c d e", "<p>a b", "1 gone; -3 +0 words"),
        ("<p>x<p>a b", "<p>x<p><a href=/l>a b</a>", "1 changed; 1 link"),
        ("<p>x", "<p>x<img src=a.png><img src=b.png>", "2 pictures"),
        (
            "<p>first thing<p>second<p>third<p>fourth",
            "<p>second<p>third<p>fourth<p>first thing",
            "1 moved",
        ),
    ],
)
def test_a_comparison_tells_its_amounts(old: str, new: str, amounts: str):
    assert compared(old, new).amounts == amounts


def test_neighbours_that_came_together_are_one_change_and_changed_blocks_are_one_each():
    found = compared("<p>x y<p>a one b c<p>d two e f", "<p>new here<p>too<p>x y<p>a six b c<p>d ten e f")
    assert [
        (one.number, str(one.mark), one.first, one.size, one.came, one.went) for one in found.changes
    ] == [
        (1, "+", 0, 2, 3, 0),
        (2, "~", 3, 1, 1, 1),
        (3, "~", 4, 1, 1, 1),
    ]
    assert found.numbers == (1, 1, 0, 2, 3)


def test_both_places_of_a_move_have_its_number():
    found = compared("<p>first thing<p>second<p>third", "<p>second<p>third<p>first thing")
    assert found.numbers == (1, 0, 0, 1)
    assert [(one.first, one.came, one.went) for one in found.changes] == [(3, 0, 0)]


@pytest.mark.parametrize(("length", "ending"), [(60, "x" * 60), (61, "x" * 59 + "…")])
def test_the_excerpt_of_a_change_has_sixty_characters(length: int, ending: str):
    (one,) = compared("", f"<p>{'x' * length}").changes
    assert one.excerpt == ending


def test_values_of_documents_are_told_by_name_and_binary_pages_as_a_whole():
    old, new = (read(f'{{"price": {n}}}'.encode(), "application/json", "u:") for n in (1, 2))
    assert [one.excerpt for one in compare(old, new).changes] == ["price: 2"]
    pictures = [read(bytes([n] * 9), "application/octet-stream", "u:") for n in (1, 2)]
    assert len(compare(*pictures).steps) <= 2


def test_what_is_left_out_is_counted_and_makes_the_amounts_a_least():
    assert str(LeftOut(1_000, 7)) == (
        "… too long to be shown: what follows is left out, "
        "1,000 blocks of the old version and 7 of the new one"
    )
    whole = compared("<p>a b", "<p>a c b")
    cut = Comparison(**{**fields(whole), "left_out": {1: LeftOut(1, 1)}})
    assert (whole.is_cut, cut.is_cut) == (False, True)
    assert cut.amounts == f"at least {whole.amounts}"
    assert not Comparison(**{**fields(whole), "left_out": {1: LeftOut(1, 1, same=True)}}).is_cut


def fields(one: Comparison) -> dict[str, object]:
    return {name: getattr(one, name) for name in one.__dataclass_fields__}


def test_tables_alone_leave_out_the_words():
    found = compared("<p>x", "<p>y<a href=/l>z</a><img src=a.png>")
    assert (tabled(found, "links").amounts, tabled(found, "pictures").amounts) == ("1 link", "1 picture")


# --- which blocks are shown -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "changed", "heads", "kept"),
    [
        (9, "", "", []),
        (9, "4", "", [3, 4, 5]),
        (9, "0", "", [0, 1]),
        (9, "8", "", [7, 8]),
        (9, "1", "", [0, 1, 2]),
        (9, "2", "", [0, 1, 2, 3]),
        (9, "6", "", [5, 6, 7, 8]),
        (12, "3 7", "", [2, 3, 4, 5, 6, 7, 8]),
        (13, "3 8", "", [2, 3, 4, 7, 8, 9]),
        (12, "9", "1 4", [4, 8, 9, 10, 11]),
        (12, "4", "1 4", [0, 1, 2, 3, 4, 5]),
        (12, "0", "0", [0, 1]),
    ],
)
def test_a_change_is_kept_with_its_neighbours_and_its_heading(
    count: int, changed: str, heads: str, kept: list[int]
):
    found = compared(paragraphs(count, heads=heads), paragraphs(count, changed, heads=heads))
    assert kept_places(found) == kept


def told(items: list[Item]) -> list[str]:
    return [
        str(one) if isinstance(one, Skipped) else f"{one.number}{'!' if one.first else ''}" for one in items
    ]


def test_what_is_left_out_between_is_counted():
    found = compared(paragraphs(12), paragraphs(12, "4"))
    assert told(only_changes(found)) == [
        "… 3 unchanged blocks",
        "0",
        "1!",
        "0",
        "… 6 unchanged blocks",
    ]
    assert told(everything(found)) == ["0"] * 4 + ["1!"] + ["0"] * 7
    left_out = {4: LeftOut(5, 5, same=True), 12: LeftOut(2, 3)}
    cut = Comparison(**{**fields(found), "left_out": left_out})
    assert told(only_changes(cut)) == [
        "… 3 unchanged blocks",
        "0",
        "… 5 unchanged blocks",
        "1!",
        "0",
        "… 6 unchanged blocks",
        str(LeftOut(2, 3)),
    ]
    assert str(Skipped(1)) == "… 1 unchanged block"
    assert str(Skipped(1_000)) == "… 1,000 unchanged blocks"


# --- how they are shown ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "changed", "price", "how"),
    [
        (3, "", (3, 4.5, 0), How.ONLY),
        (3, "1", (4, 4.5, 6), How.SINGLE),
        (4, "1 2", (6, 6.0, 8), How.SINGLE),
        (4, "0 1 2", (7, 6.0, 9), How.DUAL),
        (20, "9", (21, 30.0, 6), How.ONLY),
        (30, "5 20", (32, 45.0, 12), How.ONLY),
    ],
)
def test_the_cheapest_presentation_wins(count: int, changed: str, price: tuple[float, ...], how: How):
    found = compared(paragraphs(count), paragraphs(count, changed))
    assert tuple(costs(found)[one] for one in (How.SINGLE, How.DUAL, How.ONLY)) == price
    assert cheapest(found) is how
    chosen = view(found)
    assert (chosen.columns, chosen.only) == (2 if how is How.DUAL else 1, how is How.ONLY)


def test_a_presentation_that_was_chosen_is_taken():
    found = compared(paragraphs(20), paragraphs(20, "9"))
    shown = {how: view(found, how) for how in (How.ONLY, How.SINGLE, How.DUAL)}
    assert [(one.columns, one.only, one.skips) for one in shown.values()] == [
        (1, True, True),
        (1, False, False),
        (2, False, False),
    ]
    link = Finding(type="all links", objects=(ObjectChange(object="x", status=Status.NEW),))
    assert view(found, How.SINGLE, [link]).columns == 1


# --- parts of a long page -------------------------------------------------------------------------------


def items(count: int, changed: str = "", heads: str = "") -> list[Item]:
    return everything(compared(paragraphs(count, heads=heads), paragraphs(count, changed, heads=heads)))


@pytest.mark.parametrize(
    ("count", "heads", "sizes"),
    [
        (0, "", [0]),
        (210, "", [210]),
        (211, "", [10, 201]),
        (211, "10", [10, 201]),
        (211, "11", [11, 200]),
        (230, "9", [10, 10, 210]),
        (230, "15 29", [15, 14, 201]),
        (230, "209", [209, 21]),
        (230, "210", [10, 200, 20]),
    ],
)
def test_a_long_page_is_cut_before_a_heading(count: int, heads: str, sizes: list[int]):
    assert [len(part) for part in instalments(items(count, heads=heads), 10)] == sizes


def test_a_table_is_not_cut_if_it_ends_soon():
    rows = "".join(f"<tr><td>{n}<td>x" for n in range(50))
    text = f"<p>before<table>{rows}</table>" + paragraphs(200)
    assert [len(part) for part in instalments(everything(compared(text, text)), 10)] == [51, 200]


def test_the_part_of_each_change_is_known():
    parts = instalments(items(240, "3 12 239"), 10)
    assert parts_of_changes(parts) == {1: 0, 2: 1, 3: len(parts) - 1}
    assert all(isinstance(one, Shown) for part in parts for one in part)
