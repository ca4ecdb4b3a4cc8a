"""Settings in, the parts of the community out: our identity, the messages we accept, the way to reach peers.

`kinds_of` is the table of messages: a new kind of message is one line there and a handler in `community` or
here.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache, partial

from webvigil.app.operating.stores import repository
from webvigil.app.pages.documents import signature_of
from webvigil.app.peers.agent_duties import Agency, broker_of, home_of_agents
from webvigil.app.settings import Settings
from webvigil.app.telling.contacts import home_of
from webvigil.community.borrowing import Borrower, PeerStore
from webvigil.community.broadcasting import BROADCAST, Board
from webvigil.community.greeting import HELLO, Greeting, greet, invite
from webvigil.community.keys import Identity, identity_from
from webvigil.community.letters import AGENT, LETTER, RECALL
from webvigil.community.location import ANNOUNCE, COMMUNITIES, LOCATE, Location
from webvigil.community.openness import OpenHosts
from webvigil.community.receiving import Kind, Receiver
from webvigil.community.rounds import Rounds
from webvigil.community.sending import Post
from webvigil.community.sharing import HINT, PAGE, Sharing
from webvigil.errors import SettingRefused
from webvigil.fetch.client import Client
from webvigil.model.moment import Millis
from webvigil.model.peer import Peer
from webvigil.store.promises import Journal, Knowledge

ADDRESS = "address"
"""Name of the fact in the journal that stores at which address the server last listened."""


@lru_cache(4)
def identity_of(settings: Settings) -> Identity:
    return identity_from(settings.peer_key, settings.data)


def receiver_of(knowledge: Knowledge, settings: Settings) -> Receiver | None:
    """Returns the receiver of messages from peers, or None if the setting `community` is off."""
    if not settings.community:
        return None
    return Receiver(identity_of(settings), knowledge.peers, kinds_of(knowledge, settings))


def kinds_of(knowledge: Knowledge, settings: Settings) -> dict[str, Kind]:
    greeting = Greeting(knowledge.peers, knowledge.schedule)
    location = Location(knowledge.peers, knowledge.schedule)
    hosts = OpenHosts(settings.share_networks)
    sharing = Sharing(
        knowledge, repository(settings, knowledge.versions), hosts, int(settings.minimum_interval * 1000)
    )
    broker = broker_of(knowledge, settings)
    return {
        HELLO: Kind(greeting.greeted, strangers=True),
        ANNOUNCE: Kind(location.announced),
        LOCATE: Kind(location.located),
        COMMUNITIES: Kind(location.communities),
        PAGE: Kind(sharing.asked),
        HINT: Kind(sharing.hinted),
        AGENT: Kind(broker.asked),
        RECALL: Kind(broker.recalled),
        LETTER: Kind(home_of_agents(knowledge, settings).received),
        BROADCAST: Kind(Board(knowledge).heard),
    }


def post_of(settings: Settings, client: Client) -> Post:
    return Post(identity_of(settings), client, within=settings.peer_timeout)


def address_of(journal: Journal, settings: Settings) -> str:
    """Returns the address at which peers reach this server: as the operator set it, or where the server last
    listened."""
    return settings.public_url.rstrip("/") or journal.fact(ADDRESS) or home_of(settings)


async def add_peer(
    knowledge: PeerStore, settings: Settings, client: Client, url: str, fingerprint: str
) -> Peer:
    """Makes the server at `url` a peer, if it has this fingerprint, and sends it a greeting. Raises PeerError
    if that fails."""
    if not settings.community:
        raise SettingRefused("this server shares its work with no others; set community to yes")
    post = post_of(settings, client)
    invited = await invite(post, knowledge.peers, knowledge.schedule, url, fingerprint)
    own = await asyncio.to_thread(address_of, knowledge.journal, settings)
    return await greet(post, knowledge.peers, invited, own, listed=settings.peer_listed)


@dataclass(frozen=True, slots=True)
class Circle:
    """The parts of the community that a worker needs."""

    borrower: Borrower
    rounds: Rounds
    agency: Agency


@asynccontextmanager
async def circle_of(
    settings: Settings, knowledge: Knowledge, client: Client, delay: Callable[[str], Millis] = lambda _: 0
) -> AsyncIterator[Circle | None]:
    """Opens the parts of the community, or yields None if the setting `community` is off. `delay` tells the
    pause that a host asks for."""
    if not settings.community:
        yield None
        return
    post, hosts = post_of(settings, client), OpenHosts(settings.share_networks)
    borrower = Borrower(
        post,
        knowledge,
        hosts,
        signature_of,
        largest=settings.fetch_bytes,
        checks=settings.peer_checks,
        pause=lambda host: max(settings.host_delay, delay(host) / 1000),
    )
    rounds = Rounds(
        post,
        knowledge,
        hosts,
        borrower,
        url=partial(address_of, knowledge.journal, settings),
        listed=settings.peer_listed,
    )
    try:
        yield Circle(borrower, rounds, Agency(knowledge, settings, post))
    finally:
        await hosts.close()
