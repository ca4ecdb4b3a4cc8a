"""Each error has one status, and the answer says in a sentence what is wrong."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

from webvigil import errors
from webvigil.errors import MistakeInText, PageRefused, StoreRefused, WebVigilError
from webvigil.web.problem import about, misunderstood, problem, status_of, told_of

STATUSES = {
    "WebVigilError": 400,
    "MistakeInText": 422,
    "SentinelRefused": 400,
    "NameTaken": 409,
    "ServiceRefused": 400,
    "NotFound": 404,
    "SettingRefused": 400,
    "PageError": 422,
    "PageUnreachable": 502,
    "StepFailed": 502,
    "HostUnreachable": 502,
    "HostBusy": 502,
    "PageRefused": 422,
    "CertificateRefused": 422,
    "DocumentRefused": 422,
    "PatternRefused": 400,
    "XPackError": 400,
    "EventRefused": 400,
    "EndlessRules": 400,
    "StoreError": 400,
    "StoreBusy": 503,
    "StoreRefused": 400,
    "KeyMissing": 400,
    "ObjectLost": 410,
    "ObjectMissing": 410,
    "VersionLost": 410,
    "ChannelError": 400,
    "ChannelBusy": 503,
    "ChannelLocked": 503,
    "ChannelRefused": 400,
    "ModelError": 400,
    "ModelBusy": 503,
    "ModelRefused": 400,
    "ServerRefused": 400,
    "RemoteError": 400,
    "RemoteUnreachable": 503,
    "RemoteRefused": 400,
    "PeerError": 400,
    "PeerUnreachable": 502,
    "PeerRefused": 400,
    "MessageRefused": 502,
}


def test_every_error_has_its_status():
    kinds = [
        kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, WebVigilError)
    ]
    assert {kind.__name__: status_of(kind.__new__(kind)) for kind in kinds} == STATUSES


@pytest.mark.parametrize(
    ("status", "title"),
    [
        (400, "Refused"),
        (401, "Not signed in"),
        (403, "Not allowed"),
        (404, "Not found"),
        (405, "Not possible here"),
        (409, "Name taken"),
        (410, "Lost"),
        (413, "Too large"),
        (422, "Not understood"),
        (429, "Too often"),
        (502, "It did not come"),
        (503, "Busy"),
        (500, "Trouble"),
    ],
)
def test_the_answer_names_its_status(status: int, title: str):
    answer = problem(status, "Why.", line=3)
    assert (answer.status_code, answer.media_type) == (status, "application/problem+json")
    assert json.loads(bytes(answer.body)) == {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": "Why.",
        "line": 3,
    }


def test_a_mistake_in_a_text_says_where():
    mistake = MistakeInText("no", line=3, column=7, word="Monitr", suggestion="Monitor")
    assert about(mistake) == {"line": 3, "column": 7, "word": "Monitr", "suggestion": "Monitor"}
    assert about(PageRefused("no")) == {}


def test_of_an_error_of_the_store_users_are_told_in_general_words():
    hidden = StoreRefused("/var/lib/x.db is read-only")
    hidden.told = "the store cannot be written"
    plain = StoreRefused("x")
    plain.told = ""
    assert [told_of(one) for one in (hidden, plain, PageRefused("y"))] == [
        "the store cannot be written",
        "x",
        "y",
    ]


@pytest.mark.parametrize(
    ("kind", "ctx", "words"),
    [
        ("missing", {}, "is missing"),
        ("string_too_long", {"max_length": 7}, "is longer than 7 characters"),
        ("too_long", {"max_length": 7}, "has more than 7 entries"),
        ("int_parsing", {}, "is not a whole number"),
        ("int_type", {}, "is not a whole number"),
        ("bool_parsing", {}, "is neither true nor false"),
        ("greater_than_equal", {"ge": 1}, "is less than 1"),
        ("less_than_equal", {"le": 9}, "is more than 9"),
        ("less_than", {"lt": 9}, "is 9 or more"),
        ("literal_error", {"expected": "'a' or 'b'"}, "is none of 'a' or 'b'"),
        ("enum", {"expected": "'a'"}, "is none of 'a'"),
        ("extra_forbidden", None, "is not known here"),
        ("json_invalid", None, "is not JSON"),
        ("datetime_parsing", None, "is not a time such as 2026-12-31T08:00:00Z"),
    ],
)
def test_a_mistake_of_a_request_is_a_sentence(kind: str, ctx: dict[str, Any] | None, words: str):
    mistake = {"type": kind, "loc": ("body", "pages", 3, "url"), "ctx": ctx, "msg": "their words"}
    assert misunderstood(mistake) == f"pages.url {words}"
    assert misunderstood({**mistake, "loc": ("query", 3)}) == f"what was sent {words}"


def test_other_mistakes_keep_their_words():
    mistake = {"type": "odd", "loc": ("query", "limit"), "msg": "their words"}
    assert misunderstood(mistake) == "limit: their words"
