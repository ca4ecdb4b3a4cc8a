"""Reads the JSON export of Distill Web Monitor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from webvigil.app.moving.formats.found import (
    Found,
    Told,
    every,
    name_from,
    page_of,
    part,
    title_from,
    topics_from,
)
from webvigil.app.moving.formats.said import Key, Keys, is_usual, reported, shown
from webvigil.errors import SettingRefused
from webvigil.model.sentinel import FetchWhen, Part, Sentinel

# The number that the export uses for the state of a monitor that is switched on.
_READY = 40
_ON = (_READY, "ready", "active", "on")
_DEEPEST = 12
_SELECTION = "config selections"
_FRAME = f"{_SELECTION} frames"
KEYS: Keys = {
    "name": Key(about="is the name of the monitor", becomes="`Title`"),
    "uri": Key(about="is the address of the page", becomes="`Using`"),
    "tags": Key(about="sorts monitors", becomes="`Topic`"),
    "state": Key(about="switches the monitor on or off", becomes="enabled or disabled"),
    "schedule type": Key(
        about="says how looks are planned; only intervals are taken along", usual=("INTERVAL",)
    ),
    "schedule params interval": Key(about="says how often to look", becomes="`Fetch`"),
    f"{_SELECTION} uri": Key(about="is the address of the page", becomes="`Using`"),
    f"{_SELECTION} dynamic": Key(
        about="shows the page in a browser", becomes="`Render browser`", usual=(False,)
    ),
    f"{_FRAME} includes expr": Key(about="selects a part", becomes="`Within`"),
    f"{_FRAME} excludes expr": Key(about="leaves a part out", becomes="`Ignore`"),
    f"{_FRAME} includes type": Key(
        about="says what kind of selector it is; css and xpath are taken along", usual=("css", "xpath")
    ),
    f"{_FRAME} excludes type": Key(
        about="says what kind of selector it is; css and xpath are taken along", usual=("css", "xpath")
    ),
    f"{_FRAME} index": Key(
        about="selects in a frame of the page; the frames of a page are part of it here", usual=(0,)
    ),
    "content_type": Key(about="says what kind of page it is; that is seen here", usual=(1, 2)),
    "id": Key(about="", record=True),
    "ts": Key(about="", record=True),
    "ts_data": Key(about="", record=True),
    "ts_mod": Key(about="", record=True),
    "ts_view": Key(about="", record=True),
}


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
    config = _inner(monitor.get("config"))
    selections = _listed(config.get("selections"))
    address = monitor.get("uri") or next((one.get("uri") for one in selections if one.get("uri")), None)
    source = str(title or address or "a monitor")[:200]
    try:
        page = page_of(address)
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
    told = tuple(_told(monitor))
    return Found(
        source=source,
        sentinel=sentinel,
        enabled=monitor.get("state", _READY) in _ON,
        remarks=tuple(f"{one.key}: {one.remark}" for one in told if one.remark),
        told=told,
    )


def _told(monitor: dict[str, Any]) -> Iterator[Told]:
    """Yields what became of each value of a monitor."""
    texts = [name for name in ("config", "schedule") if name in monitor]
    inner = {name: _inner(monitor[name]) or monitor[name] for name in texts}
    for path, value in _leaves(monitor | inner):
        key = KEYS.get(path)
        if key is None:
            yield Told(path, shown(path, value), "", "unknown here, not taken along")
        elif not key.record and not is_usual(value, key):
            became = key.becomes.replace("`", "")
            yield Told(path, shown(path, value), became, "" if became else reported(key))


def _leaves(value: Any, path: str = "", level: int = 0) -> Iterator[tuple[str, Any]]:
    """Yields the values in a monitor with their keys; places in lists do not count. What is nested deeper
    than any monitor is one value."""
    if isinstance(value, dict) and value and level < _DEEPEST:
        for name, one in value.items():
            yield from _leaves(one, f"{path} {name}".strip(), level + 1)
    elif isinstance(value, list) and any(isinstance(one, dict) for one in value) and level < _DEEPEST:
        for one in value:
            yield from _leaves(one, path, level + 1)
    elif value not in (None, "", [], {}):
        yield path, value


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
