"""A page from a peer: what is asked, which answers are taken, how they are checked, what a failure costs (B4,
B5)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import pytest

from tests.store.conftest import Clock
from tests.store.making import checked, claim_all, new_version, sentinel
from webvigil.community.borrowing import Borrower, distrust, forget, name_of
from webvigil.community.keys import Identity
from webvigil.community.location import responsible
from webvigil.community.messages import Message, refuse
from webvigil.community.openness import OpenHosts
from webvigil.community.sharing import packed
from webvigil.errors import PageUnreachable, PeerUnreachable
from webvigil.fetch.http import Fetched
from webvigil.model.approach import Approach, Step
from webvigil.model.page import Page
from webvigil.model.peer import Figures, Peer, Wanted
from webvigil.model.version import Answer
from webvigil.model.work import DuePage, LatestVersion
from webvigil.store.memory import MemoryKnowledge

HERE, THERE = Identity(b"here"), Identity(b"there")
PEER = Peer(key=THERE.key, url="https://there.test:81/below", state="known")
LATEST = LatestVersion(number=1, signature="old", object="o")


def _page(key: str) -> Page:
    """Returns a page that the server with this key fetches for both."""
    pages = (Page(url=f"http://site.test/{number}") for number in count())
    return next(page for page in pages if responsible(page.key, [HERE.key, THERE.key]) == key)


THEIRS, OURS = _page(THERE.key), _page(HERE.key)


def answer(body: str, status: int = 200) -> Answer:
    return Answer(url=THEIRS.url, status=status, headers=(), body=body.encode())


def said(what: str, age: int = 0, body: str = "") -> Callable[[], Message]:
    content = {"is": what, "age": age}
    wire = packed(answer(body)) if what == "new" else b""
    return lambda: Message(
        sender=THERE.key, receiver=HERE.key, kind="page", id="i", sent=1, content=content, body=wire
    )


def unreachable() -> Message:
    raise PeerUnreachable("no answer")


def unbelievable() -> Message:
    refuse("answer")


@dataclass
class Lender:
    """The peer as its messages show it: `answers` come one after the other."""

    answers: list[Callable[[], Message]]
    identity: Identity = HERE
    sent: list[tuple[Any, ...]] = field(default_factory=list)

    async def send(self, key: str, url: str, kind: str, content: dict[str, Any], *, largest: int) -> Message:
        self.sent.append((key, url, kind, content, largest))
        return self.answers.pop(0)()


class Table:
    """A borrower with one peer, who watches both pages. `web` are the bodies that our own fetches find; None
    is a page that cannot be reached."""

    def __init__(
        self, *answers: Callable[[], Message], web: tuple[str | None, ...] = ("ours",), **more: Any
    ) -> None:
        self.clock = Clock()
        self.knowledge = MemoryKnowledge(delay=0, clock=self.clock)
        self.knowledge.users.add("jill")
        self.knowledge.sentinels.add(
            sentinel("s1", THEIRS.url, OURS.url, interval=more.pop("interval", 60_000))
        )
        self.knowledge.peers.put(PEER)
        self.knowledge.peers.count(PEER.key, **more.pop("figures", {}))
        self.knowledge.peers.announce(PEER.key, [Wanted(page.key, 60_000) for page in (THEIRS, OURS)])
        self.post = Lender(list(answers))
        self.web, self.facts = list(web), list[dict[str, str]]()
        self.pauses: list[str] = []
        hosts = OpenHosts(lookup=lambda _: ["93.184.216.34"])
        chance = more.pop("chance", 1.0)  # 1: nothing is checked, 0: everything
        options = {"largest": 100_000, "checks": 0} | more
        self.borrower = Borrower(
            self.post,  # type: ignore[arg-type]
            self.knowledge,
            hosts,
            lambda one: one.body.decode(),
            pause=self._pause,
            chance=lambda: chance,
            **options,
        )

    def _pause(self, host: str) -> float:
        self.pauses.append(host)
        return 0.0

    async def _direct(self, facts: dict[str, str]) -> Fetched:
        self.facts.append(facts)
        body = self.web.pop(0)
        if body is None:
            raise PageUnreachable("the page is away")
        return Fetched(answer=answer(body), status=200, validators={"etag": "e"}, reason="fetched")

    def looks(self, page: Page = THEIRS, **more: Any) -> Fetched:
        due = replace(
            DuePage.unscheduled(page, ()), **{"latest": LATEST, "validators": {"etag": "old"}} | more
        )
        return asyncio.run(self.borrower.fetch(due, self._direct))

    @property
    def peer(self) -> Peer:
        found = self.knowledge.peers.get(PEER.key)
        assert found
        return found


class TestAsking:
    def test_the_wish_says_what_we_have_and_how_old_an_answer_may_be(self):
        table = Table(said("same"))
        table.looks()
        wish = {"page": THEIRS.key, "have": "old", "age": 77_000, "interval": 60_000, "largest": 98_000}
        assert table.post.sent == [(PEER.key, PEER.url, "page", wish, 100_000)]

    @pytest.mark.parametrize(("largest", "told"), [(2_001, 1), (2_000, 0), (1_999, 0), (0, 0)])
    def test_around_a_page_there_is_room_for_the_message(self, largest: int, told: int):
        table = Table(said("later"), largest=largest)
        table.looks()
        assert table.post.sent[0][3]["largest"] == told

    def test_a_page_on_change_that_nobody_saw_is_wanted_every_minute(self):
        table = Table(said("later"), interval=0)
        table.looks(latest=None)
        assert [table.post.sent[0][3][name] for name in ("have", "interval", "age")] == ["", 60_000, 77_000]

    @pytest.mark.parametrize(("passed", "interval"), [(8, 8_000), (0, 0), (-8, 0)])
    def test_a_page_on_change_is_wanted_as_often_as_it_was_looked_at_last(self, passed: int, interval: int):
        table = Table(said("later"), interval=0)
        (claim,) = claim_all(table.knowledge)
        results = [checked(claim, due, version=new_version(1)) for due in claim.pages]
        assert table.knowledge.schedule.finish(claim, results)
        table.clock.passes(seconds=passed)
        table.looks()
        wish = table.post.sent[0][3]
        assert (wish["interval"], wish["age"]) == (interval, interval * 5 // 4 + 2_000)

    @pytest.mark.parametrize(
        ("page", "more", "asks"),
        [
            (THEIRS, {}, True),
            (THEIRS, {"wish": "a peer has news"}, True),
            (THEIRS, {"wish": "jill asked"}, False),
            (THEIRS, {"validators": {"peer_not": PEER.key}}, False),
            (THEIRS, {"validators": {"peer_not": "another peer"}}, True),
            (OURS, {}, False),
            (Page(url="http://site.test/nobody-else"), {}, False),
            (replace(THEIRS, login="me"), {}, False),
            (replace(THEIRS, method="POST"), {}, False),
            (replace(THEIRS, render="browser"), {}, False),
            (replace(THEIRS, approach=Approach(steps=(Step(do="open", text="http://x.test/"),))), {}, False),
        ],
    )
    def test_only_what_everybody_sees_and_the_peer_fetches_is_asked_for(
        self, page: Page, more: dict[str, Any], asks: bool
    ):
        table = Table(said("later"))
        assert table.looks(page, **more).answer == answer("ours")
        assert bool(table.post.sent) is asks

    @pytest.mark.parametrize(
        "peer", [replace(PEER, state="invited"), replace(PEER, state="distrusted"), replace(PEER, failures=1)]
    )
    def test_a_peer_that_is_none_or_in_trouble_is_not_asked(self, peer: Peer):
        table = Table()
        table.knowledge.peers.put(peer)
        assert table.looks().answer == answer("ours")
        assert asyncio.run(table.borrower.peers()) == {}

    def test_a_page_in_a_private_network_is_not_asked_for(self):
        table = Table()
        table.borrower._hosts = OpenHosts(lookup=lambda _: ["10.0.0.1"])
        assert table.looks().answer == answer("ours")

    def test_the_list_of_peers_is_read_again_after_two_seconds(self, monkeypatch: pytest.MonkeyPatch):
        table, now = Table(), [100.0]
        monkeypatch.setattr("webvigil.community.borrowing.time.monotonic", lambda: now[0])
        known = []
        for now[0] in (100.0, 101.9, 102.1):
            known.append(len(asyncio.run(table.borrower.peers())))
            table.knowledge.peers.put(replace(PEER, failures=1))
        assert known == [1, 1, 0]


class TestTaking:
    def test_the_same_page_is_not_modified(self):
        assert Table(said("same", 5_000)).looks() == Fetched(
            answer=None,
            status=304,
            validators={"etag": "old", "peer": "there.test:81"},
            reason="from peer there.test:81, which fetched it 5 seconds ago",
        )

    def test_a_new_page_is_taken_like_a_fetch_and_the_next_fetch_is_unconditional(self):
        facts = {"etag": "old", "peer_not": "another"}
        assert Table(said("new", 0, "news")).looks(validators=facts) == Fetched(
            answer=answer("news"),
            status=200,
            validators={"peer_not": "another", "peer": "there.test:81"},
            reason="from peer there.test:81, which fetched it a moment ago",
            received=4,
        )

    @pytest.mark.parametrize(("age", "taken"), [(77_000, True), (77_001, False)])
    def test_an_answer_that_is_too_old_is_none(self, age: int, taken: bool):
        table = Table(said("new", age, "news"))
        assert table.looks().answer == answer("news" if taken else "ours")
        assert table.peer.figures == Figures(asked=1, got=int(taken))

    @pytest.mark.parametrize(
        ("given", "figures"),
        [
            (said("later"), Figures(asked=1)),
            (said("same"), Figures(asked=1, got=1, same=1)),
            (said("new", 0, "news"), Figures(asked=1, got=1)),
            (unreachable, Figures(asked=1)),
            (unbelievable, Figures(asked=1, refused=1)),
        ],
    )
    def test_what_a_peer_did_is_counted(self, given: Callable[[], Message], figures: Figures):
        table = Table(given)
        table.looks()
        assert table.peer.figures == figures

    @pytest.mark.parametrize(("latest", "facts"), [(LATEST, {"etag": "old"}), (None, {})])
    def test_without_an_answer_we_look_ourselves_with_what_we_know_of_our_version(
        self, latest: LatestVersion | None, facts: dict[str, str]
    ):
        table = Table(said("later"))
        assert table.looks(latest=latest) == Fetched(
            answer=answer("ours"), status=200, validators={"etag": "e"}, reason="fetched"
        )
        assert table.facts == [facts]

    def test_our_notes_about_peers_outlive_our_own_fetches(self):
        notes = {"peer_not": "n", "peer_own": "o", "peer_own_at": "7"}
        table = Table(said("later"))
        assert table.looks(validators={"etag": "old", **notes}).validators == {"etag": "e", **notes}


class TestFailing:
    def test_a_peer_that_fails_rests_and_is_not_asked_again(self, caplog: pytest.LogCaptureFixture):
        table = Table(unreachable, web=("ours", "ours"))
        table.looks()
        assert (table.peer.failures, table.peer.reason) == (1, "no answer")
        assert table.peer.rest_until == table.clock.now + 10_000
        assert caplog.messages == [
            "The peer https://there.test:81/below failed to answer for a page: no answer"
        ]
        table.looks()
        assert len(table.post.sent) == 1

    def test_that_we_have_no_version_cannot_be_the_same(self):
        table = Table(said("same"))
        assert table.looks(latest=None).answer == answer("ours")
        assert table.peer.reason == "the message does not say what one of its kind must say"

    @pytest.mark.parametrize("meanwhile", [replace(PEER, failures=2), replace(PEER, state="distrusted")])
    def test_requests_at_the_same_time_are_one_failure(self, meanwhile: Peer):
        table = Table(unreachable)
        asyncio.run(table.borrower.peers())
        table.knowledge.peers.put(meanwhile)
        table.knowledge.peers.announce(PEER.key, [Wanted(THEIRS.key, 1)])
        asyncio.run(table.borrower._failed(PEER, PeerUnreachable("no answer")))
        assert table.peer == replace(meanwhile, figures=Figures(asked=1))


TRUE = "fetched to check what peer there.test:81 says; it is true"
EARLIER = "fetched to check what peer there.test:81 says; it may have looked earlier"
OTHERWISE = "peer there.test:81 tells another page than we see; fetched here from now on"
VARIES = "fetched to check a peer; the page is never the same twice"
NOTED = {"peer_own": "ours", "peer_own_at": "1000"}


class TestChecking:
    @pytest.mark.parametrize(
        ("given", "checks", "chance", "agreed", "is_checked"),
        [
            (said("same"), 50, 0.49, 0, True),
            (said("same"), 50, 0.5, 0, False),
            (said("new", 0, "ours"), 0, 0.99, 0, True),
            (said("new", 0, "ours"), 0, 0.49, 20, True),
            (said("new", 0, "ours"), 0, 0.5, 20, False),
        ],
    )
    def test_some_answers_are_checked(
        self, given: Callable[[], Message], checks: int, chance: float, agreed: int, is_checked: bool
    ):
        table = Table(given, checks=checks, chance=chance, figures={"agreed": agreed}, web=("ours", "ours"))
        table.looks()
        assert bool(table.facts) is is_checked

    @pytest.mark.parametrize(
        ("given", "web", "facts", "reason", "counted"),
        [
            (said("new", 0, "ours"), ["ours"], {}, TRUE, {"checked": 1, "agreed": 1}),
            (said("same"), ["old"], {}, TRUE, {"checked": 1, "agreed": 1, "same": 1}),
            (said("new", 0, "lie"), ["ours", "ours"], {}, EARLIER, {}),
            (said("new", 0, "lie"), ["ours", None], {}, EARLIER, {}),
            (said("new", 0, "lie"), ["ours", "ours"], NOTED, OTHERWISE, {"checked": 1, "strikes": 1}),
            (said("new", 0, "lie"), ["other", "other"], NOTED, EARLIER, {}),
            (said("new", 0, "a b c 1"), ["a b c 2", "a b c 3"], {}, VARIES, {"checked": 1, "agreed": 1}),
            (said("same"), ["a b c 2", "a b c 3"], {}, VARIES, {"checked": 1, "agreed": 1, "same": 1}),
            (said("new", 0, "d e f"), ["a b c 2", "a b c 3"], {}, EARLIER, {}),
            (said("new", 0, "d e f"), ["a b c 2", "a b c 3"], NOTED, OTHERWISE, {"checked": 1, "strikes": 1}),
        ],
    )
    def test_what_a_check_shows(
        self,
        given: Callable[[], Message],
        web: list[str | None],
        facts: dict[str, str],
        reason: str,
        counted: dict[str, int],
    ):
        table = Table(given, web=tuple(web), chance=0.0, checks=100)
        found = table.looks(validators=facts)
        assert found.answer == answer(str(web[0])), "our own fetch counts"
        assert found.reason == reason
        assert table.peer.figures == replace(Figures(asked=1, got=1), **counted)
        assert table.facts == [{}] * len(web), "a check fetches unconditionally"
        assert table.pauses == ["site.test"] * (len(web) - 1)

    def test_what_we_saw_is_noted_while_in_doubt(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr("webvigil.community.borrowing.time.time_ns", lambda: 7_999_999)
        noted = Table(said("new", 0, "lie"), web=("ours", "ours"), chance=0.0).looks()
        assert noted.validators == {"etag": "e", "peer_own": "ours", "peer_own_at": "7"}

    def test_a_page_that_a_peer_lied_about_is_not_asked_for_again(self, caplog: pytest.LogCaptureFixture):
        table = Table(said("new", 0, "lie"), web=("ours", "ours"), chance=0.0)
        assert table.looks(validators=NOTED).validators == {"etag": "e", "peer_not": PEER.key}
        assert caplog.messages == [
            f"The peer https://there.test:81/below sent another page than we fetched: {THEIRS.url}"
        ]
        assert table.peer.state == "known"

    def test_a_page_that_we_cannot_reach_is_taken_from_a_peer_that_was_right_before(self):
        table = Table(said("new", 0, "news"), web=(None,), figures={"agreed": 1}, chance=0.0)
        assert table.looks().answer == answer("news")
        with pytest.raises(PageUnreachable):
            Table(said("new", 0, "news"), web=(None,), chance=0.0).looks()

    @pytest.mark.parametrize(
        ("noted_at", "ours", "age", "proven"),
        [
            ("1000", "ours", 99, True),
            ("1000", "ours", 100, False),
            ("1000", "else", 99, False),
            ("", "ours", 99, False),
        ],
    )
    def test_a_lie_is_proven_by_the_same_page_before_and_after(
        self, noted_at: str, ours: str, age: int, proven: bool, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr("webvigil.community.borrowing.time.time_ns", lambda: 1_100 * 1_000_000)
        table = Table(said("new", age, "lie"), web=(ours, ours), chance=0.0)
        found = table.looks(validators={"peer_own": "ours", "peer_own_at": noted_at})
        assert (found.reason == OTHERWISE) is proven

    def test_the_third_lie_is_one_too_many(self):
        table = Table(said("new", 0, "lie"), web=("ours", "ours"), figures={"strikes": 2, "checked": 2})
        table.looks(validators=NOTED)
        assert table.peer.state == "distrusted"
        assert table.peer.reason == "3 of its pages are not as we see them ourselves"
        assert asyncio.run(table.borrower.peers()) == {}
        (event,) = table.knowledge.journal.events(subject=PEER.url)
        assert (event.name, event.subject) == ("PeerDistrusted", PEER.url)
        assert event.details == {"reason": table.peer.reason, "pages": 1}


class TestPartingFromAPeer:
    def test_the_pages_of_a_peer_that_is_not_believed_are_ours_now(self):
        table = Table()
        assert distrust(table.knowledge, HERE.key, table.peer, "it lied") == 1
        assert (table.peer.state, table.peer.reason) == ("distrusted", "it lied")
        assert _wishes(table) == {THEIRS.url: "a peer is not believed any more", OURS.url: ""}

    def test_the_pages_of_a_peer_that_is_removed_are_ours_now(self):
        table = Table()
        assert forget(table.knowledge, HERE.key, table.peer) == 1
        assert table.knowledge.peers.all() == []
        assert _wishes(table) == {THEIRS.url: "a peer is none any more", OURS.url: ""}
        (event,) = table.knowledge.journal.events(subject=PEER.url)
        assert (event.name, event.subject, event.details) == ("PeerRemoved", PEER.url, {"pages": 1})

    def test_one_that_was_never_a_peer_fetched_nothing_for_us(self):
        table = Table()
        table.knowledge.peers.put(replace(PEER, state="invited"))
        assert forget(table.knowledge, HERE.key, table.peer) == 0
        assert set(_wishes(table).values()) == {""}


def _wishes(table: Table) -> dict[str, str]:
    return {due.page.url: due.wish for claim in claim_all(table.knowledge) for due in claim.pages}


@pytest.mark.parametrize(
    ("url", "name"), [("https://there.test:81/below", "there.test:81"), ("", "abcdefgh"), ("x", "abcdefgh")]
)
def test_a_peer_is_called_by_its_host_or_the_begin_of_its_key(url: str, name: str):
    assert name_of(Peer(key="abcdefghi", url=url)) == name
