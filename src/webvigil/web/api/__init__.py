"""The REST API under /api/v1: everything the dashboard can do, for programs. One module for each noun."""

from __future__ import annotations

from fastapi import FastAPI

from webvigil.web.api import (
    account,
    agents,
    changes,
    check,
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

PREFIX = "/api/v1"


def include_in(application: FastAPI) -> None:
    """Each part by itself: a router within a router is looked through anew for every request."""
    for part in (
        sentinels,
        check,
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
        application.include_router(part.router, prefix=PREFIX, responses=PROBLEMS)


health_router = health.router
