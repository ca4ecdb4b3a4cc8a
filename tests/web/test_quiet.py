"""What is left out is shown, brought back by a click, and noise is proposed with its effect (Q7)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from fastapi.testclient import TestClient

from tests.fetch.fetching import LOOPBACK
from tests.site import Site, SitePage
from tests.web.doors import browser_of, program_of
from webvigil.app.operating.stores import opened, repository
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.app.worker.stages import RealStages
from webvigil.cli.main import webvigil
from webvigil.fetch.http import HttpFetcher
from webvigil.flow import check
from webvigil.store.promises import Knowledge
from webvigil.web.application import create_application

COUNTER = "<p>Brands: <b>{}</b></p><p>The lamp costs 12 crowns.</p>"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    given = {"data": str(tmp_path), "allow_networks": "127.0.0.0/8", "host_delay": "0", "user": "jill"}
    return read_settings(given, environment={})


@pytest.fixture
def knowledge(settings: Settings) -> Iterator[Knowledge]:
    with opened(settings) as made:
        made.users.add("jack")
        yield made


def look(knowledge: Knowledge, settings: Settings, model: str = "") -> None:
    async def looked() -> None:
        async with HttpFetcher(user_agent="test", allowed=LOOPBACK) as fetcher:
            stages = RealStages(fetcher, knowledge, repository(settings, knowledge.versions), model=model)
            for claim in knowledge.schedule.claim("w", hosts=9, pages=9, lease=30_000):
                results = [await check(due, claim.now, stages) for due in claim.pages]
                assert knowledge.schedule.finish(claim, results)

    asyncio.run(looked())


def ticks(site: Site, knowledge: Knowledge, settings: Settings, clauses: str = "") -> None:
    """Watches a counter, which ticks between six looks."""
    page = site.page("/shop", COUNTER.format(9))
    install_text(knowledge, settings, f"Create Sentinel shop Using {page.url} Fetch 1 hour {clauses}")
    look(knowledge, settings)
    (watched,) = knowledge.sentinels.get("jill", "shop").pages
    for n in range(5):
        page.becomes(COUNTER.format(n))
        knowledge.schedule.ask(watched.id)
        look(knowledge, settings)


@pytest.fixture
def jill(knowledge: Knowledge, settings: Settings) -> Iterator[TestClient]:
    with program_of(create_application(knowledge, settings), knowledge, "jill", "write") as client:
        yield client


def test_the_api_tells_what_is_left_out_and_brings_it_back(
    site: Site, jill: TestClient, knowledge: Knowledge, settings: Settings
):
    ticks(site, knowledge, settings)
    shown = jill.get("/api/v1/sentinels/shop").json()
    (place,) = shown["restless"]
    assert place["clause"] == 'Quiet on except xpath "/html/body/p[1]/b"'
    assert "changes at nearly every look" in next(iter(shown["left_out"].values()))
    log = jill.get(f"/api/v1/pages/{shown['pages'][0]['id']}/log").json()
    assert log[0]["left_out"]
    again = jill.post("/api/v1/sentinels/shop/tell-again", json={"place": place["place"]})
    assert place["clause"] in again.json()["text"]
    assert jill.get("/api/v1/sentinels/shop").json()["restless"] == []
    refused = jill.post("/api/v1/sentinels/shop/tell-again", json={"place": "nowhere"})
    assert refused.status_code in (400, 422)


def test_the_api_compares_quietly_when_asked(
    site: Site, jill: TestClient, knowledge: Knowledge, settings: Settings
):
    page = site.page("/x", '<a href="/y?utm_source=a">y</a>')
    install_text(knowledge, settings, f"Create Sentinel x Using {page.url} Fetch 1 hour")
    look(knowledge, settings)
    page.becomes('<a href="/y?utm_source=b">y</a>')
    (watched,) = knowledge.sentinels.get("jill", "x").pages
    knowledge.schedule.ask(watched.id)
    look(knowledge, settings)
    where = f"/api/v1/pages/{watched.id}/compare"
    assert jill.get(where).json()["changed"]
    calm = jill.get(where, params={"quiet": "true"}).json()
    assert not calm["changed"]
    assert {one["why"] for one in calm["left_out"]} == {"the address means the same"}


def test_noise_is_proposed_and_added_by_the_api(
    site: Site, jill: TestClient, knowledge: Knowledge, settings: Settings
):
    ticks(site, knowledge, settings, "Quiet off")
    newest = jill.get("/api/v1/changes").json()[0]["id"]
    found = jill.post(f"/api/v1/changes/{newest}/noise").json()
    assert found["clause"] == 'Ignore xpath "/html/body/p[1]/b"'
    assert (found["left_out"], found["tried"], found["applied"]) == (5, 5, False)
    assert "Ignore" not in knowledge.sentinels.get("jill", "shop").text
    assert jill.get(f"/api/v1/changes/{newest}").json()["note"] == "noise"
    assert jill.post(f"/api/v1/changes/{newest}/noise", json={"apply": True}).json()["applied"]
    assert found["clause"] in knowledge.sentinels.get("jill", "shop").text


def test_nobody_marks_the_changes_of_others(site: Site, knowledge: Knowledge, settings: Settings):
    ticks(site, knowledge, settings, "Quiet off")
    newest = knowledge.changes.all()[0].id
    with program_of(create_application(knowledge, settings), knowledge, "jack", "write") as jack:
        assert jack.post(f"/api/v1/changes/{newest}/noise", json={"apply": True}).status_code == 404
    assert knowledge.changes.get(newest).note == ""


def test_the_dashboard_shows_it_and_brings_it_back(site: Site, knowledge: Knowledge, settings: Settings):
    ticks(site, knowledge, settings)
    with browser_of(create_application(knowledge, settings), knowledge, "jill") as person:
        shown = person.get("/sentinels/shop").text
        assert "Tell me after all" in shown
        assert "the number beside “Brands” changes at nearly every look" in shown
        answer = person.post(
            "/sentinels/shop/tell-again", data={"place": "/html/body/p[1]/b"}, follow_redirects=False
        )
        assert answer.status_code == 303
        assert "Tell me after all" not in person.get("/sentinels/shop").text
        newest = knowledge.changes.all()[0].id
        proposed = person.post(f"/changes/{newest}/noise").text
        assert "Add the clause" in proposed
        assert "would have left out 2 of 2 changes, among them none that you noted" in proposed
        person.post(f"/changes/{newest}/noise", data={"apply": "true"})
    assert "Ignore xpath" in knowledge.sentinels.get("jill", "shop").text


def test_the_command_line_shows_and_proposes(
    site: Site, knowledge: Knowledge, settings: Settings, tmp_path: Path
):
    ticks(site, knowledge, settings)
    store = ["--data", str(tmp_path)]
    environment = {"WEBVIGIL_USER": "jill", "WEBVIGIL_ALLOW_NETWORKS": "127.0.0.0/8"}
    shown = CliRunner().invoke(webvigil, ["show", "shop", *store], env=environment)
    assert "to be told: Quiet on except xpath" in shown.output
    newest = str(knowledge.changes.all()[0].id)
    noise = CliRunner().invoke(webvigil, ["noise", newest, *store], env=environment)
    assert 'Ignore xpath "/html/body/p[1]/b"' in noise.output
    assert "Add it with --apply." in noise.output
    CliRunner().invoke(webvigil, ["noise", newest, "--apply", *store], env=environment)
    assert "Ignore xpath" in knowledge.sentinels.get("jill", "shop").text


def test_main_is_offered_first_and_watched_by_the_command_line(
    site: Site, knowledge: Knowledge, settings: Settings, tmp_path: Path
):
    environment = {"WEBVIGIL_USER": "jill", "WEBVIGIL_ALLOW_NETWORKS": "127.0.0.0/8"}
    page = site.page(
        "/terms", "<nav>Menu</nav><main>" + "<p>The terms of our shop are these. " * 9 + "</main>"
    )
    arguments = ["watch", page.url, "--main", "--name", "terms", "--data", str(tmp_path)]
    made = CliRunner().invoke(webvigil, arguments, env=environment)
    assert made.exit_code == 0, made.output
    assert "\nWithin main\n" in knowledge.sentinels.get("jill", "terms").text
    with browser_of(create_application(knowledge, replace(settings)), knowledge, "jill") as person:
        offered = person.get("/add", params={"url": page.url}).text
    first = offered.index('name="choice"')
    assert "The main part" in offered[first : first + 300]


# --- outside of the main part ---------------------------------------------------------------------------

HARBOUR = (
    "<nav>Home Ships Weather</nav><main><p>"
    + "The harbour master keeps a log of every ship that enters the bay at night. " * 3
    + "</p></main><footer>{}</footer>"
)


def watches_main(site: Site, knowledge: Knowledge, settings: Settings) -> SitePage:
    page = site.page("/harbour", HARBOUR.format("Made by hand"))
    install_text(knowledge, settings, f"Create Sentinel bay Using {page.url} Fetch 1 hour Within main")
    look(knowledge, settings)
    return page


def test_the_api_tells_what_is_outside_of_main_and_watches_it_too(
    site: Site, jill: TestClient, knowledge: Knowledge, settings: Settings
):
    page = watches_main(site, knowledge, settings)
    (shown,) = jill.get("/api/v1/sentinels/bay/watched").json()
    assert [one["says"] for one in shown["outside"]] == [
        "the navigation, 3 words: “Home Ships Weather”",
        "the footer, 3 words: “Made by hand”",
    ]
    footer = shown["outside"][1]
    assert footer["clause"] == 'Within main, xpath "/html/body/footer"'
    made = jill.post("/api/v1/sentinels/bay/watch-too", json={"place": footer["place"]}).json()
    assert footer["clause"] in made["text"]
    (shown,) = jill.get("/api/v1/sentinels/bay/watched").json()
    assert [one["place"] for one in shown["outside"]] == ["/html/body/nav"]
    page.becomes(HARBOUR.format("Made by machine").replace("Weather", "Tides"))
    (watched,) = knowledge.sentinels.get("jill", "bay").pages
    knowledge.schedule.ask(watched.id)
    look(knowledge, settings)
    (change,) = jill.get("/api/v1/changes").json()
    assert [one["object"] for one in change["findings"][0]["objects"]] == ["hand"]


def test_only_who_watches_main_watches_more(
    site: Site, jill: TestClient, knowledge: Knowledge, settings: Settings
):
    ticks(site, knowledge, settings)
    (shown,) = jill.get("/api/v1/sentinels/shop/watched").json()
    assert "outside" not in shown
    refused = jill.post("/api/v1/sentinels/shop/watch-too", json={"place": "/html/body/p"})
    assert refused.status_code in (400, 422)


def test_the_dashboard_and_the_command_line_tell_what_is_outside_of_main(
    site: Site, knowledge: Knowledge, settings: Settings
):
    watches_main(site, knowledge, settings)
    with browser_of(create_application(knowledge, settings), knowledge, "jill") as person:
        shown = person.get("/sentinels/bay").text
        assert "Outside of the main part" in shown
        assert "the navigation, 3 words: “Home Ships Weather”" in shown
        answer = person.post(
            "/sentinels/bay/watch-too", data={"place": "/html/body/nav"}, follow_redirects=False
        )
        assert answer.status_code == 303
        assert "the navigation, 3 words" not in person.get("/sentinels/bay").text
    said = CliRunner().invoke(
        webvigil, ["show", "bay", "--data", str(settings.data)], env={"WEBVIGIL_USER": "jill"}
    )
    assert "outside of main: the footer, 3 words: “Made by hand”" in said.output, said.output
    assert "to watch it, too: Within main, xpath" in said.output


def test_what_is_told_again_is_said_and_can_be_undone(site: Site, knowledge: Knowledge, settings: Settings):
    ticks(site, knowledge, settings)
    place = "/html/body/p[1]/b"
    before = knowledge.sentinels.get("jill", "shop").text
    with browser_of(create_application(knowledge, settings), knowledge, "jill") as person:
        said = person.post("/sentinels/shop/tell-again", data={"place": place}, follow_redirects=True).text
        toast = re.search(r'<form class="?toast"? .*?</form>', said, re.DOTALL)
        assert toast is not None
        assert "Told again: the number beside “Brands”." in toast[0]
        assert "/sentinels/shop/leave-out" in toast[0]
        assert "told all the same" in said
        plain = person.get("/sentinels/shop").text
        assert "Told again" not in plain, "said once"
        assert "Leave it out again" in plain
        assert "Told again" not in person.get("/sentinels/shop?again=/html/body/h1").text
        undone = person.post("/sentinels/shop/leave-out", data={"place": place}, follow_redirects=True).text
        assert "Tell me after all" in undone
        refused = person.post("/sentinels/shop/leave-out", data={"place": "nowhere"})
        assert refused.status_code == 400
    assert knowledge.sentinels.get("jill", "shop").text.replace("Quiet on\n", "") == before


def test_what_is_watched_too_is_said_and_can_be_undone(site: Site, knowledge: Knowledge, settings: Settings):
    watches_main(site, knowledge, settings)
    before = knowledge.sentinels.get("jill", "bay").text
    with browser_of(create_application(knowledge, settings), knowledge, "jill") as person:
        asked = {"place": "/html/body/footer"}
        said = person.post("/sentinels/bay/watch-too", data=asked, follow_redirects=True).text
        assert "Watched, too: /html/body/footer." in said
        assert "Watched, too" not in person.get("/sentinels/bay?too=/html/body/nav").text
        person.post("/sentinels/bay/watch-no-more", data=asked)
    assert knowledge.sentinels.get("jill", "bay").text == before
