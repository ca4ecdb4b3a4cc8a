"""Tests that phrases are found again by their surroundings (C6, C7).

The ten cases of CQ Fig. 5 are folders of cases.
"""

from __future__ import annotations

import time

import pytest

from webvigil.detect.context import Boxes
from webvigil.detect.find import find
from webvigil.detect.phrase import _holds, _overlap
from webvigil.document import PageDigest, read
from webvigil.document.masks import view
from webvigil.errors import PatternRefused
from webvigil.model.change import Finding
from webvigil.model.sentinel import ChangeType, Part

PHRASE = "low risk growth investing"


def page(body: str) -> PageDigest:
    return read(f"<body>{body}</body>".encode(), "text/html; charset=utf-8")


def compare(before: str, after: str, phrase: str = PHRASE, option: str = "") -> Finding:
    return find(page(before), page(after), ChangeType("phrase", (phrase,), option))


@pytest.mark.parametrize(
    ("after", "status"),
    [
        ("low risk index investing", "u"),  # 3 of 4 words
        ("low risk growth and value investing", "u"),  # 4 of 4, more between
        ("low risk", "d"),  # 2 of 4 are less than the update factor
        ("high risk growth trading", "d"),
        ("growth risk low investing", "d"),  # the order counts: 2 of 4
    ],
)
def test_three_fifths_of_a_phrase_make_an_update(after: str, status: str):
    text = "<p>one two three four {} five six seven eight</p>"
    (one,) = compare(text.format(PHRASE), text.format(after)).objects
    assert one.status == status
    assert one.after == (after if status == "u" else None)


def test_several_phrases_are_compared_each():
    before, after = page("<p>a b c x</p><p>d e f y</p>"), page("<p>a b z x</p><p>d e f y</p><p>d e f w</p>")
    finding = find(before, after, ChangeType("phrase", ("a b c", "d e f")))
    assert [(one.object, one.status) for one in finding.objects] == [("a b c", "u"), ("d e f", "i")]


def test_an_occurrence_at_the_edge_of_the_page_has_one_box_only():
    (one,) = compare(
        f"<p>{PHRASE} one two three</p>", "<p>low risk index investing one two three</p>"
    ).objects
    assert (one.status, one.after) == ("u", "low risk index investing")
    (one,) = compare(
        f"<p>one two three {PHRASE}</p>", "<p>one two three low risk index investing</p>"
    ).objects
    assert (one.status, one.after) == ("u", "low risk index investing")
    (one,) = compare(f"<p>{PHRASE}</p>", "<p>low risk index investing</p>").objects
    assert (one.status, one.after) == ("u", "low risk index investing")


@pytest.mark.parametrize(
    ("after", "status"),
    [("low risk growth of bonds", "u"), ("low risk of some bonds", "d")],
)
@pytest.mark.parametrize("around", ["one two three {} four five six", "seven eight nine {} ten"])
def test_three_of_five_words_are_alike_enough(around: str, after: str, status: str):
    phrase = "low risk growth investing fund"
    before = f"<p>one two three {phrase} four five six</p>"
    (one,) = compare(before, f"<p>{around.format(after)}</p>", phrase=phrase).objects
    assert one.status == status


def test_a_smaller_box_needs_fewer_words_to_stay():
    """Of ten words on either side six changed, so a box of ten is lost. Of four words the near two stayed."""
    text = "<div>{} c d {} e f {}</div>"
    before = text.format("m n o p q r a b", PHRASE, "g h s t u v w x")
    after = text.format("1 2 3 4 5 6 7 8", "low risk index investing", "9 10 11 12 13 14 15")
    for option in ("context 4", ""):
        (one,) = compare(before, after, option=option).objects
        assert (one.status, one.after) == ("u", "low risk index investing")
    assert Boxes.read("context 4") == Boxes(size=4)


def test_tags_around_lead_to_a_phrase_among_other_words():
    """On a dynamic page all words around the phrase changed, but its row is still the third row."""
    rows = "<table>{}</table>"
    before = rows.format("".join(f"<tr><td>{n}</td><td>{w}</td></tr>" for n, w in enumerate("abcdef")))
    before = before.replace("<td>c</td>", f"<td><b>{PHRASE}</b></td>")
    after = rows.format("".join(f"<tr><td>{n}{n}</td><td>{w}{w}</td></tr>" for n, w in enumerate("ghijkl")))
    after = after.replace("<td>kk</td>", "<td><b>low risk index investing</b></td>")
    (one,) = compare(before, after, option="context 6 tags").objects
    assert (one.status, one.after) == ("u", "low risk index investing")
    assert one.where == ("/html/body/table/tbody/tr[5]/td[2]/b",)


def test_what_stayed_elsewhere_is_not_taken_for_an_update():
    body = "<ul><li>{}</li><li>low risk growth funds</li></ul>"
    (one,) = compare(body.format(PHRASE), body.format("nothing of it")).objects
    assert (one.status, one.where) == ("d", ("/html/body/ul/li[1]",))


def test_a_phrase_that_comes_back_is_an_update_too():
    text = "<p>one two three four {} five six seven eight</p>"
    (one,) = compare(text.format("low risk index investing"), text.format(PHRASE)).objects
    assert (one.status, one.before, one.after) == ("u", "low risk index investing", PHRASE)


def test_a_page_of_one_phrase_over_and_over_does_not_hold_us_up():
    before, after = page(f"<p>{PHRASE}</p>" * 3000), page("<p>low risk index investing</p>" * 3000)
    start = time.process_time()
    finding = find(before, after, ChangeType("phrase", (PHRASE,)))
    assert time.process_time() - start < 5
    assert len(finding.objects) == 3000


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (ChangeType("phrase", ("…",)), "'…' has no letter or digit"),
        (
            ChangeType("phrase", ("a b",), "context ten"),
            "no option 'context ten'; it may be like 'context 5 tags'",
        ),
        (ChangeType("phrase", ("a b",), "context 0"), "no option"),
    ],
)
def test_what_cannot_be_asked_is_refused(change: ChangeType, message: str):
    with pytest.raises(PatternRefused, match=message):
        find(page("<p>a b</p>"), page("<p>a c</p>"), change)


def test_a_phrase_in_a_part_without_elements_is_looked_for():
    """`Within` a regular expression leaves texts without any element."""
    part = Part("regex", "low")
    old, new = (view(page(body), (part,)) for body in ("<p>none</p>", "<p>low</p>"))
    assert [one.status for one in find(old, new, ChangeType("phrase", ("low",))).objects] == ["i"]


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        ((2, 5), (5, 8), False),
        ((2, 5), (4, 8), True),
        ((2, 5), (0, 2), False),
        ((2, 5), (0, 3), True),
        ((2, 5), (3, 4), True),
        ((0, 1), (0, 1), True),
        ((0, 1), (1, 2), False),
        ((1, 2), (0, 1), False),
        (None, (0, 1), False),
    ],
)
def test_two_runs_of_words_overlap_where_they_share_a_word(
    one: tuple[int, int] | None, other: tuple[int, int], meet: bool
):
    assert _overlap(one, other) is meet


@pytest.mark.parametrize(
    ("run", "held"),
    [((0, 1), False), ((0, 2), False), ((0, 3), True), ((2, 3), True), ((3, 4), True), ((4, 6), False)],
)
def test_a_run_holds_a_phrase_that_reaches_into_it(run: tuple[int, int], held: bool):
    assert _holds(["x", "x", "low", "risk", "x", "x"], run, ("low", "risk")) is held
