"""Messages of a chat in, the text of the reply out: the only place that talks to a language model.

Any server with the protocol of OpenAI's chat completions will do: one POST with JSON. The operator named its
address, so it may be a private one. A redirect is not followed, because it would carry the key elsewhere.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import aiohttp

from webvigil.errors import ModelBusy, ModelRefused
from webvigil.fetch.client import tls_context
from webvigil.model.moment import HOUR, Millis
from webvigil.trigger.meaning import MOST_WRITTEN

# The largest reply that is read: a hundred times what was asked for.
LARGEST_REPLY = 200_000
# The longest wait that a server can ask for.
LONGEST_WAIT: Millis = HOUR
# The two spellings of how much may be written. Older servers know only the first; newer models of OpenAI
# refuse it, and any temperature.
_SPELLINGS: tuple[dict[str, Any], ...] = (
    {"max_tokens": MOST_WRITTEN, "temperature": 0},
    {"max_completion_tokens": MOST_WRITTEN},
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote, how many tokens it read and wrote (None if it does not say), and its time."""

    text: str
    read: int | None = None
    written: int | None = None
    time: Millis = 0


class ModelServer:
    """A language model behind an address such as `http://127.0.0.1:11434/v1`."""

    def __init__(
        self, url: str, model: str, key: str = "", *, timeout: float = 30.0, ca_file: Path | None = None
    ) -> None:
        self.model = model
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._key = key
        self._timeout = timeout
        self._ca_file = ca_file
        self._session: aiohttp.ClientSession | None = None
        self._spelling = 0

    async def __aenter__(self) -> Self:
        # No proxy of the environment, no cookies: the key goes to this address and nowhere else.
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=tls_context(self._ca_file)),
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session:
            await self._session.close()

    async def reply(self, messages: Sequence[Mapping[str, str]]) -> Reply:
        """Returns what the model replies. Raises ModelBusy if it may reply later, ModelRefused if a person
        has to do something first."""
        began = time.monotonic()
        try:
            async with asyncio.timeout(self._timeout):
                status, headers, body = await self._asked(messages)
        except TimeoutError as error:
            raise ModelBusy(f"no answer in {self._timeout:g} seconds", worked=True) from error
        except aiohttp.ClientConnectorError as error:
            raise ModelBusy("the model's server cannot be reached") from error
        except aiohttp.InvalidURL as error:
            raise ModelRefused("the setting ai_url is no address") from error
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise ModelBusy("the model's server broke off", worked=True) from error
        _refuse_trouble(status, headers)
        found = _content(body)
        spent = int((time.monotonic() - began) * 1000)
        return Reply(found[0], found[1], found[2], spent)

    async def _asked(self, messages: Sequence[Mapping[str, str]]) -> tuple[int, Mapping[str, str], bytes]:
        """Posts the messages. A server that refuses one spelling gets the other, and keeps it."""
        answer = await self._post(messages, _SPELLINGS[self._spelling])
        if answer[0] not in (400, 422):
            return answer
        other = 1 - self._spelling
        again = await self._post(messages, _SPELLINGS[other])
        if again[0] < 300:
            self._spelling = other
        return again

    async def _post(
        self, messages: Sequence[Mapping[str, str]], bounds: Mapping[str, Any]
    ) -> tuple[int, Mapping[str, str], bytes]:
        assert self._session is not None, "used as a context manager"
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        said = {"model": self.model, "messages": list(messages), "stream": False, **bounds}
        async with self._session.post(
            self._url, json=said, headers=headers, allow_redirects=False
        ) as response:
            body = bytearray()
            async for piece in response.content.iter_chunked(16_384):
                body += piece
                if len(body) > LARGEST_REPLY:
                    raise ModelRefused("the reply is too large")
            return response.status, dict(response.headers), bytes(body)


def _refuse_trouble(status: int, headers: Mapping[str, str]) -> None:
    """Raises the error for an answer that is no reply. What the server writes about it is left out: it may
    quote the key or the page."""
    if status < 300:
        return
    if status == 429 or status >= 500:
        raise ModelBusy(f"the model's server is busy ({status})", wait=_wait(headers))
    if status in (401, 403):
        raise ModelRefused(f"the model's server refuses our key ({status})")
    if status == 404:
        raise ModelRefused("the model's server knows no such model or address (404)")
    raise ModelRefused(f"the model's server refuses the question ({status})")


def _wait(headers: Mapping[str, str]) -> Millis:
    said = next((text for name, text in headers.items() if name.lower() == "retry-after"), "")
    seconds = float(said) if re.fullmatch(r"\d{1,9}(\.\d{1,3})?", said.strip()) else 0.0
    return min(int(seconds * 1000), LONGEST_WAIT)


def _content(body: bytes) -> tuple[str, int | None, int | None]:
    """Returns the text of a completion, and the tokens read and written as far as the server tells them."""
    try:
        plain = json.loads(body)
        text = plain["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        raise ModelRefused("the model's server does not speak the protocol") from None
    if not isinstance(text, str):
        raise ModelRefused("the model's server does not speak the protocol")
    usage = plain.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return text, _tokens(usage.get("prompt_tokens")), _tokens(usage.get("completion_tokens"))


def _tokens(said: object) -> int | None:
    """Returns a number of tokens that can be true; None for anything else."""
    known = isinstance(said, int) and not isinstance(said, bool) and 0 <= said <= 10_000_000
    return said if known and isinstance(said, int) else None
