"""A rendered notice in, the bytes of a mail with text and HTML out.

The Message-ID is the same for every repeat of a notice, so that a receiver can drop repeats. Nothing from a
page can add a header. The bytes are written here because Python's email package took 4.2 ms and not 1.3 ms
for a mail, templates included, and because it writes long addresses (that of List-Unsubscribe) as encoded
words, which mail programs do not recognise.
"""

from __future__ import annotations

import hashlib
import re
from binascii import b2a_qp
from datetime import datetime
from email.header import Header
from email.headerregistry import Address
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from typing import NamedTuple

from webvigil.errors import ChannelRefused
from webvigil.model.notice import Notice
from webvigil.notify.render import Rendered, cleaned, subject_line

# One address without quotes, comments or lists: enough for real addresses, and no room for a second one.
_PLAIN = re.compile(r"[^\s@,;:<>()\[\]\"\\]+@[^\s@,;:<>()\[\]\"\\]+")
_LINE = 78
_END = "\r\n"
_POLICIES = {wide: SMTP.clone(max_line_length=_LINE, utf8=wide) for wide in (False, True)}
_LONGEST = 900  # a line of a mail has at most 998 characters (RFC 5322)


class Mail(NamedTuple):
    """The bytes of a mail. If `wide`, an address is not ASCII, and the server has to support SMTPUTF8."""

    content: bytes
    wide: bool


def mail(notice: Notice, rendered: Rendered, *, sender: str, at: datetime, stop: str = "") -> Mail:
    """Returns the mail for a notice. `stop` is the address that unsubscribes with one click."""
    name = message_id(notice, sender)
    from_, to = address_of(sender), address_of(notice.address)
    headers = {
        "From": str(from_),
        "To": str(to),
        "Subject": subject_line(rendered.subject),
        "Date": format_datetime(at),
        "Message-ID": name,
        "WebVigil-Id": _header(notice.dedup),
        "Auto-Submitted": "auto-generated",
        **({"Importance": "high", "X-Priority": "2"} if notice.body.get("important") else {}),
        **({"List-Unsubscribe": f"<{stop}>"} if stop else {}),
        **({"List-Unsubscribe-Post": "List-Unsubscribe=One-Click"} if stop else {}),
        "MIME-Version": "1.0",
    }
    wide = not (from_.addr_spec + to.addr_spec).isascii()
    head = "".join([_line(name, value, wide) for name, value in headers.items()])
    return Mail(head.encode() + _alternatives(rendered, name.strip("<>").partition("@")[0]), wide)


def _line(name: str, value: str, wide: bool) -> str:
    """Returns a header line. Most values are written as they are; Python folds and encodes the others."""
    short = len(name) + 2 + len(value) <= _LINE or (value.startswith("<http") and len(value) <= _LONGEST)
    plain = value.isascii() and value.isprintable() and "=?" not in value
    if short and plain:
        return f"{name}: {value}\r\n"
    if name in ("From", "To"):
        policy = _POLICIES[wide]
        return str(policy.fold(name, policy.header_factory(name, value)))
    # Texts are not folded by a policy: between plain and encoded words each version of Python loses or
    # doubles other spaces.
    folds = plain and max(map(len, value.split(" "))) < _LINE // 2
    text = Header(value, "us-ascii" if folds else "utf-8", _LINE - 2, name)
    return f"{name}: {text.encode(linesep=_END)}{_END}"


def _alternatives(rendered: Rendered, name: str) -> bytes:
    """Returns the body: the text, and the HTML for programs that show it. The boundary contains `=_`, which
    quoted-printable text never does."""
    border = f"=_{name}"
    parts = [_part("plain", rendered.text), _part("html", rendered.html)]
    head = f'Content-Type: multipart/alternative; boundary="{border}"\r\n\r\n'.encode()
    between = f"--{border}\r\n".encode()
    return head + b"".join([between + part for part in parts]) + f"--{border}--\r\n".encode()


def _part(kind: str, text: str) -> bytes:
    head = f"Content-Type: text/{kind}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    lines = b2a_qp(cleaned(text).encode(), istext=True)
    return head.encode() + lines.replace(b"\n", b"\r\n") + b"\r\n"


def message_id(notice: Notice, sender: str) -> str:
    """Returns the Message-ID, which is the same for every repeat of a notice."""
    name = hashlib.sha256(notice.dedup.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return f"<{name}@{address_of(sender).domain}>"


def address_of(text: str) -> Address:
    """Reads one e-mail address, with or without a name before it. International domains come back in ASCII.
    Raises ChannelRefused if the text is not an e-mail address."""
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
    """Returns a text that is safe in a header: one line of ASCII, at most 200 characters."""
    plain = "".join(letter if letter.isascii() else "?" for letter in cleaned(text))
    return " ".join(plain.split())[:200]
