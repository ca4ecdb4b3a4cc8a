"""Answers are judged by their results, not by what repeats the question (S3)."""

from __future__ import annotations

import pytest

from tests.discover.asking import analyse_page
from tests.discover.test_questions import questions
from tests.site import Request, Site
from webvigil.discover.analysis import Analysis
from webvigil.discover.echoes import Echoes
from webvigil.discover.queries import queries
from webvigil.discover.search_words import asked
from webvigil.discover.service import service_class

FORM = "<h1>Harbour office</h1><form action=/find><input type=search name=q><button>Search</button></form>"
HITS = {"harbour": ("Rules of the harbour", "The harbour bell"), "tide": ("Tide table", "Spring tide")}


def page(word: str, body: str) -> str:
    """Returns a page that repeats the question everywhere, as real ones do."""
    return f"""<title>{word} – search</title><a href="#main">Skip to content</a>
      <a href="/find?q={word}#top">Top</a>
      <a href="/login?next=/find%3Fq%3D{word}">Log in</a>
      <a href="/find?q={word}&tab=people">People: {word}</a>
      <a href="/edit?action=edit&title={word}">Write the page {word}</a>
      <a href="/find.json?q={word}">{word} as JSON</a>
      <form action=/find><input name=q value="{word}"><button>Search</button></form>
      <h1>Results for {word}</h1>
      <table><tr><th><a href="/find?q={word}&sort=title">Title {word}</a></table>
      {body}<a href=/about>About us</a>"""


def results(word: str) -> str:
    hits = HITS.get(word, ())
    return "".join(f"<li><a href='/page/{number}'>{hit}</a>" for number, hit in enumerate(hits)) or "Nothing."


def found(site: Site, start: str, answer: object, *words: str) -> Analysis:
    site.page("/", start)
    site.page("/find", answer)  # type: ignore[arg-type]
    service = service_class("keyword-search")
    (analysis,) = analyse_page(f"{site.url}/", asked(service, words) if words else service)
    return analysis


def word_of(request: Request) -> str:
    return dict(request.query)["q"]


def test_a_search_that_repeats_the_question_is_found_and_shows_a_hit(site: Site):
    one = found(site, FORM, lambda request: page(word_of(request), results(word_of(request))), "harbour")
    assert (one.outcome, one.probes) == ("matched", 2)
    assert one.profile is not None
    assert one.profile.found.endswith("Rules of the harbour")


def test_a_link_of_every_page_is_no_hit(site: Site):
    def answer(request: Request) -> str:
        return f"<a href=/>Home of the harbour</a><h1>Results</h1>{results(word_of(request))}"

    one = found(site, "<p>Nothing but a form." + FORM, answer, "harbour")
    assert one.profile is not None
    assert one.profile.found.endswith("Rules of the harbour")


def test_a_page_that_only_repeats_the_question_is_none(site: Site):
    one = found(site, FORM, lambda request: page(word_of(request), "Nothing."), "harbour")
    assert one.outcome == "unmatched"


def test_a_hit_counts_although_the_page_of_the_form_lists_it_too(site: Site):
    start = FORM + "".join(f"<li><a href='/page/{n}'>{hit}</a>" for n, hit in enumerate(HITS["harbour"]))
    one = found(site, start, lambda request: page(word_of(request), results(word_of(request))), "harbour")
    assert one.outcome == "matched"


def test_words_of_the_page_are_asked_before_those_of_the_class(site: Site):
    one = found(site, FORM, lambda request: page(word_of(request), results(word_of(request))))
    assert one.profile is not None
    assert one.profile.arguments == (("keywords", "harbour"),)


def test_the_words_around_a_link_belong_to_the_hit(site: Site):
    def rows(request: Request) -> str:
        told = word_of(request) == "harbour"
        row = "<tr><td><a href=/1>17</a><td>Bell of the harbour<tr><td><a href=/2>18</a><td>Crane"
        return f"<table>{row if told else ''}</table><a href=/about>About us</a><a href=/help>Help</a>"

    one = found(site, FORM, rows, "harbour")
    assert one.outcome == "matched"
    assert one.profile is not None
    assert "Bell of the harbour" in one.profile.found


def test_a_search_that_leads_straight_to_a_page_is_asked_otherwise(site: Site):
    site.page("/page/harbour", "<h1>Harbour</h1><a href=/x>All about the harbour</a><a href=/y>Home</a>")
    one = found(
        site, FORM, lambda request: page(word_of(request), results(word_of(request))), "harbour", "tide"
    )
    assert one.profile is not None
    site.page("/find?q=harbour", "").redirects_to("/page/harbour")
    again = found(
        site, FORM, lambda request: page(word_of(request), results(word_of(request))), "harbour", "tide"
    )
    assert again.profile is not None
    assert (one.profile.arguments, again.profile.arguments) == (
        (("keywords", "harbour"),),
        (("keywords", "tide"),),
    )


