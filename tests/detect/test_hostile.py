"""Tests that the shortcuts for pages made to hurt change no result, each against a plain computation."""

from __future__ import annotations

import re
import time
from collections import Counter
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.detect.alignment import TOLD
from webvigil.detect.attributes import updated
from webvigil.detect.find import find
from webvigil.detect.gist import whole_words
from webvigil.detect.headline import amounts, headline, told_first, told_with
from webvigil.detect.leaves import may_hold
from webvigil.detect.sequences import Haystack, finder
from webvigil.detect.wording import folded_words
from webvigil.document import PageDigest, read
from webvigil.document.links import _lower_host, absolute
from webvigil.document.patterns import compile_pattern
from webvigil.model.change import OPPOSITE, Status
from webvigil.model.sentinel import ChangeType

MANY = TOLD + 700


def page(html: str, kind: str = "text/html") -> PageDigest:
    return read(html.encode(), kind, "https://example.org/dir/page")


# --- tags ----------------------------------------------------------------------------------------


def test_a_page_of_names_that_all_changed_is_told_in_few_words():  # C10
    old, new = (
        "".join(f"<x{n * 2 + version}></x{n * 2 + version}>" for n in range(MANY)) for version in (0, 1)
    )
    forth, back = (
        find(page(old), page(new), ChangeType("tags")),
        find(page(new), page(old), ChangeType("tags")),
    )
    assert len(forth.objects) == TOLD + 2
    assert sum(one.old or 0 for one in forth.objects) == sum(one.new or 0 for one in forth.objects) == MANY
    turned = Counter((one.object, OPPOSITE[one.status], one.new, one.old) for one in back.objects)
    assert Counter((one.object, one.status, one.old, one.new) for one in forth.objects) == turned


# --- addresses -----------------------------------------------------------------------------------

origins = st.sampled_from(
    [
        "https://Example.org/x/y?z#q", "http://h:80", "", "ftp://u@H/", "foo:bar", "file:///x", "http://[bad/",
        "//h/x", "mailto:a@b", "https://e.org/a;p?x", "?q", "http://x.org?q", "x/y", "HTTP://X.ORG",
    ]
)  # fmt: skip


@given(origins, st.from_regex(r"(/[a-z0-9%~_.-]{0,3}){1,4}", fullmatch=True))
def test_a_plain_path_is_made_absolute_as_any_other_address(origin: str, path: str):  # C2
    try:
        expected = _lower_host(urljoin(origin, path))
    except ValueError:
        expected = ""
    assert absolute(origin, path) == expected


# --- expressions ---------------------------------------------------------------------------------


@given(st.text("ab, <'", min_size=1, max_size=3), st.text("ab, <'é\n", max_size=60))
def test_a_plain_text_is_found_as_by_any_other_expression(wanted: str, text: str):  # C9
    spans = compile_pattern(wanted).spans(text)
    assert spans == compile_pattern("".join(f"(?:{re.escape(one)})" for one in wanted)).spans(text)
    assert [text[start:end] for start, end in spans] == [wanted] * text.count(wanted)


# --- words and phrases ---------------------------------------------------------------------------

few = st.lists(st.sampled_from(["a", "b", "A", "the", "c", "é"]), max_size=30)


@given(few, few, st.sampled_from([("the",), ("a b",), ("a", "b c")]))
def test_words_looked_over_are_as_if_they_were_not_there(old: list[str], new: list[str], excepted):  # C4
    """The findings are the same as for pages from which the ignored words were removed."""
    change = ChangeType("all words", excepted)
    found = find(page(" ".join(old)), page(" ".join(new)), change)
    left = [" ".join(_without(words, excepted)) for words in (old, new)]
    plain = find(page(left[0]), page(left[1]), ChangeType("all words"))
    assert found.changed == plain.changed
    for status in (Status.GONE, Status.NEW, Status.UPDATED):
        assert all(one.where for one in found.objects if one.status is status)
    told = [word for one in found.objects for word in (one.before or "").split()]
    came = [word for one in found.objects for word in (one.after or "").split()]
    assert not Counter(told) - Counter(left[0].split())
    assert not Counter(came) - Counter(left[1].split())
    assert Counter(left[0].split()) - Counter(told) == Counter(left[1].split()) - Counter(came)


def _without(words: list[str], excepted: tuple[str, ...]) -> list[str]:
    lowered = [word.lower() for word in words]
    gone: set[int] = set()
    for text in excepted:
        run = text.split()
        for place in range(len(words)):
            if lowered[place : place + len(run)] == run:
                gone |= set(range(place, place + len(run)))
    return [word for place, word in enumerate(words) if place not in gone]


