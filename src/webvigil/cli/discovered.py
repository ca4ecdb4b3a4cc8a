"""The steps of a crawl in, its services and forms as text or JSON out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from webvigil.cli.saying import say, say_json
from webvigil.discover.analysis import FOUND
from webvigil.discover.crawler.findings import analysis_from_json
from webvigil.discover.crawler.report import analyses_in, curve_of, services_in, tables_of
from webvigil.discover.crawler.steps import Begun, Ended, Judged, Step
from webvigil.errors import WebVigilError

if TYPE_CHECKING:
    from webvigil.discover.crawler.crawl import Wanted
    from webvigil.discover.reports import Table

NOTHING_FOUND = 1
_MOST_SHOWN = 5


def tell(wanted: Wanted, steps: Sequence[Step], *, as_json: bool) -> int:
    """Prints what was found and returns the exit code: 1 if nothing was found, except in a dry run."""
    services = [one for step in steps for one in services_in(step)]
    if as_json:
        say_json(_told(wanted, steps, services))
    elif wanted.dry_run:
        _say_forms(steps)
    else:
        _say_services(services)
    if not as_json:
        for table in tables_of(steps):
            say("\n" + _table_text(table))
        say("\nIt ended because " + _ended(steps) + ".")
    return 0 if services or wanted.dry_run else NOTHING_FOUND


def sentinels_text(steps: Sequence[Step]) -> str:
    """Returns a sentinel for each service that one request can query, each with a unique name."""
    from webvigil.language import parse, print_sentinel

    taken: Counter[str] = Counter()
    texts = []
    written = [_sentinel(one) for step in steps for one in services_in(step)]
    for sentinel in (parse(text)[0] for text in written if text):
        taken[sentinel.name] += 1
        count = taken[sentinel.name]
        name = sentinel.name if count == 1 else f"{sentinel.name}-{count}"
        texts.append(print_sentinel(replace(sentinel, name=name)))
    return "\n".join(texts)


def _told(wanted: Wanted, steps: Sequence[Step], services: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "service": wanted.service.name,
        "frontier": wanted.frontier,
        "ended": _ended(steps),
        "pages": sum(isinstance(step, Begun) for step in steps),
        "probes": sum(one["probes"] for one in analyses_in(steps)),
        "services": [one | {"sentinel": _sentinel(one)} for one in services],
        "forms": [one for one in analyses_in(steps) if one["outcome"] not in FOUND],
        "would_ask": [one for step in steps if isinstance(step, Judged) for one in step.asked],
        "found_after_pages": [list(one) for one in curve_of(steps)],
        "tables": [
            {"title": one.title, "head": list(one.head), "rows": [list(row) for row in one.rows]}
            for one in tables_of(steps)
        ],
    }


def _sentinel(service: dict[str, Any]) -> str | None:
    from webvigil.discover.sentinel import sentinel_text

    profile = analysis_from_json(service).profile
    try:
        return sentinel_text(profile) if profile else None
    except WebVigilError:
        return None


def _ended(steps: Sequence[Step]) -> str:
    return next((step.why for step in reversed(steps) if isinstance(step, Ended)), "it was cut off")


def _say_services(services: list[dict[str, Any]]) -> None:
    if not services:
        say("No service of this class was found.")
    for one in services:
        profile = analysis_from_json(one).profile
        asked = ", ".join(f"{name} {value!r}" for name, value in profile.arguments) if profile else ""
        say(f"{one['page']}", bold=True)
        if one["outcome"] == "possible":
            say(f"    possible only: {one['reason']}")
        say(f"    asked {asked} with {one['probes']} requests: {one['reason']}")
        if profile and profile.found:
            address, words = profile.sample
            say(f"    found {' '.join(words.split())[:100]}" + (f" ({address})" if address else ""))


def _say_forms(steps: Sequence[Step]) -> None:
    for step in steps:
        if not isinstance(step, Judged):
            continue
        for one in step.analyses:
            say(f"{one['page']} {one['form']}: {one['fields']} fields, {one['outcome']}: {one['reason']}")
        for asked in step.asked[:_MOST_SHOWN]:
            fields = "&".join(f"{name}={value}" for name, value in asked["fields"].items())
            say(f"    would ask {asked['method']} {asked['url']} {fields}"[:300])
        if len(step.asked) > _MOST_SHOWN:
            say(f"    … and {len(step.asked) - _MOST_SHOWN} more")


def _table_text(table: Table) -> str:
    width = max(len(label) for label, _ in (table.head, *table.rows))
    lines = [f"{label:<{width}}  {value:>10}" for label, value in table.rows]
    return "\n".join([table.title, "-" * len(table.title), *lines])
