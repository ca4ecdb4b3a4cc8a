"""Tests of messages from templates, ours and an operator's; no page becomes template code (N2)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from lxml import html

from tests.notify.telling import START, change
from tests.notify.test_email import HOME, renderer, report
from webvigil.app.telling.delivery import lines_of, rows_of
from webvigil.model.notice import Waiting
from webvigil.model.summary import SentinelRecord
from webvigil.notify.render import Links, Renderer, one_line
from webvigil.notify.summary import in_order, summary

HOSTILE = [
    "{{ 7 * 191 }}",
    "{% for x in range(10**9) %}{% endfor %}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ config }}{{ self._TemplateReference__context }}",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "' onmouseover='alert(1)",
    "{# a comment",
    "${7*191}",
    "<%= 7*191 %>",
]


def hostile_report(text: str):
    finding = {
        "type": text,
        "changed": True,
        "note": text,
        "objects": [
            {"object": text, "status": "i", "where": []},
            {"object": text, "status": "u", "before": text, "after": text, "where": []},
        ],
    }
    told = report(
        title=text, topic=text, url=text, sentinel=text, summary=text, findings=[finding], reason=text
    )
    told.body["amounts"] = {"types": [text]}
    return told


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("event", ["change", "summary", "SentinelExpired", "verify"])
def test_what_a_page_says_is_shown_and_does_nothing(text: str, event: str):
    told = hostile_report(text)
    if event == "summary":
        other = change("2", body=told.body, sentinel=text)
        told = summary(
            [Waiting(id=n, since=START, due=0, notice=one) for n, one in enumerate((told, other))], "topic"
        )
    told.body["event"] = event
    made = renderer().render(told, Links(home=text, stop=text, verify=text))
    assert "1337" not in made.html + made.text
    page = html.fromstring(made.html)
    assert page.xpath("//script | //img | //@onerror | //@onmouseover | //iframe | //object") == []
    assert all(re.match("https?://", link) for link in page.xpath("//@href"))
    if event == "change":
        seen = " ".join(page.text_content().split())
        assert " ".join(text.split()) in seen


def test_a_report_shows_both_sides_without_colour():
    finding = {
        "type": "phrase",
        "changed": True,
        "objects": [{"object": "a", "status": "u", "before": "low risk", "after": "high risk", "where": []}],
    }
    made = renderer().render(report(findings=[finding]))
    assert "- low risk\n  + high risk" in made.text
    shown = html.fromstring(made.html)
    assert shown.xpath("string(//s)") == "low risk"
    assert "+ high risk" in shown.text_content()


def test_times_are_on_the_users_clock():
    tokyo = Renderer(home=HOME, lines=lines_of, rows=rows_of, zone=lambda _: ZoneInfo("Asia/Tokyo"))
    assert "Mon 04 May 2026, 21:00" in tokyo.render(report()).text


def test_an_operator_may_bring_a_template(tmp_path: Path):
    (tmp_path / "report.txt").write_text("OUR NEWS: {{ it.summary }}")
    made = renderer(tmp_path).render(report())
    assert made.text == "OUR NEWS: 1 new, 12 % of the text\n"
    assert "See the whole report" in made.html, "the others are ours"


@pytest.mark.parametrize(
    "template",
    [
        "{{ it.summary",
        "{{ nothing.at.all }}",
        "{{ 1 / 0 }}",
        "{{ ''.__class__.__mro__ }}",
        "{% include 'no' %}",
    ],
)
def test_a_template_that_fails_loses_no_notice(
    tmp_path: Path, template: str, caplog: pytest.LogCaptureFixture
):
    (tmp_path / "report.txt").write_text(template)
    assert "1 new, 12 % of the text" in renderer(tmp_path).render(report()).text
    assert "using the built-in one instead" in caplog.text


@pytest.mark.parametrize(
    ("order", "expected"),
    [("time", "4321"), ("priority", "2431"), ("topic", "4132")],
)
def test_a_summary_has_the_order_that_the_user_chose(order, expected):
    """The orders are by time, by the user's priority, and by topic and then time (N3)."""
    entries = [
        {"name": "1", "at": "2026-01-01", "priority": 1, "topic": "art"},
        {"name": "2", "at": "2026-01-02", "priority": 9},
        {"name": "3", "at": "2026-01-03", "priority": 2, "topic": "Money"},
        {"name": "4", "at": "2026-01-04", "priority": 5, "topic": "art"},
    ]
    assert "".join(one["name"] for one in in_order(entries, order)) == expected


