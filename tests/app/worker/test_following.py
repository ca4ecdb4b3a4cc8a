"""The links of a version are found as sentinels follow them (B7)."""

from __future__ import annotations

from webvigil.app.worker.following import links_in, seen_by
from webvigil.document import read
from webvigil.model.following import PageLinks
from webvigil.model.login import SealedLogin
from webvigil.model.page import Page

HERE = "https://www.site.test/news"
TEXT = f"Create Sentinel s Using {HERE}\nMonitor all words\n"


def links(markup: str, clauses: str = "", level: int = 0, **more) -> PageLinks:
    digest = read(markup.encode(), "text/html", HERE)
    options = {"key": "", "version": 3, "most": 10} | more
    return links_in(digest, more.pop("page", Page(url=HERE)), seen_by(TEXT + clauses, level), **options)


def addresses(found: PageLinks) -> list[str]:
    return [lead.page.url for lead in found.leads]


def test_each_page_once_in_one_spelling_and_not_itself():
    found = links(
        "<a href=#top>up</a><a href=HTTPS://Site.test:443/a#x>A</a><a href=//site.test/a>A</a><a href=b>B</a>"
    )
    assert addresses(found) == ["https://site.test/a", "https://www.site.test/b"]
    assert (found.version, found.more) == (3, False)


def test_near_is_what_has_the_same_domain():
    found = links("<a href=https://site.test/a>a</a><a href=https://sub.site.test/>b</a><a href=/c>c</a>")
    assert [lead.near for lead in found.leads] == [True, False, True]


def test_no_more_than_wanted_and_it_is_said_that_there_are_more():
    page = "".join(f"<a href=/{number}>n</a>" for number in range(5))
    assert (len(links(page, most=5).leads), links(page, most=5).more) == (5, False)
    assert (len(links(page, most=4).leads), links(page, most=4).more) == (4, True)
    assert (links(page, most=0).leads, links(page, most=0).more) == ((), True)


def test_links_within_the_watched_part_and_below_in_the_whole_page():
    page = "<nav><a href=/n>n</a></nav><main><a href=/m>m</a><p class=ad><a href=/ad>ad</a></p></main>"
    clauses = 'Within css "main"\nIgnore css ".ad"\n'
    assert addresses(links(page, clauses)) == ["https://www.site.test/m"]
    assert addresses(links(page, clauses, level=1)) == ["https://www.site.test/n", "https://www.site.test/m"]


def test_a_part_that_is_not_there_leads_nowhere():
    assert links("<a href=/a>a</a>", 'Within css "#none"\n').leads == ()


def test_hosts_that_may_not_be_visited_are_left():
    found = links(
        "<a href=http://10.0.0.1/>r</a><a href=/a>a</a>", forbidden=lambda host: "no" * (host == "10.0.0.1")
    )
    assert addresses(found) == ["https://www.site.test/a"]


def test_a_log_in_holds_for_what_it_covers_and_the_browser_for_all():
    known = [SealedLogin(id=7, user="jill", url="https://www.site.test/mine/", sealed="")]
    found = links("<a href=/mine/a>a</a><a href=/b>b</a>", logins=known)
    assert [lead.page.login for lead in found.leads] == ["7", ""]
