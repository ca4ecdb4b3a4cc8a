"""Routes at which sites, scripts and WebSub hubs tell us that a page has changed (F8).

Their addresses are secret: whoever knows one may use it.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from starlette.concurrency import run_in_threadpool

from webvigil.app.pages.pushes import distributed, pinged, subscribed, verified
from webvigil.errors import NotFound
from webvigil.web.access import Anyone, knowledge_of

router = APIRouter(tags=["push"])

# The most bytes of a hub's message. Anybody who knows the address may send, so the body is read with a limit.
_LARGEST = 10_000_000
Secret = Annotated[str, Path(max_length=200)]


@router.post(
    "/push/{secret}",
    status_code=202,
    response_class=Response,
    summary="The page of this secret address has changed",
)
def ping(request: Request, _: Anyone, secret: Secret) -> Response:
    if not pinged(knowledge_of(request), secret):
        raise NotFound("there is no such address")
    return Response(status_code=202)


@router.get("/websub/{secret}", include_in_schema=False)
def verify(request: Request, _: Anyone, secret: Secret) -> Response:
    """Answers a hub that asks whether we really subscribed: returns the hub's challenge, or 404 if we did
    not."""
    challenge = verified(knowledge_of(request), secret, dict(request.query_params))
    if challenge is None:
        raise NotFound("we did not ask for that")
    return Response(challenge, media_type="text/plain")


@router.post("/websub/{secret}", include_in_schema=False)
async def distribute(request: Request, _: Anyone, secret: Secret) -> Response:
    """Takes a message of a hub that a page has changed. A message without the agreed signature gets 202 too
    and has no effect: the WebSub standard allows this, so that nobody can try out signatures."""
    if not await run_in_threadpool(subscribed, knowledge_of(request).pushes, secret):
        raise NotFound("there is no such address")
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > _LARGEST:
            return Response(status_code=413)
    signature = request.headers.get("x-hub-signature", "")
    seal = getattr(request.app.state, "seal", None)
    known = seal and await run_in_threadpool(
        distributed, knowledge_of(request), seal, secret, bytes(body), signature
    )
    if known is None:
        raise NotFound("there is no such address")
    return Response(status_code=202)
