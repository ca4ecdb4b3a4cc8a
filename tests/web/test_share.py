"""A link to one change opens that change, for some days, and nothing else; it is listed, and can be ended."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.store.making import checked, claim_all, new_change, new_version, remove_for_good, sentinel
from tests.web.doors import browser_of, program_of, stranger
from tests.whole.serving import webvigil
from webvigil.app.operating.stores import opened
from webvigil.app.people.passes import Passes
from webvigil.app.settings import read_settings
from webvigil.app.telling.shares import shares
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.work import NewChange
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.promises import Knowledge
from webvigil.web.application import create_application

DAY = 86_400_000
FRIENDLY = "This link opens nothing"


class Clock:
    now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def knowledge(clock: Clock) -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0, clock=clock)
    for name in ("jill", "jack"):
        made.users.add(name)
    made.users.add("root", role="admin")
    find_a_change(made, "jill")
    made.changes.note("jill", made.changes.all()[0].id, "my own note")
    return made


def find_a_change(knowledge: Knowledge, user: str, url: str = "http://site.test/") -> None:
    knowledge.sentinels.add(sentinel("secret-name", url, user=user))
    (claim,) = claim_all(knowledge)
    (due,) = claim.pages
    change = new_change(due.watches[0].sentinel, 1, 2)
    knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(1), changes=(change,))])


@pytest.fixture
def application(knowledge: MemoryKnowledge, tmp_path: Path) -> FastAPI:
    return create_application(knowledge, read_settings({"data": str(tmp_path)}, environment={}))


@pytest.fixture
def jill(application: FastAPI, knowledge: MemoryKnowledge) -> TestClient:
    return browser_of(application, knowledge, "jill")


@pytest.fixture
def change(knowledge: MemoryKnowledge) -> int:
    return knowledge.changes.all()[0].id


def link_of(client: TestClient, change: int, **data: str) -> str:
    answer = client.post(f"/changes/{change}/share", data=data)
    (link,) = re.findall(r'value="http://testserver(/shared/[^"]+)"', answer.text)
    return str(link)


def test_who_has_the_link_sees_the_change_and_nothing_else(
    application: FastAPI, jill: TestClient, change: int
):
    answer = stranger(application).get(link_of(jill, change), headers={"accept": "text/html"})
    assert answer.status_code == 200
    assert "http://x/" in answer.text
    assert re.search(r'ends <time [^>]*title="Friday, 22 January 2027, 08:00:00 UTC"', answer.text), (
        "until when"
    )
    for hidden in ("secret-name", "my own note", "jill", "/sentinels", "/changes/"):
        assert hidden not in answer.text, hidden
    assert answer.headers["x-robots-tag"] == "noindex"
    assert stranger(application).get(f"/changes/{change}").status_code == 401


def test_the_page_is_shown_as_its_owner_sees_it(
    application: FastAPI, jill: TestClient, change: int, knowledge: MemoryKnowledge
):
    application.state.passes, application.state.shown_url = Passes(b"k" * 32), "https://shown.test"
    link = link_of(jill, change)
    text = stranger(application).get(f"{link}?view=dual", headers={"accept": "text/html"}).text
    (pass_,) = re.findall(r'src="https://shown\.test/shown/([^"]+)"', text)
    said = application.state.passes.read("shown", pass_)
    assert (said["change"], said["how"], said["bare"]) == (change, "dual", 1)
    assert "user" not in said
    objects = re.findall(r'<a class="o".*?</a>', text, re.DOTALL)
    assert objects
    assert objects == re.findall(r'<a class="o".*?</a>', jill.get(f"/changes/{change}").text, re.DOTALL)
    page = knowledge.versions._rows.pages[knowledge.changes.get(change).page]
    page.page = replace(page.page, login="sealed")
    hidden = stranger(application).get(link, headers={"accept": "text/html"}).text
    assert "<iframe" not in hidden, "a page behind somebody's log-in stays theirs"
    assert re.findall(r'<a class="o".*?</a>', hidden, re.DOTALL) == objects


def test_a_link_ends_with_its_days_and_cannot_be_guessed(
    application: FastAPI, jill: TestClient, change: int, clock: Clock
):
    week, day = link_of(jill, change), link_of(jill, change, days="1")
    for wrong in (week[:-2], week + "A", "/shared/x", "/shared/x.y", "/shared/" + "x" * 150):
        answer = stranger(application).get(wrong)
        assert (answer.status_code, FRIENDLY in answer.text) == (404, True), wrong
    clock.now += 2 * DAY
    assert stranger(application).get(day).status_code == 404
    clock.now += 4 * DAY
    assert stranger(application).get(week).status_code == 200
    clock.now += 2 * DAY
    assert stranger(application).get(week).status_code == 404
    assert jill.post(f"/changes/{change}/share", data={"days": "0"}).status_code == 422


def test_links_are_listed_and_one_is_ended(application: FastAPI, jill: TestClient, change: int):
    assert "Nothing is shared" in jill.get("/account/shares").text
    first, second = link_of(jill, change), link_of(jill, change)
    stranger(application).get(second)
    listed = jill.get("/account/shares").text
    assert listed.count("· ends ") == 2
    assert (listed.count("never opened"), listed.count("last opened")) == (1, 1)
    assert first.removeprefix("/shared/") not in listed, "shown once"
    by_change = jill.get(f"/changes/{change}/share").text
    ids = re.findall(r"/account/shares/([0-9a-f]+)/end", by_change)
    assert len(ids) == 2
    answer = jill.post(f"/account/shares/{ids[0]}/end", data={"change": change})
    assert answer.headers["location"] == f"/changes/{change}/share"
    assert sorted(stranger(application).get(one).status_code for one in (first, second)) == [200, 404]
    assert jill.post(f"/account/shares/{ids[1]}/end").headers["location"] == "/account/shares"
    assert [stranger(application).get(one).status_code for one in (first, second)] == [404, 404]
    assert jill.post(f"/account/shares/{ids[1]}/end").status_code == 404


def test_nobody_shares_or_ends_what_is_not_theirs(
    application: FastAPI, knowledge: MemoryKnowledge, jill: TestClient, change: int
):
    jack = browser_of(application, knowledge, "jack")
    assert jack.post(f"/changes/{change}/share").status_code == 404
    assert jack.get(f"/changes/{change}/share").status_code == 404
    link = link_of(jill, change)
    (number,) = re.findall(r"/account/shares/([0-9a-f]+)/end", jill.get("/account/shares").text)
    for data in ({}, {"change": change}):
        assert jack.post(f"/account/shares/{number}/end", data=data).status_code == 404
    assert stranger(application).get(link).status_code == 200
    root = browser_of(application, knowledge, "root")
    assert root.post(f"/account/shares/{number}/end", data={"change": change}).status_code == 303
    assert stranger(application).get(link).status_code == 404


def test_a_change_that_is_gone_is_not_shown(
    application: FastAPI, knowledge: MemoryKnowledge, jill: TestClient, change: int
):
    link = link_of(jill, change)
    remove_for_good(knowledge, "jill", "secret-name")
    answer = stranger(application).get(link)
    assert (answer.status_code, FRIENDLY in answer.text) == (404, True)
    assert "A change that is gone" in jill.get("/account/shares").text


def test_a_link_does_not_open_a_later_change_with_the_number_of_one_that_is_gone(tmp_path: Path):
    settings = read_settings({"data": str(tmp_path)}, environment={})
    with opened(settings) as knowledge:
        knowledge.users.add("jill")
        find_a_change(knowledge, "jill")
        application = create_application(knowledge, settings)
        link = link_of(browser_of(application, knowledge, "jill"), knowledge.changes.all()[0].id)
        assert stranger(application).get(link).status_code == 200
        remove_for_good(knowledge, "jill", "secret-name")
        find_a_change(knowledge, "jill", "http://other.test/")
        assert stranger(application).get(link).status_code == 404


def test_programs_share_too(application: FastAPI, knowledge: MemoryKnowledge, change: int, jill: TestClient):
    """The API makes, lists and ends links (U2)."""
    program = program_of(application, knowledge, "jill", "write")
    made = program.post(f"/api/v1/changes/{change}/share", json={"days": 3}).json()
    assert made["expires_at"].startswith("2027-01-18")
    place = made["link"].removeprefix("http://testserver")
    assert stranger(application).get(place).status_code == 200
    (listed,) = program.get("/api/v1/shares").json()
    assert (listed["id"], listed["change"], "link" in listed) == (made["id"], change, False)
    assert listed["used_at"] is not None
    assert program.get(f"/api/v1/shares?change={change + 1}").json() == []
    assert program.post(f"/api/v1/changes/{change}/share").status_code == 201, "a week"
    assert program.post(f"/api/v1/changes/{change}/share", json={"days": 9999}).status_code == 422
    assert (
        program_of(application, knowledge, "jack", "write").delete(f"/api/v1/shares/{made['id']}").status_code
        == 404
    )
    assert program.delete(f"/api/v1/shares/{made['id']}").status_code == 204
    assert stranger(application).get(place).status_code == 404
    assert jill.get("/account/shares").status_code == 200


def test_the_command_shares_too(tmp_path: Path):
    """The command line makes, lists and ends links (U3)."""
    settings = read_settings({"data": str(tmp_path)}, environment={})
    with opened(settings) as knowledge:
        find_a_change(knowledge, "me")
        number = knowledge.changes.all()[0].id
    data = ("--data", str(tmp_path))
    link = webvigil("share", "add", str(number), "--days", "2", *data).stdout.split()[0]
    (listed,) = json.loads(webvigil("share", "list", "--json", *data).stdout)
    with opened(settings) as knowledge:
        application = create_application(knowledge, settings)
        place = "/shared/" + link.rpartition("/")[2]
        assert stranger(application).get(place).status_code == 200
        webvigil("share", "end", listed["id"], *data)
        assert stranger(application).get(place).status_code == 404


def test_a_value_is_shared_with_its_chart_until_the_change_and_not_beyond(
    application: FastAPI, jill: TestClient, knowledge: MemoryKnowledge, clock: Clock
):
    text = 'Create Sentinel price Using http://shop.test/ Monitor value css "b"'
    knowledge.sentinels.add(sentinel("price", "http://shop.test/", user="jill", text=text))
    for number, (old, new) in enumerate(((90, 81), (81, 72), (72, 63)), start=1):
        clock.now += DAY
        for page in knowledge.sentinels.pages("jill"):
            knowledge.schedule.ask(page.id)
        for claim in claim_all(knowledge):
            for due in claim.pages:
                found = new_price(due.watches[0].sentinel, number, old, new)
                changes = (found,) if "shop" in due.page.url else ()
                done = checked(claim, due, version=new_version(number + 1), changes=changes)
                knowledge.schedule.finish(claim, [done])
    shown = next(one for one in knowledge.changes.all("jill") if one.findings[0].objects[0].after == "€ 72")
    link = link_of(jill, shown.id)
    told = stranger(application).get(link, headers={"accept": "text/html"}).text
    assert "Price in the 30 days before" in told
    assert 'class="spark big"' in told
    assert "from € 90 to € 72" in told
    assert "€ 63" not in told, "what came later is not shared"
    assert "from € 90 to € 63" in jill.get(f"/changes/{shown.id}").text, "its owner sees it up to now"
    page = knowledge.versions._rows.pages[shown.page]
    page.page = replace(page.page, login="sealed")
    hidden = stranger(application).get(link, headers={"accept": "text/html"}).text
    assert 'class="spark big"' not in hidden, "of a page behind a log-in the change alone is shared"
    assert "€ 90" not in hidden


def new_price(sentinel: int, number: int, old: int, new: int) -> NewChange:
    one = ObjectChange(
        object="1",
        status=Status.UPDATED,
        before=f"€ {old}",
        after=f"€ {new}",
        where=("/html/body/b",),
        label="Sofa · Price",
    )
    return NewChange(
        sentinel=sentinel,
        old_version=number,
        new_version=number + 1,
        findings=(Finding(type="value", objects=(one,)),),
    )


@pytest.mark.parametrize(("days", "words"), [(1, "a day"), (7, "a week"), (30, "30 days"), (365, "a year")])
def test_a_link_lasts_as_long_as_was_chosen_to_the_millisecond(
    application: FastAPI, jill: TestClient, change: int, clock: Clock, days: int, words: str
):
    offered = re.findall(
        r'<option value="(\d+)"[^>]*>([^<]+)</option>', jill.get(f"/changes/{change}/share").text
    )
    assert (str(days), words) in offered
    assert len(offered) == 4
    link = link_of(jill, change, days=str(days))
    clock.now += days * DAY - 1
    assert stranger(application).get(link).status_code == 200
    clock.now += 1
    assert stranger(application).get(link).status_code == 404


def test_a_link_that_was_ended_leads_back_to_the_list_it_stood_on(
    jill: TestClient, knowledge: MemoryKnowledge, change: int
):
    for sent, place in (({}, "/account/shares"), ({"change": change}, f"/changes/{change}/share")):
        link_of(jill, change)
        (one, *_) = shares(knowledge.users, "jill")
        answer = jill.post(f"/account/shares/{one.id}/end", data=sent)
        assert (answer.status_code, answer.headers["location"]) == (303, place)
        assert shares(knowledge.users, "jill") == []
