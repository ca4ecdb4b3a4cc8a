"""`webvigil peer`: adds, lists, removes and distrusts servers that share the work with this one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say, say_json

if TYPE_CHECKING:
    from webvigil.app.settings import Settings
    from webvigil.community.borrowing import PeerStore
    from webvigil.model.peer import Peer
    from webvigil.model.shapes import PlaceShape
    from webvigil.store.promises import Peers


@click.group()
def peer() -> None:
    """Share the work with other WebVigil servers: pages that both watch are fetched once.

    Both sides add each other. Fingerprints tell servers apart; get the other one from its operator.

    \b
    Example:
      webvigil peer id
      webvigil peer add https://vigil.example --fingerprint k3tq-9xzm-…
      webvigil peer list
    """


@peer.command(name="id")
@as_json
@store_options
def id_(store: dict[str, Any], as_json: bool) -> None:
    """Tell the fingerprint of this server, for those who add it.

    \b
    Example:
      webvigil peer id
    """
    from webvigil.app.peers.wiring import address_of, identity_of

    with store_of(store) as (knowledge, settings):
        mine, url = identity_of(settings), address_of(knowledge.journal, settings)
    if as_json:
        say_json({"fingerprint": mine.fingerprint, "key": mine.key, "url": url})
        return
    say(mine.fingerprint)


@peer.command()
@click.argument("url")
@click.option("--fingerprint", required=True, metavar="F", help="What the other operator reads out to you.")
@as_json
@store_options
def add(store: dict[str, Any], url: str, fingerprint: str, as_json: bool) -> None:
    """Make the server at URL a peer, if it has this fingerprint. Its operator must add this one, too.

    \b
    Example:
      webvigil peer add https://vigil.example --fingerprint k3tq-9xzm-…
    """
    import asyncio

    with store_of(store) as (knowledge, settings):
        found = asyncio.run(_added(knowledge, settings, url, fingerprint))
    if as_json:
        from webvigil.app.peers.roster import peer_as_json

        say_json(peer_as_json(found))
    elif found.state == "known":
        say(f"{found.url} is a peer now: pages that both watch are fetched once.")
    else:
        say(f"{found.url} is invited. It becomes a peer when its operator adds this server.")


async def _added(knowledge: PeerStore, settings: Settings, url: str, fingerprint: str) -> Peer:
    from webvigil.app.pages.fetchers import http_fetcher
    from webvigil.app.peers.wiring import add_peer

    async with http_fetcher(settings) as fetcher:
        return await add_peer(knowledge, settings, fetcher.client, url, fingerprint)


@peer.command(name="list")
@as_json
@store_options
def list_(store: dict[str, Any], as_json: bool) -> None:
    """List the peers, those that ask to be one, and what each saved us.

    \b
    Example:
      webvigil peer list
    """
    from webvigil.app.peers.roster import peer_as_json

    with store_of(store) as (knowledge, _):
        rows = [peer_as_json(one) for one in knowledge.peers.all()]
    if as_json:
        say_json(rows)
        return
    for row in rows:
        say(f"{row['state']:10} {row['url']}  {row['got']} pages got, {row['given']} given")
        say(f"           {row['fingerprint']}" + (f"  ({row['reason']})" if row["reason"] else ""))
    if not rows:
        say("There are no peers. 'webvigil peer add' makes one.")


@peer.command()
@click.argument("name", metavar="PEER")
@store_options
def remove(store: dict[str, Any], name: str) -> None:
    """End sharing with PEER (its address, or the beginning of its fingerprint). Its pages are fetched here.

    \b
    Example:
      webvigil peer remove vigil.example
    """
    from webvigil.app.peers.roster import remove_peer
    from webvigil.app.peers.wiring import identity_of

    with store_of(store) as (knowledge, settings):
        pages = remove_peer(knowledge, identity_of(settings).key, name)
    say(f"removed; {pages} pages are looked at here now")


@peer.command()
@click.argument("name", metavar="PEER")
@click.option("--reason", default="", help="Why; shown in the list of peers.")
@store_options
def distrust(store: dict[str, Any], name: str, reason: str) -> None:
    """Believe PEER no more. It is not heard until it is added again; its pages are fetched here.

    \b
    Example:
      webvigil peer distrust vigil.example --reason "tells old pages"
    """
    from webvigil.app.peers.roster import distrust_peer
    from webvigil.app.peers.wiring import identity_of

    with store_of(store) as (knowledge, settings):
        pages = distrust_peer(knowledge, identity_of(settings).key, name, reason)
    say(f"distrusted; {pages} pages are looked at here now")


@peer.command()
@click.argument("url")
@as_json
@store_options
def where(store: dict[str, Any], url: str, as_json: bool) -> int:
    """Tell where else the page URL is watched: by peers, and by theirs. Exit code 1 if nowhere.

    \b
    Example:
      webvigil peer where https://example.org/news
    """
    import asyncio

    with store_of(store) as (knowledge, settings):
        found = asyncio.run(_where(knowledge.peers, settings, url))
    if as_json:
        say_json(found)
    for one in found if not as_json else ():
        say(f"{one['url']}  {one['fingerprint']}")
    if not found and not as_json:
        say("No server that we know of watches this page.")
    return 0 if found else 1


async def _where(peers: Peers, settings: Settings, url: str) -> list[PlaceShape]:
    from webvigil.app.pages.fetchers import http_fetcher
    from webvigil.app.peers.roster import where
    from webvigil.app.peers.wiring import post_of

    async with http_fetcher(settings) as fetcher:
        return await where(peers, post_of(settings, fetcher.client), url)
