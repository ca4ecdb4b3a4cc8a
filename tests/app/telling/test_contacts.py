"""Contacts are confirmed by a link, kept sealed, and asked no more often than they bear."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.making import sentinel
from webvigil.app.settings import Settings, read_settings
from webvigil.app.telling.contacts import (
    ask_the_unverified,
    ask_to_verify,
    contact_to_stop,
    contact_to_verify,
    feed_of,
    home_of,
    new_feed,
    new_verification,
    new_webhook_secret,
    put_service,
    put_webhook,
    remove_contact,
    schemes_of,
    send_test,
    service_url,
    stop,
    stop_token,
    verify,
    webhook_secret,
)
from webvigil.app.telling.contacts import test_notice as notice_of_test
from webvigil.errors import ChannelRefused, NotFound, SettingRefused
from webvigil.fetch.login import Seal
from webvigil.model.contact import KnownContact
from webvigil.model.sentinel import Contact
from webvigil.store.memory import MemoryKnowledge

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
JILL = "jill@e.test"


class Clock:
    def __init__(self) -> None:
        self.now = 1_000 * DAY

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def knowledge(clock: Clock) -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0, clock=clock)
    made.users.add("jill")
    return made


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"data": str(tmp_path), "apprise_schemes": " JSON, ,Jsons"}, environment={})


def sent(knowledge: MemoryKnowledge) -> list[str]:
    return [
        f"{one.notice.address}: {one.notice.subject}"
        for one in knowledge.outbox.claim("w", count=99, lease=DAY)
    ]


def test_the_address_of_the_dashboard_has_no_slash_at_its_end():
    def home(**given: str) -> str:
        return home_of(read_settings(given, environment={}))

    assert home(public_url="https://v.test/", host="h", port="1") == "https://v.test"
    assert home(host="127.0.0.1", port="8000") == "http://127.0.0.1:8000"


# --- e-mail ---------------------------------------------------------------------------------------------


def test_an_address_is_asked_once_an_hour_until_it_is_confirmed(knowledge: MemoryKnowledge, clock: Clock):
    for now in (clock.now, clock.now + HOUR - 1):
        clock.now = now
        assert ask_to_verify(knowledge, "jill", JILL).verified_at is None
    clock.now += 1
    ask_to_verify(knowledge, "jill", JILL)
    assert verify(knowledge, new_verification(knowledge.contacts, knowledge.schedule, "jill", JILL))
    clock.now += HOUR
    known = ask_to_verify(knowledge, "jill", JILL)
    assert known.verified_at == clock.now - HOUR
    assert sent(knowledge) == [f"{JILL}: Is this your address?"] * 2


def test_twenty_addresses_may_wait(knowledge: MemoryKnowledge):
    knowledge.contacts.put(KnownContact(user="jill", channel="webhook", address="https://w.test/"))
    knowledge.contacts.put(KnownContact(user="jill", channel="email", address="ok@e.test", verified_at=1))
    for number in range(20):
        ask_to_verify(knowledge, "jill", f"a{number}@e.test")
    with pytest.raises(SettingRefused, match="20 of your addresses are not confirmed yet; remove some first"):
        ask_to_verify(knowledge, "jill", "a20@e.test")
    assert ask_to_verify(knowledge, "jill", "a0@e.test"), "one that waits already may be asked again"
    remove_contact(knowledge.contacts, "jill", Contact("email", "a1@e.test"))
    assert ask_to_verify(knowledge, "jill", "a20@e.test")
    with pytest.raises(SettingRefused):
        ask_to_verify(knowledge, "jill", "no address")


def test_the_new_addresses_of_sentinels_are_asked(knowledge: MemoryKnowledge):
    from webvigil.language import parse

    texts = (
        "Create Sentinel a Using http://a.test/ Notify By email b@e.test, email a@e.test",
        "Create Sentinel b Using http://a.test/ Notify By email a@e.test, webhook https://w.test/",
    )
    knowledge.contacts.put(KnownContact(user="jill", channel="email", address="b@e.test"))
    ask_the_unverified(knowledge, "jill", [parse(text)[0] for text in texts])
    assert sent(knowledge) == ["a@e.test: Is this your address?"]


def test_a_link_confirms_within_a_week(knowledge: MemoryKnowledge, clock: Clock):
    begun = clock.now

    def link() -> str:
        return new_verification(knowledge.contacts, knowledge.schedule, "jill", JILL)

    old, new = link(), link()
    assert contact_to_verify(knowledge, old) is None, "a newer link was made"
    clock.now = begun + 7 * DAY - 1
    found = contact_to_verify(knowledge, new)
    assert found
    assert found.address == JILL
    clock.now = begun + 7 * DAY
    assert (contact_to_verify(knowledge, new), verify(knowledge, new)) == (None, None)
    fresh = link()
    confirmed = verify(knowledge, fresh)
    assert confirmed
    assert (confirmed.verified_at, confirmed.digest, confirmed.expires) == (clock.now, "", 0)
    assert knowledge.contacts.get("jill", "email", JILL) == confirmed
    assert verify(knowledge, fresh) is None, "a link confirms once"
    assert contact_to_verify(knowledge, new_feed(knowledge.contacts, knowledge.sentinels, "jill")) is None


def test_a_link_in_every_mail_ends_the_mail(knowledge: MemoryKnowledge):
    seal = Seal(b"k" * 32)
    knowledge.contacts.put(
        KnownContact(user="jill", channel="email", address=JILL, verified_at=1, digest="d")
    )
    token = stop_token(seal, "jill", JILL)
    assert not {*"+/"} & {*token}
    known = contact_to_stop(knowledge.contacts, seal, token)
    assert known
    assert known.address == JILL
    assert contact_to_stop(knowledge.contacts, seal, token[:-4]) is None
    assert contact_to_stop(knowledge.contacts, Seal(b"j" * 32), token) is None
    assert contact_to_stop(knowledge.contacts, seal, stop_token(seal, "jack", JILL)) is None
    stop(knowledge.contacts, known)
    stopped = knowledge.contacts.get("jill", "email", JILL)
    assert stopped
    assert (stopped.verified_at, stopped.digest, stopped.expires) == (None, "", 0)


# --- webhooks, services, feeds --------------------------------------------------------------------------


def test_a_webhook_has_one_secret_until_it_gets_another(knowledge: MemoryKnowledge):
    seal, address = Seal(b"k" * 32), "https://w.test/"
    first = webhook_secret(knowledge.contacts, seal, "jill", address)
    assert webhook_secret(knowledge.contacts, seal, "jill", address) == first
    assert len(first) == 43
    second = new_webhook_secret(knowledge.contacts, seal, "jill", address)
    assert webhook_secret(knowledge.contacts, seal, "jill", address) == second != first
    kept = knowledge.contacts.get("jill", "webhook", address)
    assert kept
    assert second not in str(kept), "it is sealed"


def test_nothing_is_sent_to_a_place_inside(knowledge: MemoryKnowledge, settings: Settings):
    assert put_webhook(knowledge.contacts, settings, "jill", "https://93.184.216.34/")
    with pytest.raises(SettingRefused):
        put_webhook(knowledge.contacts, settings, "jill", "http://10.0.0.1/")


def test_a_service_has_a_word_for_a_name(knowledge: MemoryKnowledge, settings: Settings):
    assert schemes_of(settings) == {"json", "jsons"}
    for name in ("", "my phone", "a\n"):
        with pytest.raises(SettingRefused, match="is no name for a service; use a word"):
            put_service(knowledge.contacts, settings, "jill", name, "json://h.test/x")
    missing = "there is no service 'x'; add it with 'webvigil contact add apprise x'"
    with pytest.raises(ChannelRefused, match=missing):
        service_url(knowledge.contacts, Seal(b"k" * 32), "jill", "x")


def test_a_feed_is_of_everything_a_topic_or_a_sentinel(knowledge: MemoryKnowledge):
    knowledge.sentinels.add(sentinel("tea"))
    for scope in ("", "topic:press", "sentinel:tea"):
        first, second = (new_feed(knowledge.contacts, knowledge.sentinels, "jill", scope) for _ in range(2))
        assert feed_of(knowledge.contacts, second).address == scope
        with pytest.raises(NotFound, match="there is no such feed"):
            feed_of(knowledge.contacts, first)
    for scope in ("topic:", "sentinel:", "page:x", "topic", "topic:a\n"):
        with pytest.raises(
            SettingRefused, match="is no feed; write topic:NAME or sentinel:NAME, or nothing for all"
        ):
            new_feed(knowledge.contacts, knowledge.sentinels, "jill", scope)
    with pytest.raises(NotFound):
        new_feed(knowledge.contacts, knowledge.sentinels, "jill", "sentinel:none")
    link = new_verification(knowledge.contacts, knowledge.schedule, "jill", JILL)
    with pytest.raises(NotFound):
        feed_of(knowledge.contacts, link)


def test_a_test_is_sent_once_a_minute(knowledge: MemoryKnowledge, clock: Clock):
    contact, begun = Contact("email", JILL), clock.now
    answers = [send_test(knowledge.outbox, begun + at, "jill", contact) for at in (0, MINUTE - 1, MINUTE)]
    assert answers == [True, False, True]
    made = notice_of_test(begun, "jill", contact)
    assert (made.subject, made.body["event"], made.body["at"]) == (
        "A test of WebVigil",
        "test",
        "1972-09-27T00:00:00+00:00",
    )
    assert made.body["reason"].startswith(
        "You asked for this message. Changes that your sentinels find reach"
    )
