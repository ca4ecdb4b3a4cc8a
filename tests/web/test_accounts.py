"""Accounts: passwords and who guesses them, sessions that change their secret, tokens, roles (U5)."""

from __future__ import annotations

import html
import json
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.store.conftest import Clock
from tests.store.making import sentinel
from tests.web.doors import BASE, browser_of, program_of, stranger
from webvigil.app.people.passwords import Guesses, is_right, set_password
from webvigil.app.people.sign_in import (
    DAY,
    SESSION_LASTS,
    new_api_token,
    new_link,
    new_session,
    session_of,
    sign_out,
)
from webvigil.app.settings import read_settings
from webvigil.errors import SettingRefused
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.access import COOKIE
from webvigil.web.application import create_application

PASSWORD = "correct horse battery"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def knowledge(clock: Clock) -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0, clock=clock)
    made.users.add("root", role="admin")
    made.users.add("jill")
    return made


@pytest.fixture
def application(knowledge: MemoryKnowledge, tmp_path: Path) -> FastAPI:
    return create_application(knowledge, read_settings({"data": str(tmp_path)}, environment={}))


def enter(client: TestClient, name: str, password: str) -> int:
    return client.post("/sign-in", data={"name": name, "password": password}).status_code


class TestPasswords:
    def test_the_right_one_opens_the_door(self, application: FastAPI, knowledge: MemoryKnowledge):
        set_password(knowledge.users, "jill", PASSWORD)
        client = stranger(application)
        assert enter(client, "jill", PASSWORD) == 303
        assert client.get("/api/v1/me").json()["name"] == "jill"

    @pytest.mark.parametrize(
        ("name", "password"),
        [("jill", "wrong"), ("jill", ""), ("root", ""), ("root", PASSWORD), ("nobody", PASSWORD), ("", "")],
    )
    def test_a_wrong_one_does_not(
        self, application: FastAPI, knowledge: MemoryKnowledge, name: str, password: str
    ):
        set_password(knowledge.users, "jill", PASSWORD)
        client = stranger(application)
        assert enter(client, name, password) == 401
        assert not client.cookies

    @pytest.mark.parametrize(
        "password", ["", "short", "x" * 50, "abababababab", "jilljilljill", "jill-jill!", "y" * 2000]
    )
    def test_what_is_easily_guessed_is_refused(self, knowledge: MemoryKnowledge, password: str):
        with pytest.raises(SettingRefused, match="the password"):
            set_password(knowledge.users, "jill", password)

    def test_only_a_hash_is_kept(self, knowledge: MemoryKnowledge):
        set_password(knowledge.users, "jill", PASSWORD)
        assert knowledge.users.password("jill").startswith("$argon2id$")
        assert is_right(knowledge.users, "jill", PASSWORD)

    def test_any_character_may_be_in_it(self, knowledge: MemoryKnowledge):
        strange = "pässwörter 密码 \x00\ud800 ende"
        set_password(knowledge.users, "jill", strange)
        assert is_right(knowledge.users, "jill", strange)

    def test_changing_it_needs_the_old_one(self, application: FastAPI, knowledge: MemoryKnowledge):
        client = browser_of(application, knowledge, "jill")
        change = "/api/v1/me/password"
        assert client.put(change, json={"new": PASSWORD}).status_code == 204
        assert client.put(change, json={"new": "another horse"}).status_code == 403
        assert client.put(change, json={"old": PASSWORD, "new": "another horse"}).status_code == 204
        assert is_right(knowledge.users, "jill", "another horse")

    def test_guessing_is_slowed_down(self, application: FastAPI, knowledge: MemoryKnowledge):
        set_password(knowledge.users, "jill", PASSWORD)
        client = stranger(application)
        answers = [enter(client, "jill", f"guess {number}") for number in range(8)]
        assert answers == [401] * 5 + [429] * 3
        assert enter(client, "jill", PASSWORD) == 429

    def test_guesses_are_forgiven_with_time(self):
        now = [0.0]
        guesses = Guesses(lambda: now[0])
        waits = []
        for _ in range(14):
            waits.append(guesses.wait("jill"))
            now[0] += waits[-1]
            guesses.was_wrong("jill")
        assert waits == [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]
        assert guesses.wait("jack") == 0
        now[0] += Guesses.FORGOTTEN_AFTER + 1
        assert guesses.wait("jill") == 0

    def test_a_right_password_ends_the_count(self):
        guesses = Guesses(lambda: 0.0)
        for _ in range(9):
            guesses.was_wrong("jill")
        guesses.was_right("jill")
        assert guesses.wait("jill") == 0

    def test_many_names_do_not_fill_the_memory(self):
        guesses = Guesses(lambda: 0.0)
        for number in range(Guesses.KEPT + 100):
            guesses.was_wrong(str(number))
        assert len(guesses._wrong) == Guesses.KEPT


