"""Tests of what a text means: numbers in any notation, and dates; another notation is no change (C14)."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.detect.dates import find_date
from webvigil.detect.quantities import _plain, amounts_in, difference, parse_value
from webvigil.detect.units import MAGNITUDES, UNITS


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("1,234.56", "1234.56", ""),
        ("1.234,56", "1234.56", ""),
        ("1 234,56", "1234.56", ""),
        ("1\u00a0234,56", "1234.56", ""),
        ("1\u202f234\u202f567,8", "1234567.8", ""),
        ("1'234.56", "1234.56", ""),
        ("1’234’567", "1234567", ""),
        ("1,234,567", "1234567", ""),
        ("1.234.567,89", "1234567.89", ""),
        ("₹1,23,456", "123456", "INR"),
        ("₹ 12,34,567.50", "1234567.50", "INR"),
        ("$1.2M", "1200000", "USD"),
        ("$5m", "5000000", "USD"),
        ("2,5 Mio. €", "2500000", "EUR"),
        ("3 billion", "3000000000", ""),
        ("5 lakh", "500000", ""),
        ("1.2万", "12000", ""),
        ("19,-", "19", ""),
        ("19,– €", "19", "EUR"),
        ("CHF 5.–", "5", "CHF"),
        ("€5", "5", "EUR"),
        ("5 €", "5", "EUR"),
        ("EUR 19,99", "19.99", "EUR"),
        ("1.234 €", "1234", "EUR"),
        ("$3.459", "3.459", "USD"),
        ("R$ 1.234,50", "1234.50", "BRL"),
        ("HK$1,234", "1234", "HKD"),
        ("1 299 kr", "1299", "kr"),
        ("Rs.500", "500", "INR"),
        ("1,50 zł", "1.50", "PLN"),
        ("Price: $1,234.56 incl. VAT", "1234.56", "USD"),
        ("12 %", "12", "%"),
        ("%12", "12", "%"),
        ("+3.5%", "3.5", "%"),
        ("−5 °C", "-5", "°C"),
        ("-$5.00", "-5", "USD"),
        ("$-5.00", "-5", "USD"),
        ("5 kg", "5", "kg"),
        ("5 m", "5", "m"),
        (".99", "0.99", ""),
        ("0,123", "0.123", ""),
        ("1e6", "1000000", ""),
        ("1,299 reviews", "1299", ""),
        ("Only 3 left!", "3", ""),
        ("123,456", "123456", ""),
        ("1234,567", "1234.567", ""),
        ("1,2345", "1.2345", ""),
        ("1,234.5", "1234.5", ""),
        ("Rating - 5", "5", ""),
        ("٣٤٥٫٦٧", "345.67", ""),
        ("١٬٢٣٤٫٥", "1234.5", ""),
        ("१,२३,४५६", "123456", ""),
        ("১২৩", "123", ""),
        ("１２３", "123", ""),
    ],
)
def test_numbers_are_understood_in_any_notation(text: str, number: str, unit: str) -> None:
    value = parse_value(text)
    assert (value.kind, value.number, value.unit) == ("number", Decimal(number), unit)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-12", date(2026, 3, 12)),
        ("12 March 2026", date(2026, 3, 12)),
        ("12th of March 2026", date(2026, 3, 12)),
        ("March 12, 2026", date(2026, 3, 12)),
        ("Mar. 12, 2026", date(2026, 3, 12)),
        ("12-Mar-2026", date(2026, 3, 12)),
        ("12.03.2026", date(2026, 3, 12)),
        ("12.3.2026", date(2026, 3, 12)),
        ("03/12/2026", date(2026, 3, 12)),
        ("13/12/2026", date(2026, 12, 13)),
        ("2026/3/12", date(2026, 3, 12)),
        ("12. März 2026", date(2026, 3, 12)),
        ("12 août 2026", date(2026, 8, 12)),
        ("12 de marzo de 2026", date(2026, 3, 12)),
        ("12 марта 2026", date(2026, 3, 12)),
        ("2026年3月12日", date(2026, 3, 12)),
        ("१२ March २०२६", date(2026, 3, 12)),
        ("Last updated: 12 March 2026", date(2026, 3, 12)),
        ("2026-03-12T10:30:00Z", datetime(2026, 3, 12, 10, 30, tzinfo=UTC)),
        ("2026-03-12 10:30", datetime.fromisoformat("2026-03-12T10:30")),
        ("2026-03-12T10:30:00+02:00", datetime(2026, 3, 12, 10, 30, tzinfo=timezone(timedelta(hours=2)))),
        ("Thu, 12 Mar 2026 10:30:00 GMT", datetime(2026, 3, 12, 10, 30, tzinfo=UTC)),
        ("March 12, 2026 at 1:05 PM", datetime.fromisoformat("2026-03-12T13:05")),
    ],
)
def test_dates_are_understood_as_people_write_them(text: str, expected: date | datetime) -> None:
    value = parse_value(text)
    assert (value.kind, value.date) == ("date", expected)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "v1.2.3",
        "10:30",
        "A4",
        "3rd",
        "1/2",
        "192.168.0.1",
        "1,234.56.78",
        "1.23,456.78,9",
        "12345,678.9",
        "30 February 2026",
        "9" * 100,
        "1e9999",
    ],
)
def test_what_is_neither_stays_a_text(text: str) -> None:
    assert parse_value(text).kind == "text"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1,234.00", "1234"),
        ("1.234,56 €", "EUR 1,234.56"),
        ("$5", "5.00 USD"),
        ("$5", "5"),
        ("19,-", "19.00"),
        ("12 March 2026", "2026-03-12"),
        ("2026-03-12T10:30:00Z", "2026-03-12T12:30:00+02:00"),
        ("In stock: 5", "Available: 5"),
        ("was $1,000 now $900.00", "was 1000 USD now $900"),
        ("50%", "50 percent"),
        ("3 hours", "3 h"),
        ("–5 °C", "-5 °C"),
        ("one  two", "one two"),
    ],
)
def test_another_notation_is_no_change(before: str, after: str) -> None:
    assert parse_value(before).same_as(parse_value(after))
    assert parse_value(after).same_as(parse_value(before))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("12 March", "12 April"),
        ("March 2026", "April 2026"),
        ("Opens Mon 3 Nov", "Opens Wed 3 Dec"),
        ("12 de marzo", "12 de abril"),
        ("in 3 days", "in 3 weeks"),
        ("vor 5 Minuten", "vor 5 Stunden"),
        ("5 °C", "–5 °C"),
        ("5 °C", "\N{NON-BREAKING HYPHEN}5 °C"),
        ("99¢", "$99"),
    ],
)
def test_the_same_figures_may_mean_something_else(before: str, after: str) -> None:
    assert not parse_value(before).same_as(parse_value(after))


def test_a_dash_between_two_figures_is_no_minus() -> None:
    assert parse_value("9–17 h").canonical == "9 – 17 h"
    assert parse_value("Rooms 9 – 17").canonical == "Rooms 9 – 17"


@pytest.mark.parametrize(
    ("before", "after", "by"),
    [
        ("$20", "$18.50", "-1.50 USD (-7.5%)"),
        ("1,000", "1,500", "+500 (+50%)"),
        ("5%", "7%", "+2%"),
        ("0", "3", "+3"),
        ("-10", "-5", "+5 (+50%)"),
        ("$5", "€5", ""),
        ("12 March 2026", "15.03.2026", "+3 days"),
        ("2026-03-12 10:00", "2026-03-12 09:30", "-0:30:00"),
        ("sold out", "$5", ""),
        ("$5", "sold out", ""),
        ("12 March 2026", "$5", ""),
        ("$5", "12 March 2026", ""),
        ("$5", "6", "+1 USD (+20%)"),
        ("5", "$6", "+1 USD (+20%)"),
    ],
)
def test_the_difference_is_told(before: str, after: str, by: str) -> None:
    one, other = parse_value(before), parse_value(after)
    assert not one.same_as(other)
    assert difference(one, other) == by


def notations(number: Decimal) -> list[str]:
    english = f"{number:,.2f}"
    swiss = english.replace(",", "'")
    german = english.replace(",", " ").replace(".", ",").replace(" ", ".")
    french = english.replace(",", "\u202f").replace(".", ",")
    arabic = english.translate({ord(str(digit)): chr(0x660 + digit) for digit in range(10)})
    return [english, swiss, german, french, arabic, f"{number:.2f}"]


@given(st.decimals(-(10**9), 10**9, places=2), st.sampled_from(["", "€", "USD", "kr"]))
def test_every_notation_of_a_price_is_the_same_price(price: Decimal, currency: str) -> None:
    for text in notations(price):
        value = parse_value(f"{text} {currency}".strip())
        assert value.number == price, text


@given(st.dates(date(1000, 1, 1)))
def test_every_notation_of_a_day_is_the_same_day(day: date) -> None:
    for text in (
        f"{day:%Y-%m-%d}", f"{day.day}.{day.month}.{day.year:04}", f"{day:%m/%d/}{day.year:04}",
        f"{day:%d %B} {day.year:04}", f"{day:%B} {day.day}, {day.year:04}",
    ):  # fmt: skip
        assert parse_value(text).date == day, text


@given(st.text(max_size=200))
def test_any_text_is_a_value_and_the_same_as_itself(text: str) -> None:
    assert parse_value(text).same_as(parse_value(text))


@pytest.mark.parametrize("text", ["1," * 100_000, "9" * 1_000_000, "1 " * 1_000, "$" * 2_000, "1e1" * 600])
def test_hostile_texts_are_read_soon(text: str) -> None:
    started = time.process_time()
    parse_value(text)
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("－５", "-5"),
        ("３．５", "3.5"),
        ("٣٫٥", "3.5"),
        ("５\u3000Ｋ", "5\u3000K"),
        ("5\u00a0€", "5\u00a0€"),
        ("½", "½"),
        ("ﬁve", "ﬁve"),
        ("é", "é"),
    ],
)
def test_only_a_letter_that_is_another_form_of_a_plain_one_becomes_it(text: str, plain: str) -> None:
    """Spaces, which separate figures, signs that stand for several letters, and accents stay as they are."""
    assert _plain(text) == plain


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("9" * 60, "9" * 60),
        ("9" * 61, ""),
        ("1e300", "1E+300"),
        ("1e301", ""),
        ("1e-300", "1E-300"),
        ("1e-301", ""),
        ("5 " + "x" * 1998, "5"),
        ("5 " + "x" * 1999, ""),
        ("0,000", "0.000"),
        ("0.123 €", "0.123 EUR"),
        ("12.345 €", "12345 EUR"),
        ("1234.567 €", "1234.567 EUR"),
        ("1.234 $", "1.234 USD"),
        ("12,34,567", "1234567"),
        ("123,45,678", ""),
        ("1,2,345", ""),
        ("1,23,45", ""),
        ("1'234,5", "1234.5"),
        ("1 234 567", "1234567"),
        ("1 2345", "1: 1 2345"),
        ("1 234 56", "1234: 1234 56"),
        ("1.5k", "1500.0"),
        ("2 k€", "2000 EUR"),
        ("5m", "5 m"),
        ("€ 5m", "5000000 EUR"),
        ("3 Mrd. €", "3000000000 EUR"),
        ("5 of March", "5: 5 of March"),
        ("5 marched", "5"),
        ("Mar 5 kg", "5 kg: Mar 5 kg"),
        ("1.2.2026 5", "5: 1.2.2026 5"),
    ],
)
def test_a_number_is_read_up_to_its_limits(text: str, meant: str) -> None:
    value = parse_value(text)
    told = "" if value.number is None else str(value.number)
    told += f" {value.unit}" if value.unit else ""
    assert told + (f": {value.canonical}" if value.canonical else "") == meant
    assert value.kind == ("number" if meant and ":" not in meant else "text")


def test_every_unit_and_magnitude_is_read_beside_a_number() -> None:
    units = {word for word in UNITS if parse_value(f"7 {word}").unit != UNITS[word]}
    assert units == {"m²"}, "it is told as m2"
    wrong = {
        word for word, size in MAGNITUDES.items() if word and parse_value(f"7 {word}").number != 7 * size
    }
    assert wrong == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026-03-12 12:05 am", "0 19 2026-03-12T00:05:00"),
        ("2026-03-12 12:05 PM", "0 19 2026-03-12T12:05:00"),
        ("2026-03-12 11:59 p.m.", "0 21 2026-03-12T23:59:00"),
        ("2026-03-12 24:00", ""),
        ("2026-03-12 10:30:59", "0 19 2026-03-12T10:30:59"),
        ("2026-03-12 10:30 -0330", "0 22 2026-03-12T10:30:00-03:30"),
        ("2026-03-12 10:30+05:45", "0 22 2026-03-12T10:30:00+05:45"),
        ("2026-03-12 10.30 Uhr", "0 20 2026-03-12T10:30:00"),
        ("2026-03-12 um 9h05", "0 18 2026-03-12T09:05:00"),
        ("12/12/2026", "0 10 2026-12-12"),
        ("12/13/2026", "0 10 2026-12-13"),
        ("13/12/2026", "0 10 2026-12-13"),
        ("13/13/2026", ""),
        ("29.2.2024", "0 9 2024-02-29"),
        ("29.2.2026", ""),
        ("0.1.2026", ""),
        ("1 xyz 2026", ""),
        ("on 1 May 2026 and 2 June 2026", "3 13 2026-05-01"),
        ("12 March 2026 3", "0 13 2026-03-12"),
        ("2026-3-12", ""),
        ("2026/03/12/1", ""),
        ("x2026-03-12", ""),
        ("22nd Feb, 2026", "0 14 2026-02-22"),
    ],
)
def test_a_date_is_found_with_its_time_and_its_zone(text: str, found: str) -> None:
    one = find_date(text)
    assert (f"{one.start} {one.end} {one.value.isoformat()}" if one else "") == found


@pytest.mark.parametrize(
    ("before", "after", "by"),
    [
        ("2026-03-12", "2026-03-13", "+1 day"),
        ("2026-03-13", "2026-03-12", "-1 day"),
        ("2026-03-12", "2026-03-14", "+2 days"),
        ("2026-03-12 10:00", "2026-03-12 10:00", "+0 days"),
        ("2026-03-12 10:00", "2026-03-13 10:00", "+1 day"),
        ("2026-03-12 10:00", "2026-03-13 11:00", "+1 day, 1:00:00"),
        ("2026-03-12 10:00", "2026-03-13", "+1 day"),
        ("2026-03-12 23:00", "2026-03-13 01:00Z", "+1 day"),
        ("1", "10001", "+10000"),
        ("1", "9999", "+9998 (+1e+06%)"),
        ("3", "1", "-2 (-66.7%)"),
        ("5 kg", "6 m", ""),
        ("-4", "2", "+6 (+150%)"),
        ("0", "-1", "-1"),
    ],
)
def test_a_difference_is_told_in_days_and_shares(before: str, after: str, by: str) -> None:
    assert difference(parse_value(before), parse_value(after)) == by


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("9" * 60, [f"0 60 {'9' * 60} "]),
        ("9" * 61, []),
        ("x" * 1998 + " 5", ["1999 2000 5 "]),
        ("x" * 1999 + " 5", []),
        ("5 kg and 7,5 €", ["0 4 5 kg", "9 14 7.5 EUR"]),
        ("٣ kg", ["0 4 3 kg"]),
        ("5\u200e kg", []),
        ("a 5 ", ["2 3 5 "]),
    ],
)
def test_the_amounts_of_a_text_have_their_places(text: str, found: list[str]) -> None:
    assert [f"{one.start} {one.end} {one.number} {one.unit}" for one in amounts_in(text)] == found
