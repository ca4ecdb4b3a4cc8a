"""Random sentinels for Hypothesis: what they monitor, on which part, and the pages for it."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.detect.pages import WORDS
from webvigil.model.sentinel import And, ChangeExpression, ChangeType, Not, Or, Part, Sentinel, WebPage

_BARE = (
    "any change", "exact change", "all links", "all images", "all words", "content", "structure", "layout",
    "tags", "attributes", "comments",
)  # fmt: skip
# Some of these cannot be searched at all: they must be refused in a group as they are alone.
_PATTERNS = ("low", r"\d+,\d", "r.sk", "[a-z]+ing", "(?=low)l", "nowhere", "ß|€", "(", r"\bgrowth\b", "g*")
_words = st.sampled_from((*WORDS, "low risk", "risk growth", "nowhere"))
_some_words = st.lists(_words, min_size=1, max_size=3).map(tuple)

changes: st.SearchStrategy[ChangeType] = st.one_of(
    st.sampled_from(_BARE).map(ChangeType),
    st.builds(ChangeType, st.just("all words"), _some_words, st.just("except")),
    st.builds(
        ChangeType, st.just("keywords"), _some_words, st.sampled_from(("", "all appear", "all disappear"))
    ),
    st.builds(ChangeType, st.just("phrase"), _some_words),
    st.builds(
        ChangeType,
        st.just("regular expression"),
        st.tuples(st.sampled_from(_PATTERNS)),
        st.sampled_from(("", "in text", "in source")),
    ),
    st.builds(ChangeType, st.sampled_from(("table", "list")), st.tuples(st.sampled_from(("1", "2", "low")))),
    st.builds(
        ChangeType, st.just("value"), st.tuples(st.sampled_from(("p", "li", "td", "p["))), st.just("css")
    ),
    st.just(ChangeType("all images", (), "content")),
)


def _joined(inner: st.SearchStrategy[ChangeExpression]) -> st.SearchStrategy[ChangeExpression]:
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(st.builds(Not, inner), st.builds(And, several), st.builds(Or, several))


expressions: st.SearchStrategy[ChangeExpression] = st.recursive(changes, _joined, max_leaves=4)

_parts = st.one_of(
    st.builds(Part, st.just("css"), st.sampled_from(("p", "ul", "div", "h1", "td", "p["))),
    st.builds(Part, st.just("words"), _some_words),
    st.builds(Part, st.just("regex"), st.sampled_from(_PATTERNS[:4])),
)
_rarely = st.one_of(st.just(()), st.just(()), st.lists(_parts, min_size=1, max_size=2).map(tuple))

sentinels = st.builds(
    Sentinel,
    name=st.just("s"),
    target=st.just(WebPage("https://example.org/")),
    monitor=st.one_of(expressions, st.none()),
    within=_rarely,
    ignore=_rarely,
)
