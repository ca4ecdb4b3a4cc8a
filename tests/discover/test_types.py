"""Types are found wherever an exhaustive search finds them, and hostile pages take little time (S1, S3)."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webvigil.discover.description import Choice, Element, Flow, ServiceClass, State, Type
from webvigil.discover.service import service_class, shipped
from webvigil.discover.types import Types


def types_of(*types: Type) -> Types:
    flow = Flow(states=(State(name="start", type="HTMLform", start=True),), edges=())
    return Types(ServiceClass(name="t", types=types, flow=flow))


def on(text: str, source: str = "", links: str = ""):
    return {"text": text, "source": source, "links": links}.__getitem__


# --- against brute force ------------------------------------------------------------------------------

PATTERNS = ("a", "b+", "[ab]{1,2}", "ab|c", r"\s", "c.c", "a[^a]")
patterns = st.sampled_from(PATTERNS)
counts = st.tuples(st.integers(0, 2), st.one_of(st.none(), st.integers(1, 3))).filter(
    lambda pair: pair[1] is None or pair[1] >= pair[0]
)


@st.composite
def elements(draw: st.DrawFn, names: tuple[str, ...], least: int = 0) -> Element:
    low, high = draw(counts)
    low = max(low, least)
    high = None if high is None else max(high, low)
    if names and draw(st.booleans()):
        return Element(type=draw(st.sampled_from(names)), least=low, most=high)
    return Element(pattern=draw(patterns), least=low, most=high)


@st.composite
def families(draw: st.DrawFn) -> tuple[Type, ...]:
    """Draws types, each made of earlier ones."""
    found = [Type(name="t0", base="string", pattern=draw(patterns))]
    for number in range(1, draw(st.integers(2, 4))):
        names = tuple(kind.name for kind in found)
        part = st.one_of(
            elements(names),
            st.builds(
                lambda one, two: Choice(alternatives=(one, two)), elements(names, 1), elements(names, 1)
            ),
        )
        parts = tuple(draw(st.lists(part, min_size=1, max_size=3)))
        found.append(Type(name=f"t{number}", parts=parts))
    return tuple(found)


def ends(types: dict[str, Type], part: Element | Choice | Type, text: str, start: int) -> set[int]:
    """Returns where a part that begins at `start` may end, by trying every end."""
    if isinstance(part, Type) and part.parts:
        reached = {start}
        for one in part.parts:
            reached = {end for place in reached for end in ends(types, one, text, place)}
        return reached
    if isinstance(part, Type):
        return {end for end in range(start, len(text) + 1) if re.fullmatch(part.pattern, text[start:end])}
    if isinstance(part, Choice):
        return {end for one in part.alternatives for end in ends(types, one, text, start)}
    inner = Type(name="", base="string", pattern=part.pattern) if part.pattern else types[part.type]
    return repeated(types, inner, part.least, part.most, text, start)


def repeated(
    types: dict[str, Type], inner: Type, least: int, most: int | None, text: str, start: int
) -> set[int]:
    reached, now = ({start} if least == 0 else set[int]()), {start}
    for number in range(1, (most if most is not None else least + len(text) + 1) + 1):
        now = {end for place in now for end in ends(types, inner, text, place)}
        if number >= least:
            reached |= now
    return reached


@settings(max_examples=150)
@given(families(), st.text("abc \n", max_size=9))
def test_a_type_is_found_exactly_where_brute_force_finds_it(family: tuple[Type, ...], text: str):
    by_name = {kind.name: kind for kind in family}
    types = types_of(*family)
    for kind in family:
        there = any(end > start for start in range(len(text)) for end in ends(by_name, kind, text, start))
        found = types.find(kind.name, on(text))
        # An optional part is "found" on every page, so the test compares whether any text was recognised.
        assert bool(found and found.texts) == there, (kind, text)


@settings(max_examples=100)
@given(families(), st.text("abc \n", max_size=7))
def test_a_value_fits_a_type_as_a_whole_or_not_at_all(family: tuple[Type, ...], value: str):
    by_name = {kind.name: kind for kind in family}
    for kind in family:
        assert types_of(*family).fits(kind.name, value) == (len(value) in ends(by_name, kind, value, 0))


def test_alternatives_that_repeat_follow_each_other():
    twice = Choice(alternatives=(Element(pattern="a", least=2, most=None),))
    types = types_of(Type(name="Twice", parts=(twice,)))
    assert types.find("Twice", on("a a")) is None
    assert types.find("Twice", on("b aa")).texts == ("aa",)


# --- by example ---------------------------------------------------------------------------------------


def test_the_alignment_of_the_thesis_is_recognised():
    types = Types(service_class("dna-blast"))
    row = "Query: 280 TGGCAGGCGTCCT 292"
    assert types.find("AlignedRow", on(f"before\n{row}\nafter")).texts == (row,)
    assert types.find("AlignedRow", on("Query: 280 MKTAYIAKQRQISFVKS 292")) is None


def test_loose_parts_stand_anywhere_and_in_other_views():
    link = Type(name="Link", parts=(Element(pattern='href="[^"]+"'),), view="links")
    whole = Type(
        name="Whole", parts=(Element(type="Link", least=2), Element(pattern="found \\d+", loose=True))
    )
    types = types_of(link, whole)
    assert types.find("Whole", on("found 12", links='href="/a" A\nhref="/b" B'))
    assert types.find("Whole", on("found 12", links='href="/a" A')) is None
    assert types.find("Whole", on("lost 12", links='href="/a" A\nhref="/b" B')) is None


def test_it_is_told_by_which_alternative_a_type_was_found():
    kind = Type(
        name="Page",
        parts=(Choice(alternatives=(Element(pattern="row", name="rows"), Element(pattern="none"))),),
    )
    types = types_of(kind)
    assert types.find("Page", on("none but a row")).way == ("rows",)
    assert types.find("Page", on("none")).way == ("string",)


def test_what_was_there_before_is_not_found():
    types = types_of(Type(name="Row", base="string", pattern="row \\d"))
    known = types.texts("Row", on("row 1\nrow 2"))
    assert types.find("Row", on("row 2\nrow 1"), known) is None
    assert types.find("Row", on("row 2\nrow 3"), known).texts == ("row 3",)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", shipped())
@pytest.mark.parametrize(
    "page",
    [
        "a" * 400_000,
        "1 " * 200_000,
        "x\t" * 200_000,
        "08:30 " * 60_000,
        "ACGTACGTACGT " * 30_000,
        "Query: 1 " * 40_000,
        "$1 " * 130_000,
        "\n" * 400_000,
        "| " * 200_000,
    ],
    ids=range(9),
)
def test_hostile_pages_are_looked_at_in_a_moment(name: str, page: str):
    service = service_class(name)
    types = Types(service)
    begun = time.process_time()
    for kind in service.types:
        types.find(kind.name, on(page, page, page))
    assert time.process_time() - begun < 10


def test_a_pattern_made_to_explode_does_not():
    types = types_of(Type(name="Bad", base="string", pattern="(?:a+)+b|(?:a|aa)+c|(?:.*a){20}z"))
    begun = time.process_time()
    assert types.find("Bad", on("a" * 300_000)) is None
    assert time.process_time() - begun < 10