@given(few, st.lists(st.sampled_from([("a",), ("a", "b"), ("b", "a"), ("é",)]), min_size=1, unique=True))
def test_sequences_are_found_in_the_order_of_the_page(words: list[str], wanted: list[tuple[str, ...]]):  # C5
    lowered = [word.lower() for word in words]
    expected = [
        (which, place)
        for place in range(len(words))
        for which, run in enumerate(wanted)
        if tuple(lowered[place : place + len(run)]) == run
    ]
    assert finder(*wanted).hits_in(Haystack(words)) == expected


def test_an_occurrence_with_the_same_neighbours_only_changes_its_case():  # C6
    around = " ".join(f"w{n}" for n in range(20))
    old, new = (
        page(f"<p>{around} {text} {around}<p>more {version}")
        for version, text in enumerate(["low Risk", "low risk"])
    )
    (one,) = find(old, new, ChangeType("phrase", ("low risk",))).objects
    assert (str(one.status), one.before, one.after) == ("u", "low Risk", "low risk")


# --- leaves --------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from(["lo", "w", "low", " ", "LOW", "é", "k"]), max_size=5), st.booleans())
def test_what_may_not_be_in_a_leaf_is_in_none(pieces: list[str], apart: bool):  # C13
    inside = "".join(f"<![CDATA[{piece}]]>" if apart else piece for piece in pieces)
    digest = page(f"<x><a t='k{inside if not apart else ''}'>{inside}</a></x>", "text/xml")
    words = folded_words("low")
    stands = "low" in {
        *folded_words("".join(pieces)),
        *folded_words(f"k{''.join(pieces) if not apart else ''}"),
    }
    assert may_hold(digest, words) or not stands


@pytest.mark.parametrize("kind", ["text/xml", "application/json"])
def test_leaves_that_all_changed_are_told_in_few_words(kind: str):  # C13
    def made(version: int) -> PageDigest:
        if kind == "text/xml":
            return page(
                "<x>" + "".join(f"<r id='{n}'>{n * 2 + version} word</r>" for n in range(MANY)) + "</x>", kind
            )
        return page("[" + ",".join(f'"{n * 2 + version} word"' for n in range(MANY)) + "]", kind)

    old, new = made(0), made(1)
    for change in (
        ChangeType("any change"),
        ChangeType("phrase", ("word",)),
        ChangeType("keywords", ("word",)),
    ):
        forth, back = find(old, new, change), find(new, old, change)
        assert len(forth.objects) <= 2 * TOLD + 4
        turned = Counter((OPPOSITE[one.status], one.after, one.before) for one in back.objects)
        assert Counter((one.status, one.before, one.after) for one in forth.objects) == turned
    changed = find(old, new, ChangeType("any change"))
    assert changed.objects[-1].object == f"{MANY - TOLD:,} more"


def test_moved_records_beyond_what_is_read_are_counted():  # C13
    records = [f"<r><a>{n}</a><b>{n}</b><c>{n}</c></r>" for n in range(3 * MANY)]
    moved = records[::-1]
    found = find(page(f"<x>{''.join(records)}</x>", "text/xml"), page(f"<x>{''.join(moved)}</x>", "text/xml"),
                 ChangeType("any change"))  # fmt: skip
    assert len(found.objects) <= 2 * TOLD + 2
    assert found.objects[-1].object.endswith(" more")


# --- bounds on what nobody reads -----------------------------------------------------------------


def test_objects_of_a_page_full_of_them_are_counted_as_those_of_a_small_one():  # C2, C9
    def links(version: int) -> str:
        return "".join(f"<a href=/{number % 9_000 + version}>x</a>" for number in range(12_000))

    finding = find(page(links(0)), page(links(1)), ChangeType("all links"))
    before, after = Counter(number % 9_000 for number in range(12_000)), Counter()
    for number, count in before.items():
        after[number + 1] = count
    expected = {
        f"https://example.org/{name}": (before[name], after[name])
        for name in before | after
        if before[name] != after[name]
    }
    assert {one.object: (one.old, one.new) for one in finding.objects} == expected
    assert all(one.where for one in finding.objects)


def test_attributes_are_told_up_to_a_number_the_same_backwards():  # C10
    def element(version: int) -> PageDigest:
        return page("<p " + " ".join(f"a{number}={number + version}" for number in range(MANY)) + ">x")

    old, new = element(0), element(1)
    there, back = find(old, new, ChangeType("attributes")), find(new, old, ChangeType("attributes"))
    assert len(there.objects) == TOLD + 1
    assert there.objects[-1].object == f"{MANY - TOLD} more attributes"
    assert {one.object for one in there.objects} == {one.object for one in back.objects}


