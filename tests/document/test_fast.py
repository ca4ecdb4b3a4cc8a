"""Compiled functions and their plain twins give the same answer, and refuse what is no tree."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from importlib import import_module
from inspect import isroutine
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import webvigil.detect.coarse
import webvigil.detect.counts
import webvigil.detect.lcs
import webvigil.detect.sequences
import webvigil.detect.wording
import webvigil.document
import webvigil.present.html_text  # noqa: F401 - whoever has a twin has said so now
from webvigil.detect import places
from webvigil.detect.places import paths_of
from webvigil.document import arrays, fast, hashes, paths, read
from webvigil.document.fast import native, twins
from webvigil.document.sink import Events
from webvigil.document.words import _class_of

compiled = pytest.mark.skipif(native is None, reason="the accelerator is not compiled here")

NAMES = (
    "equal_ends",
    "ascii_hashes", "below", "between", "beyond_ascii", "block_keys", "collapsed_texts", "common_length",
    "cut_out", "differing",
    "enclosing",
    "exact_gaps", "first_use", "html_text", "in_common", "is_tree", "joined", "once_in_both", "owned_texts",
    "ranks_among",
    "lengths_at", "node_at", "node_depths", "node_parents", "numbered", "over_runs", "plain_rows",
    "recounted", "reworded", "rooted",
    "same_strings",
    "sequences_in", "shared", "sibling_ranks", "sizes_of",
    "split_strings", "squeezed", "starts_of", "string_hashes", "structure_of", "subtree_sizes",
    "trimmed_items", "visible_length", "visible_texts", "widened", "word_borders",
)  # fmt: skip

# Letters, marks, digits, words of one character, all kinds of white space, lone surrogates, what is beyond.
CHARACTERS = st.sampled_from(
    "aZé ß'’.,-10٣ \t\n\x1c\x85\u2028\u3000\0日本กํา%€|\u0301\u200d👍🏽\ud800\udfff\U0010ffff"
)
TEXTS = st.text(CHARACTERS | st.characters(exclude_categories=()), max_size=30)


STEPS = st.sampled_from(
    ["a", "b", "é", "c", "a[1]", "a[2]", "b[3]", "a[0]", "a[01]", "a[]", "a[x]", "a[1", "a]", "[1]", "", "@a",
     "text()", "text()[2]", "a[99999999999999999999]"]
)  # fmt: skip
PATHS = st.lists(STEPS, max_size=5).map("/".join) | st.lists(STEPS, max_size=5).map(
    lambda steps: "/" + "/".join(steps)
)


def both(name, *given):
    plain, twin = twins[name]
    left, right = plain(*given), twin(*given)
    assert _plainly(left) == _plainly(right)
    return right


def _plainly(answer):
    if isinstance(answer, tuple):
        return tuple(map(_plainly, answer))
    return (answer.dtype, answer.tolist()) if isinstance(answer, np.ndarray) else answer


def ints(numbers):
    return np.array(numbers, dtype=np.int32)


@st.composite
def depth_lists(draw):
    """Returns the depths of a tree in depth-first order."""
    depths = [0]
    for step in draw(st.lists(st.integers(0, 6), max_size=60)):
        depths.append(max(1, depths[-1] + 1 - step))
    return ints(depths)


@compiled
def test_everything_that_is_compiled_has_a_plain_twin():
    assert sorted(twins) == sorted(NAMES)


@compiled
def test_every_compiled_function_has_its_types():
    types = Path(fast.__file__).with_name("_fast.pyi").read_text()
    described = re.findall(r"^def (\w+)", types, re.MULTILINE)
    assert sorted(described) == sorted(name for name, one in vars(native).items() if isroutine(one))


PLAIN_TWIN = re.compile(r"\* Plain twin: ([\w.]+)(?:, once per \w+)?\. Gain: about \d+(?:\.\d)? times")
SOURCE = "\n".join(
    file.read_text(encoding="utf-8") for file in sorted((Path(fast.__file__).parent / "native").glob("*.c"))
)


@pytest.mark.parametrize("name", re.findall(r"\b(?:MANY|ONE)\((\w+)\)", SOURCE))
def test_the_comment_of_a_compiled_function_names_its_plain_twin_and_its_gain(name):
    (begin,) = re.finditer(rf"^static PyObject \*{name}\(", SOURCE, re.MULTILINE)
    comment = SOURCE[: begin.start()].rpartition("/*")[2]
    said = PLAIN_TWIN.search(comment)
    assert said, f"write above {name}: Plain twin: MODULE.FUNCTION. Gain: about N times (bench.speed.twins)"
    module, _, function = said[1].rpartition(".")
    assert hasattr(import_module(f"webvigil.{module}"), function), f"there is no {said[1]}"


@compiled
@pytest.mark.parametrize("path", ["@a/", "text()/", "a/", "/", "//", "a//"])
def test_a_path_that_ends_with_a_slash_leads_nowhere(path):
    found = both("node_at", path, ints([3, 0]), ints([2, 1]), {"a": 0})
    assert found == (0 if path == "/" else -1)


@compiled
def test_the_step_to_the_child_before_the_first_leads_nowhere():
    assert both("node_at", "/a[0]", ints([2, 1, 0]), ints([3, 1, 1]), {"a": 0, "b": 1}) == -1


@compiled
@given(depth_lists(), st.data())
def test_trees_are_the_same(depths, data):  # D4
    structure = both("structure_of", depths)
    both("is_tree", structure)
    both("is_tree", ints(data.draw(st.lists(st.integers(-1, 3), max_size=6))))
    sizes = both("subtree_sizes", depths)
    parents = both("node_parents", depths)
    both("sizes_of", structure)
    both("node_depths", structure)
    both("sibling_ranks", parents)
    marked = np.array(data.draw(st.lists(st.booleans(), min_size=len(depths), max_size=len(depths))))
    both("below", marked, sizes)
    roles = data.draw(st.lists(st.integers(0, 7), min_size=4, max_size=4))
    both("enclosing", marked, sizes)
    names = ints(data.draw(st.lists(st.integers(0, 3), min_size=len(depths), max_size=len(depths))))
    counted = ints(data.draw(st.lists(st.integers(0, 1), min_size=len(depths), max_size=len(depths))))
    both("numbered", parents, names, 4, counted)
    both("visible_texts", ints(roles), names, sizes, marked)
    root = data.draw(st.integers(0, len(depths) - 1))
    both("plain_rows", names, sizes, root, tuple(data.draw(st.permutations([-1, 0, 1, 2, 3]))))
    path = data.draw(PATHS)
    assert -1 <= both("node_at", path, names, sizes, {"a": 0, "b": 1, "é": 3}) < len(depths)
    own = np.array(
        data.draw(st.lists(st.integers(0, 2**64 - 1), min_size=len(depths), max_size=len(depths))),
        dtype=np.uint64,
    )
    both("over_runs", own, sizes, *(table for field in hashes._FIELDS for table in field.powers(len(own))))


@compiled
@given(st.lists(st.integers(0, 9), max_size=40), st.integers(0, 3))
def test_numbers_are_the_same(numbers, fixed):
    both("first_use", ints(numbers), 10, fixed)
    both("starts_of", ints(sorted(numbers)), 12)
    both("between", np.array([(one, one + length) for one, length in pairwise(numbers)], dtype=int).ravel())


ADDRESSES = st.text(st.sampled_from("/a-_%~.1Zé ?#:"), max_size=8) | st.sampled_from(
    ["/a", "/a/", "/a/b.c", "/a//b", "/", "//a", "/.a", "/a/.", "a", "", "/a b", "/é", "/a/b/?x"]
)


@compiled
@given(st.lists(ADDRESSES, max_size=6), st.sampled_from(["", "http://site.test", "http://é"]))
def test_plain_paths_become_absolute(addresses, root):
    both("rooted", root, addresses)


@compiled
@given(st.lists(TEXTS, min_size=1, max_size=12), st.data())
@example(["", " ", "\u3000a ", "b", "\n"], None)
def test_texts_are_the_same(strings, data):  # D4
    table = tuple(strings)
    chosen = st.lists(st.tuples(st.integers(0, len(table) - 1), st.booleans()), max_size=20)
    rows = data.draw(chosen) if data else [(place, place == 3) for place in range(len(table))]
    indices = ints([index for index, _ in rows])
    breaks = np.array([begins for _, begins in rows], dtype=np.bool_)
    both("joined", table, indices, breaks, "\n")
    both("joined", table, indices, breaks, " \u2028 ")
    both("collapsed_texts", table, indices, breaks)
    both("lengths_at", table, indices)
    both("string_hashes", strings)
    both("beyond_ascii", strings)
    both("in_common", Counter(strings), Counter(strings[::2] * 2))


@compiled
@given(TEXTS, TEXTS, TEXTS, TEXTS)
@example("a" * 700, "é", "", "b\n" * 700)
def test_ends_in_common_are_the_same(start, one, other, end):
    same, alike = both("equal_ends", start + one + end, start + other + end)
    assert same >= len(start)
    assert same + alike >= min(len(start + one + end), len(start + other + end), len(start + end))


@compiled
@given(st.data())
def test_strings_that_differ_are_the_same(data):  # G2
    words = st.lists(TEXTS | st.sampled_from(["", "a", "é", "日", "\ud800", "👍"]), min_size=1, max_size=6)
    table, others = tuple(data.draw(words)), tuple(data.draw(words))
    others = data.draw(st.sampled_from([others, table, tuple("".join(list(text)) for text in table)]))
    indices, theirs = (
        ints(data.draw(st.lists(st.integers(-1, len(strings) - 1), min_size=8, max_size=8)))
        for strings in (table, others)
    )
    theirs = data.draw(st.sampled_from([theirs, *([indices] if len(others) >= len(table) else [])]))
    assert both("same_strings", table, indices, others, theirs) == (
        not len(both("differing", table, indices, others, theirs))
    )
    both("reworded", table, indices, others, theirs)
    assert not both("same_strings", table, indices, others, theirs[1:])


@compiled
@given(
    st.text(CHARACTERS | st.sampled_from("<>&\"'\x00\x0b\x7f\x9f\ufffe\uffff") | st.characters(), max_size=30)
)
@example("a<\ud800")
@example("\uffff")
@example("\U0010ffff\U000f0000&")
def test_texts_in_html_are_the_same(text):  # P4
    assert not {*both("html_text", text)} & {*"<>\"'\x00\ud800\uffff"}


@compiled
@given(TEXTS)
@example("l'été 1,234.5 don't a''b 日本語 กํา 5% ًا e\u0301\u0301x👍🏽👍 '")
@example("日\u0301\u0301a")
@example("\u0301a日")
def test_words_are_the_same(text):  # C4
    starts, ends = both("word_borders", text, _class_of)
    both("cut_out", text, starts, ends)
    both("visible_length", text)
    both("ascii_hashes", text, starts, ends, True)
    both("ascii_hashes", text, starts, ends, False)
    both("squeezed", text, starts, np.where(starts % 3 == 0, 0, ends))
    both("squeezed", text, np.arange(len(text) + 1), np.full(len(text) + 1, len(text)))


def hashes_of(numbers):
    """Returns few kinds, as far apart as hashes are."""
    return np.array(numbers, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)


@st.composite
def items(draw):
    kinds = draw(st.sampled_from([1, 2, 4, 30]))
    return hashes_of(draw(st.lists(st.integers(0, kinds), max_size=draw(st.sampled_from([6, 20, 150])))))


@compiled
@given(items(), items(), st.data())
@example(hashes_of([1] * 200), hashes_of([2, *[1] * 190, 2, 1]), None)
@example(hashes_of(range(200)), hashes_of([*range(100, 200), *range(100)]), None)
def test_gaps_between_items_are_the_same(old, new, data):  # C4
    def edges(count):
        return sorted(data.draw(st.tuples(st.integers(0, count), st.integers(0, count))))

    pieces = [0, len(old), 0, len(new)], [*edges(len(old)), *edges(len(new))] if data else [0, 5, 0, 5]
    for piece in pieces:
        both("trimmed_items", old, new, *piece)
        both("exact_gaps", old, new, *piece)
    both("recounted", old, new)
    both("once_in_both", old, new)
    both("ranks_among", old)
    both("shared", old, new)
    begins = data.draw(st.sets(st.integers(0, max(0, len(old) - 1)), max_size=5)) if data else {0, 5, 9}
    if len(old):
        both("block_keys", old, np.array(sorted({0, *begins})), len(old))


@compiled
@given(st.text("abéж日👍", max_size=300), st.text("abéж日👍", max_size=300))
@example("ab" * 64, "b" * 63 + "a" * 65)
@example("".join(map(chr, range(0x400, 0x440))) + "a", "".join(map(chr, range(0x43F, 0x3FF, -1))) + "a")
@example("", "a")
def test_the_common_length_of_texts_is_the_same(old, new):  # C4
    assert both("common_length", old, new) == both("common_length", new, old)


@compiled
@given(items(), st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=3), max_size=5), st.data())
def test_sequences_are_found_at_the_same_places(words, sequences, data):  # C5, C7
    wanted = hashes_of([one for sequence in sequences for one in sequence])
    lengths = np.array([len(sequence) for sequence in sequences], dtype=np.int64)
    edges = st.lists(st.integers(-3, len(words) + 3), max_size=8).map(sorted)
    borders = data.draw(edges)
    starts, ends = np.array(borders[::2], dtype=np.int64), np.array(borders[1::2], dtype=np.int64)
    starts = starts[: len(ends)]
    margin = data.draw(st.integers(0, 3))
    both("sequences_in", words, starts - margin, ends + margin, wanted, lengths)
    whole = np.array([0]), np.array([len(words)])
    both("sequences_in", words, *whole, wanted, lengths)


@compiled
def test_a_piece_before_the_first_item_does_not_lead_outside_of_the_items():  # C5, C7
    before_them = hashes_of([7] * 6)
    before_them[3:] = hashes_of([1, 2, 3])
    pieces = np.array([-5, -2]), np.array([-3, 2])
    found = both("sequences_in", before_them[3:], *pieces, hashes_of([7]), np.array([1]))
    assert [places.tolist() for places in found] == [[], []]


@compiled
@given(st.lists(TEXTS, min_size=1, max_size=8), st.integers(-1, 1), st.data())
def test_stored_strings_are_the_same_or_refused_by_both(strings, more, data):  # D3
    block = "\0".join(strings).encode("utf-8", "surrogatepass")
    damaged = data.draw(st.sampled_from([block, block[:-1], block + b"\xed", b"\xff" + block]))
    for count in {len(strings), max(1, len(strings) + more), damaged.count(b"\0") + 1}:
        answers = []
        for split in twins["split_strings"]:
            try:
                answers.append(split(memoryview(damaged), count))
            except ValueError:
                answers.append("refused")
        assert answers[0] == answers[1]


# What a character begins with, goes on with, and what stands nowhere: at every border of the rules of UTF-8.
BYTES = [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xDF, 0xE0, 0xE1, 0xEC]
BYTES += [0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF]
PARTS = st.lists(st.sampled_from(BYTES), max_size=5).map(bytes) | TEXTS.map(
    lambda text: text.encode("utf-8", "surrogatepass")
)


@compiled
@given(st.lists(PARTS, max_size=5).map(b"".join))
@example(b"\xf4\x90\x80\x80abcdefgh")
@example(b"abcdefg\xe0\x9f\xbf")
@example(b"abcdefgh\xed\xa0\x80")
@example(b"0123456789abcde\xc3\xa9" * 40)
@example(b"\xe6\x97\xa5" * 300)
def test_bytes_that_may_be_no_text_are_read_as_python_reads_them(data):  # D3
    data = data.replace(b"\0", b"")
    try:
        wanted = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        with pytest.raises(UnicodeDecodeError):
            native.split_strings(data, 1)
    else:
        (found,) = native.split_strings(data, 1)
        # A string that takes more room than it needs is not equal to itself in a dictionary.
        assert (found, hash(found), sys.getsizeof(found)) == (wanted, hash(wanted), sys.getsizeof(wanted))


@compiled
def test_every_character_is_read_at_every_place():  # D3
    characters = [*range(1, 0x900), *range(0xD7F0, 0xE010), *range(0xFFF0, 0x10010), 0x10FFFF]
    strings = tuple("abcdefghij"[code % 9 :] + chr(code) + "k" * (code % 11) for code in characters)
    block = "\0".join(strings).encode("utf-8", "surrogatepass")
    assert native.split_strings(block, len(strings)) == strings


@compiled
@given(st.binary(max_size=40), st.sampled_from([1, 2, 4]), st.sampled_from([0, 1]))
def test_stored_numbers_are_the_same(data, width, less):  # D3
    both("widened", memoryview(data[: len(data) // width * width]), width, less)


EVENT = (
    st.tuples(
        st.just("start_element"),
        st.sampled_from(["a", "b", "é"]),
        st.lists(st.tuples(st.sampled_from("xyz"), st.none() | TEXTS), max_size=3),
    )
    | st.tuples(st.just("end_element"))
    | st.tuples(st.just("characters"), TEXTS)
    | st.tuples(st.just("leaf"), st.sampled_from(["#comment", "#cdata", "?xml"]), TEXTS)
)


@compiled
@given(st.lists(EVENT, max_size=40))
def test_the_events_of_a_document_give_the_same_tables_and_columns(events):  # D1
    sinks, opened = (Events(), native.Events()), []
    for name, *rest in events:
        if name == "start_element":
            opened.append(rest[0])
        if name == "end_element" and not opened:
            continue
        for sink in sinks:
            getattr(sink, name)(*(rest if name != "end_element" else opened[-1:]))
        if name == "end_element":
            opened.pop()
    assert _plainly(sinks[0].taken()) == _plainly(sinks[1].taken())


@compiled
def test_places_are_written_the_same(monkeypatch):
    page = b"<p>a<p>b<b>c</b><!--d--><ul><li>e<li>f</ul>" + b"<div>" * 700 + b"<p>g"
    swift, slow = read(page, "text/html"), read(page, "text/html")
    found = [swift.path(node) for node in range(len(swift))]
    assert swift.paths(list(range(len(swift)))) == found
    monkeypatch.setattr(paths, "native", None)
    assert [slow.path(node) for node in range(len(slow))] == found
    assert slow.paths(list(range(len(slow)))) == found


def run_of(start, end, nodes=(1,), elements=(0, 1), names=("#document", "a")):
    """Returns one run of words of a page with one element."""
    run = np.array([start]), np.array([end]), np.array(nodes), ints(elements), 3
    return *run, ints([-1, 0]), ints([0, 1]), ints([1, 1]), ints([1, 1]), names


@compiled
def test_runs_of_words_are_placed_the_same(monkeypatch):  # C4
    page = b"<title>t</title><p>a b<b>c d</b> e<i>f</i><ul><li>g h<li>i</ul>" + b"<div>" * 700 + b"<p>j"
    assert native.run_paths(*run_of(0, 1)) == [("/a",)]
    for kind in ("text/html", "text/plain"):
        digest = read(page, kind)
        part = digest.part(np.arange(len(digest)) % 5 != 3)
        for one in (digest, part):
            words = min(len(one.words), 12)
            runs = np.array([(start, end) for start in range(words) for end in range(start + 1, words + 1)])
            found = paths_of(one, runs)
            with monkeypatch.context() as patched:
                patched.setattr(places, "native", None)
                assert paths_of(one, runs) == found


WRONG = [
    ("subtree_sizes", ints([0, 2])),
    ("subtree_sizes", ints([-1])),
    ("node_parents", ints([1])),
    ("structure_of", ints([0, 1, 9])),
    ("sizes_of", ints([5])),
    ("sizes_of", ints([0, 0])),
    ("node_depths", ints([-3])),
    ("node_depths", ints([2_000_000_000, 2_000_000_000])),
    ("sibling_ranks", ints([-1, 7])),
    ("below", np.ones(3, dtype=np.bool_), ints([1])),
    ("enclosing", np.ones(1, dtype=np.bool_), ints([1, 1])),
    ("numbered", ints([-1, 5]), ints([0, 0]), 1, ints([1, 1])),
    ("numbered", ints([-1, 0]), ints([0, 4]), 1, ints([1, 1])),
    ("numbered", ints([-1]), ints([0]), -4, ints([1])),
    ("first_use", ints([9]), 3),
    ("first_use", ints([-1]), 3),
    ("first_use", ints([0]), 2**40),
    ("starts_of", ints([1]), -2),
    ("over_runs", *[np.zeros(2, dtype=np.uint64), ints([9, 1]), *[np.ones(2, dtype=np.uint64)] * 4]),
    ("over_runs", *[np.zeros(2, dtype=np.uint64), ints([2, 1]), *[np.ones(1, dtype=np.uint64)] * 4]),
    ("joined", ("a",), ints([1]), np.ones(1, dtype=np.bool_), ""),
    ("joined", ("a",), ints([0]), np.ones(2, dtype=np.bool_), ""),
    ("joined", (1,), ints([0]), np.ones(1, dtype=np.bool_), ""),
    ("collapsed_texts", ("a",), ints([-1]), np.ones(1, dtype=np.bool_)),
    ("rooted", b"", []),
    ("rooted", "", ("/a",)),
    ("rooted", "", ["/a", None]),
    ("lengths_at", ["a"], ints([0])),
    ("same_strings", ("a",), ints([1]), ("a",), ints([0])),
    ("same_strings", ("a",), ints([0]), ("a",), ints([-2])),
    ("same_strings", ("a",), ints([0]), (1,), ints([0])),
    ("same_strings", ["a"], ints([0]), ("a",), ints([0])),
    ("differing", ("a",), ints([0]), ("a",), ints([0, 0])),
    ("cut_out", "abc", np.array([2]), np.array([9])),
    ("cut_out", "abc", np.array([2]), np.array([1])),
    ("cut_out", "abc", np.array([-1]), np.array([1])),
    ("cut_out", "abc", np.array([0, 1]), np.array([1])),
    ("split_strings", b"a", 2**62),
    ("split_strings", b"a", -1),
    ("split_strings", b"a\0", 1),
    ("split_strings", b"a\0b", 1),
    ("widened", b"abc", 2, 0),
    ("widened", b"abc", 3, 0),
    ("widened", b"abc", -1, 0),
    ("widened", b"abcd", 4, 2**70),
    ("word_borders", b"a", _class_of),
    ("word_borders", "\u1234", lambda character: 99),
    ("word_borders", "\u1235", lambda character: None),
    ("string_hashes", [[]]),
    ("beyond_ascii", [1]),
    ("in_common", [], {}),
    ("in_common", {"a": "b"}, {"a": 1}),
    ("visible_length", 7),
    ("html_text", b"a"),
    ("paths", [5], ints([-1]), ints([0]), ints([1]), ints([1]), ("#document",)),
    ("paths", [1], ints([-1, 1]), ints([0, 0]), ints([1, 1]), ints([1, 1]), ("a",)),
    ("paths", [1], ints([-1, 0]), ints([0, 3]), ints([1, 1]), ints([1, 1]), ("a",)),
    ("paths", [1], ints([-1, 0]), ints([0, 0]), ints([1]), ints([1, 1]), ("a",)),
    ("paths", [0, 5], ints([-1]), ints([0]), ints([1]), ints([1]), ("#document",)),
    ("paths", [0, "a"], ints([-1]), ints([0]), ints([1]), ints([1]), ("#document",)),
    ("paths", (0,), ints([-1]), ints([0]), ints([1]), ints([1]), ("#document",)),
    ("ascii_hashes", "abc", np.array([2]), np.array([9]), False),
    ("ascii_hashes", "abc", np.array([2]), np.array([1]), False),
    ("ascii_hashes", "abc", np.array([-1]), np.array([1]), False),
    ("ascii_hashes", "abc", np.array([0, 1]), np.array([1]), False),
    ("ascii_hashes", b"abc", np.array([0]), np.array([1]), False),
    ("squeezed", "abc", np.array([-1]), np.array([1])),
    ("squeezed", "abc", np.array([0]), np.array([4])),
    ("squeezed", "abc", np.array([0, 1]), np.array([1])),
    ("trimmed_items", hashes_of([1]), hashes_of([1]), 0, 2, 0, 1),
    ("exact_gaps", hashes_of([1]), hashes_of([1]), 0, 1, -1, 1),
    ("exact_gaps", hashes_of([1]), hashes_of([1]), 1, 0, 0, 1),
    ("exact_gaps", hashes_of([1]), hashes_of([1]), 0, 1, 0, 2**70),
    ("common_length", "a", b"a"),
    ("common_length", None, "a"),
    ("recounted", hashes_of([1]), None),
    ("shared", hashes_of([1]), None),
    ("between", np.array([1])),
    ("between", np.array([1, 0])),
    ("between", np.array([0, 2**62, 0, 2**62])),
    ("block_keys", hashes_of([1]), np.array([0]), 2),
    ("block_keys", hashes_of([1, 2]), np.array([1, 0]), 2),
    ("block_keys", hashes_of([1, 2]), np.array([-1]), 2),
    ("node_at", b"/a", ints([0]), ints([1]), {}),
    ("node_at", "/a", ints([0]), ints([1]), None),
    ("node_at", "/a", ints([0, 0]), ints([1]), {"a": 0}),
    ("node_at", "/a", ints([0, 1]), ints([2, 0]), {"a": 0}),
    ("node_at", "/a", ints([0, 0]), ints([3, 1]), {"a": 0}),
    ("node_at", "/a/a", ints([0, 0]), ints([2, 2**31 - 1]), {"a": 0}),
    ("node_at", "/a", ints([0, 0]), ints([2, 1]), {"a": "b"}),
    ("node_at", "/a", ints([]), ints([]), {"a": 0}),
    ("plain_rows", ints([0]), ints([1]), 1, (0, 1, 2, 3, 4)),
    ("plain_rows", ints([0]), ints([1]), -1, (0, 1, 2, 3, 4)),
    ("plain_rows", ints([0]), ints([2]), 0, (0, 1, 2, 3, 4)),
    ("plain_rows", ints([0, 0]), ints([1]), 0, (0, 1, 2, 3, 4)),
    ("plain_rows", ints([0]), ints([1]), 0, (0, 1, 2, 3)),
    ("plain_rows", ints([0]), ints([1]), 0, (0, 1, 2, 3, "a")),
    ("run_paths", *run_of(0, 2)),
    ("run_paths", *run_of(-1, 1)),
    ("run_paths", *run_of(0, 1, nodes=[7])),
    ("run_paths", *run_of(0, 1, elements=[9])),
    ("run_paths", *run_of(0, 1, elements=[-1])),
    ("run_paths", *run_of(0, 1, names=("a",))),
    ("sequences_in", hashes_of([1]), np.array([0]), np.array([1]), hashes_of([1]), np.array([2])),
    ("sequences_in", hashes_of([1]), np.array([0]), np.array([1]), hashes_of([1]), np.array([0])),
    ("sequences_in", hashes_of([1]), np.array([0]), np.array([1]), hashes_of([1]), np.array([-1])),
    ("sequences_in", hashes_of([1]), np.array([0]), np.array([], dtype=int), hashes_of([1]), np.array([1])),
    ("visible_texts", ints([1]), ints([1]), ints([1]), np.array([False])),
    ("visible_texts", ints([1]), ints([-1]), ints([1]), np.array([False])),
    ("visible_texts", ints([1]), ints([0]), ints([0]), np.array([False])),
    ("visible_texts", ints([1]), ints([0]), ints([2]), np.array([False])),
    ("visible_texts", ints([1]), ints([0, 0]), ints([2]), np.array([False])),
    ("visible_texts", ints([1]), ints([0]), ints([1]), np.array([False, True])),
    ("subtree_sizes", np.zeros((2, 2), dtype=np.int32)),
    ("subtree_sizes", None),
]


@compiled
@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong[0])
def test_what_cannot_be_is_refused(wrong):
    name, *given = wrong
    with pytest.raises((ValueError, TypeError, IndexError, OverflowError)):
        getattr(native, name)(*given)


@compiled
def test_events_that_are_none_are_refused():
    events = native.Events()
    for call in (
        lambda: events.start_element("a", [("x",)]),
        lambda: events.start_element("a", 5),
        lambda: events.start_element(b"a", []),
        lambda: events.start_element("a"),
        lambda: events.characters(None),
        lambda: events.leaf("#comment"),
    ):
        with pytest.raises(TypeError):
            call()
    events.end_element("never begun")
    assert events.taken()[5].tolist()[0] == 0


@compiled
def test_other_numbers_and_views_with_gaps_are_copied():
    depths = np.array([0, 9, 1, 9, 2, 9], dtype=np.int64)[::2]
    assert native.subtree_sizes(depths).tolist() == [3, 2, 1]
    assert arrays.below(np.array([False, True, True])[::-1], ints([3, 2, 1])).tolist() == [True] * 3


_BOTH_WAYS = """
import json, sys
from webvigil import diff, PageDigest
from webvigil.document import fast, read
old, new = (text.encode("utf-8", "surrogatepass") for text in json.load(sys.stdin))
answer = diff(
    old,
    new,
    "any change OR all words except {b} OR keywords: {c} OR phrase: {low risk} OR table: {1} OR list: {1} "
    "OR regular expression: {[a-z]+[0-9]} OR structure OR attributes",
)
digest = read(new, "text/html", "http://site.test/")
again = PageDigest.from_bytes(digest.to_bytes())
ways = [again.path(node) for node in range(len(again))]
told = [repr(answer), digest.signature.hex(), again.shown.text, ways]
print(json.dumps([fast.native is not None, told]))
"""
_OLD = (
    "<title>été</title><h1>Low risk</h1><p class=a>a b c <a href=/x>日本語</a><ul><li>one<li>two2</ul>"
    "<table><tr><th>k<th>v<tr><td>a<td>1,5</table><img src=/i.png>low risk"
)
_NEW = _OLD.replace("b c", "c\u0301 d").replace("two2", "two3").replace("1,5", "2,5").replace("/i", "/j")


def _told(**environment):
    done = subprocess.run(
        [sys.executable, "-c", _BOTH_WAYS],
        input=json.dumps([_OLD, _NEW]),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
    )
    return json.loads(done.stdout)


def test_with_and_without_the_accelerator_the_same_is_found():
    is_compiled, found = _told(WEBVIGIL_PURE="")
    is_pure, plainly = _told(WEBVIGIL_PURE="1")
    assert is_compiled or native is None
    assert not is_pure
    assert found == plainly
    assert "UPDATED" in found[0]


@compiled
@given(st.lists(TEXTS, min_size=1, max_size=6), st.data())
def test_texts_of_cells_are_the_same(strings, data):  # C8
    rows = data.draw(st.lists(st.tuples(st.integers(0, len(strings) - 1), st.booleans()), max_size=12))
    edges = st.tuples(st.integers(0, len(rows)), st.integers(0, len(rows))).map(sorted)
    runs = np.array(data.draw(st.lists(edges, max_size=6)), dtype=np.int64).reshape(-1, 2)
    indices, breaks = ints([index for index, _ in rows]), np.array([begins for _, begins in rows], dtype=bool)
    both("owned_texts", tuple(strings), indices, breaks, runs[:, 0].copy(), runs[:, 1].copy())


@compiled
@pytest.mark.parametrize("wrong", [([5], [0], [1]), ([0], [0], [2]), ([0], [-1], [1]), ([0], [1], [0])])
def test_runs_that_lead_nowhere_are_refused(wrong):
    indices, starts, ends = (np.array(numbers) for numbers in wrong)
    with pytest.raises(IndexError):
        native.owned_texts(("a",), indices.astype(np.int32), np.ones(len(indices), dtype=bool), starts, ends)


@compiled
def test_pieces_outside_of_the_runs_are_not_looked_at():
    """A page with thousands of tables asks for the texts of one after the other; if each time all pieces of
    the page were looked at, 1 MB of tables would take seconds."""
    edges = np.array([1], dtype=np.int64), np.array([2], dtype=np.int64)
    assert both("owned_texts", ("a", "b", 3), ints([9, 1, -7, 2]), np.ones(4, dtype=bool), *edges) == ["b"]
