"""The interface of a channel, which `deliver` calls to hand a notice over."""

from __future__ import annotations

from typing import Protocol

from webvigil.model.notice import Notice, Receipt


class Channel(Protocol):
    """A way to reach a person or a program."""

    async def send(self, notice: Notice) -> Receipt:
        """Hands the notice over and returns a receipt. Raises ChannelBusy if a later attempt may succeed, or
        ChannelRefused if none will."""
