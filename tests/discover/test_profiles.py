"""Profiles are stored as JSON, become sentinels, and are counted in reports (S3, S6, S7)."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.discover.asking import analyse_page, asking
from tests.discover.classes import small
from tests.discover.test_analyser import fruit
from tests.site import Site
from webvigil.discover.analysis import Analysis, Filled, Profile, Step, profile_from_json
from webvigil.discover.reports import Visit, report
from webvigil.discover.sentinel import sentinel_for, sentinel_text
from webvigil.errors import SentinelRefused, ServiceRefused
from webvigil.language import parse
from webvigil.model.page import Page
from webvigil.model.sentinel import FormPage

texts = st.text(max_size=8)
pairs = st.lists(st.tuples(texts, texts), max_size=3).map(tuple)
urls = st.sampled_from(("http://e.org/", "https://e.org/a?b=c"))
renders = st.sampled_from(("http", "browser"))
methods = st.sampled_from(("GET", "POST"))
pages = st.builds(Page, url=urls, method=methods, fields=pairs, render=renders, login=texts)
filled = st.builds(Filled, name=texts, value=texts, argument=texts)
steps = st.builds(
    Step,
    kind=st.sampled_from(("form", "confirmation", "refresh", "link", "frame")),
    method=methods,
    url=urls,
    fields=st.lists(filled, max_size=3).map(tuple),
    render=renders,
    state=texts,
)
profiles = st.builds(
    Profile,
    service=texts,
    page=pages,
    form=texts,
    steps=st.lists(steps, max_size=3).map(tuple),
    states=st.lists(texts, max_size=3).map(tuple),
    arguments=pairs,
    result=texts,
    found=texts,
)


@given(profiles)
def test_a_profile_survives_json(profile: Profile):
    assert profile_from_json(json.loads(json.dumps(profile.as_json()))) == profile


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60)
@given(
    profiles,
    st.sampled_from(("service", "page", "form", "steps", "states", "arguments", "result", "found")),
    anything,
)
def test_what_is_no_profile_is_refused_in_words(profile: Profile, name: str, other: Any):
    plain = {**profile.as_json(), name: other}
    try:
        read = profile_from_json(plain)
    except ServiceRefused as refused:
        read = str(refused)
    assert isinstance(read, Profile) or "not a capability profile" in read


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        (None, "the whole is not an object"),
        ({"servis": 1}, "unknown member 'servis'"),
        ({}, "service is not a text"),
        ({"service": "s"}, "page is not an object"),
    ],
)
def test_the_place_of_a_mistake_is_told(plain: Any, said: str):
    with pytest.raises(ServiceRefused, match=said):
        profile_from_json(plain)


@pytest.mark.parametrize("name", ["steps", "states"])
def test_a_way_of_fifty_steps_is_read_and_a_longer_one_is_refused(name: str):
    plain: dict[str, Any] = dict(profile_of(FORM).as_json())
    assert len(getattr(profile_from_json(plain | {name: plain[name][:1] * 50}), name)) == 50
    with pytest.raises(ServiceRefused, match=f"{name} is not a list of at most 50"):
        profile_from_json(plain | {name: plain[name][:1] * 51})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"arguments": [["a"]]}, "arguments is not a text"),
        ({"arguments": [["a", "b", "c"]]}, "arguments is not a text"),
        ({"arguments": [["a", 1]]}, "arguments is not a text"),
        ({"arguments": {}}, "arguments is not a list of at most 1000"),
        ({"arguments": [["a", "b"]] * 1001}, "arguments is not a list of at most 1000"),
        ({"page": {"url": "nowhere"}}, "page.url is no address"),
        ({"page": {"url": "http://e.org/", "method": "PUT"}}, "page.method is none of GET, POST"),
        ({"page": {"url": "http://e.org/", "render": "eye"}}, "page.render is none of http, browser"),
        (
            {"steps": [{"kind": "jump"}]},
            r"steps\[0\].kind is none of form, confirmation,",
        ),
        ({"steps": [{"kind": "form", "method": "GET", "url": 7}]}, r"steps\[0\].url is not a text"),
        ({"states": [1]}, "states is not a text"),
        ({"doubt": None}, "doubt is not a text"),
    ],
)
def test_each_part_of_a_profile_is_refused_by_its_place(change: dict[str, Any], said: str):
    plain: dict[str, Any] = dict(profile_of(FORM).as_json())
    with pytest.raises(ServiceRefused, match=f"^not a capability profile: {said}"):
        profile_from_json(plain | change)


def test_what_may_be_left_out_of_a_profile_has_its_usual_value():
    plain: dict[str, Any] = dict(profile_of(FORM).as_json())
    del plain["found"], plain["doubt"]
    step = {"kind": "form", "method": "GET", "url": "http://e.org/find"}
    read = profile_from_json(plain | {"page": {"url": "http://e.org/"}, "steps": [step]})
    assert (read.found, read.doubt, read.page) == ("", "", Page(url="http://e.org/"))
    assert read.steps == (Step(kind="form", method="GET", url="http://e.org/find"),)


# --- sentinels ----------------------------------------------------------------------------------------


def profile_of(*steps: Step) -> Profile:
    return Profile(
        service="small", page=Page(url="http://e.org/"), form="/form", steps=steps, states=("start", "end"),
        arguments=(("word", "apple"),), result="Result",
    )  # fmt: skip


ASKED = (Filled(name="q", value="apple", argument="word"), Filled(name="lang", value="en"))
FORM = Step(kind="form", method="POST", url="http://e.org/find", fields=ASKED)
TICKET = Step(kind="link", method="GET", url="http://e.org/job?id=17")


def test_a_discovered_service_is_watched_with_a_query_of_ones_own(site: Site):  # S6
    site.form("/ask", ["word"], answer=lambda sent: fruit(sent) if "a" in sent["word"] else "")
    (found,) = analyse_page(f"{site.url}/ask", small())
    text = sentinel_text(found.profile, {"word": "red apple, large"}, name="fruits")
    (sentinel,) = parse(text)
    assert sentinel == sentinel_for(found.profile, {"word": "red apple, large"}, name="fruits")
    assert sentinel.target == FormPage(f"{site.url}/ask/answer", "GET", (("word", "red apple, large"),))


def test_the_request_of_a_sentinel_brings_the_answer(site: Site):  # S6
    site.form("/ask", ["word"], answer=fruit, method="POST")
    (found,) = analyse_page(f"{site.url}/ask", small())
    target = sentinel_for(found.profile).target
    page = Page(url=target.url, method=target.method, fields=target.fields)
    answer = asyncio.run(asking(lambda ask: ask(page)))
    assert b"fruit no. 7" in answer.body


@settings(max_examples=60)
@given(profiles, st.data())
def test_every_sentinel_reads_as_it_is_written(profile: Profile, data: st.DataObject):
    arguments = {name: data.draw(texts) for name, _ in profile.arguments[:1]}
    try:
        sentinel = sentinel_for(profile, arguments)
        text = sentinel_text(profile, arguments)
    except SentinelRefused:
        return
    assert list(parse(text)) == [sentinel]


def test_names_are_made_from_the_question():
    assert sentinel_for(profile_of(FORM)).name == "e_org_find_apple"


def test_an_unknown_argument_is_refused_with_those_there_are():
    with pytest.raises(SentinelRefused, match="it takes word"):
        sentinel_for(profile_of(FORM), {"wort": "x"})


def test_a_last_step_that_carries_the_question_is_watched_alone():
    last = Step(kind="confirmation", method="GET", url="http://e.org/show", fields=ASKED)
    target = sentinel_for(profile_of(FORM, last), {"word": "pear"}).target
    assert target == FormPage("http://e.org/show", "GET", (("q", "pear"), ("lang", "en")))


def test_a_browser_passes_pages_that_move_on_by_themselves():
    moved = replace(TICKET, kind="refresh")
    sentinel = sentinel_for(profile_of(replace(FORM, method="GET"), moved))
    assert (sentinel.target.url, sentinel.render) == ("http://e.org/find", "browser")


def test_a_ticket_cannot_be_watched():
    with pytest.raises(SentinelRefused, match="passed anew for each question"):
        sentinel_for(profile_of(FORM, TICKET))


# --- reports ------------------------------------------------------------------------------------------


def test_a_report_has_the_tables_of_the_thesis():  # S7
    analyses = [
        Analysis(
            page="http://a.org/1", form="/f", fields=5, outcome="matched", reason="r", probes=3, seconds=0.2
        ),
        Analysis(
            page="http://a.org/2",
            form="/f",
            fields=2,
            outcome="unmatched",
            reason="r",
            probes=12,
            seconds=7.0,
        ),
        Analysis(page="http://b.org/1", form="/f", fields=1, outcome="refused by manners", reason="r"),
        Analysis(page="http://c.org/1", outcome="filtered", reason="the page has no form"),
    ]
    visits = [
        Visit(url="http://a.org/1", status=200, content_type="text/html; charset=utf-8"),
        Visit(url="http://a.org/2", status=302, content_type="image/png"),
        Visit(url="http://a.org/3", status=503),
        Visit(url="http://a.org/4", status=0),
    ]
    tables = {table.title: dict(table.rows) for table in report(analyses, visits)}
    assert tables["Crawl"] == {
        "URLs crawled": "4",
        "sites with forms": "2",
        "pages with forms": "3",
        "forms": "3",
        "form parameters": "8",
        "requests to forms": "15",
        "most requests to one form": "12",
        "requests per form asked": "7.50",
        "matched sources": "1",
        "matched": "33.3%",
    }
    assert tables["Outcomes"]["filtered"] == "1"
    assert {label: n for label, n in tables["Probes"].items() if n != "0"} == {
        "0": "1",
        "1–10": "1",
        "11–20": "1",
    }
    assert (tables["Times"]["< 0.5 s"], tables["Times"]["5–10 s"], tables["Times"]["longest, unmatched"]) == (
        "1",
        "1",
        "7.00",
    )
    assert tables["Answers"] == {"200": "1", "30x": "1", "50x": "1", "none": "1"}
    assert tables["Contents"] == {"text/html": "1", "application/pdf": "0", "text/plain": "0", "other": "2"}


def test_a_run_that_found_nothing_has_a_report_too():
    assert [table.title for table in report([])] == ["Crawl", "Outcomes", "Probes", "Times"]


@pytest.mark.parametrize(
    ("found", "sample"),
    [
        ('href="http://e.org/2" #2: "bell" is silent', ("http://e.org/2", '#2: "bell" is silent')),
        ('href="http://e.org/2"', ("http://e.org/2", "http://e.org/2")),
        ("fruit no. 7", ("", "fruit no. 7")),
    ],
)
def test_a_hit_is_shown_as_a_link(found: str, sample: tuple[str, str]):
    page = Page(url="http://e.org/")
    kept = {"steps": (), "states": (), "arguments": (), "result": "Hits"}
    assert Profile(service="s", page=page, form="", found=found, **kept).sample == sample
