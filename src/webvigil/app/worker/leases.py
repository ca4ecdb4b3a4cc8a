"""The leases that this worker holds: renewed together, and trusted a little less long than they last.

Nothing starts after nine tenths of a lease, counted from before we asked for it, by a clock that goes on
while the process is stopped: a worker that was frozen and wakes up again starts nothing on a host that may
be somebody else's by now.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Iterable

from webvigil.errors import StoreBusy
from webvigil.model.moment import Millis
from webvigil.model.work import Claim

_log = logging.getLogger("webvigil.worker")

TRUSTED = 0.9
RENEWALS = 3

Renew = Callable[[list[Claim]], Awaitable[list[Claim]]]


class Leases:
    def __init__(self, lease: Millis) -> None:
        self._seconds = lease / 1000
        self._ends: dict[tuple[int, int], float] = {}
        self._claims: dict[tuple[int, int], Claim] = {}

    @property
    def between_renewals(self) -> float:
        return self._seconds / RENEWALS

    def took(self, claims: Iterable[Claim], asked_at: float) -> None:
        """`asked_at`: time.monotonic() before the database was asked."""
        for claim in claims:
            self._claims[_key(claim)] = claim
            self._ends[_key(claim)] = asked_at + self._seconds * TRUSTED

    def gave_back(self, claim: Claim) -> None:
        self._claims.pop(_key(claim), None)
        self._ends.pop(_key(claim), None)

    def trusted(self, claim: Claim) -> bool:
        return time.monotonic() < self._ends.get(_key(claim), 0.0)

    async def renewed(self, renew: Renew) -> None:
        """A database that does not answer takes no lease away; time does."""
        claims = list(self._claims.values())
        if not claims:
            return
        asked_at = time.monotonic()
        try:
            held = await renew(claims)
        except StoreBusy as error:
            _log.warning("leases are not renewed now: %s", error)
            return
        still = {_key(claim) for claim in held}
        self.took((claim for claim in held if _key(claim) in self._claims), asked_at)
        for claim in claims:
            if _key(claim) not in still and _key(claim) in self._claims:
                self._ends[_key(claim)] = 0.0


def _key(claim: Claim) -> tuple[int, int]:
    return claim.host, claim.token
