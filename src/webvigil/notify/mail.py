"""A rendered notice as a mail: text and HTML, an id that a receiver can drop a repeat by, and headers that
nothing from a page can get into."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr

from webvigil.errors import ChannelRefused
from webvigil.model.notice import Notice
from webvigil.notify.render import Rendered, cleaned, subject_line

_PLAIN = re.compile(r"[^\s@,;:<>()\[\]\"\\]+@[^\s@,;:<>()\[\]\"\\]+")
_POLICY = SMTP.clone(max_line_length=78)


def mail(notice: Notice, rendered: Rendered, *, sender: str, at: datetime, stop: str = "") -> EmailMessage:
    made = EmailMessage(policy=_POLICY)
    made["From"] = address_of(sender)
    made["To"] = address_of(notice.address)
    made["Subject"] = subject_line(rendered.subject)
    made["Date"] = format_datetime(at)
    made["Message-ID"] = message_id(notice, sender)
    made["WebVigil-Id"] = _header(notice.dedup)
    made["Auto-Submitted"] = "auto-generated"
    if notice.body.get("important"):
        made["Importance"] = "high"
        made["X-Priority"] = "2"
    if stop:
        made["List-Unsubscribe"] = f"<{stop}>"
        made["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    made.set_content(rendered.text, cte="quoted-printable")
    made.add_alternative(rendered.html, subtype="html", cte="quoted-printable")
    return made


def message_id(notice: Notice, sender: str) -> str:
    """The same for every repeat of a notice."""
    name = hashlib.sha256(notice.dedup.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return f"<{name}@{address_of(sender).domain}>"


def address_of(text: str) -> Address:
    """One address, with or without a name before it; international domains as the net spells them."""
    if any(ord(letter) < 32 or letter == "\x7f" for letter in text):
        raise ChannelRefused(f"{text!r} is not an e-mail address")
    name, address = parseaddr(text) if "<" in text else ("", text.strip())
    user, _, domain = address.rpartition("@")
    if not _PLAIN.fullmatch(address):
        raise ChannelRefused(f"{text!r} is not an e-mail address")
    try:
        spelt = domain.encode("idna").decode("ascii")
        return Address(display_name=name, username=user, domain=spelt)
    except (ValueError, IndexError) as error:
        raise ChannelRefused(f"{text!r} is not an e-mail address") from error


def _header(text: str) -> str:
    plain = "".join(letter if letter.isascii() else "?" for letter in cleaned(text))
    return " ".join(plain.split())[:200]