def test_of_values_inside_each_other_as_many_are_read_as_their_texts_allow():  # C14
    deep = "".join(f"<div>{'word ' * 50}{number}" for number in range(1_500))
    finding = find(page(deep), page("new " + deep), ChangeType("value", ("div",), "css"))
    assert len(finding.objects) < 100
    few = find(page("<p>1<p>2"), page("<p>1<p>3"), ChangeType("value", ("p",), "css"))
    assert [(one.before, one.after) for one in few.objects] == [("2", "3")]


def test_a_table_of_wide_spans_is_told_as_one():  # C8
    def table(version: int) -> PageDigest:
        return page("<table>" + f"<tr><td colspan=1000 rowspan=1000>word {version}<td>a" * 2_000 + "</table>")

    finding = find(table(0), table(1), ChangeType("table", ("1",)))
    assert [str(one.status) for one in finding.objects] == ["u"]


def test_ways_into_deep_json_are_those_of_every_step():  # C13
    deep = read(("[" * 700 + "[7,8],[9]" + "]" * 700).encode(), "application/json", "https://example.org/")
    steps = "[0]" * 699
    leaves = [node for node in range(len(deep)) if deep.is_text[node]]
    assert [deep.path(node) for node in leaves] == [f"${steps}[0][0]", f"${steps}[0][1]", f"${steps}[1][0]"]


# --- telling -------------------------------------------------------------------------------------


@given(st.text("ab_ .é1", min_size=1, max_size=4), st.text("ab_ .é1", max_size=30))
def test_whole_words_stand_where_an_expression_finds_them(wanted: str, line: str):
    places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(wanted)}(?!\w)", line)]
    assert list(whole_words(wanted, line)) == places


def test_a_headline_and_the_amounts_are_the_same_when_they_are_made_together():
    old, new = (page("".join(f"<p>EUR {n + v} <a href=/{n + v}>x</a>" for n in range(40))) for v in (0, 1))
    for kind in ("any change", "all links", "status"):
        findings = (find(old, new, ChangeType(kind)),)
        assert told_with(findings) == (headline(findings), amounts(findings), told_first(findings))


def test_a_row_of_thousands_of_cells_is_told_soon():
    old, new = (page("<table><tr>" + "".join(f"<td>{n * (1 + v)}" for n in range(20_000))) for v in (0, 1))
    begun = time.process_time()
    assert find(old, new, ChangeType("table", ("1",))).changed
    assert time.process_time() - begun < 4


def test_thousands_of_attributes_of_one_element_are_told_soon():
    old, new = (
        page("<x " + " ".join(f"a{n}='{n + v}'" for n in range(40_000)) + "/>", "text/xml") for v in (0, 1)
    )
    begun = time.process_time()
    assert len(updated(old, new, old.attribute_index)) == TOLD
    assert time.process_time() - begun < 5


# --- just as many as are told ------------------------------------------------------------------------


def many_things(monitor: str, many: int) -> tuple[PageDigest, PageDigest]:
    """Returns a page, and the page with so many things more of the kind that is monitored."""
    if monitor == "any change":
        data = ", ".join(map(str, range(many)))
        return page('{"a": 1}', "application/json"), page(f'{{"a": 1, "b": [{data}]}}', "application/json")
    if monitor == "attributes":
        return page("<p>x</p>" + "<i></i>" * many), page("<p>x</p>" + "<i title=a></i>" * many)
    more = {
        "structure": "<hr>" * many,
        "phrase": f"<p>{'low ' * many}",
        "all links": "".join(f"<a href=/{n}></a>" for n in range(many)),
        "tags": "".join(f"<x{n}></x{n}>" for n in range(many)),
    }
    return page("<p>x</p>"), page(f"<p>x</p>{more[monitor]}")


@pytest.mark.parametrize(
    ("monitor", "last"),
    [
        ("structure", "1 more elements"),
        ("attributes", "1 more elements"),
        ("phrase", "low: 1 more"),
        ("all links", "1 more"),
        ("tags", "1 more"),
        ("any change", "1 more"),
    ],
)
def test_nothing_more_is_told_of_just_as_many_things_as_are_told_one_by_one(monitor: str, last: str):
    change = ChangeType(monitor, ("low",) if monitor == "phrase" else ())
    for one, other, status in ((0, 1, Status.NEW), (1, 0, Status.GONE)):
        told = find(*(many_things(monitor, TOLD)[side] for side in (one, other)), change).objects
        assert len(told) == TOLD
        assert {thing.status for thing in told} == {status}
        assert all("more" not in thing.object for thing in told)
        beyond = find(*(many_things(monitor, TOLD + 1)[side] for side in (one, other)), change).objects
        assert len(beyond) == TOLD + 1
        assert beyond[-1].object == last
