"""The small steps from a value to what a reader sees: lines, times, links, shares, and errors of a mail
server."""

from __future__ import annotations

import errno
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import aiosmtplib
import pytest
from markupsafe import Markup

from tests.notify.telling import change
from webvigil.errors import ChannelBusy, ChannelRefused
from webvigil.model.message import Message
from webvigil.notify.email import _translated, _words
from webvigil.notify.mail import _header, _line, address_of, mail
from webvigil.notify.message import fields, first_object, message_of
from webvigil.notify.render import (
    Rendered,
    Renderer,
    _called,
    _finalised,
    _joined,
    _part_of_line,
    _share,
    cleaned,
    day,
    href,
    one_line,
    subject_line,
    when,
)
from webvigil.present.lines import Line

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(("made", "longest"), [(subject_line, 180), (one_line, 400), (_part_of_line, 400)])
def test_a_line_has_a_limit(made: Any, longest: int):
    assert made("x" * longest) == "x" * longest
    cut = made("x" * (longest + 1))
    assert len(cut) <= longest
    assert cut.endswith("…")


def test_white_space_is_one_space_and_ties_to_a_unit_stay():
    assert subject_line(" a\t\n b\u00a0% ") == "a b\u00a0%"
    assert one_line(" a  b ") == "a b"
    assert _part_of_line(" a  b ") == " a b "
    assert one_line(7) == "7"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain", "plain"),
        ("a\x00b\x1b\x7f", "ab"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("\u202eevil\u200f", "evil"),
        ("a \u2068שלום\u2069 b", "a \u2068שלום\u2069 b"),
        ("\u2068one\u2069\u2068two\x00\u2069", "\u2068one\u2069\u2068two\u2069"),
        ("\u2069left\u2068", "left"),
        ("half \ud800", "half ?"),
    ],
)
def test_what_could_make_our_text_look_like_something_else_is_removed(text: str, seen: str):
    assert cleaned(text) == seen


@pytest.mark.parametrize(
    ("finding", "words"),
    [
        ({"share": 0.005, "type": "all words"}, "0\u00a0% of the text"),
        ({"share": 0.0049, "type": "all words"}, ""),
        ({"share": 0.126, "type": "any change"}, "13\u00a0% of the text"),
        ({"share": 1, "type": "visual"}, "100\u00a0% of the picture"),
        ({"share": 0.5, "type": "all links"}, ""),
        ({"share": None, "type": "content"}, ""),
        ({}, ""),
    ],
)
def test_a_share_is_told_where_text_is_watched(finding: dict[str, Any], words: str):
    assert _share(finding) == words


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("http://a.test/", True),
        ("https://a.test/", True),
        ("ftp://a.test/", False),
        ("javascript:alert(1)", False),
        ("http://[a", False),
        ("", False),
    ],
)
def test_only_addresses_of_the_web_become_links(address: str, kept: bool):
    assert href(address) == (address if kept else "")


def test_a_time_is_told_on_the_users_clock_and_no_time_as_it_is():
    assert when("2026-05-04T12:00:00+00:00", BERLIN) == "Mon 04 May 2026, 14:00"
    assert day("2026-05-04T12:00:00+00:00", BERLIN) == "2026-05-04 14:00"
    assert (when("soon", BERLIN), day(None, BERLIN)) == ("soon", "None")


def test_values_in_a_template_are_cleaned():
    assert [_finalised(value) for value in (None, "a\x00", 0, 7)] == ["", "a", 0, 7]
    safe = _finalised(Markup("<b>\x00"))
    assert (safe, type(safe)) == (Markup("<b>"), Markup)
    assert _joined([("a", True), ("b", False)]) == "ab"
    assert (_called("all links"), _called("nothing we know")) == ("links", "nothing we know")


