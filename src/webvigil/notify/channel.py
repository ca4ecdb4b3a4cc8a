"""The interface of a channel, the means that a channel is made of, and how the module of a channel is found.

The module of a channel has a function `make`, which takes the means and returns the channel. The row of the
channel (`model/channels.py`) names the module.
"""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from webvigil.model.channels import CHANNELS
from webvigil.model.notice import Notice, Receipt

if TYPE_CHECKING:
    from webvigil.notify.render import Links, Renderer
    from webvigil.notify.webhook import Post

Security = Literal["starttls", "tls", "none"]


class Channel(Protocol):
    """A way to reach a person or a program."""

    async def send(self, notice: Notice) -> Receipt:
        """Hands the notice over and returns a receipt. Raises ChannelBusy if a later attempt may succeed, or
        ChannelRefused if none will."""


@runtime_checkable
class Closing(Protocol):
    """A channel that holds connections also has this."""

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """How to reach and use the operator's mail server."""

    host: str
    port: int
    sender: str
    security: Security = "starttls"
    user: str = ""
    password: str = ""
    tls: ssl.SSLContext | None = None
    timeout: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a channel can be made of. `app.telling.delivery` makes them from the settings and the store.

    `folder` is the operator's data folder. `links` are the addresses that a mail offers; `secret` opens the
    sealed secret of a webhook, `service` the sealed address of a service; `judge` raises ChannelRefused for a
    host that may not be visited. `post` keeps the limits and visits no private address.
    """

    folder: Path
    renderer: Renderer
    mail_server: MailServer
    links: Callable[[Notice], Links]
    post: Post
    secret: Callable[[Notice], Awaitable[str]]
    service: Callable[[Notice], Awaitable[str]]
    judge: Callable[[str], Awaitable[None]]
    schemes: Collection[str]


def make_channel(name: str, means: Means) -> Channel:
    """Returns the channel of this name, made by the module that its row names."""
    module = import_module(f"webvigil.notify.{CHANNELS[name].module or name}")
    channel: Channel = module.make(means)
    return channel
