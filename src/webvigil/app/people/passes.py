"""Passes: signed permissions to look at one thing for some minutes, where no session cookie is sent (P4).

A pass says what may be seen and until when. Nobody can make a pass without the key, and it opens nothing
else.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping

from webvigil.app.settings import Settings
from webvigil.fetch.login import key_from

LASTS = 600  # seconds for which a pass is valid
_LONGEST = 8_000  # characters; longer texts are refused before they are decoded


class Passes:
    """Writes and reads passes with one key. `now` counts seconds since 1970."""

    def __init__(self, key: bytes, now: Callable[[], float] = time.time) -> None:
        self._key = hashlib.blake2b(key, person=b"webvigil passes", digest_size=32).digest()
        self._now = now

    def written(self, kind: str, what: Mapping[str, str | int], lasts: int = LASTS) -> str:
        body = {"kind": kind, "until": int(self._now()) + lasts, **what}
        text = _encoded(json.dumps(body, separators=(",", ":")).encode())
        return f"{text}.{self._sign(text)}"

    def read(self, kind: str, pass_: str) -> dict[str, str | int] | None:
        """Returns the content of a pass, or None if it is of another kind, has no valid signature, or has
        expired."""
        text, _, signature = pass_.partition(".")
        if len(pass_) > _LONGEST or not pass_.isascii():
            return None
        if not hmac.compare_digest(signature, self._sign(text)):
            return None
        body = json.loads(_decoded(text))
        return body if body["kind"] == kind and body["until"] > self._now() else None

    def _sign(self, text: str) -> str:
        return _encoded(hmac.digest(self._key, text.encode(), "sha256"))


def passes_of(settings: Settings) -> Passes:
    return Passes(key_from(settings.secret_key, settings.data))


def _encoded(plain: bytes) -> str:
    return base64.urlsafe_b64encode(plain).decode().rstrip("=")


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
