"""JSON is read as a tree with the same values that Python's own reader finds."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document import read
from webvigil.document.jsontext import NotJson, bare_json, read_json

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
