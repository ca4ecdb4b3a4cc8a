"""What a shop writes as a price in, amounts and a currency out; and back as a text for people."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, NamedTuple

from webvigil.detect.quantities import parse_value
from webvigil.detect.units import CURRENCIES, UNITS

# A larger number is an identifier, not a price.
_LARGEST = Decimal(10) ** 12
_LONGEST = 80
_RANGE = re.compile(r"(?<=[\d\W])\s*(?:[-\u2010-\u2015~]|\b(?:to|bis|till|à|a|do|до)\b)\s*(?=\D{0,5}\d)")
_CODE = re.compile(r"[A-Z]{3}")
_SIGNS = {"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "INR": "₹", "ILS": "₪"}
_WHOLE = frozenset(("JPY", "KRW", "CLP", "VND", "ISK", "HUF", "PYG", "IDR", "UGX", "XOF", "XAF"))


class Price(NamedTuple):
    """What something costs: from `low` to `high`, which are mostly the same. `currency` is a code such as
    EUR; "" if the page does not say."""

    low: Decimal
    high: Decimal
    currency: str = ""

    def same_as(self, other: Price) -> bool:
        """Returns True if both are the same price. A currency that only one of them names makes no
        difference."""
        return self[:2] == other[:2] and len({self.currency, other.currency} - {""}) <= 1

    def __str__(self) -> str:
        """Returns a text such as `€ 1,299.00` or `CHF 10.00 – 20.00`, from which the first amount can be read
        back."""
        unit = _SIGNS.get(self.currency, self.currency)
        written = _amount(self.low, self.currency)
        if self.high != self.low:
            written += f" – {_amount(self.high, self.currency)}"
        return f"{unit} {written}" if unit else written


def price_of(value: Any, currency: Any = "") -> Price | None:
    """Returns the price that a number or a text means: `1299`, `1.299,00 €`, `ab 12 €`, `10 – 20 €`. None for
    anything else, and for a price below zero."""
    code = currency_of(currency)
    if isinstance(value, bool) or not isinstance(value, int | Decimal | str):
        return None
    if isinstance(value, str):
        return _of_text(value, code)
    amount = Decimal(value)
    return Price(amount, amount, code) if _is_amount(amount) else None


def currency_of(value: Any) -> str:
    """Returns the code of a currency that is written as a code or a sign; "" for anything else."""
    text = value.strip() if isinstance(value, str) and len(value) < 20 else ""
    if _CODE.fullmatch(text.upper()):
        return text.upper()
    return unit if (unit := UNITS.get(text, "")) in CURRENCIES else ""


def _of_text(text: str, currency: str) -> Price | None:
    text = " ".join(text[: 2 * _LONGEST].split())[:_LONGEST]
    sides = _RANGE.split(text)
    found = [one for side in sides[-2:] if (one := _single(side, currency)) is not None]
    if not found:
        return None
    units = [unit for _, unit in found if unit]
    amounts = [amount for amount, _ in found]
    return Price(min(amounts), max(amounts), units[-1] if units else currency)


def _single(text: str, currency: str) -> tuple[Decimal, str] | None:
    """Returns the first amount in a text. The currency decides what a point before three digits means."""
    value = parse_value(text)
    if value.number is not None and not value.unit and currency:
        value = parse_value(f"{text} {currency}") if text[-1:].isdigit() else value
    number = value.number
    if number is None or value.date is not None or not _is_amount(number):
        return None
    return number, value.unit if value.unit in CURRENCIES else currency


def _is_amount(number: Decimal) -> bool:
    return number.is_finite() and 0 <= number < _LARGEST


def _amount(number: Decimal, currency: str) -> str:
    written = f"{number.normalize():f}"
    decimals = len(written.partition(".")[2])
    if decimals == 0 and currency in _WHOLE:
        return f"{number:,.0f}"
    # Three digits behind a point may be read as thousands; nobody reads four so.
    return f"{number:,.{4 if decimals == 3 else min(max(decimals, 2), 8)}f}"
