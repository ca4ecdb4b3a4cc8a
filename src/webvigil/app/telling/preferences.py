"""Preferences as users write them in, values out, and back: `22:00-07:00`, `8:00`, a number, `off`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

from webvigil.errors import SettingRefused
from webvigil.model.contact import Order, Preferences
from webvigil.model.shapes import PreferencesShape

_TIME = re.compile(r"(\d{1,2}):(\d{2})")
_OFF = ("off", "none", "")
_YES, _NO = {"yes", "true", "on"}, {"no", "false", "off"}
MOST_PER_HOUR = 100_000


def preferences_from(known: Preferences, wanted: Mapping[str, Any]) -> Preferences:
    """Returns the known preferences with the named ones changed. Raises SettingRefused for an unknown name or
    an unreadable value."""
    for name, value in wanted.items():
        if name not in _READERS:
            raise SettingRefused(f"there is no preference {name!r}; there are {', '.join(_READERS)}")
        known = replace(known, **_READERS[name](str(value if value is not None else "").strip().lower()))
    return known


def preferences_as_json(one: Preferences) -> PreferencesShape:
    quiet = one.quiet_from != one.quiet_to
    return {
        "quiet": f"{_shown(one.quiet_from)}-{_shown(one.quiet_to)}" if quiet else None,
        "rate": one.rate,
        "summary_at": _shown(one.summary_at),
        "order": one.order,
        "share_pages": one.share_pages,
    }


def _quiet(text: str) -> dict[str, Any]:
    if text in _OFF:
        return {"quiet_from": 0, "quiet_to": 0}
    begin, dash, end = text.partition("-")
    if not dash:
        raise SettingRefused(f"{text!r} are no quiet hours; write 22:00-07:00, or off")
    return {"quiet_from": _minutes(begin), "quiet_to": _minutes(end)}


def _rate(text: str) -> dict[str, Any]:
    if text in ("default", ""):
        return {"rate": None}
    number = "0" if text in _OFF else text
    if not (number.isascii() and number.isdigit() and int(number) <= MOST_PER_HOUR):
        raise SettingRefused(f"{text!r} is no number of messages in an hour; write a number, off or default")
    return {"rate": int(number)}


def _summary_at(text: str) -> dict[str, Any]:
    return {"summary_at": _minutes(text)}


def _order(text: str) -> dict[str, Any]:
    if text not in get_args(Order):
        raise SettingRefused(f"{text!r} is no order; there are {', '.join(get_args(Order))}")
    return {"order": text}


def _share_pages(text: str) -> dict[str, Any]:
    if text not in _YES | _NO:
        raise SettingRefused(f"{text!r} is neither yes nor no")
    return {"share_pages": text in _YES}


def _minutes(text: str) -> int:
    found = _TIME.fullmatch(text.strip())
    if not found or int(found[1]) > 23 or int(found[2]) > 59:
        raise SettingRefused(f"{text!r} is no time of day; write 07:00")
    return int(found[1]) * 60 + int(found[2])


def _shown(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


_READERS = {
    "quiet": _quiet,
    "rate": _rate,
    "summary_at": _summary_at,
    "order": _order,
    "share_pages": _share_pages,
}
