"""What a page is asked with by one whom the server knows: cookies and headers, sealed where they rest (F7).

The key is not in the database: who gets hold of a copy of the database gets nobody's log-in. A sealed
log-in is bound to its user and address, so that it cannot be moved to another row.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from webvigil.errors import KeyMissing, SettingRefused, StoreRefused

KEY_FILE = "secret_key"
_NONCE = 12
_SHORTEST_KEY = 16

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Login:
    """Sent to the origin of `url` and to nobody else."""

    url: str
    headers: Pairs = ()
    cookies: Pairs = ()


class Seal:
    def __init__(self, key: bytes, again: Callable[[], bytes] | None = None) -> None:
        """`again` gives the key anew: where something cannot be opened, somebody may have brought another."""
        self._key = key
        self._again = again
        self._cipher = _cipher(key)

    def seal(self, login: Login, owner: str) -> str:
        content = json.dumps({"headers": login.headers, "cookies": login.cookies})
        return self.seal_text(content, login.url, owner)

    def open(self, sealed: str, url: str, owner: str) -> Login:
        content = json.loads(self.open_text(sealed, url, owner))
        return Login(url=url, headers=_pairs(content["headers"]), cookies=_pairs(content["cookies"]))

    def seal_text(self, content: str, *bound: str) -> str:
        """`bound` is where it belongs: nowhere else it can be opened."""
        nonce = os.urandom(_NONCE)
        packed = nonce + self._cipher.encrypt(nonce, content.encode(), _bound(*bound))
        return base64.b64encode(packed).decode()

    def open_text(self, sealed: str, *bound: str) -> str:
        try:
            return self._opened(sealed, *bound)
        except (InvalidTag, ValueError) as error:
            if self._has_another_key():
                return self.open_text(sealed, *bound)
            raise KeyMissing(
                f"the secret for {bound[0]} cannot be opened: it was sealed with another secret_key"
            ) from error

    def _opened(self, sealed: str, *bound: str) -> str:
        packed = base64.b64decode(sealed, validate=True)
        return self._cipher.decrypt(packed[:_NONCE], packed[_NONCE:], _bound(*bound)).decode()

    def _has_another_key(self) -> bool:
        try:
            key = self._again() if self._again else self._key
        except StoreRefused:  # a file that cannot be read is no other key
            return False
        if key == self._key:
            return False
        self._key, self._cipher = key, _cipher(key)
        return True


def _cipher(key: bytes) -> AESGCM:
    return AESGCM(hashlib.sha256(b"webvigil log-ins\0" + key).digest())


def key_from(setting: str, folder: Path, name: str = KEY_FILE) -> bytes:
    """The key that the setting of this name gives; else that of the data folder, made when there is none."""
    if setting:
        if len(setting) < _SHORTEST_KEY:
            raise SettingRefused(f"{name} is too short; use at least {_SHORTEST_KEY} random characters")
        return setting.encode()
    file = folder / name
    try:
        return _made(file) if not file.exists() else file.read_bytes().strip()
    except OSError as error:
        raise StoreRefused(f"the key {file} cannot be used: {error.strerror}") from error


def _made(file: Path) -> bytes:
    """Whole or not at all, readable by its owner alone; of two who make it at once, the first one counts."""
    key = base64.urlsafe_b64encode(os.urandom(32))
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{os.getpid()}.{os.urandom(4).hex()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(key + b"\n")
        out.flush()
        os.fsync(out.fileno())
    try:
        os.link(draft, file)
    except FileExistsError:
        return file.read_bytes().strip()
    finally:
        draft.unlink()
    return key


def _bound(*place: str) -> bytes:
    return json.dumps(place).encode()


def _pairs(rows: list[list[str]]) -> Pairs:
    return tuple((name, value) for name, value in rows)
