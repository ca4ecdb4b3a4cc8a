"""A change of a page becomes a mail in a mailbox, with every step that a person takes (N4, V4)."""

from __future__ import annotations

import re
from pathlib import Path

import httpx2

from tests.notify.mailbox import Mailbox, part
from tests.site import Site
from tests.whole.serving import Serving, eventually, webvigil, webvigil_json

ADDRESS = "jill@example.org"


def test_an_address_is_confirmed_and_then_told(site: Site, tmp_path: Path):
    page = site.page("/", "<p>one <a href='/a'>a</a>")
    with Mailbox() as mailbox:
        server = {
            "WEBVIGIL_SMTP_HOST": "127.0.0.1",
            "WEBVIGIL_SMTP_PORT": str(mailbox.port),
            "WEBVIGIL_SMTP_SECURITY": "none",
            "WEBVIGIL_MAIL_FROM": "WebVigil <vigil@example.org>",
        }
        text = (
            f"Create Sentinel s Using {page.url} Monitor all links Fetch 1 second Notify By email {ADDRESS}"
        )
        done = webvigil("add", "-", "--data", str(tmp_path), text=text, **server)
        assert done.returncode == 0, done.stderr
        with Serving(tmp_path, **server) as serving:
            (question,) = eventually(lambda: list(mailbox.mails))
            assert question["Subject"] == "Is this your address?"
            page.wait_for(2, within=60)
            page.becomes("<p>one <a href='/a'>a</a> <a href='/b'>b</a>")
            eventually(lambda: webvigil_json("changes", "--data", str(tmp_path)))
            assert len(mailbox.mails) == 1, "nothing to an address that nobody has confirmed"
            secret = re.search(r"/contacts/verify\?token=(\S+)", part(question, "plain"))
            assert secret
            assert httpx2.post(f"{serving.address}/contacts/verify?token={secret[1]}").status_code == 200
            eventually(lambda: len(mailbox.mails) > 1)
    news = part(mailbox.mails[1], "plain")
    assert "s is installed" in news, "what waited comes as one"
    assert "New link: b" in news
    (dead,) = [webvigil_json("notices", "--state", "given-up", "--data", str(tmp_path))]
    assert dead == []


def test_the_subject_of_a_mail_is_the_headline_with_the_title_of_the_page(site: Site, tmp_path: Path):
    shop = "<title>The shop</title><h1>Sofas</h1><p>Polaris: <b>€ {}</b> with legs"
    page = site.page("/", shop.format("1,299.00"))
    with Mailbox() as mailbox:
        server = {
            "WEBVIGIL_SMTP_HOST": "127.0.0.1",
            "WEBVIGIL_SMTP_PORT": str(mailbox.port),
            "WEBVIGIL_SMTP_SECURITY": "none",
            "WEBVIGIL_MAIL_FROM": "WebVigil <vigil@example.org>",
        }
        text = f"Create Sentinel s Using {page.url} Fetch 1 second Notify By email {ADDRESS}"
        assert webvigil("add", "-", "--data", str(tmp_path), text=text, **server).returncode == 0
        with Serving(tmp_path, **server) as serving:
            (question,) = eventually(lambda: list(mailbox.mails))
            secret = re.search(r"/contacts/verify\?token=(\S+)", part(question, "plain"))
            assert secret
            assert httpx2.post(f"{serving.address}/contacts/verify?token={secret[1]}").status_code == 200
            eventually(lambda: len(mailbox.mails) > 1)
            page.wait_for(2, within=20)
            page.becomes(shop.format("1,279.00"))
            mail = eventually(lambda: [one for one in mailbox.mails if "→" in one["Subject"]])[0]
        (change,) = webvigil_json("changes", "--data", str(tmp_path))
    assert mail["Subject"] == f"{change['headline']} · The shop"
    assert change["headline"] == "Polaris: €\u00a01,299.00 → €\u00a01,279.00 (−1.5\u00a0%)"
    assert change["title"] == "The shop"
    assert "+ Polaris: € 1,279.00 with legs" in part(mail, "plain")


def test_without_a_mail_server_mail_is_refused_at_once(tmp_path: Path):
    text = "Create Sentinel s Using http://127.0.0.1:1/ Notify By email jill@example.org"
    done = webvigil("add", "-", "--data", str(tmp_path), text=text)
    assert done.returncode == 2
    assert "nobody can be reached by 'email'" in done.stderr


def test_commands_set_preferences_and_contacts(tmp_path: Path):
    data = ("--data", str(tmp_path))
    assert "22:00-07:00" in webvigil("preferences", "--quiet", "22:00-7:00", *data).stdout
    assert webvigil_json("preferences", *data)["quiet"] == "22:00-07:00"
    assert "no time of day" in webvigil("preferences", "--summary-at", "noon", *data).stderr
    hook = webvigil("contact", "add", "webhook", "https://example.org/hook", *data)
    assert "signed with the secret" in hook.stdout
    assert "/feeds/" in webvigil("contact", "add", "feed", *data).stdout
    listed = webvigil_json("contact", "list", *data)
    assert [one["channel"] for one in listed] == ["feed", "webhook"]
    assert webvigil("contact", "remove", "feed", *data).returncode == 0
    assert webvigil("contact", "remove", "feed", *data).returncode == 1
    assert webvigil("notices", "retry", "17", *data).returncode == 1
    assert webvigil("notices", "retry", *data).returncode == 2
    assert webvigil_json("notices", *data) == []
    assert webvigil_json("summary", *data) == []
