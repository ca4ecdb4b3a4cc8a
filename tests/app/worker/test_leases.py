"""A worker starts nothing after its lease, and writes results in batches or drops them with the lease."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import pytest

from tests.store.making import checked, new_version, sentinel
from webvigil.app.worker.finish import Finishing
from webvigil.app.worker.leases import Leases
from webvigil.errors import StoreBusy, StoreError
from webvigil.model.work import Claim, HostAfter, Visited
from webvigil.store.memory import MemoryKnowledge


def _claims(count: int = 1) -> list[Claim]:
    knowledge = MemoryKnowledge()
    knowledge.users.add("jill")
    knowledge.sentinels.add(*(sentinel(f"s{n}", f"http://h{n}.test/") for n in range(count)))
    return knowledge.schedule.claim("w", hosts=count, pages=9, lease=30_000)


def _visited(claim: Claim) -> Visited:
    result = checked(claim, claim.pages[0], version=new_version(1))
    return Visited(claim=claim, results=(result,), after=HostAfter(rest=0))


def _held(*claims: Claim, lease: int = 30_000) -> Leases:
    leases = Leases(lease)
    leases.took(claims, time.monotonic())
    return leases


def test_nothing_starts_after_nine_tenths_of_a_lease():
    (claim,) = _claims()
    leases = Leases(1_000_000)
    leases.took([claim], time.monotonic() - 870)
    assert leases.trusted(claim)
    leases.took([claim], time.monotonic() - 901)
    assert not leases.trusted(claim)


def test_a_renewed_lease_is_trusted_again_and_a_lost_one_never():
    kept, lost = _claims(2)
    leases = _held(kept, lost)

    async def renew(claims: list[Claim]) -> list[Claim]:
        return [claim for claim in claims if claim is kept]

    asyncio.run(leases.renewed(renew))
    assert leases.trusted(kept)
    assert not leases.trusted(lost)


def test_a_database_that_does_not_answer_takes_no_lease_away():
    (claim,) = _claims()
    leases = _held(claim)

    async def renew(_: list[Claim]) -> list[Claim]:
        raise StoreBusy("away")

    asyncio.run(leases.renewed(renew))
    assert leases.trusted(claim)


class Store:
    """Writes what it is given, or fails as the test wants."""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.busy = 0
        self.poison: Claim | None = None
        self.error: Exception = StoreError("this cannot be")

    async def write(self, visits: Sequence[Visited]) -> list[bool]:
        if self.busy:
            self.busy -= 1
            raise StoreBusy("away")
        if any(one.claim is self.poison and one.results[0].version for one in visits):
            raise self.error
        self.batches.append(len(visits))
        await asyncio.sleep(0.01)
        return [True] * len(visits)


def _finish(store: Store, claims: list[Claim], leases: Leases) -> list[bool]:
    async def all_of_them() -> list[bool]:
        finishing = Finishing(store.write, leases)
        running = asyncio.create_task(finishing.run())
        done = await asyncio.gather(*(finishing.finished(_visited(claim)) for claim in claims))
        running.cancel()
        return list(done)

    return asyncio.run(all_of_them())


def test_results_that_come_together_are_written_together():
    claims, store = _claims(40), Store()
    assert all(_finish(store, claims, _held(*claims)))
    assert store.batches == [40]


def test_results_outlast_a_database_that_is_away_for_a_moment():
    claims, store = _claims(3), Store()
    store.busy = 2
    assert all(_finish(store, claims, _held(*claims)))


def test_results_are_dropped_when_the_lease_is_over():
    claims, store = _claims(3), Store()
    store.busy = 10**6
    assert _finish(store, claims, _held(*claims, lease=300)) == [False] * 3


@pytest.mark.parametrize("error", [StoreError("this cannot be"), ValueError("nobody expected this")])
def test_a_result_that_cannot_be_stored_keeps_no_other_from_it(error: Exception):
    claims, store = _claims(3), Store()
    store.poison, store.error = claims[1], error
    assert all(_finish(store, claims, _held(*claims))), "the poisoned one is written as a failure"
    assert store.batches == [1, 1, 1]
