"""The routes /healthz and /metrics, for programs that supervise this server (U7)."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from webvigil.model.shapes import HealthShape
from webvigil.web.access import Anyone
from webvigil.web.api.answers import file_answer
from webvigil.web.probes import tell_health, tell_metrics

router = APIRouter(tags=["health"])


@router.get(
    "/healthz",
    summary="Is it alive, does its database answer, how late is its oldest work?",
    response_model=HealthShape,
    responses={503: {"description": "The database does not answer, or the worker is stuck or in trouble"}},
)
def healthz(request: Request, _: Anyone) -> Response:
    return tell_health(request)


@router.get(
    "/metrics",
    summary="Metrics for Prometheus, for those who may read them",
    response_class=Response,
    responses=file_answer("text/plain"),
)
def metrics(request: Request, _: Anyone) -> Response:
    return tell_metrics(request)
