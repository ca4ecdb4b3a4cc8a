"""The webhook channel, for programs: a notice in, signed JSON by POST out.

    WebVigil-Signature: t=1700000000,v1=<hex of HMAC-SHA256(secret, "1700000000." + body)>

The time is part of what is signed, so that nobody else can send an old message again. The Idempotency-Key is
the same for every repeat of a notice, so that a receiver can drop repeats.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Protocol

from webvigil.errors import ChannelBusy, ChannelRefused
from webvigil.model.moment import Millis
from webvigil.model.notice import Notice, Receipt
from webvigil.notify.channel import Means
from webvigil.notify.render import cleaned

# A larger body is shortened (`_short`).
LARGEST = 1_000_000
_LATER = (408, 425, 429)


def make(means: Means) -> WebhookChannel:
    return WebhookChannel(means.post, means.secret, means.renderer.in_own_words)


@dataclass(frozen=True, slots=True)
class Answered:
    status: int
    headers: Mapping[str, str]


class Post(Protocol):
    """Sends a POST request within limits: no redirects, no private addresses. Raises ChannelBusy or
    ChannelRefused."""

    def __call__(self, url: str, body: bytes, headers: Mapping[str, str]) -> Awaitable[Answered]: ...


class WebhookChannel:
    def __init__(
        self,
        post: Post,
        secret: Callable[[Notice], Awaitable[str]],
        in_own_words: Callable[[Notice], Notice] = lambda notice: notice,
    ) -> None:
        self._post = post
        self._secret = secret
        self._in_own_words = in_own_words

    async def send(self, notice: Notice) -> Receipt:
        now = datetime.now(UTC)
        body = payload(self._in_own_words(notice), now)
        secret = await self._secret(notice)
        answer = await self._post(notice.address, body, _headers(notice, body, secret, now))
        _judge(answer)
        return Receipt(dedup=notice.dedup, delivered_at=now, reference=f"HTTP {answer.status}")


def payload(notice: Notice, at: datetime) -> bytes:
    """Returns the JSON for a notice. If it is too large, findings and records are left out."""
    content: dict[str, Any] = {
        "id": notice.dedup,
        "user": notice.user,
        "subject": notice.subject,
        "sent_at": at.isoformat(),
        **notice.body,
    }
    made = json.dumps(content, ensure_ascii=True).encode()
    if len(made) > LARGEST:
        made = json.dumps(_short(content), ensure_ascii=True).encode()
    return made


def signature(secret: str, body: bytes, seconds: int) -> str:
    """Returns the value of the header WebVigil-Signature."""
    signed = hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256)
    return f"t={seconds},v1={signed.hexdigest()}"


def _headers(notice: Notice, body: bytes, secret: str, at: datetime) -> dict[str, str]:
    name = "".join(letter if 32 < ord(letter) < 127 else "?" for letter in cleaned(notice.dedup))
    return {
        "Content-Type": "application/json",
        "Idempotency-Key": name,
        "WebVigil-Event": str(notice.body.get("event", "")).replace(" ", "-"),
        "WebVigil-Signature": signature(secret, body, int(at.timestamp())),
    }


def _short(content: dict[str, Any]) -> dict[str, Any]:
    """Returns the content without findings and records. The amounts and addresses stay."""
    return {name: value for name, value in content.items() if name not in ("findings", "records")} | {
        "entries": content.get("entries", [])[:20],
        "shortened": True,
    }


def _judge(answer: Answered) -> None:
    """Raises ChannelBusy or ChannelRefused if the receiver did not take the notice."""
    if 200 <= answer.status < 300:
        return
    if answer.status in _LATER or answer.status >= 500:
        raise ChannelBusy(f"the receiver answered {answer.status}", wait=_wait(answer))
    if 300 <= answer.status < 400:
        raise ChannelRefused(f"the receiver answered {answer.status}; redirects are not followed")
    raise ChannelRefused(f"the receiver answered {answer.status}")


def _wait(answer: Answered) -> Millis:
    """Returns how long the receiver asks us to wait (Retry-After), or 0."""
    said = {name.lower(): value for name, value in answer.headers.items()}.get("retry-after", "").strip()
    if said.isascii() and said.isdigit():
        return int(said[:9]) * 1000
    try:
        seconds = (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError):
        return 0
    return max(0, int(seconds * 1000))