@pytest.mark.parametrize(
    ("home", "told", "address"),
    [
        (
            "https://v.test/",
            {"page": 7, "old_version": 1, "new_version": 2, "sentinel": "a/b c"},
            "https://v.test/reports/a%2Fb%20c/7/1-2",
        ),
        ("https://v.test", {"page": 7}, "https://v.test/reports//7/0-0"),
        ("https://v.test", {"page": 0}, ""),
        ("https://v.test", {}, ""),
        ("", {"page": 7}, ""),
    ],
)
def test_a_report_has_an_address_where_there_is_a_dashboard(home: str, told: dict[str, Any], address: str):
    renderer = Renderer(home=home, lines=lambda _: (), rows=lambda _: None, zone=lambda _: BERLIN)
    assert renderer._report(told) == address


# --- a message in own words ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"event": "change", "message": {"title": "t", "body": "b"}}, Message("t", "b")),
        ({"event": "change", "message": {"title": None}}, Message("", "")),
        ({"event": "failed", "message": {"title": "t"}}, None),
        ({"event": "change", "message": "t"}, None),
        ({"event": "change"}, None),
    ],
)
def test_only_a_change_is_told_in_own_words(body: dict[str, Any], message: Message | None):
    assert message_of(body) == message


@pytest.mark.parametrize(
    ("one", "told"),
    [
        ({"object": "/a", "status": "i"}, ("", "", "/a")),
        ({"object": "/a", "status": "i+", "link_text": "A"}, ("", "", "A")),
        ({"object": "/a", "status": "d"}, ("", "/a", "")),
        ({"object": "/a", "status": "d-", "section": "News"}, ("News", "/a", "")),
        ({"object": "/a", "status": "u", "label": "L", "section": "S"}, ("L", "/a", "/a")),
        ({"object": "p", "status": "u", "before": "1", "after": "2"}, ("", "1", "2")),
    ],
)
def test_the_first_object_says_what_was_and_what_is(one: dict[str, Any], told: tuple[str, str, str]):
    findings = [{"objects": []}, {}, {"objects": [one, {"object": "second"}]}]
    assert tuple(first_object(findings).values()) == told
    assert list(first_object(findings)) == ["label", "before", "after"]
    assert first_object([{}]) == {}


def test_the_fields_of_a_message_come_from_what_changed():
    lines = [
        Line("+", "new"),
        Line("-", "gone"),
        Line("~", "", before="was!", after="is"),
    ]
    told = {
        "findings": [
            {"changed": False, "more": 9},
            {"changed": True, "more": 2},
            {"changed": True, "more": 1},
        ],
        "amounts": {"types": ["a", "b"]},
        "sentinel": "s",
        "headline": "h",
    }
    found = fields(told, lambda finding: lines if finding["more"] == 2 else [], time="t", report="r")
    assert (found["added"], found["removed"]) == ("new\nis", "gone\nwas!")
    assert found["changes"].endswith("\n… and 3 more")
    assert (found["types"], found["title"], found["sentence"]) == ("a, b", "s", "h")
    assert (found["time"], found["report"]) == ("t", "r")
    told |= {"title": "T", "judgement": {"sentence": "S"}}
    found = fields(told, lambda _: [], time="", report="")
    assert (found["title"], found["sentence"]) == ("T", "S")
    assert "more" not in fields({}, lambda _: [], time="", report="")["changes"]


# --- mails ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "whole"),
    [
        ("x" * (78 - len("Subject: ")), True),
        ("word " * 13 + "word", True),
        ("word " * 13 + "words", False),
        ("<http://a.test/" + "x" * 885, True),
        ("<http://a.test/" + "x" * 886, False),
        ("=?x", False),
        ("é", False),
    ],
)
def test_a_short_plain_header_is_written_as_it_is(value: str, whole: bool):
    assert (_line("Subject", value, False) == f"Subject: {value}\r\n") is whole


@pytest.mark.parametrize(("word", "encoded"), [("x" * 38, False), ("x" * 39, True)])
def test_a_long_header_of_short_words_is_folded_and_one_of_long_words_encoded(word: str, encoded: bool):
    assert ("=?utf-8?" in _line("Subject", f"{word} {word} {word}", False)) is encoded


