"""The identity of a server: an Ed25519 key, and the fingerprint by which people recognise it (B5).

The private key never leaves the server. Peers are known by the public key alone, whatever address they have.
People compare fingerprints, which are short enough to be read out.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from webvigil.fetch.login import key_from

KEY_NAME = "peer_key"
# Characters of 32 and of 64 bytes in base64 without padding.
KEY_LENGTH = 43
SIGNATURE_LENGTH = 86
_FINGERPRINT_BYTES = 20
_GROUP = 4


class Identity:
    """The identity of this server. Peers know it by `key`; people compare its `fingerprint`."""

    def __init__(self, secret: bytes) -> None:
        seed = hashlib.blake2b(secret, person=b"webvigil peers", digest_size=32).digest()
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self._archives = _archive_key(secret)
        self.key = encoded(self._private.public_key().public_bytes_raw())
        self.fingerprint = fingerprint(self.key)

    def sign(self, content: bytes) -> str:
        return encoded(self._private.sign(content))

    @property
    def archive_key(self) -> ec.EllipticCurvePrivateKey:
        """Returns the key that signs web archives. Programs that read such archives know the curve P-384 and
        not Ed25519; the key is made from the same secret, so that no second file has to be kept."""
        return self._archives


def identity_from(setting: str, folder: Path) -> Identity:
    """Returns the identity from the setting peer_key, or from the file of that name in the data folder, which
    is created if missing."""
    return Identity(key_from(setting, folder, KEY_NAME))


def is_signed(content: bytes, signature: str, key: str) -> bool:
    """Tells whether the holder of this key signed exactly this content. Never raises, whatever is given."""
    try:
        Ed25519PublicKey.from_public_bytes(decoded(key)).verify(decoded(signature), content)
    except (InvalidSignature, ValueError):
        return False
    return True


def fingerprint(key: str) -> str:
    """Returns 160 bits of the key's digest, in groups that can be read out: `k3tq-…`."""
    digest = hashlib.sha256(b"webvigil peer\0" + key.encode()).digest()[:_FINGERPRINT_BYTES]
    text = base64.b32encode(digest).decode().lower()
    return "-".join(text[start : start + _GROUP] for start in range(0, len(text), _GROUP))


def same_fingerprint(one: str, other: str) -> bool:
    """Compares two fingerprints. Case, grouping and spaces do not matter."""
    return hmac.compare_digest(_letters(one), _letters(other))


def is_key(text: str) -> bool:
    try:
        return len(decoded(text)) == 32
    except ValueError:
        return False


def encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """Decodes base64. Raises ValueError for any spelling other than that of `encoded`, so that no two texts
    mean the same key."""
    content = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if encoded(content) != text:
        raise ValueError("not as it is written")
    return content


def _archive_key(secret: bytes) -> ec.EllipticCurvePrivateKey:
    wide = hashlib.blake2b(secret, person=b"webvigil wacz", digest_size=64).digest()
    # The order of P-384; any number from 1 to the order minus 1 is a private key.
    order = int(
        "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973", 16
    )
    return ec.derive_private_key(int.from_bytes(wide) % (order - 1) + 1, ec.SECP384R1())


def _letters(text: str) -> bytes:
    return "".join(letter for letter in text.lower() if letter.isalnum()).encode()
