"""Tests that a sentinel in a group gets exactly the findings it would get alone (G1-G3, G5)."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.detect.pages import digest, edited, versions
from tests.graph.wishes import sentinels
from webvigil.detect.find import evaluate, find
from webvigil.document import PageDigest, read
from webvigil.errors import PatternRefused, WebVigilError
from webvigil.graph import evaluate as evaluating
from webvigil.graph.evaluate import Comparison
from webvigil.graph.nodes import ANY_CHANGE, ChangeNode, interest
from webvigil.graph.part import views
from webvigil.language import parse
from webvigil.model.change import Finding
from webvigil.model.sentinel import Sentinel

Told = tuple[bool, tuple[Finding, ...]] | str


def alone(old: PageDigest, new: PageDigest, sentinel: Sentinel) -> Told:
    """Returns the findings of one sentinel that is compared by itself, as the expected result."""
    try:
        seen = views(old, new, sentinel)
        if isinstance(seen, Finding):
            return True, (seen,)
        result = evaluate(*seen, sentinel.monitor or ANY_CHANGE)
    except WebVigilError as error:
        return str(error)
    return result.changed, result.findings


def grouped(old: PageDigest, new: PageDigest, group: list[Sentinel]) -> list[Told]:
    """Returns what each of the group is told of everything that differs."""
    loud = [replace(sentinel, quiet="off") for sentinel in group]
    comparison = Comparison(old, new, map(interest, loud))
    return [_told(comparison, sentinel) for sentinel in loud]


def _told(comparison: Comparison, sentinel: Sentinel) -> Told:
    try:
        found = comparison.of(interest(sentinel))
    except WebVigilError as error:
        return str(error)
    return found.changed, found.findings


groups = st.lists(sentinels, min_size=1, max_size=12)


@settings(max_examples=150, deadline=None)
@given(versions(), groups)
def test_a_group_is_told_what_each_would_be_told_alone(
    pages: tuple[PageDigest, PageDigest], group: list[Sentinel]
):
    old, new = pages
    assert grouped(old, new, group) == [alone(old, new, sentinel) for sentinel in group]


@settings(max_examples=60, deadline=None)
@given(edited(), groups, st.sampled_from(("text/plain", "application/xml", "application/json")))
def test_a_group_finds_the_same_on_pages_that_are_no_html(
    pages: tuple[list[str], list[str]], group: list[Sentinel], kind: str
):
    old, new = (read(_written(blocks, kind), kind, "https://example.org/") for blocks in pages)
    assert grouped(old, new, group) == [alone(old, new, sentinel) for sentinel in group]


def _written(blocks: list[str], kind: str) -> bytes:
    texts = [re.sub(r"<[^>]*>|[&\"\\]", " ", block) for block in blocks]
    if kind == "application/xml":
        return f"<all>{''.join(f'<one>{text}</one>' for text in texts)}</all>".encode()
    if kind == "application/json":
        return json.dumps(texts).encode()
    return "\n".join(texts).encode()


def _sentinel(clauses: str) -> Sentinel:
    (sentinel,) = parse(f"Create Sentinel s Using https://example.org/ {clauses}")
    return sentinel


OLD, NEW = digest(["<p>low risk</p>", "<ul><li>one</ul>"]), digest(["<p>high risk</p>", "<ul><li>one</ul>"])


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Records the change types whose detectors run, in order."""
    seen: list[str] = []

    def noting(old: PageDigest, new: PageDigest, change):
        seen.append(change.kind)
        return find(old, new, change)

    monkeypatch.setattr(evaluating, "find", noting)
    return seen


def test_what_many_want_is_computed_once(asked: list[str]):
    group = [_sentinel("Monitor all words"), _sentinel("Monitor all links OR all words"), _sentinel("")]
    grouped(OLD, NEW, group * 10)
    assert asked == ["all words", "any change"]


def test_nothing_runs_on_equal_pages(asked: list[str]):
    again = digest(["<p>low risk</p>", "<ul><li>one</ul>"])
    grouped(OLD, again, [_sentinel("Monitor all words AND structure"), _sentinel("Monitor table: {1}")])
    assert asked == []


def test_what_rests_on_an_aspect_that_stayed_is_not_run(asked: list[str]):
    """Without a change of structure no structure type runs, and without a change of content no content type
    runs (G2)."""
    structural = _sentinel("Monitor structure OR layout OR tags OR attributes OR comments OR all links")
    grouped(OLD, NEW, [structural])
    assert asked == []
    painted = digest(['<p class="red">low risk</p>', "<ul><li>one</ul>"])
    textual = _sentinel("Monitor all words OR keywords: {low} OR phrase: {risk} OR regular expression: {l.w}")
    grouped(OLD, painted, [textual])
    assert asked == []


NINE = (
    "Monitor any change OR all links OR all images OR all words OR keywords: {low} OR phrase: {low risk} "
    "OR table: {1} OR list: {one} OR regular expression: {l.w}"
)


