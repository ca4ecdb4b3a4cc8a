"""The REST API under /api/v1: everything the dashboard can do, for programs. One module for each noun."""

from __future__ import annotations

from fastapi import APIRouter

from webvigil.web.api import (
    account,
    agents,
    changes,
    checking,
    discoveries,
    health,
    logins,
    pages,
    peers,
    search,
    sentinels,
    shares,
    users,
)
from webvigil.web.api.answers import PROBLEMS

router = APIRouter(responses=PROBLEMS)
for part in (
    sentinels,
    checking,
    pages,
    changes,
    shares,
    search,
    discoveries,
    account,
    logins,
    users,
    agents,
    peers,
):
    router.include_router(part.router)

health_router = health.router
