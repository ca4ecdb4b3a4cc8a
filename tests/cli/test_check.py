"""`webvigil check` prints canonical text or JSON on standard output and mistakes on standard error (U3)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.whole import serving

GOOD = "create sentinel s1 using https://example.org/ monitor all links fetch 2 days"
CANONICAL = "Create Sentinel s1 Using https://example.org/\nMonitor all links\nFetch 2 day\n"
EXPECTED = "expected AND, OR or a clause such as Monitor, Fetch, From or Notify By"
BAD = "Create Sentinel s2 Using https://example.org/\nMontior all links\n"


@pytest.fixture
def webvigil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., CompletedProcess[str]]:
    monkeypatch.chdir(tmp_path)

    def run(*words: str, typed: str | bytes = "") -> CompletedProcess[str]:
        return serving.webvigil(*words, text=typed)

    return run


def test_good_sentinels_are_printed_in_their_canonical_form(webvigil):
    done = webvigil("check", typed=GOOD)
    assert (done.returncode, done.stdout, done.stderr) == (0, CANONICAL, "")


def test_a_question_that_nobody_here_can_judge_is_a_warning_and_no_mistake(webvigil):
    done = webvigil("check", typed=f'{GOOD} when means "it is cheaper"')
    assert done.returncode == 0
    assert done.stderr.startswith("warning: s1: no language model is set up here")
    said = json.loads(webvigil("check", "--json", typed=f"{GOOD} summary on").stdout)
    assert (len(said["warnings"]), said["mistakes"]) == (1, [])


def test_a_file_may_hold_good_and_bad(webvigil, tmp_path):
    (tmp_path / "sentinels.txt").write_text(f"\ufeff{GOOD}\n{BAD}", "utf-8")
    done = webvigil("check", "sentinels.txt")
    assert done.returncode == 2
    assert done.stdout == CANONICAL
    assert done.stderr.splitlines() == [
        f"line 3, column 1: {EXPECTED}, but found 'Montior'; did you mean Monitor?",
        "  Montior all links",
        "  ^^^^^^^",
    ]


def test_programs_get_json(webvigil):
    done = webvigil("check", "-", "--json", typed=f"{GOOD}\n{BAD}")
    answer = json.loads(done.stdout)
    assert done.returncode == 2
    assert answer["sentinels"] == [
        {
            "name": "s1",
            "target": {"url": "https://example.org/"},
            "monitor": {"type": "all links"},
            "fetch": {"every": 172800},
        }
    ]
    assert [(one["line"], one["word"], one["suggestion"]) for one in answer["mistakes"]] == [
        (3, "Montior", "Monitor")
    ]


def test_nothing_is_fine(webvigil):
    done = webvigil("check", typed="-- no sentinels yet\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("words", "typed", "said"),
    [
        (["no-such-file.txt"], b"", "no-such-file.txt"),
        (["."], b"", "is a directory"),
        (["-"], b"Create\nSentinel \xff", "line 2 is not UTF-8 text"),
    ],
)
def test_trouble_is_one_clear_line(webvigil, words, typed, said):
    done = webvigil("check", *words, typed=typed)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr


def test_help_has_an_example(webvigil):
    assert "webvigil check sentinels.txt" in webvigil("check", "--help").stdout
