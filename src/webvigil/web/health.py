"""Health and metrics: for machines that look after this one (U7)."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from webvigil.app.health import health
from webvigil.app.metrics import CONTENT_TYPE, Metrics

router = APIRouter()


@router.get("/healthz", summary="Is it alive, does its database answer, how late is its oldest work?")
def healthz(request: Request, response: Response) -> dict[str, Any]:
    state = request.app.state
    found = health(state.knowledge, getattr(state, "metrics", None))
    response.status_code = 200 if found.ok else 503
    return found.as_json()


@router.get("/metrics", summary="Metrics for Prometheus", response_class=Response)
def metrics(request: Request) -> Response:
    state = request.app.state
    kept: Metrics = getattr(state, "metrics", None) or Metrics(state.knowledge)
    return Response(kept.page(), media_type=CONTENT_TYPE)
