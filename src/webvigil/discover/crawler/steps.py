"""The steps of a crawl, as they are written down: what was visited, why, from where, and what came of it.

Everything a crawl knows can be made again from its steps, in order. So the record that people read, the one
that another crawl follows, and the state that a killed crawl goes on from are one and the same.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from webvigil.discover.crawler.lead import Lead
from webvigil.errors import SettingRefused


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """What was wanted. The first step, and the only one of its kind."""

    service: str
    frontier: str
    seeds: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A page is about to be asked for."""

    lead: Lead
    why: str
    at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """It came. `leads` are the new ones; `left_out` counts the others by reason. `forms` are the keys of
    those that are looked at now, for the first time; `dead_end` says why its links are not followed."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """It did not come."""

    url: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Its forms were looked at, and asked where that was worth it. `asked` is what a dry run would ask."""

    url: str
    analyses: tuple[dict[str, Any], ...]
    took_ms: int = 0
    asked: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
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
    """SettingRefused where it is none."""
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
