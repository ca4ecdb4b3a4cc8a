"""Whatever a program sends, the API answers as its schema says, and never with a server error."""

from __future__ import annotations

import tempfile

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error

from tests.store.making import checked, claim_all, new_change, new_version, sentinel
from webvigil.app.settings import read_settings
from webvigil.app.sign_in import new_api_token
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application


def make() -> tuple[FastAPI, str]:
    knowledge = MemoryKnowledge(delay=0)
    root = knowledge.users.add("root", role="admin")
    knowledge.users.add("jill")
    knowledge.sentinels.add(sentinel("s1", user="root"))
    (claim,) = claim_all(knowledge)
    due = claim.pages[0]
    change = new_change(due.watches[0].sentinel, 1, 2)
    knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(1), changes=(change,))])
    data = {"data": tempfile.mkdtemp(prefix="webvigil-fuzz-")}
    application = create_application(knowledge, read_settings(data, environment={}))
    return application, new_api_token(knowledge, root, "fuzz", "admin")


application, secret = make()
schema = schemathesis.openapi.from_asgi("/openapi.json", application)


@pytest.mark.filterwarnings("ignore")
@schema.parametrize()
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_no_request_breaks_the_api(case: schemathesis.Case):
    response = case.call(headers={"authorization": f"Bearer {secret}"})
    case.validate_response(response, checks=[not_a_server_error])
    if response.status_code >= 400:
        assert response.headers["content-type"] == ["application/problem+json"]
        assert response.json()["detail"]
