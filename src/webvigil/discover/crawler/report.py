"""The steps of a crawl in, its tables out (S7): those of the thesis, and how soon services were found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count
from typing import Any

from webvigil.discover.analysis import FOUND
from webvigil.discover.crawler.findings import analysis_from_json
from webvigil.discover.crawler.steps import Begun, Failed, Judged, Read, Step
from webvigil.discover.reports import Table, Visit, report

# A row of the table after 1, 2, 5, 10, 20, 50 … pages: the steps look even where the axis is logarithmic.
_AFTER = (1, 2, 5)


def tables_of(steps: Sequence[Step]) -> list[Table]:
    """Returns the tables of a crawl, given its steps."""
    analyses = [analysis_from_json(one) for one in analyses_in(steps)]
    return [*report(analyses, list(_visits(steps))), _table_of(curve_of(steps))]


def analyses_in(steps: Sequence[Step]) -> list[dict[str, Any]]:
    judged = (step.analyses for step in steps if isinstance(step, Judged))
    return list(chain.from_iterable(judged))


def services_in(step: Step) -> list[dict[str, Any]]:
    """Returns the analyses of a step that found a service."""
    return [one for one in analyses_in([step]) if one["outcome"] in FOUND and one.get("profile")]


def curve_of(steps: Sequence[Step]) -> list[tuple[int, int]]:
    """Returns pairs of pages visited and services found: one pair for each service found, and one for the
    end."""
    pages = found = 0
    curve: list[tuple[int, int]] = []
    for step in steps:
        pages += isinstance(step, Begun)
        for _ in services_in(step):
            found += 1
            curve.append((pages, found))
    return [*curve, (pages, found)]


def found_after(curve: Sequence[tuple[int, int]], pages: int) -> int:
    """Returns how many services had been found when so many pages were visited."""
    return max((found for visited, found in curve if visited <= pages), default=0)


def _table_of(curve: Sequence[tuple[int, int]]) -> Table:
    """Returns the curve as a table, at 1, 2, 5, 10, 20, 50 … pages and at the end."""
    last = curve[-1][0]
    marks = [*_marks(last), last]
    rows = [(pages, found_after(curve, pages)) for pages in dict.fromkeys(marks) if pages]
    return Table(
        title="Services found against pages visited",
        head=("Pages visited", "Services found"),
        rows=tuple((f"{pages:,}", f"{found:,}") for pages, found in rows),
        values=tuple(float(found) for _, found in rows),
    )


def _marks(last: int) -> Iterator[int]:
    for power in count():
        for digit in _AFTER:
            if digit * 10**power >= last:
                return
            yield digit * 10**power


def _visits(steps: Sequence[Step]) -> Iterator[Visit]:
    for step in steps:
        if isinstance(step, Read):
            yield Visit(url=step.url, status=step.status, content_type=step.media_type)
        elif isinstance(step, Failed):
            yield Visit(url=step.url, status=0)
