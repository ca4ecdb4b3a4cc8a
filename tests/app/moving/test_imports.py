"""Files of other programs become sentinels, the plan says what is left out, hostile files do no harm (U6)."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from webvigil.app.moving.exports import EXPORTS, export
from webvigil.app.moving.formats import FORMATS, read_foreign
from webvigil.app.moving.imports import install_plan, plan_import
from webvigil.app.operating.stores import opened
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.errors import SettingRefused
from webvigil.store.promises import Knowledge


@pytest.fixture
def here(tmp_path: Path) -> Settings:
    return read_settings({"data": str(tmp_path)}, environment={})


@pytest.fixture
def knowledge(here: Settings) -> Iterator[Knowledge]:
    with opened(here) as made:
        yield made


def texts(data: bytes | str, knowledge: Knowledge, here: Settings) -> list[str]:
    plan = plan_import(knowledge, here, data.encode() if isinstance(data, str) else data)
    assert not plan.refused, plan.refused
    install_plan(knowledge, here, plan)
    return [row.text for row in plan.rows]


def zipped(**members: object) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content if isinstance(content, bytes) else json.dumps(content))
    return stream.getvalue()


WATCH = {
    "url": "https://shop.test/shoes",
    "title": "Shoes: the best!",
    "tags": ["t1"],
    "paused": True,
    "time_between_check": {"weeks": None, "days": 1, "hours": 2, "minutes": 0, "seconds": 0},
    "include_filters": ["#prices", "xpath://main"],
    "subtractive_selectors": [".ad"],
    "ignore_text": ["/\\d+ views/", "a.b"],
    "trigger_text": ["sale", "/new.*shoes/i"],
    "fetch_backend": "html_webdriver",
    "browser_steps": [{"operation": "click"}],
    "last_checked": 1,
}
BACKUP = {"watching": {"u-1": WATCH}, "settings": {"application": {"tags": {"t1": {"title": "Shops"}}}}}


SHOES = """\
Create Sentinel Shoes-the-best Using https://shop.test/shoes
Title "Shoes: the best!"
Monitor content
Quiet off
Within css "#prices", xpath "//main"
Ignore css ".ad", /.*(?i:\\d+ views).*/, /.*(?i:a\\.b).*/
Fetch 26 hour
Render browser
Topic Shops
"""


@pytest.mark.parametrize(
    "data",
    [
        json.dumps(BACKUP).encode(),
        zipped(**{"url-watches.json": BACKUP, "url-list.txt": b"x"}),
        zipped(**{"changedetection.json": BACKUP | {"watching": {}}, "0a1b2c3d-4e5f/watch.json": WATCH}),
    ],
)
def test_watches_of_changedetection_io_become_sentinels(knowledge: Knowledge, here: Settings, data: bytes):
    plan = plan_import(knowledge, here, data)
    (row,) = plan.rows
    assert any(one.startswith("browser_steps 1: unknown here") for one in row.remarks)
    assert any(one.startswith("trigger_text") for one in row.remarks)
    assert {*SHOES.splitlines()} <= {*row.text.splitlines()}
    install_plan(knowledge, here, plan)
    assert not knowledge.sentinels.get("me", "Shoes-the-best").enabled


def test_the_list_of_changedetection_ios_api(knowledge: Knowledge, here: Settings):
    data = json.dumps({"u-1": {"url": "https://a.test/", "title": None, "last_changed": 0}})
    assert texts(data, knowledge, here)[0].startswith("Create Sentinel a-test Using https://a.test/")


def test_tags_of_changedetection_io_that_have_files_of_their_own(knowledge: Knowledge, here: Settings):
    """The present layout of its backups: the settings name no tags, and each watch and each tag has its own
    folder."""
    tag = {"uuid": "7c0f3a52-aaaa", "title": "Shops", "overrides_watch": False}
    data = zipped(
        **{
            "changedetection.json": {"settings": {"application": {"tags": {}}}, "note": "Settings file"},
            "7c0f3a52-aaaa/tag.json": tag,
            "0a1b2c3d-4e5f/watch.json": WATCH | {"tags": ["7c0f3a52-aaaa"], "processor": "text_json_diff"},
            "0a1b2c3d-4e5f/history.txt": b"1700000000,abc.txt.br",
            "url-list.txt": b"https://shop.test/shoes",
        }
    )
    (row,) = plan_import(knowledge, here, data).rows
    assert "Topic Shops" in row.text


def test_a_json_path_is_a_value(knowledge: Knowledge, here: Settings):
    watch = {"url": "https://a.test/x.json", "uuid": "u", "include_filters": ["json:$.a['b']"]}
    assert "Monitor value json \"$.a['b']\"" in texts(json.dumps(watch), knowledge, here)[0]


URLWATCH = """
name: "Town news"
url: "https://town.test/news"
filter:
  - css:
      selector: div.news
      exclude: div.ad
  - html2text
  - grep: news
