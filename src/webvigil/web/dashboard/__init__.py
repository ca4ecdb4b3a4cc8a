"""The dashboard: pages for people, one module for each place they can go to."""

from __future__ import annotations

from fastapi import APIRouter

from webvigil.web.dashboard import account, add, admin, door, inbox, live, sentinel, sentinels

router = APIRouter(include_in_schema=False)
for part in (door, inbox, live, add, sentinels, sentinel, account, admin):
    router.include_router(part.router)
