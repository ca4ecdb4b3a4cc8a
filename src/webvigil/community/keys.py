"""The identity of a server: an Ed25519 key, and the fingerprint by which people recognise it (B5).

The private key never leaves the server. Peers are known by the public key alone, whatever address they have.
People compare fingerprints, which are short enough to be read out.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from webvigil.fetch.login import key_from

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY_NAME = "peer_key"
# Characters of 32 and of 64 bytes in base64 without padding.
KEY_LENGTH = 43
SIGNATURE_LENGTH = 86
_FINGERPRINT_BYTES = 20
_GROUP = 4


class Identity:
    """The identity of this server. Peers know it by `key`; people compare its `fingerprint`. The keys are
    made when they are needed: a server without peers loads no cryptography for them."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @cached_property
    def key(self) -> str:
        return encoded(self._private.public_key().public_bytes_raw())

    @cached_property
    def fingerprint(self) -> str:
        return fingerprint(self.key)

    @cached_property
    def _private(self) -> Ed25519PrivateKey:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        seed = hashlib.blake2b(self._secret, person=b"webvigil peers", digest_size=32).digest()
        return Ed25519PrivateKey.from_private_bytes(seed)

    def sign(self, content: bytes) -> str:
        return encoded(self._private.sign(content))

    @cached_property
    def archive_key(self) -> ec.EllipticCurvePrivateKey:
        """Returns the key that signs web archives. Programs that read such archives know the curve P-384 and
        not Ed25519; the key is made from the same secret, so that no second file has to be kept."""
        return _archive_key(self._secret)


def identity_from(setting: str, folder: Path) -> Identity:
    """Returns the identity from the setting peer_key, or from the file of that name in the data folder, which
    is created if missing."""
    return Identity(key_from(setting, folder, KEY_NAME))


def is_signed(content: bytes, signature: str, key: str) -> bool:
    """Tells whether the holder of this key signed exactly this content. Never raises, whatever is given."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

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
    from cryptography.hazmat.primitives.asymmetric import ec

    wide = hashlib.blake2b(secret, person=b"webvigil wacz", digest_size=64).digest()
    # The order of P-384; any number from 1 to the order minus 1 is a private key.
    order = int(
        "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973", 16
    )
    return ec.derive_private_key(int.from_bytes(wide) % (order - 1) + 1, ec.SECP384R1())


def _letters(text: str) -> bytes:
    return "".join(letter for letter in text.lower() if letter.isalnum()).encode()
