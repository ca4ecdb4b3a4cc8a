"""Words of any script are found, and the nodes that they come from (C4)."""

import unicodedata
from weakref import ref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.detect.wording import hashes_of
from webvigil.document import read, words
from webvigil.document.reading import Reading, changed_lines
from webvigil.document.words import Words, borders, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Low-risk, high growth!", ["Low", "risk", "high", "growth"]),
        ("don't l’été 'quoted'", ["don't", "l’été", "quoted"]),
        ("1,234.56 and 3.14. Or 1,2", ["1,234.56", "and", "3.14", "Or", "1,2"]),
        ("€10 $5 50% C++ a@b", ["€", "10", "$", "5", "50", "%", "C", "+", "+", "a", "@", "b"]),
        ("snake_case x2", ["snake_case", "x2"]),
        ("中文字 and 日本語テスト", ["中", "文", "字", "and", "日", "本", "語", "テスト"]),
        ("ひらがな", ["ひ", "ら", "が", "な"]),
        ("한국어 낱말", ["한국어", "낱말"]),
        ("हिन्दी में शब्द", ["हिन्दी", "में", "शब्द"]),
        ("مَرْحَبًا بالعالم", ["مَرْحَبًا", "بالعالم"]),
        ("می‌خواهم", ["می‌خواهم"]),
        ("ภาษา", ["ภ", "า", "ษ", "า"]),
        ("e\u0301te\u0301", ["e\u0301te\u0301"]),
        ("😀 ok 👍🏽", ["😀", "ok", "👍🏽"]),
        ("", []),
        (" \n\t.,;:!?()[]", []),
        ("\ud800", []),
        ("𝔘𝔫𝔦 𠀀𠀁", ["𝔘𝔫𝔦", "𠀀", "𠀁"]),
    ],
)
def test_words_are_what_a_reader_of_that_script_calls_words(text, words):
    assert words_of(text) == words


mixed = st.text("aé1 .,'’\u0301\u200d€%+中文ภาテ😀-_\n", max_size=30)


@given(st.text(max_size=40) | mixed)
def test_words_stand_apart_in_order_and_no_letter_is_lost(text):
    starts, ends = borders(text)
    assert words_of(text) == [text[start:end] for start, end in zip(starts, ends, strict=True)]
    assert all(start < end for start, end in zip(starts, ends, strict=True))
    assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))
    covered = {place for start, end in zip(starts, ends, strict=True) for place in range(start, end)}
    letters = {place for place, one in enumerate(text) if unicodedata.category(one)[0] in "LN"}
    assert letters <= covered
    assert not any(text[place].isspace() for place in covered)


def test_a_word_knows_the_node_it_begins_in_and_its_place_there():
    digest = read(b"<p>Un<b>believ</b>able news</p><p> more</p>", "text/html")
    words = digest.words
    assert words.words == ["Unbelievable", "news", "more"]
    assert [digest.path(int(node)) for node in words.nodes] == [
        "/html/body/p[1]/text()[1]",
        "/html/body/p[1]/text()[2]",
        "/html/body/p[2]/text()",
    ]
    for word, node, offset in zip(words.words[1:], words.nodes[1:], words.offsets[1:], strict=True):
        assert digest.own_text(int(node))[int(offset) :].startswith(word)


def test_a_few_words_know_their_nodes_as_all_words_do():
    digest = read("".join(f"<p> </p><p>one <b>two</b>, three{n}</p>" for n in range(40)).encode())
    places = np.array([0, 1, 2, 3, 118, 119])
    few = digest.words.nodes_at(places)
    assert "nodes" not in digest.words.__dict__
    assert few.tolist() == digest.words.nodes[places].tolist()


def test_the_vocabulary_numbers_words_by_first_use():
    digest = read(b"a b a c", "text/plain")
    index, numbers = digest.vocabulary
    assert index == {"a": 0, "b": 1, "c": 2}
    assert numbers.tolist() == [0, 1, 0, 2]


rare = st.sampled_from([*"’é\u0301中€%?😀İ\u00ad", "don’t", "l’été", "10€", "中文", "e\u0301"])


