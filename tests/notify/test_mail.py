"""Tests of a mail as it goes over the wire, read again by Python's own parser (N4)."""

from __future__ import annotations

import email
import email.policy
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.notify.telling import change
from webvigil.notify.mail import mail
from webvigil.notify.render import Rendered, cleaned, subject_line

AT = datetime(2026, 5, 4, 12, tzinfo=UTC)


def written(
    text: str = "t\n", html: str = "<p>h</p>", subject: str = "s", sender: str = "v@example.org", **more: str
) -> bytes:
    rendered = Rendered(subject=subject, text=text, html=html)
    return mail(change("1"), rendered, sender=sender, at=AT, **more).content


def read(content: bytes) -> EmailMessage:
    found = email.message_from_bytes(content, policy=email.policy.default)
    assert isinstance(found, EmailMessage)
    return found


@given(
    text=st.text(max_size=300),
    html=st.text(max_size=300),
    subject=st.text(max_size=250),
    sender=st.sampled_from(["v@example.org", "WebVigil <v@example.org>", "Wächter 東京 <v@example.org>"]),
)
@example(text=".\n..\n\n  \n", html="=\n=20\n--=_", subject="=?utf-8?q?x?=", sender="v@example.org")
@example(text="a" * 2000, html="é" * 700, subject="ü" * 180, sender="v@example.org")
def test_what_was_written_is_what_is_read(text: str, html: str, subject: str, sender: str):
    content = written(text, html, subject, sender)
    found = read(content)
    assert not found.defects
    plain, rich = found.iter_parts()
    for part, meant in ((plain, text), (rich, html)):
        assert not part.defects
        assert part.get_content().replace("\r\n", "\n") == cleaned(meant)
    if "=?" not in subject:
        assert str(found["Subject"]) == subject_line(subject)
    assert str(found["From"]) == str(read(f"From: {sender}\n\n".encode())["From"])
    head, _, body = content.partition(b"\r\n\r\n")
    assert all(len(line) <= 998 for line in content.split(b"\r\n"))
    assert head.isascii()
    assert body.isascii()
    assert b"\n" not in content.replace(b"\r\n", b"")


@pytest.mark.parametrize("word", ["word", "wörd", "東京", "x" * 80])
@pytest.mark.parametrize("count", [1, 12, 16, 30])
def test_a_long_subject_is_folded_and_read_as_it_was_written(word: str, count: int):
    subject = " ".join([word] * count)
    content = written(subject=subject)
    assert str(read(content)["Subject"]) == subject_line(subject)
    assert all(len(line) <= 78 for line in content.partition(b"\r\nDate")[0].split(b"\r\n"))
    assert (b"=?" in content) is (word != "word"), "plain words stay plain"


@pytest.mark.parametrize("length", range(40, 75))
def test_a_subject_is_read_as_it_was_written(length: int):
    subject = f"{'word ' * (length // 5)}{'x' * (length % 5)} · Links · Demo town"
    assert str(read(written(subject=subject))["Subject"]) == subject_line(subject)


def test_a_long_address_to_unsubscribe_stays_one():
    """Mail programs do not recognise an address in encoded words."""
    stop = "https://vigil.example.org/contacts/stop?token=" + "aB3-_" * 40
    content = written(stop=stop)
    assert f"\r\nList-Unsubscribe: <{stop}>\r\n".encode() in content
    assert read(content)["List-Unsubscribe"] == f"<{stop}>"


def test_an_address_that_is_not_ascii_asks_for_a_server_that_takes_it():
    rendered = Rendered(subject="s", text="t", html="h")
    made = [
        mail(change("1", to=to), rendered, sender="Ü <v@example.org>", at=AT)
        for to in ("jürgen@example.org", "jill@example.org")
    ]
    assert [one.wide for one in made] == [True, False]
    assert "To: jürgen@example.org\r\n".encode() in made[0].content
