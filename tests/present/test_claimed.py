"""Of all changes on a page, those that the sentinel asked about are told apart from the others."""

from __future__ import annotations

import html
import json
import re

import pytest

from webvigil.detect.find import evaluate
from webvigil.document import PageDigest, read
from webvigil.language import parse, parse_expression
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.present.claimed import _shortened, claimed
from webvigil.present.comparison import compare
from webvigil.present.html import Showing
from webvigil.present.presentation import Form, present
from webvigil.present.runs import Run

OLD = (
    "<title>Shop</title><h1>Sofa</h1><p><i>Now</i> only <b id=price>1299</b> euro</p>"
    "<p>In stock: 5 pieces</p>"
    "<table><tr><th>what<th>price<tr><td>lamp<td>49<tr><td>desk<td>299<tr><td>mat<td>9</table>"
    "<p>The same.</p><p>A <b>bench</b> is gone tomorrow.</p><p>End.</p>"
)
NEW = (
    OLD.replace("1299", "1279")
    .replace("5 pieces", "7 pieces")
    .replace("<td>lamp<td>49", "<td>lamp<td>51")
    .replace("<tr><td>mat<td>9", "<tr><td>mat<td>9<tr><td>shelf<td>79")
    .replace("<p>A <b>bench</b> is gone tomorrow.</p>", "")
)


def page(text: str) -> PageDigest:
    return read(text.encode(), "text/html", "http://shop.test/")


def found(monitor: str, old: str = OLD, new: str = NEW) -> tuple[Finding, ...]:
    sentinel = parse(f"Create Sentinel s Using http://shop.test/ Monitor {monitor}")[0]
    assert sentinel.monitor is not None
    return evaluate(page(old), page(new), sentinel.monitor).findings


def test_a_value_is_linked_with_the_paragraph_that_it_stands_in():
    told = claimed(compare(page(OLD), page(NEW)), found('value css "#price"'))
    assert told.objects == (1,)
    assert told.mine == {1}
    assert [one.number for one in told.others] == [2, 3, 4, 5]


def test_the_words_of_the_others_are_told_with_their_marks():
    told = claimed(compare(page(OLD), page(NEW)), found('value css "#price"'))
    stock, lamp, shelf, bench = told.others
    assert (stock.kind, lamp.kind, shelf.kind, bench.kind) == ("changed", "changed", "new", "gone")
    assert [run for run in stock.runs if run[0]] == [("del", "5"), ("ins", "7")]
    assert "".join(text for _, text in stock.runs).startswith("In stock:")
    assert ("", "lamp") in lamp.runs
    assert ("ins", "shelf") in shelf.runs


def test_rows_of_a_table_are_linked_with_their_rows():
    told = claimed(compare(page(OLD), page(NEW)), found("table: {1}"))
    assert sorted(set(told.objects)) == [3, 4]
    assert told.mine == {3, 4}


def test_what_is_gone_is_found_where_it_was():
    told = claimed(compare(page(OLD), page(NEW)), found("phrase: {bench}"))
    assert told.objects == (5,)
    assert told.mine == {5}


def test_an_object_without_a_place_belongs_to_no_change():
    lone = ObjectChange(object="x", status=Status.NEW, where=())
    far = ObjectChange(object="x", status=Status.NEW, where=("/html/body/aside/p",))
    whole = ObjectChange(object="x", status=Status.NEW, where=("/html/body",))
    told = claimed(compare(page(OLD), page(NEW)), [Finding(type="all words", objects=(lone, far, whole))])
    assert (told.objects, told.mine) == ((0, 0, 0), frozenset())


def test_very_many_changes_are_counted_not_listed():
    old = "".join(f"<p>number {n} is low</p><p>rest {n}</p>" for n in range(300))
    told = claimed(compare(page(old), page(old.replace("low", "high"))), ())
    assert (len(told.others), told.left) == (100, 200)


def test_long_texts_are_cut_around_their_marks():
    long = "word " * 200
    told = claimed(compare(page(f"<p>{long}old {long}"), page(f"<p>{long}new {long}")), ())
    text = "".join(text for _, text in told.others[0].runs)
    assert len(text) < 200
    assert ("ins", "new") in told.others[0].runs