@given(st.lists(rare, max_size=4), st.integers(0, 40))
def test_a_few_letters_beyond_latin_in_a_long_text_are_read_as_in_a_short_one(some, place):
    plain = ["plain words, and more of them; don't 1,234.5 " * 2 for _ in range(8)]
    text = " ".join([*plain[: place % 8], *some, *plain[place % 8 :]])
    starts, ends = borders(text)
    assert words_of(text) == [text[start:end] for start, end in zip(starts, ends, strict=True)]
    assert words_of(text) == [word for piece in text.split(" ") for word in words_of(piece)]


@given(mixed, st.integers(0, 30), st.integers(0, 30))
def test_some_words_are_cut_out_without_the_others(text, start, end):
    few, all_of_them = (read(text.encode(), "text/plain; charset=utf-8").words for _ in range(2))
    expected = all_of_them.words
    start, end = min(start, len(expected)), min(end, len(expected))
    assert few.at(np.arange(start, end)) == expected[start:end]
    firsts, nodes = few.blocks
    assert few.nodes[firsts].tolist() == nodes.tolist()


LINES = st.text("ab'’1.,\n é\u0301日%", max_size=40)


@given(LINES, LINES, LINES, LINES)
def test_words_are_the_same_whatever_is_known_of_the_version_before(start, old, new, end):
    """C4: only lines that changed are searched for words; the result is the same as for the whole page."""
    before, after = (Reading(text, _nowhere) for text in (start + old + end, start + new + end))
    known, fresh = Words(after, Words(before)), Words(after)
    assert known.starts.tolist() == fresh.starts.tolist()
    assert known.ends.tolist() == fresh.ends.tolist()
    assert known.words == fresh.words == words_of(after.text)


@given(LINES, LINES, LINES, LINES, st.booleans())
def test_numbers_of_words_are_the_same_whatever_is_known_of_the_version_before(start, old, new, end, folding):
    before, after = (Reading(text, _nowhere) for text in (start + old + end, start + new + end))
    words = Words(before)
    hashes_of(words, folding=folding)
    known, fresh = Words(after, words), Words(after)
    assert hashes_of(known, folding=folding).tolist() == hashes_of(fresh, folding=folding).tolist()


def test_a_version_does_not_hold_on_to_the_one_before():
    before, after = (read(f"<p>one two<p>{word} four<p>five six".encode()) for word in ("a", "b"))
    after.follows(before)
    assert before.words.words[2] == "a"
    assert after.words.words[2] == "b"
    left = ref(before)
    del before
    assert left() is None
    assert after.words.kept[0] is None


def _nowhere():
    raise AssertionError("nobody asks where they stand")


SCRIPTS = [
    "Low-risk, high growth!", "don't l’été 'quoted' '' ' x'", "1,234.56 and 3.14. Or 1,2 .5 5. 1.,2",
    "a.b 1.b a'1", "€10 $5 50% C++ a@b |=~¦ #x §", "snake_case x2 ٣a", "中文字 and 日本語テスト々〇〆",
    "한국어 낱말", "हिन्दी में शब्द", "می‌خواهم", "ภาษา ກ", "e\u0301te\u0301 \u0301a", "😀 ok 👍🏽 👍",
    "", " \n\t.,;:!?()[]", "\ud800", "𝔘𝔫𝔦 𠀀𠀁", "?", "a?b é? ?é", "x" * 40 + " é", "日" + "x" * 40,
    "x" * 40 + "日本" + "y" * 40, "plain € " * 9, "’" * 3, "a\u00adb \u00ad x\u200dy", "％５",
    "日\u0301本\u0301", "%\u0301a", "\u0301", "日", "a日", "日a", "a日b", "日\u0301",
]  # fmt: skip


