"""API routes for log-ins to pages that only their user can see (F7).

A log-in is stored encrypted, listed by its address and forgotten on request.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from webvigil.app.pages.logins import login_from, logins
from webvigil.model.shapes import LoginShape
from webvigil.web.access import Reader, Writer, knowledge_of, settings_of
from webvigil.web.api.answers import MOST, Limit, Skip, in_pieces

router = APIRouter(tags=["account"])
Address = Annotated[str, Query(max_length=4_000)]
_Line = Annotated[str, Field(max_length=20_000)]


class NewLogin(BaseModel):
    """Cookies and headers that are sent to the pages at and below `url`, and to no other page. Secrets are
    what the steps of a sentinel type into those pages."""

    model_config = ConfigDict(extra="forbid")
    url: str = Field(max_length=4_000, examples=["https://shop.example/account/"])
    cookies: list[_Line] = Field([], max_length=100, examples=[["session=0123abcd"]])
    headers: list[_Line] = Field([], max_length=100, examples=[["Authorization: Bearer abc"]])
    secrets: list[_Line] = Field([], max_length=100, examples=[["password=correct horse"]])


@router.get("/logins", summary="The addresses that I have log-ins for; what they say is not shown")
def all_logins(
    request: Request, response: Response, caller: Reader, skip: Skip = 0, limit: Limit = MOST
) -> list[LoginShape]:
    every = logins(knowledge_of(request), settings_of(request)).with_secrets(caller.name)
    known = in_pieces(request, response, every, skip, limit)
    return [{"url": url, "secrets": list(names)} for url, names in known]


@router.put("/logins", status_code=204, summary="Keep a log-in, sealed; one for the same address is replaced")
def put_login(request: Request, caller: Writer, body: NewLogin) -> None:
    login = login_from(body.url, body.headers, body.cookies, body.secrets)
    logins(knowledge_of(request), settings_of(request)).put(caller.name, login)


@router.delete("/logins", status_code=204, summary="Forget a log-in")
def drop_login(request: Request, caller: Writer, url: Address) -> None:
    logins(knowledge_of(request), settings_of(request)).remove(caller.name, url)
