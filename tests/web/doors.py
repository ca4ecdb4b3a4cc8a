"""Short ways into the web application: as a browser that is signed in, or as a program with a token."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.testclient import TestClient

from webvigil.app.people.sign_in import new_api_token, new_session
from webvigil.model.user import Scope
from webvigil.store.promises import Knowledge
from webvigil.web.access import COOKIE

BASE = "http://testserver"
SAME_ORIGIN = {"origin": BASE}


def browser_of(application: FastAPI, knowledge: Knowledge, user: str) -> TestClient:
    client = TestClient(application, headers=SAME_ORIGIN, follow_redirects=False)
    client.cookies.set(COOKIE, new_session(knowledge, user))
    return client


def program_of(application: FastAPI, knowledge: Knowledge, user: str, scope: Scope) -> TestClient:
    secret = new_api_token(knowledge, knowledge.users.get(user), "a program", scope)
    return TestClient(application, headers={"authorization": f"Bearer {secret}"}, follow_redirects=False)


def stranger(application: FastAPI) -> TestClient:
    return TestClient(application, headers=SAME_ORIGIN, follow_redirects=False)
