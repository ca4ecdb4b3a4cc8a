"""What was on an earlier version, or only went, is not new (Q4)."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document import PageDigest, read
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.quiet import LeftOut, Why
from webvigil.trigger import novelty
from webvigil.trigger.novelty import not_new

PAGE = b"<title>The  paper</title><p>Rain in  May<p><a href=/a>one</a><img src=/logo.png?v=1 alt=x>"


def text(after: str | None, name: str = "unknown") -> ObjectChange:
    return ObjectChange(name, Status.UPDATED, before="before", after=after)


def counted(url: str, status: Status = Status.NEW) -> ObjectChange:
    return ObjectChange(url, status, old=0, new=1)


def finding(*objects: ObjectChange) -> Finding:
    return Finding(type="any", objects=objects, score=1, share=1.0)


def left_out(*objects: ObjectChange, earlier: tuple[bytes, ...] = (PAGE,)) -> list[ObjectChange]:
    found = not_new([finding(*objects)], map(read, earlier))
    assert found == [LeftOut(Why.NOT_NEW, one.object) for one in found]
    return [one.object for one in found]


@pytest.mark.parametrize(
    ("one", "was_there"),
    [
        (text("Rain in May"), True),
        (text("in  May"), True),
        (text("ain in May"), False),
        (text("Rain in Ma"), False),
        (text("The paper"), True),
        (text("Snow"), False),
        (text(None, "Rain"), True),
        (text("", "Snow"), False),
        (text("Snow", "Rain"), False),
        (counted("/a"), True),
        (counted("/b"), False),
        (counted("/logo.png?v=1"), True),
        (counted("Rain"), False),
        (counted("/b", Status.GONE), True),
        (counted("/b", Status.FEWER), True),
        (text("Snow")._replace(status=Status.GONE), True),
        (counted("/b", Status.MORE), False),
    ],
)
def test_an_object_is_known_if_an_earlier_version_had_it_or_if_it_only_went(
    one: ObjectChange, was_there: bool
):
    assert left_out(one) == [one] * was_there


def test_any_earlier_version_counts_and_each_object_once():
    rain, snow, wind = text("Rain"), text("Snow"), text("Wind")
    assert left_out(rain, snow, wind, earlier=(PAGE, b"<p>Snow", b"<p>Rain Snow")) == [rain, snow]


def test_no_more_versions_are_read_than_needed():
    def versions() -> Iterator[PageDigest]:
        yield read(PAGE)
        yield read(b"<p>Snow")
        pytest.fail("everything was found")

    assert len(not_new([finding(text("Snow"), text("Rain"))], versions())) == 2


def test_nothing_is_read_if_everything_only_went():
    def versions() -> Iterator[PageDigest]:
        yield pytest.fail("nothing is looked for")

    gone = counted("/b", Status.GONE)
    assert [one.object for one in not_new([finding(gone)], versions())] == [gone]


letters = st.text("ab_ .-é☺1", min_size=1, max_size=5)


@given(st.lists(letters, min_size=1, max_size=8), st.text("ab_ .-é☺1", max_size=40))
def test_many_texts_are_found_as_a_few_are(wanted: list[str], page: str):
    few, many = novelty._Text(page), novelty._Text(page)
    many._asked = novelty._FEW
    for one in wanted:
        one = " ".join(one.split()) or "a"
        there = re.search(rf"(?<!\w){re.escape(one)}(?!\w)", page) is not None
        assert few.has(one) is there
        assert many.has(one) is there


def _new(said: str) -> ObjectChange:
    return ObjectChange(object=said, status=Status.NEW, after=said, where=("/html/body/p",))


def test_thousands_of_texts_are_looked_for_in_a_long_page():
    page = read(("<p>" + " ".join(f"w{number}" for number in range(150_000))).encode())
    there = [_new(f"w{number} w{number + 1}") for number in range(0, 10_000, 2)]
    absent = [_new(f"w{number} w{number + 2}") for number in range(0, 10_000, 2)]
    endless = _new(" ".join(f"w{number}" for number in range(20, 100_000)))
    begun = time.process_time()
    found = not_new([Finding(type="any change", objects=(*there, *absent, endless))], [page])
    assert time.process_time() - begun < 4
    assert [one.object for one in found] == [*there, endless]


def test_a_search_that_goes_on_for_too_long_finds_nothing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(novelty, "_MOST_TRIED", 50)
    page = novelty._Text("a b " * 100 + "a c")
    page._asked = novelty._FEW
    assert page.has("a c")
    assert not page.has("b b")
    assert not page.has("a b")


@pytest.mark.parametrize(
    ("page", "stands"),
    [
        ("tide", True),
        ("the tide rises", True),
        ("(tide)", True),
        ("a tide", True),
        ("tide a", True),
        ("a xtide b", False),  # begins within a word
        ("a tidex b", False),  # ends within a word
        ("xtide", False),
        ("tidex", False),
        ("_tide", False),
        ("tide_", False),
        ("a tidex, the tide", True),
    ],
)
@pytest.mark.parametrize("asked", [0, novelty._FEW])
def test_a_text_stands_where_it_neither_begins_nor_ends_within_a_word(page: str, stands: bool, asked: int):
    text = novelty._Text(page)
    text._asked = asked
    assert text.has("tide") is stands


@pytest.mark.parametrize(
    ("page", "stands"),
    [
        ("a tide", True),
        ("b a tide", True),
        ("a a xa tide", False),
        ("xa tide", False),
        ("high tide at ten", False),
    ],
)
def test_the_first_word_of_several_begins_a_word_on_the_page(page: str, stands: bool):
    text = novelty._Text(page)
    text._asked = novelty._FEW
    assert text.has("a tide") is stands


@pytest.mark.parametrize(
    ("page", "stands"),
    [("tide a", True), ("tide a b", True), ("a a tide ax", False), ("a a tide ax b", False)],
)
def test_the_last_word_of_several_ends_a_word_on_the_page(page: str, stands: bool):
    text = novelty._Text(page)
    text._asked = novelty._FEW
    assert text.has("tide a") is stands
