"""Personal agents are sent to a peer, work there as guests, and write letters home (B1, B2)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.community.servers import Community, Server, befriend
from tests.site import Site
from tests.store.making import remove_for_good
from webvigil.app.peers.agents import recall_agent, send_agent
from webvigil.app.sentinels.by_hand import enable
from webvigil.app.sentinels.install import install_text
from webvigil.community.letters import AGENT, LETTER
from webvigil.community.messages import Message, refuse
from webvigil.community.receiving import Kind, Reply
from webvigil.errors import MessageRefused, NotFound, PeerRefused, SentinelRefused
from webvigil.model.agent import Agent
from webvigil.model.contact import Preferences
from webvigil.model.peer import Peer
from webvigil.model.sentinel import State

Play = Callable[..., Coroutine[Any, Any, None]]


def played(folder: Path, play: Play, **given: str) -> None:
    """Runs a test with two peers: the home of the agent, and the server it is sent to."""

    async def run() -> None:
        async with Community(folder, "home", "away", agent_interval="1", **given) as (home, away):
            await befriend(home, away)
            await play(home, away)

    asyncio.run(run())


def sends(home: Server, away: Server, text: str, name: str = "s1") -> None:
    install_text(home.knowledge, home.settings, text)
    send_agent(home.knowledge, home.settings, name, away.url)


async def settles(home: Server, away: Server, turns: int = 2) -> None:
    """Lets both servers do their periodic work. The clock moves first, because letters wait some seconds
    before they are sent."""
    for _ in range(turns):
        home.clock.passes(seconds=6)
        await home.circle.agency.turn()
        await away.circle.agency.turn()


def agent_of(server: Server) -> Agent:
    (one,) = server.knowledge.agents.all()
    return one


async def changes_page(away: Server, page: Any, content: str) -> None:
    page.becomes(content)
    away.clock.passes(seconds=3600)
    await away.looks()


def text_on(url: str, more: str = "") -> str:
    return (
        f"Create Sentinel s1 Using {url}\nMonitor all words\nQuiet off\nFetch 1 hour\nNotify By log\n{more}"
    )


def test_what_an_agent_found_is_an_ordinary_change_at_home(site: Site, tmp_path: Path):
    page = site.page("/a", "<p>one")

    async def play(home: Server, away: Server) -> None:
        sends(home, away, text_on(page.url))
        assert home.knowledge.sentinels.get("me", "s1").state is State.DISABLED, "it rests at home"
        await settles(home, away)
        assert (agent_of(home).state, agent_of(away).state) == ("at work", "at work")
        await away.looks()
        await changes_page(away, page, "<p>two")
        hits = page.hits
        await settles(home, away)
        (change,) = home.changes
        assert (change.sentinel, change.url, change.user) == ("s1", page.url, "me")
        assert (change.old_version, change.new_version) == (1, 2)
        assert [one.type for one in change.findings] == ["all words"]
        versions = home.knowledge.versions.of(change.page)
        assert [one.number for one in versions] == [2, 1]
        bodies = [home.stages._pages.answer(one.object).body for one in versions]
        assert bodies == [b"<p>two", b"<p>one"]
        told = [
            one.notice for one in home.knowledge.outbox.all("me") if one.notice.body.get("event") == "change"
        ]
        assert [(one.channel, one.body["url"], one.body["page"]) for one in told] == [("log", page.url, 0)]
        assert away.knowledge.outbox.all(agent_of(away).user) == [], "nobody is told by the peer"
        assert page.hits == hits, "nothing is fetched at home"

    played(tmp_path, play)


def test_letters_wait_while_the_home_is_away_and_each_arrives_once(site: Site, tmp_path: Path):
    page = site.page("/a", "<p>0")

    async def play(home: Server, away: Server) -> None:
        sends(home, away, text_on(page.url))
        await settles(home, away)
        await away.looks()
        receiver = home.application.state.receiver
        home.application.state.receiver = None
        for number in range(1, 4):
            await changes_page(away, page, f"<p>{number}")
            await settles(away, away, 1)
        assert home.changes == []
        home.clock.passes(seconds=86_400)
        home.application.state.receiver = receiver
        await settles(home, away)
        numbers = [(one.old_version, one.new_version) for one in reversed(home.changes)]
        assert numbers == [(1, 2), (2, 3), (3, 4)]
        guest = agent_of(away)
        away.knowledge.agents.remove(guest.id)
        away.knowledge.agents.put(replace(guest, letters=0))
        await settles(home, away)
        assert len(home.changes) == 3, "the same letters again"

    played(tmp_path, play)


def test_only_so_many_letters_wait(site: Site, tmp_path: Path):
    page = site.page("/a", "<p>0")

    async def play(home: Server, away: Server) -> None:
        sends(home, away, text_on(page.url))
        await settles(home, away)
        await away.looks()
        for number in range(1, 5):
            await changes_page(away, page, f"<p>{number}")
        await settles(home, away)
        assert [one.new_version for one in reversed(home.changes)] == [4, 5]

    played(tmp_path, play, agent_letters="2")


def test_recalled_it_leaves_and_its_sentinel_watches_at_home(site: Site, tmp_path: Path):
    page = site.page("/a", "<p>one")

    async def play(home: Server, away: Server) -> None:
        sends(home, away, text_on(page.url))
        await settles(home, away)
        guest = agent_of(away).user
        recall_agent(home.knowledge, "me", "s1")
        assert home.knowledge.sentinels.get("me", "s1").state is State.ACTIVE
        await settles(home, away, 1)
        assert (home.knowledge.agents.all(), away.knowledge.agents.all()) == ([], [])
        assert guest not in {one.name for one in away.knowledge.users.all()}
        assert away.knowledge.sentinels.all() == []
        with pytest.raises(NotFound):
            recall_agent(home.knowledge, "me", "s1")

    played(tmp_path, play)


def test_recalled_while_the_peer_is_away_it_is_told_later(site: Site, tmp_path: Path):
    page = site.page("/a", "<p>one")

    async def play(home: Server, away: Server) -> None:
        sends(home, away, text_on(page.url))
        await settles(home, away)
        receiver, away.application.state.receiver = away.application.state.receiver, None
        recall_agent(home.knowledge, "me", "s1")
        await home.circle.agency.turn()
        assert agent_of(home).state == "recalling"
        away.application.state.receiver = receiver
        await settles(home, away, 1)
        assert (home.knowledge.agents.all(), away.knowledge.agents.all()) == ([], [])

    played(tmp_path, play)


def test_an_agent_whose_sentinel_is_enabled_at_home_comes_back(site: Site, tmp_path: Path):
    page = site.page("/a", "<p>one")

    async def play(home: Server, away: Server) -> None:
        sends(home, away, text_on(page.url))
        await settles(home, away)
        enable(home.knowledge, "me", "s1")
        await settles(home, away, 1)
        assert (home.knowledge.agents.all(), away.knowledge.agents.all()) == ([], [])
        assert home.knowledge.sentinels.get("me", "s1").enabled

    played(tmp_path, play)


def test_recalled_from_a_peer_that_is_gone_it_goes_elsewhere(site: Site, tmp_path: Path):
    page = site.page("/a", "<p>one")

    async def play(home: Server, away: Server) -> None:
        sends(home, away, text_on(page.url))
        await settles(home, away)
        receiver, away.application.state.receiver = away.application.state.receiver, None
        recall_agent(home.knowledge, "me", "s1")
        recall_agent(home.knowledge, "me", "s1")
        await settles(home, away, 1)
        send_agent(home.knowledge, home.settings, "s1", away.url)
        away.application.state.receiver = receiver
        await settles(home, away)
        assert [one.state for one in home.knowledge.agents.all()] == ["at work"]
        assert agent_of(away).id == agent_of(home).id, "the first has left"
        assert len(away.knowledge.users.all()) == 2

    played(tmp_path, play)


def test_a_letter_that_is_not_taken_keeps_no_other_waiting(site: Site, tmp_path: Path):
    pages = [site.page(f"/{name}", "<p>one") for name in ("s1", "s2")]

    async def play(home: Server, away: Server) -> None:
        for page, name in zip(pages, ("s1", "s2"), strict=True):
            sends(home, away, text_on(page.url).replace("s1", name, 1), name)
        await settles(home, away)
        await away.looks()
        take = home.application.state.receiver._kinds[LETTER].handle

        def picky(sender: Peer, message: Message) -> Reply:
            if message.content.get("found", {}).get("url") == pages[0].url:
                refuse("content")
            return take(sender, message)

        home.application.state.receiver._kinds[LETTER] = Kind(picky)
        pages[0].becomes("<p>two")
        await changes_page(away, pages[1], "<p>two")
        await settles(home, away)
        assert [one.sentinel for one in home.changes] == ["s2"]

    played(tmp_path, play)


def test_recalled_while_it_is_looked_into_it_leaves_nothing(site: Site, tmp_path: Path):
    page = site.page("/a", "<p>one")

    async def play(home: Server, away: Server) -> None:
        sends(home, away, text_on(page.url))
        await home.circle.agency.turn()
        broker = away.circle.agency._broker
        admit = broker._admit

        def recalled_meanwhile(one: Agent) -> None:
            admit(one)
            away.knowledge.agents.remove(one.id)

        broker._admit = recalled_meanwhile
        broker.turn()
        assert away.knowledge.agents.all() == []
        assert [one.name for one in away.knowledge.users.all()] == ["me"]
        assert away.knowledge.sentinels.all() == []

    played(tmp_path, play)


def test_an_agent_whose_sentinel_is_removed_comes_back(site: Site, tmp_path: Path):
    page = site.page("/a", "<p>one")

    async def play(home: Server, away: Server) -> None:
        sends(home, away, text_on(page.url))
        await settles(home, away)
        remove_for_good(home.knowledge, "me", "s1")
        await settles(home, away, 1)
        assert (home.knowledge.agents.all(), away.knowledge.agents.all()) == ([], [])

    played(tmp_path, play)


def test_an_agent_that_is_not_taken_in_watches_at_home(site: Site, tmp_path: Path):
    pages = [site.page(f"/{number}", "<p>one") for number in range(3)]

    async def play(home: Server, away: Server) -> None:
        every = " OR ".join(page.url for page in pages)
        sends(home, away, text_on(every))
        await settles(home, away)
        one = agent_of(home)
        assert (one.state, one.reason) == ("refused", "an agent may watch 2 pages here")
        assert home.knowledge.sentinels.get("me", "s1").state is State.ACTIVE
        assert away.knowledge.agents.all() == []
        assert [one.name for one in away.knowledge.users.all()] == ["me"]
        send_agent(home.knowledge, home.settings, "s1", away.url)
        assert agent_of(home).state == "sending", "it may try again"

    played(tmp_path, play, agent_pages="2")


def test_there_is_room_for_so_many(site: Site, tmp_path: Path):
    async def play(home: Server, away: Server) -> None:
        for name in ("s1", "s2"):
            page = site.page(f"/{name}", "<p>one")
            sends(home, away, text_on(page.url).replace("s1", name, 1), name)
        await settles(home, away)
        states = sorted(one.state for one in home.knowledge.agents.all())
        assert states == ["at work", "refused"]

    played(tmp_path, play, agents_per_peer="1")


def test_a_guest_is_not_served_faster_nor_further_than_allowed(site: Site, tmp_path: Path):
    links = "".join(f"<a href=/{number}>n</a>" for number in range(9))
    page = site.page("/a", links)
    site.page("*", "<p>x")

    async def play(home: Server, away: Server) -> None:
        away.settings = replace(away.settings, agent_interval=900.0)
        away.circle.agency._broker._admit = lambda one: _admit(away, one)
        sends(home, away, text_on(page.url, "Depth 1").replace("1 hour", "1 minute"))
        await settles(home, away)
        await away.looks()
        while away.knowledge.sentinels.follow(_limits()):
            pass
        user = agent_of(away).user
        (guest,) = away.knowledge.sentinels.all(user)
        assert guest.linked == 3
        (watch,) = away.knowledge.sentinels.watching(guest.pages[0].id)
        assert watch.interval == 900_000

    played(tmp_path, play, agent_pages="4")


def _admit(server: Server, one: Agent) -> None:
    from webvigil.app.peers.agents import admit

    admit(server.knowledge, server.settings, one)


def _limits() -> Any:
    from webvigil.model.following import Limits

    return Limits(most=100, patience=1000)


def test_what_an_owner_cares_about_goes_with_the_agent(site: Site, tmp_path: Path):
    page = site.page("/a", "<p>one")

    async def play(home: Server, away: Server) -> None:
        home.knowledge.users.prefer("me", '{"interests": ["merger"]}')
        sends(home, away, text_on(page.url, "When score > 40"))
        await settles(home, away)
        await away.looks()
        await changes_page(away, page, "<p>two")
        await settles(home, away)
        assert home.changes == [], "a few letters are not worth a letter"
        await changes_page(away, page, "<p>a merger")
        await settles(home, away)
        assert len(home.changes) == 1

    played(tmp_path, play)


def test_an_agent_of_a_home_that_is_silent_for_long_leaves(site: Site, tmp_path: Path):
    page = site.page("/a", "<p>one")

    async def play(home: Server, away: Server) -> None:
        sends(home, away, text_on(page.url))
        await settles(home, away)
        home.clock.passes(seconds=31 * 86_400)
        await away.circle.agency.turn()
        assert away.knowledge.agents.all() == []
        assert away.knowledge.sentinels.all() == []

    played(tmp_path, play)


def test_a_guest_is_not_led_into_a_private_network(site: Site, tmp_path: Path):
    """F5: networks that the operator allows for their own users stay closed to users of other servers."""
    page = site.page("/a", "<p>one")

    async def play(home: Server, away: Server) -> None:
        sends(home, away, text_on(page.url))
        await settles(home, away)
        one = agent_of(home)
        assert (one.state, "public pages" in one.reason) == ("refused", True)
        assert page.hits == 0

    played(tmp_path, play, share_networks="")


def test_what_a_guest_saw_in_a_private_network_is_not_sent(site: Site, tmp_path: Path):
    secret = site.page("/secret", "<p>one")
    inside = secret.url.replace("127.0.0.1", "localhost")
    page = site.page("/a").redirects_to(inside)

    async def play(home: Server, away: Server) -> None:
        away.circle.agency._office._hosts._lookup = lambda _: ["10.0.0.1"]
        sends(home, away, text_on(page.url))
        await settles(home, away)
        await away.looks()
        await changes_page(away, secret, "<p>two")
        assert len(away.knowledge.changes.all(agent_of(away).user)) == 1
        await settles(home, away)
        assert home.changes == []
        await changes_page(away, page.answers_normally(), "<p>three")
        await settles(home, away)
        assert home.changes == [], "one side of it is still from there"
        await changes_page(away, page, "<p>four")
        await settles(home, away)
        assert [one.new_version for one in home.changes] == [4]

    played(tmp_path, play)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Create Sentinel s1 Using form POST https://x.test/ {a = b}", "no forms"),
        ("Create Sentinel s1 Using https://x.test/ Render browser", "browser"),
        ('Create Sentinel s1 Using https://x.test/ When means "it is sold out"', "language model"),
    ],
)
def test_what_cannot_be_done_elsewhere_is_not_sent(text: str, reason: str, tmp_path: Path):
    async def play(home: Server, away: Server) -> None:
        install_text(home.knowledge, home.settings, text)
        with pytest.raises(SentinelRefused, match=reason):
            send_agent(home.knowledge, home.settings, "s1", away.url)
        assert home.knowledge.sentinels.get("me", "s1").state is State.ACTIVE

    played(tmp_path, play)


def test_agents_go_to_peers_only(site: Site, tmp_path: Path):
    page = site.page("/a", "<p>one")

    async def play(home: Server, away: Server) -> None:
        install_text(home.knowledge, home.settings, text_on(page.url))
        with pytest.raises(NotFound, match="no peer"):
            send_agent(home.knowledge, home.settings, "s1", "https://nobody.test")
        with pytest.raises(PeerRefused):
            send_agent(home.knowledge, replace(home.settings, community=False), "s1", away.url)

    played(tmp_path, play)


def test_letters_of_strangers_and_nonsense_are_not_taken(site: Site, tmp_path: Path):
    """B5: letters of a peer that lies are refused and change nothing."""
    page = site.page("/a", "<p>one")

    async def play(home: Server, away: Server) -> None:
        sends(home, away, text_on(page.url))
        await settles(home, away)
        id_, post = agent_of(home).id, away.circle.agency._post
        found = {"number": 1, "url": page.url, "old": 1, "new": 2, "at": 1}
        fine = {"agent": id_, "state": "at work", "reason": "", "found": found}
        body = b'{"findings": [{"type": "all words", "objects": []}], "versions": {}}\n'
        wrong: list[tuple[dict[str, Any], bytes]] = [
            (fine | {"agent": "x"}, body),
            (fine | {"state": "king"}, body),
            (fine | {"found": found | {"old": 2}}, body),
            (fine | {"found": found | {"new": -1}}, body),
            (fine | {"found": found | {"url": "javascript:alert(1)"}}, body),
            (fine, b""),
            (fine, b'{"findings": [{"type": 7, "objects": []}], "versions": {}}\n'),
            (
                fine,
                b'{"findings": [{"type": "x", "objects": [{"object": 7, "status": "?"}]}]}\n',
            ),
            (fine, b'{"findings": [{"type": "x"}], "versions": {"1": 99}}\n'),
            (fine, b"[" * 50_000),
        ]
        for content, bad in wrong:
            with pytest.raises((PeerRefused, MessageRefused)):
                await post.send(home.key, home.url, LETTER, content, bad)
        assert home.changes == []
        answer = await post.send(home.key, home.url, LETTER, fine | {"agent": "0" * 32}, body)
        assert answer.content == {"wanted": False}
        back = home.circle.agency._post
        for goals in (
            {},
            {"goals": 7},
            {"goals": {"name": "s", "text": "x" * 30_000, "taste": "", "zone": ""}},
        ):
            with pytest.raises((PeerRefused, MessageRefused)):
                await back.send(away.key, away.url, AGENT, {"agent": "1" * 32} | goals)

    played(tmp_path, play)


def test_goals_that_make_no_sense_are_refused_with_the_reason(tmp_path: Path):
    async def play(home: Server, away: Server) -> None:
        post = home.circle.agency._post
        for number, (text, zone, taste) in enumerate(
            [("nonsense", "UTC", ""), ("Create Sentinel s Using https://x.test/", "Nowhere", "{{{")]
        ):
            goals = {"name": "s", "text": text, "taste": taste, "zone": zone}
            answer = await post.send(away.key, away.url, AGENT, {"agent": f"{number:032x}", "goals": goals})
            assert answer.content["state"] == "waiting"
        away.circle.agency._broker.turn()
        assert {one.state for one in away.knowledge.agents.all()} == {"refused"}
        assert all(one.reason for one in away.knowledge.agents.all())

    played(tmp_path, play)


def test_preferences_do_not_keep_an_agent_from_going(site: Site, tmp_path: Path):
    """A user who keeps their pages to this server may still send one sentinel away, by name."""
    page = site.page("/a", "<p>one")

    async def play(home: Server, away: Server) -> None:
        home.knowledge.contacts.prefer("me", replace(Preferences(), share_pages=False))
        sends(home, away, text_on(page.url))
        await settles(home, away)
        assert agent_of(home).state == "at work"

    played(tmp_path, play)
