"""The Apprise channel: a notice in, a message by chat, SMS, push or another service out.

Apprise opens its own connections, past our check of addresses. So the operator says which of its services may
be used. A service at a fixed host is harmless; for a service at a host that the user names, `judge` checks
that host first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from typing import Any

from webvigil.errors import ChannelBusy, ChannelRefused
from webvigil.model.notice import Notice, Receipt
from webvigil.notify.channel import Means
from webvigil.notify.render import Renderer

# Services with a fixed host, which no part of the user's URL can change.
WELL_KNOWN = ("discord", "gchat", "pbul", "pover", "slack", "tgram", "twilio", "vonage", "wxteams")
# Longer texts are cut before they go to a service.
_LONGEST = 20_000
_AT_A_TIME = 64

Address = Callable[[Notice], Awaitable[str]]
Judge = Callable[[str], Awaitable[None]]


def make(means: Means) -> AppriseChannel:
    return AppriseChannel(means.renderer, means.service, means.judge, means.schemes)


class AppriseChannel:
    """Sends notices through Apprise. `address` returns the service's unsealed URL, `judge` raises
    ChannelRefused for a forbidden host."""

    def __init__(
        self, renderer: Renderer, address: Address, judge: Judge, schemes: Collection[str] = WELL_KNOWN
    ) -> None:
        self._renderer = renderer
        self._address = address
        self._judge = judge
        self._schemes = frozenset(schemes)
        # Apprise blocks its thread. With threads of its own, a service that does not answer does not use up
        # the threads that the rest of the program shares.
        self._threads = ThreadPoolExecutor(_AT_A_TIME, thread_name_prefix="services")

    async def send(self, notice: Notice) -> Receipt:
        url = await self._address(notice)
        service = service_of(url, self._schemes)
        if host := place_of(url, service):
            await self._judge(host)
        rendered = await asyncio.to_thread(self._renderer.render, notice)
        text = rendered.text[:_LONGEST]
        notify = partial(service.notify, body=text, title=rendered.subject, body_format="text")
        sent = await asyncio.get_running_loop().run_in_executor(self._threads, notify)
        if not sent:
            raise ChannelBusy(f"the service {notice.address} did not take it")
        return Receipt(dedup=notice.dedup, delivered_at=datetime.now(UTC))


def service_of(url: str, schemes: Collection[str]) -> Any:
    """Returns Apprise's object for a URL. Raises ChannelRefused if the service is unknown or not allowed."""
    try:
        from apprise import Apprise
    except ImportError as error:
        raise ChannelRefused("Apprise is not installed; pip install 'webvigil[apprise]'") from error
    scheme = url.partition("://")[0].lower()
    if scheme not in schemes:
        raise ChannelRefused(
            f"the service {scheme[:20]!r} may not be used here; the setting apprise_schemes allows it"
        )
    made = Apprise.instantiate(url, suppress_exceptions=True)
    if not made:
        raise ChannelRefused(f"Apprise cannot read this {scheme} address")
    return made


def place_of(url: str, service: Any) -> str:
    """Returns the host that the user named, or nothing for a service with a fixed host."""
    host = getattr(service, "host", None)
    named = url.partition("://")[0].lower() not in WELL_KNOWN and isinstance(host, str)
    return str(host or "") if named else ""
