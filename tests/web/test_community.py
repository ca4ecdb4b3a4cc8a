"""Peers on the web: for administrators, in the dashboard and the API; and the route for other servers."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.community.servers import Community, Server
from tests.web.doors import browser_of, program_of, stranger
from webvigil.app.operating.metrics import Metrics
from webvigil.app.peers.wiring import receiver_of
from webvigil.app.settings import read_settings
from webvigil.community.keys import Identity
from webvigil.community.messages import MEDIA_TYPE, REFUSALS, opened, written
from webvigil.community.receiving import LARGEST_MESSAGE
from webvigil.model.peer import Peer
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application

THERE = Identity(b"there")
EVIL = "http://\"'><svg onload=alert(1)>.test"


class Web:
    def __init__(self, folder: Path, **given: str) -> None:
        self.knowledge = MemoryKnowledge(delay=0)
        self.knowledge.users.add("root", role="admin")
        self.knowledge.users.add("jill")
        self.settings = read_settings({"data": str(folder), **given}, environment={})
        self.application: FastAPI = create_application(self.knowledge, self.settings)
        self.receiver = receiver_of(self.knowledge, self.settings)
        self.application.state.receiver = self.receiver
        self.application.state.metrics = Metrics()
        self.root = browser_of(self.application, self.knowledge, "root")
        self.program = program_of(self.application, self.knowledge, "root", "admin")
        self.door = TestClient(self.application)

    def knows(self, **more: object) -> Peer:
        values: dict[str, object] = {"key": THERE.key, "url": "http://there.test", "state": "known", **more}
        self.knowledge.peers.put(Peer(**values))  # type: ignore[arg-type]
        found = self.knowledge.peers.get(THERE.key)
        assert found
        return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Web:
    return Web(tmp_path_factory.mktemp("web"), allow_networks="127.0.0.0/8")


@pytest.fixture
def web(made: Web) -> Web:
    for one in made.knowledge.peers.all():
        made.knowledge.peers.remove(one.key)
    return made


class TestTheDoor:
    def test_it_says_who_we_are(self, web: Web):
        said = web.door.get("/peer/identity").json()
        assert web.receiver
        assert said == {"key": web.receiver.identity.key, "fingerprint": web.receiver.identity.fingerprint}

    def test_a_peer_is_answered(self, web: Web):
        web.knows(listed=True)
        wire = self.message(web, "announce", {"wanted": 0, "listed": True})
        answer = web.door.post("/peer/messages", content=wire)
        assert answer.headers["content-type"] == MEDIA_TYPE
        assert opened(answer.content, THERE, now=_now(), largest=10_000).content == {"pages": 0}
        assert web.door.post("/peer/messages", content=wire).json()["detail"] == REFUSALS["repeat"]

    @pytest.mark.parametrize("wire", [b"", b"{}", b"webvigil/1 ", b"x" * 100_000, b"\xff" * 300])
    def test_a_stranger_gets_one_sentence(self, web: Web, wire: bytes):
        answer = web.door.post("/peer/messages", content=wire)
        assert (answer.status_code, answer.json()["detail"]) == (400, REFUSALS["form"])

    def test_a_signed_stranger_learns_nothing_either(self, web: Web):
        for kind in ("page", "announce", "no such kind"):
            answer = web.door.post("/peer/messages", content=self.message(web, kind, {}))
            assert (answer.status_code, answer.json()["detail"]) == (400, REFUSALS["sender"])

    def test_much_is_not_read_to_its_end(self, web: Web):
        answer = web.door.post("/peer/messages", content=b"x" * (LARGEST_MESSAGE + 1))
        assert (answer.status_code, answer.json()["detail"]) == (413, REFUSALS["size"])

    def test_where_nobody_takes_part_there_is_no_door(self, web: Web):
        web.application.state.receiver = None
        try:
            assert web.door.get("/peer/identity").status_code == 404
            assert web.door.post("/peer/messages", content=b"x").status_code == 404
            assert web.program.get("/api/v1/peers").status_code == 404
            assert "works alone" in web.root.get("/community").text
        finally:
            web.application.state.receiver = web.receiver

    def message(self, web: Web, kind: str, content: dict[str, object]) -> bytes:
        assert web.receiver
        return written(THERE, web.receiver.identity.key, kind, content, sent=_now())[1]


class TestTheApi:
    def test_it_lists_who_we_are_who_they_are_and_what_is_saved(self, web: Web):
        web.knows(failures=1, reason="no answer", heard_at=1_800_000_000_000)
        web.knowledge.peers.count(THERE.key, asked=3, got=2, same=1, given=5)
        said = web.program.get("/api/v1/peers").json()
        assert web.receiver
        assert said["fingerprint"] == web.receiver.identity.fingerprint
        (peer,) = said["peers"]
        assert (peer["fingerprint"], peer["state"], peer["got"]) == (THERE.fingerprint, "resting", 2)
        assert peer["heard_at"] == "2027-01-15T08:00:00+00:00"
        assert (said["saved"]["got"], said["saved"]["given"]) == (2, 5)
        assert web.program.get(f"/api/v1/peers/{THERE.fingerprint[:9]}").json() == peer
        assert web.program.get("/api/v1/peers/none").status_code == 404

    def test_a_peer_is_distrusted_and_removed(self, web: Web):
        web.knows()
        place = f"/api/v1/peers/{THERE.fingerprint}"
        said = web.program.post(f"{place}/distrust", json={"reason": "I know it"}).json()
        assert (said["state"], said["reason"]) == ("distrusted", "I know it")
        assert web.program.delete(place).status_code == 204
        assert web.knowledge.peers.all() == []
        assert web.program.delete(place).status_code == 404

    def test_utilisation_counts_what_came_from_peers(self, web: Web):
        metrics = Metrics()
        metrics.asked.inc(6)
        metrics.fetches.inc(4)
        metrics.got.inc(2)
        web.application.state.metrics = metrics
        saved = web.program.get("/api/v1/peers").json()["saved"]
        assert (saved["looks"], saved["fetches"], saved["utilisation"]) == (6, 2, 2.0)  # (6 - 2) / 2
        assert "2.00" in web.root.get("/community/figures").text

    @pytest.mark.parametrize(
        "url", ["http://10.0.0.1", "http://[::1]:9", "file:///etc/passwd", "javascript:1", ""]
    )
    def test_no_address_leads_into_the_private_network(self, web: Web, url: str):
        with TestClient(web.application) as alive:
            alive.headers.update(web.program.headers)
            answer = alive.post("/api/v1/peers", json={"url": url, "fingerprint": "x"})
            assert answer.status_code == 400
            assert "not a public address" in answer.text or "no address of a server" in answer.text
        assert web.knowledge.peers.all() == []

    def test_a_server_is_invited_and_told(self, web: Web, tmp_path: Path):
        done: list[str] = []

        async def there() -> None:
            async with Community(tmp_path, "b") as (b,):
                await asyncio.to_thread(invite, b)
                done.append(b.knowledge.peers.all()[0].state)

        def invite(b: Server) -> None:
            with TestClient(web.application) as alive:
                alive.headers.update(web.program.headers)
                body = {"url": b.url + "/", "fingerprint": b.identity.fingerprint.upper()}
                answer = alive.post("/api/v1/peers", json=body)
                assert answer.status_code == 201, answer.text
                assert (answer.json()["state"], answer.json()["url"]) == ("invited", b.url)
                assert alive.get("/api/v1/peers/where", params={"url": "http://a.test/"}).json() == []

        asyncio.run(there())
        assert done == ["asking"]

    def test_who_cannot_be_reached_is_not_added(self, web: Web):
        with TestClient(web.application) as alive:
            alive.headers.update(web.program.headers)
            answer = alive.post("/api/v1/peers", json={"url": "http://127.0.0.1:9", "fingerprint": "x"})
            assert answer.status_code == 502
            assert "could not be asked" in answer.json()["detail"]


class TestTheDashboard:
    def test_it_explains_itself_when_there_is_nobody(self, web: Web):
        shown = web.root.get("/community").text
        assert web.receiver
        assert "No peers yet" in shown
        assert web.receiver.identity.fingerprint in shown

    @pytest.mark.parametrize("state", ["asking", "invited", "known", "distrusted"])
    def test_every_peer_is_shown_and_nothing_it_says_is_markup(self, web: Web, state: str):
        web.knows(state=state, url=EVIL, reason=EVIL)
        shown = web.root.get("/community").text
        assert THERE.fingerprint in shown
        assert "<svg onload" not in shown
        assert ("Make it a peer" in shown) == (state in ("asking", "distrusted"))

    def test_buttons_do_what_they_say(self, web: Web):
        web.knows()
        place = f"/community/peers/{THERE.fingerprint}"
        assert web.root.post(f"{place}/distrust").status_code == 303
        assert web.knows().state == "known"
        assert web.root.post(f"{place}/remove").status_code == 303
        assert web.knowledge.peers.all() == []

    def test_what_goes_wrong_is_told_on_the_page(self, web: Web):
        web.knows(state="asking", url="http://10.0.0.1")
        with TestClient(web.application) as alive:
            alive.headers.update(web.root.headers)
            alive.cookies.update(web.root.cookies)
            answer = alive.post(f"/community/peers/{THERE.fingerprint}/confirm")
            assert answer.status_code == 400
            assert "is not a public address" in answer.text
            answer = alive.post("/community/peers", data={"url": EVIL, "fingerprint": EVIL})
            assert answer.status_code == 400
            assert "<svg onload" not in answer.text

    def test_users_say_for_themselves_whether_their_pages_are_shared(self, web: Web):
        jill = browser_of(web.application, web.knowledge, "jill")
        assert "may be shared" in jill.get("/account").text
        assert jill.post("/account/share-pages", data={"share": "no"}).status_code == 303
        assert not web.knowledge.contacts.preferences("jill").share_pages
        assert "are not shared" in jill.get("/account").text
        assert jill.post("/account/share-pages", data={"share": "perhaps"}).status_code == 400
        assert stranger(web.application).post("/account/share-pages", data={"share": "no"}).status_code == 401


def _now() -> int:
    return time.time_ns() // 1_000_000
