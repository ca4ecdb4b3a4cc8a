"""The forms of a page are matched, filtered, refused, or given up in time (S3–S5)."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest

from tests.discover.asking import analyse_page, analysed
from tests.discover.classes import small
from tests.site import Site
from webvigil.discover.analysis import Analysis
from webvigil.discover.bounds import Bounds
from webvigil.errors import HostUnreachable, PageRefused, PageUnreachable
from webvigil.fetch.client import Cookies
from webvigil.model.page import Page
from webvigil.model.version import Answer

FORM = '<form action="/find"><label>Word <input name=q></label><button>Search</button></form>'
WAITING = '<meta http-equiv=refresh content="{}"><p>One moment.'
STATES = '<vertex name="choose" type="Choose"/>'
EDGES = '<edge origin="start" destination="choose"/><edge origin="choose" destination="end"/>'
TYPES = '<type name="Result" type="string" pattern="fruit no\\. \\d+"/>'


def fruit(fields: dict[str, str]) -> str:
    return "<p>fruit no. 7" if "apple" in fields.values() else "<p>what?"


def outcomes(analyses: list[Analysis]) -> list[str]:
    return [one.outcome for one in analyses]


def test_a_service_is_matched_with_the_steps_that_work(site: Site):  # S3
    site.form("/ask", ["word"], answer=fruit)
    (found,) = analyse_page(f"{site.url}/ask", small())
    assert (found.outcome, found.probes, found.fields) == ("matched", 2, 1)
    profile = found.profile
    assert (profile.service, profile.form, profile.found) == ("small", "/html/body/form", "fruit no. 7")
    (step,) = profile.steps
    assert (step.kind, step.method, step.url, step.state) == ("form", "GET", f"{site.url}/ask/answer", "end")
    assert [(one.name, one.value, one.argument) for one in step.fields] == [("word", "apple", "word")]
    assert profile.states == ("start", "end")


def test_a_state_between_is_passed_and_told(site: Site):  # S3
    site.page("/ask", FORM)
    site.page(
        "/find",
        lambda r: (
            f"<p>Choose a form<form action=show><input type=hidden name=w value={r.fields['q']}><button>Next"
        ),
    )
    site.page("/show", lambda r: fruit(r.fields))
    service = small(
        f'{TYPES}<type name="Choose" type="string" pattern="Choose a \\w+"/>', between=STATES, edges=EDGES
    )
    (found,) = analyse_page(f"{site.url}/ask", service)
    assert found.profile.states == ("start", "choose", "end")
    assert [(step.kind, step.state) for step in found.profile.steps] == [
        ("form", "choose"),
        ("confirmation", "end"),
    ]
    assert found.profile.steps[1].fields[0].argument == "word"


def test_a_result_that_comes_without_the_state_before_it_is_none(site: Site):  # S3
    site.form("/ask", ["word"], answer=fruit)
    service = small(
        f'{TYPES}<type name="Choose" type="string" pattern="Choose a \\w+"/>', between=STATES, edges=EDGES
    )
    assert outcomes(analyse_page(f"{site.url}/ask", service)) == ["unmatched"]


def test_a_page_without_forms_is_filtered(site: Site):
    site.page("/plain", "<p>fruit no. 1")
    (found,) = analyse_page(f"{site.url}/plain", small())
    assert (found.outcome, found.reason, found.probes) == ("filtered", "the page has no form", 0)


def test_a_form_that_cannot_take_the_arguments_is_filtered_and_not_asked(site: Site):  # S3
    site.page(
        "/ask",
        "<form action=/find><input type=checkbox name=a><input type=number name=n><button>Go</form>",
    )
    (found,) = analyse_page(f"{site.url}/ask", small())
    assert (found.outcome, found.reason) == ("filtered", "it has no field for 'word'")
    assert site.hits("/find") == 0


def test_a_start_page_of_another_type_is_filtered(site: Site):
    site.page("/ask", FORM)
    service = small(f'{TYPES}<type name="Door" type="string" pattern="Fruit finder"/>')
    flow = service.flow.states
    other = type(service.flow)(
        states=(type(flow[0])(name="start", type="Door", start=True), *flow[1:]), edges=service.flow.edges
    )
    service = type(service)(name="s", types=service.types, flow=other, examples=service.examples)
    assert outcomes(analyse_page(f"{site.url}/ask", service)) == ["filtered"]
    site.page("/ask", f"<h1>Fruit finder</h1>{FORM}")
    site.page("/find", lambda r: fruit(r.fields))
    assert outcomes(analyse_page(f"{site.url}/ask", service)) == ["matched"]


def test_equal_forms_are_asked_once(site: Site):
    site.page("/ask", FORM + "<hr>" + FORM)
    site.page("/find", lambda r: fruit(r.fields))
    first, second = analyse_page(f"{site.url}/ask", small())
    assert (first.outcome, second.outcome) == ("matched", "filtered")
    assert "the same as" in second.reason
    assert site.hits("/find") == 2


def test_post_is_sent_only_where_allowed(site: Site):  # S5
    form = site.form("/ask", ["word"], answer=fruit, method="POST")
    (found,) = analyse_page(form.url, small(), Bounds(post=False))
    assert (found.outcome, form.answers.hits) == ("refused by manners", 0)
    assert "POST" in found.reason
    assert outcomes(analyse_page(form.url, small(), Bounds(post=True))) == ["matched"]


def test_the_button_that_may_be_pressed_is_pressed(site: Site):  # S5
    site.page(
        "/ask",
        """<form action=/buy><input name=q><button name=b value=del formaction=/delete>Delete</button>
        <button name=b value=s formaction=/find>Search</button></form>""",
    )
    site.page("/find", lambda r: fruit(r.fields) if r.fields["b"] == "s" else "")
    (found,) = analyse_page(f"{site.url}/ask", small())
    assert found.outcome == "matched"
    assert site.hits("/delete") == site.hits("/buy") == 0


@pytest.mark.parametrize(("form", "site_bound"), [(3, 60), (12, 2), (1, 1), (0, 0)])
def test_no_more_is_asked_than_allowed(site: Site, form: int, site_bound: int):  # S5
    site.page("/ask", '<form action="/find">' + "".join(f"<input name=f{n}>" for n in range(20)) + "</form>")
    site.page("/find", "<p>nothing")
    (found,) = analyse_page(
        f"{site.url}/ask", small(), Bounds(probes_per_form=form, probes_per_site=site_bound)
    )
    assert found.outcome == "unmatched"
    assert found.probes == site.hits("/find") <= min(form, site_bound)
    assert "no more than" in found.reason


def test_the_bound_of_a_site_is_shared_by_its_forms(site: Site):  # S5
    forms = "".join(f'<form action="/find{n}"><input name=q><button>Search</button></form>' for n in range(8))
    site.page("/ask", forms)
    for number in range(8):
        site.page(f"/find{number}", "<p>nothing")
    found = analyse_page(f"{site.url}/ask", small(), Bounds(probes_per_site=4))
    assert sum(one.probes for one in found) == 3, "the last one is kept as the proof of a match"
    assert len(found) == 8


def test_a_page_that_refreshes_for_ever_is_left(site: Site):  # S4, S5
    site.page("/ask", FORM)
    site.page("/find", WAITING.format("3600"))
    waits: list[float] = []
    (found,) = analyse_page(f"{site.url}/ask", small(), Bounds(wait=2.0, indirections=4), waits)
    assert found.outcome == "unmatched"
    assert site.hits("/find") == 5
    assert waits == [2.0] * 4


def test_links_of_the_forms_own_page_are_not_followed(site: Site):  # S4
    site.page("/ask", f"{FORM}<a href=/results>Results</a>")
    site.page("/find", "<a href=/results>Results</a>")
    site.page("/results", "<p>fruit no. 1")
    assert outcomes(analyse_page(f"{site.url}/ask", small())) == ["unmatched"]
    assert site.hits("/results") == 0


def test_a_second_form_that_buys_something_is_not_confirmed(site: Site):  # S5
    site.page("/ask", FORM)
    site.page(
        "/find",
        "<form action=/order><input type=hidden name=q value=apple><button>Place order</button></form>",
    )
    assert outcomes(analyse_page(f"{site.url}/ask", small())) == ["unmatched"]
    assert site.hits("/order") == 0


@pytest.mark.parametrize(
    "between",
    [
        "<a href=/show>Delete all results</a>",
        "<a href=/account/results>Results</a><a href=/logout?results>Results</a>",
        "<a href='http://other.example/show'>Results</a>",
        "<a href='javascript:show()'>Results</a><a href='mailto:a@e.org'>Results</a>",
    ],
)
def test_links_that_act_or_lead_elsewhere_are_not_followed(between: str):  # S5
    asked = []

    async def ask(page: Page, cookies: Cookies | None = None) -> Answer:
        asked.append(page.url)
        return html(FORM if page.url.endswith("ask") else between, page.url)

    asyncio.run(analysed(ask, "http://e.org/ask", small(), Bounds()))
    assert set(asked) == {"http://e.org/ask", "http://e.org/find"}


SHOW = "/show?w=apple&n=1"


@pytest.mark.parametrize(
    ("between", "headers", "kind"),
    [
        (f"<frameset><frame src='{SHOW}'></frameset>", (), "frame"),
        (f"<iframe src='{SHOW}'></iframe>", (), "frame"),
        (f"<meta http-equiv=Refresh content='0;URL={SHOW}'>", (), "refresh"),
        ("Working …", (("Refresh", f"1; url={SHOW}"),), "refresh"),
        (f"<script>document.location.replace('{SHOW}')</script>", (), "refresh"),
        (f"<p>Thank you.<p><a href='{SHOW}'>Bitte hier klicken</a>", (), "link"),
        (f"<p>Done: <a href='{SHOW}'>17 lines</a>", (), "link"),
        (
            "<form action=/show><input name=w value=apple><input type=hidden name=n value=1><button>OK",
            (),
            "confirmation",
        ),
    ],
)
def test_what_stands_between_is_passed_and_the_argument_known_again(
    between: str, headers: tuple[tuple[str, str], ...], kind: str
):  # S4
    async def ask(page: Page, cookies: Cookies | None = None) -> Answer:
        if page.url.endswith("ask"):
            return html(FORM)
        if page.url.endswith("find"):
            spoken = between if ("q", "apple") in page.fields else between.replace("apple", "nothing")
            return replace(html(spoken, page.url), headers=(("Content-Type", "text/html"), *headers))
        return html(fruit(dict(page.fields)), page.url)

    (found,) = asyncio.run(analysed(ask, "http://e.org/ask", small(), Bounds(wait=0)))
    assert found.outcome == "matched", found.reason
    assert [step.kind for step in found.profile.steps] == ["form", kind]
    last = found.profile.steps[-1]
    assert (last.url, [(one.name, one.argument) for one in last.fields]) == (
        "http://e.org/show",
        [("w", "word"), ("n", "")],
    )


# --- when nothing comes -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (HostUnreachable("no connection"), "unreachable"),
        (PageUnreachable("it answered 500"), "unreachable"),
        (PageRefused("it answered 404"), "unreachable"),
    ],
)
def test_a_service_that_does_not_answer_is_told_apart(error: Exception, outcome: str):
    async def ask(page: Page, cookies: Cookies | None = None) -> Answer:
        if "find" in page.url:
            raise error
        return html(FORM)

    (found,) = asyncio.run(analysed(ask, "http://e.org/ask", small(), Bounds()))
    assert (found.outcome, found.reason) == (outcome, str(error))


def test_a_host_that_fell_silent_is_not_asked_again():
    asked = []

    async def ask(page: Page, cookies: Cookies | None = None) -> Answer:
        asked.append(page.url)
        if "find" in page.url:
            raise HostUnreachable("no connection")
        return html(FORM.replace("<input", "<input name=a><input"))

    asyncio.run(analysed(ask, "http://e.org/ask", small(), Bounds()))
    assert len(asked) == 2


# --- scripts ------------------------------------------------------------------------------------------


def html(body: str, url: str = "http://e.org/ask") -> Answer:
    return Answer(url=url, status=200, headers=(("Content-Type", "text/html"),), body=body.encode())


async def scripted(page: Page, cookies: Cookies | None = None) -> Answer:
    """Answers like a site that shows nothing without its script."""
    if page.render == "http":
        return html("<script src=app.js></script><div id=app></div>", page.url)
    return html(FORM if page.url.endswith("ask") else fruit(dict(page.fields)), page.url)


def test_forms_that_a_script_makes_are_found_with_a_browser():  # S4
    (found,) = asyncio.run(analysed(scripted, "http://e.org/ask", small(), Bounds(browser=True)))
    assert (found.outcome, found.probes) == ("matched", 3)
    assert found.profile.page == Page(url="http://e.org/ask", render="browser")
    assert found.profile.steps[0].render == "browser"


def test_without_a_browser_they_are_not():
    (found,) = asyncio.run(analysed(scripted, "http://e.org/ask", small(), Bounds()))
    assert (found.outcome, found.probes) == ("filtered", 0)


def test_a_page_that_does_not_come_rendered_is_told():
    async def ask(page: Page, cookies: Cookies | None = None) -> Answer:
        if page.render == "browser":
            raise PageUnreachable("no")
        return await scripted(page)

    def told(bounds: Bounds) -> tuple[str, str, int, int]:
        (found,) = asyncio.run(analysed(ask, "http://e.org/ask", small(), bounds))
        return found.outcome, found.reason, found.probes, found.fields

    assert told(Bounds(browser=True)) == ("unreachable", "it does not come rendered", 1, 0)
    assert told(Bounds()) == ("filtered", "the page has no form", 0, 0)


def test_an_answer_that_a_script_makes_is_rendered():  # S4
    async def ask(page: Page, cookies: Cookies | None = None) -> Answer:
        return html(FORM) if page.url.endswith("ask") else await scripted(page)

    (found,) = asyncio.run(analysed(ask, "http://e.org/ask", small(), Bounds(browser=True)))
    assert found.outcome == "matched"
    assert [(step.kind, step.render) for step in found.profile.steps] == [("form", "browser")]


# --- hostile pages ------------------------------------------------------------------------------------

_OPTIONS = "".join(f"<option>value {n}" for n in range(50_000))
HOSTILE = {
    "ten thousand forms": "<form action=/f><input name=q></form>" * 10_000,
    "fifty thousand options": f"<form action=/find><select name=word>{_OPTIONS}</select><input name=x>",
    "fifty thousand fields": "<form action=/find>" + "<input name=q>" * 50_000 + "</form>",
    "deep nesting": "<div>" * 100_000 + FORM,
    "deep forms in tables": "<table><tr><td>" * 3_000 + FORM,
    "long names": f"<form action=/find><input name={'q' * 300_000}><label>{'word ' * 60_000}<input name=w>",
    "cut": FORM[:-30],
    "nothing": "",
    "odd addresses": "<form action='http://[::1'><input name=q></form><form action='//'><input name=q></form>"
    "<form action='ftp://e.org/'><input name=q></form><form action='http://e.org:99999/'><input name=q>",
    "odd buttons": "<form action=/find><input name=q><button formaction='javascript:x()' formmethod=dialog>",
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_pages_are_analysed_in_bounded_time(kind: str):
    asked = []

    async def ask(page: Page, cookies: Cookies | None = None) -> Answer:
        asked.append(page)
        return html(HOSTILE[kind], page.url)

    begun = time.process_time()
    found = asyncio.run(analysed(ask, "http://e.org/ask", small(), Bounds(post=True)))
    assert time.process_time() - begun < 20
    assert len(found) <= 41
    assert len(asked) <= 61
    assert "matched" not in outcomes(found)
