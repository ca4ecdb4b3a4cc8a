"""The quality corpus is well formed, the scorer counts what a reader would, and the floors hold."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from bench.quality import score
from bench.quality.corpus import PAIRS
from bench.quality.expect import (
    COMBINED,
    TYPES,
    Pair,
    deleted,
    digest,
    either,
    gone,
    inserted,
    more,
    moved,
    new,
    pair,
    replaced,
    shown,
    some,
    type_of,
    updated,
)
from bench.quality.match import tally, words
from bench.quality.pages import edit, swap
from webvigil.model.change import ObjectChange, Status


def told(name: str, status: str, **sides: object) -> ObjectChange:
    return ObjectChange(object=name, status=Status(status), **sides)  # type: ignore[arg-type]


def a_pair(monitor: str, *facts: object) -> Pair:
    return pair("made/up", monitor, "<p>a</p>", "<p>b</p>", *facts)  # type: ignore[arg-type]


# --- The corpus ----------------------------------------------------------------------------------


def test_the_corpus_is_large_and_has_pages_where_nothing_may_be_told():
    assert len(PAIRS) >= 150
    assert sum(one.expected == () for one in PAIRS) >= 40


def test_every_change_type_has_pairs_with_and_without_a_change():
    with_change = Counter(one.type for one in PAIRS if one.changed)
    without = Counter(one.type for one in PAIRS if not one.changed)
    assert set(with_change) == set(without) == {*TYPES, COMBINED}


def test_every_pair_has_a_name_of_its_own():
    assert max(Counter(one.name for one in PAIRS).values()) == 1


def test_pages_differ_and_are_more_than_toys():
    for one in PAIRS:
        assert one.before != one.after or "identical" in one.name
        assert len(one.before.splitlines()) >= 20, one.name


def test_many_scripts_are_covered():
    text = "".join(one.after.decode(errors="ignore") for one in PAIRS)
    assert all(letter in text for letter in "あ急馆خहжßéกά")


def test_the_fingerprint_of_the_corpus_follows_its_pages_and_expectations():
    first = a_pair("all links", new("https://a.example/"))
    assert digest((first,)) == digest((first,))
    assert digest((first,)) != digest((a_pair("all links", gone("https://a.example/")),))


def test_every_monitor_is_an_expression_of_the_language():
    from webvigil.language import parse_expression

    for one in PAIRS:
        parse_expression(one.monitor)


def test_an_expression_counts_for_its_change_type():
    assert type_of("all words except {a}") == "all words except"
    assert type_of("keywords all {a, b} appear") == "keywords all"
    assert type_of('value css "b"') == "value"
    assert type_of("all links AND NOT all images") == "combined"


def test_an_edit_that_does_not_apply_exactly_once_is_refused():
    with pytest.raises(ValueError, match="occurs 2 times"):
        edit("a b a", ("a", "c"))
    assert swap("x y z", "x", "z") == "z y x"


# --- The scorer ----------------------------------------------------------------------------------


def test_a_named_object_is_found_by_name_status_and_counts():
    expected = a_pair("all links", new("https://a.example/x", 1), gone("https://a.example/y"))
    right = [told("https://a.example/x", "i", old=0, new=1), told("https://a.example/y", "d", old=2, new=0)]
    assert tally(expected, right).goodness == 1
    assert tally(expected, right[:1]).recall == 0.5
    assert tally(expected, [*right, told("https://a.example/z", "i")]).precision == pytest.approx(2 / 3)
    assert tally(expected, [told("https://a.example/x", "i", old=0, new=2), right[1]]).recall == 0.5
    assert tally(expected, [told("https://a.example/X", "d"), right[1]]).recall == 0.5


def test_words_count_however_the_runs_are_cut():
    expected = a_pair("all words", inserted("seventy-two million"), deleted("sixty"))
    one_run = [told("sixty", "u", before="sixty", after="seventy-two million")]
    in_pieces = [told("seventy two", "i"), told("million", "i"), told("sixty", "d", before="sixty")]
    assert tally(expected, one_run).goodness == 1
    assert tally(expected, in_pieces).goodness == 1
    assert tally(expected, [told("million", "i")]).recall == 0.25
    half_wrong = tally(expected, [*in_pieces, told("pounds euros", "i")])
    assert half_wrong.recall == 1
    assert half_wrong.precision is not None
    assert half_wrong.precision < 1


def test_words_that_go_and_come_again_in_one_replacement_may_be_told_or_not():
    expected = a_pair("all words", inserted("the new port"), deleted("the old harbour"))
    whole = [told("x", "u", before="the old harbour", after="the new port")]
    apart = [told("old", "d"), told("new", "i"), told("harbour", "d"), told("port", "i")]
    runs = [told("the old harbour", "d"), told("the new port", "i")]
    assert [tally(expected, way).goodness for way in (whole, apart, runs)] == [1, 1, 1]


def test_the_case_of_a_word_matters_in_words_and_not_in_names():
    shout = a_pair("all words", inserted("NOW"), deleted("now"))
    assert tally(shout, [told("now", "u", before="now", after="NOW")]).goodness == 1
    assert (
        tally(a_pair("keywords: {Now}", more("Now", 1, 2)), [told("now", "i+", old=1, new=2)]).goodness == 1
    )


def test_a_row_may_tell_of_its_cells_but_the_whole_table_may_not():
    expected = a_pair("table: {1}", updated("8", "9", "Milk"), updated("in stock", "gone", "Milk"))
    row = told("Milk", "u", before="Milk | 8 | in stock", after="Milk | 9 | gone")
    table = (
        "Bread 3 Butter 4 Milk 8 in stock Eggs 5 Flour 2 Yeast 1 Salt 1 Sugar 2 Oil 6 Rice 3 Beans 2 Tea 7"
    )
    page = told("table", "u", before=table * 2, after=table.replace("8 in stock", "9 gone") * 2)
    assert tally(expected, [row]).goodness == 1
    assert tally(expected, [page]).recall == 0
    cells = [
        told("Milk, price", "u", before="8", after="9"),
        told("Milk", "u", before="in stock", after="gone"),
    ]
    assert tally(expected, cells).goodness == 1


def test_a_move_in_a_table_is_a_move_and_elsewhere_may_be_told_in_two_parts():
    two_parts = [told("Milk", "d"), told("Milk", "i")]
    assert tally(a_pair("table: {1}", moved("Milk")), [told("Milk 8", "m")]).goodness == 1
    assert tally(a_pair("table: {1}", moved("Milk")), two_parts).recall == 0
    assert tally(a_pair("all words", moved("Milk")), two_parts).goodness == 1


def test_a_replacement_is_one_update_or_one_gone_and_one_come():
    expected = a_pair("regular expression: {x}", replaced("$8", "$9"))
    assert tally(expected, [told("$8", "u", before="$8", after="$9")]).goodness == 1
    assert tally(expected, [told("$8", "d-"), told("$9", "i")]).goodness == 1
    assert tally(expected, [told("$8", "d")]).goodness < 1


def test_of_several_accounts_the_best_counts():
    expected = a_pair("list: {1}", either((moved("a"),), (moved("b"),)))
    assert tally(expected, [told("b", "m")]).goodness == 1
    assert tally(expected, [told("c", "m")]).goodness == 0


def test_a_told_object_counts_for_one_expectation_only_once():
    expected = a_pair("phrase: {a}", shown("d", "soap"))
    assert tally(expected, [told("soap", "d"), told("soap", "d")]).precision == 0.5


def test_nothing_expected_and_nothing_told_has_neither_precision_nor_recall():
    quiet = a_pair("all links")
    assert tally(quiet, []).precision is None
    assert tally(quiet, []).recall is None
    assert tally(quiet, [told("x", "i")]).precision == 0


def test_anything_at_all_satisfies_some():
    assert tally(a_pair("exact change", some()), [told("page", "u"), told("x", "i")]).goodness == 1
    assert tally(a_pair("exact change", some()), []).recall == 0


def test_numbers_are_the_same_however_they_are_grouped():
    assert words("1.249,00 €") == words("1249") == ("1249",)
    assert words("3.50") == words("3.5") != words("35")


def test_words_of_scripts_without_spaces_are_single_characters():
    assert words("在庫3点") == ("在", "庫", "3", "点")
    assert words("送料は800円です") == ("送", "料", "は", "800", "円", "で", "す")
    assert words("d’un délai, 2nd don't") == ("d’un", "délai", "2nd", "don't")


def test_figures_of_a_detector_that_misses_one_and_invents_one():
    pairs = (
        a_pair("all links", new("https://a.example/")),
        a_pair("all links", new("https://b.example/")),
        a_pair("all links"),
        a_pair("all images"),
    )
    answers = iter(
        [
            score.Answer(True, (told("https://a.example/", "i"),)),
            score.Answer(False),
            score.Answer(True, (told("https://c.example/", "i"),)),
            score.Answer(False),
        ]
    )
    now = score.figures(score.score(pairs, lambda _: next(answers)))
    assert now["all links"] == {
        "pairs": 3,
        "quiet": 1,
        "right": 1,
        "precision": 0.5,
        "recall": 0.5,
        "verdict": pytest.approx(1 / 3),
    }
    assert now["all images"]["precision"] == now["all images"]["verdict"] == 1
    assert now["all"]["pairs"] == 4


def test_a_detector_that_crashes_misses():
    def broken(_: Pair) -> score.Answer:
        raise RuntimeError("no")

    (result,) = score.score([a_pair("all links")], broken)
    assert not result.verdict
    assert result.answer.trouble == "RuntimeError: no"


def test_what_falls_below_its_floor_is_named():
    now = {"all links": {"precision": 0.9, "recall": 1.0, "verdict": 1.0, "pairs": 3}}
    floors = {"types": {"all links": {"precision": 0.95, "recall": 1.0, "verdict": 1.0}}}
    assert score.below(now, floors) == ["all links: precision 0.900 is below its floor 0.950"]


def test_floors_only_rise_unless_the_corpus_is_another():
    now = {"all": {"precision": 0.9, "recall": 1.0, "verdict": 1.0, "pairs": 3}}
    old = {"corpus": "abc", "types": {"all": {"precision": 0.95, "recall": 0.5, "verdict": 1.0}}}
    assert score.raised(now, old, "abc")["types"]["all"] == {"precision": 0.95, "recall": 1.0, "verdict": 1.0}
    assert score.raised(now, old, "new")["types"]["all"]["precision"] == 0.9


# --- The product ---------------------------------------------------------------------------------


def test_the_floors_hold(capsys):
    assert score.main(["--json"]) == 0
    assert json.loads(capsys.readouterr().out)["corpus"] == json.loads(score.FLOORS.read_text())["corpus"]


def test_a_type_without_pairs_is_trouble(capsys):
    assert score.main(["--type", "weather"]) == 2
    assert "there are: any change" in capsys.readouterr().err
