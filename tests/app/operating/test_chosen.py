"""Settings that an administrator chooses in the dashboard: stored, sealed, and used."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from webvigil.app.operating import server
from webvigil.app.operating.chosen import (
    AT_ONCE,
    CHOOSABLE,
    Present,
    candidate,
    choose,
    stored,
    with_choices,
)
from webvigil.app.operating.metrics import Metrics
from webvigil.app.operating.stores import opened
from webvigil.app.sentinels import check
from webvigil.app.sentinels.install import install
from webvigil.app.settings import TABLE, Settings, read_settings
from webvigil.app.worker import process
from webvigil.app.worker.duties import Duty
from webvigil.errors import SettingRefused
from webvigil.language import parse
from webvigil.store.memory import MemoryKnowledge


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    return MemoryKnowledge()


def settings(tmp_path: Path, **given: str) -> Settings:
    return read_settings({"data": str(tmp_path), **given}, environment={"WEBVIGIL_SMTP_PORT": "2525"})


def test_a_choice_counts_and_can_be_taken_back(tmp_path: Path, knowledge: MemoryKnowledge):
    present = settings(tmp_path)
    choose(present, knowledge.journal, {"smtp_host": "mail.test", "keep_days": "7"}, "jill")
    chosen = with_choices(present, knowledge.journal)
    assert (chosen.smtp_host, chosen.keep_days) == ("mail.test", 7)
    choose(chosen, knowledge.journal, {"keep_days": "365"}, "jill")
    back = with_choices(chosen, knowledge.journal)
    assert (back.smtp_host, back.keep_days) == ("mail.test", 365)
    assert knowledge.journal.events(limit=1)[0].details == {"user": "jill"}


def test_what_the_command_line_and_the_environment_say_wins(tmp_path: Path, knowledge: MemoryKnowledge):
    free = settings(tmp_path)
    with pytest.raises(SettingRefused, match="smtp_port is set by WEBVIGIL_SMTP_PORT"):
        choose(free, knowledge.journal, {"smtp_port": "25"}, "jill")
    choose(free, knowledge.journal, {"keep_days": "7"}, "jill")
    assert with_choices(settings(tmp_path, keep_days="30"), knowledge.journal).keep_days == 30


def test_what_opens_the_store_is_not_chosen_here(tmp_path: Path, knowledge: MemoryKnowledge):
    for name in ("data", "database", "secret_key", "port", "allow_networks", "trusted_proxies"):
        with pytest.raises(SettingRefused, match="cannot be chosen"):
            choose(settings(tmp_path), knowledge.journal, {name: "1"}, "jill")


def test_a_wrong_value_is_refused_and_nothing_of_the_form_is_stored(
    tmp_path: Path, knowledge: MemoryKnowledge
):
    wrong = {"smtp_host": "mail.test", "keep_days": "many"}
    with pytest.raises(SettingRefused, match="keep_days: 'many' is not a whole number"):
        choose(settings(tmp_path), knowledge.journal, wrong, "jill")
    assert stored(knowledge.journal) == {}
    assert candidate(settings(tmp_path), {"smtp_host": "mail.test"}).smtp_host == "mail.test"


def test_a_secret_is_sealed_and_a_lost_key_does_not_stop_a_server(tmp_path: Path, knowledge: MemoryKnowledge):
    present = settings(tmp_path)
    choose(present, knowledge.journal, {"smtp_password": "s3cret"}, "jill")
    assert "s3cret" not in str(knowledge.journal.fact("settings"))
    assert with_choices(present, knowledge.journal).smtp_password == "s3cret"
    elsewhere = tmp_path / "without the key"
    elsewhere.mkdir()
    assert with_choices(settings(elsewhere), knowledge.journal).smtp_password == ""


def test_a_server_goes_on_with_what_counts_at_once(tmp_path: Path, knowledge: MemoryKnowledge):
    present = Present(settings(tmp_path), knowledge.journal)
    assert present.settings.smtp_host == ""
    choose(present.settings, knowledge.journal, {"smtp_host": "mail.test", "user_agent": "Other/1"}, "jill")
    present.read()
    assert (present.settings.smtp_host, present.settings.user_agent) == ("mail.test", "WebVigil/0.1")
    restarted = with_choices(settings(tmp_path), knowledge.journal)
    assert restarted.user_agent == "Other/1"
    assert "user_agent" not in AT_ONCE


def test_a_worker_finishes_and_goes_on_with_the_new_settings(
    tmp_path: Path, knowledge: MemoryKnowledge, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(process, "_GLANCE", 0.05)
    present = settings(tmp_path, community="no")
    opened: list[str] = []
    real = process.open_channels

    def noted(wanted: Settings, store: MemoryKnowledge):
        opened.append(wanted.smtp_host)
        return real(wanted, store)

    monkeypatch.setattr(process, "open_channels", noted)

    async def working() -> None:
        told = asyncio.Event()
        async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
            tasks.create_task(process.work(present, knowledge, Metrics(knowledge), told))
            while not opened:
                await asyncio.sleep(0.02)
            choose(present, knowledge.journal, {"smtp_host": "mail.test"}, "jill")
            while len(opened) < 2:
                await asyncio.sleep(0.02)
            told.set()

    asyncio.run(working())
    assert opened == ["", "mail.test"]


def test_the_duties_of_a_worker_are_free_when_it_ends(tmp_path: Path, knowledge: MemoryKnowledge):
    """A worker that goes on with other settings has a new name, and must not wait for old leases."""
    present = settings(tmp_path, public_url="https://vigil.test")
    names = ("lives", "links", "subscriptions", "discoveries", "peers", "agents")

    async def working() -> None:
        told = asyncio.Event()
        async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
            tasks.create_task(process.work(present, knowledge, Metrics(knowledge), told))
            while not all(map(knowledge.duties.is_held, names)):
                await asyncio.sleep(0.02)
            told.set()

    asyncio.run(working())
    assert [name for name in names if knowledge.duties.is_held(name)] == []


def test_a_choice_that_cannot_be_read_is_logged_once(
    tmp_path: Path, knowledge: MemoryKnowledge, caplog: pytest.LogCaptureFixture
):
    knowledge.journal.remember("settings", '{"keep_days": "rather many"}')
    for _ in range(3):
        assert with_choices(settings(tmp_path), knowledge.journal).keep_days == 365
    assert caplog.text.count("Using the default of keep_days") == 1
    knowledge.journal.remember("settings", '{"keep_days": "even more"}')
    with_choices(settings(tmp_path), knowledge.journal)
    assert caplog.text.count("Using the default of keep_days") == 2


def test_a_worker_hears_of_its_end_whatever_happens_to_the_choices(
    tmp_path: Path,
    knowledge: MemoryKnowledge,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
):
    monkeypatch.setattr(process, "_GLANCE", 0.02)
    present = settings(tmp_path, community="no")

    async def working() -> None:
        told = asyncio.Event()
        async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
            tasks.create_task(process.work(present, knowledge, Metrics(knowledge), told))
            while not knowledge.duties.is_held("lives"):
                await asyncio.sleep(0.02)
            knowledge.journal.remember("settings", "no JSON")
            while "failed with an unexpected error" not in caplog.text:
                await asyncio.sleep(0.02)
            told.set()

    asyncio.run(working())


def test_a_duty_that_was_laid_down_is_not_taken_again(knowledge: MemoryKnowledge):
    duty = Duty("peers", "w1", knowledge.duties, lease=60_000)
    assert duty.held()
    duty.lay_down()
    assert not duty.held()
    assert knowledge.duties.take("peers", "w2", lease=60_000)


def other_text(name: str) -> str:
    """Returns a text for the setting that is not the default."""
    entry = TABLE[name]
    if entry.kind == "switch":
        return "no" if entry.default == "yes" else "yes"
    texts = {"policy": "bea", "security": "none", "level": "debug", "text": "other.test", "secret": "s3cret"}
    texts |= {"server": "http://other.test/v1"}
    return texts.get(entry.kind, "7")


@pytest.fixture
def stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Settings, set[str], set[str]]]:
    """Yields the settings of a store in which every setting was chosen, the modules that read a setting
    without its choice, and the names of all settings that were read."""
    given = read_settings({"data": str(tmp_path), "port": 0, "shown_port": 0}, environment={})
    with opened(given) as knowledge:
        choose(given, knowledge.journal, {name: other_text(name) for name in CHOOSABLE}, "jill")
        wanted = with_choices(given, knowledge.journal)
    wrong: set[str] = set()
    names: set[str] = set()
    own = object.__getattribute__
    copying = ("dataclasses", "webvigil.app.settings", "webvigil.app.operating.chosen")

    def reading(one: Settings, name: str) -> object:
        value = own(one, name)
        reader = sys._getframe(1).f_globals["__name__"]
        if name in CHOOSABLE and reader not in copying:
            names.add(name)
            if value != own(wanted, name):
                wrong.add(f"{reader} reads {name}")
        return value

    level = logging.getLogger("webvigil").level
    monkeypatch.setattr(Settings, "__getattribute__", reading)
    yield given, wrong, names
    logging.getLogger("webvigil").setLevel(level)


def at_once_told(ready: asyncio.Event) -> Callable[[], AbstractContextManager[asyncio.Event]]:
    @contextmanager
    def told_to_stop() -> Iterator[asyncio.Event]:
        yield ready

    return told_to_stop


def test_every_part_of_a_server_reads_what_was_chosen(stale, monkeypatch: pytest.MonkeyPatch):
    given, wrong, names = stale

    async def serving() -> None:
        ready = asyncio.Event()
        monkeypatch.setattr(server, "told_to_stop", at_once_told(ready))
        async with asyncio.timeout(60):
            await server.serve(given, lambda *_: ready.set(), demo=False, work=True)

    asyncio.run(serving())
    assert wrong == set()
    assert {"host_delay", "host_concurrency", "log_level", "fetch_timeout", "smtp_host"} <= names
    assert logging.getLogger("webvigil").level == logging.DEBUG


def test_looking_at_what_is_due_reads_what_was_chosen(stale, monkeypatch: pytest.MonkeyPatch):
    given, wrong, names = stale
    monkeypatch.setattr(process, "_QUIET_TURNS", 1)
    assert asyncio.run(process.run_due(given)).results == []
    assert wrong == set()
    assert {"fetch_timeout", "obey_robots", "concurrency"} <= names


def test_hosts_are_visited_as_was_chosen(stale):
    given, _, _ = stale
    with opened(given) as knowledge:
        sentinel = next(iter(parse("Create Sentinel s Using http://site.test/")))
        install(knowledge, given, [sentinel])
        (claim,) = knowledge.schedule.claim("worker", hosts=1, pages=1, lease=30_000)
        assert (claim.delay, claim.concurrency) == (7_000, 7)


def test_a_text_is_checked_with_the_shortest_interval_that_was_chosen(stale, monkeypatch: pytest.MonkeyPatch):
    given, _, _ = stale
    monkeypatch.setattr(check, "read_settings", lambda: given)
    text = "Create Sentinel s Using http://site.test/ Fetch 6 second"
    assert [one.message for one in check.check_text(text).mistakes] != []