def _page(*, token: str = "", text: str = "low risk", cell: str = "4", more: str = "") -> PageDigest:
    return digest(
        [
            f'<form action="/s"><input type="hidden" name="t" value="{token}"></form><!-- {token} -->',
            f'<p data-seen="{token}" {more}>{text}</p><img src="a.png"><a href="b">b</a>',
            f"<table><tr><td>price<td>{cell}</table><ul><li>one</ul>",
        ]
    )


def test_byte_noise_asks_no_detector_at_all(asked: list[str]):
    """A token that is new in each answer is in no text, no address and no table (G2)."""
    grouped(_page(token="a1"), _page(token="b2"), [_sentinel(NINE)])
    assert asked == []


def test_a_value_that_is_an_address_is_no_noise(asked: list[str]):
    grouped(_page(token="http://a.test/"), _page(token="http://b.test/"), [_sentinel(NINE)])
    assert asked == ["any change", "all links"]


def test_links_are_not_collected_for_a_token_that_is_none():
    old, new = _page(token="a1"), _page(token="b2")
    assert grouped(old, new, [_sentinel("Monitor all links")]) == [(False, (Finding(type="all links"),))]
    assert "link_sources" not in old.__dict__


def test_tables_and_lists_are_compared_when_something_in_them_changed(asked: list[str]):
    """C8."""
    grids = _sentinel("Monitor table: {1} OR list: {one}")
    grouped(_page(), _page(text="high risk"), [grids])
    assert asked == []
    grouped(_page(), _page(cell="5"), [grids])
    assert asked == ["table"]


def test_tables_are_compared_when_a_link_in_them_changed_unless_only_their_text_counts(asked: list[str]):
    """C8."""
    pages = [_page(cell=f'<a href="/{name}">4</a>') for name in ("a", "b")]
    grouped(*pages, [_sentinel("Monitor table: {1} text only OR list: {one}")])
    assert asked == []
    grouped(*pages, [_sentinel("Monitor table: {1} OR list: {one}")])
    assert asked == ["table"]


@pytest.mark.parametrize(
    "named", ["table css: {p + table}", "table caption: {x}", "table: {p[hidden] > table}"]
)
def test_a_table_that_is_named_by_what_is_around_it_is_looked_for(asked: list[str], named: str):
    grouped(_page(), _page(token="b"), [_sentinel(f"Monitor {named}")])
    assert asked == ["table"]


def test_what_is_hidden_without_another_word_is_noticed(asked: list[str]):
    grouped(_page(), _page(more="hidden"), [_sentinel("Monitor all words")])
    assert asked == ["all words"]


def test_a_part_whose_cover_stayed_is_not_searched(asked: list[str]):
    grouped(OLD, NEW, [_sentinel('Monitor all words OR value css "li" OR table: {1} Within css "ul"')])
    assert asked == []
    grouped(OLD, NEW, [_sentinel('Monitor all words Within css "p"')])
    assert asked == ["all words"]


def test_one_pass_finds_the_keywords_and_expressions_that_are_concerned(asked: list[str]):
    """G3."""
    words = [_sentinel(f"Monitor keywords: {{word{number}}}") for number in range(50)]
    patterns = [_sentinel(f"Monitor regular expression: {{w[o]rd{number}}}") for number in range(50)]
    phrases = [_sentinel(f"Monitor phrase: {{some word{number}}}") for number in range(50)]
    concerned = [_sentinel("Monitor keywords: {low}"), _sentinel("Monitor regular expression: {h.gh}")]
    grouped(OLD, NEW, [*words, *patterns, *phrases, *concerned])
    assert asked == ["keywords", "regular expression"]


def test_and_means_in_the_same_comparison_and_not_means_compared_and_unchanged():
    """G5."""
    both, only, neither = (
        _sentinel(f"Monitor {one}")
        for one in (
            "all words AND all links",
            "all words AND NOT all links",
            "NOT all words AND NOT all links",
        )
    )
    assert [told[0] for told in grouped(OLD, NEW, [both, only, neither])] == [False, True, False]


def test_equal_wishes_are_one_node():
    one, other = (
        _sentinel("Monitor all words AND keywords: {a}"),
        _sentinel("monitor ALL WORDS and keywords:{a}"),
    )
    assert interest(one) is interest(other)
    (node,) = interest(_sentinel("Monitor all words")).changes
    assert isinstance(node, ChangeNode)
    assert node in interest(one).changes


def test_a_search_that_cannot_be_made_is_refused_in_a_group_too():
    group = [_sentinel(f"Monitor keywords: {{{word}}}") for word in ("a", "b", "!", "c")]
    comparison = Comparison(OLD, NEW, map(interest, group))
    with pytest.raises(PatternRefused, match="no letter or digit"):
        comparison.of(interest(group[2]))
    assert not comparison.of(interest(group[0])).changed


def test_what_moved_is_told_to_quiet_sentinels_too():
    (sentinel,) = parse("Create Sentinel s Using https://example.org/ Monitor any change")
    texts = ["", "", "", "", "low", " ", ""], ["", "", "low", "", " "]
    old, new = (read(json.dumps(one).encode(), "application/json", "https://example.org/") for one in texts)
    found = Comparison(old, new, [interest(sentinel)]).of(interest(sentinel))
    assert (found.changed, found.findings) == alone(old, new, sentinel)
