"""The dashboard: HTML pages for people. Each place in its menu has one module."""

from __future__ import annotations

from fastapi import APIRouter

from webvigil.web.dashboard import (
    account,
    add,
    admin,
    agents,
    change,
    community,
    discover,
    discovered,
    edit,
    inbox,
    live,
    moving,
    overview,
    pages,
    pick,
    save,
    search,
    sentinel,
    sentinels,
    settings,
    share,
    sign_in,
    steps,
    summaries,
    telling,
    topics,
)

router = APIRouter(include_in_schema=False)
for part in (
    sign_in,
    overview,
    inbox,
    change,
    summaries,
    live,
    add,
    pick,
    steps,
    save,
    sentinels,
    edit,
    topics,
    sentinel,
    pages,
    search,
    discover,
    discovered,
    account,
    telling,
    share,
    admin,
    settings,
    agents,
    community,
    moving,
):
    router.include_router(part.router)
