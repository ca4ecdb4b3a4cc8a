"""Whether a changed text is a price, another number, or neither."""

from __future__ import annotations

import pytest

from webvigil.detect.gist import moved_by, quantity, steps
from webvigil.detect.quantities import amounts_in
from webvigil.model.change import ObjectChange, Status


@pytest.mark.parametrize(
    ("before", "after", "noun"),
    [
        ("12", "13", "value"),
        ("1 234", "1,235", "value"),
        ("5 m2", "6 m2", "value"),
        ("1.5e3", "1.6e3", "value"),
        ("3", "٤", "value"),
        ("€ 12.00", "€ 11.50", "price"),
        ("12 5", "13 5", ""),
        ("12 of 20", "13 of 20", ""),
        ("chapter 12", "chapter 13", ""),
        ("9" * 49, "8" * 49, ""),
        ("twelve", "13", ""),
        (None, "13", ""),
    ],
)
def test_a_number_stands_for_itself(before: str | None, after: str, noun: str):
    assert quantity(ObjectChange("x", Status.UPDATED, before=before, after=after)) == noun


@pytest.mark.parametrize("digits", ["0", "007", "9" * 60])
def test_digits_alone_are_one_amount(digits: str):
    (one,) = amounts_in(digits)
    assert (one.start, one.end, str(one.number), one.unit) == (0, len(digits), str(int(digits)), "")


def test_very_many_digits_are_no_amount():
    assert amounts_in("9" * 61) == ()


@pytest.mark.parametrize(
    ("before", "after", "percent", "moved"),
    [
        ("2000 €", "2001 €", "+0.1\u00a0%", 0.05),
        ("2001 €", "2002 €", "", 100 / 2001),
        ("1 €", "100.9 €", "+9990\u00a0%", 9990.0),
        ("1 €", "101 €", "", 0.0),
        ("2 €", "1 €", "−50\u00a0%", 50.0),
        ("0 €", "5 €", "", 0.0),
        ("-1 €", "5 €", "", 0.0),
        ("5 %", "6 %", "", 0.0),
        ("5 €", "6 $", "", 0.0),
        ("5", "6 €", "+20\u00a0%", 20.0),
    ],
)
def test_by_how_much_a_number_moved_is_told_where_a_reader_can_picture_it(
    before: str, after: str, percent: str, moved: float
):
    one = ObjectChange(before, Status.UPDATED, before=before, after=after)
    assert [step.percent for step in steps(one)] == [percent]
    assert moved_by(one) == pytest.approx(moved)
