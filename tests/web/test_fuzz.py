"""Whatever a program sends, the API answers as its schema says, and never with a server error.

WEBVIGIL_FUZZ=500 tries that many requests for each operation and token instead of a few.
"""

from __future__ import annotations

import os
import tempfile
from functools import cache

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, settings
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.schemas import BaseSchema

from tests.store.making import checked, claim_all, new_change, new_version, sentinel
from webvigil.app.people.passes import Passes
from webvigil.app.people.sign_in import new_api_token
from webvigil.app.settings import read_settings
from webvigil.fetch.login import Seal
from webvigil.model.user import Scope
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application

EXAMPLES = int(os.environ.get("WEBVIGIL_FUZZ", "6"))
TOKENS: dict[str, tuple[str, Scope]] = {
    "an administrator's": ("root", "admin"),
    "a user's": ("jill", "write"),
    "one to read with": ("jill", "read"),
}

QUICK = ("a user's",)
"""Which token the quick run takes; what the others may do is tested route by route in `test_access.py`."""


def make() -> tuple[FastAPI, dict[str, str]]:
    knowledge = MemoryKnowledge(delay=0)
    knowledge.users.add("root", role="admin")
    knowledge.users.add("jill")
    knowledge.sentinels.add(sentinel("s1", user="root"))
    (claim,) = claim_all(knowledge)
    due = claim.pages[0]
    change = new_change(due.watches[0].sentinel, 1, 2)
    knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(1), changes=(change,))])
    data = {"data": tempfile.mkdtemp(prefix="webvigil-fuzz-")}
    application = create_application(knowledge, read_settings(data, environment={}))
    application.state.seal, application.state.passes = Seal(b"k" * 32), Passes(b"key")
    return application, {
        who: new_api_token(knowledge, knowledge.users.get(user), "fuzz", scope)
        for who, (user, scope) in TOKENS.items()
    }


application, secrets = make()
OPERATIONS = [
    f"{method.upper()} {path}" for path, ways in application.openapi()["paths"].items() for method in ways
]


@cache
def schema() -> BaseSchema:
    return schemathesis.openapi.from_asgi("/openapi.json", application)


CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
# Asked with POST because of their length; they change nothing.
ASKING = ("/api/v1/check", "/api/v1/preview", "/api/v1/offers", "/api/v1/pick", "/api/v1/compose")
# What `/preview` says of a page that does not come, such as the one in its example.
NOT_COME = 502
# These addresses contain a secret, so that no token is needed.
SECRET_ADDRESSES = ("/push/{secret}",)


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "who", [pytest.param(who, marks=() if who in QUICK else pytest.mark.slow) for who in TOKENS]
)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_no_request_breaks_the_api(operation: str, who: str):
    """The requests are made here: `schema.parametrize` would make those of all operations in every test
    process, before the first test runs."""
    tested = build_operation_test(
        config=schema().config,
        operation=schema().find_operation_by_label(operation),
        test_func=_is_answered,
        given_kwargs={},
        feedback=FeedbackSources(),
    )
    tested(who=who)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def _is_answered(case: schemathesis.Case, who: str) -> None:
    response = case.call(headers={"authorization": f"Bearer {secrets[who]}"})
    if response.status_code != NOT_COME:
        case.validate_response(response, checks=CHECKS)
    if response.status_code >= 400:
        assert response.headers["content-type"] == ["application/problem+json"]
        assert response.json()["detail"]
    changes = case.method.upper() != "GET" and case.operation.path not in (*ASKING, *SECRET_ADDRESSES)
    if changes and TOKENS[who][1] == "read":
        assert response.status_code >= 400
