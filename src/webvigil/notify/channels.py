"""The table of channels: the word in `Notify By …`, and who delivers. A new channel is one line here."""

from __future__ import annotations

from collections.abc import Callable

from webvigil.notify.channel import Channel
from webvigil.notify.log import LogChannel

CHANNELS: dict[str, Callable[[], Channel]] = {
    "log": LogChannel,
}
