"""The format of messages between two servers: signed, for one receiver, and valid once (B5).

On the wire a message is one line followed by the body:

    webvigil/1 KEY SIGNATURE HEAD⏎BODY

HEAD is canonical JSON with the receiver, the kind, a random id, the time of sending, the content, the id of
the message it answers, and the digest of the body. The signature covers everything before the body, so the
holder of KEY has said exactly this; nothing of the head is read before the signature is verified. `opened`
returns a message that can be believed, or raises MessageRefused. Its sentence is always the same for the same
reason and repeats nothing of what was received.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any, NoReturn

from webvigil.community.keys import KEY_LENGTH, SIGNATURE_LENGTH, Identity, is_signed
from webvigil.errors import MessageRefused
from webvigil.model.moment import Millis

MEDIA_TYPE = "application/x-webvigil-message"
SKEW: Millis = 120_000
"""Most milliseconds by which two clocks may differ. The id of a message is remembered for twice as long."""
LARGEST_HEAD = 64_000
"""Most bytes of the head of a message; the longest head that we send has some thousand."""
_MARK = b"webvigil/1"
_ID_BYTES = 16  # random, so that no two messages have the same id
_LONGEST_KIND = 40  # characters
_PLACES = ("answers", "content", "digest", "id", "kind", "sent", "to")

REFUSALS = {
    "form": "this is no message of a WebVigil server, or of a version that we do not know",
    "size": "the message is too large",
    "signature": "the message is not signed by the key that it names",
    "receiver": "the message is for another server",
    "time": "the message is too old or from the future; are both clocks right?",
    "repeat": "the message was received before",
    "sender": "the sender is not known here; its server must be added as a peer first",
    "kind": "messages of this kind are not understood here",
    "content": "the message does not say what one of its kind must say",
    "answer": "the answer is not to what was asked, or by somebody else",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message that can be believed. `answers` is the id of the message that this one answers, "" if it
    answers none."""

    sender: str
    receiver: str
    kind: str
    id: str
    sent: Millis
    content: dict[str, Any] = field(default_factory=dict)
    body: bytes = b""
    answers: str = ""


def written(
    identity: Identity,
    receiver: str,
    kind: str,
    content: dict[str, Any] | None = None,
    body: bytes = b"",
    *,
    sent: Millis,
    answers: str = "",
) -> tuple[str, bytes]:
    """Returns a new signed message: its id, and the bytes to send."""
    id_ = secrets.token_hex(_ID_BYTES)
    head = {
        "to": receiver,
        "kind": kind,
        "id": id_,
        "sent": sent,
        "content": content or {},
        "answers": answers,
        "digest": _digest(body),
    }
    text = json.dumps(head, sort_keys=True, separators=(",", ":")).encode()
    if len(text) > LARGEST_HEAD:
        refuse("size")
    signature = identity.sign(_signed_part(identity.key.encode(), text))
    return id_, b" ".join((_MARK, identity.key.encode(), signature.encode(), text)) + b"\n" + body


def opened(wire: bytes, identity: Identity, *, now: Millis, largest: int) -> Message:
    """Returns the message in some bytes if it is complete, signed, for us and recent. Raises MessageRefused
    otherwise."""
    if len(wire) > largest:
        refuse("size")
    key, signature, head, body = _parts(wire)
    if not is_signed(
        _signed_part(key, head), signature.decode("ascii", "replace"), key.decode("ascii", "replace")
    ):
        refuse("signature")
    said = _read(head)
    if said["digest"] != _digest(body):
        refuse("signature")
    if said["to"] != identity.key:
        refuse("receiver")
    if abs(said["sent"] - now) > SKEW:
        refuse("time")
    return Message(
        sender=key.decode("ascii"),
        receiver=said["to"],
        kind=said["kind"],
        id=said["id"],
        sent=said["sent"],
        content=said["content"],
        body=body,
        answers=said["answers"],
    )


def refuse(reason: str) -> NoReturn:
    """Raises MessageRefused with the sentence for a reason."""
    raise MessageRefused(reason, REFUSALS[reason])


def _parts(wire: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    """Splits the bytes into key, signature, head and body by position, without reading the contents."""
    signature_at = len(_MARK) + 1 + KEY_LENGTH + 1
    head_at = signature_at + SIGNATURE_LENGTH + 1
    end = wire.find(b"\n", head_at, head_at + LARGEST_HEAD + 1)
    marks = wire[: len(_MARK) + 1], wire[signature_at - 1 : signature_at], wire[head_at - 1 : head_at]
    if end < 0 or marks != (_MARK + b" ", b" ", b" "):
        refuse("form")
    key, signature = wire[len(_MARK) + 1 : signature_at - 1], wire[signature_at : head_at - 1]
    return key, signature, wire[head_at:end], wire[end + 1 :]


def _signed_part(key: bytes, head: bytes) -> bytes:
    return b"\0".join((_MARK, key, head))


def _read(head: bytes) -> dict[str, Any]:
    r"""Reads the head and checks its form.

    The head is signed, but its sender need not keep to the form: half a character (`\ud800`) can be written
    in JSON, but cannot be encoded for the database.
    """
    try:
        said = json.loads(head)
        json.dumps(said, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        refuse("form")
    if not isinstance(said, dict) or tuple(sorted(said)) != _PLACES:
        refuse("form")
    texts = all(isinstance(said[name], str) for name in ("to", "kind", "id", "answers", "digest"))
    number = isinstance(said["sent"], int) and not isinstance(said["sent"], bool)
    if not (texts and number and isinstance(said["content"], dict)):
        refuse("form")
    if len(said["id"]) != 2 * _ID_BYTES or len(said["kind"]) > _LONGEST_KIND:
        refuse("form")
    return said


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()