def shown(how: str, *, bare: bool) -> str:
    showing = Showing(nonce="n", bare=bare, captions=("version 1, <b>", "version 2"))
    return present(
        page(OLD), page(NEW), how, Form.PAGE, findings=found('value css "#price"'), showing=showing
    )


def test_marks_of_others_are_hollow_in_the_page():
    inside = html.unescape(shown("dual", bare=True))
    flags = dict(re.findall(r'class="(wv-flag [^"]+)" id="(wv-c\d)"', inside))
    assert [kind for kind, place in flags.items() if "wv-other" not in kind and place == "wv-c1"]
    assert all("wv-other" in kind for kind, place in flags.items() if place != "wv-c1")
    assert "wv-other" not in html.unescape(shown("dual", bare=False)).partition("</style>")[2].replace(
        ".wv-other", ""
    ).replace(".wv-flag.wv-other", "")


def test_a_bare_document_leaves_title_list_and_buttons_to_the_page_around_it():
    bare, whole = shown("dual", bare=True), shown("dual", bare=False)
    assert "<header>" not in bare
    assert 'id="changes"' not in bare
    assert "<header>" in whole
    assert "<b>Before</b> version 1, &lt;b&gt;" in bare
    told = json.loads(html.unescape(re.findall(r'data-told="([^"]+)"', bare)[0]))
    assert (told["objects"], told["first"], told["mine"]) == ([1], 1, [1])
    assert [one[0] for one in told["others"]] == [2, 3, 4, 5]
    assert "data-told" not in whole


@pytest.mark.parametrize(
    ("kind", "old", "new", "monitor"),
    [
        ("application/json", '{"lamps": {"n": 8}, "x": 1}', '{"lamps": {"n": 7}, "x": 1}', "any change"),
        ("application/json", '{"lamps": {"left": 8}}', '{"lamps": {"left": 7}}', 'value json "$.lamps.left"'),
        ("application/json", '{"left": "a"}', '{"left": "b"}', "any change"),
        ("application/json", "[1, 2, 3]", "[1, 4, 3]", "any change"),
        ("application/xml", "<r><a>8</a><b>1</b></r>", "<r><a>7</a><b>1</b></r>", "any change"),
        ("application/xml", "<r>8</r>", "<r>7</r>", "any change"),
        ("application/xml", "<!--c--><r><a><b>8</b></a></r>", "<!--c--><r><a><b>7</b></a></r>", "any change"),
        ("text/csv", "a,b\n1,2\n3,4\n", "a,b\n1,2\n3,5\n", "any change"),
        ("text/plain", "hello\nworld\n", "hello\nthere\n", "any change"),
        ("text/html", "<body>8</body>", "<body>7</body>", "any change"),
        ("text/html", "<ul><li>one<li>two</ul>", "<ul><li>one<li>three<li>4</ul>", "any change"),
        ("text/html", "<ul><li>one<li>two</ul>", "<ul><li>one<li>three<li>4</ul>", "list: {1}"),
    ],
)  # fmt: skip
def test_what_was_found_is_not_listed_again_as_more_on_the_page(kind: str, old: str, new: str, monitor: str):
    """Whatever the page is made of, and however few elements stand around the change."""
    before, after = (read(one.encode(), kind, "http://shop.test/") for one in (old, new))
    sentinel = parse(f"Create Sentinel s Using http://shop.test/ Monitor {monitor}")[0]
    assert sentinel.monitor is not None
    findings = evaluate(before, after, sentinel.monitor).findings
    told = claimed(compare(before, after, findings), findings)
    assert told.objects
    assert all(told.objects)
    assert told.others == ()


def test_another_value_of_a_document_is_still_more_on_the_page():
    before, after = (
        read(one, "application/json", "http://shop.test/")
        for one in (b'{"a": "one", "m": "same", "b": "two"}', b'{"a": "uno", "m": "same", "b": "due"}')
    )
    (change,) = evaluate(before, after, parse_expression('value json "$.a"')).findings
    told = claimed(compare(before, after), [change])
    assert [text for one in told.others for _, text in one.runs] == ["b: ", "two", " ", "due"]


