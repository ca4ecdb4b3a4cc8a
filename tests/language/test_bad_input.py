"""Large, deep, hidden and hostile texts: an answer or a clear message, in time."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from webvigil.errors import MistakeInText
from webvigil.language import check, parse, parse_expression

TYPICAL = """Create Sentinel s{} Using https://www.cnn.com/{}
Monitor all links AND all images
Fetch 2 day
From 12/02/2026 To 01/02/2027
Notify By email jill@example.org Every 4 day
Compare pairwise
"""
USING = "Create Sentinel s Using https://example.org/ "


def seconds(work) -> float:
    """Returns the processor time that the work takes, so that a busy machine does not matter."""
    start = time.process_time()
    work()
    return time.process_time() - start


def only_mistake(text: str) -> MistakeInText:
    (mistake,) = check(text).mistakes
    return mistake


def test_a_typical_text_is_checked_at_once():
    text = TYPICAL.format(1, 1)
    check(text)
    assert min(seconds(lambda: check(text)) for _ in range(20)) < 0.005


# Runs in a process of its own, because tracing the coverage of the tests would take time, too. The best of
# three parts is what the work costs when other processes leave the processor alone.
_TIMED = """
import sys, time
from webvigil.language import check

def timed(text):
    start = time.process_time()
    return len(check(text).sentinels), time.process_time() - start

