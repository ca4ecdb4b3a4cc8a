"""What stands around the main part of a page is told, and can be watched as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.making import sentinel
from webvigil.app.sentinels.outside import outside_of, watch_no_more, watch_too
from webvigil.app.settings import Settings, read_settings
from webvigil.document import PageDigest, read
from webvigil.errors import SentinelRefused
from webvigil.language import parse
from webvigil.model.portrait import Outside
from webvigil.store.memory import MemoryKnowledge

TEXT = "These shoes were made for walking through the mountains in any weather. " * 8
HTML = f"<nav>Home</nav><main><h1>Shoes</h1><p>{TEXT}</main><footer>Ropes and sails</footer>"


def page(html: str = HTML, kind: str = "text/html") -> PageDigest:
    return read(html.encode(), kind, "http://a.test/")


def told(clauses: str, document: PageDigest) -> tuple[Outside, ...]:
    return outside_of(document, parse(f"Create Sentinel s Using http://a.test/ {clauses}")[0])


def test_blocks_around_the_main_part_are_told_in_words():
    first, last = told("Within main", page())
    assert (first.says.endswith(", 1 word: “Home”"), last.says.endswith(", 3 words: “Ropes and sails”")) == (
        True,
        True,
    )
    assert first.clause == f'Within main, xpath "{first.place}"'
    assert first.place.startswith("/")


def test_what_is_watched_as_well_is_not_outside():
    first, last = told("Within main", page())
    assert told(f'Within main, xpath "{first.place}"', page())[0].place == last.place
    assert [one.place for one in told('Within main, css "footer"', page())] == [first.place]
    assert told('Within main, css "footer"', page())[0].clause == (
        f'Within main, css "footer", xpath "{first.place}"'
    )


@pytest.mark.parametrize("clauses", ["", 'Within css "main"'])
def test_without_a_main_part_nothing_is_outside(clauses: str):
    assert told(clauses, page()) == ()


def test_a_document_has_no_main_part():
    assert told("Within main", page('{"a": 1}', "application/json")) == ()


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0)
    made.users.add("jill")
    for name, clause in (("s", "Within main"), ("plain", 'Within css "main"')):
        text = f"Create Sentinel {name} Using http://a.test/\n{clause}\n"
        made.sentinels.add(sentinel(name, "http://a.test/", text=text))
    return made


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"data": str(tmp_path), "user": "jill"}, environment={})


def test_a_block_is_watched_and_no_longer_watched(knowledge: MemoryKnowledge, settings: Settings):
    for _ in range(2):
        made = watch_too(knowledge, settings, "s", "/html/nav")
        assert made.text.splitlines()[1:] == ['Within main, xpath "/html/nav"']
    made = watch_no_more(knowledge, settings, "s", "/html/other")
    assert made.text.splitlines()[1:] == ['Within main, xpath "/html/nav"']
    made = watch_no_more(knowledge, settings, "s", "/html/nav")
    assert made.text.splitlines()[1:] == ["Within main"]


@pytest.mark.parametrize(
    ("name", "place", "said"),
    [
        ("plain", "/html/nav", "plain does not watch the main part (Within main)"),
        ("s", "nav", "there is no place 'nav'"),
    ],
)
def test_what_cannot_be_watched_as_well_is_refused(
    knowledge: MemoryKnowledge, settings: Settings, name: str, place: str, said: str
):
    for change in (watch_too, watch_no_more):
        with pytest.raises(SentinelRefused) as refused:
            change(knowledge, settings, name, place)
        assert str(refused.value) == said
