"""The analyses and visits of a discovery in, the tables of its report out (S7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from webvigil.discover.analysis import FOUND, Analysis, Outcome

# The rows of the tables in the DynaBot thesis, so that our figures can be laid beside its own.
_PROBES = ((0, 0), (1, 10), (11, 20), (21, 30), (31, 40), (41, 50), (51, 60), (61, None))
_SECONDS = (0.5, 1.0, 5.0, 10.0, 50.0, 100.0, 500.0)
_KINDS = ("text/html", "application/pdf", "text/plain")
_OUTCOMES: tuple[Outcome, ...] = (
    "matched",
    "possible",
    "unmatched",
    "filtered",
    "refused by manners",
    "unreachable",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One crawled page; status 0 if it could not be fetched."""

    url: str
    status: int
    content_type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """`rows` are pairs of a label and a value as it is shown; `values` are the same values as plain
    numbers."""

    title: str
    head: tuple[str, str]
    rows: tuple[tuple[str, str], ...]
    values: tuple[float, ...] = ()


def report(analyses: Sequence[Analysis], visits: Sequence[Visit] = ()) -> list[Table]:
    """Returns the tables of a discovery. The tables about the crawl are included only if there are visits."""
    tables = [_crawl(analyses, visits), _outcomes(analyses), _probes(analyses), _seconds(analyses)]
    if visits:
        tables += [_statuses(visits), _content_types(visits)]
    return tables


def _crawl(analyses: Sequence[Analysis], visits: Sequence[Visit]) -> Table:
    forms = [one for one in analyses if one.form]
    asked = [one.probes for one in forms if one.probes]
    sources = {one.page for one in forms}
    matched = {one.page for one in forms if one.outcome in FOUND}
    rows: list[tuple[str, float, str]] = [
        ("URLs crawled", len(visits), ""),
        ("sites with forms", len({urlsplit(page).netloc for page in sources}), ""),
        ("pages with forms", len(sources), ""),
        ("forms", len(forms), ""),
        ("form parameters", sum(one.fields for one in forms), ""),
        ("requests to forms", sum(asked), ""),
        ("most requests to one form", max(asked, default=0), ""),
        ("requests per form asked", sum(asked) / len(asked) if asked else 0.0, ".2f"),
        ("matched sources", len(matched), ""),
        ("matched", len(matched) / len(sources) if sources else 0.0, ".1%"),
    ]
    return _table("Crawl", ("crawl statistics", ""), rows if visits else rows[1:])


def _outcomes(analyses: Sequence[Analysis]) -> Table:
    counted = Counter(one.outcome for one in analyses)
    return _table("Outcomes", ("outcome", "forms"), [(name, counted[name], "") for name in _OUTCOMES])


def _probes(analyses: Sequence[Analysis]) -> Table:
    """Returns how often forms were asked. Forms that manners or the filter left alone count as 0."""
    numbers = [one.probes for one in analyses if one.form]
    rows = [(_range(low, high), _between(numbers, low, high), "") for low, high in _PROBES]
    return _table("Probes", ("number of probes", "forms"), rows)


def _range(low: int, high: int | None) -> str:
    return str(low) if low == high else f"{low}–{high}" if high is not None else f"> {low - 1}"


def _between(numbers: Iterable[float], low: float, high: float | None) -> int:
    return sum(low <= number and (high is None or number <= high) for number in numbers)


def _seconds(analyses: Sequence[Analysis]) -> Table:
    """Returns how long it took to judge the forms that were asked."""
    asked = [one for one in analyses if one.probes]
    rows: list[tuple[str, float, str]] = []
    for outcome in ("matched", "unmatched"):
        times = [one.seconds for one in asked if one.outcome == outcome]
        rows += [(f"shortest, {outcome}", min(times, default=0.0), ".2f")]
        rows += [(f"longest, {outcome}", max(times, default=0.0), ".2f")]
        rows += [(f"mean, {outcome}", sum(times) / len(times) if times else 0.0, ".2f")]
    edges = zip((0.0, *_SECONDS), (*_SECONDS, None), strict=True)
    for low, high in edges:
        label = f"< {high:g} s" if not low else f"> {low:g} s" if high is None else f"{low:g}–{high:g} s"
        rows.append(
            (label, sum(low <= one.seconds and (high is None or one.seconds < high) for one in asked), "")
        )
    return _table("Times", ("probe time", "seconds or forms"), rows)


def _statuses(visits: Sequence[Visit]) -> Table:
    counted = Counter(_status(visit.status) for visit in visits)
    return _table(
        "Answers", ("response code", "pages"), [(code, counted[code], "") for code in sorted(counted)]
    )


def _status(status: int) -> str:
    """Returns the label of a status. As in the thesis, redirects and server errors are grouped: 302 becomes
    30x, 503 becomes 50x."""
    return "none" if not status else f"{status // 10}x" if status // 100 in (3, 5) else str(status)


def _content_types(visits: Sequence[Visit]) -> Table:
    essences = (visit.content_type.partition(";")[0].strip().lower() for visit in visits if visit.status)
    counted = Counter(one if one in _KINDS else "other" for one in essences)
    return _table(
        "Contents", ("content type", "pages"), [(kind, counted[kind], "") for kind in (*_KINDS, "other")]
    )


def _table(title: str, head: tuple[str, str], rows: Sequence[tuple[str, float, str]]) -> Table:
    shown = tuple((label, format(value, form or ",")) for label, value, form in rows)
    return Table(title=title, head=head, rows=shown, values=tuple(float(value) for _, value, _ in rows))
