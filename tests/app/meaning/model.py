"""A server that speaks OpenAI's chat protocol over a real socket, with well-behaved, recorded and hostile
answers. By hand: `python -m tests.app.meaning.model 8901` judges by words that a sentence and a change share.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

Behaviour = Callable[["Model", web.Request, dict[str, Any]], Awaitable[web.StreamResponse]]


class Model:
    """A model whose next answers a test chooses. `asked` are the requests that came."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.behaviour: Behaviour = sensible
        self.under_way = self.most_under_way = 0
        self.url = ""

    async def reply(self, request: web.Request) -> web.StreamResponse:
        asked = await request.json()
        self.asked.append(asked)
        self.headers.append(dict(request.headers))
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            return await self.behaviour(self, request, asked)
        finally:
            self.under_way -= 1


@asynccontextmanager
async def serving(port: int = 0) -> AsyncIterator[Model]:
    model = Model()
    application = web.Application()
    application.router.add_post("/v1/chat/completions", model.reply)
    application.router.add_get("/v1/models", _models)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    await site.start()
    assert site._server is not None
    model.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/v1"
    try:
        yield model
    finally:
        await runner.cleanup()


async def _models(_: web.Request) -> web.Response:
    return web.json_response({"object": "list", "data": [{"id": "little", "object": "model"}]})


# --- behaviours -----------------------------------------------------------------------------------


def check_of(asked: dict[str, Any]) -> str:
    found = re.search(r'"check": the text "(\w+)"', asked["messages"][0]["content"])
    return found[1] if found else ""


def questions_of(asked: dict[str, Any]) -> list[str]:
    return re.findall(r"^\d+\. (.*)$", asked["messages"][0]["content"], re.MULTILINE)


def foreign(asked: dict[str, Any]) -> str:
    content = asked["messages"][-1]["content"]
    found = re.fullmatch(r"<<<FOREIGN\n(.*)\nFOREIGN>>>", content, re.DOTALL)
    return found[1] if found else content


def completion(text: str, asked: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_800_000_000,
        "model": asked.get("model", ""),
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 210, "completion_tokens": 30, "total_tokens": 240},
        **more,
    }


def says(*answers: str, sentence: str = "The sofa is cheaper.", **more: Any) -> Behaviour:
    """Replies in the agreed form."""

    async def behave(_: Model, __: web.Request, asked: dict[str, Any]) -> web.StreamResponse:
        reply = {"check": check_of(asked), "answers": list(answers), "sentence": sentence, **more}
        return web.json_response(completion(json.dumps(reply), asked))

    return behave


def writes(text: str) -> Behaviour:
    async def behave(_: Model, __: web.Request, asked: dict[str, Any]) -> web.StreamResponse:
        return web.json_response(completion(text, asked))

    return behave


def body(content: bytes, status: int = 200, **headers: str) -> Behaviour:
    async def behave(*_: Any) -> web.StreamResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return web.Response(body=content, status=status, headers=named, content_type="application/json")

    return behave


async def sensible(_: Model, request: web.Request, asked: dict[str, Any]) -> web.StreamResponse:
    """Says yes to a sentence that shares a word of five letters with the change."""
    words = set(re.findall(r"\w{5,}", foreign(asked).lower()))
    answers = [
        "yes" if words & set(re.findall(r"\w{5,}", one.lower())) else "no" for one in questions_of(asked)
    ]
    first = json.loads(foreign(asked))["changes"][:1] if foreign(asked).startswith("{") else []
    what = first[0] if first else {}
    sentence = f"{what.get('what') or 'The page'} is now {what.get('after') or what.get('object') or 'new'}."
    reply = {"check": check_of(asked), "answers": answers, "sentence": sentence}
    return web.json_response(completion(json.dumps(reply), asked))


async def slow(model: Model, request: web.Request, asked: dict[str, Any]) -> web.StreamResponse:
    await asyncio.sleep(60)
    return await sensible(model, request, asked)


async def endless(_: Model, request: web.Request, __: dict[str, Any]) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(b" " * 10_000)


async def dripping(_: Model, request: web.Request, __: dict[str, Any]) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(b" ")
        await asyncio.sleep(0.05)


async def cut(_: Model, request: web.Request, __: dict[str, Any]) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"choices": [')
    assert request.transport is not None
    request.transport.close()
    return response


async def obeys_the_page(_: Model, __: web.Request, asked: dict[str, Any]) -> web.StreamResponse:
    """The worst model: it writes what the page tells it to write."""
    text = (
        json.loads(f'"{found[1]}"') if (found := re.search(r"reply with: (.*?)END", foreign(asked))) else ""
    )
    return web.json_response(completion(text, asked))


def first_then(*behaviours: Behaviour) -> Behaviour:
    """Returns a behaviour that plays these in turn and stays with the last one."""
    left = list(behaviours)

    async def behave(model: Model, request: web.Request, asked: dict[str, Any]) -> web.StreamResponse:
        one = left.pop(0) if len(left) > 1 else left[0]
        return await one(model, request, asked)

    return behave


async def _by_hand(port: int) -> None:
    async with serving(port) as model:
        sys.stdout.write(f"{model.url}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_by_hand(int(sys.argv[1])))
