"""What an entry of a feed tells of a change, and how a feed is called."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from lxml import etree

from webvigil.app.telling.feeds import _entry, atom_of, place_of
from webvigil.model.change import Change, Finding, ObjectChange, Status
from webvigil.model.contact import KnownContact
from webvigil.model.wanted import WantedChanges

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
ATOM = "{http://www.w3.org/2005/Atom}"


def change(links: int = 1, title: str = "Tea shop") -> Change:
    objects = tuple(ObjectChange(f"http://x/{number}", Status.NEW) for number in range(links))
    return Change(
        id=9,
        sentinel="tea",
        user="jill",
        page=3,
        url="http://tea.test/",
        old_version=4,
        new_version=6,
        found_at=NOW,
        findings=(Finding(type="all links", objects=objects),),
        topic="art",
        title=title,
    )


def test_an_entry_names_its_change_and_its_page():
    made = _entry(change(), "https://home.test")
    assert (made.key, made.link) == ("change/jill/tea/3/4-6", "https://home.test/changes/9")
    assert (made.at, made.topic) == (NOW, "art")
    assert made.lines[:2] == ("Tea shop", "tea · http://tea.test/")
    assert made.lines[2].startswith("all links: ")
    assert "Tea shop" in made.title
    bare = _entry(change(title=""), "")
    assert bare.lines[0] == "tea · http://tea.test/"
    assert "tea" in bare.title


@pytest.mark.parametrize(("links", "lines", "last"), [(40, 42, "all links: "), (41, 43, "… and 1 more")])
def test_forty_lines_are_told(links: int, lines: int, last: str):
    made = _entry(change(links), "")
    assert len(made.lines) == lines
    assert made.lines[-1].startswith(last)


class Facts:
    """What an installation remembers."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}

    def fact(self, name: str) -> str | None:
        return self.known.get(name)

    def remember(self, name: str, value: str) -> None:
        self.known[name] = value


def test_an_installation_has_one_random_name():
    facts: Any = Facts()
    first = place_of(facts)
    assert len(first) == 16
    assert place_of(facts) == first
    assert place_of(Facts()) != first  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("scope", "found", "title", "sentinel", "topic"),
    [
        ("", [change()], "WebVigil: changes", None, None),
        ("topic:art", [change()], "WebVigil: art (topic)", None, "art"),
        ("sentinel:tea", [change()], "WebVigil: Tea shop", "tea", None),
        ("sentinel:tea", [change(title="")], "WebVigil: tea", "tea", None),
        ("sentinel:tea", [], "WebVigil: tea", "tea", None),
    ],
)
def test_a_feed_is_called_by_what_it_is_of(
    scope: str, found: list[Change], title: str, sentinel: str | None, topic: str | None
):
    asked: list[WantedChanges] = []
    changes: Any = SimpleNamespace(some=lambda wanted: asked.append(wanted) or found)
    feed = KnownContact(user="jill", channel="feed", address=scope)
    journal: Any = Facts()
    made = etree.fromstring(atom_of(changes, journal, feed, address="http://f/", home="http://h"))
    assert made.findtext(f"{ATOM}title") == title
    assert len(made.findall(f"{ATOM}entry")) == len(found)
    assert asked == [WantedChanges(user="jill", sentinel=sentinel, topic=topic, limit=100)]