---
navigate: https://town.test/app
filter: element-by-id:main,strip
---
url: https://town.test/form
data: {q: tea}
---
command: "rm -rf /"
name: dangerous
"""


def test_jobs_of_urlwatch_and_webchanges_become_sentinels(knowledge: Knowledge, here: Settings):
    plan = plan_import(knowledge, here, URLWATCH.encode())
    news, app, form = plan.fine
    assert 'Within css "div.news"' in news.text
    assert 'Ignore css "div.ad"' in news.text
    assert "Monitor regular expression: {.*news.*}" in news.text
    assert news.remarks == ("filter: the order of these lines does not count here",)
    assert "Render browser" in app.text
    assert "[id=" in app.text
    assert "form POST" in form.text
    assert [row.source for row in plan.refused] == ["dangerous"]
    assert "never" in plan.refused[0].trouble


def test_monitors_of_distill_become_sentinels(knowledge: Knowledge, here: Settings):
    config = {
        "selections": [
            {
                "frames": [
                    {
                        "includes": [{"type": "css", "expr": ".price"}],
                        "excludes": [{"type": "xpath", "expr": "//b"}],
                    }
                ],
                "dynamic": True,
            }
        ]
    }
    monitor = {
        "name": "Price",
        "uri": "https://shop.test/",
        "config": json.dumps(config),
        "tags": "shop,x",
        "schedule": json.dumps({"type": "INTERVAL", "params": {"interval": 3600}}),
    }
    (text,) = texts(json.dumps({"data": [monitor]}), knowledge, here)
    for clause in (
        'Within css ".price"',
        'Ignore xpath "//b"',
        "Fetch 1 hour",
        "Render browser",
        "Topic shop",
    ):
        assert clause in text


def test_distill_as_its_extension_writes_it(knowledge: Knowledge, here: Settings):
    """The browser extension writes tags as a list and states as numbers; 40 means that the monitor is on."""
    monitor = {
        "name": "Board | News",
        "uri": "https://board.test/news",
        "config": '{"selections":[{"frames":[{"index":0,"excludes":[],"includes":[]}],"dynamic":false}]}',
        "tags": ["nice things", "news"],
        "content_type": 2,
        "schedule": '{"type":"INTERVAL","params":{"interval":4447}}',
    }
    data = {"client": {"local": 1}, "data": [monitor | {"state": 40}, monitor | {"state": 30}]}
    plan = plan_import(knowledge, here, json.dumps(data).encode())
    assert all('Topic "nice things"' in row.text for row in plan.rows)
    assert [row.enabled for row in plan.rows] == [True, False]


def test_no_value_of_a_distill_monitor_vanishes(knowledge: Knowledge, here: Settings):
    selection = {
        "uri": "https://shop.test/",
        "frames": [{"index": 1, "includes": [{"type": "js", "expr": "f()"}], "excludes": []}],
        "delay": 3,
    }
    monitor = {
        "id": "x",
        "name": "Price",
        "uri": "https://shop.test/",
        "config": json.dumps({"selections": [selection], "ignoreEmptyText": True}),
        "schedule": json.dumps({"type": "RANDOM", "params": {"from": 1, "to": 9}}),
        "rules": {"condition": {"type": "has_text", "token": "tok-1234"}},
    }
    (row,) = plan_import(knowledge, here, json.dumps({"data": [monitor]}).encode()).rows
    told = {one.key: one for one in row.told}
    assert told["name"].becomes == "Title"
    for key in (
        "config selections delay",
        "config ignoreEmptyText",
        "config selections frames index",
        "config selections frames includes type",
        "schedule type",
        "schedule params from",
        "rules condition type",
    ):
        assert told[key].remark, key
        assert any(one.startswith(f"{key}: ") for one in row.remarks)
    assert "tok-1234" not in str(row.told)
    assert "id" not in told
    deep: Any = 1
    for _ in range(400):
        deep = {"a": deep}
    assert plan_import(knowledge, here, json.dumps({"data": [monitor | {"more": deep}]}).encode()).rows


def test_no_attribute_of_an_outline_vanishes(knowledge: Knowledge, here: Settings):
    data = """<opml version="2.0"><body><outline text="Daily" type="rss" xmlUrl="https://daily.test/rss"
    htmlUrl="https://daily.test/" category="press,/news/world" description="d" x-own="1" isComment="true"/>
    </body></opml>"""
    (row,) = plan_import(knowledge, here, data.encode()).rows
    told = {one.key: one for one in row.told}
    assert "unknown here" in told["x-own"].remark
    assert told["description"].remark
    assert told["htmlUrl"].remark
    assert 'Topic press, "news world"' in row.text
    assert not row.enabled
    assert row.remarks == ("x-own: unknown here, not taken along",)


def test_feeds_of_an_opml_file_become_sentinels(knowledge: Knowledge, here: Settings):
    data = """<?xml version="1.0"?><!DOCTYPE opml [<!ENTITY x SYSTEM "file:///etc/passwd">]>
    <opml version="2.0"><body><outline text="Press"><outline text="Daily" xmlUrl="https://daily.test/rss"/></outline>
    <outline text="&x;" xmlUrl="https://b.test/feed"/></body></opml>"""
    first, second = texts(data, knowledge, here)
    assert "Daily Using https://daily.test/rss" in first
    assert "Topic Press" in first
    assert "root:" not in second


@pytest.mark.parametrize(
    ("format_", "data", "source"),
    [
        ("changedetection.io", b'{"watching": {"a": {}}}', "a watch"),
        ("distill", b'{"data": [{}]}', "a monitor"),
        ("urlwatch", b"kind: url\n", "a job"),
        ("opml", b"<opml><body><outline xmlUrl='x:'/></body></opml>", "an outline"),
    ],
)
def test_what_has_neither_name_nor_address_is_called_what_it_is(format_: str, data: bytes, source: str):
    _, (found,) = read_foreign(data, format_)
    assert (found.source, bool(found.trouble)) == (source, True)


def test_a_list_of_addresses(knowledge: Knowledge, here: Settings):
    data = "# mine\nhttps://a.test/1\n\nb.test/2 a remark\nhttps://a.test/1\njavascript:alert(1)\n"
    plan = plan_import(knowledge, here, data.encode())
    assert [row.name for row in plan.fine] == ["a-test", "b-test", "a-test-2"]
    assert [row.source for row in plan.refused] == ["javascript:alert(1)"]


def test_names_that_are_taken_get_a_number(knowledge: Knowledge, here: Settings):
    install_text(knowledge, here, "Create Sentinel a-test Using https://other.test/")
    plan = plan_import(knowledge, here, b"https://a.test/")
    assert plan.rows[0].name == "a-test-2"
    assert "a-test is taken" in plan.rows[0].remarks[0]


def test_a_dry_run_installs_nothing(knowledge: Knowledge, here: Settings):
    plan_import(knowledge, here, b"https://a.test/")
    assert knowledge.sentinels.all() == []


def test_an_address_that_cannot_be_written_does_not_hold_up_the_others(knowledge: Knowledge, here: Settings):
    plan = plan_import(knowledge, here, b"https://example.org/a\nhttps://example.org/" + b"x" * 100_000)
    assert [row.name for row in plan.fine] == ["example-org"]
    assert "too long" in plan.refused[0].trouble
    assert [one.name for one in install_plan(knowledge, here, plan)] == ["example-org"]


def test_private_addresses_are_refused(knowledge: Knowledge, here: Settings):
    plan = plan_import(knowledge, here, b"http://127.0.0.1/\nhttp://169.254.169.254/latest\nhttps://a.test/")
    assert [row.name for row in plan.fine] == ["a-test"]
    assert len(plan.refused) == 2
    assert all("not a public address" in row.trouble for row in plan.refused)


SOME = """Create Sentinel one Using https://a.test/x Monitor all links Topic "the press"

