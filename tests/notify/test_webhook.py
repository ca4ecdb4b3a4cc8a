"""Tests of webhooks and services: signed, safe, and tried again when that makes sense (N4, F5)."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.notify.telling import change
from tests.notify.test_email import report
from tests.site import Site
from webvigil.app.pages.logins import seal_of
from webvigil.app.settings import Settings, read_settings
from webvigil.app.telling.contacts import new_webhook_secret, put_service, webhook_secret
from webvigil.app.telling.delivery import open_channels
from webvigil.errors import ChannelBusy, ChannelRefused, SettingRefused
from webvigil.model.notice import Notice, Receipt
from webvigil.store.memory import MemoryKnowledge

LOOPBACK = "127.0.0.0/8"


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge()
    made.users.add("jill")
    return made


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    given = {"data": tmp_path, "allow_networks": LOOPBACK, "apprise_schemes": "json,tgram"}
    return read_settings(given, environment={})


def send(settings: Settings, knowledge: MemoryKnowledge, notice: Notice) -> Receipt:
    async def once() -> Receipt:
        async with open_channels(settings, knowledge) as channels:
            return await channels[notice.channel].send(notice)

    return asyncio.run(once())


def hook(url: str, **more) -> Notice:
    return change("1", channel="webhook", to=url, body=report().body | more)


def receiver(site: Site, path: str = "/hook", status: int = 200, **headers: str):
    return site.page(path).allows("POST").answers(status, headers=headers)


class TestWebhook:
    def test_what_arrives_is_json_signed_with_the_secret(self, site: Site, settings, knowledge):
        page = receiver(site)
        secret = new_webhook_secret(knowledge.contacts, seal_of(settings), "jill", page.url)
        send(settings, knowledge, hook(page.url))
        (request,) = page.requests
        fields = dict(part.split("=") for part in request.headers["WebVigil-Signature"].split(","))
        expected = hmac.new(secret.encode(), f"{fields['t']}.".encode() + request.body, hashlib.sha256)
        assert hmac.compare_digest(fields["v1"], expected.hexdigest())
        assert abs(int(fields["t"]) - time.time()) < 60
        assert request.headers["Idempotency-Key"] == "1"
        assert request.headers["Content-Type"] == "application/json"
        told = json.loads(request.body)
        assert (told["id"], told["event"], told["user"]) == ("1", "change", "jill")
        assert told["findings"][0]["objects"][0]["object"] == "https://example.org/new"

    def test_every_address_has_a_secret_of_its_own_kept_sealed(self, settings, knowledge):
        seal = seal_of(settings)
        one = webhook_secret(knowledge.contacts, seal, "jill", "https://a.test/")
        assert webhook_secret(knowledge.contacts, seal, "jill", "https://a.test/") == one
        assert webhook_secret(knowledge.contacts, seal, "jill", "https://b.test/") != one
        assert one not in knowledge.contacts.all("jill")[0].sealed
        assert new_webhook_secret(knowledge.contacts, seal, "jill", "https://a.test/") != one

    @pytest.mark.parametrize("status", [200, 201, 202, 204])
    def test_taken(self, site: Site, settings, knowledge, status: int):
        assert (
            send(settings, knowledge, hook(receiver(site, status=status).url)).reference == f"HTTP {status}"
        )

    @pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
    def test_tried_again(self, site: Site, settings, knowledge, status: int):
        page = receiver(site, status=status, **{"Retry-After": "90"})
        with pytest.raises(ChannelBusy) as caught:
            send(settings, knowledge, hook(page.url))
        assert caught.value.wait == 90_000

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 422])
    def test_refused(self, site: Site, settings, knowledge, status: int):
        with pytest.raises(ChannelRefused, match=str(status)):
            send(settings, knowledge, hook(receiver(site, status=status).url))

    def test_redirects_are_not_followed(self, site: Site, settings, knowledge):
        inner = receiver(site, "/inner")
        outer = site.page("/outer").allows("POST").redirects_to(inner)
        with pytest.raises(ChannelRefused):
            send(settings, knowledge, hook(outer.url))
        assert inner.hits == 0

    @pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]"])
    def test_private_addresses_are_not_told(self, site: Site, settings, knowledge, host: str):
        page = receiver(site)
        url = page.url.replace("127.0.0.1", host)
        with pytest.raises((ChannelRefused, ChannelBusy)):
            send(replace(settings, allow_networks=()), knowledge, hook(url))
        assert page.hits == 0

    def test_a_receiver_that_hangs_is_left(self, site: Site, settings, knowledge, monkeypatch):
        from webvigil.app.telling import delivery as telling
        from webvigil.fetch.client import Limits

        monkeypatch.setattr(telling, "_LIMITS", Limits(timeout=0.5, redirects=0))
        page = site.page("/hook").allows("POST").hangs()
        with pytest.raises(ChannelBusy):
            send(settings, knowledge, hook(page.url))

    def test_what_would_be_too_large_is_shortened(self, site: Site, settings, knowledge):
        page = receiver(site)
        send(settings, knowledge, hook(page.url, findings=[{"objects": ["x" * 2_000_000]}]))
        told = json.loads(page.requests[0].body)
        assert told["shortened"] is True
        assert "findings" not in told
        assert told["summary"] == "1 new, 12 % of the text"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Apprise itself warns
class TestServices:
    def test_a_service_is_told_through_apprise(self, site: Site, settings, knowledge):
        page = receiver(site, "/svc")
        url = page.url.replace("http://", "json://")
        put_service(knowledge.contacts, settings, "jill", "mine", url)
        assert url not in knowledge.contacts.all("jill")[0].sealed
        send(settings, knowledge, change("1", channel="apprise", to="mine", body=report().body))
        told = json.loads(page.requests[0].body)
        assert told["title"] == "1 has changed"
        assert "https://example.org/new" in told["message"]

    def test_only_services_that_the_operator_allows(self, settings, knowledge):
        for url in ("xml://example.org/", "file:///etc/passwd", "syslog://", "nonsense", "ssh://a"):
            with pytest.raises(SettingRefused):
                put_service(knowledge.contacts, settings, "jill", "x", url)
        put_service(
            knowledge.contacts, settings, "jill", "chat", "tgram://123456789:abcdefg_hijklmnop/12315544/"
        )

    def test_a_service_at_a_private_address_is_not_told(self, site: Site, settings, knowledge):
        page = receiver(site, "/svc")
        put_service(knowledge.contacts, settings, "jill", "mine", page.url.replace("http://", "json://"))
        strict = replace(settings, allow_networks=())
        with pytest.raises(ChannelRefused, match="public"):
            send(strict, knowledge, change("1", channel="apprise", to="mine", body=report().body))
        assert page.hits == 0

    def test_a_service_that_fails_is_tried_again(self, site: Site, settings, knowledge):
        page = receiver(site, "/svc", status=500)
        put_service(knowledge.contacts, settings, "jill", "mine", page.url.replace("http://", "json://"))
        with pytest.raises(ChannelBusy):
            send(settings, knowledge, change("1", channel="apprise", to="mine", body=report().body))

    def test_a_name_that_nobody_added(self, settings, knowledge):
        with pytest.raises(ChannelRefused, match="contact add apprise"):
            send(settings, knowledge, change("1", channel="apprise", to="who", body=report().body))
