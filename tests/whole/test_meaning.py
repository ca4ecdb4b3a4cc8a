"""What changes mean, from a page to a notice: a server, a worker, and a model behind a socket (J1, J3)."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.app.meaning import model as behaving
from tests.app.meaning.model import Model, says, serving
from tests.site import Site
from tests.whole.serving import Serving, eventually, webvigil, webvigil_json
from webvigil.store.sql.knowledge import SqlKnowledge

SOFA = "<title>Sofas</title><table><tr><th>Sofa<th>Price<tr><td>Polaris<td>{}<tr><td>Vega<td>€ 799</table>"


UNJUDGED = (
    "no language model is set up here (settings ai_url and ai_model), so nobody judges "
    "what its changes mean: all are told"
)


@pytest.fixture
def model() -> Iterator[Model]:
    with _running() as made:
        yield made


@contextmanager
def _running() -> Iterator[Model]:
    """Runs the server of a model in a thread of its own."""
    ready, ended = threading.Event(), threading.Event()
    made: list[Model] = []

    async def run() -> None:
        async with serving() as one:
            made.append(one)
            ready.set()
            while not ended.is_set():
                await asyncio.sleep(0.02)

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    assert ready.wait(30)
    try:
        yield made[0]
    finally:
        ended.set()
        thread.join(30)


def settings(model: Model) -> dict[str, str]:
    return {
        "WEBVIGIL_AI_URL": model.url,
        "WEBVIGIL_AI_MODEL": "little",
        "WEBVIGIL_CONFIRM_AFTER": "0",
        "WEBVIGIL_SECOND_LOOK": "0",
    }


def notices(server: Serving) -> list[dict[str, Any]]:
    lines = [one.partition("webvigil.notice: ")[2] for one in server.output if "webvigil.notice: " in one]
    return [one for one in map(json.loads, lines) if one.get("event") == "change"]


def ask(data: Path, question):
    knowledge = SqlKnowledge(f"sqlite:///{data / 'webvigil.sqlite3'}")
    try:
        return question(knowledge)
    finally:
        knowledge.close()


def test_killed_while_the_model_thinks_a_change_is_told_once(site: Site, tmp_path: Path, model: Model):
    page = site.page("/", SOFA.format("€ 499"))
    text = (
        f'Create Sentinel s Using {page.url}\nWhen means "the price of Polaris went down"\n'
        "Fetch 1 second\nNotify By log\n"
    )
    assert webvigil("add", "-", "--data", str(tmp_path), text=text).returncode == 0
    model.behaviour = behaving.slow
    server = Serving(tmp_path, **settings(model))
    eventually(lambda: page.hits >= 2)
    page.becomes(SOFA.format("€ 399"))
    eventually(lambda: model.asked)
    before = page.hits
    # The worker goes on looking while the model thinks.
    eventually(lambda: page.hits >= before + 2)
    assert ask(tmp_path, lambda knowledge: knowledge.changes.all()) == [], "it waits for its answer"
    server.kill()
    assert notices(server) == []
    model.behaviour = says("yes", sentence="The Polaris costs € 100 less.")
    with Serving(tmp_path, **settings(model)) as again:
        (told,) = eventually(lambda: notices(again))
        eventually(lambda: page.hits >= before + 6)
    assert len(notices(again)) == 1
    assert told["judgement"] == {
        "told": True,
        "model": "little",
        "verdicts": [{"means": "the price of Polaris went down", "verdict": "yes"}],
        "sentence": "The Polaris costs € 100 less.",
    }
    (change,) = webvigil_json("changes", "--data", str(tmp_path))
    assert change["judgement"] == told["judgement"]
    assert "<table" not in json.dumps(model.asked), "the page itself is not sent"
    assert "799" not in json.dumps(model.asked), "nor what did not change"


def test_one_run_waits_for_the_answers(site: Site, tmp_path: Path, model: Model):
    page = site.page("/", SOFA.format("€ 499"))
    text = (
        f"Create Sentinel s Using {page.url}\nFetch 1 hour\nSummary on\nNotify By log\n"
        'Message title "{{ sentence }}"\n'
        f'Create Sentinel t Using {page.url}\nFetch 1 hour\nWhen means "something else"\nNotify By log\n'
    )
    where = ("--data", str(tmp_path))
    assert webvigil("add", "-", *where, text=text).returncode == 0

    async def says_no(*asked):  # type: ignore[no-untyped-def]
        count = len(behaving.questions_of(asked[2]))
        return await says(*["no"] * count, sentence="Polaris is cheaper now.")(*asked)

    model.behaviour = says_no
    assert webvigil("run", "--due", *where, **settings(model)).returncode == 0
    page.becomes(SOFA.format("€ 399"))
    webvigil("run", "s", *where)
    found = webvigil("run", "--due", *where, "--json", **settings(model))
    assert (found.returncode, json.loads(found.stdout)["changes"]) == (1, 1), (
        "what was ruled out is no change"
    )
    assert len(model.asked) == 2
    changes = webvigil_json("changes", *where)
    assert [(one["sentinel"], one["judgement"]["sentence"]) for one in changes] == [
        ("s", "Polaris is cheaper now.")
    ]
    sent = [one for one in webvigil_json("notices", *where) if one["sentinel"] == "s"]
    assert {one["state"] for one in sent} == {"delivered"}
    tried = json.loads(
        webvigil("means", "s", "it is cheaper", "--ask", "--json", *where, **settings(model)).stdout
    )
    assert (tried["told"], tried["changes"], tried["asks"]) == (0, 1, 1)
    again = json.loads(webvigil("means", "s", "it is cheaper", "--json", *where, **settings(model)).stdout)
    assert (again["asks"], again["tokens"], again["results"]) == (0, 0, None), "it is known"
    token = webvigil("token", "add", "test", "--scope", "write", *where).stdout.strip()
    with Serving(tmp_path, "--no-worker", **settings(model)) as server:
        at = ("--server", server.address)
        there = webvigil("means", "s", "it is cheaper", *at, WEBVIGIL_TOKEN=token)
        assert there.stdout == "What little says of the last change is known: it costs nothing.\n"
        shown = webvigil("means", "s", "it is cheaper", "--ask", *at, WEBVIGIL_TOKEN=token).stdout
        here = webvigil("means", "s", "it is cheaper", "--ask", *where, **settings(model)).stdout
        assert shown == here
        assert shown.startswith("It would not have told the last change.\n- ")
        unknown = webvigil("means", "nobody", "it is cheaper", *at, WEBVIGIL_TOKEN=token)
        assert (unknown.returncode, "nobody" in unknown.stderr) == (1, True)
    refused = webvigil("means", "s", "it is cheaper", *where)
    assert refused.returncode == 2
    assert "no language model is set up here" in refused.stderr


def test_without_a_model_everything_is_told_and_says_so(site: Site, tmp_path: Path):
    page = site.page("/", SOFA.format("€ 499"))
    text = f'Create Sentinel s Using {page.url}\nWhen means "it is sold out"\nFetch 1 second\nNotify By log\n'
    added = webvigil("add", "-", "--data", str(tmp_path), text=text)
    assert (added.returncode, f"warning: {UNJUDGED}" in added.stderr) == (0, True)
    with Serving(tmp_path, WEBVIGIL_CONFIRM_AFTER="0") as server:
        eventually(lambda: page.hits >= 2)
        page.becomes(SOFA.format("€ 399"))
        (told,) = eventually(lambda: notices(server))
    assert told["judgement"]["said"] == "could not be judged: no language model is set up here"
    done = webvigil("changes", "--data", str(tmp_path))
    assert "could not be judged: no language model is set up here" in done.stdout
