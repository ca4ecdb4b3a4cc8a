"""The leases that this worker holds: renewed together, and trusted a little shorter than they last.

No work starts after nine tenths of a lease, counted from before the database was asked for it. The clock
continues while the process is stopped: a worker that was frozen and wakes up again starts nothing on a host
that may belong to another worker by now.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Iterable

from webvigil.errors import StoreBusy
from webvigil.model.moment import Millis
from webvigil.model.work import Claim

_log = logging.getLogger("webvigil.worker")

# Part of a lease in which work may start. The rest is for clocks and answers that are late.
TRUSTED = 0.9
# Renewals in the time of one lease, so that one may fail.
RENEWALS = 3

Renew = Callable[[list[Claim]], Awaitable[list[Claim]]]


class Leases:
    """The claims of this worker with the times until which they are trusted."""

    def __init__(self, lease: Millis) -> None:
        self._seconds = lease / 1000
        self._ends: dict[tuple[int, int], float] = {}
        self._claims: dict[tuple[int, int], Claim] = {}

    @property
    def between_renewals(self) -> float:
        return self._seconds / RENEWALS

    def took(self, claims: Iterable[Claim], asked_at: float) -> None:
        """Adds claims. `asked_at` is time.monotonic() from before the database was asked."""
        for claim in claims:
            self._claims[_key(claim)] = claim
            self._ends[_key(claim)] = asked_at + self._seconds * TRUSTED

    def gave_back(self, claim: Claim) -> None:
        self._claims.pop(_key(claim), None)
        self._ends.pop(_key(claim), None)

    def trusted(self, claim: Claim) -> bool:
        return time.monotonic() < self._ends.get(_key(claim), 0.0)

    async def renewed(self, renew: Renew) -> None:
        """Renews all leases. A lease that another worker has now is not trusted any more. If the database
        does not answer, leases stay until their time ends."""
        claims = list(self._claims.values())
        if not claims:
            return
        asked_at = time.monotonic()
        try:
            held = await renew(claims)
        except StoreBusy as error:
            _log.warning("Cannot renew leases now, trying again: %s", error)
            return
        still = {_key(claim) for claim in held}
        self.took((claim for claim in held if _key(claim) in self._claims), asked_at)
        for claim in claims:
            if _key(claim) not in still and _key(claim) in self._claims:
                self._ends[_key(claim)] = 0.0


def _key(claim: Claim) -> tuple[int, int]:
    return claim.host, claim.token
