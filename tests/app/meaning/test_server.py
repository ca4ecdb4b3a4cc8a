"""Talking to a language model over a socket: whatever its server does, the caller gets a reply or one clear
error, within bounds of time and size."""

from __future__ import annotations

import json
import time

import pytest

from tests.app.meaning import model as behaving
from tests.app.meaning.model import Behaviour, Model, body, completion, first_then, says, serving, writes
from webvigil.app.meaning.server import (
    LARGEST_REPLY,
    LONGEST_WAIT,
    ModelServer,
    Reply,
    _refuse_trouble,
    _tokens,
    _wait,
)
from webvigil.errors import ModelBusy, ModelError, ModelRefused

pytestmark = pytest.mark.anyio

MESSAGES = [
    {"role": "system", "content": 'Reply. "check": the text "ab12"'},
    {"role": "user", "content": "x"},
]


async def replied(
    behaviour: Behaviour, *, timeout: float = 5.0, key: str = ""
) -> tuple[Model, Reply | ModelError]:
    async with serving() as model:
        model.behaviour = behaviour
        async with ModelServer(model.url, "little", key, timeout=timeout) as server:
            try:
                return model, await server.reply(MESSAGES)
            except ModelError as error:
                return model, error


async def test_a_question_is_one_post_in_the_form_of_the_protocol():
    model, reply = await replied(writes("hello"), key="secret-key")
    assert isinstance(reply, Reply)
    assert (reply.text, reply.read, reply.written) == ("hello", 210, 30)
    (asked,) = model.asked
    assert asked == {
        "model": "little",
        "messages": MESSAGES,
        "stream": False,
        "max_tokens": 400,
        "temperature": 0,
    }
    assert model.headers[0]["Authorization"] == "Bearer secret-key"


async def test_without_a_key_no_authorization_is_sent():
    model, _ = await replied(says())
    assert "Authorization" not in model.headers[0]


async def test_a_server_that_refuses_one_spelling_gets_the_other():
    async with serving() as model:
        model.behaviour = first_then(body(b"{}", 400), writes("one"))
        async with ModelServer(model.url, "little") as server:
            assert (await server.reply(MESSAGES)).text == "one"
            assert (await server.reply(MESSAGES)).text == "one"
    assert ["max_completion_tokens" in one for one in model.asked] == [False, True, True]
    assert "temperature" not in model.asked[1]


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        (body(b"{}", 401), "the model's server refuses our key (401)"),
        (body(b"{}", 403), "the model's server refuses our key (403)"),
        (body(b"{}", 404), "the model's server knows no such model or address (404)"),
        (body(b"{}", 400), "the model's server refuses the question (400)"),
        (body(b"", 302, Location="http://127.0.0.1:1/"), "the model's server refuses the question (302)"),
        (body(b"<html>"), "the model's server does not speak the protocol"),
        (body(b""), "the model's server does not speak the protocol"),
        (body(b"null"), "the model's server does not speak the protocol"),
        (body(b"[]"), "the model's server does not speak the protocol"),
        (body(b'{"choices": []}'), "the model's server does not speak the protocol"),
        (body(b'{"choices": {"0": 1}}'), "the model's server does not speak the protocol"),
        (body(b'{"choices": [{"message": null}]}'), "the model's server does not speak the protocol"),
        (
            body(b'{"choices": [{"message": {"content": null}}]}'),
            "the model's server does not speak the protocol",
        ),
        (
            body(b'{"choices": [{"message": {"content": ["x"]}}]}'),
            "the model's server does not speak the protocol",
        ),
        (body(b"[" * 100_000), "the model's server does not speak the protocol"),
        (body(b"\xff\xfe"), "the model's server does not speak the protocol"),
        (writes("x" * LARGEST_REPLY), "the reply is too large"),
        (behaving.endless, "the reply is too large"),
    ],
)
async def test_what_needs_a_person_is_refused(behaviour: Behaviour, said: str):
    _, error = await replied(behaviour)
    assert isinstance(error, ModelRefused)
    assert str(error) == said


