"""The REST API under /api/v1, for programs: everything the dashboard can do. Each noun has one module."""

from __future__ import annotations

from fastapi import Depends, FastAPI

from webvigil.web.api import (
    account,
    adding,
    agents,
    archives,
    changes,
    check,
    contacts,
    discoveries,
    health,
    logins,
    meaning,
    notices,
    pages,
    peers,
    search,
    sentinels,
    shares,
    summary,
    topics,
    users,
)
from webvigil.web.api.answers import refuse_unknown_parameters

PREFIX = "/api/v1"


ROUTERS = tuple(
    part.router
    for part in (
        sentinels,
        adding,
        check,
        pages,
        archives,
        changes,
        meaning,
        shares,
        topics,
        search,
        discoveries,
        account,
        logins,
        users,
        agents,
        peers,
        notices,
        contacts,
        summary,
    )
)


def include_in(application: FastAPI) -> None:
    """Adds the router of each noun to the application directly. With one router around them all, the
    framework would search that router anew for every request."""
    for router in ROUTERS:
        application.include_router(router, prefix=PREFIX, dependencies=[Depends(refuse_unknown_parameters)])


health_router = health.router
