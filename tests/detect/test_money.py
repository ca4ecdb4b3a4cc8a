"""What shops write as prices, and the texts that people read of them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from webvigil.detect.shop.money import Price, currency_of, price_of


@pytest.mark.parametrize(
    ("value", "currency", "text"),
    [
        (0, "EUR", "€ 0.00"),
        (7, "", "7.00"),
        (Decimal("12.5"), "USD", "$ 12.50"),
        (Decimal(1299), "EUR", "€ 1,299.00"),
        (Decimal("1.234"), "EUR", "€ 1.2340"),
        (Decimal("1.23456"), "EUR", "€ 1.23456"),
        (Decimal("0.123456789"), "EUR", "€ 0.12345679"),
        (1299, "JPY", "¥ 1,299"),
        (Decimal("12.5"), "JPY", "¥ 12.50"),
        (10**12 - 1, "", "999,999,999,999.00"),
        ("1.299,00 €", "", "€ 1,299.00"),
        ("10 – 20 €", "", "€ 10.00 – 20.00"),
        ("20 bis 10 CHF", "", "CHF 10.00 – 20.00"),
        ("ab 12 €", "", "€ 12.00"),
        ("12", "eur", "€ 12.00"),
        ("12", "€", "€ 12.00"),
    ],
)
def test_a_price_has_a_text(value: Any, currency: str, text: str):
    assert str(price_of(value, currency)) == text


@pytest.mark.parametrize(
    "value",
    [-1, 10**12, Decimal("NaN"), Decimal("Infinity"), True, 1.5, None, [], "", "free", "-5 €"],
)
def test_anything_else_is_no_price(value: Any):
    assert price_of(value) is None


def test_only_the_beginning_of_a_long_text_is_read():
    assert price_of("x" * 76 + " 5 €") == Price(Decimal(5), Decimal(5), "EUR")
    assert price_of("x" * 80 + " 5 €") is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Price(Decimal(1), Decimal(1), "EUR"), Price(Decimal(1), Decimal(1)), True),
        (Price(Decimal(1), Decimal(1), "EUR"), Price(Decimal(1), Decimal(1), "USD"), False),
        (Price(Decimal(1), Decimal(1)), Price(Decimal("1.00"), Decimal(1)), True),
        (Price(Decimal(1), Decimal(2)), Price(Decimal(1), Decimal(1)), False),
    ],
)
def test_a_currency_that_one_alone_names_makes_no_difference(one: Price, other: Price, same: bool):
    assert one.same_as(other) is same
    assert other.same_as(one) is same


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("EUR", "EUR"),
        (" EUR ", "EUR"),
        ("€", "EUR"),
        ("$", "USD"),
        ("kg", ""),
        ("", ""),
        (7, ""),
        ("x" * 20, ""),
    ],
)
def test_a_currency_has_a_code(value: Any, code: str):
    assert currency_of(value) == code


@pytest.mark.parametrize(
    ("text", "currency", "price"),
    [
        ("€ 12", "USD", "€ 12.00"),
        ("12 €", "USD", "€ 12.00"),
        ("€ 1.299", "USD", "€ 1,299.00"),
        ("1.299", "USD", "$ 1.2990"),
        ("1.299", "EUR", "€ 1,299.00"),
        ("1.299 each", "", "1.2990"),
        ("12 each", "USD", "$ 12.00"),
        ("5 kg", "USD", "$ 5.00"),
        ("10 – 20", "USD", "$ 10.00 – 20.00"),
        ("€ 10 – 20", "", "€ 10.00 – 20.00"),
        ("1 – 10 – 20 €", "", "€ 10.00 – 20.00"),
        ("0", "EUR", "€ 0.00"),
    ],
)
def test_the_currency_beside_an_amount_counts_more_than_that_of_the_shop(
    text: str, currency: str, price: str
):
    assert str(price_of(text, currency)) == price


def test_a_long_text_is_no_currency():
    assert (currency_of("EUR".ljust(19)), currency_of("EUR".ljust(20))) == ("EUR", "")
