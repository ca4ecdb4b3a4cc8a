"""Channels that send nothing: the bulletin and the feeds show recorded changes when somebody opens them."""

from __future__ import annotations

from datetime import UTC, datetime

from webvigil.model.notice import Notice, Receipt
from webvigil.notify.channel import Means


def make(means: Means) -> ShownChannel:
    return ShownChannel()


class ShownChannel:
    """Returns a receipt at once, because the dashboard and the feeds read the recorded changes themselves."""

    async def send(self, notice: Notice) -> Receipt:
        return Receipt(dedup=notice.dedup, delivered_at=datetime.now(UTC))
