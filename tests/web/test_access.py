"""Every route has a rule, and every rule holds for everybody: a generated matrix of routes and callers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, iter_route_contexts
from fastapi.testclient import TestClient

from tests.web.doors import BASE, browser_of, program_of, stranger
from webvigil.app.people.passwords import Guesses
from webvigil.app.people.sign_in import new_session
from webvigil.app.settings import read_settings
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.access import COOKIE, RULES, admin, anyone, reader, writer
from webvigil.web.application import create_application

CALLERS = ("nobody", "user", "admin", "read token", "write token", "admin token", "admin's read token")
ALLOWED = {
    anyone: set(CALLERS),
    reader: set(CALLERS) - {"nobody"},
    writer: {"user", "admin", "write token", "admin token"},
    admin: {"admin", "admin token"},
}
# The stream of events never ends, so that a test would wait for ever. Signing in answers 401 by itself if a
# password is wrong.
OF_THEIR_OWN = {"/events", "/sign-in"}


# All tests share one application: building it takes longer than any of them.
APPLICATION = create_application(MemoryKnowledge(), read_settings({}, environment={}))


def make() -> tuple[FastAPI, MemoryKnowledge]:
    knowledge = MemoryKnowledge(delay=0)
    knowledge.users.add("root", role="admin")
    knowledge.users.add("jill")
    APPLICATION.state.knowledge, APPLICATION.state.guesses = knowledge, Guesses()
    return APPLICATION, knowledge


def routes(application: FastAPI) -> Iterator[tuple[str, str, set[object]]]:
    """Yields path, method and rules of each route."""
    for context in iter_route_contexts(application.routes):
        if isinstance(context.original_route, APIRoute):
            for method in context.methods or ():
                yield context.path or "", method, rules_of(context.dependant)


def rules_of(dependant: Dependant) -> set[object]:
    """Returns the rules of a route. A route that calls its rules itself says which (see `together`)."""
    own = {dependant.call, *getattr(dependant.call, "rules", ())} & set(RULES)
    return own.union(*(rules_of(one) for one in dependant.dependencies))


RULES_OF = {(path, method): rules for path, method, rules in routes(make()[0])}
ROUTES = sorted(RULES_OF)


def test_the_routes_are_found():
    assert len(ROUTES) > 30
    assert len(ROUTES) == len([*routes(APPLICATION)]), "no two routes have the same path and method"


@pytest.mark.parametrize(("path", "method"), ROUTES)
def test_every_route_has_one_rule_and_it_holds(path: str, method: str):
    application, knowledge = make()
    rules = RULES_OF[path, method]
    assert len(rules) == 1, f"{method} {path} needs exactly one of Anyone, Reader, Writer and Admin"
    (rule,) = rules
    for name in CALLERS:
        if path in OF_THEIR_OWN and (name, path) != ("nobody", "/events"):
            continue
        status = ask(caller(name, application, knowledge), method, path)
        assert (status not in (401, 403)) == (name in ALLOWED[rule]), f"{name}: {status}"


# These routes ask for a password or a session besides their rule; see test_accounts.
INSIDE = {
    ("/api/v1/me/password", "PUT"),
    ("/api/v1/me/tokens", "POST"),
    ("/api/v1/users/{name}/link", "POST"),
}


def ask(client: TestClient, method: str, path: str) -> int:
    if (path, method) in INSIDE and "authorization" in client.headers:
        response = client.request(method, re.sub(r"\{\w+\}", "1", path), content=b"{")
        return 200 if "with a browser" in response.text else response.status_code
    filled = re.sub(r"\{\w+\}", "1", path)
    return client.request(
        method, filled, content=b"{", headers={"content-type": "text/x-nothing"}
    ).status_code


def caller(name: str, application: FastAPI, knowledge: MemoryKnowledge) -> TestClient:
    if name == "nobody":
        return stranger(application)
    if name in ("user", "admin"):
        return browser_of(application, knowledge, "jill" if name == "user" else "root")
    if name == "admin's read token":
        return program_of(application, knowledge, "root", "read")
    if name == "admin token":
        return program_of(application, knowledge, "root", "admin")
    return program_of(application, knowledge, "jill", "read" if name == "read token" else "write")


CHANGING = [(path, method) for path, method in ROUTES if method not in ("GET", "HEAD", "OPTIONS")]
# A link in a mail works for whoever has it, also if somebody else is signed in: mail programs follow it, too.
# Messages of a peer are signed.
SECRET_ADDRESSES = ("/push/", "/websub/", "/peer/", "/contacts/verify", "/contacts/stop")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("path", "method"), [one for one in CHANGING if not one[0].startswith(SECRET_ADDRESSES)]
)
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://testserver.evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "cross-site", "origin": "null"},
        {"sec-fetch-site": "same-origin", "origin": "https://evil.example"},
        {"sec-fetch-site": "same-site", "origin": "http://other.testserver"},
        {"sec-fetch-site": "cross-site", "origin": BASE},
    ],
)
def test_a_page_of_another_site_changes_nothing(path: str, method: str, headers: dict[str, str]):
    application, knowledge = make()
    client = TestClient(application, headers=headers, follow_redirects=False)
    client.cookies.set(COOKIE, new_session(knowledge, "root"))
    response = client.request(method, re.sub(r"\{\w+\}", "1", path), content=b"{}")
    assert response.status_code == 403
    assert "another site" in response.text or "where it comes from" in response.text


@pytest.mark.parametrize(
    "headers",
    [{"origin": BASE}, {"sec-fetch-site": "same-origin", "origin": "null"}, {"sec-fetch-site": "none"}],
)
def test_our_own_pages_may(headers: dict[str, str]):
    application, knowledge = make()
    client = TestClient(application, headers=headers, follow_redirects=False)
    client.cookies.set(COOKIE, new_session(knowledge, "root"))
    assert client.post("/sign-out").status_code == 303


def test_a_proxy_is_believed_only_where_it_stands():
    knowledge = MemoryKnowledge(delay=0)
    knowledge.users.add("root", role="admin")
    given = {"trusted_proxies": "10.1.0.0/16", "user_header": "X-Forwarded-User"}
    application = create_application(knowledge, read_settings(given, environment={}))
    header = {"x-forwarded-user": "jill"}
    near = TestClient(application, client=("10.1.2.3", 1), headers=header)
    assert near.get("/api/v1/me").json()["name"] == "jill"
    assert knowledge.users.get("jill").role == "user"
    for place in ("10.2.0.1", "127.0.0.1", "::1", "testclient"):
        far = TestClient(application, client=(place, 1), headers=header)
        assert far.get("/api/v1/me").status_code == 401
    unset = create_application(knowledge, read_settings({"trusted_proxies": "10.1.0.0/16"}, environment={}))
    assert TestClient(unset, client=("10.1.2.3", 1), headers=header).get("/api/v1/me").status_code == 401
