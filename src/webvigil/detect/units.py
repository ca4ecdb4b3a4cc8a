"""The currencies, magnitudes and units that may be beside a number, and patterns that match them."""

from __future__ import annotations

import re
from decimal import Decimal


def _words(listed: str) -> list[str]:
    return listed.split()


_CODES = _words("""
AED ARS AUD BDT BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP GEL HKD HRK HUF IDR ILS INR ISK JPY KES
KRW KZT LKR MAD MXN MYR NGN NOK NPR NZD PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TND TRY TWD UAH
USD UYU VND ZAR BTC ETH
""")

_CURRENCIES = {
    **{code: code for code in _CODES},
    "US$": "USD", "$": "USD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD", "HK$": "HKD",
    "NZ$": "NZD", "NT$": "TWD", "S$": "SGD", "MX$": "MXN", "R$": "BRL", "€": "EUR", "£": "GBP",
    "¥": "JPY", "￥": "JPY", "円": "JPY", "元": "CNY", "CN¥": "CNY", "RMB": "CNY", "₹": "INR", "Rs": "INR",
    "₨": "INR", "₽": "RUB", "руб": "RUB", "₩": "KRW", "원": "KRW", "₪": "ILS", "₺": "TRY", "TL": "TRY",
    "₫": "VND", "đ": "VND", "₴": "UAH", "грн": "UAH", "฿": "THB", "₦": "NGN", "₱": "PHP", "₲": "PYG",
    "₡": "CRC", "₵": "GHS", "₸": "KZT", "₾": "GEL", "৳": "BDT", "zł": "PLN", "Kč": "CZK", "kr": "kr",
    "Ft": "HUF", "lei": "RON", "Fr": "CHF", "SFr": "CHF", "Rp": "IDR", "RM": "MYR", "₿": "BTC",
    "Euro": "EUR", "euro": "EUR", "euros": "EUR", "dollars": "USD", "pounds": "GBP", "د.إ": "AED",
    "ر.س": "SAR", "﷼": "SAR", "ج.م": "EGP",
}  # fmt: skip

_MEASURES = _words("""
kg g mg t lb lbs oz km m cm mm mi ft yd l ml cl °C °F ° h min s ms GB MB TB KB kB GiB MiB px W kW
kWh MW MWh V mA Hz kHz MHz GHz ppm km/h mph m² m2 ha bar hPa dB ¢
""")

_TIMES = {
    "s": "second seconds sec secs Sekunde Sekunden seconde secondes segundo segundos",
    "min": "minute minutes mins Minute Minuten minuto minutos",
    "h": "hour hours hr hrs Std Stunde Stunden heure heures hora horas",
    "d": "day days Tag Tage Tagen jour jours día días dia dias",
    "w": "week weeks wk wks Woche Wochen semaine semaines semana semanas",
    "mo": "month months Monat Monate Monaten mois mes meses",
    "y": "year years yr yrs Jahr Jahre Jahren an ans año años",
}

UNITS = {
    **_CURRENCIES,
    **{unit: unit for unit in _MEASURES},
    **{name: unit for unit, names in _TIMES.items() for name in names.split()},
    **dict.fromkeys(("%", "percent", "per cent", "Prozent", "pct"), "%"),
    "‰": "‰",
}

CURRENCIES = frozenset(_CURRENCIES.values())
"""The codes of the currencies among the units; `kr` is that of several countries."""

# Currencies that are written with a decimal comma, so that a point groups thousands.
COMMA_CURRENCIES = frozenset(
    _words("EUR ARS BRL CLP COP CZK DKK HUF IDR ISK NOK PLN RON RSD RUB SEK TRY UAH VND PYG CRC kr")
)

MAGNITUDES = {
    "": Decimal(1),
    **dict.fromkeys(("k", "K", "thousand", "Tsd", "тыс"), Decimal(1_000)),
    **dict.fromkeys(("万", "萬", "만"), Decimal(10_000)),
    **dict.fromkeys(("lakh", "lakhs", "Lakh"), Decimal(100_000)),
    **dict.fromkeys(
        ("M", "mn", "mln", "million", "millions", "Million", "Millionen", "Mio", "млн"),
        Decimal(1_000_000),
    ),
    **dict.fromkeys(("crore", "crores", "Crore", "Cr"), Decimal(10_000_000)),
    **dict.fromkeys(("亿", "億", "억"), Decimal(100_000_000)),
    **dict.fromkeys(
        ("B", "bn", "billion", "billions", "Billion", "Mrd", "Milliarden", "млрд"), Decimal(1_000_000_000)
    ),
    **dict.fromkeys(("T", "tn", "trillion"), Decimal(1_000_000_000_000)),
}
# `m` after a number is a metre, but after an amount of money it is a million.
MAGNITUDES_OF_MONEY = {"m": Decimal(1_000_000)}


def _any_of(words: dict[str, str] | dict[str, Decimal]) -> str:
    """Returns a pattern for any of the words; the longest is tried first."""
    listed = sorted(filter(None, words), key=len, reverse=True)
    return "|".join(re.sub(r"\\?\s", r"[ ]", re.escape(word)).replace("#", r"\#") for word in listed)


UNIT_BEFORE = rf"(?:{_any_of(_CURRENCIES)}|%)\.?"
UNIT_AFTER = _any_of(UNITS)
MAGNITUDE = _any_of(MAGNITUDES)
