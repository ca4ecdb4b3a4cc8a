"""Requests of programs that supervise this server in, answers to `/healthz` and `/metrics` out (U7).

A server whose dashboard nobody has opened answers these two paths by `Probes`, which needs neither the
framework nor the routes (`app.operating.when_asked`). The routes of the whole application give the same
answers by the same functions (`api.health`).
"""

from __future__ import annotations

from functools import partial
from typing import Protocol

from starlette.datastructures import State
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from webvigil.app.operating.chosen import Present
from webvigil.app.operating.health import HealthStore, health
from webvigil.app.operating.insiders import FORWARDED, has_token, is_inside
from webvigil.app.operating.metrics import CONTENT_TYPE, Metrics, MetricsStore
from webvigil.app.operating.when_asked import PROBES, probing
from webvigil.app.settings import Settings
from webvigil.errors import NotFound
from webvigil.store.promises import Journal, Users
from webvigil.web.compression import Light
from webvigil.web.forwarded import Forwarded, peer_of
from webvigil.web.headers import Heads, SecurityHeaders


def tell_health(request: Request) -> Response:
    found = health(request.app.state.knowledge, _metrics(request))
    return JSONResponse(found.as_json(inside=_is_inside(request)), status_code=200 if found.ok else 503)


def tell_metrics(request: Request) -> Response:
    """Raises NotFound for whoever may not read them."""
    if not _is_inside(request):
        raise NotFound("there is no such address")
    kept = _metrics(request) or Metrics(request.app.state.knowledge)
    return Response(kept.page(), media_type=CONTENT_TYPE)


def _is_inside(request: Request) -> bool:
    state = request.app.state
    client = request.client.host if request.client else ""
    # Behind a trusted proxy `client` is already the reader's address (forwarded.py) and differs from the
    # peer's. Where both are equal and a forwarding header is set, an unknown proxy hides the reader.
    forwarded = any(name in request.headers for name in FORWARDED) and client == peer_of(request)
    inside = is_inside(client, state.present.settings.metrics_networks, forwarded=forwarded)
    return inside or has_token(state.knowledge.users, request.headers.get("authorization", ""))


def _metrics(request: Request) -> Metrics | None:
    """Returns the metrics of the worker in this process, or None if this process runs no worker."""
    return getattr(request.app.state, "metrics", None)


_TOLD = dict(zip(PROBES, (tell_health, tell_metrics), strict=True))


class ProbedStore(HealthStore, MetricsStore, Protocol):
    """The parts of the knowledge base that the answers need: those of health and metrics, the tokens of
    users, and the settings that an operator chose."""

    users: Users
    journal: Journal


class Probes:
    """An ASGI application for the two paths alone. It raises a WebVigilError instead of telling about it."""

    def __init__(self, knowledge: ProbedStore, settings: Settings) -> None:
        self.state = State()
        self.state.knowledge = knowledge
        self.state.present = Present(settings, knowledge.journal)
        # The middleware of the whole application that changes answers to these paths, in the same order.
        self._around = Forwarded(Heads(Light(SecurityHeaders(_tell))), trusted=settings.trusted_proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._around({**scope, "app": self}, receive, send)


async def _tell(scope: Scope, receive: Receive, send: Send) -> None:
    answer = await probing(partial(_TOLD[scope["path"]], Request(scope)))
    await answer(scope, receive, send)
