"""What changes mean, in the dashboard and the API: a sentence is written, tried, and shown (J4)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.app.meaning.model import Model, says
from tests.site import Site
from tests.web.doors import browser_of, program_of
from tests.web.test_quiet import knowledge, look, settings  # noqa: F401  (fixtures)
from tests.whole.test_meaning import model  # noqa: F401  (a fixture)
from webvigil.app.meaning.asker import Asker
from webvigil.app.meaning.asking import allowance_of, server_of
from webvigil.app.operating.chosen import candidate, choose
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.errors import SettingRefused
from webvigil.language import parse
from webvigil.model.meaning import Spent
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.promises import Knowledge
from webvigil.web.application import create_application

LAMP = "<title>Lamps</title><h1>Aurora</h1><p>Price: <b>€ {}</b></p>"


@pytest.fixture
def judging(settings: Settings, model: Model) -> Settings:  # noqa: F811
    """Returns the settings with a language model."""
    return replace(settings, ai_url=model.url, ai_model="little", ai_price_read=1.0, ai_price_written=2.0)


@pytest.fixture
def lamp(site: Site, knowledge: Knowledge, judging: Settings) -> None:  # noqa: F811
    """Watches a price that has changed twice; both changes were told."""
    page = site.page("/lamp", LAMP.format(49))
    install_text(knowledge, judging, f"Create Sentinel lamp Using {page.url} Fetch 1 hour Notify By log")
    look(knowledge, judging)
    (watched,) = knowledge.sentinels.get("jill", "lamp").pages
    for price in (44, 39):
        page.becomes(LAMP.format(price))
        knowledge.schedule.ask(watched.id)
        look(knowledge, judging)


@pytest.fixture
def browser(lamp: None, knowledge: Knowledge, judging: Settings) -> Iterator[TestClient]:  # noqa: F811
    with browser_of(create_application(knowledge, judging), knowledge, "jill") as client:
        yield client


def test_the_api_says_what_a_trial_takes_and_then_tries(
    lamp: None,
    knowledge: Knowledge,  # noqa: F811
    judging: Settings,
    model: Model,  # noqa: F811
):
    model.behaviour = says("no", sentence="The lamp is cheaper.")
    with program_of(create_application(knowledge, judging), knowledge, "jill", "write") as program:
        plan = program.post("/api/v1/sentinels/lamp/meaning", json={"means": "it is sold out"}).json()
        assert (plan["changes"], plan["asks"], plan["results"], plan["told"]) == (2, 2, None, None)
        assert plan["tokens"] > 1000
        assert plan["cost"] == pytest.approx((plan["tokens"] + 2 * 400) / 1_000_000)
        assert model.asked == []
        asked = {"means": "it is sold out", "ask": True}
        tried = program.post("/api/v1/sentinels/lamp/meaning", json=asked).json()
        assert (tried["told"], len(tried["results"]), len(model.asked)) == (0, 2, 2)
        assert tried["results"][0]["judgement"]["sentence"] == "The lamp is cheaper."
        again = program.post("/api/v1/sentinels/lamp/meaning", json=asked).json()
        assert (again["asks"], again["told"], len(model.asked)) == (0, 0, 2), "it is known"
        today = program.get("/api/v1/meaning").json()
        assert today["model"] == "little"
        assert {name: today["today"][name] for name in ("questions", "tokens_read", "tokens_written")} == {
            "questions": 2,
            "tokens_read": 420,
            "tokens_written": 60,
        }
        assert today["today"]["cost"] == pytest.approx(0.00054)
        for wrong in ({"means": ""}, {"means": " "}, {"means": "x" * 501}, {}, {"means": "x", "last": 0}):
            assert program.post("/api/v1/sentinels/lamp/meaning", json=wrong).status_code in (400, 409, 422)
        assert program.post("/api/v1/sentinels/none/meaning", json={"means": "x"}).status_code == 404
        assert len(knowledge.changes.all()) == 2, "a trial changes nothing"


def test_a_reader_spends_nothing(lamp: None, knowledge: Knowledge, judging: Settings):  # noqa: F811
    with program_of(create_application(knowledge, judging), knowledge, "jill", "read") as program:
        refused = program.post("/api/v1/sentinels/lamp/meaning", json={"means": "x", "ask": True})
        assert refused.status_code == 403


def test_over_the_budget_a_trial_asks_nothing(
    lamp: None,
    knowledge: Knowledge,  # noqa: F811
    judging: Settings,
    model: Model,  # noqa: F811
):
    knowledge.questions.spend("jill", Spent(read=200_000))
    with program_of(create_application(knowledge, judging), knowledge, "jill", "write") as program:
        body = {"means": "x", "ask": True}
        tried = program.post("/api/v1/sentinels/lamp/meaning", json=body).json()
    assert model.asked == []
    assert "tokens of today are used up" in tried["results"][0]["judgement"]["said"]


def test_the_form_writes_the_condition_and_leaves_others_alone(
    browser: TestClient,
    knowledge: Knowledge,  # noqa: F811
):
    assert 'name="means"' in browser.get("/sentinels/lamp/edit").text
    fields = {"monitor": "any change", "fetch": "1 hour", "notify": "log", "offers_summary": "true"}
    fields |= {"offers_means": "true"}
    browser.post("/sentinels/lamp/edit", data=fields | {"means": "it is  sold out", "summary": "on"})
    text = knowledge.sentinels.get("jill", "lamp").text
    assert 'When means "it is sold out"' in text
    assert "Summary on" in text
    assert 'value="it is sold out"' in browser.get("/sentinels/lamp/edit").text
    browser.post("/sentinels/lamp/edit", data=fields | {"means": ""})
    (plain,) = parse(knowledge.sentinels.get("jill", "lamp").text)
    assert (plain.when, plain.summary) == (None, None)
    own = f'{knowledge.sentinels.get("jill", "lamp").text}\nWhen changed > 5% AND means "x"'
    browser.post("/sentinels/lamp/text", data={"text": own})
    assert 'name="means"' not in browser.get("/sentinels/lamp/edit").text
    browser.post("/sentinels/lamp/edit", data=fields | {"means": "y"})
    assert 'When changed > 5% AND means "x"' in knowledge.sentinels.get("jill", "lamp").text


def test_without_a_model_the_form_does_not_offer_it(
    lamp: None,
    knowledge: Knowledge,  # noqa: F811
    settings: Settings,  # noqa: F811
):
    with browser_of(create_application(knowledge, settings), knowledge, "jill") as client:
        assert 'name="means"' not in client.get("/sentinels/lamp/edit").text
        assert "What changes mean" not in client.get("/sentinels/lamp").text
        fields = {"monitor": "any change", "fetch": "1 hour", "notify": "log"}
        text = f'{knowledge.sentinels.get("jill", "lamp").text}\nWhen means "x"\nSummary on'
        client.post("/sentinels/lamp/text", data={"text": text})
        client.post("/sentinels/lamp/edit", data=fields)
        kept = knowledge.sentinels.get("jill", "lamp").text
        assert 'When means "x"' in kept
        assert "Summary on" in kept


def test_a_sentence_is_tried_in_the_dashboard(
    browser: TestClient,
    model: Model,  # noqa: F811
):
    assert "What changes mean" in browser.get("/sentinels/lamp").text
    plan = browser.post("/sentinels/lamp/meaning", data={"means": "<b>cheaper</b>"}).text
    assert "2 questions to little about the last 2 changes" in plan
    assert "&lt;b&gt;cheaper" in plan
    assert model.asked == []
    model.behaviour = says("yes", sentence="Cheaper & better.")
    done = browser.post("/sentinels/lamp/meaning", data={"means": "cheaper", "ask": "true"}).text
    assert "It would have told 2 of the last 2 changes." in done
    assert "Cheaper &amp; better." in done


def test_a_change_shows_its_verdict_and_sentence_and_what_was_not_told(
    site: Site,
    knowledge: Knowledge,  # noqa: F811
    judging: Settings,
    model: Model,  # noqa: F811
):
    page = site.page("/sofa", LAMP.format(49))
    text = f'Create Sentinel sofa Using {page.url} Fetch 1 hour When means "it is cheaper"'
    install_text(knowledge, judging, text)
    judged_look(knowledge, judging)
    (watched,) = knowledge.sentinels.get("jill", "sofa").pages
    for price, verdict in ((44, "yes"), (49, "no")):
        page.becomes(LAMP.format(price))
        model.behaviour = says(verdict, sentence=f"It costs {price} now.")
        knowledge.schedule.ask(watched.id)
        judged_look(knowledge, judging)
    (change,) = knowledge.changes.all()
    with browser_of(create_application(knowledge, judging), knowledge, "jill") as client:
        shown = unescape(client.get(f"/changes/{change.id}").text)
        assert "It costs 44 now." in shown
        assert "in the words of little" in shown
        assert "“it is cheaper”: <b>yes</b>, says little" in shown
        overview = unescape(client.get("/sentinels/sofa").text)
        assert "Not told; “it is cheaper”: no. It costs 49 now." in overview
    with program_of(create_application(knowledge, judging), knowledge, "jill", "read") as program:
        listed = program.get("/api/v1/sentinels/sofa/judged").json()
        assert [one["judgement"]["told"] for one in listed] == [False, True]
        assert program.get("/api/v1/sentinels/none/judged").status_code == 404
        metrics = program.get("/metrics").text
        assert "webvigil_questions_today 2.0" in metrics
        assert "webvigil_tokens_read_today 420.0" in metrics
        assert "webvigil_questions_waiting 0.0" in metrics


def judged_look(knowledge: Knowledge, judging: Settings) -> None:  # noqa: F811
    """Looks at the pages, and lets the language model answer the questions about their changes."""
    look(knowledge, judging, "little")

    async def asked() -> None:
        async with server_of(judging) as server:
            asker = Asker(knowledge.questions, server, allowance_of(judging), knowledge.schedule.now)
            await asker.turn("w")
            await asker.all_done()

    asyncio.run(asked())


def test_a_key_is_not_sent_to_another_server(tmp_path: Path):
    present = read_settings({"data": str(tmp_path)}, environment={})
    journal = MemoryKnowledge().journal
    choose(present, journal, {"ai_url": "https://model.test/v1", "ai_key": "s3cret"}, "root")
    kept = replace(present, ai_url="https://model.test/v1", ai_key="s3cret")
    with pytest.raises(SettingRefused, match="type the key again"):
        candidate(kept, {"ai_url": "https://evil.test/v1"})
    assert candidate(kept, {"ai_url": "https://evil.test/v1", "ai_key": "other"}).ai_key == "other"
    assert candidate(kept, {"ai_url": ""}).ai_url == ""
    given = replace(kept, given={"ai_key": "WEBVIGIL_AI_KEY"})
    with pytest.raises(SettingRefused, match="ai_key is set by WEBVIGIL_AI_KEY"):
        candidate(given, {"ai_url": "https://evil.test/v1"})


@pytest.mark.parametrize("wrong", ["model.test", "ftp://model.test/", "http://", "http://m.test/?key=1"])
def test_only_the_address_of_a_server_is_taken(tmp_path: Path, wrong: str):
    with pytest.raises(SettingRefused, match="is not the address of a server"):
        read_settings({"data": str(tmp_path), "ai_url": wrong}, environment={})


NO_MODEL = "no language model is set up here (settings ai_url and ai_model), so "


@pytest.mark.parametrize(
    ("clause", "words"),
    [
        ('When means "it is sold out"', "nobody judges what its changes mean: all are told"),
        (
            'When price < 5 AND means "it is sold out"',
            "nobody judges what its changes mean: each change that its other conditions allow is told",
        ),
        ("Summary on", "its changes are told without a summary"),
        ("Priority 3", ""),
    ],
)
def test_who_writes_a_question_without_a_model_is_warned(
    site: Site,
    knowledge: Knowledge,  # noqa: F811
    settings: Settings,  # noqa: F811
    judging: Settings,
    clause: str,
    words: str,
):
    page = site.page("/lamp", LAMP.format(49))
    text = f"Create Sentinel lamp Using {page.url} Monitor product {clause}"
    told = [f"{NO_MODEL}{words}"] if words else []
    with program_of(create_application(knowledge, settings), knowledge, "jill", "write") as program:
        checked = program.post("/api/v1/check", json={"text": text}).json()
        assert (checked["correct"], checked["warnings"]) == (True, [f"lamp: {one}" for one in told])
        (made,) = program.post("/api/v1/sentinels", json={"text": text}).json()
        assert [one for one in made["warnings"] if "model" in one] == told
    with browser_of(create_application(knowledge, settings), knowledge, "jill") as client:
        said = unescape(client.post("/add/check", data={"text": text.replace("lamp ", "other ", 1)}).text)
        shown = unescape(client.get("/sentinels/lamp").text)
        assert (f"{NO_MODEL}{words}." in said) is bool(words)
        assert (f"No{NO_MODEL[2:]}{words}." in shown) is bool(words)
    with browser_of(create_application(knowledge, judging), knowledge, "jill") as client:
        assert "o language model is set up here" not in client.get("/sentinels/lamp").text
