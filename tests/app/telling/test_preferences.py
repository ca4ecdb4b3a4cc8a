"""Preferences as people write them: every form that is read, and every sentence of refusal."""

from __future__ import annotations

import pytest

from webvigil.app.telling.preferences import preferences_as_json, preferences_from
from webvigil.errors import SettingRefused
from webvigil.model.contact import Preferences

USUAL = Preferences()


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("quiet", "22:00-07:00", "22:00-07:00"),
        ("quiet", " 0:00 - 23:59 ", "00:00-23:59"),
        ("quiet", "8:05-8:06", "08:05-08:06"),
        ("quiet", "off", None),
        ("quiet", "NONE", None),
        ("quiet", "", None),
        ("quiet", None, None),
        ("rate", "5", 5),
        ("rate", 7, 7),
        ("rate", "off", 0),
        ("rate", "none", 0),
        ("rate", "0", 0),
        ("rate", "100000", 100_000),
        ("rate", "default", None),
        ("rate", "", None),
        ("summary_at", "7:30", "07:30"),
        ("summary_at", "23:59", "23:59"),
        ("summary_at", "00:00", "00:00"),
        ("order", "Priority", "priority"),
        ("share_pages", "yes", True),
        ("share_pages", True, True),
        ("share_pages", "on", True),
        ("share_pages", "no", False),
        ("share_pages", "off", False),
    ],
)
def test_a_preference_is_told_as_it_was_meant(name: str, text: object, told: object):
    others = {
        "quiet": "01:00-02:00",
        "rate": "3",
        "summary_at": "09:09",
        "order": "topic",
        "share_pages": "no",
    }
    known = preferences_from(USUAL, others)
    shown = preferences_as_json(preferences_from(known, {name: text}))
    assert shown == {**preferences_as_json(known), name: told}


@pytest.mark.parametrize(
    ("name", "text", "trouble"),
    [
        (
            "noise",
            "x",
            "there is no preference 'noise'; there are quiet, rate, summary_at, order, share_pages",
        ),
        ("quiet", "night", "'night' are no quiet hours; write 22:00-07:00, or off"),
        ("quiet", "22:00-24:00", "'24:00' is no time of day; write 07:00"),
        ("quiet", "22:60-23:00", "'22:60' is no time of day; write 07:00"),
        ("summary_at", "7", "'7' is no time of day; write 07:00"),
        ("summary_at", "123:00", "'123:00' is no time of day; write 07:00"),
        ("rate", "-1", "'-1' is no number of messages in an hour; write a number, off or default"),
        ("rate", "100001", "'100001' is no number of messages in an hour; write a number, off or default"),
        ("rate", "٣", "'٣' is no number of messages in an hour; write a number, off or default"),
        ("order", "size", "'size' is no order; there are time, priority, topic"),
        ("share_pages", "maybe", "'maybe' is neither yes nor no"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_to_write(name: str, text: str, trouble: str):
    with pytest.raises(SettingRefused) as refused:
        preferences_from(USUAL, {name: text})
    assert str(refused.value) == trouble


def test_quiet_hours_without_length_are_none():
    assert preferences_as_json(preferences_from(USUAL, {"quiet": "08:00-08:00"}))["quiet"] is None