Create Sentinel two Using sentinel one Monitor keywords: {sale}
"""


def test_what_was_exported_is_imported_again(knowledge: Knowledge, here: Settings, tmp_path: Path):
    install_text(knowledge, here, SOME)
    exported = export(knowledge.sentinels, "me")
    other = read_settings({"data": str(tmp_path / "other")}, environment={})
    with opened(other) as elsewhere:
        plan = plan_import(elsewhere, other, exported)
        install_plan(elsewhere, other, plan)
        assert export(elsewhere.sentinels, "me") == exported


@pytest.mark.parametrize("kind", list(EXPORTS))
def test_every_export_can_be_written(knowledge: Knowledge, here: Settings, kind: str):
    assert export(knowledge.sentinels, "me", kind) is not None
    install_text(knowledge, here, SOME)
    written = export(knowledge.sentinels, "me", kind)
    assert b"https://a.test/x" in written
    if kind != "json":
        assert read_foreign(written)[0] == kind


class TestHostileFiles:
    def test_a_zip_bomb_is_not_unpacked(self):
        data = zipped(**{"url-watches.json": b"[" * 60_000_000})
        with pytest.raises(SettingRefused, match="too large"):
            read_foreign(data)

    def test_a_zip_bomb_of_many_members_is_not_unpacked(self):
        many = {f"{number:08x}/watch.json": b" " * 21_000_000 + b"{}" for number in range(5)}
        with pytest.raises(SettingRefused, match="too large"):
            read_foreign(zipped(**many))

    def test_names_in_a_zip_are_only_names(self, tmp_path: Path):
        assert read_foreign(zipped(**{"../../evil.json": BACKUP, "/etc/watch.json": WATCH}))[1] == []

    def test_aliases_in_yaml_do_not_multiply(self):
        lines = ["url: https://a.test/", "a0: &a0 [x, x, x, x, x, x, x, x, x]"]
        lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
        with pytest.raises(SettingRefused, match="aliases"):
            read_foreign("\n".join(lines).encode())

    @pytest.mark.parametrize(
        "tag", ["!!python/object/apply:os.system ['true']", "!!python/name:os.system ''"]
    )
    def test_yaml_makes_no_objects(self, tag: str):
        with pytest.raises(SettingRefused, match="cannot be read"):
            read_foreign(f"url: {tag}\nname: x".encode())

    @pytest.mark.parametrize(
        "line", ["x" * 3_000_000, "https://" + "x" * 3_000_000 + ".test/", "é" * 3_000_000]
    )
    def test_a_line_without_end_is_refused_in_a_short_sentence(
        self, knowledge: Knowledge, here: Settings, line: str
    ):
        (row,) = plan_import(knowledge, here, line.encode()).rows
        assert "is not a web address" in row.trouble
        assert len(row.trouble) < 500

    def test_deep_json_is_refused(self):
        with pytest.raises(SettingRefused):
            read_foreign(b'{"data": ' + b"[" * 200_000 + b'"uri"')

    @pytest.mark.parametrize("data", [b"", b"\0\1\2", b"PK\x03\x04rest", b"   \n"])
    def test_nothing_useful_is_refused_in_a_sentence(self, data: bytes):
        with pytest.raises(SettingRefused):
            read_foreign(data)

    @settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
    @given(
        st.sampled_from(list(FORMATS)),
        st.one_of(
            st.binary(max_size=300),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
                lambda inner: (
                    st.lists(inner, max_size=4)
                    | st.dictionaries(
                        st.sampled_from(
                            [*WATCH, "watching", "data", "uri", "config", "schedule", "filter", "name"]
                        ),
                        inner,
                        max_size=6,
                    )
                ),
                max_leaves=30,
            ).map(lambda value: json.dumps(value).encode()),
        ),
    )
    def test_whatever_is_in_it_nothing_breaks(self, kind: str, data: bytes):
        try:
            _, found = read_foreign(data, kind)
        except SettingRefused:
            return
        assert all(one.sentinel or one.trouble for one in found)


def test_messages_of_changedetection_io_keep_their_words(knowledge: Knowledge, here: Settings):
    watch = WATCH | {
        "notification_body": "{{ watch_url }} has\n{{diff}}\n{{ current_snapshot }}{% if x %}!{% endif %}",
        "notification_title": "{{watch_title}} changed",
    }
    (row,) = plan_import(knowledge, here, json.dumps(BACKUP | {"watching": {"u-1": watch}}).encode()).rows
    words = 'Message title "{{ title }} changed" body "{{ url }} has\\n{{ changes }}\\n!"'
    assert words in row.text
    (left_out,) = [one for one in row.remarks if "no field here" in one]
    assert "{{ current_snapshot }}, {% if x %}, {% endif %}" in left_out
