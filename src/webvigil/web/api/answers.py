"""Parts that all API routes share: types of parameters, lists in pieces, problems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Protocol, TypeVar
from urllib.parse import urlencode

from fastapi import FastAPI, Path, Query, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel

from webvigil.model.wanted import FROM_THE_PAST_ON, LARGEST_ID, LARGEST_PIECE, PIECE
from webvigil.web.problem import MEDIA_TYPE

T = TypeVar("T")


class Problem(BaseModel):
    type: str = "about:blank"
    title: str
    status: int
    detail: str


_REASONS: dict[int | str, str] = {
    400: "Refused; `detail` says why",
    401: "Not signed in",
    403: "Not allowed for this user or token",
    404: "Not there, or not yours",
    409: "The name is taken",
    422: "Not understood; `detail` says what and where",
    "default": "Any other trouble; `detail` says which",
}
_PROBLEM = {"$ref": "#/components/schemas/Problem"}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": reason, "content": {MEDIA_TYPE: {"schema": _PROBLEM}}}
    for status, reason in _REASONS.items()
}
_BYTES = {"schema": {"type": "string", "format": "binary"}}
_TEXT = {"schema": {"type": "string"}}


def file_answer(*media_types: str) -> dict[int | str, dict[str, Any]]:
    """Describes the answer of a route that returns a file. Texts have one type. To other files the general
    type is added, because generators of clients know no special ones and would leave the answer out."""
    if media_types and all(one.startswith("text/") for one in media_types):
        return {200: {"content": dict.fromkeys(media_types, _TEXT)}}
    return {200: {"content": dict.fromkeys([*media_types, "application/octet-stream"], _BYTES)}}


def described(application: FastAPI) -> dict[str, Any]:
    """Returns the OpenAPI document. It defines `Problem` once, by name, so that a generated client gets one
    class for all problems."""
    if application.openapi_schema is None:
        told = FastAPI.openapi(application)
        told["components"]["schemas"]["Problem"] = Problem.model_json_schema()
    return FastAPI.openapi(application)


async def refuse_unknown_parameters(request: Request) -> None:
    """Raises the error of a request that is not understood, if its query has a parameter that the route does
    not take: a misspelt one would otherwise be ignored, and the answer be one to another question."""
    given = request.query_params.keys()
    if given and (unknown := given - set(_parameters(request.scope["route"].dependant))):
        raise RequestValidationError(
            [
                {"type": "extra_forbidden", "loc": ("query", name), "msg": "there is no such parameter"}
                for name in sorted(unknown)
            ]
        )


def _parameters(taker: Dependant) -> Iterator[str]:
    """Yields the names of the parameters in the query that a function takes, or a rule that it names."""
    yield from (one.alias for one in taker.query_params)
    for rule in taker.dependencies:
        yield from _parameters(rule)


def operation(route: APIRoute) -> str:
    """Returns the name of a route in generated clients, such as `sentinels_add`."""
    return "_".join([*(str(tag) for tag in route.tags[:1]), route.name])


Id = Annotated[int, Path(ge=0, lt=LARGEST_ID)]
PastId = Annotated[int, Path(gt=FROM_THE_PAST_ON, lt=LARGEST_ID)]
"""The id of a change or the number of a version, which is negative for the past of a page."""
Name = Annotated[str, Path(max_length=200)]
Limit = Annotated[int, Query(ge=1, le=LARGEST_PIECE, description="How many at most.")]
Before = Annotated[
    int, Query(ge=FROM_THE_PAST_ON, le=LARGEST_ID, description="Only those before this id: the next piece.")
]
Skip = Annotated[int, Query(ge=0, le=LARGEST_ID, description="Leave out so many: the next piece.")]
Words = Annotated[str, Query(max_length=200, description="All of these words.")]
SOME = PIECE
MOST = LARGEST_PIECE


class _HasId(Protocol):
    @property
    def id(self) -> int: ...


def link_to_next(request: Request, response: Response, piece: Sequence[_HasId], limit: int) -> None:
    """Adds the header Link with the address of the next piece if this piece is full. A piece that is not full
    is the last."""
    if len(piece) == limit:
        link_next(request, response, before=piece[-1].id)


def in_pieces(request: Request, response: Response, whole: Sequence[T], skip: int, limit: int) -> Sequence[T]:
    """Returns one piece of a list, and adds the header Link with the address of the next piece if there is
    one. For lists that are short as a rule, or whose entries have no ids to go on from."""
    if len(whole) > skip + limit:
        link_next(request, response, skip=skip + limit)
    return whole[skip : skip + limit]


def link_next(request: Request, response: Response, **where: int) -> None:
    query = {**request.query_params, **where}
    response.headers["link"] = f'<{request.url.path}?{urlencode(query)}>; rel="next"'


def aware(moment: datetime | None) -> datetime | None:
    """Returns the time with a zone: UTC where it has none."""
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment
