"""Channels that send nothing: the bulletin and the feeds show what is recorded, whenever somebody looks."""

from __future__ import annotations

from datetime import UTC, datetime

from webvigil.model.notice import Notice, Receipt
from webvigil.notify.channel import Means


def make(means: Means) -> ShownChannel:
    return ShownChannel()


class ShownChannel:
    async def send(self, notice: Notice) -> Receipt:
        return Receipt(dedup=notice.dedup, delivered_at=datetime.now(UTC))
