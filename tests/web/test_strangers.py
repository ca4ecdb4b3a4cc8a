"""A stranger learns that the server is there and whether it is healthy, but no version and no figures."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_network

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.web.doors import browser_of, program_of
from webvigil import __version__
from webvigil.app.settings import read_settings
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application

AWAY, HERE = ("203.0.113.7", 1), ("127.0.0.1", 1)
NETWORKS = (ip_network("203.0.113.0/24"),)


@pytest.fixture
def application(knowledge: MemoryKnowledge) -> FastAPI:
    return create_application(knowledge, read_settings({}, environment={}))


def test_metrics_are_for_this_machine(application: FastAPI):
    assert TestClient(application, client=HERE).get("/metrics").status_code == 200
    assert TestClient(application, client=("::1", 1)).get("/metrics").status_code == 200
    assert TestClient(application, client=AWAY).get("/metrics").status_code == 404


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
def test_what_a_proxy_on_this_machine_passes_on_is_a_strangers(application: FastAPI, header: str):
    client = TestClient(application, client=HERE)
    assert client.get("/metrics", headers={header: "203.0.113.7"}).status_code == 404


def test_metrics_are_for_whoever_has_a_token(application: FastAPI, knowledge: MemoryKnowledge):
    known = program_of(application, knowledge, "jill", "read")
    assert known.get("/metrics").status_code == 200
    assert (
        TestClient(application, client=AWAY, headers={"authorization": "Bearer wv_no"})
        .get("/metrics")
        .status_code
        == 404
    )


def test_metrics_are_for_the_networks_that_are_allowed(knowledge: MemoryKnowledge):
    settings = replace(read_settings({}, environment={}), metrics_networks=NETWORKS)
    application = create_application(knowledge, settings)
    assert TestClient(application, client=AWAY).get("/metrics").status_code == 200
    assert TestClient(application, client=("198.51.100.1", 1)).get("/metrics").status_code == 404


def test_the_version_is_not_told_to_strangers(application: FastAPI):
    away = TestClient(application, client=AWAY)
    assert "version" not in away.get("/healthz").json()
    assert TestClient(application, client=HERE).get("/healthz").json()["version"] == __version__
    for path in ("/", "/sign-in", "/openapi.json", "/nowhere"):
        answer = away.get(path)
        assert f'"version":"{__version__}"' not in answer.text.replace(" ", "")
        assert __version__ not in str(answer.headers)


@pytest.mark.parametrize("path", ["/", "/sign-in", "/healthz", "/static/style.css", "/nowhere"])
def test_a_head_is_that_of_the_page(application: FastAPI, knowledge: MemoryKnowledge, path: str):
    client = browser_of(application, knowledge, "jill")
    head, whole = client.head(path), client.get(path)
    assert (head.status_code, head.content) == (whole.status_code, b"")
    assert head.headers.get("content-type") == whole.headers.get("content-type")
