"""The text of a CSV or TSV file in, a Page Digest with one table out (F9).

The delimiter is found by trying: the one that cuts most lines into the same number of cells. The first row
names the columns if it looks like names. A file that is no table gives None.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from webvigil.document.digest import PageDigest
from webvigil.document.sink import Sink

# Python refuses longer cells unless it is told otherwise. The size of a page is bounded before.
csv.field_size_limit(min(sys.maxsize, 2**31 - 1))

DELIMITERS = ",;\t|"
# Rows that are tried to find the delimiter and the header, and the most cells of a table.
_TRIED = 50
_TRIED_CHARACTERS = 65_536
MOST_CELLS = 900_000
_NUMBER = re.compile(r"[-+(]?\s*[$€£]?\s*[.,]?\d[\d.,' ]*\s*[%)€$£]?")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}([-/.]\d{1,4})?([T ]\d{1,2}:.*)?|\d{1,2}:\d\d.*")
_MARKUP = re.compile(r"\s*<[a-zA-Z!/?]")

Rows = Sequence[Sequence[str]]


def read_delimited(
    text: str, url: str = "", *, tabs: bool = False, header: bool | None = None
) -> PageDigest | None:
    """Returns the digest of a table. `tabs` says that it is a TSV file, `header` whether the first row names
    the columns, if somebody has said so."""
    text = text.removeprefix("\ufeff")
    if not text.strip() or _MARKUP.match(text):
        return None
    delimiter = "\t" if tabs else _delimiter(text)
    if text.count(delimiter) + text.count("\n") > MOST_CELLS:
        return None
    try:
        rows = [row for row in _rows(text, delimiter) if any(cell.strip() for cell in row)]
    except csv.Error:
        return None
    named = _has_header(rows) if header is None else header
    return _digest(rows, named, url) if rows else None


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    # A lone carriage return ends a row too, as in files of old spreadsheets.
    return csv.reader(text.splitlines(keepends=True), delimiter=delimiter, skipinitialspace=delimiter != "\t")


def _delimiter(text: str) -> str:
    """Returns the delimiter by which most rows at the beginning have the same number of cells; among equals
    the one that gives more cells, then the more common one."""
    head = text[:_TRIED_CHARACTERS]
    return max(DELIMITERS, key=lambda one: (*_fits(head, one), -DELIMITERS.index(one)))


def _fits(head: str, delimiter: str) -> tuple[float, int]:
    try:
        rows = [row for row in islice(_rows(head, delimiter), _TRIED) if row]
    except csv.Error:
        return 0.0, 0
    widths = Counter(len(row) for row in rows if len(row) > 1)
    if not widths:
        return 0.0, 0
    width, count = max(widths.items(), key=lambda one: (one[1], one[0]))
    return count / len(rows), width


def _has_header(rows: Rows) -> bool:
    """Says whether the first row names the columns: different texts, none of them a number, a date or
    empty."""
    names = [cell.strip() for cell in rows[0]] if len(rows) > 1 else []
    return bool(names) and all(names) and len(set(names)) == len(names) and not any(map(_is_value, names))


def _is_value(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text) or _DATE.fullmatch(text))


def _digest(rows: Rows, named: bool, url: str) -> PageDigest:
    sink = Sink()
    for name in ("html", "body", "table"):
        sink.start_element(name, ())
    if named:
        sink.start_element("thead", ())
        _row(sink, rows[0], "th")
        sink.end_element("thead")
    sink.start_element("tbody", ())
    for row in rows[1 if named else 0 :]:
        _row(sink, row, "td")
    for name in ("tbody", "table", "body", "html"):
        sink.end_element(name)
    return sink.digest("html", url)


def _row(sink: Sink, row: Sequence[str], tag: str) -> None:
    sink.start_element("tr", ())
    for cell in row:
        sink.start_element(tag, ())
        if cell:
            sink.characters(cell)
        sink.end_element(tag)
    sink.end_element("tr")
