"""Reads the JSON export of Distill Web Monitor."""

from __future__ import annotations

import json
from typing import Any

from webvigil.app.moving.formats.found import Found, every, name_from, page_of, part, title_from, topics_from
from webvigil.errors import SettingRefused
from webvigil.model.sentinel import FetchWhen, Part, Sentinel

# The number that the export uses for the state of a monitor that is switched on.
_READY = 40
_ON = (_READY, "ready", "active", "on")


def is_mine(data: bytes) -> bool:
    return data.lstrip()[:1] == b"{" and b'"data"' in data and b'"uri"' in data


def read(data: bytes) -> list[Found]:
    try:
        document = json.loads(data)
        monitors = document["data"]
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        raise SettingRefused("this is no export of Distill that can be read") from error
    return [_found(one) for one in monitors if isinstance(one, dict)] if isinstance(monitors, list) else []


def _found(monitor: dict[str, Any]) -> Found:
    """Turns a monitor into a sentinel, or into the reason why that is not possible."""
    title = monitor.get("name")
    source = str(title or monitor.get("uri"))[:200]
    config = _inner(monitor.get("config"))
    selections = _listed(config.get("selections"))
    try:
        page = page_of(
            monitor.get("uri") or next((one.get("uri") for one in selections if one.get("uri")), None)
        )
    except ValueError as error:
        return Found(source=source, trouble=str(error))
    frames = [frame for one in selections for frame in _listed(one.get("frames"))]
    sentinel = Sentinel(
        name=name_from(title, page.url),
        target=page,
        title=title_from(title),
        within=tuple(_parts(frames, "includes")),
        ignore=tuple(_parts(frames, "excludes")),
        render="browser" if any(one.get("dynamic") for one in selections) else None,
        fetch=_fetch(_inner(monitor.get("schedule"))),
        topics=topics_from(_tags(monitor.get("tags"))),
    )
    return Found(source=source, sentinel=sentinel, enabled=monitor.get("state", _READY) in _ON)


def _tags(value: Any) -> list[Any]:
    return value if isinstance(value, list) else str(value or "").split(",")


def _parts(frames: list[dict[str, Any]], which: str) -> list[Part]:
    """Returns the parts that the frames select. Selectors of the whole page are left out: a sentinel without
    a part watches the whole page anyway."""
    found: list[Part] = []
    for frame in frames:
        for one in _listed(frame.get(which)):
            text = str(one.get("expr") or "")
            if text and text not in ("html", "body", "/html", "//body"):
                found.append(part(f"xpath:{text}" if one.get("type") == "xpath" else text))
    return found


def _fetch(schedule: dict[str, Any]) -> FetchWhen:
    about = schedule.get("params")
    seconds = about.get("interval") if isinstance(about, dict) else None
    return every(seconds if isinstance(seconds, int | float) and 0 < seconds < 1e9 else 0)


def _inner(value: Any) -> dict[str, Any]:
    """Returns the object in a value that is either an object or a text with JSON in it; {} for anything
    else."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, dict) else {}


def _listed(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