@pytest.mark.parametrize("text", SCRIPTS)
def test_without_the_accelerator_the_same_words_are_found(text: str, monkeypatch: pytest.MonkeyPatch):
    fast, edges = words_of(text), [one.tolist() for one in borders(text)]
    monkeypatch.setattr(words, "native", None)
    assert words_of(text) == fast
    assert [one.tolist() for one in borders(text)] == edges
    longer = f"{text} and more plain words behind it " * 3
    plain = words_of(longer)
    monkeypatch.setattr(words, "_LONG", 7)
    assert words_of(longer) == plain == [word for _ in range(3) for word in [*fast, *longer_words()]]
    assert words_of(text) == fast


def longer_words() -> list[str]:
    return ["and", "more", "plain", "words", "behind", "it"]


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("a", [(0, 1)]),
        ("ab cd", [(0, 2), (3, 5)]),
        (" a,b. ", [(1, 2), (3, 4)]),
        ("日本", [(0, 1), (1, 2)]),
        ("a日b", [(0, 1), (1, 2), (2, 3)]),
        ("日\u0301a", [(0, 2), (2, 3)]),
        ("a\u0301日\u0301", [(0, 2), (2, 4)]),
        ("don't 1,5 '1,'", [(0, 5), (6, 9), (11, 12)]),
        ("€5%", [(0, 1), (1, 2), (2, 3)]),
        ("\u0301", [(0, 1)]),
        ("", []),
    ],
)
def test_words_begin_and_end_at_places(
    text: str, edges: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
):
    for accelerator in (words.native, None):
        monkeypatch.setattr(words, "native", accelerator)
        starts, ends = borders(text)
        assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == edges


def test_the_words_of_a_page_lead_to_their_nodes():
    digest = read(b"<p>one two <b>three</b>four</p><p> </p><p>, <i>five</i></p>")
    found = digest.words
    assert (len(found), found.text) == (4, digest.reading.text)
    texts = [digest.own_text(node) for node in found.nodes.tolist()]
    assert (texts, found.offsets.tolist()) == (["one two ", "one two ", "three", "five"], [0, 4, 0, 0])
    assert found.starts.tolist() == [0, 4, 8, 23] or found.starts.tolist() == [
        0,
        4,
        8,
        found.text.index("five"),
    ]
    firsts, nodes = found.blocks
    assert (firsts.tolist(), nodes.tolist()) == ([0, 2, 3], [*dict.fromkeys(found.nodes.tolist())])
    assert found.at(np.array([3, 0])) == ["five", "one"]
    assert found.words == ["one", "two", "threefour", "five"]
    assert found.at(np.array([3, 0])) == ["five", "one"]
    assert found.kept == (None, 0, 0)


@pytest.mark.parametrize(("count", "one_by_one"), [(19, False), (20, True)])
def test_a_few_of_many_words_are_looked_up_one_by_one(count: int, one_by_one: bool):
    found = read(("<p>w</p>" * count).encode()).words
    assert found.nodes_at(np.array([count - 1])).tolist() == [len(read(("<p>w</p>" * count).encode())) - 1]
    assert ("nodes" not in found.__dict__) is one_by_one


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        ("a\nb c\nd e", "a\nx\nd e", (1, 2)),
        ("a\nb c\nd", "a\nb c\nd", (3, 0)),
        ("a b\nc", "a b\nc d", (2, 0)),
        ("a\nb", "x\nb", (0, 1)),
        ("a", "b", (0, 0)),
    ],
)
def test_words_of_equal_lines_are_kept(old: str, new: str, kept: tuple[int, int]):
    before = Words(Reading(old, _nowhere))
    after = Words(Reading(new, _nowhere), before)
    assert after.words == words_of(new)
    assert after.kept[1:] == kept
    assert (after.kept[0] is before) is (2 * _changed(old, new) < len(new))


def _changed(old: str, new: str) -> int:
    start, _, end = changed_lines(old, new)
    return end - start


@pytest.mark.parametrize(("line", "is_kept"), [("xx", True), ("xxx", False)])
def test_a_page_of_which_half_is_new_is_read_anew(line: str, is_kept: bool):
    before = Words(Reading("ab\ncd", _nowhere))
    after = Words(Reading(f"ab\n{line}", _nowhere), before)
    assert (after.kept[0] is before) is is_kept
    assert after.words == ["ab", line]
