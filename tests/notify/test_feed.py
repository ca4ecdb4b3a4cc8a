"""Recorded changes as an Atom feed, byte for byte (N4)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from xml.etree import ElementTree as Xml

from webvigil.notify.feed import Entry, Feed, as_atom

ENTRY = Entry(
    key="9:3-4",
    title="A link is new & <good>",
    link="http://a.test/reports/1",
    at=datetime(2026, 3, 1, 12, tzinfo=UTC),
    lines=("one", "two\ufffe"),
    topic="news",
)
FEED = Feed(
    place="here",
    key="jill",
    title="Changes",
    author="WebVigil",
    address="http://a.test/feed",
    home="http://a.test/",
    entries=(ENTRY,),
)
HEAD = (
    "<?xml version='1.0' encoding='utf-8'?>\n"
    '<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:uuid:{id}</id><title>Changes</title>'
    "<updated>{updated}</updated><author><name>WebVigil</name></author><generator>WebVigil</generator>"
)
LINKS = (
    '<link rel="self" type="application/atom+xml" href="http://a.test/feed" />'
    '<link rel="alternate" type="text/html" href="http://a.test/" />'
)


def test_a_feed_without_entries_is_as_old_as_time():
    text = as_atom(replace(FEED, entries=())).decode()
    found = Xml.fromstring(text).findtext("{*}id", "").removeprefix("urn:uuid:")
    assert text == HEAD.format(id=found, updated="1970-01-01T00:00:00Z") + LINKS + "</feed>"


def test_an_entry_keeps_its_id_and_says_everything():
    newer = replace(ENTRY, key="9:4-5", at=datetime(2026, 3, 2, tzinfo=UTC), lines=(), topic="", link="x:y")
    root = Xml.fromstring(as_atom(replace(FEED, entries=(ENTRY, newer))))
    assert root.findtext("{*}updated") == "2026-03-02T00:00:00Z"
    first, second = root.findall("{*}entry")
    assert first.findtext("{*}id") == Xml.fromstring(as_atom(FEED)).findtext("{*}entry/{*}id")
    assert first.findtext("{*}id") != second.findtext("{*}id")
    plain = [(one.tag.partition("}")[2], one.text, one.attrib) for one in first][1:]
    assert plain == [
        ("title", "A link is new & <good>", {}),
        ("updated", "2026-03-01T12:00:00Z", {}),
        ("published", "2026-03-01T12:00:00Z", {}),
        ("link", None, {"rel": "alternate", "type": "text/html", "href": "http://a.test/reports/1"}),
        ("category", None, {"term": "news"}),
        ("content", "one\ntwo", {"type": "text"}),
    ]
    assert [one.tag.partition("}")[2] for one in second] == ["id", "title", "updated", "published", "content"]
    assert second.findtext("{*}content") == ENTRY.title


def test_another_installation_has_other_ids():
    ours, theirs = (Xml.fromstring(as_atom(replace(FEED, place=place))) for place in ("here", "there"))
    for path in ("{*}id", "{*}entry/{*}id"):
        assert ours.findtext(path) != theirs.findtext(path)
