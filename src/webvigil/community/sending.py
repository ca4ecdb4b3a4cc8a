"""A message for a peer in, the peer's signed answer out; the request goes through the one HTTP client.

So the address of a peer is judged where the socket is made, like that of any page. An answer is believed only
if the peer signed it, for us, in answer to this message, just now.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

from webvigil.community.keys import Identity, is_key
from webvigil.community.messages import MEDIA_TYPE, Message, opened, refuse, written
from webvigil.community.receiving import LARGEST_MESSAGE
from webvigil.errors import PageError, PeerRefused, PeerUnreachable
from webvigil.fetch.client import Ask, Client
from webvigil.model.moment import Millis
from webvigil.model.version import Answer

MESSAGES = "/peer/messages"
IDENTITY = "/peer/identity"
# Most bytes of the answer with a server's key.
_SMALL = 10_000
# Most characters of a peer's refusal that are shown to our operator.
_LONGEST_WORDS = 300


class Post:
    """Sends messages. An answer must arrive within `within` seconds."""

    def __init__(
        self,
        identity: Identity,
        client: Client,
        *,
        within: float = 10.0,
        now: Callable[[], Millis] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self.identity = identity
        self._client = client
        self._within = within
        self._now = now

    async def send(
        self,
        key: str,
        url: str,
        kind: str,
        content: dict[str, Any] | None = None,
        body: bytes = b"",
        *,
        largest: int = LARGEST_MESSAGE,
    ) -> Message:
        """Sends a message to the server at `url` with this key, and returns its answer.

        Raises PeerUnreachable (try later), PeerRefused (the peer says no) or MessageRefused (the answer
        cannot be believed).
        """
        id_, wire = written(self.identity, key, kind, content, body, sent=self._now())
        ask = Ask(
            url=url.rstrip("/") + MESSAGES,
            method="POST",
            body=wire,
            headers={"Content-Type": MEDIA_TYPE},
            limit=largest,
        )
        answer = await self._asked(ask)
        message = opened(answer.body, self.identity, now=self._now(), largest=largest)
        if (message.sender, message.answers, message.kind) != (key, id_, kind):
            refuse("answer")
        return message

    async def key_of(self, url: str) -> str:
        """Returns the key that the server at this address claims to have. The fingerprint must show whether
        the claim is true."""
        answer = await self._asked(Ask(url=url.rstrip("/") + IDENTITY, limit=_SMALL))
        key = _json(answer).get("key")
        if not isinstance(key, str) or not is_key(key):
            raise PeerRefused("there is no WebVigil server at this address that shares its work")
        return key

    async def _asked(self, ask: Ask) -> Answer:
        try:
            async with asyncio.timeout(self._within):
                answer = (await self._client.ask(ask)).answer
        except TimeoutError as error:
            raise PeerUnreachable(f"the peer did not answer within {self._within:g} seconds") from error
        except PageError as error:
            kind = PeerUnreachable if error.transient else PeerRefused
            raise kind(f"the peer could not be asked: {error}") from error
        if answer.status != 200:
            raise _refusal(answer)
        return answer


def _refusal(answer: Answer) -> PeerUnreachable | PeerRefused:
    """Returns the error for an answer that is not 200: PeerUnreachable for server trouble, PeerRefused for a
    no."""
    detail = _json(answer).get("detail")
    words = "".join(one for one in str(detail)[:_LONGEST_WORDS] if one.isprintable()) if detail else ""
    if answer.status >= 500 or answer.status == 429:
        return PeerUnreachable(f"the peer is in trouble: it answered {answer.status}")
    return PeerRefused(f"the peer said no: {words}" if words else f"the peer answered {answer.status}")


def _json(answer: Answer) -> dict[str, Any]:
    try:
        said = json.loads(answer.body)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}
