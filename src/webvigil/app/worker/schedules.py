"""The watches of a due page in, the same with the schedules that their sentinels name out.

Most sentinels look at an interval or on change, at any hour; they have no schedule.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from operator import is_

from webvigil.app.worker.excerpts import Excerpt
from webvigil.language import parse
from webvigil.model.schedule import Schedule
from webvigil.model.sentinel import ALWAYS, FetchAt, FetchCron, FetchWhen
from webvigil.model.work import DuePage, Watch

_FETCHING = Excerpt("Fetch", words=r"trigger")
# Any Fetch clause of a canonical text but `Fetch 2 day` and `Fetch on change`.
_HAS_ONE = re.compile(r"^Fetch (?!\d+ \w+$|on change$)", re.MULTILINE)


def scheduled(due: DuePage) -> DuePage:
    watches = [_scheduled(watch) for watch in due.watches]
    if all(map(is_, watches, due.watches)):
        return due
    return replace(due, watches=tuple(watches))


def schedule_of(text: str, zone: str) -> Schedule | None:
    """Returns the schedule of a sentinel whose user lives in this zone; None if it looks at any hour."""
    if not _HAS_ONE.search(text):
        return None
    fetch = _FETCHING.read(text, _fetch)
    if isinstance(fetch, FetchAt | FetchCron):
        return Schedule(fetch, zone)
    return Schedule(fetch, zone) if fetch and fetch.hours != ALWAYS else None


@lru_cache(4096)
def _fetch(text: str) -> FetchWhen | None:
    return parse(text)[0].fetch


def _scheduled(watch: Watch) -> Watch:
    found = schedule_of(watch.text, watch.zone)
    return replace(watch, schedule=found) if found else watch
