"""The login for a page in, sealed text for the database out, and back: cookies and headers (F7).

The key is not in the database, so a copy of the database opens nobody's login. A sealed login is bound to its
user and address, so it cannot be moved to another row.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, unquote_plus

from webvigil.errors import KeyMissing, SettingRefused, StoreRefused

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_FILE = "secret_key"
# AES-GCM's usual length of a nonce in bytes. A shorter setting than the second number is no secret.
_NONCE = 12
_SHORTEST_KEY = 16

Pairs = tuple[tuple[str, str], ...]
_PARAMETER = re.compile(r"(?P<key>[?&;#][^=?&;#]*)=(?P<value>[^&;#]+)")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Login:
    """Headers and cookies that are sent to the origin of `url` and to no other. `secrets` are texts with a
    name that steps type into pages of that origin."""

    url: str
    headers: Pairs = ()
    cookies: Pairs = ()
    secrets: Pairs = ()


def without_secrets(url: str, login: Login | None) -> str:
    """Returns an address to be kept and shown: where the value of a parameter is a secret of the log-in,
    because a page sent a form with GET, the name of the secret takes its place."""
    if login is None or not login.secrets:
        return url
    names = {value: name for name, value in login.secrets if value}
    return _PARAMETER.sub(lambda found: _named_secret(found, names), url)


def _named_secret(found: re.Match[str], names: Mapping[str, str]) -> str:
    name = names.get(unquote_plus(found["value"])) or names.get(unquote(found["value"]))
    return f"{found['key']}=secret-{quote(name)}" if name else found[0]


class Seal:
    """Seals and opens secrets with AES-GCM. The library for it is loaded with the first secret."""

    def __init__(self, key: bytes, again: Callable[[], bytes] | None = None) -> None:
        """`again` reads the key anew. It is called when a secret cannot be opened, because the operator may
        have put the right key in place meanwhile."""
        self._key = key
        self._again = again

    def seal(self, login: Login, owner: str) -> str:
        """Returns the login as sealed text that only this owner and address can open."""
        parts = {"headers": login.headers, "cookies": login.cookies, "secrets": login.secrets}
        content = json.dumps({name: pairs for name, pairs in parts.items() if pairs})
        return self.seal_text(content, login.url, owner)

    def open(self, sealed: str, url: str, owner: str) -> Login:
        """Returns the login in a sealed text. Raises KeyMissing if it was sealed with another key."""
        content = json.loads(self.open_text(sealed, url, owner))
        parts = {name: _pairs(content.get(name, [])) for name in ("headers", "cookies", "secrets")}
        return Login(url=url, **parts)

    def seal_text(self, content: str, *bound: str) -> str:
        """Seals a text. `bound` says where the text belongs; with another `bound` it cannot be opened."""
        nonce = os.urandom(_NONCE)
        packed = nonce + _cipher(self._key).encrypt(nonce, content.encode(), _bound(*bound))
        return base64.b64encode(packed).decode()

    def open_text(self, sealed: str, *bound: str) -> str:
        """Opens a sealed text. If that fails, the key is read anew and tried. Raises KeyMissing if it was
        sealed with another key."""
        from cryptography.exceptions import InvalidTag

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
        return _cipher(self._key).decrypt(packed[:_NONCE], packed[_NONCE:], _bound(*bound)).decode()

    def _has_another_key(self) -> bool:
        """Reads the key anew. Returns True, and uses that key from now on, if it is another one."""
        try:
            key = self._again() if self._again else self._key
        except StoreRefused:  # a key that cannot be read is not another key
            return False
        if key == self._key:
            return False
        self._key = key
        return True


@lru_cache(4)
def _cipher(key: bytes) -> AESGCM:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(hashlib.sha256(b"webvigil log-ins\0" + key).digest())


def key_from(setting: str, folder: Path, name: str = KEY_FILE) -> bytes:
    """Returns the key from the setting of this name or, if that is empty, from the file in the data
    folder, which is made if missing. Raises SettingRefused for a short key, StoreRefused if the file
    cannot be used."""
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
    """Makes the key file, readable by its owner only, and returns the key. The file appears complete or not
    at all; if two processes make it at the same time, both use the first one's key."""
    key = base64.urlsafe_b64encode(os.urandom(32))
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{os.getpid()}.{os.urandom(4).hex()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(key + b"\n")
        out.flush()
        # Before the link: after a power failure the key must be in the file, or all secrets are lost.
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
