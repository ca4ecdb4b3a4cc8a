"""The community as the settings describe it: who we are, what peers may say to us, how we reach them.

`kinds_of` is the table of messages: a new kind is one line there and a handler in `community` or here.
"""

from __future__ import annotations

from functools import lru_cache

from webvigil.app.settings import Settings
from webvigil.community.keys import Identity, identity_from
from webvigil.community.receiving import Kind, Receiver
from webvigil.community.sending import Post
from webvigil.fetch.client import Client
from webvigil.store.promises import Knowledge


@lru_cache(4)
def identity_of(settings: Settings) -> Identity:
    return identity_from(settings.peer_key, settings.data)


def receiver_of(knowledge: Knowledge, settings: Settings) -> Receiver | None:
    """None where this server shares its work with no others."""
    if not settings.community:
        return None
    return Receiver(identity_of(settings), knowledge.peers, kinds_of(knowledge, settings))


def kinds_of(knowledge: Knowledge, settings: Settings) -> dict[str, Kind]:
    return {}


def post_of(settings: Settings, client: Client) -> Post:
    return Post(identity_of(settings), client, within=settings.peer_timeout)
