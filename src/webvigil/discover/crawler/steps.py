"""The steps of a crawl, as they are written down: which page was visited, why, and what was found there.

The whole state of a crawl can be rebuilt from its steps, in order. So one record serves the people who read
it, a crawl that repeats it, and a killed crawl that continues.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from webvigil.discover.crawler.lead import Lead
from webvigil.errors import SettingRefused


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """What the crawl was asked for. This is the first step, and the only one of its kind."""

    service: str
    frontier: str
    seeds: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A page is about to be requested. `why` says why the frontier chose it."""

    lead: Lead
    why: str
    at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A page arrived. `leads` are the new ones; `left_out` counts the others by reason.

    `forms` are the keys of the forms that are judged now, for the first time; `dead_end` says why the links
    of the page are not followed.
    """

    url: str
    arrived: str
    status: int
    media_type: str = ""
    size: int = 0
    took_ms: int = 0
    title: str = ""
    text: int = 0
    leads: tuple[Lead, ...] = ()
    left_out: dict[str, int] = field(default_factory=dict)
    forms: tuple[str, ...] = ()
    forms_there: int = 0
    parameters: int = 0
    dead_end: str = ""


def count_forms(keys: Iterable[str]) -> int:
    """Returns how many forms these keys stand for. A key with a blank says more of a form or a page."""
    return sum(" " not in key for key in keys)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A page could not be fetched."""

    url: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The forms of a page were judged, and asked where that was worth it. `asked` is what a dry run would
    ask. `worn` has the shape of each form that was asked and a mark of its answer, so that one search on many
    pages is not asked on each."""

    url: str
    analyses: tuple[dict[str, Any], ...] = ()
    took_ms: int = 0
    asked: tuple[dict[str, Any], ...] = ()
    worn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The crawl ended; `why` is a sentence. This is the last step."""

    why: str


Step = Started | Begun | Read | Failed | Judged | Ended
_KINDS: dict[str, type[Any]] = {
    "started": Started,
    "begun": Begun,
    "read": Read,
    "failed": Failed,
    "judged": Judged,
    "ended": Ended,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def step_as_json(step: Step) -> dict[str, Any]:
    told: dict[str, Any] = {"step": _NAMES[type(step)]}
    match step:
        case Begun(lead=lead, why=why, at=at):
            return {**told, **lead.as_json(), "source": lead.source, "why": why, "at": at}
        case Read(leads=leads):
            return told | _filled(step) | ({"leads": [one.as_json() for one in leads]} if leads else {})
        case _:
            return told | _filled(step)


def step_from_json(told: dict[str, Any]) -> Step:
    """Reads a step from plain data. Raises SettingRefused for data that are no step."""
    try:
        values = dict(told)
        kind = _KINDS[values.pop("step")]
        if kind is Begun:
            why, at, source = values.pop("why"), values.pop("at", 0), values.pop("source", "")
            return Begun(lead=Lead.from_json(values, source), why=why, at=at)
        if kind is Read:
            values["leads"] = [Lead.from_json(one, values["url"]) for one in values.get("leads", ())]
        made: Step = kind(**{name: _frozen(value) for name, value in values.items()})
    except (KeyError, TypeError, AttributeError) as error:
        raise SettingRefused(f"this is no step of a crawl: {json.dumps(told)[:200]}") from error
    return made


def _filled(step: Step) -> dict[str, Any]:
    return {name: value for name, value in asdict(step).items() if value or isinstance(value, bool)}


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
