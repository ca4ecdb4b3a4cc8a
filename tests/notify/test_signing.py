"""What a webhook sends and how it reads the answer of its receiver, without a server (N4)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from tests.notify.telling import change
from webvigil.errors import ChannelBusy, ChannelError, ChannelRefused
from webvigil.model.notice import Notice, Receipt
from webvigil.notify.webhook import LARGEST, Answered, WebhookChannel, payload, signature

AT = datetime(2026, 5, 4, 12, tzinfo=UTC)


class Receiver:
    """A program that answers always the same, and keeps what it got."""

    def __init__(self, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        self._answer = Answered(status, headers or {})
        self.got: list[tuple[str, bytes, Mapping[str, str]]] = []

    async def __call__(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answered:
        self.got.append((url, body, headers))
        return self._answer

    def told(self, notice: Notice | None = None) -> Receipt:
        async def secret(_: Notice) -> str:
            return "secret"

        return asyncio.run(WebhookChannel(self, secret).send(notice or change("1", to="https://a.test/")))


def failed(status: int, **headers: str) -> ChannelError:
    with pytest.raises(ChannelError) as caught:
        Receiver(status, {name.replace("_", "-"): value for name, value in headers.items()}).told()
    return caught.value


def test_the_signature_is_of_the_time_and_the_body():
    assert signature("secret", b"{}", 1_700_000_000) == (
        "t=1700000000,v1=b8569b78799ff9e3cbff0fc2d63a33a2b57f3282abd07c37ae5e8e7d79a5f163"
    )


@pytest.mark.parametrize(("name", "key"), [("a:1", "a:1"), ("!~", "!~"), ("a b", "a?b"), ("é\x7f", "?")])
def test_the_key_of_a_repeat_is_plain(name: str, key: str):
    receiver = Receiver()
    receipt = receiver.told(change(name, to="https://a.test/", body={"event": "page gone"}))
    ((url, _, headers),) = receiver.got
    assert (url, headers["Idempotency-Key"], headers["WebVigil-Event"]) == (
        "https://a.test/",
        key,
        "page-gone",
    )
    assert (receipt.dedup, receipt.reference) == (name, "HTTP 200")


@pytest.mark.parametrize("status", [200, 201, 299])
def test_a_notice_is_taken_by_any_answer_of_success(status: int):
    assert Receiver(status).told().reference == f"HTTP {status}"


@pytest.mark.parametrize("status", [408, 425, 429, 500, 501, 599, 600])
def test_a_receiver_in_trouble_is_asked_again(status: int):
    error = failed(status)
    assert isinstance(error, ChannelBusy)
    assert (str(error), error.wait) == (f"the receiver answered {status}", 0)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (199, "the receiver answered 199"),
        (300, "the receiver answered 300; redirects are not followed"),
        (399, "the receiver answered 399; redirects are not followed"),
        (400, "the receiver answered 400"),
        (407, "the receiver answered 407"),
        (409, "the receiver answered 409"),
        (424, "the receiver answered 424"),
        (426, "the receiver answered 426"),
        (428, "the receiver answered 428"),
        (430, "the receiver answered 430"),
        (499, "the receiver answered 499"),
    ],
)
def test_a_receiver_that_says_no_is_not_asked_again(status: int, words: str):
    error = failed(status)
    assert isinstance(error, ChannelRefused)
    assert str(error) == words


@pytest.mark.parametrize(
    ("said", "wait"),
    [
        ("90", 90_000),
        (" 1 ", 1_000),
        ("0", 0),
        ("1234567890", 123_456_789_000),
        ("soon", 0),
        ("", 0),
        ("-5", 0),
        ("²", 0),
        ("Mon, 04 May 2020 12:00:00 GMT", 0),
    ],
)
def test_a_receiver_says_how_long_to_wait(said: str, wait: int):
    error: Any = failed(503, rEtRy_aFtEr=said)
    assert error.wait == wait


def test_a_receiver_may_name_the_moment_to_ask_again():
    moment = datetime.now(UTC) + timedelta(minutes=10)
    error: Any = failed(503, Retry_After=format_datetime(moment))
    assert error.wait == pytest.approx(600_000, abs=60_000)


def sized(size: int, **more: Any) -> bytes:
    """Returns the JSON of a notice that would have this size."""
    empty = len(payload(change("1", body={"text": "", **more}), AT))
    return payload(change("1", body={"text": "x" * (size - empty), **more}), AT)


def test_only_what_is_too_large_is_shortened():
    more = {"findings": [1], "records": [2], "entries": list(range(30)), "summary": "3 new"}
    whole, cut = (json.loads(sized(size, **more)) for size in (LARGEST, LARGEST + 1))
    assert (whole["findings"], whole["entries"], "shortened" in whole) == ([1], list(range(30)), False)
    assert (cut["entries"], cut["shortened"], cut["summary"]) == (list(range(20)), True, "3 new")
    assert not {"findings", "records"} & set(cut)
    assert json.loads(sized(LARGEST + 1))["entries"] == []


def test_a_program_reads_who_is_told_what_and_when():
    told = json.loads(payload(change("1", subject="News", body={"a": 1}), AT))
    assert (told["id"], told["user"], told["subject"]) == ("1", "jill", "News")
    assert (told["sent_at"], told["a"]) == ("2026-05-04T12:00:00+00:00", 1)
