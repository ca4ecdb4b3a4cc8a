"""What a channel promises."""

from __future__ import annotations

from typing import Protocol

from webvigil.model.notice import Notice, Receipt


class Channel(Protocol):
    async def send(self, notice: Notice) -> Receipt:
        """Hand the notice over, or raise ChannelBusy (again later) or ChannelRefused (never)."""