def test_an_id_in_a_header_is_one_line_of_ascii():
    assert _header("a\n b\té") == "a b ?"
    assert [len(_header("x" * size)) for size in (200, 201)] == [200, 200]


@pytest.mark.parametrize("control", ["\x00", "\x1f", "\x7f"])
@pytest.mark.parametrize("text", ["a{}@b.test", "J{}ill <a@b.test>"])
def test_an_address_and_its_name_have_no_control_characters(text: str, control: str):
    with pytest.raises(ChannelRefused) as caught:
        address_of(text.format(control))
    assert str(caught.value) == f"{text.format(control)!r} is not an e-mail address"


def test_an_address_may_have_a_name_before_it():
    assert str(address_of("Jill <jill@a.test>")) == "Jill <jill@a.test>"
    assert address_of(" jill@a.test ").addr_spec == "jill@a.test"
    assert address_of("jill@bücher.test").domain == "xn--bcher-kva.test"


@pytest.mark.parametrize(
    ("sender", "wide"), [("v@a.test", False), ("ü@a.test", True), ("Ü <v@a.test>", False)]
)
def test_a_mail_is_wide_if_an_address_is(sender: str, wide: bool):
    rendered = Rendered(subject="s", text="t", html="h")
    made = mail(change("1", to="jill@a.test"), rendered, sender=sender, at=datetime(2026, 5, 4, tzinfo=UTC))
    assert made.wide is wide
    assert b"List-Unsubscribe" not in made.content
    assert b"Importance" not in made.content


REFUSED = aiosmtplib.SMTPRecipientRefused(550, "no such user", "a@b.test")
LATER = aiosmtplib.SMTPRecipientRefused(450, "full", "a@b.test")


@pytest.mark.parametrize(
    ("error", "ours", "words"),
    [
        (aiosmtplib.SMTPDataError(500, "no"), ChannelRefused, "the mail server refuses it: 500 no"),
        (aiosmtplib.SMTPDataError(599, "no"), ChannelRefused, "the mail server refuses it: 599 no"),
        (aiosmtplib.SMTPDataError(499, "no"), ChannelBusy, "the mail server does not take it now: 499 no"),
        (aiosmtplib.SMTPDataError(600, "no"), ChannelBusy, "the mail server does not take it now: 600 no"),
        (
            aiosmtplib.SMTPRecipientsRefused([REFUSED, LATER]),
            ChannelRefused,
            "the mail server refuses it: 550 no such user",
        ),
        (
            aiosmtplib.SMTPRecipientsRefused([LATER, REFUSED]),
            ChannelBusy,
            "the mail server does not take it now: 450 full",
        ),
        (
            aiosmtplib.SMTPSenderRefused(550, "not you", "v@a.test"),
            ChannelBusy,
            "the mail server does not take it now: 550 not you",
        ),
        (ValueError("odd"), ChannelRefused, "the mail cannot be sent: odd"),
        (aiosmtplib.SMTPNotSupported("no UTF-8"), ChannelRefused, "the mail cannot be sent: no UTF-8"),
        (OSError(), ChannelBusy, "the mail server does not take it now: OSError"),
    ],
)
def test_what_a_mail_server_says_decides_in_words(error: Exception, ours: type[Exception], words: str):
    found = _translated(error)
    assert (type(found), str(found)) == (ours, words)


def test_the_reason_of_the_system_is_told_in_words_and_a_long_one_cut():
    assert _words(OSError(f"Error connecting: [Errno {errno.ECONNREFUSED}] Connect call failed")) == (
        "Error connecting (Connection refused)"
    )
    assert len(_words(OSError("x" * 301))) == 300
    assert _words(aiosmtplib.SMTPDataError(500, "x" * 400)) == f"500 {'x' * 296}"
