"""Peers are found by name, and told with their figures."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from webvigil.app.peers.roster import peer_as_json, peer_named, saved, where
from webvigil.community.keys import fingerprint
from webvigil.errors import NotFound, PeerUnreachable, SettingRefused
from webvigil.model.page import Page
from webvigil.model.peer import Figures, Peer

URL = "http://a.test/"
KEY = Page(url=URL).key
ONE, TWO = Peer(key="one", url="https://one.test:8443/x"), Peer(key="two", url="https://two.test/")


class Peers:
    """The peers of a server, in memory."""

    def __init__(self, *some: Peer, wanting: tuple[str, ...] = ()) -> None:
        self._some, self._wanting = some, wanting

    def all(self) -> list[Peer]:
        return list(self._some)

    def wanting(self, keys: list[str]) -> dict[str, tuple[str, ...]]:
        return dict.fromkeys(keys, self._wanting)


def named(name: str, *some: Peer) -> Peer:
    peers: Any = Peers(*some)
    return peer_named(peers, name)


@pytest.mark.parametrize(
    "name",
    [
        "https://one.test:8443/x",
        "one.test:8443",
        fingerprint("one"),
        fingerprint("one")[:4],
        fingerprint("one").upper().replace("-", " "),
    ],
)
def test_a_peer_is_found_by_its_address_and_by_its_fingerprint(name: str):
    assert named(name, ONE, TWO) == ONE


@pytest.mark.parametrize(
    "name", [fingerprint("one")[:3], "one.test", "", "-", fingerprint("other"), "x" * 90]
)
def test_what_fits_no_peer_is_told(name: str):
    with pytest.raises(NotFound) as told:
        named(name, ONE, TWO)
    assert str(told.value) == f"there is no peer {name[:80]!r}"


def test_what_fits_several_peers_is_told():
    with pytest.raises(NotFound, match=r"there is more than one peer 'one\.test:8443'"):
        named("one.test:8443", ONE, Peer(key="three", url=ONE.url))


def test_a_peer_is_told_with_its_figures():
    peer = Peer(
        key="one",
        url=ONE.url,
        state="known",
        reason="so",
        added_at=1_000,
        heard_at=2_000,
        failures=1,
        figures=Figures(asked=1, got=2, same=3, given=4, checked=5, agreed=6, strikes=7, refused=8),
    )
    assert peer_as_json(peer) == {
        "fingerprint": fingerprint("one"),
        "key": "one",
        "url": ONE.url,
        "state": "resting",
        "reason": "so",
        "added_at": "1970-01-01T00:00:01+00:00",
        "heard_at": "1970-01-01T00:00:02+00:00",
        "rests_until": None,
        **dict(asked=1, got=2, same=3, given=4, checked=5, agreed=6, strikes=7, refused=8),  # noqa: C408
    }


def test_what_sharing_saves_is_told():
    peers: Any = Peers(*(Peer(key=key, url=URL, figures=Figures(got=3, given=4)) for key in "ab"))
    assert saved(peers, None) == {"looks": 0, "fetches": 0, "utilisation": None, "got": 6, "given": 8}
    for shared, told in (((5, 3), 0.667), ((5, 0), None)):
        metrics: Any = SimpleNamespace(shared=lambda: shared, utilisation=lambda: 2 / 3)  # noqa: B023
        found = saved(peers, metrics)
        assert (found["looks"], found["fetches"], found["utilisation"]) == (*shared, told)


class Post:
    """Sends nothing; each peer answers what was given for it."""

    def __init__(self, **answers: Any) -> None:
        self.identity = SimpleNamespace(fingerprint=fingerprint("me"))
        self._answers, self.asked = answers, list[tuple[str, Any]]()

    async def send(self, key: str, url: str, kind: str, content: Any) -> Any:
        self.asked.append((key, content))
        answer = self._answers[key]
        if isinstance(answer, Exception):
            raise answer
        return SimpleNamespace(content=answer)


def places(post: Post, *some: Peer, wanting: tuple[str, ...] = (), url: str = URL) -> list[tuple[str, str]]:
    peers: Any = Peers(*some, wanting=wanting)
    told: Any = post
    return [(one["fingerprint"], one["url"]) for one in asyncio.run(where(peers, told, url))]


def known(key: str, failures: int = 0) -> Peer:
    return Peer(key=key, url=f"https://{key}.test/", state="known", failures=failures)


def test_peers_and_those_they_know_watch_a_page():
    far = {
        "found": {
            KEY: [{"fingerprint": "f" * 70, "url": "u" * 400}] + [{"fingerprint": "g", "url": "v"}] * 99
        }
    }
    more = {"found": {KEY: [{"fingerprint": fingerprint("me"), "url": "mine"}]}}
    post = Post(a=far, b=more, c=PeerUnreachable("gone"), e={"found": {}}, f={"none": 1})
    some = (known("a"), known("b"), known("c"), known("d", failures=1), known("e"), known("f"), ONE)
    found = places(post, *some, wanting=("b", "d", "one", "unknown"))
    assert found == sorted(
        [
            (fingerprint("b"), "https://b.test/"),
            (fingerprint("d"), "https://d.test/"),
            ("f" * 60, "u" * 300),
            ("g", "v"),
        ]
    )
    assert sorted(key for key, _ in post.asked) == ["a", "b", "c", "e", "f"]
    assert post.asked[0][1] == {"pages": [KEY]}


def test_a_hundred_places_of_each_peer_are_read():
    told = {"found": {KEY: [{"fingerprint": f"{n:03}", "url": "v"} for n in range(101)]}}
    assert len(places(Post(a=told), known("a"))) == 100


def test_what_is_no_address_is_refused():
    with pytest.raises(SettingRefused):
        places(Post(), url="http://")
