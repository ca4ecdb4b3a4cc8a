"""`value jq` needs an optional library; what programs return, and that none holds up a worker (C14)."""

from __future__ import annotations

import time
from typing import Any

import pytest

from webvigil.detect import jq, value
from webvigil.detect.find import check, find
from webvigil.document import read
from webvigil.errors import PatternRefused
from webvigil.language import parse, print_sentinel
from webvigil.model.sentinel import ChangeType

SHIPS = b'{"ships": [{"name": "Ada", "at": 1}, {"name": "B\\u00f6", "at": 5}]}'


def asked(program: str) -> ChangeType:
    return ChangeType("value", (program,), "jq")


@pytest.mark.parametrize(
    ("program", "values"),
    [
        (".ships[].name", ["Ada", "Bö"]),
        (".ships | length", ["2"]),
        (".ships[] | select(.at > 3) | .name", ["Bö"]),
        ("[.ships[].at]", ["[1, 5]"]),
        ('"import $ENV"', ["import $ENV"]),
        (".none", ["null"]),
        (".ships[].name.x", []),
    ],
)
def test_a_program_gives_values(program: str, values: list[str]):
    found = value.found(read(SHIPS, "application/json"), asked(program))
    assert [one.value.text for one in found] == values
    assert {one.node for one in found} <= {1}, "a program reads the data as a whole"


def test_json_that_came_as_html_is_asked_too():
    assert [one.value.text for one in value.found(read(SHIPS, "text/html"), asked(".ships[0].at"))] == ["1"]
    assert value.found(read(b"<p>no data", "text/html"), asked(".a")) == []


def test_a_changed_value_is_told():
    old, new = (read(body, "application/json") for body in (SHIPS, SHIPS.replace(b"5", b"7")))
    (change,) = find(old, new, asked(".ships | map(.at) | add")).objects
    assert (change.before, change.after) == ("6", "8")


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (".ships[", "the jq program '.ships[' cannot be read: "),
        ("$ENV.PATH", "a jq program reads the page and nothing else; leave out $ENV"),
        ("env", "a jq program reads the page and nothing else; leave out env"),
        ('import "a" as a; .', "a jq program reads the page and nothing else; leave out import"),
        (
            'include "a" {search: "/etc"}; .',
            "a jq program reads the page and nothing else; leave out include",
        ),
        ("." * 1001, "the jq program is too long: at most 1000 characters"),
    ],
)
def test_a_program_that_cannot_run_is_refused(program: str, said: str):
    with pytest.raises(PatternRefused) as refused:
        check(asked(program))
    assert str(refused.value).startswith(said)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("program", ["last(range(1e12))", "[repeat(1)]", "def f: f; f", '"x" * 1e9 | length'])
def test_no_program_runs_for_ever(program: str):
    begun = time.monotonic()
    assert value.found(read(SHIPS, "application/json"), asked(program)) == []
    assert time.monotonic() - begun < 20
    with pytest.raises(PatternRefused):
        jq.values(read(SHIPS, "application/json"), program)


def test_without_the_extra_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch):
    jq.check.cache_clear()

    def nothing(name: str, *args: Any) -> None:
        return None

    monkeypatch.setattr(jq, "find_spec", nothing)
    with pytest.raises(PatternRefused, match=r"jq is not installed here; .* pip install 'webvigil\[jq\]'"):
        check(asked(".a"))
    jq.check.cache_clear()


def test_a_jq_program_is_read_and_printed_by_the_language():
    (one,) = parse('Create Sentinel s Using https://a.example/ Monitor value jq ".a | length"')
    assert one.monitor == asked(".a | length")
    assert 'Monitor value jq ".a | length"' in print_sentinel(one)
