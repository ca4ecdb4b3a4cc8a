"""An import runs the selectors of the other program and of the new sentinel on the page, and tells the words
that only one of them finds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.site import Site
from webvigil.app.moving.beside import Beside, beside, compared
from webvigil.app.moving.formats.found import Selects
from webvigil.app.moving.imports import plan_import
from webvigil.app.operating.stores import opened
from webvigil.app.settings import Settings, read_settings
from webvigil.language import parse
from webvigil.model.version import Answer
from webvigil.store.promises import Knowledge

PAGE = (
    "<html><body><nav>Home</nav><div class=news><p>Anna sails</p><p class=ad>Buy rope</p></div>"
    "<div class='news old'><p>Berta rests</p></div></body></html>"
)


@pytest.fixture
def here(tmp_path: Path) -> Settings:
    given = {"data": str(tmp_path), "allow_networks": "127.0.0.0/8", "host_delay": "0", "obey_robots": "off"}
    return read_settings(given, environment={})


@pytest.fixture
def knowledge(here: Settings) -> Iterator[Knowledge]:
    with opened(here) as made:
        yield made


def found(knowledge: Knowledge, here: Settings, text: str) -> Beside:
    (one,) = beside(knowledge, here, plan_import(knowledge, here, text.encode()))
    return one


def test_both_find_the_same(site: Site, knowledge: Knowledge, here: Settings):
    page = site.page("/news", PAGE)
    job = f"url: {page.url}\nfilter:\n  - css:\n      selector: div.news\n      exclude: .ad\n  - html2text\n"
    one = found(knowledge, here, job)
    assert one.words == "both find the same 4 words on the page"
    assert page.hits == 1


def test_chained_selectors_find_the_same(site: Site, knowledge: Knowledge, here: Settings):
    page = site.page("/news", PAGE)
    job = f"url: {page.url}\nfilter:\n  - css: div.news\n  - xpath: //p[1]\n  - html2text\n"
    assert found(knowledge, here, job).words == "both find the same 4 words on the page"


def test_what_only_one_finds_is_told(site: Site, knowledge: Knowledge, here: Settings):
    """The other program prints a text twice if two of its filters select it."""
    page = site.page("/news", PAGE)
    watch = f'{{"uuid": "u", "url": "{page.url}", "include_filters": [".news", ".old"]}}'
    one = found(knowledge, here, watch)
    assert (one.old, one.new, one.only_old, one.only_new) == (8, 6, ("Berta", "rests"), ())
    assert one.words == "on the page there 8 words, here 6; only there: Berta rests"


def test_a_page_that_cannot_be_fetched_is_told(site: Site, knowledge: Knowledge, here: Settings):
    page = site.page("/news", PAGE).answers(500)
    one = found(knowledge, here, f"url: {page.url}\nfilter: [css: p]\n")
    assert one.words.startswith("not compared on the page: ")
    assert "500" in one.words


def test_a_page_seen_with_a_log_in_or_in_a_browser_is_not_fetched(
    site: Site, knowledge: Knowledge, here: Settings
):
    page = site.page("/news", PAGE)
    assert (
        "log-in" in found(knowledge, here, f"url: {page.url}\nfilter: [css: p]\ncookies: {{a: b}}\n").trouble
    )
    assert (
        "browser" in found(knowledge, here, f"url: {page.url}\nfilter: [css: p]\nuse_browser: true\n").trouble
    )
    assert page.hits == 0


def test_a_selector_that_cannot_be_run_there_is_told(site: Site, knowledge: Knowledge, here: Settings):
    page = site.page("/news", PAGE)
    watch = f'{{"uuid": "u", "url": "{page.url}", "include_filters": ["xpath://p[matches(., \'a\')]"]}}'
    assert "cannot be run here" in found(knowledge, here, watch).words


@pytest.mark.parametrize("selector", ["p:::before", "p[", "p:has(", "//p[", "p:nth-child(x)"])
def test_a_selector_that_cannot_be_run_is_told(
    site: Site, knowledge: Knowledge, here: Settings, selector: str
):
    page = site.page("/news", PAGE)
    plan = plan_import(knowledge, here, f'{{"uuid": "u", "url": "{page.url}"}}'.encode())
    by = "xpath" if selector.startswith("/") else "css"
    rows = tuple(replace(row, selectors=(Selects("select", by, selector),)) for row in plan.rows)
    (one,) = beside(knowledge, here, replace(plan, rows=rows))
    assert "its selector cannot be run here" in one.words


def test_an_xml_page_without_content_is_told(site: Site, knowledge: Knowledge, here: Settings):
    answer = Answer(url="http://a.test/", status=200, headers=(("Content-Type", "text/xml"),), body=b"<?xml")
    plan = plan_import(knowledge, here, b'{"uuid": "u", "url": "http://a.test/"}')
    assert plan.rows[0].sentinel
    one = compared("x", (Selects("select", "css", "p"),), plan.rows[0].sentinel, answer)
    assert "not compared on the page" in one.words


def selects(*said: tuple[Any, Any, str]) -> list[Selects]:
    return [Selects(*one) for one in said]


def words_of(said: list[Selects], page: str = PAGE, clauses: str = "", kind: str = "text/html") -> Beside:
    (sentinel,) = parse(f"Create Sentinel s Using http://a.test/ {clauses}")
    headers = (("Content-Type", kind),)
    return compared(
        "s", said, sentinel, Answer(url="http://a.test/", status=200, headers=headers, body=page.encode())
    )


LETTERS, OTHERS = " ".join("abcdefgh"), " ".join("ijklmnop")
CSS = ("select", "css", "div.news")
NEWS = 'Within css "div.news"'


@pytest.mark.parametrize(
    ("said", "clauses", "expected"),
    [
        (selects(CSS), NEWS, Beside("s", 6, 6)),
        (selects(("select", "css", ".ad")), NEWS, Beside("s", 2, 6, (), ("Anna", "sails", "Berta", "rests"))),
        (
            selects(("select", "css", "nav")),
            NEWS,
            Beside("s", 1, 6, ("Home",), ("Anna", "sails", "Buy", "rope", "Berta", "rests")),
        ),
        (selects(CSS, ("remove", "css", ".ad")), f'{NEWS} Ignore css ".ad"', Beside("s", 4, 4)),
        (selects(("remove", "css", ".ad"), CSS), f'{NEWS} Ignore css ".ad"', Beside("s", 4, 4)),
        (
            selects(("select", "css", ".old"), ("also", "css", ".ad")),
            'Within css ".old, .ad"',
            Beside("s", 4, 4),
        ),
        (
            selects(("select", "css", ".old"), ("also", "css", ".ad"), ("remove", "css", ".ad")),
            'Within css ".old"',
            Beside("s", 2, 2),
        ),
        (
            selects(CSS, ("select", "xpath", "//p[1]")),
            'Within css "div.news > p:first-child"',
            Beside("s", 4, 4),
        ),
        (selects(("select", "xpath", "//p/text()")), NEWS, Beside("s", 6, 6)),
        (selects(("select", "xpath", "string(//nav)")), 'Within css "nav"', Beside("s", 1, 1)),
        (
            selects(("select", "xpath", "//p/text()"), ("select", "css", "p")),
            'Within css "none"',
            Beside("s", 0, 0),
        ),
        (selects(("select", "css", ".none")), 'Within css ".none"', Beside("s", 0, 0)),
        (selects(("remove", "css", ".news")), 'Ignore css ".news"', Beside("s", 1, 1)),
    ],
)
def test_selectors_of_both_are_run_on_one_page(said: list[Selects], clauses: str, expected: Beside):
    assert words_of(said, clauses=clauses) == expected


def test_what_people_do_not_read_is_no_word():
    page = (
        "<p>one<script>two</script><style>three</style><noscript>four</noscript><template>five</template></p>"
    )
    assert words_of(selects(("select", "css", "p")), page, 'Within css "p"').only_old == ()


def test_xml_is_selected_from_as_xml():
    page = "<a><B>one</B><b>two</b></a>"
    xml = "application/xml"
    assert words_of(selects(("select", "xpath", "//B")), page, 'Within xpath "//B"', xml) == Beside("s", 1, 1)
    chain = selects(("select", "xpath", "//a"), ("select", "xpath", "//B"))
    assert words_of(chain, page, 'Within xpath "//B"', xml) == Beside("s", 1, 1)
    removed = selects(("remove", "xpath", "//B"), ("select", "xpath", "//a"))
    assert words_of(removed, page, 'Within xpath "//b"', xml) == Beside("s", 1, 1)


@pytest.mark.parametrize("selector", ["div[", "x" * 200 + "["])
def test_a_selector_that_cannot_be_run_says_why_in_a_hundred_letters(selector: str):
    trouble = words_of(selects(("select", "css", selector))).trouble
    assert trouble.startswith("its selector cannot be run here (")
    assert len(trouble) <= len("its selector cannot be run here ()") + 100


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (Beside("s", trouble="it is away"), "not compared on the page: it is away"),
        (Beside("s", 3, 3), "both find the same 3 words on the page"),
        (Beside("s", 3, 2, ("a",)), "on the page there 3 words, here 2; only there: a"),
        (Beside("s", 2, 3, (), ("b", "c")), "on the page there 2 words, here 3; only here: b c"),
        (
            Beside("s", 8, 9, tuple("abcdefgh"), tuple("ijklmnopq")),
            f"on the page there 8 words, here 9; only there: {LETTERS}; only here: {OTHERS} … and 1 more",
        ),
    ],
)
def test_a_difference_is_one_sentence(one: Beside, words: str):
    assert one.words == words


def test_nothing_is_fetched_where_nobody_waits(site: Site, knowledge: Knowledge, here: Settings):
    page = site.page("/news", PAGE)
    plan = plan_import(knowledge, here, f"url: {page.url}\nfilter:\n  - css: div.news\n".encode())
    assert beside(knowledge, replace(here, first_look=0), plan) == []
    assert page.hits == 0
    plain = plan_import(knowledge, here, f"url: {page.url}\n".encode())
    assert beside(knowledge, here, plain) == []
    assert page.hits == 0
