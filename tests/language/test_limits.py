"""What is as long, as deep or as many as it may be is read and written; one more is refused, and said so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from webvigil.errors import MistakeInText, SentinelRefused
from webvigil.language import parse, print_sentinel, sentinel_from_json
from webvigil.language.names import trouble_with
from webvigil.model.approach import Step
from webvigil.model.sentinel import ChangeType, Condition, Not, NotCondition, Sentinel, WebPage

URL = "http://a.test/"
PLAIN = f"Create Sentinel s Using {URL} "


def of_letters(text: str) -> Callable[[int], str]:
    return lambda count: PLAIN + text.replace("…", "x" * count)


@pytest.mark.parametrize(
    ("text", "most", "refusal"),
    [
        (
            lambda n: f"Create Sentinel {'x' * n} Using {URL}",
            100,
            "a name has at most 100 characters, this one 101",
        ),
        (
            lambda n: f"Create Sentinel s Using {URL}{'x' * (n - len(URL))}",
            8_000,
            "a web address has at most 8000 characters, this one 8001",
        ),
        (
            lambda n: PLAIN + 'Title "' + "x" * (n - len(PLAIN) - 8) + '"',
            100_000,
            "a sentinel has at most 100,000 characters, this one has 100,001",
        ),
        (lambda n: f'{PLAIN}Agent "WebVigil{"x" * (n - 8)}"', 300, "Agent has at most 300 characters"),
        (of_letters("Topic …"), 100, "a name has at most 100 characters, this one 101"),
        (
            lambda n: f"{PLAIN}Topic {'a' * 95}, {'b' * 95}, {'c' * (n - 194)}",
            200,
            "topics have at most 200 letters together",
        ),
        (lambda n: f"{PLAIN}Steps wait {n} second", 60, "a step waits at most 60 seconds, not 61"),
        (
            lambda n: PLAIN + "Steps " + ", ".join(["press Enter"] * n),
            50,
            "a page is approached in at most 50 steps, not 51",
        ),
        (of_letters('When means "…"'), 500, "the sentence behind means has more than 500 letters"),
        (of_letters('Message title "…"'), 300, "the title of Message has more than 300 letters"),
        (of_letters('Message body "…"'), 10_000, "the body of Message has more than 10,000 letters"),
        (lambda n: f"{PLAIN}Fetch Every {n} day", 36_525, "an interval lasts at most 100 years"),
        (lambda n: f"{PLAIN}Depth {n}", 2, "'3' is not a whole number from 0 to 2"),
        (
            lambda n: f"{PLAIN}When {'NOT ' * (n - 1)}changed > 1",
            100,
            "When is nested more than 100 levels deep",
        ),
        (
            lambda n: f"{PLAIN}Monitor {'NOT ' * (n - 1)}all links",
            100,
            "Monitor is nested more than 100 levels deep",
        ),
    ],
)
def test_a_text_at_its_limit_is_read_and_written(text: Callable[[int], str], most: int, refusal: str):
    (one,) = parse(text(most))
    if most < 100_000:
        assert parse(print_sentinel(one)) == [one]
    with pytest.raises(MistakeInText) as caught:
        parse(text(most + 1))
    assert caught.value.message == refusal


def nested(levels: int) -> Not | ChangeType:
    expression: Not | ChangeType = ChangeType("all links")
    for _ in range(levels - 1):
        expression = Not(expression)
    return expression


def doubted(levels: int) -> NotCondition | Condition:
    condition: NotCondition | Condition = Condition("changed", ">", 1)
    for _ in range(levels - 1):
        condition = NotCondition(condition)
    return condition


SENTINEL = Sentinel(name="s", target=WebPage(URL))


@pytest.mark.parametrize(
    ("fields", "most", "refusal"),
    [
        (lambda n: {"monitor": nested(n)}, 100, "it is nested more than 100 levels deep"),
        (lambda n: {"when": doubted(n)}, 100, "it is nested more than 100 levels deep"),
        (
            lambda n: {"topics": ("a" * 95, "b" * 95, "c" * (n - 194))},
            200,
            "topics have at most 200 letters together",
        ),
        (lambda n: {"steps": (Step("press", text="Enter"),) * n}, 50, "it has more than 50 steps"),
        (
            lambda n: {"target": WebPage(URL + "x" * (n - len(URL)))},
            8_000,
            "an address is too long or has a character that must be written as %…",
        ),
        (lambda n: {"name": "x" * n}, 100, "a name has at most 100 characters, this one 101"),
    ],
)
def test_a_value_at_its_limit_is_written(fields: Callable[[int], dict[str, object]], most: int, refusal: str):
    one = replace(SENTINEL, **fields(most))
    assert parse(print_sentinel(one)) == [one]
    with pytest.raises(SentinelRefused) as caught:
        print_sentinel(replace(SENTINEL, **fields(most + 1)))
    assert str(caught.value).endswith(f" cannot be written: {refusal}")


def test_a_text_of_more_than_a_hundred_thousand_letters_is_not_written():
    room = 100_000 - len(print_sentinel(replace(SENTINEL, title="x")))
    assert len(print_sentinel(replace(SENTINEL, title="x" * (room + 1)))) == 100_000
    with pytest.raises(SentinelRefused) as caught:
        print_sentinel(replace(SENTINEL, title="x" * (room + 2)))
    assert str(caught.value) == "the sentinel 's' cannot be written: it has more than 100,000 characters"


@pytest.mark.parametrize(
    ("name", "trouble"),
    [
        ("a", ""),
        ("ä é 7", ""),
        ("!", "a name has at least one letter or digit"),
        ("", "a name has at least one letter or digit"),
        ("x" * 100, ""),
        ("x" * 101, "a name has at most 100 characters, this one 101"),
        ("a/b", "a name cannot contain '/'"),
        ("a\\b", "a name cannot contain '\\'"),
        ("a\u200bb", "a name cannot contain U+200B zero width space"),
        ("a\x07b", "a name cannot contain U+0007 control character"),
        (" a", "a name has no spaces at its ends and no two in a row"),
        ("a  b", "a name has no spaces at its ends and no two in a row"),
        ("a\u0308", "a name must be in Unicode's composed form (NFC)"),
    ],
)
def test_what_is_wrong_with_a_name(name: str, trouble: str):
    assert trouble_with(name) == trouble


@pytest.mark.parametrize(("length", "shown"), [(40, "x" * 40), (41, "x" * 39 + "…")])
def test_forty_letters_of_a_wrong_word_are_shown(length: int, shown: str):
    with pytest.raises(MistakeInText) as caught:
        parse(f"Create Sentinel s Using {URL} {'x' * length}")
    assert f"found '{shown}'" in caught.value.message
    assert caught.value.word == shown


def joined(levels: int) -> Any:
    data: Any = {"type": "all links"}
    for _ in range(levels - 1):
        data = {"and": [data, {"type": "visual"}]}
    return data


def joined_conditions(levels: int) -> Any:
    data: Any = {"subject": "changed", "operator": ">", "number": 1}
    for _ in range(levels - 1):
        data = {"or": [data, {"subject": "in stock"}]}
    return data


def joined_pages(levels: int) -> Any:
    data: Any = {"url": URL}
    for _ in range(levels - 1):
        data = {"and": [data, {"sentinel": "t"}]}
    return data


@pytest.mark.parametrize(
    ("member", "nested_data"),
    [("monitor", joined), ("when", joined_conditions), ("target", joined_pages)],
)
def test_data_is_read_as_deep_as_a_text(member: str, nested_data: Callable[[int], Any]):
    plain = {"name": "s", "target": {"url": URL}}
    one = sentinel_from_json(plain | {member: nested_data(100)})
    assert parse(print_sentinel(one)) == [one]
    for levels in (101, 300):
        with pytest.raises(SentinelRefused, match=r"nested more than 100 levels deep$"):
            sentinel_from_json(plain | {member: nested_data(levels)})


@pytest.mark.parametrize(
    ("text", "place"),
    [("\nfoo", (2, 1)), ("\n\n  foo", (3, 3)), ("foo", (1, 1)), ("-- a\nfoo", (2, 1)), ("\n\n\x07", (3, 1))],
)
def test_a_mistake_before_the_first_sentinel_has_its_place(text: str, place: tuple[int, int]):
    with pytest.raises(MistakeInText) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == place