LONG = "a" * 31 + "b" * 30  # one character more than stands whole beside a mark


@pytest.mark.parametrize(
    ("runs", "told"),
    [
        ("=x|- old|+ new|= y", ["=x", "", "-old", "", "+new", "= y"]),
        (f"={LONG}|+ new|={LONG}", ["=…" + "b" * 30, "", "+new", "=" + "a" * 30 + "…"]),
        (f"-old|={LONG}|+new", ["-old", "=" + "a" * 30 + "…" + "b" * 30, "+new"]),
        (f"={LONG[1:]}|+new", [f"={LONG[1:]}", "+new"]),
        ("+ new|=x", ["+new", "=x"]),
    ],
)
def test_the_text_beside_a_mark_is_cut_away_from_the_mark(runs: str, told: list[str]):
    marks = {"del": "-", "ins": "+", "": "="}
    found = _shortened(tuple(Run(one[0], one[1:]) for one in runs.split("|")))
    assert [marks[tag] + text if text != " " else "" for tag, text in found] == told


BARE = ("<body>8<aside><p>x</aside>", "<body>7<aside><p>x</aside>")
WRAPPED = ("<body><div>8<p>x</div>", "<body><div>7<p>x</div>")


@pytest.mark.parametrize(
    ("pages", "place", "number", "mine"),
    [
        (BARE, "/html/body/aside/p", 0, set()),
        (BARE, "/html/body", 2, {1, 2}),
        (WRAPPED, "/html/body/div", 2, {1, 2}),
        (WRAPPED, "/html/body/div/p/b", 2, {2}),
        (WRAPPED, "/html/body/aside/p", 0, set()),
        (WRAPPED, "/html/body", 0, set()),
    ],
)
def test_an_object_belongs_to_the_block_around_it_but_not_to_the_whole_page(
    pages: tuple[str, str], place: str, number: int, mine: set[int]
):
    one = ObjectChange(object="x", status=Status.NEW, where=(place,))
    told = claimed(compare(*map(page, pages)), [Finding(type="all words", objects=(one,))])
    assert (told.objects, told.mine) == ((number,), mine)


@pytest.mark.parametrize(("number", "listed", "left"), [(100, 100, 0), (101, 100, 1)])
def test_a_hundred_changes_of_others_are_listed(number: int, listed: int, left: int):
    old = "".join(f"<p>number {n} is low</p><p>rest {n}</p>" for n in range(number))
    told = claimed(compare(page(old), page(old.replace("low", "high"))), ())
    assert (len(told.others), told.left) == (listed, left)


@pytest.mark.parametrize(("length", "shown"), [(160, "x" * 160), (161, "x" * 159 + "…")])
def test_the_words_of_another_change_are_cut(length: int, shown: str):
    told = claimed(compare(page("<p>a"), page(f"<p>a<p>{'x' * length}")), ())
    assert told.others[0].runs == (("ins", shown),)


def test_cells_of_another_change_are_told_apart():
    old = "<table><tr><td>a<td>1<td>x<tr><td>b<td>2<td>y</table>"
    told = claimed(compare(page(old), page(old.replace("<td>1", "<td>3"))), ())
    (row,) = told.others
    assert "".join(text for _, text in row.runs) == "a · 1 3 · x"
    gone = claimed(compare(page(old), page(old.replace("<tr><td>b<td>2<td>y", ""))), ())
    assert gone.others[0].runs == (("del", "b"), ("", " · "), ("del", "2"), ("", " · "), ("del", "y"))


def test_three_hundred_objects_are_linked():
    objects = [ObjectChange(object="x", status=Status.NEW, where=("/html/body/p",))] * 301
    told = claimed(compare(page("<p>a"), page("<p>b")), [Finding(type="all words", objects=tuple(objects))])
    assert len(told.objects) == 300
