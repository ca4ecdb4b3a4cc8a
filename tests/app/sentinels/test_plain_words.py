"""What a sentinel does is told in plain words beside its text."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.store.making import sentinel
from webvigil.app.sentinels.plain_words import plain_words
from webvigil.language import parse
from webvigil.model.change_types import KINDS
from webvigil.model.life import LifeRecord
from webvigil.store.memory import MemoryKnowledge

END = datetime(2027, 4, 4, 12, tzinfo=UTC)
BORN = datetime(2026, 4, 4, 12, tzinfo=UTC)


def told(clauses: str, life: LifeRecord | None = None, **more: Any) -> list[str]:
    knowledge = MemoryKnowledge(delay=0)
    knowledge.users.add("jill")
    alive = life or LifeRecord(installed_at=BORN, within=True, started_at=BORN, next_at=END)
    (installed,) = knowledge.sentinels.add(sentinel("tea", life=alive))
    said = parse(f"Create Sentinel tea Using http://site.test/ {clauses}")[0]
    return [f"{one.before}{one.strong}{one.after}" for one in plain_words(said, installed, UTC, **more)]


def test_a_sentinel_is_told_in_four_sentences():
    assert told(
        'Monitor value css "#day" Notify By email anna@example.org',
        labels=["Polaris sofa · Price"],
        habit="changes about every 3 hours",
    ) == [
        "Tells about the Price of Polaris sofa, whenever it differs.",
        "Looks when the page tends to change; it changes about every 3 hours.",
        "Tells you in the inbox and by mail to anna@example.org.",
        "Until 4 April 2027.",
    ]


@pytest.mark.parametrize(
    ("clauses", "sentence"),
    [
        ("", "Tells about words, links and pictures, whenever it differs."),
        ("Monitor all links OR phrase: {low risk}", "Tells about links or the phrase “low risk”, whenever"),
        ("Monitor all links AND all images", "Tells about links together with pictures, whenever"),
        ("Monitor NOT visual", "Tells about no change of how the page looks, whenever"),
        ('Monitor table: {caption "Prices"}', "Tells about the table “Prices”, whenever it differs."),
        ('Within css "main" Ignore css ".ads"', "in the part “main”, without the part “.ads”, whenever"),
        ("Only new", "only what was never there before, whenever it differs."),
        ("Monitor all links When changed > 20%", "Only when changed > 20%."),
        ("Steps press Enter", "Goes there in a browser in 1 step."),
        (
            'Steps type css "#a" secret b, press Enter',
            "in a browser in 2 steps, and types a secret of yours.",
        ),
        ("Through office", "Goes through the proxy office."),
        ("Fetch 2 hour", "Looks every 2 hours."),
        (
            "Fetch 1 hour on weekdays between 8:00 and 18:00",
            "every hour, on weekdays between 8:00 and 18:00.",
        ),
        ("Fetch at 7:30, 19:00 on monday, friday", "Looks at 7:30 and 19:00 on Monday and Friday."),
        ('Fetch cron "0 9 1 * *"', "Looks at the times of the cron expression 0 9 1 * *."),
        ("Fetch on change on weekends", "Looks when the page tends to change, on weekends."),
        ("Notify By webhook https://a.test/ Every 1 day", "Tells you in the inbox and by web hook to https:"),
        ("Notify By email a@b.test Every 3 changes", "by mail to a@b.test, after 3 changes."),
    ],
)
def test_every_clause_has_its_words(clauses: str, sentence: str):
    assert any(sentence in one for one in told(clauses)), told(clauses)


def test_every_change_type_has_words():
    from webvigil.language.change_types import print_change_type

    for kind in KINDS.values():
        first = told(f"Monitor {print_change_type(kind.example)}")[0]
        assert first.startswith("Tells about ")
        assert len(first) > len("Tells about , whenever it differs.")


def test_what_ended_or_waits_says_so():
    over = LifeRecord(installed_at=BORN, started_at=BORN, ended_at=END, over=True)
    assert told("", over)[-1] == "Ended on 4 April 2027."
    waiting = LifeRecord(installed_at=BORN, next_at=END)
    assert told("", waiting)[-1] == "Starts on 4 April 2027."
    tied = LifeRecord(installed_at=BORN, within=True, started_at=BORN)
    assert told("", tied)[-1] == "Ends with another sentinel."


def test_of_several_values_the_first_are_named():
    clauses = 'Monitor value css ".price"'
    assert (
        told(clauses, labels=["Sofa", "Lamp"])[0] == "Tells about 2 values: Sofa, Lamp, whenever it differs."
    )
    several = told(clauses, labels=["Sofa", "Lamp", "Shelf", "Chair"])[0]
    assert several == "Tells about 4 values: Sofa, Lamp, Shelf and 1 more, whenever it differs."
