"""Routes for messages of other WebVigil servers (peers) (B5).

They are open to strangers, so a message has a largest size and counts only with a valid signature.
"""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from webvigil.community.messages import MEDIA_TYPE, REFUSALS
from webvigil.community.receiving import LARGEST_MESSAGE, Receiver
from webvigil.community.sending import IDENTITY, MESSAGES
from webvigil.errors import NotFound, PeerError
from webvigil.web.access import Anyone
from webvigil.web.problem import problem

router = APIRouter()


@router.get(IDENTITY, include_in_schema=False)
def identity(request: Request, _: Anyone) -> dict[str, str]:
    """Returns this server's public key and fingerprint. The other operator must compare the fingerprint by
    another way, because anybody between the two servers could change this answer."""
    mine = _receiver(request).identity
    return {"key": mine.key, "fingerprint": mine.fingerprint}


@router.post(MESSAGES, include_in_schema=False)
async def messages(request: Request, _: Anyone) -> Response:
    receiver = _receiver(request)
    wire = bytearray()
    async for piece in request.stream():
        wire += piece
        if len(wire) > LARGEST_MESSAGE:
            return problem(413, REFUSALS["size"])
    try:
        answer = await run_in_threadpool(receiver.received, bytes(wire))
    except PeerError as error:
        return problem(400, str(error))
    return Response(answer, media_type=MEDIA_TYPE)


def _receiver(request: Request) -> Receiver:
    found: Receiver | None = getattr(request.app.state, "receiver", None)
    if found is None:
        raise NotFound("this server shares its work with no others")
    return found
