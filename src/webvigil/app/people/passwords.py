"""Passwords, hashed with argon2, and a brake for those who guess them."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from webvigil.errors import SettingRefused
from webvigil.store.promises import Users

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST = 10
# Longer passwords are refused before they are hashed.
LONGEST = 1000


def set_password(users: Users, user: str, password: str) -> None:
    """Stores the hash of a new password. Raises SettingRefused if the password is too short, too long or too
    easy to guess."""
    if len(password) < SHORTEST:
        raise SettingRefused(f"the password is too short: at least {SHORTEST} characters")
    if len(password) > LONGEST:
        raise SettingRefused(f"the password is too long: at most {LONGEST} characters")
    if user.lower() in password.lower() and len(password) < SHORTEST + len(user):
        raise SettingRefused("the password is little more than the user's name")
    if len(set(password)) < 4:
        raise SettingRefused("the password repeats the same few characters")
    users.set_password(user, _hasher().hash(_bytes(password)))


def is_right(users: Users, user: str, password: str) -> bool:
    """Tells whether the password is right. Takes as long for an unknown user, so that the time does not tell
    which users exist. Renews hashes made with older parameters."""
    known = users.password(user)
    if len(password) > LONGEST or not _fits(known or _of_nobody(), password) or not known:
        return False
    if _hasher().check_needs_rehash(known):
        users.set_password(user, _hasher().hash(_bytes(password)))
    return True


class Guesses:
    """Limits how often somebody may guess a password: a few times at once, then ever more slowly.

    Guesses are counted for each user name and for each network address. A name that is attacked from many
    addresses is slowed down, too, but never by more than a minute, so that nobody can lock somebody else out.
    """

    FREE = 5
    LONGEST_WAIT = 60.0
    FORGOTTEN_AFTER = 3600.0
    KEPT = 10_000

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def wait(self, *keys: str) -> float:
        """Returns the seconds until the next guess of any of these keys is accepted; 0 means now."""
        return max((self._wait(key) for key in keys), default=0.0)

    def was_wrong(self, *keys: str) -> None:
        for key in keys:
            count, _ = self._of(key)
            self._wrong[key] = (count + 1, self._now())
            self._wrong.move_to_end(key)
        while len(self._wrong) > self.KEPT:
            self._wrong.popitem(last=False)

    def was_right(self, *keys: str) -> None:
        for key in keys:
            self._wrong.pop(key, None)

    def _wait(self, key: str) -> float:
        count, last = self._of(key)
        if count < self.FREE:
            return 0.0
        rest = min(self.LONGEST_WAIT, 2.0 ** min(count - self.FREE, 10))
        return max(0.0, last + rest - self._now())

    def _of(self, key: str) -> tuple[int, float]:
        count, last = self._wrong.get(key, (0, 0.0))
        return (0, 0.0) if count and self._now() - last > self.FORGOTTEN_AFTER else (count, last)


def _fits(known: str, password: str) -> bool:
    from argon2.exceptions import Argon2Error, InvalidHashError

    try:
        return _hasher().verify(known, _bytes(password))
    except (Argon2Error, InvalidHashError):
        return False


@cache
def _hasher() -> PasswordHasher:
    """Returns the hasher. A worker checks tokens and no passwords, so argon2 is loaded with the first one."""
    from argon2 import PasswordHasher

    # One of the minimum configurations that OWASP names for argon2id: 19 MiB, two passes, one lane.
    return PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)


@cache
def _of_nobody() -> str:
    """Returns a hash that is verified for unknown users, so that a sign-in takes equally long for them."""
    return _hasher().hash(b"nobody has this password")


def _bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")
