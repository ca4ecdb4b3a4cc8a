"""The Python library (U4)."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import webvigil
from tests.fetch.pdfs import pdf
from webvigil import PageDigest, diff, parse, read
from webvigil.errors import MistakeInText, PatternRefused
from webvigil.language import parse_expression
from webvigil.library import _expression, digest_of, part
from webvigil.model.change_types import KINDS
from webvigil.model.sentinel import MAIN, And, ChangeType, Part

OLD = "<h1>News</h1><ul id=list><li><a href=/a>A</a></ul><p class=ad>Buy now</p>"
NEW = "<h1>News</h1><ul id=list><li><a href=/a>A</a><li><a href=/b>B</a></ul><p class=ad>Buy later</p>"


def test_two_pages_in_findings_out():
    answer = diff(OLD, NEW, "all links", url="https://example.org/")
    assert answer.changed
    assert json.loads(json.dumps(answer.as_json())) == {
        "changed": True,
        "findings": [
            {
                "type": "all links",
                "changed": True,
                "share": 0.3333,
                "score": 256,
                "objects": [
                    {
                        "object": "https://example.org/b",
                        "status": "i",
                        "old": 0,
                        "new": 1,
                        "where": ["/html/body/ul/li[2]/a"],
                        "label": "News",
                        "section": "News",
                        "link_text": "B",
                        "surrounding": {"after": "B", "after_marks": []},
                    }
                ],
            }
        ],
        "headline": "New link: B",
    }


def test_the_example_of_the_design():
    old = "<p>We recommend low risk growth investing to all.</p>"
    answer = diff(old, old.replace("growth", "index"), "all links OR phrase: {low risk growth investing}")
    assert [(one.type, one.changed) for one in answer.findings] == [("all links", False), ("phrase", True)]
    (one,) = answer.as_json()["findings"][1]["objects"]
    assert one == {
        "object": "low risk growth investing",
        "status": "u",
        "before": "low risk growth investing",
        "after": "low risk index investing",
        "where": ["/html/body/p"],
        "surrounding": {
            "before": "We recommend low risk growth investing to all.",
            "before_marks": [[22, 28]],
            "after": "We recommend low risk index investing to all.",
            "after_marks": [[22, 27]],
        },
    }


@pytest.mark.parametrize("form", ["text", "bytes", "digest"])
def test_pages_come_as_text_bytes_or_digests(form: str):
    make = {"text": str, "bytes": str.encode, "digest": lambda text: read(text.encode(), "text/html")}[form]
    assert diff(make(OLD), make(NEW)).changed
    assert not diff(make(OLD), make(OLD)).changed


def test_text_is_taken_as_it_is_whatever_its_meta_tag_says():
    page = "<meta charset=iso-8859-1><p>naïve {}</p>"
    (one,) = diff(page.format("café"), page.format("cafés"), "all words").findings[0].objects
    assert (one.before, one.after) == ("café", "cafés")


def test_only_a_part_is_compared():
    assert diff(OLD, NEW, within="h1").changed is False
    assert diff(OLD, NEW, within="xpath: //ul").changed
    assert diff(OLD, NEW, within=[Part("css", "h1"), "ul"]).changed
    assert diff(OLD, NEW, ignore=["ul", ".ad"]).changed is False
    answer = diff(OLD, NEW, "all words", within="#list")
    assert answer.findings[0].objects[0].where == ("/html/body/ul/li[2]/a",)


def test_a_part_that_is_nowhere_is_refused():
    with pytest.raises(PatternRefused, match="nothing on either page matches css '#nope'"):
        diff(OLD, NEW, within="#nope")


def test_a_part_may_be_a_pattern_or_words():  # L8
    old, new = "<p>Tea 3, seen 5 minutes ago, Monday</p>", "<p>Tea 3, seen 9 minutes ago, Tuesday</p>"
    assert not diff(old, new, ignore=[r"/\d+ minutes ago/", "words: monday, Tuesday"]).changed
    assert diff(old, new, ignore=r"/\d+ minutes ago/").changed
    assert diff(old, new, within="/minutes/").changed
    with pytest.raises(PatternRefused, match="nothing on either page matches words"):
        diff(old, new, within="words: coffee")


RATES = (
    "<div>Welcome to the bank</div>"
    "<div id=main class=box><h2>Rates</h2><p>The rate is 2 percent today</p></div>"
    "<div>Footer note</div>"
)


@pytest.mark.parametrize(
    ("within", "changed"),
    [
        ("div:nth-of-type(2)", "<div>A new notice for our clients</div>" + RATES),
        ("#main", RATES.replace("id=main", "id=content")),
        ("#main", RATES.replace("id=main ", "")),
    ],
)
def test_a_part_is_followed_when_the_page_around_it_changes(within: str, changed: str):  # D5
    assert not diff(RATES, changed, within=within).changed
    (one,) = diff(RATES, changed.replace("is 2", "is 3"), within=within).findings[0].objects
    assert (one.before, one.after) == ("2", "3")


def test_a_part_that_only_the_newer_version_names_is_followed_back():  # D5
    (one,) = diff(RATES.replace("id=main ", ""), RATES.replace("2", "3"), within="#main").findings[0].objects
    assert (one.before, one.after) == ("2", "3")


def test_a_part_that_vanished_is_told_as_such():  # D5
    answer = diff(RATES, "<p>Closed</p>", within="#main")
    words, lost = answer.findings
    assert (words.type, [one.status for one in words.objects]) == ("any change", ["d"])
    assert (lost.type, lost.objects[0].object, lost.objects[0].status) == ("within", "css #main", "d")
    assert lost.note.startswith("the watched part has vanished")
    assert diff(RATES, "<p>Closed</p>", "all images", within="#main").changed
    backwards = diff("<p>Closed</p>", RATES, within="#main").findings[-1]
    assert (backwards.objects[0].status, backwards.note) == ("i", "the part is new")


def test_an_expression_may_be_a_value():
    assert not diff(OLD, NEW, And((ChangeType("all links"), ChangeType("all images")))).changed
    with pytest.raises(MistakeInText):
        diff(OLD, NEW, "all smells")


def test_other_documents_are_compared_too():
    assert diff('{"price": 10}', '{"price": 12}').findings[0].objects[0].where == ("$.price",)
    assert diff("one\ntwo\n", "one\nthree\n", "all words").findings[0].objects[0].before == "two"
    assert diff(b"", b"").changed is False
    assert diff("", NEW).changed


def test_the_package_gives_the_names_it_promises():
    assert {"PageDigest", "diff", "parse"} <= set(webvigil.__all__)
    assert PageDigest.__name__ == "PageDigest"
    assert [one.name for one in parse("Create Sentinel s1 Using https://example.org/ Monitor all links")] == [
        "s1"
    ]
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        webvigil.nothing_of_the_kind  # noqa: B018


def test_importing_the_package_alone_loads_nothing_heavy():
    code = "import sys, webvigil; print([name for name in ('numpy', 'lark', 'lxml') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("monitor", ["any change", "keywords: {3}", r"regular expression: {\d}", "content"])
def test_what_changed_in_a_text_within_is_told_by_its_element_on_the_page(monitor: str):  # C15
    old = "<h2>Rates</h2><div><p>The rate is 2 today</p></div>"
    answer = diff(old, old.replace("2", "3"), monitor, within=Part("words", ("rate",)))
    assert [one.where for one in answer.findings[0].objects] == [("/html/body/div/p",)]


@pytest.mark.parametrize(
    ("monitor", "note"),
    [
        ("table: {Tea}", "there is no such table on either page"),
        ("list: {9}", "there is no such list on either page"),
        ('value css ".price"', "there is no such value on either page"),
        ("list: {A}", ""),
        ("all images", ""),
    ],
)
def test_what_is_on_neither_page_is_said_to_be_missing(monitor: str, note: str):
    for new in (OLD, OLD.replace("Buy now", "Buy later")):
        answer = diff(OLD, new, monitor)
        assert (answer.changed, answer.findings[0].note) == (False, note)


@pytest.mark.parametrize(
    "monitor", ["regular expression: {(}", 'value css "["', 'value json "$["', "phrase: {...}"]
)
def test_a_pattern_that_cannot_be_read_is_refused_also_for_equal_pages(monitor: str):
    with pytest.raises(PatternRefused):
        diff(OLD, OLD, monitor)


def test_an_expression_may_have_flags():
    assert not diff("<p>Seen 5 TIMES", "<p>Seen 6 TIMES", ignore=r"/\d+ times/i").changed
    assert diff("<p>Seen 5 TIMES", "<p>Seen 6 TIMES", ignore=r"/\d+ times/").changed


@pytest.mark.parametrize("name", [kind.name for kind in KINDS.values() if "" in kind.bare])
def test_a_change_type_known_by_its_name_is_what_the_grammar_reads(name: str):
    assert _expression(name) == parse_expression(name)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("main:", MAIN),
        ("main", Part("css", "main")),
        ("xpath: //main", Part("xpath", "//main")),
        ("json: $.items", Part("json", "$.items")),
        ("words: today, now,,", Part("words", ("today", "now"))),
        (r"/\d+ ago/", Part("regex", r"\d+ ago")),
        (r"/\d+ ago/i", Part("regex", r"(?i)\d+ ago")),
        ("a:hover", Part("css", "a:hover")),
    ],
)
def test_the_short_form_of_a_part(text: str, meant: Part):
    assert part(text) == meant


def test_a_pdf_is_compared_by_its_text():
    old, new = pdf("Tea 3 EUR"), pdf("Tea 4 EUR")
    assert digest_of(old, "application/pdf").text(0).strip() == "Tea 3 EUR"
    (one,) = diff(old, new).findings[0].objects
    assert (one.before, one.after) == ("3", "4")


def test_visual_compares_pictures_and_nothing_else():
    with pytest.raises(PatternRefused) as refused:
        diff(OLD, NEW, "visual")
    assert str(refused.value) == "visual compares pictures; give two screenshots in PNG, JPEG or WebP"


def test_what_quiet_leaves_out_is_told_beside_the_findings():
    old, new = "<p>5 minutes ago</p>", "<p>6 minutes ago</p>"
    calm = diff(old, new, quiet=True)
    assert (calm.changed, len(calm.left_out)) == (False, 1)
    assert [sorted(diff(old, new, quiet=quiet).as_json()) for quiet in (False, True)] == [
        ["changed", "findings", "headline"],
        ["changed", "findings", "headline", "left_out"],
    ]


@pytest.mark.parametrize(
    ("content_type", "changed"),
    [("text/plain", True), ("text/plain; charset=utf-16", True), ("text/html", False), ("", False)],
)
def test_a_text_is_read_as_its_type_says_and_by_its_look_without_one(content_type: str, changed: bool):
    answer = diff("<b>naïve</b>", "<i>naïve</i>", "all words", content_type=content_type)
    assert answer.changed is changed
    assert "naïve" in answer.old.text(0)


def test_a_change_type_that_needs_words_is_refused_without_them():
    with pytest.raises(MistakeInText):
        diff(OLD, NEW, "keywords")
