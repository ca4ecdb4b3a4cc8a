"""Tests of mails to a real mail server: what arrives, what is refused, what is tried again (N4, V4)."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from tests.notify.mailbox import Mailbox, part
from tests.notify.telling import change
from tests.site.certificates import Authority
from webvigil.app.telling.delivery import lines_of, rows_of
from webvigil.errors import ChannelBusy, ChannelRefused
from webvigil.model.notice import Notice, Receipt
from webvigil.notify.channel import MailServer
from webvigil.notify.email import EmailChannel
from webvigil.notify.render import Links, Renderer

HOME = "https://vigil.example"
LINKS = Links(home=HOME, stop=f"{HOME}/contacts/stop?token=abc")


def renderer(templates: Path | None = None) -> Renderer:
    utc = ZoneInfo("UTC")
    return Renderer(home=HOME, lines=lines_of, rows=rows_of, zone=lambda _: utc, templates=templates)


def report(**more) -> Notice:
    """Returns the notice of a change as the worker writes it."""
    finding = {
        "type": "all links",
        "changed": True,
        "share": 0.12,
        "score": 256,
        "objects": [
            {"object": "https://example.org/new", "status": "i", "old": 0, "new": 1, "where": ["/a"]}
        ],
    }
    body = {
        "title": "",
        "topic": "money",
        "priority": 0,
        "important": False,
        "page": 7,
        "at": "2026-05-04T12:00:00+00:00",
        "old_version": 1,
        "new_version": 2,
        "summary": "1 new, 12 % of the text",
        "findings": [finding],
    }
    return change("1", subject="s1: 1 new, 12 % of the text (example.org)", body=body | more)


def send(mailbox: Mailbox, *notices: Notice, **options) -> list[Receipt]:
    server = {"host": "127.0.0.1", "sender": "WebVigil <vigil@example.org>", "security": "none"} | options
    channel = EmailChannel(MailServer(port=mailbox.port, **server), renderer(), lambda _: LINKS)

    async def all_() -> list[Receipt]:
        try:
            return [await channel.send(notice) for notice in notices]
        finally:
            await channel.close()
            await asyncio.sleep(0.05)  # a closed socket is gone only after another turn of the event loop

    return asyncio.run(all_())


def test_a_mail_has_text_and_html_and_says_how_much_up_front():
    with Mailbox() as mailbox:
        (receipt,) = send(mailbox, report())
    (mail,) = mailbox.mails
    assert receipt.dedup == "1"
    assert mail["Subject"] == "s1: 1 new, 12 % of the text (example.org)"
    assert mail["From"] == "WebVigil <vigil@example.org>"
    assert mail["To"] == "jill@example.org"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-Unsubscribe"] == f"<{LINKS.stop}>"
    assert mailbox.envelopes[0].mail_from == "vigil@example.org"
    assert mailbox.envelopes[0].rcpt_tos == ["jill@example.org"]
    for kind in ("plain", "html"):
        text = part(mail, kind)
        assert "https://example.org/new" in text
        assert "1 new, 12 % of the text" in text
        assert f"{HOME}/reports/s1/7/1-2" in text
        assert LINKS.stop.replace("&", "&amp;") in text


def test_a_repeat_has_the_same_id():
    with Mailbox() as mailbox:
        send(mailbox, report(), report(), change("2", body=report().body))
    first, again, other = (mail["Message-ID"] for mail in mailbox.mails)
    assert first == again != other
    assert [mail["WebVigil-Id"] for mail in mailbox.mails] == ["1", "1", "2"]


def test_important_news_says_so():
    with Mailbox() as mailbox:
        send(mailbox, report(important=True))
    assert mailbox.mails[0]["Importance"] == "high"
    assert "important" in part(mailbox.mails[0], "html")


@pytest.mark.parametrize(
    "hostile",
    [
        "x\r\nBcc: victim@example.org\r\n\r\nbody",
        "x\nX-Evil: 1",
        "x\r\n.\r\nMAIL FROM:<a@b>",
        "\x00\x1b[31m",
        "\ud800 lone",
        "=?utf-8?q?Bcc?=: a@b",
        "é" * 5000,
        "\u202egnp.exe",
    ],
)
def test_nothing_from_a_page_gets_into_the_headers(hostile: str):
    notice = report(title=hostile, summary=hostile, topic=hostile, sentinel=hostile, url=hostile)
    notice = Notice(
        dedup=hostile,
        user=hostile,
        channel="email",
        address="jill@example.org",
        subject=hostile,
        body=notice.body,
    )
    with Mailbox() as mailbox:
        send(mailbox, notice)
    (mail,) = mailbox.mails
    assert mailbox.envelopes[0].rcpt_tos == ["jill@example.org"]
    names = {"from", "to", "subject", "date", "message-id", "webvigil-id", "auto-submitted", "mime-version"}
    names |= {"list-unsubscribe", "list-unsubscribe-post", "content-type"}
    assert {name.lower() for name in mail} == names
    assert not any(ord(letter) < 32 or letter in "\u202e\x7f" for letter in mail["Subject"])
    assert mail.get_body(("plain",)) is not None


@pytest.mark.parametrize(
    "address",
    ["", "jill", "jill@", "a@b\r\nRCPT TO:<x@y>", "a@b.test, c@d.test", "<>", "a b@c.test", "@c.test"],
)
def test_what_is_no_address_is_refused(address: str):
    with Mailbox() as mailbox, pytest.raises(ChannelRefused):
        send(mailbox, change("1", to=address, body=report().body))
    assert mailbox.mails == []


def test_an_international_domain_is_spelt_as_the_net_does():
    with Mailbox() as mailbox:
        send(mailbox, change("1", to="jill@bücher.example", body=report().body))
    assert mailbox.envelopes[0].rcpt_tos == ["jill@xn--bcher-kva.example"]


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("451 come back", ChannelBusy),
        ("421 going down", ChannelBusy),
        ("452 full", ChannelBusy),
        ("550 no", ChannelRefused),
        ("554 spam", ChannelRefused),
    ],
)
def test_what_the_server_says_decides(answer: str, error: type[Exception]):
    with Mailbox() as mailbox:
        mailbox.answers = [answer]
        with pytest.raises(error, match=answer[:3]):
            send(mailbox, report())
        mailbox.recipients = {"jill@example.org": answer}
        with pytest.raises(error, match=answer[:3]):
            send(mailbox, report())
        mailbox.recipients = {}
        send(mailbox, report())
    assert mailbox.count == 1


def test_a_server_that_is_away_is_tried_later():
    with Mailbox() as mailbox:
        port = mailbox.port
    gone = EmailChannel(
        MailServer(host="127.0.0.1", port=port, sender="a@b.test", security="none"),
        renderer(),
        lambda _: LINKS,
    )
    with pytest.raises(ChannelBusy, match="mail server cannot be used") as told:
        asyncio.run(gone.send(report()))
    assert str(told.value).endswith(f"on port {port} (Connection refused)")


class TestSecrecy:
    @pytest.fixture
    def authority(self, tmp_path: Path) -> Authority:
        return Authority(tmp_path)

    def trust(self, authority: Authority) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(authority.file))

    def test_tls_from_the_first_byte(self, authority: Authority):
        with Mailbox(tls=authority.server("127.0.0.1")) as mailbox:
            send(mailbox, report(), security="tls", tls=self.trust(authority))
        assert mailbox.count == 1

    def test_starttls_and_log_in(self, authority: Authority):
        box = Mailbox(starttls=authority.server("127.0.0.1"), login=("vigil", "secret"))
        with box as mailbox:
            trust = self.trust(authority)
            send(mailbox, report(), security="starttls", tls=trust, user="vigil", password="secret")
            with pytest.raises(ChannelBusy, match="535"):
                send(mailbox, report(), security="starttls", tls=trust, user="vigil", password="wrong")
            with pytest.raises(ChannelBusy):
                send(mailbox, report(), security="starttls", tls=ssl.create_default_context())
        assert mailbox.was_secret == [True]

    def test_without_tls_where_it_is_wanted_nothing_is_sent(self):
        with Mailbox() as mailbox, pytest.raises(ChannelBusy):
            send(mailbox, report(), security="starttls", tls=ssl.create_default_context())
        assert mailbox.count == 0


def test_a_receipt_says_what_the_server_said():
    with Mailbox() as mailbox:
        mailbox.answers = ["250 queued as 7", f"250 {'x' * 300}"]
        receipts = send(mailbox, report(), report())
    assert [one.reference for one in receipts] == ["queued as 7", "x" * 200]


@pytest.mark.parametrize(("idle", "connections"), [(19.9, 1), (20.0, 2)])
def test_a_connection_that_was_idle_for_long_is_not_used_again(
    idle: float, connections: int, monkeypatch: pytest.MonkeyPatch
):
    now = [1_000.0]
    monkeypatch.setattr("webvigil.notify.email.time", SimpleNamespace(monotonic=lambda: now[0]))

    async def twice(port: int) -> None:
        server = MailServer(host="127.0.0.1", port=port, sender="v@example.org", security="none")
        channel = EmailChannel(server, renderer(), lambda _: LINKS)
        await channel.send(report())
        now[0] += idle
        await channel.send(report())
        await channel.close()
        await asyncio.sleep(0.05)

    with Mailbox() as mailbox:
        asyncio.run(twice(mailbox.port))
    assert (mailbox.count, mailbox.connections) == (2, connections)


def test_connections_are_used_again():
    with Mailbox() as mailbox:
        send(mailbox, *(change(str(number), body=report().body) for number in range(5)))
    assert (mailbox.count, mailbox.connections) == (5, 1)
