"""What holds for labels, surroundings and headlines on any page."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.detect import headline as headlines
from webvigil.detect import in_context
from webvigil.detect.alignment import word_gaps
from webvigil.document import naming, read
from webvigil.document.reading import lines_around
from webvigil.library import diff
from webvigil.model.change import Finding, ObjectChange, finding_as_json, finding_from_json

_WORDS = st.lists(
    st.sampled_from(["a", "lamp", "€ 10.00", "12", "Price:", "9-17", "x" * 400, "é"]), max_size=4
)
_TAGS = st.sampled_from(
    ["p", "div", "li", "td", "tr", "table", "ul", "dl", "dt", "dd", "h1", "h3", "nav", "label", "b", "figure"]
)


@st.composite
def pages(draw: st.DrawFn) -> str:
    """Returns a page with a title and any elements, closed or not."""
    pieces = []
    for tag, words in draw(st.lists(st.tuples(_TAGS, _WORDS), max_size=25)):
        pieces.append(f"<{tag}>{' '.join(words)}" + (f"</{tag}>" if draw(st.booleans()) else ""))
    return "<title>Some page</title><body>" + "".join(pieces)


def objects(findings: tuple[Finding, ...]) -> list[ObjectChange]:
    return [one for finding in findings for one in finding.objects]


@given(pages(), pages())
def test_every_object_has_a_label_of_bounded_length(old: str, new: str):
    found = diff(old, new)
    for one in objects(found.findings):
        assert one.label
        assert one.section
        assert len(one.label) <= 5 * naming.LONGEST
        for text in filter(
            None, (one.surrounding and one.surrounding.before, one.surrounding and one.surrounding.after)
        ):
            assert len(text) <= 2 * in_context.LONGEST


@given(pages(), pages())
def test_marks_lie_within_their_texts_in_order(old: str, new: str):
    for one in objects(diff(old, new).findings):
        if around := one.surrounding:
            for text, marks in ((around.before, around.before_marks), (around.after, around.after_marks)):
                edges = [edge for mark in marks for edge in mark]
                assert edges == sorted(edges)
                assert all(0 <= edge <= len(text) for edge in edges)


@given(pages(), pages())
def test_the_same_pages_have_the_same_headline_of_one_bounded_line(old: str, new: str):
    one, other = diff(old, new), diff(old, new)
    assert one.findings == other.findings
    assert one.headline == other.headline
    assert one.headline
    assert len(one.headline) <= headlines.LONGEST
    assert "\n" not in one.headline


@given(pages(), pages())
def test_what_is_written_as_json_is_read_back(old: str, new: str):
    for finding in diff(old, new).findings:
        plain = finding_as_json(finding)
        assert finding_as_json(finding_from_json(dict(plain))) == plain


HUGE = {
    "rows": "<title>t</title><table>" + "<tr><td>row {0}<td>{0}</tr>" * 15_000 + "</table>",
    "items": "<title>t</title><ul>" + "<li>item {0}</li>" * 30_000 + "</ul>",
    "deep": "<title>t</title>" + "<div class=a>" * 20_000 + "text {0}",
    "one line": "<title>t</title><p>" + "word {0} " * 80_000,
    "cards": "<title>t</title>" + "<div class=card><h3>Card</h3><p>{0}</p></div>" * 12_000,
    "cells": "<title>t</title><table><tr>" + "<td>{0}</td>" * 30_000 + "</table>",
    "terms": "<title>t</title><dl>" + "<dt>t<dd>{0}" * 30_000,
    "headings": "<title>t</title>" + "<h2>h</h2>{0}" * 30_000,
    "json": '{{"a": [' + ",".join(['{{"name": "x", "v": "{0}"}}'] * 20_000) + "]}}",
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", HUGE)
def test_huge_pages_are_described_in_bounded_time(kind: str):
    """Most of the time goes into finding the changes; describing them must not add much to it."""
    from webvigil.document import read

    content_type = "application/json" if kind == "json" else "text/html"
    old, new = (read(HUGE[kind].format(n).encode(), content_type) for n in ("one", "two"))
    found = diff(old, new)
    started = time.process_time()
    in_context.in_context(old, new, [Finding(type=one.type, objects=_bare(one)) for one in found.findings])
    assert time.process_time() - started < 3


def _bare(finding: Finding) -> tuple[ObjectChange, ...]:
    return tuple(one._replace(label="", section="", surrounding=None) for one in finding.objects)


@given(pages())
def test_the_lines_around_an_element_are_those_of_the_whole_page(page: str):
    digest = read(page.encode(), "text/html")
    shown = digest.shown
    for node in range(1, len(digest)):
        first, last = shown.nodes.searchsorted((node, node + int(digest.sizes[node]))).tolist()
        lines = lines_around(digest, node)
        if first == last:
            assert not set(lines.nodes.tolist()) & set(range(node, node + int(digest.sizes[node])))
            continue
        start = shown.text.rfind("\n", 0, int(shown.starts[first])) + 1
        assert shown.text[start:].startswith(lines.text)
        end = start + len(lines.text)
        assert shown.text[end : end + 1] in ("", "\n")
        inside = slice(*shown.starts.searchsorted((start, end)).tolist())
        assert lines.nodes.tolist() == shown.nodes[inside].tolist()
        assert (lines.starts + start).tolist() == shown.starts[inside].tolist()
        assert int(shown.starts[last - 1]) < end


_LINES = st.text("ab1 ..,", max_size=30).map(lambda text: " ".join(text.split()))


@given(_LINES, _LINES, _LINES, _LINES)
def test_words_that_lines_begin_and_end_with_change_no_mark(head: str, before: str, after: str, tail: str):
    old, new = (" ".join(f"{head} {text} {tail}".split()) for text in (before, after))
    words, others = (list(in_context._WORD.finditer(text)) for text in (old, new))
    changed = word_gaps([one[0] for one in words], [one[0] for one in others])
    gone = [(words[start], words[end - 1]) for start, end, _, _ in changed if start < end]
    come = [(others[start], others[end - 1]) for _, _, start, end in changed if start < end]
    expected = tuple(in_context._joined(gone, old)), tuple(in_context._joined(come, new))
    assert in_context.marked(old, new) == expected
