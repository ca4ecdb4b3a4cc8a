"""A discovery run in, the rows of its tables out: how many forms, how often asked, how many matched (S7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webvigil.discover.analysis import Analysis


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One page that was crawled: status 0 where none came."""

    url: str
    status: int
    content_type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """`rows` are pairs of a label and a value as it is to be shown; `values` the same as plain numbers."""

    title: str
    head: tuple[str, str]
    rows: tuple[tuple[str, str], ...]
    values: tuple[float, ...] = ()


def report(analyses: Sequence[Analysis], visits: Sequence[Visit] = ()) -> list[Table]:
    raise NotImplementedError
