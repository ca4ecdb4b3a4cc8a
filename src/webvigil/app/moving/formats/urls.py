"""Reads a list of addresses, one on each line; `#` begins a comment."""

from __future__ import annotations

from webvigil.app.moving.formats.found import Found, name_from, page_of
from webvigil.model.page import with_scheme
from webvigil.model.sentinel import Sentinel

# Addresses in one list; without a bound a small file could ask for more rows than a plan can show.
MOST = 100_000


def is_mine(data: bytes) -> bool:
    return bool(_lines(data)) and b"\0" not in data


def read(data: bytes) -> list[Found]:
    return [_found(line) for line in _lines(data)[:MOST]]


def _lines(data: bytes) -> list[str]:
    text = data.decode("utf-8-sig", "replace")
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _found(line: str) -> Found:
    url = line.split()[0].rstrip(",;")
    try:
        page = page_of(with_scheme(url))
    except ValueError as error:
        return Found(source=line[:200], trouble=str(error))
    return Found(source=line[:200], sentinel=Sentinel(name=name_from("", page.url), target=page))
