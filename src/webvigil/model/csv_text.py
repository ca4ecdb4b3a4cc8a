"""Rows in, a CSV file (RFC 4180) out that a spreadsheet can open without running anything in it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

# A spreadsheet takes a text that begins with one of these signs for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_text(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(names)
    writer.writerows([_harmless(one) for one in row] for row in rows)
    return file.getvalue()


def _harmless(value: object) -> object:
    """Returns the value. A text that looks like a formula gets an apostrophe, which spreadsheets do not
    show."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