@pytest.mark.parametrize(
    ("behaviour", "said", "wait", "worked"),
    [
        (body(b"{}", 429, Retry_After="7"), "the model's server is busy (429)", 7_000, False),
        (body(b"{}", 429, Retry_After="999999999"), "the model's server is busy (429)", LONGEST_WAIT, False),
        (body(b"{}", 429, Retry_After="soon"), "the model's server is busy (429)", 0, False),
        (body(b"{}", 429, Retry_After="-5"), "the model's server is busy (429)", 0, False),
        (body(b"{}", 429, Retry_After="nan"), "the model's server is busy (429)", 0, False),
        (body(b"{}", 500), "the model's server is busy (500)", 0, False),
        (body(b"{}", 503, Retry_After="1.5"), "the model's server is busy (503)", 1_500, False),
        (behaving.cut, "the model's server broke off", 0, True),
    ],
)
async def test_what_passes_by_itself_is_busy(behaviour: Behaviour, said: str, wait: int, worked: bool):
    _, error = await replied(behaviour)
    assert isinstance(error, ModelBusy)
    assert (str(error), error.wait, error.worked) == (said, wait, worked)


@pytest.mark.parametrize("behaviour", [behaving.slow, behaving.dripping])
async def test_an_answer_that_does_not_come_in_time_is_given_up(behaviour: Behaviour):
    began = time.monotonic()
    _, error = await replied(behaviour, timeout=0.3)
    assert isinstance(error, ModelBusy)
    assert (str(error), error.worked) == ("no answer in 0.3 seconds", True)
    assert time.monotonic() - began < 10


async def test_nobody_at_the_address_is_busy_and_has_not_worked():
    async with ModelServer("http://127.0.0.1:9/v1", "little") as server:
        with pytest.raises(ModelBusy, match="cannot be reached") as caught:
            await server.reply(MESSAGES)
    assert not caught.value.worked


@pytest.mark.parametrize(
    "usage",
    [
        None,
        [],
        "many",
        {"prompt_tokens": -5, "completion_tokens": 1},
        {"prompt_tokens": True},
        {"prompt_tokens": 1e9},
    ],
)
async def test_numbers_of_tokens_that_cannot_be_true_do_not_count(usage: object):
    plain = completion("x", {}) | {"usage": usage}
    _, reply = await replied(body(json.dumps(plain).encode()))
    assert isinstance(reply, Reply)
    assert reply.read is None


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (200, None),
        (299, None),
        (300, ModelRefused),
        (428, ModelRefused),
        (429, ModelBusy),
        (430, ModelRefused),
        (499, ModelRefused),
        (500, ModelBusy),
        (599, ModelBusy),
    ],
)
async def test_a_status_says_who_has_to_do_something(status: int, kind: type[ModelError] | None):
    try:
        _refuse_trouble(status, {})
        found: type[ModelError] | None = None
    except ModelError as error:
        found = type(error)
    assert found is kind


@pytest.mark.parametrize(
    ("said", "wait"),
    [
        ("0", 0),
        (" 7 ", 7_000),
        ("0.001", 1),
        ("1.2345", 0),
        ("3600", LONGEST_WAIT),
        ("3599.999", LONGEST_WAIT - 1),
        ("3600.001", LONGEST_WAIT),
        ("1" * 10, 0),
        ("", 0),
    ],
)
async def test_a_server_is_asked_again_when_it_says(said: str, wait: int):
    assert _wait({"X": "9", "RETRY-AFTER": said}) == wait
    assert _wait({}) == 0


@pytest.mark.parametrize(
    ("said", "number"),
    [
        (0, 0),
        (10_000_000, 10_000_000),
        (10_000_001, None),
        (-1, None),
        (True, None),
        (1.0, None),
        ("1", None),
        (None, None),
    ],
)
async def test_tokens_are_whole_numbers_that_can_be_true(said: object, number: int | None):
    assert _tokens(said) == number


@pytest.mark.parametrize(("first", "asked"), [(400, 2), (422, 2), (401, 1), (421, 1), (423, 1), (200, 1)])
async def test_only_a_refused_spelling_is_asked_anew(first: int, asked: int):
    model, _ = await replied(first_then(body(b"{}", first), body(b"{}", first)))
    assert len(model.asked) == asked


async def test_a_spelling_that_brings_no_reply_is_not_kept():
    async with serving() as model:
        model.behaviour = first_then(body(b"{}", 400), body(b"{}", 300))
        async with ModelServer(model.url, "little") as server:
            for _ in range(2):
                with pytest.raises(ModelRefused):
                    await server.reply(MESSAGES)
    assert ["max_completion_tokens" in one for one in model.asked] == [False, True, False]


async def test_a_reply_may_be_as_large_as_what_is_read():
    plain = json.dumps(completion("", {}))
    whole = json.dumps(completion("x" * (LARGEST_REPLY - len(plain)), {}))
    assert len(whole) == LARGEST_REPLY
    _, reply = await replied(body(whole.encode()))
    assert isinstance(reply, Reply)
    _, error = await replied(body(whole.encode() + b" "))
    assert isinstance(error, ModelRefused)
