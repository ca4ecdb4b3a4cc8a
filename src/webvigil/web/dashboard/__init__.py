"""The dashboard: pages for people, one module for each place they can go to."""

from __future__ import annotations

from fastapi import APIRouter

from webvigil.web.dashboard import (
    account,
    add,
    admin,
    agents,
    community,
    discover,
    discovered,
    door,
    edit,
    inbox,
    live,
    moving,
    pages,
    pick,
    save,
    search,
    sentinel,
    sentinels,
    share,
    summaries,
    telling,
)

router = APIRouter(include_in_schema=False)
for part in (
    door,
    inbox,
    summaries,
    live,
    add,
    pick,
    save,
    sentinels,
    edit,
    sentinel,
    pages,
    search,
    discover,
    discovered,
    account,
    telling,
    share,
    admin,
    agents,
    community,
    moving,
):
    router.include_router(part.router)