class TestSessions:
    def test_a_session_gets_another_secret_now_and_then(
        self, application: FastAPI, knowledge: MemoryKnowledge, clock: Clock
    ):
        client = browser_of(application, knowledge, "jill")
        first = client.cookies[COOKIE]
        assert "set-cookie" not in client.get("/api/v1/me").headers
        clock.passes(seconds=DAY // 1000)
        cookie = client.get("/api/v1/me").headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=lax" in cookie  # noqa: PT018
        second = cookie.partition("=")[2].partition(";")[0]
        assert second != first
        assert session_of(knowledge, first), "what is under way still arrives"
        clock.passes(seconds=61)
        assert session_of(knowledge, first) is None
        assert session_of(knowledge, second)

    def test_an_old_secret_is_renewed_once(self, knowledge: MemoryKnowledge, clock: Clock):
        secret = new_session(knowledge, "jill")
        clock.passes(seconds=DAY // 1000)
        renewed = [session_of(knowledge, secret) for _ in range(3)]
        assert [bool(one and one.renewed) for one in renewed] == [True, False, False]

    def test_a_session_ends(self, knowledge: MemoryKnowledge, clock: Clock):
        secret = new_session(knowledge, "jill")
        clock.passes(seconds=SESSION_LASTS // 1000 + 1)
        assert session_of(knowledge, secret) is None

    def test_signing_out_ends_this_session_alone(self, knowledge: MemoryKnowledge):
        here, there = new_session(knowledge, "jill"), new_session(knowledge, "jill")
        sign_out(knowledge.users, here)
        assert session_of(knowledge, here) is None
        assert session_of(knowledge, there)

    def test_a_link_is_no_session_and_no_token(self, application: FastAPI, knowledge: MemoryKnowledge):
        secret = new_link(knowledge, "jill", BASE).partition("token=")[2]
        client = stranger(application)
        client.cookies.set(COOKIE, secret)
        assert client.get("/api/v1/me").status_code == 401
        assert client.get("/api/v1/me", headers={"authorization": f"Bearer {secret}"}).status_code == 401


class TestTokens:
    def test_a_token_is_made_used_listed_and_ended(self, application: FastAPI, knowledge: MemoryKnowledge):
        client = browser_of(application, knowledge, "jill")
        made = client.post("/api/v1/me/tokens", json={"name": "script", "scope": "read"}).json()
        program = stranger(application)
        program.headers["authorization"] = f"Bearer {made['token']}"
        assert program.get("/api/v1/me").json()["scope"] == "read"
        (listed,) = client.get("/api/v1/me/tokens").json()
        assert (listed["name"], listed["scope"]) == ("script", "read")
        assert listed["used_at"]
        assert made["token"] not in str(listed)
        assert client.delete(f"/api/v1/me/tokens/{listed['id']}").status_code == 204
        assert program.get("/api/v1/me").status_code == 401

    def test_a_token_makes_no_tokens_links_or_passwords(
        self, application: FastAPI, knowledge: MemoryKnowledge
    ):
        program = program_of(application, knowledge, "root", "admin")
        for method, path, body in (
            ("POST", "/api/v1/me/tokens", {"name": "another"}),
            ("PUT", "/api/v1/me/password", {"new": PASSWORD}),
            ("POST", "/api/v1/users/jill/link", None),
        ):
            assert program.request(method, path, json=body).status_code == 403

    def test_nobody_gets_a_token_that_may_more_than_they(self, knowledge: MemoryKnowledge):
        with pytest.raises(SettingRefused, match="administrator"):
            new_api_token(knowledge, knowledge.users.get("jill"), "x", "admin")

    @pytest.mark.parametrize("name", ["", "  ", "x" * 101, "a\nb"])
    def test_a_token_has_a_name(self, knowledge: MemoryKnowledge, name: str):
        with pytest.raises(SettingRefused, match="name"):
            new_api_token(knowledge, knowledge.users.get("jill"), name, "read")

    @pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Bearer wv_wrong", "bearer \x7f", "Basic eA=="])
    def test_a_wrong_token_opens_nothing(self, application: FastAPI, header: str):
        answer = stranger(application).get("/api/v1/me", headers={"authorization": header})
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"

    def test_a_wrong_token_is_not_saved_by_a_session(self, application: FastAPI, knowledge: MemoryKnowledge):
        client = browser_of(application, knowledge, "jill")
        assert client.get("/api/v1/me", headers={"authorization": "Bearer wv_x"}).status_code == 401


class TestAdministrators:
    def test_an_administrator_sees_everybodys_things_when_they_ask(
        self, application: FastAPI, knowledge: MemoryKnowledge
    ):
        knowledge.sentinels.add(sentinel("hers", user="jill"))
        root = browser_of(application, knowledge, "root")
        names = [
            [one["name"] for one in root.get(f"/api/v1/sentinels{query}").json()]
            for query in ("", "?user=jill", "?user=*")
        ]
        assert names == [[], ["hers"], ["hers"]]
        assert root.get("/api/v1/sentinels?user=none").status_code == 404

    def test_a_user_does_not(self, application: FastAPI, knowledge: MemoryKnowledge):
        jill = browser_of(application, knowledge, "jill")
        for query in ("?user=root", "?user=*", "?user=none"):
            assert jill.get(f"/api/v1/sentinels{query}").status_code == 404
        program = program_of(application, knowledge, "root", "write")
        assert program.get("/api/v1/sentinels?user=jill").status_code == 404

    def test_users_come_change_and_go(self, application: FastAPI, knowledge: MemoryKnowledge):
        root = browser_of(application, knowledge, "root")
        assert root.post("/api/v1/users", json={"name": "jack"}).json()["role"] == "user"
        assert root.post("/api/v1/users", json={"name": "jack"}).status_code == 409
        assert root.patch("/api/v1/users/jack", json={"role": "admin"}).json()["role"] == "admin"
        link = root.post("/api/v1/users/jack/link").json()["link"]
        jack = stranger(application)
        assert jack.get(link.removeprefix(BASE)).status_code == 303
        assert jack.get("/api/v1/me").json()["name"] == "jack"
        assert root.post("/api/v1/users/jack/sign-out").status_code == 204
        assert jack.get("/api/v1/me").status_code == 401
        assert root.delete("/api/v1/users/jack").status_code == 204
        assert root.get("/api/v1/users/jack").status_code == 404

    @pytest.mark.parametrize("name", ["", " x", "x" * 101, "a\x00b", "*", "a/b", ".."])
    def test_a_users_name_can_be_read(self, application: FastAPI, knowledge: MemoryKnowledge, name: str):
        root = browser_of(application, knowledge, "root")
        assert root.post("/api/v1/users", json={"name": name}).status_code == 400

    def test_an_administrator_is_always_left(self, application: FastAPI, knowledge: MemoryKnowledge):
        root = browser_of(application, knowledge, "root")
        for answer in (
            root.delete("/api/v1/users/root"),
            root.patch("/api/v1/users/root", json={"role": "user"}),
        ):
            assert answer.status_code == 400
            assert "only administrator" in answer.json()["detail"]

    def test_nobody_makes_themselves_an_administrator(self, application: FastAPI, knowledge: MemoryKnowledge):
        jill = browser_of(application, knowledge, "jill")
        assert jill.patch("/api/v1/me", json={"zone": "UTC", "role": "admin"}).status_code == 422
        assert knowledge.users.get("jill").role == "user"


class TestScores:
    """T2: a user says what weighs more, by the API and in the dashboard."""

    def test_by_the_api(self, application: FastAPI, knowledge: MemoryKnowledge):
        client = program_of(application, knowledge, "jill", "write")
        assert client.get("/api/v1/me/scores").json()["interests"] == []
        wanted = {"weights": {"link": 512}, "interests": ["merger", "interest rate"]}
        answer = client.put("/api/v1/me/scores", json=wanted).json()
        assert (answer["weights"]["link"], answer["weights"]["image"]) == (512, 128)
        assert client.get("/api/v1/me/scores").json() == answer
        assert json.loads(knowledge.users.get("jill").taste) == wanted
        for wrong in ({"weights": {"sound": 1}}, {"interests": ["?!"]}, {"weights": {"link": -1}}):
            assert client.put("/api/v1/me/scores", json=wrong).status_code == 400
        assert client.get("/api/v1/me/scores").json() == answer
        assert client.put("/api/v1/me/scores", json={}).json()["interests"] == []
        assert knowledge.users.get("jill").taste == ""

    def test_in_the_dashboard(self, application: FastAPI, knowledge: MemoryKnowledge):
        client = browser_of(application, knowledge, "jill")
        sent = {"interests": "merger\r\n\r\ninterest  rate", "link": "512", "text": "1"}
        assert client.post("/account/scores", data=sent, follow_redirects=False).status_code == 303
        wanted = {"weights": {"link": 512}, "interests": ["merger", "interest rate"]}
        assert json.loads(knowledge.users.get("jill").taste) == wanted
        shown = client.get("/account").text
        assert "merger\ninterest rate</textarea>" in shown
        assert 'name="link" value="512"' in shown
        answer = client.post("/account/scores", data={"link": "much"})
        assert answer.status_code == 400
        assert "the weight of link must be a whole number" in html.unescape(answer.text)
        assert json.loads(knowledge.users.get("jill").taste) == wanted