text = sys.stdin.read()
parts = text.split("-- part")
timed(parts[0])
print(*timed(text), min(taken for _, taken in map(timed, parts[:3])))
"""


@pytest.mark.slow
def test_ten_thousand_sentinels_are_read_within_ten_seconds():
    some = [
        "\n".join(TYPICAL.format(n, n) for n in range(part * 1_000, part * 1_000 + 1_000))
        for part in range(10)
    ]
    done = subprocess.run(
        [sys.executable, "-c", _TIMED],
        input="-- part\n".join(some),
        capture_output=True,
        text=True,
        env={"PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=300,
        check=True,
    )
    found, whole, best_part = done.stdout.split()
    assert int(found) == 10_000
    assert float(best_part) * 10 < 10
    assert float(whole) < 30


def test_progress_is_told_sentinel_by_sentinel():
    text = "\n".join(TYPICAL.format(number, number) for number in range(100))
    told: list[tuple[int, int]] = []
    check(text, progress=lambda done, total: told.append((done, total)))
    assert len(told) == 100
    assert told == sorted(told)
    assert told[-1] == (len(text), len(text))


def test_many_mistakes_keep_their_lines():
    text = "\n".join(f"{USING}\nMontior all links" for _ in range(500))
    assert [mistake.line for mistake in check(text).mistakes] == list(range(2, 1_001, 2))


HUGE = 300_000


@pytest.mark.parametrize(
    "text",
    [
        "x" * HUGE,
        " " * HUGE,
        "--" * (HUGE // 2),
        "{" * HUGE,
        "}" * HUGE,
        "(" * HUGE,
        '"' * HUGE,
        "'" + '\\"' * (HUGE // 2),
        '"' + '\\"' * (HUGE // 2),
        "{" + "\\{" * (HUGE // 2),
        "{a" * (HUGE // 2),
        "{a{b}" * (HUGE // 5),
        "/" + "\\/" * (HUGE // 2),
        "<" * HUGE,
        "\\" * HUGE,
        "create " * (HUGE // 7),
        "sentinel\n" * (HUGE // 9),
        USING + "Monitor " + "NOT " * (HUGE // 4),
        USING + "Monitor phrase: {" + "a" * HUGE,
        "Create Sentinel " + "a" * HUGE,
        "Create Sentinel s Using https://" + "a" * HUGE,
        "\x00" * HUGE,
        "\u202e" * HUGE,
    ],
    ids=lambda text: repr(text[:24]),
)
def test_a_huge_text_of_anything_is_answered(text):
    assert seconds(lambda: check(text)) < 20


@pytest.mark.parametrize(
    "unit", ["()", "Create Sentinel s Using https://example.org/ Montior all links\n"], ids=repr
)
def test_ten_megabytes_are_answered(unit):
    text = unit * (10_000_000 // len(unit))
    assert seconds(lambda: check(text)) < 60


def test_enough_mistakes_are_enough():
    text = f"{USING} Montior all links\n" * 1_500
    *mistakes, last = check(text).mistakes
    assert len(mistakes) == 1_000
    assert str(last) == "line 1001, column 1: after 1,000 mistakes the rest of the text was not read"


LONG = 30_000


@pytest.mark.parametrize(
    "text",
    [
        "Monitor " + "NOT " * (LONG // 4) + "visual",
        "Monitor " + "(" * (LONG // 2) + "visual" + ")" * (LONG // 2 - 10),
        "Monitor " + "(" * LONG,
        "Monitor visual" + " AND visual" * (LONG // 11),
        "Monitor " + "(visual OR " * (LONG // 12) + "visual" + ")" * (LONG // 12),
        "Monitor phrase: {" + "\\{" * (LONG // 2),
        'Monitor phrase: "' + '\\"' * (LONG // 2),
        "Monitor phrase: {" + '"' * LONG + "}",
        "Monitor keywords: {" + "a," * (LONG // 2) + "}",
        "Monitor keywords: {" + '"a' * (LONG // 2) + "}",
        "Monitor keywords: {" + "\\" * (LONG // 2 * 2) + "}",
        "Monitor all words except {" + '"a ' * (LONG // 3) + "}",
        'Monitor phrase: {"' + '", "' * (LONG // 4) + "}",
        "Within " + 'css "a", ' * (LONG // 9),
        "Fetch " + "1 day " * (LONG // 6),
        "Fetch " + "9" * LONG + " day",
        "Priority " + "9" * LONG,
        "When changed > " + "9" * LONG,
        "From " + "1/" * (LONG // 2),
        "From " + "1" * LONG,
        "Notify By email " + "a" * LONG,
        "Notify By email " + "@" * LONG,
        "Notify By " + "a" * LONG,
        "Notify By " + "log," * (LONG // 4),
        "Topic " + "a-" * (LONG // 2),
        "Topic " + "." * LONG,
        "Title '" + "a" * LONG,
        "Ignore /" + "a" * LONG,
    ],
    ids=lambda text: repr(text[:40]),
)
def test_a_long_clause_is_answered_within_seconds(text):
    assert seconds(lambda: check(USING + text)) < 30


@pytest.mark.parametrize(
    "target",
    [
        "(" * 40_000 + "sentinel a",
        "form https://example.org/ {" + "a=" * 40_000 + "}",
        "form https://example.org/ {" + '"a" ' * 20_000 + "}",
        "form https://example.org/ {" + " " * 90_000 + "}",
        "https://" + "(" * 90_000,
        "https://example.org/" + "()" * 40_000,
        "<" + "a" * 90_000,
    ],
    ids=lambda text: repr(text[:40]),
)
def test_a_long_target_is_answered_within_seconds(target):
    assert seconds(lambda: check(f"Create Sentinel s Using {target}")) < 30


def test_a_sentinel_has_a_longest_text():
    mistake = only_mistake(f"{USING} Monitor phrase: {{{'a ' * 60_000}}}")
    assert str(mistake) == "line 1, column 1: a sentinel has at most 100,000 characters, this one has 120,064"


@pytest.mark.parametrize("join", ["NOT {}", "({} AND visual)", "({} OR NOT visual)"])
def test_nesting_has_a_limit_and_no_crash(join):
    def nested(levels: int) -> str:
        before, after = join.split("{}")
        return before * levels + "visual" + after * levels

    parse(f"{USING} Monitor {nested(40)}")
    for levels in (101, 1_000, 4_000):
        with pytest.raises(MistakeInText, match="Monitor is nested more than 100 levels deep"):
            parse(f"{USING} Monitor {nested(levels)}")
        with pytest.raises(MistakeInText, match="the expression is nested more than 100 levels deep"):
            parse_expression(nested(levels))


def test_nested_conditions_and_targets_have_the_same_limit():
    conditions = "NOT " * 1_000 + "changed > 1"
    assert "When is nested more than 100 levels" in str(only_mistake(f"{USING} When {conditions}"))
    targets = "(" * 1_000 + "sentinel a" + " AND sentinel b)" * 1_000
    assert "Using is nested more than 100 levels" in str(only_mistake(f"Create Sentinel s Using {targets}"))


def test_parentheses_without_meaning_are_no_nesting():
    assert parse_expression("(" * 5_000 + "visual" + ")" * 5_000) == parse_expression("visual")


@pytest.mark.parametrize(
    "letter", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\u2028", "\u202a", "\u202e", "\u2066", "\ufeff"]
)
def test_hidden_characters_are_pointed_at(letter):
    mistake = only_mistake(f"{USING}\nMonitor phrase: {{a{letter}b}}")
    assert (mistake.line, mistake.column, mistake.word) == (2, 19, letter)
    assert f"U+{ord(letter):04X}" in mistake.message


@pytest.mark.parametrize(
    "letter", ["\u200b", "\u200d", "\u200e", "\u200f", "\u061c", "\u00ad", "\ue000", "\u00a0", "/", "\\"]
)
def test_names_show_all_they_hold(letter):
    for text in (
        f'Create Sentinel "a{letter}b" Using sentinel t',
        f'{USING} Topic "a{letter}b"',
        f'Create Sentinel s Using sentinel "a{letter}b"',
    ):
        assert "a name" in only_mistake(text).message


def test_joiners_belong_to_phrases():
    persian = "می\u200cخواهم"
    assert parse_expression(f"phrase: {{{persian}}}").arguments == (persian,)


def test_half_a_character_is_refused():
    assert "U+D800" in only_mistake(f"{USING} Title 'a\ud800b'").message
