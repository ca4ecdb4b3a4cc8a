"""Programs that supervise a server get the same answers before its dashboard is loaded as afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from ipaddress import ip_network
from threading import Event
from typing import Any

import pytest
from httpx2 import ASGITransport, AsyncClient, Response

from webvigil.app.operating.metrics import Metrics
from webvigil.app.operating.when_asked import WhenAsked
from webvigil.app.people.sign_in import new_api_token
from webvigil.app.settings import Settings, read_settings
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application
from webvigil.web.probes import Probes

HERE, AWAY, PROXY = ("127.0.0.1", 1), ("203.0.113.7", 1), ("10.0.0.1", 1)
SETTINGS = replace(
    read_settings({}, environment={}),
    metrics_networks=(ip_network("198.51.100.0/24"),),
    trusted_proxies=(ip_network("10.0.0.0/8"),),
)


class Server:
    """A server as `serve` makes it. `opened` counts how often the whole application was made."""

    def __init__(self, knowledge: MemoryKnowledge, settings: Settings = SETTINGS) -> None:
        self._given = (knowledge, settings)
        self._metrics = Metrics(knowledge)
        self.opened = 0
        self.application = WhenAsked(self._whole, lambda: self._furnished(Probes))

    def _whole(self) -> Any:
        self.opened += 1
        return self._furnished(create_application)

    def _furnished(self, make: Callable[..., Any]) -> Any:
        made = make(*self._given)
        made.state.metrics, made.state.shown_port, made.state.shown_url = self._metrics, 8422, ""
        return made

    def asked(self, method: str, path: str, client: tuple[str, int], **headers: str) -> Response:
        return asyncio.run(self._ask(method, path, client, headers))

    async def _ask(
        self, method: str, path: str, client: tuple[str, int], headers: dict[str, str]
    ) -> Response:
        transport = ASGITransport(self.application, client=client)
        async with AsyncClient(transport=transport, base_url="http://server.test:8420") as asking:
            return await asking.request(
                method, path, headers={name.replace("_", "-"): value for name, value in headers.items()}
            )


def seen(answer: Response) -> tuple[int, dict[str, str], str]:
    return answer.status_code, dict(answer.headers), answer.text


REQUESTS: list[tuple[str, tuple[str, int], dict[str, str]]] = [
    ("GET", HERE, {}),
    ("HEAD", HERE, {}),
    ("GET", HERE, {"accept_encoding": "identity"}),
    ("GET", HERE, {"accept": "text/html"}),
    ("GET", HERE, {"x_forwarded_for": "203.0.113.7"}),
    ("GET", HERE, {"cookie": "webvigil_session=no"}),
    ("GET", HERE, {"host": "[::1]:8420"}),
    ("GET", HERE, {"host": "odd name"}),
    ("GET", AWAY, {}),
    ("GET", AWAY, {"accept": "text/html"}),
    ("GET", AWAY, {"authorization": "Bearer wv_no"}),
    ("GET", PROXY, {"x_forwarded_for": "198.51.100.9", "x_forwarded_proto": "https"}),
    ("GET", PROXY, {"x_forwarded_for": "203.0.113.7"}),
    ("POST", HERE, {}),
    ("OPTIONS", HERE, {}),
]


@pytest.mark.parametrize("path", ["/healthz", "/metrics", "/healthz?now", "/healthz/"])
@pytest.mark.parametrize(("method", "client", "headers"), REQUESTS)
def test_probes_are_answered_alike_with_and_without_the_dashboard(
    knowledge: MemoryKnowledge, path: str, method: str, client: tuple[str, int], headers: dict[str, str]
):
    server = Server(knowledge)
    before = server.asked(method, path, client, **headers)
    server.asked("GET", "/sign-in", HERE)
    assert server.opened == 1
    assert seen(before) == seen(server.asked(method, path, client, **headers))


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_probes_do_not_load_the_dashboard(knowledge: MemoryKnowledge, method: str):
    server = Server(knowledge)
    assert server.asked(method, "/healthz", AWAY).status_code == 200
    assert server.asked(method, "/metrics", HERE).status_code == 200
    token = new_api_token(knowledge, knowledge.users.get("jill"), "a program", "read")
    assert server.asked(method, "/metrics", AWAY, authorization=f"Bearer {token}").status_code == 200
    assert server.opened == 0


def test_a_stranger_who_asks_for_metrics_is_answered_by_the_whole_application(knowledge: MemoryKnowledge):
    server = Server(knowledge)
    answer = server.asked("GET", "/metrics", AWAY)
    assert (answer.status_code, answer.json()["detail"]) == (404, "there is no such address")
    assert server.opened == 1


def test_a_request_with_a_body_is_no_probe(knowledge: MemoryKnowledge):
    server = Server(knowledge)
    assert server.asked("GET", "/healthz", HERE, content_length="200000").status_code == 413
    assert server.opened == 1


def test_a_server_whose_worker_is_busy_answers_at_once(knowledge: MemoryKnowledge):
    """The threads of asyncio are taken by comparisons, as many as there are and some that wait."""
    server, done = Server(knowledge), Event()

    async def ask() -> Response:
        busy = [asyncio.create_task(asyncio.to_thread(done.wait, 60)) for _ in range(100)]
        await asyncio.sleep(0)
        answer = await asyncio.wait_for(server._ask("GET", "/healthz", HERE, {}), 30)
        done.set()
        await asyncio.gather(*busy)
        return answer

    assert asyncio.run(ask()).status_code == 200
    assert server.opened == 0
