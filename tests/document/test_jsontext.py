"""JSON is read as a tree with the same values that Python's own reader finds."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document import read
from webvigil.document.jsontext import NotJson, bare_json, json_in, read_json, read_ndjson

numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


@given(values, st.sampled_from([None, 2]), st.booleans())
def test_any_json_comes_back_with_the_same_value(value, indent, ascii_only):  # D2
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    digest = read_json(text)
    assert json.loads(digest.as_document()) == value
    assert read(digest.as_document(), digest.content_type) == digest


@given(st.text('[]{},:"0 1.eE+-\\ntrufalse', max_size=12))
def test_what_python_refuses_is_no_json(text):
    try:
        json.loads(text, parse_constant=_refuse)
    except ValueError:
        with pytest.raises(NotJson):
            read_json(text)
    else:
        assert json.loads(read_json(text).as_document()) == json.loads(text)


def _refuse(name):
    raise ValueError(name)


def test_numbers_stay_as_written_and_repeated_keys_stay():
    body = b'{"a": 1.50, "a": 1e400, "b": -0}'
    assert read(body, "application/json").as_document() == b'{"a":1.50,"a":1e400,"b":-0}'


def test_a_place_is_written_as_a_json_path():  # C14
    digest = read(b'{"items": [{"price": 1}, {"price": 2, "odd key": null}]}', "application/json")
    paths = {digest.path(node) for node in range(1, len(digest))}
    assert {"$", "$.items", "$.items[1].price", '$.items[1]["odd key"]'} <= paths


def test_a_lone_surrogate_survives():
    digest = read(rb'["\ud800"]', "application/json")
    assert digest.texts == ("\ud800",)
    assert json.loads(digest.as_document()) == ["\ud800"]
    assert digest.words.words == []
    assert read(digest.as_document(), "application/json") == digest


def test_nesting_has_no_limit():
    depth = 100_000
    digest = read(b"[" * depth + b"]" * depth, "application/json")
    assert len(digest) == depth + 1
    assert digest.as_document() == b"[" * depth + b"]" * depth


def test_what_is_no_json_is_read_as_text():
    assert read(b"{broken", "application/json").kind == "text"


def test_only_what_stands_before_json_is_taken_away():
    for guard in ("", ")]}',", "while(1);", "for (;;);", "/**/"):
        assert bare_json(guard + '{"a": "x/**/y while(1);"}') == '{"a": "x/**/y while(1);"}'


def test_much_white_space_takes_time_with_its_length():
    started = time.process_time()
    assert bare_json("{" + " " * 300_000 + "}")
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("", "the text ends too early"),
        ("[", "the text ends too early"),
        ("[]x", "the text ends too early"),
        ("NaN", "the text ends too early"),
        ('["a"', "the text ends too early"),
        ("[1", "the text ends too early"),
        ("1 2", "'2' stands where the end should be"),
        ("[1]]", "']' stands where the end should be"),
        ("true false", "'false' stands where the end should be"),
        ("[1 2]", "'2' stands where a comma or ] should be"),
        ("[1}", "'}' stands where a comma or ] should be"),
        ('{"a":1]', "']' stands where a comma or } should be"),
        ('{"a":1 "b":2}', "'\"b\"' stands where a comma or } should be"),
        ("[1,]", "']' stands where a value should be"),
        ("[1,,2]", "',' stands where a value should be"),
        ('{"a":}', "'}' stands where a value should be"),
        ("01", "'01' stands where a value should be"),
        (".5", "'.5' stands where a value should be"),
        ("+1", "'+1' stands where a value should be"),
        ("nul", "'nul' stands where a value should be"),
        ("['a']", "\"'a'\" stands where a value should be"),
        (f"[{'x' * 20}]", f"'{'x' * 20}' stands where a value should be"),
        (f"[{'x' * 21}]", f"'{'x' * 20}' stands where a value should be"),
        ('{"a"}', "'}' stands where a colon should be"),
        ('{"a" 1}', "'1' stands where a colon should be"),
        ('{"a":1,}', "'}' stands where a string should be"),
        ("{a:1}", "'a' stands where a string should be"),
        ('{"a":1,2}', "'2' stands where a string should be"),
        ('"', "'\"' stands where a string should be"),
        ('"\\x"', "Invalid \\escape: line 1 column 2 (char 1)"),
    ],
)
def test_it_is_said_why_a_text_is_no_json(text: str, trouble: str):
    with pytest.raises(NotJson) as told:
        read_json(text)
    assert str(told.value) == trouble


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        (")]}'\n{}", "{}"),
        (")]}',[1]", "[1]"),
        (")]}{}", "{}"),
        ("while(1);[1]", "[1]"),
        ("while (1) ; {}", "{}"),
        ("for(;;);{}", "{}"),
        ("/**/{}", "{}"),
        ("cb({})", "{}"),
        ("cb([1]);", "[1]"),
        ('a.b$c ({"x":1}) ; ', '{"x":1}'),
        ("/**/ cb({})", "{}"),
        (" {} ", "{}"),
        ("\ufeff{}", "{}"),
        ("[1}", "[1}"),
        *((other, "") for other in ("", "cb(1)", "cb({})x", "cb()", "{} x", "x{}", "1", '"a"', "{", "}")),
    ],
)
def test_what_servers_put_around_json_is_taken_away(text: str, bare: str):
    assert bare_json(text) == bare
    found = json_in(text)
    assert (found is not None) is (bare not in ("", "[1}"))
    assert found is None or found.as_document().decode() == bare


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1\r\n2\n", [1, 2]),
        ('{"a":1}\n\n \t\n[2]', [{"a": 1}, [2]]),
        ('\x1e{"a":1}\n\x1e{"a":2}\n', [{"a": 1}, {"a": 2}]),
        ("\ufeff1\nx", [1, "line 2 is no JSON ('x' stands where a value should be): x"]),
        ("1\n2 3 ", [1, "line 2 is no JSON ('3' stands where the end should be): 2 3"]),
        ("1\n\n[", [1, "line 3 is no JSON (the text ends too early): ["]),
        (
            "1\n" + "y" * 201,
            [1, f"line 2 is no JSON ('{'y' * 20}' stands where a value should be): " + "y" * 200],
        ),
    ],
)
def test_each_line_is_a_value_or_says_why_it_is_none(text: str, values: list[object]):
    assert json.loads(read_ndjson(text).as_document()) == values


@pytest.mark.parametrize("text", ["", "\n", "x", "x\ny"])
def test_lines_of_which_none_is_json_are_told(text: str):
    with pytest.raises(NotJson, match="no line is JSON"):
        read_ndjson(text)
