"""What channels are made of: addresses, links, secrets, judges, and what is remembered for a moment."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.notify.telling import Clock
from tests.store.making import remove_for_good, sentinel
from webvigil.app.settings import Settings, read_settings
from webvigil.app.telling import delivery
from webvigil.app.telling.delivery import (
    Teller,
    _ForAWhile,
    _judge,
    _mail_server,
    _means,
    _opening,
    _post,
    zone_of,
)
from webvigil.errors import (
    ChannelBusy,
    ChannelLocked,
    ChannelRefused,
    KeyMissing,
    NotFound,
    PageRefused,
    PageUnreachable,
    StoreRefused,
    WebVigilError,
)
from webvigil.fetch.client import Ask
from webvigil.model.contact import KnownContact, Preferences
from webvigil.model.life import LifeRecord
from webvigil.model.notice import Notice
from webvigil.model.version import Answer
from webvigil.store.memory import MemoryKnowledge

NOTICE = Notice(dedup="d", user="jill", channel="email", address="a@b.test", subject="s", sentinel="tea")


def settings(tmp_path: Path, **more: str) -> Settings:
    return read_settings({"data": str(tmp_path)} | more, environment={})


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge(clock=Clock(), delay=0)
    made.users.add("jill")
    return made


class TestForAWhile:
    def test_an_answer_is_remembered_for_some_seconds(self, monkeypatch: pytest.MonkeyPatch):
        now, asked = [100.0], list[str]()
        monkeypatch.setattr(time, "monotonic", lambda: now[0])

        def ask(key: str) -> str | None:
            asked.append(key)
            return key.upper() or None

        kept: Any = _ForAWhile(ask, 2.0)
        assert kept.known("a") is None
        assert [kept("a"), kept("b"), kept("a"), kept.known("a")] == ["A", "B", "A", "A"]
        assert asked == ["a", "b"]
        now[0] = 102.0
        assert (kept("a"), asked) == ("A", ["a", "b"])
        now[0] = 102.5
        assert kept.known("a") is None
        assert (kept("a"), asked) == ("A", ["a", "b", "a"])
        assert [kept(""), kept("")] == [None, None]
        assert asked == ["a", "b", "a", "", ""]


class TestTeller:
    def teller(self, knowledge: MemoryKnowledge, rate: int = 7) -> Teller:
        return Teller(knowledge, {}, notices_per_hour=rate)

    def test_a_reader_has_a_rate_of_their_own_or_the_operators(self, knowledge: MemoryKnowledge):
        teller = self.teller(knowledge)
        assert (teller._reader("jill").rate, teller._reader("gone").rate) == (7, 7)
        assert teller._reader("gone").preferences == Preferences()
        for rate in (0, 3):
            knowledge.contacts.prefer("jill", Preferences(rate=rate))
            assert teller._reader("jill").rate == rate
        assert teller._reader("jill").zone == zone_of(knowledge.users, "jill")
        assert str(zone_of(knowledge.users, "gone")) == "UTC"

    @pytest.mark.parametrize(
        ("channel", "known", "expected"),
        [("log", False, True), ("email", False, False), ("email", True, True)],
    )
    def test_mail_goes_to_addresses_that_were_confirmed(
        self, knowledge: MemoryKnowledge, channel: str, *, known: bool, expected: bool
    ):
        notice = Notice(dedup="d", user="jill", channel=channel, address="a@b.test", subject="s")
        assert self.teller(knowledge)._is_verified(notice) is (channel == "log")
        at = datetime(2026, 1, 1, tzinfo=UTC) if known else None
        knowledge.contacts.put(KnownContact(user="jill", channel="email", address="a@b.test", verified_at=at))
        assert self.teller(knowledge)._is_verified(notice) is expected

    @pytest.mark.parametrize(
        ("clause", "needs", "expected"),
        [
            ("Notify Every 3 changes", 3, True),
            ("Notify Every 3 changes", 2, False),
            ("Notify Every 1 day", 3, False),
            ("", 3, False),
        ],
    )
    def test_counted_changes_wait_for_more_while_the_sentinel_counts(
        self, knowledge: MemoryKnowledge, clause: str, needs: int, *, expected: bool
    ):
        knowledge.sentinels.add(sentinel("tea", text=f"Create Sentinel tea Using http://a.test/ {clause}"))
        counted = Notice(
            dedup="d", user="jill", channel="log", address="", subject="s", sentinel="tea", needs=needs
        )
        assert self.teller(knowledge)._goes_on(counted) is expected
        gone = Notice(dedup="d", user="jill", channel="log", address="", subject="s", sentinel="x", needs=3)
        assert self.teller(knowledge)._goes_on(gone) is False
        remove_for_good(knowledge, "jill", "tea")
        waiting = LifeRecord(installed_at=datetime(2026, 1, 1, tzinfo=UTC))
        knowledge.sentinels.add(
            sentinel("tea", text=f"Create Sentinel tea Using http://a.test/ {clause}", life=waiting)
        )
        assert self.teller(knowledge)._goes_on(counted) is False


def test_a_mail_has_links_that_stop_or_confirm(knowledge: MemoryKnowledge, tmp_path: Path):
    means = _means(settings(tmp_path, port="7000"), knowledge, SimpleNamespace())  # type: ignore[arg-type]
    home = "http://127.0.0.1:7000"
    usual = means.links(NOTICE)
    assert (usual.home, usual.verify) == (home, "")
    assert usual.stop.startswith(f"{home}/contacts/stop?token=")
    asks = Notice(
        **{one: getattr(NOTICE, one) for one in ("dedup", "user", "channel", "address", "subject")},
        body={"event": delivery.VERIFY},
    )
    confirming = means.links(asks)
    assert (confirming.home, confirming.stop) == (home, "")
    assert confirming.verify.startswith(f"{home}/contacts/verify?token=")
    assert means.folder == tmp_path


def test_the_mail_server_is_that_of_the_settings(tmp_path: Path):
    said = {
        "smtp_host": "mail.test",
        "smtp_port": "26",
        "smtp_user": "u",
        "smtp_password": "p",
        "smtp_security": "tls",
    }
    server = _mail_server(settings(tmp_path, mail_from="a@b.test", **said))
    assert (server.host, server.port, server.sender, server.security, server.user, server.password) == (
        "mail.test", 26, "a@b.test", "tls", "u", "p",
    )  # fmt: skip


class Web:
    def __init__(self, trouble: WebVigilError | None = None) -> None:
        self.trouble, self.asked = trouble, list[Ask]()

    async def ask(self, ask: Ask) -> Any:
        self.asked.append(ask)
        if self.trouble:
            raise self.trouble
        return SimpleNamespace(answer=Answer(url=ask.url, status=418, headers=(("X", "y"),), body=b""))


def test_a_message_is_posted_and_answered():
    web: Any = Web()
    answered = asyncio.run(_post(web)("http://hook.test/", b"news", {"A": "b"}))
    assert (answered.status, answered.headers) == (418, {"X": "y"})
    (ask,) = web.asked
    assert (ask.url, ask.method, ask.body, ask.headers) == ("http://hook.test/", "POST", b"news", {"A": "b"})


@pytest.mark.parametrize(
    ("trouble", "kind"),
    [(PageUnreachable("it is away"), ChannelBusy), (PageRefused("it is private"), ChannelRefused)],
)
def test_a_receiver_that_is_away_is_busy_and_one_that_is_forbidden_refused(
    trouble: WebVigilError, kind: type[WebVigilError]
):
    web: Any = Web(trouble)
    with pytest.raises(kind, match=f"^{trouble}$"):
        asyncio.run(_post(web)("http://hook.test/", b"", {}))


@pytest.mark.parametrize(
    ("host", "networks", "said"),
    [
        ("93.184.216.34", "", ""),
        ("127.0.0.1", "127.0.0.0/8", ""),
        ("127.0.0.1", "", "127.0.0.1 is not at a public address; see the setting allow_networks"),
        ("mixed.test", "", "mixed.test is not at a public address; see the setting allow_networks"),
        ("public.test", "", ""),
        ("gone.test", "", "later: gone.test cannot be found"),
    ],
)
def test_a_host_that_is_not_public_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, networks: str, said: str
):
    known = {"mixed.test": ["93.184.216.34", "10.0.0.1"], "public.test": ["93.184.216.34"]}

    def lookup(name: str) -> list[str]:
        if name not in known:
            raise OSError
        return known[name]

    monkeypatch.setattr(delivery, "system_lookup", lookup)
    judge = _judge(settings(tmp_path, allow_networks=networks))
    try:
        asyncio.run(judge(host))  # type: ignore[arg-type]
        found = ""
    except ChannelBusy as busy:
        found = f"later: {busy}"
    except ChannelRefused as refused:
        found = str(refused)
    assert found == said


@pytest.mark.parametrize(
    ("trouble", "kind", "said"),
    [
        (KeyMissing("no key"), ChannelLocked, "no key; it waits until the key is back"),
        (NotFound("no contact"), ChannelRefused, "no contact"),
        (StoreRefused("broken"), ChannelRefused, "broken"),
    ],
)
def test_a_secret_that_cannot_be_opened_waits_or_is_refused(
    trouble: WebVigilError, kind: type[WebVigilError], said: str
):
    def ask(_: tuple[str, str]) -> str:
        raise trouble

    with pytest.raises(kind) as refused:
        asyncio.run(_opening(ask)(NOTICE))  # type: ignore[arg-type]
    assert str(refused.value) == said


def test_an_opened_secret_is_kept_for_a_moment():
    asked: list[tuple[str, str]] = []

    def ask(contact: tuple[str, str]) -> str:
        asked.append(contact)
        return ""

    opened = _opening(ask)

    async def twice() -> list[str]:
        return [await opened(NOTICE), await opened(NOTICE)]

    assert asyncio.run(twice()) == ["", ""]
    assert asked == [("jill", "a@b.test")]
