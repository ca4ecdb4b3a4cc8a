"""What a change found, as its card shows it: rows of a table as a small table, everything else as a list."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from webvigil import diff
from webvigil.document import read
from webvigil.model.change import Finding, ObjectChange, Status, Surrounding
from webvigil.present.lines import lines
from webvigil.present.rows import rows_in
from webvigil.present.story import pace_changes
from webvigil.web.found import first_in, found_in

PRICES = (
    "<table><caption>Prices</caption><tr><th>Product<th>Price<th>In stock"
    "<tr><td>Aurora lamp<td>{}<td>{}<tr><td>Birk table<td>€ 300<td>3{}</table>"
)


def cell(row: int, column: str, before: str, after: str, **more: object) -> ObjectChange:
    """Returns a changed cell of the row `Tea | € 3.00 | 12`, as the comparison of tables finds it."""
    old, new = f"Tea {row} | {before} | 12", f"Tea {row} | {after} | 12"
    at = len(f"Tea {row} | ")
    around = Surrounding(old, new, ((at, at + len(before)),), ((at, at + len(after)),))
    return ObjectChange(
        object=f"Tea {row} › {column}",
        status=Status.UPDATED,
        before=before,
        after=after,
        where=(f"/html/body/table/tbody/tr[{row}]/td[1]",),
        label=f"Tea {row} · {column}",
        surrounding=around,
    )


def test_changed_cells_are_shown_in_their_rows_under_their_columns():
    objects = tuple(cell(row, "Price", "€ 3.00", f"€ {row}.00") for row in range(4, 9))
    shown = rows_in([Finding(type="table", objects=objects)])
    assert shown is not None
    assert shown.head == ("", "Price"), "nobody could tell what the 12 beside it counts"
    assert shown.rows[0].cells == ("Tea 4", "<del>€ 3.00</del> <ins>€ 4.00</ins>")
    assert (len(shown.rows), shown.more) == (3, 2)


def test_a_cell_that_nobody_watches_is_not_marked():
    one = cell(1, "Price", "€ 3.00", "€ 4.00")
    around = one.surrounding
    assert around is not None
    beside = one._replace(surrounding=around._replace(after=around.after.replace("12", "few")))
    shown = rows_in([Finding(type="value", objects=(beside,))])
    assert shown is not None
    assert shown.rows[0].cells == ("Tea 1", "<del>€ 3.00</del> <ins>€ 4.00</ins>", "few")


def test_two_cells_of_a_row_are_one_row():
    one, both = cell(1, "Price", "€ 3.00", "€ 4.00"), cell(1, "Price", "€ 3.00", "€ 4.00")
    shown = rows_in([Finding(type="table", objects=(one, both))])
    assert shown is not None
    assert (len(shown.rows), shown.more) == (1, 0)


def test_a_new_row_is_marked_as_a_whole_and_its_words_stay_text():
    new = ObjectChange(
        object="Tea",
        status=Status.NEW,
        after="Tea | <b>3</b>",
        where=("/html/body/table/tr[2]",),
        surrounding=Surrounding("", "Tea | <b>3</b>", (), ((0, 3),)),
    )
    shown = rows_in([Finding(type="table", objects=(new,))])
    assert shown is not None
    assert (shown.rows[0].word, shown.rows[0].cells) == (
        "new",
        ("<ins>Tea</ins>", "<ins>&lt;b&gt;3&lt;/b&gt;</ins>"),
    )


def test_a_changed_row_of_which_only_the_new_side_is_known_is_no_new_row():
    one = cell(1, "Price", "3 12", "4 10")._replace(surrounding=Surrounding("", "Tea 1 | 4 | 10"))
    assert rows_in([Finding(type="all words", objects=(one,))]) is None


def test_other_findings_are_no_table():
    link = ObjectChange(object="https://a.test/", status=Status.NEW, old=0, new=1, where=("/html/body/a",))
    assert rows_in([Finding(type="all links", objects=(link,))]) is None
    assert rows_in([Finding(type="any change", objects=(cell(1, "Price", "1", "2"), link))]) is None
    assert rows_in([]) is None


def test_the_line_of_a_sentinel_tells_when_another_pace_was_learnt():
    noon = datetime(2027, 1, 4, 12, tzinfo=UTC)
    plans = ["", "changes every day", "changes every day", "changes every hour", ""]
    looks = [
        {"at": noon + timedelta(hours=at), "plan": f"{plan}; next look in 1 hour" if plan else ""}
        for at, plan in enumerate(plans)
    ]
    assert pace_changes(looks[::-1]) == [(noon + timedelta(hours=3), "changes every hour")]
    assert pace_changes([]) == []


def test_a_name_that_the_line_begins_with_is_told_once():
    around = Surrounding("Anna: soft (8 agree)", "Anna: soft (9 agree)", ((12, 13),), ((12, 13),))
    one = ObjectChange("8", Status.UPDATED, before="8", after="9", label="Anna", surrounding=around)
    (shown,) = found_in([Finding(type="any change", objects=(one,))]).objects
    assert (shown.label, shown.text) == ("Anna", "soft (<del>8</del> <ins>9</ins> agree)")


def test_a_text_that_is_its_own_name_is_told_once():
    whole = Surrounding(after="Sunny boats", after_marks=((0, 11),))
    one = ObjectChange("Sunny boats", Status.NEW, after="Sunny boats", label="Sunny boats", surrounding=whole)
    (shown,) = found_in([Finding(type="any change", objects=(one,))]).objects
    assert (shown.label, shown.text) == ("", "<ins>Sunny boats</ins>")


def test_a_card_tells_a_text_and_its_link_once():
    text = ObjectChange("Crooked songs", Status.NEW, after="Crooked songs", label="Links")
    link = ObjectChange("http://a.test/1", Status.NEW, old=0, new=1, label="Links", link_text="Crooked songs")
    other = link._replace(object="http://a.test/2", link_text="Jobs")
    findings = [Finding(type="any change", objects=(text, link, other))]
    assert len(first_in(findings).objects) == 2
    assert len(found_in(findings).objects) == 3


def test_the_changed_cells_of_a_row_are_told_together_and_lead_to_the_first():
    old = read(PRICES.format("€ 49.90", 12, "").encode(), "text/html", "http://s.test/")
    new = read(
        PRICES.format("€ 51.90", 10, "<tr><td>Delta<td>€ 79<td>1").encode(), "text/html", "http://s.test/"
    )
    for monitor in ("any change", "table: {1}"):
        (finding,) = diff(old, new, monitor).findings
        shown = found_in([finding], 300)
        (row,) = [one for one in shown.objects if one.word == "changed"]
        assert row.label == "Aurora lamp"
        assert row.text == (
            "Price: <del>€ 49.90</del> → <ins>€ 51.90</ins>; In stock: <del>12</del> → <ins>10</ins>"
        )
        assert finding.objects[row.place].label == "Aurora lamp · Price"
        assert [finding.objects[one.place].status.value for one in shown.objects if one.word == "new"] == [
            "i"
        ]
        assert (len(shown.objects), shown.more) == (2, 0)
        assert found_in([finding], 1).more == 1
        assert "+ Delta" in " ".join(map(str, lines(finding)))


def test_a_row_with_hostile_cells_is_escaped():
    old = read(PRICES.format("<b>1", "&lt;i&gt;2", "").encode(), "text/html", "http://s.test/")
    new = read(PRICES.format("<b>3", "&lt;i&gt;4", "").encode(), "text/html", "http://s.test/")
    (row,) = found_in(diff(old, new, "table: {1}").findings).objects
    assert "<i>" not in row.text
    assert "<del>&lt;i&gt;2</del> → <ins>&lt;i&gt;4</ins>" in row.text


def test_a_link_beside_words_that_stayed_is_told_by_its_text_and_address():
    new = ObjectChange(
        object="http://a.test/jobs/2",
        status=Status.NEW,
        where=("/html/body/a",),
        label="Jobs",
        surrounding=Surrounding("Carpenter wanted About", "Carpenter wanted About"),
        link_text="Carpenter wanted",
    )
    (shown,) = found_in([Finding(type="all links", objects=(new,))]).objects
    assert (shown.label, shown.text) == ("Jobs", "<ins>Carpenter wanted (http://a.test/jobs/2)</ins>")