def row(number: int, before: str, after: str) -> dict:
    old, new = f"Tea {number} | {before} | 12", f"Tea {number} | {after} | 12"
    at = len(f"Tea {number} | ")
    around = {
        "before": old,
        "after": new,
        "before_marks": [[at, at + len(before)]],
        "after_marks": [[at, at + len(after)]],
    }
    return {
        "object": f"Tea {number}",
        "status": "u",
        "before": before,
        "after": after,
        "where": [f"/html/body/table/tr[{number}]/td[2]"],
        "label": f"Tea {number} · Price",
        "surrounding": around,
    }


def table_report(*rows: dict):
    return report(title="Teas", findings=[{"type": "table", "changed": True, "objects": list(rows)}])


def test_a_changed_table_is_told_row_by_row():
    told = html.fromstring(renderer().render(table_report(row(1, "3.00", "4.00"), row(2, "5", "<b>6"))).html)
    assert told.xpath("//th/text()") == ["Price"]
    cells = [[cell.text_content() for cell in line] for line in told.xpath("//tr[td/ins]")]
    assert cells == [["~", "Tea 1", "3.00 4.00"], ["~", "Tea 2", "5 <b>6"]]
    assert told.xpath("//del/text()") == ["3.00", "5"]


def test_plain_text_tells_a_changed_table_row_by_row():
    price, stock = row(1, "3.00", "4.00"), row(1, "3.00", "4.00")
    stock |= {"object": "Tea 1 › Stock", "label": "Tea 1 · Stock", "before": "12", "after": "9"}
    new = {
        "object": "Tea 3",
        "status": "i",
        "after": "Tea 3 | 7 | 1",
        "where": ["/html/body/table/tr[3]"],
        "label": "Tea 3",
    }
    made = renderer().render(table_report(price, stock, row(2, "5", "6"), new)).text
    told = [line.strip() for line in made.splitlines() if line.startswith("  ")]
    assert told == [
        "~ Tea 1 · Price: 3.00 → 4.00; Stock: 12 → 9",
        "~ Tea 2 · Price: 5 → 6",
        "+ Tea 3 | 7 | 1",
    ]


def test_a_long_table_says_how_many_rows_it_leaves_out():
    told = renderer().render(table_report(*(row(number, "1", "2") for number in range(1, 31)))).html
    assert "… and 10 more" in told


def test_a_notice_about_a_page_names_the_sentinel_small():
    told = {"event": "page failing", "title": "Prices today", "sentinel": "demo-prices"}
    made = renderer().render(change("1", subject="Prices today: the page keeps failing", body=told))
    assert "Prices today: the page keeps failing\ndemo-prices · https://example.org/" in made.text
    assert "demo-prices · https://example.org/" in " ".join(html.fromstring(made.html).text_content().split())


def test_the_records_of_a_summary_are_called_by_their_titles():
    waiting = [Waiting(id=n, since=START, due=0, notice=change(str(n))) for n in range(2)]
    record = SentinelRecord(
        sentinel="s1",
        title="Prices today",
        state="active",
        urls=("https://example.org/",),
        type='value css ".price"',
        watches="price",
        topic="",
        priority=0,
        modified=None,
        evaluated=None,
        notified=None,
        seen=None,
        installed=datetime(2026, 5, 4, tzinfo=UTC),
        ends=None,
        evaluations=1,
        notifications=1,
        changes=1,
    )
    made = renderer().render(summary(waiting, "time", {"s1": record}))
    assert "\nPrices today\n  s1 · price\n" in made.text
    assert "Prices today s1 · price" in " ".join(html.fromstring(made.html).text_content().split())


def test_the_title_stands_before_the_name_of_the_sentinel():
    made = renderer().render(report(title="Prices · Demo town", sentinel="demo-prices"))
    place = html.fromstring(made.html).text_content()
    assert 0 <= place.index("Prices · Demo town") < place.index("demo-prices")
    assert made.text.index("Prices · Demo town") < made.text.index("demo-prices")


def test_a_text_from_right_to_left_stays_apart_and_turns_nothing_else():
    said = "\u2068كتاب\u2069: \u206840\u2069 → \u206841\u2069"
    assert one_line(said) == said
    assert one_line("a \u2068b c \u202e d \u2067e\u2069") == "a b c d e"
    assert one_line("\u2068\u202eevil\u2069 x") == "\u2068evil\u2069 x"
