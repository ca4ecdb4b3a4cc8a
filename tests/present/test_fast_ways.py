"""Fast implementations return the same as simple ones (P3, P4)."""

from __future__ import annotations

import re
from html import escape

from hypothesis import example, given
from hypothesis import strategies as st

from webvigil.document import read
from webvigil.document.reading import text_outside
from webvigil.document.words import borders
from webvigil.present.css import _kept
from webvigil.present.dressed import _LONG, _solid_before, _solid_places
from webvigil.present.framed import _reads_as, _without
from webvigil.present.html_text import html_text
from webvigil.present.runs import pieces

_NEVER = re.compile(r"(?!)")
_TEXTS = st.text(st.sampled_from("ab1.,'-東ก้é€()%…\u200d😀\ud800 "), max_size=15).map(
    lambda text: " ".join(text.split())
)
_TOKENS = [
    *("url(", "u\\72l(", "image-set(", "expression(", "@import", "@media", "</style", "/*", "*/"),
    *"a-;:{}()\"'\\/xé<>,1.# \n",
    "\\(",
]
_CSS = st.lists(st.sampled_from(_TOKENS), max_size=25).map("".join)


@given(st.lists(_TEXTS, max_size=5))
@example([])
@example([""])
def test_pieces_are_words_and_what_stands_between_with_the_space_before(texts: list[str]):
    assert pieces(texts) == [word_by_word(text) for text in texts]


def word_by_word(text: str) -> list[str]:
    found: list[str] = []
    behind, place = " ", 0
    for start, end in zip(*(side.tolist() for side in borders(text)), strict=True):
        between = behind + text[place:start]
        body = between.rstrip(" ")
        found += re.findall(" ?[^ ]+", body)
        found.append(between[len(body) :] + text[start:end])
        behind, place = "", end
    return found + re.findall(" ?[^ ]+", behind + text[place:])


@given(
    st.text(
        st.sampled_from("ab \t\n\r\x0b\x1c\x1f\x85\xa0\u1680\u2003\u2029\u3000\u3001\u200b😀\ud800"),
        max_size=40,
    )
)
def test_characters_are_counted_as_what_white_space_leaves(text: str):
    solid = [place for place, one in enumerate(text) if one.split()]
    assert [len("".join(text[:place].split())) for place in range(len(text) + 1)] == _solid_before(
        text
    ).tolist()
    long = text + " " * _LONG
    assert _solid_places(text) == _solid_places(long) == solid


@given(st.text())
@example("\x00\x0b\x7f\x9f\ud800\ufffe\uffff<>&\"'\t\n")
def test_text_is_escaped_sign_by_sign(text: str):
    unspeakable = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
    assert html_text(text) == "".join(escape("·" if unspeakable.match(one) else one) for one in text)


@given(_CSS)
def test_quiet_stretches_of_style_are_what_token_by_token_gives(text: str):
    def address(url: str) -> str:
        return f"/p/{len(url)}"

    assert "".join(_kept(text, address, "https://a.test/")) == "".join(
        _kept(text, address, "https://a.test/", _NEVER)
    )


@given(
    st.lists(
        st.sampled_from(["<p>", "</p>", "<ins>", "</ins>", "<br>", "<b>", "a", " ", "<p hidden>"]),
        max_size=12,
    )
)
def test_what_stands_outside_of_marks_reads_as_a_page_without_them(pieces: list[str]):
    page = read(f"<body>{''.join(pieces)}".encode())
    assert text_outside(page, "ins") == _without(page, "ins").reading.text


@given(_TEXTS, st.lists(st.sampled_from([" ", "\n", " \u00a0 ", "<p>", ""]), min_size=1, max_size=4))
def test_pages_read_alike_if_their_words_are_the_same(text: str, between: list[str]):
    said = text.encode("utf-8", "replace").decode()
    old = read(f"<body>{escape(said)}".encode())
    spaced = "".join(one + between[place % len(between)] for place, one in enumerate(said.split(" ")))
    new = read(f"<body>{escape(spaced, quote=False)}".encode())
    assert _reads_as(old, new) is (list(old.words.words) == list(new.words.words))
