"""Executes the steps of a script on a real connection."""

from __future__ import annotations

import asyncio
import socket
import struct

from aiohttp import web

from tests.site.answer import Answer
from tests.site.log import Entry
from tests.site.script import Complete, Cut, Hang, Head, Raw, Step, Wait, Write, script
from tests.site.trouble import Trouble

_NO_BODY = (204, 304)


class _AsIs(web.StreamResponse):
    """A response whose headers are sent as given: a length may be wrong, a content type may be missing."""

    _length_check = False

    async def _prepare_headers(self) -> None:
        typed = "Content-Type" in self.headers
        await super()._prepare_headers()
        if not typed:
            self.headers.popall("Content-Type", None)


async def send(http: web.BaseRequest, answer: Answer, trouble: Trouble, entry: Entry) -> web.StreamResponse:
    response = _response(http, answer, trouble)
    with_body = http.method != "HEAD" and answer.status not in _NO_BODY
    for step in script(answer, trouble, with_body):
        await _take(step, http, response, entry)
    return response


def _response(http: web.BaseRequest, answer: Answer, trouble: Trouble) -> web.StreamResponse:
    response = _AsIs(status=answer.status)
    for name, value in answer.headers:
        response.headers.add(name, value)
    if answer.framing == "length" and not trouble.endless:
        response.headers["Content-Length"] = str(len(answer.body) + trouble.length_off)
    elif answer.framing != "close" and http.version >= (1, 1):
        response.enable_chunked_encoding()
    if trouble.length_off or not ("Content-Length" in response.headers or response.chunked):
        response.force_close()
    return response


async def _take(step: Step, http: web.BaseRequest, response: web.StreamResponse, entry: Entry) -> None:
    match step:
        case Wait(seconds) if seconds:
            await asyncio.sleep(seconds)
        case Hang(gate):
            await gate.passed()
        case Head():
            entry.answering(response.status)
            await response.prepare(http)
        case Write(piece):
            entry.sending(len(piece))
            await response.write(piece)
        case Raw(piece):
            entry.sending(len(piece))
            _transport(http).write(piece)
        case Complete():
            entry.ends("complete")
        case Cut(reset):
            entry.ends("cut")
            _cut(http, reset)


def _cut(http: web.BaseRequest, reset: bool) -> None:
    """Ends the connection with FIN after what was written, or with RST at once. Raises, because nothing more
    can be sent."""
    transport = _transport(http)
    if reset:
        linger_not = struct.pack("ii", 1, 0)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger_not)
        transport.abort()
    else:
        transport.close()
    raise ConnectionResetError("cut on command")


def _transport(http: web.BaseRequest) -> asyncio.Transport:
    if http.transport is None:
        raise ConnectionResetError("the client is gone")
    return http.transport
