"""The routes /healthz and /metrics, for programs that supervise this server (U7)."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from webvigil.app.operating.health import health
from webvigil.app.operating.insiders import FORWARDED, has_token, is_inside
from webvigil.app.operating.metrics import CONTENT_TYPE, Metrics
from webvigil.errors import NotFound
from webvigil.model.shapes import HealthShape
from webvigil.web.access import Anyone, knowledge_of, settings_of
from webvigil.web.api.answers import file_answer
from webvigil.web.forwarded import peer_of

router = APIRouter(tags=["health"])


@router.get(
    "/healthz",
    summary="Is it alive, does its database answer, how late is its oldest work?",
    responses={503: {"description": "The database does not answer, or the worker is stuck or in trouble"}},
)
def healthz(request: Request, response: Response, _: Anyone) -> HealthShape:
    found = health(knowledge_of(request), _metrics(request))
    response.status_code = 200 if found.ok else 503
    return found.as_json(inside=_is_inside(request))


@router.get(
    "/metrics",
    summary="Metrics for Prometheus, for those who may read them",
    response_class=Response,
    responses=file_answer("text/plain"),
)
def metrics(request: Request, _: Anyone) -> Response:
    if not _is_inside(request):
        raise NotFound("there is no such address")
    kept = _metrics(request) or Metrics(knowledge_of(request))
    return Response(kept.page(), media_type=CONTENT_TYPE)


def _is_inside(request: Request) -> bool:
    client = request.client.host if request.client else ""
    networks = settings_of(request).metrics_networks
    # Behind a trusted proxy `client` is already the reader's address (forwarded.py) and differs from the
    # peer's. Where both are equal and a forwarding header is set, an unknown proxy hides the reader.
    forwarded = any(name in request.headers for name in FORWARDED) and client == peer_of(request)
    inside = is_inside(client, networks, forwarded=forwarded)
    return inside or has_token(knowledge_of(request).users, request.headers.get("authorization", ""))


def _metrics(request: Request) -> Metrics | None:
    """Returns the metrics of the worker in this process, or None if this process runs no worker."""
    return getattr(request.app.state, "metrics", None)
