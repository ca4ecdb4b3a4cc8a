"""What keys of a foreign entry say becomes one sentinel, and a report that leaves no key out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from webvigil.app.moving.formats.found import Found, Selects, Told
from webvigil.app.moving.formats.said import Key, Said, found_from, said_by, shown
from webvigil.language import print_sentinel


def unreadable(value: Any, entry: Mapping[str, Any]) -> list[Said]:
    raise TypeError


KEYS = {
    "plain": Key(about="does a thing"),
    "differs": Key(about="does a thing", difference="here it does another"),
    "record": Key(about="", record=True),
    "fetch": Key(about="", translate=lambda value, entry: [Said("fetch", f"{value} hour")]),
    "other": Key(
        about="",
        translate=lambda value, entry: [Said("fetch", "2 hour", "part", "seen")],
        difference="less often",
    ),
    "bad": Key(about="", translate=unreadable),
    "usual": Key(about="is rare", usual=(1, "y")),
}


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"plain": 1}, [Said("remark", "not taken along; it does a thing", "plain")]),
        (
            {"differs": 1},
            [Said("remark", "not taken along; it does a thing; here it does another", "differs")],
        ),
        ({"record": 1}, []),
        ({"fetch": 3}, [Said("fetch", "3 hour", "fetch")]),
        (
            {"other": 1},
            [Said("fetch", "2 hour", "part", "seen"), Said("remark", "less often", "other")],
        ),
        ({"bad": [1]}, [Said("remark", "not taken along, it cannot be read: [1]", "bad")]),
        ({"usual": 1}, []),
        ({"usual": "y"}, []),
        ({"usual": 2}, [Said("remark", "not taken along; it is rare", "usual")]),
        ({"new": "é\n"}, [Said("remark", "unknown here, not taken along: é ", "new")]),
        ({7: 8}, [Said("remark", "unknown here, not taken along: 8", "7")]),
        ({"plain": None, "differs": "", "fetch": [], "bad": {}}, []),
        ({"plain": False}, [Said("remark", "not taken along; it does a thing", "plain")]),
        ({"plain": 0}, [Said("remark", "not taken along; it does a thing", "plain")]),
    ],
)
def test_each_key_says_something_or_is_reported(entry: dict[str, Any], expected: list[Said]):
    assert list(said_by(entry, KEYS)) == expected


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("x", "a" * 120, "a" * 120),
        ("x", "a" * 121, "a" * 119 + "…"),
        ("x", ("a", 1), '["a", 1]'),
        ("x", None, "null"),
        ("x", "a\tb\0c", "a b c"),
        ("x", "http://user:word@site.test/", "http://…@site.test/"),
        ("x", {"a": [1, {"token": "t"}]}, '{"a": [1, {"token": "(1 not shown)"}]}'),
        ("x", {"cookies": [1, 2]}, '{"cookies": "(2 not shown)"}'),
        ("Headers", {"a": 1, "b": 2}, "(2 not shown)"),
        ("headers", "abc", "(1 not shown)"),
        ("password", 7, "(1 not shown)"),
    ],
)
def test_a_value_is_shown_in_one_line_without_secrets(name: str, value: Any, expected: str):
    assert shown(name, value) == expected


def made(*pieces: Said, title: Any = "Tea", **entry: Any) -> Found:
    return found_from("Tea of today", title, "http://a.test/x", pieces, entry)


def clauses(found: Found) -> str:
    assert found.sentinel
    head = 'Create Sentinel Tea Using http://a.test/x\nTitle "Tea"\n'
    return print_sentinel(found.sentinel).removeprefix(head).strip()


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([], ""),
        ([("monitor", "all links"), ("monitor", "all images")], "Monitor all links OR all images"),
        ([("monitor", "all links"), ("monitor", "all links")], "Monitor all links"),
        ([("when", "changed > 1%")], "When changed > 1%"),
        (
            [("when", "changed > 1% OR score > 2"), ("when", "changed > 2%")],
            "When (changed > 1% OR score > 2) AND changed > 2%",
        ),
        ([("render", "wait 2 second"), ("render", "browser")], "Render browser wait 2 second"),
        ([("message", 'body "b"'), ("message", 'title "t"')], 'Message title "t" body "b"'),
        ([("fetch", "2 hour"), ("fetch", "3 hour")], "Fetch 2 hour"),
        ([("within", 'css "a"'), ("within", 'css "b"')], 'Within css "a", css "b"'),
        ([("every", "1 day"), ("notify", "log")], "Notify By log Every 1 day"),
    ],
)
def test_pieces_are_put_together_as_clauses(pieces: list[tuple[str, str]], expected: str):
    assert clauses(made(*(Said(slot, text, "key") for slot, text in pieces))) == expected


REFUSED = "not taken along: Monitor nonsense (this cannot be said in a sentinel)"


def test_a_piece_that_the_language_refuses_is_reported():
    found = made(Said("monitor", "nonsense", "what"), Said("fetch", "2 hour", "when"), what="x")
    assert clauses(found) == "Monitor content\nFetch 2 hour"
    assert found.remarks == (f"what: {REFUSED}",)
    assert found.told == (Told("what", "x", "Monitor content", REFUSED), Told("when", "", "Fetch 2 hour"))
    found = made(Said("fetch", "0 hour", "when"))
    assert clauses(found) == ""
    assert found.remarks[0].startswith("when: not taken along: Fetch 0 hour (")
    assert "line 1" not in found.remarks[0]


def test_a_target_that_the_language_refuses_is_a_trouble():
    trouble = "not taken along: Using no address (this cannot be said in a sentinel)"
    assert made(Said("using", "no address", "url")) == Found(
        source="Tea of today", trouble=trouble, told=(Told("url", "", "", trouble),)
    )
    assert made(Said("trouble", "it is broken", "url")) == Found(
        source="Tea of today", trouble="it is broken", told=(Told("url", "", "", "it is broken"),)
    )


def test_what_is_no_clause_stands_beside_the_sentinel():
    found = made(
        Said("off", "", "paused"),
        Said("header", "A: b", "h"),
        Said("cookie", "a=b", "c"),
        Said("service", "x y", "s"),
        Said("shown", "in Using", "q"),
        Said("runs", "select css .a b", "r"),
        Said("steps", 'type css "#a" "secret"', "t"),
        Said("using", "form POST http://a.test/ {a=b}", "u", "POST"),
    )
    assert (found.enabled, found.headers, found.cookies, found.services) == (
        False,
        ("A: b",),
        ("a=b",),
        ("x y",),
    )
    assert found.selectors == (Selects("select", "css", ".a b"),)
    assert found.told == (
        Told("paused", "", "disabled"),
        Told("h", "", "a header of the log-in, kept sealed"),
        Told("c", "", "a cookie of the log-in, kept sealed"),
        Told("s", "", "an Apprise service, kept sealed"),
        Told("q", "", "in Using"),
        Told("t", "", 'Steps type css "#a" "…"'),
        Told("u", "POST", "Using form POST http://a.test/ {a=b}"),
    )  # fmt: skip
    assert made().enabled


def test_remarks_are_told_once_with_their_keys():
    said = [("r1", "k1"), ("r1", "k2"), ("r2", "k1"), ("r1", "k1")]
    found = made(*(Said("remark", text, key) for text, key in said), k1="v", k2=2)
    assert found.remarks == ("k1, k2: r1", "k1: r2")
    assert found.told == (Told("k1", "v", "", "r1; r2"), Told("k2", "2", "", "r1"))


@pytest.mark.parametrize(
    ("title", "head"),
    [
        ("{odd} “title”", 'Create Sentinel odd-title Using http://a.test/x\nTitle "{odd} “title”"\n'),
        (None, "Create Sentinel a-test Using http://a.test/x\n"),
        (7, "Create Sentinel a-test Using http://a.test/x\n"),
    ],
)
def test_a_sentinel_is_named_by_the_title_or_the_address(title: Any, head: str):
    found = made(title=title)
    assert found.sentinel
    assert print_sentinel(found.sentinel) == head
