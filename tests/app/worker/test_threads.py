"""Coroutines that compute in a thread and wait in the event loop."""

import asyncio
import gc
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar

import pytest

from tests.app.worker.conftest import Watching
from tests.site import Site
from webvigil.app.worker.stages import RealStages
from webvigil.app.worker.threads import back, carried, computed
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository

_LOOP = "MainThread"
_said: ContextVar[str] = ContextVar("said", default="nothing")


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1, thread_name_prefix="computing") as made:
        yield made


def here() -> str:
    return threading.current_thread().name


def test_a_carried_coroutine_stays_in_the_thread_until_it_goes_back(pool: ThreadPoolExecutor):
    async def look() -> list[str]:
        places = [here()]
        await asyncio.sleep(0)
        places += [here(), await computed(pool, here), here(), await computed(pool, here), here()]
        await back()
        places.append(here())
        await asyncio.sleep(0.001)
        await back()
        return [*places, here(), await computed(pool, here)]

    thread = "computing_0"
    expected = [_LOOP, _LOOP, thread, thread, thread, thread, _LOOP, _LOOP, thread]
    assert asyncio.run(carried(look())) == expected


def test_it_ends_in_the_event_loop_whose_tasks_nobody_carries(pool: ThreadPoolExecutor):
    async def look() -> None:
        await computed(pool, here)

    async def main() -> tuple[str, str, str]:
        await carried(look())
        return here(), await computed(pool, here), here()

    assert asyncio.run(main()) == (_LOOP, "computing_0", _LOOP)


def test_a_task_that_a_carried_coroutine_starts_is_not_carried(pool: ThreadPoolExecutor):
    async def helper() -> tuple[str, str]:
        return await computed(pool, here), here()

    async def look() -> tuple[str, str]:
        return await asyncio.create_task(helper())

    assert asyncio.run(carried(look())) == ("computing_0", _LOOP)


def test_a_coroutine_that_nobody_carries_waits_in_the_event_loop(pool: ThreadPoolExecutor):
    async def look() -> tuple[str, str]:
        await back()
        return await computed(pool, here), here()

    assert asyncio.run(look()) == ("computing_0", _LOOP)


def test_it_moves_from_one_pool_to_another(pool: ThreadPoolExecutor):
    async def look(other: ThreadPoolExecutor) -> list[str]:
        return [await computed(pool, here), await computed(other, here), here()]

    with ThreadPoolExecutor(1, thread_name_prefix="other") as other:
        assert asyncio.run(carried(look(other))) == ["computing_0", "other_0", "other_0"]


@pytest.mark.parametrize("in_thread", [False, True])
def test_an_error_reaches_whoever_carries(pool: ThreadPoolExecutor, in_thread: bool):
    async def look() -> None:
        if in_thread:
            await computed(pool, here)
        raise LookupError("nothing there")

    async def main() -> str:
        with pytest.raises(LookupError, match="nothing there"):
            await carried(look())
        return await carried(after())

    async def after() -> str:
        return await computed(pool, here)

    assert asyncio.run(main()) == "computing_0"


def test_an_error_of_the_work_can_be_caught_where_it_is_waited_for(pool: ThreadPoolExecutor):
    async def look() -> str:
        try:
            await computed(pool, lambda: 1 // 0)
        except ZeroDivisionError:
            return here()
        return "no error"

    assert asyncio.run(carried(look())) == "computing_0"


def test_what_it_waits_for_may_fail(pool: ThreadPoolExecutor):
    async def look() -> str:
        try:
            async with asyncio.timeout(0.001):
                await asyncio.sleep(60)
        except TimeoutError:
            return await computed(pool, here)
        return "no error"

    assert asyncio.run(carried(look())) == "computing_0"


def test_it_can_be_cancelled_while_it_waits():
    ended: list[str] = []

    async def look() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(here())

    async def main() -> None:
        task = asyncio.create_task(carried(look()))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert ended == [_LOOP]


def test_when_it_is_cancelled_in_a_thread_the_step_under_way_is_finished(pool: ThreadPoolExecutor):
    began, go_on = threading.Event(), threading.Event()
    done: list[str] = []

    def work() -> None:
        began.set()
        assert go_on.wait(10)
        done.append(here())

    async def look() -> None:
        await computed(pool, work)
        await back()
        done.append("never")

    async def main() -> None:
        task = asyncio.create_task(carried(look()))
        await asyncio.to_thread(began.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go_on.set()

    asyncio.run(main())
    pool.shutdown()
    gc.collect()
    assert done == ["computing_0"]


def test_waiting_in_a_thread_is_a_mistake_that_is_told(pool: ThreadPoolExecutor):
    async def look() -> None:
        await computed(pool, here)
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="go back to the event loop before it waits"):
        asyncio.run(carried(look()))


def test_the_context_is_the_same_in_the_thread(pool: ThreadPoolExecutor):
    async def look() -> str:
        return await computed(pool, _said.get)

    async def main() -> str:
        _said.set("something")
        return await carried(look())

    assert asyncio.run(main()) == "something"


def test_many_coroutines_compute_one_after_the_other(pool: ThreadPoolExecutor):
    busy, most = 0, 0

    def work() -> None:
        nonlocal busy, most
        busy += 1
        most = max(most, busy)
        busy -= 1

    async def look(number: int) -> int:
        await asyncio.sleep(0)
        await computed(pool, work)
        await back()
        await asyncio.sleep(0)
        await computed(pool, work)
        return number

    async def main() -> list[int]:
        return await asyncio.gather(*(carried(look(number)) for number in range(50)))

    assert asyncio.run(main()) == list(range(50))
    assert most == 1


# --- where looks compute --------------------------------------------------------------------------------


@pytest.fixture
def computing(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was computed, and whether in the thread of all looks or beside it."""
    seen: list[str] = []

    def noted(owner: type, name: str):
        work = getattr(owner, name)

        def run(*given):
            place = "in turn" if here().startswith("webvigil-computing") else "beside"
            seen.append(f"{name.strip('_')} {place}")
            return work(*given)

        return run

    for owner, name in (
        (RealStages, "_examined"),
        (RealStages, "_made"),
        (RealStages, "_compare"),
        (PageRepository, "store"),
    ):
        monkeypatch.setattr(owner, name, noted(owner, name))
    return seen


def _changes(watching: Watching, site: Site, old: str, new: str) -> None:
    page = site.page("/", old)
    watching.installs(f"Create Sentinel s Using {page.url}\nMonitor any change\nFetch 1 hour")
    page.becomes(new)
    watching.looks()
    assert len(watching.told()) == 1


def test_all_looks_compute_in_one_thread(watching: Watching, site: Site, computing: list[str]):
    _changes(watching, site, "<p>one", "<p>two")
    first = ["examined in turn", "made in turn", "store beside"]  # it is flushed to the disk
    assert computing == [*first, "examined in turn", "made in turn", "compare in turn"]


def test_nobody_waits_for_a_large_page(watching: Watching, site: Site, computing: list[str]):
    text = "<p>word</p>" * 30_000
    _changes(watching, site, f"<p>one{text}", f"<p>two{text}")
    assert len(computing) >= 6
    assert {where.partition(" ")[2] for where in computing} == {"beside"}


def test_nobody_waits_for_a_distant_store(
    watching: Watching, site: Site, computing: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(MemoryObjects, "distant", True)
    _changes(watching, site, "<p>one", "<p>two")
    assert len(computing) >= 6
    assert {where.partition(" ")[2] for where in computing} == {"beside"}
