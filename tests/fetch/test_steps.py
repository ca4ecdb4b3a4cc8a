"""Tests of the steps that a real Chromium takes before a page is read (K1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser import needs_chromium
from tests.fetch.fetching import as_page
from tests.fetch.test_browser import Browsers, browsers, shown
from tests.site import Site
from webvigil.document.screenshot import read_screenshot
from webvigil.errors import PageRefused, StepFailed
from webvigil.fetch.browser import Rehearsal
from webvigil.fetch.client import Limits
from webvigil.fetch.http import Fetched
from webvigil.fetch.login import Login
from webvigil.language import parse
from webvigil.model.page import Page
from webvigil.model.sentinel import approach_of

__all__ = ["browsers"]

pytestmark = needs_chromium

PATIENT = Limits(timeout=60, step=20)
# For steps that fail by waiting in vain. The steps before them must come to their end in this time.
QUICK = Limits(timeout=30, step=3)
FORM = """<form method=post action=/enter>
  <label>User <input id=user name=user></label>
  <label>Password <input id=pass name=pass type=password></label>
  <label>Size <select id=size name=size><option value=s>Small<option value=l>Large</select></label>
  <label>Stay <input id=stay name=stay type=checkbox></label>
  <button>Log in</button></form>"""

Walk = Callable[..., Fetched]
Try = Callable[..., Rehearsal]


def approached(page: Any, clauses: str, **values: Any) -> Page:
    (one,) = parse(f"Create Sentinel s Using https://a.example/ {clauses}")
    site_page = as_page(page)
    return Page(url=site_page.url, render="browser", approach=approach_of(one), **values)


@pytest.fixture
def walk(browsers: Browsers) -> Walk:
    async def once(page: Page, login: Login | None, options: Any) -> Fetched:
        return await (await browsers.browser({"limits": PATIENT} | options)).fetch(page, login)

    def walked(page: Any, clauses: str, *, login: Login | None = None, **options: Any) -> Fetched:
        return browsers.run(once(approached(page, clauses), login, options))

    return walked


@pytest.fixture
def rehearse(browsers: Browsers) -> Try:
    async def once(page: Page, limits: Limits) -> Rehearsal:
        return await (await browsers.browser({"limits": limits})).rehearse(page, None)

    return lambda page, clauses, limits=PATIENT: browsers.run(once(approached(page, clauses), limits))


@pytest.fixture
def door(site: Site) -> Any:
    """Returns a page with a form to log in; what is behind it needs the cookie that the form gives."""
    site.page("/home", "<p>Welcome <a target=_blank href=/orders>Orders</a>").requires_cookie("id", "7")
    site.page("/enter").answers(302, headers={"Location": "/home", "Set-Cookie": "id=7; path=/"})
    site.page("/orders", "<p>Two orders").requires_cookie("id", "7")
    return site.page("/door", FORM)


def secrets(site: Site, **named: str) -> Login:
    return Login(url=f"{site.url}/", secrets=tuple(named.items()))


def sent(site: Site, path: str) -> str:
    return next(one.body.decode() for one in site.log.requests if one.path == path)


def test_a_log_in_by_steps_leads_behind_the_form(site: Site, walk: Walk, door: Any):
    steps = """Steps type css "#user" "jill", type text "Password" secret word, choose css "#size" "Large",
        choose css "#stay" "on", click text "Log in", wait for text "Welcome", click text "Orders" """
    seen = walk(door, steps, login=secrets(site, word="s3 cret"))
    assert (shown(seen), seen.answer.url) == ("Two orders", f"{site.url}/orders")
    assert sent(site, "/enter") == "user=jill&pass=s3+cret&size=l&stay=on"


def test_words_mean_the_button_and_not_the_heading_above_it(site: Site, walk: Walk):
    form = "<h1>Log in to the shop</h1><p>User: see below<form action=/b><label>User <input name=u></label>"
    page = site.page("/a", f"{form}<button>Log in</button></form>")
    site.page("/b", "<p>Welcome")
    seen = walk(page, 'Steps type text "User" "jill", click text "Log in", wait for text "welcome"')
    assert (shown(seen), seen.answer.url) == ("Welcome", f"{site.url}/b?u=jill")


def test_keys_are_pressed_and_pages_opened(site: Site, walk: Walk, door: Any):
    steps = f"""Steps type xpath "//input[1]" "jill", press Enter, open {site.url}/orders, wait for rest"""
    assert shown(walk(door, steps)) == "Two orders"


@pytest.mark.parametrize("sends", ["press Enter", 'click text "Log in"'])
def test_the_next_step_waits_for_the_page_that_a_form_leads_to(site: Site, walk: Walk, door: Any, sends: str):
    slowly = {"Location": "/home", "Set-Cookie": "id=7; path=/"}
    site.page("/enter").answers(302, headers=slowly).slow(first_byte=1.0)
    steps = f"""Steps type css "#user" "jill", {sends}, open {site.url}/orders"""
    assert shown(walk(door, steps)) == "Two orders"


def test_a_click_that_leads_nowhere_is_not_waited_for(site: Site, walk: Walk):
    site.page("/file", "a,b").headers({"Content-Disposition": "attachment"})
    link = "<a href=/file>Download</a><a href='#here'>Here</a><p id=here>text"
    steps = 'Steps click text "Download", click text "Here"'
    assert "text" in shown(walk(site.page("/a", link), steps, limits=QUICK))


def test_scrolling_brings_what_comes_with_it(site: Site, walk: Walk):
    more = """<p style="height:3000px">top<p id=end>end<script>addEventListener('scroll', () => {
        document.getElementById('end').textContent = 'more'; }, {once: true})</script>"""
    assert shown(walk(site.page("/a", more), "Steps scroll to bottom")) == "top\nmore"
    assert shown(walk(site.page("/b", more), 'Steps scroll to css "#end"')) == "top\nmore"


@pytest.mark.parametrize("wait", ["3 second", 'css ".late"', 'xpath "//p[2]"', 'for text "late"'])
def test_a_text_that_comes_late_is_waited_for(site: Site, walk: Walk, wait: str):
    write = "document.body.insertAdjacentHTML('beforeend', '<p class=late>late')"
    page = site.page("/a", f"<body><p>early<script>setTimeout(() => {write}, 1200)</script>")
    assert shown(walk(page, f"Render browser wait {wait}")) == "early\nlate"


def test_what_was_waited_for_in_vain_is_named(site: Site, walk: Walk):
    seen = walk(site.page("/a", "<p>early"), 'Render browser wait for css "#x"', limits=QUICK)
    assert shown(seen) == "early"
    assert seen.reason == (
        'rendered in a browser; waited in vain for css "#x" (there was no such element within 3 seconds)'
    )


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ('click css "#gone"', 'click css "#gone": there was no such element within 3 seconds'),
        ('wait for text "Bye"', 'wait for text "Bye": there was no such text within 3 seconds'),
        ('choose css "#size" "Huge"', 'choose css "#size" "Huge": '),
        (
            'type css "#pass" secret word',
            'type css "#pass" secret word: the log-in of this page has no secret',
        ),
        ('run "1"', 'run "1": scripts of users do not run here; the operator allows them (step_scripts)'),
    ],
)
def test_a_step_that_fails_is_named_and_pictured(walk: Walk, door: Any, step: str, why: str):
    with pytest.raises(StepFailed) as failed:
        walk(door, f'Steps type css "#user" "jill", {step}, press Enter', limits=QUICK)
    assert str(failed.value).startswith(f"step 2 failed: {why}")
    assert failed.value.number == 2
    assert read_screenshot(failed.value.picture).pixels.shape[:2] == (800, 1280)


def test_a_step_onto_an_error_says_so(site: Site, walk: Walk):
    page = site.page("/a", "<a href=/b>on</a>")
    site.page("/b").answers(404)
    with pytest.raises(StepFailed, match=r'step 1 failed: click text "on": .*404'):
        walk(page, 'Steps click text "on"')


def test_a_secret_is_typed_on_the_site_of_its_log_in_alone(site: Site, walk: Walk):
    with Site() as other:
        other.page("/door", FORM)
        page = site.page("/a", f'<a href="{other.url}/door">on</a>')
        with pytest.raises(StepFailed, match=r"step 2 failed: .*the secret word is for .* the browser shows"):
            walk(
                page,
                'Steps click text "on", type css "#pass" secret word',
                login=secrets(site, word="s3cret"),
            )
        assert "s3cret" not in "".join(one.body.decode() for one in other.log.requests)


def test_no_message_repeats_a_secret(site: Site, walk: Walk):
    page = site.page("/a", "<input id=a type=number>")
    with pytest.raises(StepFailed) as failed:
        walk(page, 'Steps type css "#a" secret word', login=secrets(site, word="s3cret"))
    assert str(failed.value) == 'step 1 failed: type css "#a" secret word: nothing can be typed there'


def test_no_address_keeps_a_secret_that_a_form_put_into_it(site: Site, walk: Walk):
    page = site.page("/a", "<form action=/b><input id=a name=a><input id=b name=b><button>Go</button></form>")
    site.page("/b", "<p>Welcome <a href=?page=2>on</a>")
    steps = 'Steps type css "#a" secret word, type css "#b" "jill", click text "Go"'
    seen = walk(page, steps, login=secrets(site, word="s3 cret/ü&"))
    assert seen.answer.url == f"{site.url}/b?a=secret-word&b=jill"
    assert "s3" not in repr(seen.answer)


def test_a_script_runs_where_the_operator_allows_it(site: Site, walk: Walk):
    page = site.page("/a", "<p id=a>one")
    step = """Steps run "document.getElementById('a').textContent = 'two'" """
    assert shown(walk(page, step, scripts=True)) == "two"
    with pytest.raises(StepFailed, match=r'step 1 failed: run "nope\(\)": the script failed: .*nope'):
        walk(page, 'Steps run "nope()"', scripts=True)


def test_steps_reach_no_address_that_may_not_be_visited(site: Site, walk: Walk):
    with pytest.raises(StepFailed, match=r"step 1 failed: .*10\.0\.0\.7 is not a public address"):
        walk(site.page("/a", "<p>one"), "Steps open http://10.0.0.7/")


def test_a_log_in_with_headers_takes_no_steps(site: Site, walk: Walk):
    with pytest.raises(PageRefused, match="by cookies only"):
        walk(site.page("/a", "x"), "Steps press Enter", login=Login(url=site.url, headers=(("A", "b"),)))


def test_a_rehearsal_shows_every_step(site: Site, rehearse: Try, door: Any):
    tried = rehearse(door, 'Steps type css "#user" "jill", click text "Log in"')
    assert tried.trouble == ""
    assert [one.url for one in tried.shots] == [f"{site.url}/door", f"{site.url}/door", f"{site.url}/home"]
    for shot in tried.shots:
        assert read_screenshot(shot.picture).places
    assert b"Welcome" in tried.shots[-1].answer.body


def test_a_rehearsal_shows_where_it_failed(rehearse: Try, door: Any):
    tried = rehearse(door, 'Steps type css "#user" "jill", click css "#gone", press Enter', limits=QUICK)
    assert tried.trouble.startswith('step 2 failed: click css "#gone"')
    assert len(tried.shots) == 2
    assert tried.failed
    assert tried.failed.picture