OPENSEARCH = """<?xml version="1.0"?><OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<Url type="application/json" template="{0}/suggest?s={{searchTerms}}"/>
<Url type="text/html" template="{0}/find?in=all&amp;q={{searchTerms}}&amp;page={{startPage?}}"/>
</OpenSearchDescription>"""
ACTION = """<script type="application/ld+json">{"@context": "https://schema.org",
"@graph": [{"@type": "WebSite", "potentialAction": {"@type": "SearchAction",
"target": {"urlTemplate": "/find?q={search_term_string}&in=all"},
"query-input": "required name=search_term_string"}}]}</script>"""


@pytest.mark.parametrize("kind", ["OpenSearch", "SearchAction"])
def test_a_search_that_the_page_describes_is_read_first(site: Site, kind: str):
    link = '<link rel=search type="application/opensearchdescription+xml" href=/osd.xml>'
    site.page("/osd.xml", OPENSEARCH.format(site.url), media_type="application/opensearchdescription+xml")
    site.page("/", (link if kind == "OpenSearch" else ACTION) + FORM)
    site.page("/find", lambda request: page(word_of(request), results(word_of(request))))
    one, form = analyse_page(f"{site.url}/", service_class("keyword-search"))
    assert (one.outcome, one.form, form.outcome, form.reason) == (
        *("matched", kind, "filtered"),
        f"it is the same as {kind}",
    )
    assert one.profile is not None
    assert {field.name for field in one.profile.steps[0].fields} == {"in", "q"}


def test_a_class_that_takes_no_words_asks_no_description(site: Site):
    site.page("/", ACTION + "<p>Nothing else")
    site.page("/find", "<p>here")
    (one,) = analyse_page(f"{site.url}/", service_class("dna-blast"))
    assert one.reason == "the page has no form"


# --- without a server ---------------------------------------------------------------------------------


def echoes(markup: str = FORM, words: str = "red harbour") -> Echoes:
    (form,) = questions(markup, "http://e.org/start")
    query = next(queries(form, asked(service_class("keyword-search"), [words]), post=True))
    assert words in [value for _, value in query.arguments]
    return Echoes(query, "http://e.org/start")


@pytest.mark.parametrize(
    "address",
    [
        "http://e.org/find?q=red+harbour",
        "http://e.org/start",
        "http://e.org/find?q=red+harbour&page=2",
        "http://e.org/find.json?q=red+harbour",
        "http://e.org/find?q=Red%20Harbour",
        "http://e.org/find?x=1;q=red+harbour",
        "http://e.org/login?next=/find%3Fq%3Dred%2Bharbour",
        "http://other.org/go?to=http://e.org/red+harbour",
        "http://other.org/share?text=a%3Dred+harbour",
        "http://e.org/w?action=edit&title=anything",
    ],
)
def test_a_link_that_asks_again_or_carries_the_answer_along_repeats(address: str):
    assert echoes().repeats(address, "http://e.org/find?q=red+harbour")


@pytest.mark.parametrize(
    "address",
    [
        "http://e.org/page/17",
        "http://e.org/find?q=blue+harbour",
        "http://e.org/page?title=red+harbour",
        "http://other.org/find?q=red+harbour",
        "http://e.org/other?q=red+harbour",
        "http://e.org/find?about=the+red+harbour",
        "http://e.org/page?id=17#red+harbour",
    ],
)
def test_a_link_to_something_else_is_a_result(address: str):
    assert not echoes().repeats(address, "http://e.org/find?q=red+harbour")


def test_the_question_repeats_under_another_name_where_the_answer_has_that_name():
    answered = "http://e.org/list?about=red+harbour"
    assert echoes().repeats("http://e.org/list?about=red+harbour&page=2", answered)
    assert not echoes().repeats("http://e.org/list?title=red+harbour&page=2", answered)
    assert echoes().repeats("http://e.org/find?q=red+harbour", answered), "the address that was asked"


def test_texts_that_differ_in_the_question_alone_are_no_news():
    one, other = echoes(), echoes(words="blue tide")
    known = ["Nothing for Blue Tide.", "?q=blue+tide", "Home"]
    texts = ["Home", "Nothing for Red Harbour.", "?q=red%20harbour", "?q=red+harbour", "The red harbour bell"]
    assert one.shape("About Red  Harbour") != one.shape("About Red Harbour") == "about \x1a"
    assert one.news(texts, other, known) == ("The red harbour bell",)
    assert one.news(["home"], other, known) == ()
    assert one.news([], other, known) == ()


@pytest.mark.parametrize(("word", "taken_out"), [("tap", True), ("ta", False)])
def test_a_short_word_is_in_many_texts_by_chance(word: str, taken_out: bool):
    assert (echoes(words=word).shape(f"x{word}x") == "x\x1ax") is taken_out
    assert echoes(words=word).repeats(f"http://e.org/find?q={word}", "http://e.org/a") is taken_out
