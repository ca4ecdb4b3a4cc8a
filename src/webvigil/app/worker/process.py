"""Settings in, a running worker with fetchers, stages and channels out, for `serve` and `webvigil worker`."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast

from webvigil.app.discovery.explorer import Explorer
from webvigil.app.meaning.asker import Asker
from webvigil.app.meaning.asking import allowance_of, is_set_up, model_of, server_of
from webvigil.app.meaning.server import ModelServer
from webvigil.app.operating.chosen import AT_ONCE, with_choices
from webvigil.app.operating.garbage import seldom_searched
from webvigil.app.operating.health import HealthStore, health
from webvigil.app.operating.insiders import FORWARDED, has_token, is_inside
from webvigil.app.operating.logs import log_from
from webvigil.app.operating.memory import Relief, prepare
from webvigil.app.operating.metrics import CONTENT_TYPE, Metrics, timed
from webvigil.app.operating.sealed import how_to_open, locked
from webvigil.app.operating.signals import told_to_stop
from webvigil.app.operating.stores import opened, repository, sole_worker
from webvigil.app.pages.collector import collector
from webvigil.app.pages.fetchers import browser_fetcher, http_fetcher
from webvigil.app.pages.logins import logins, seal_of
from webvigil.app.peers.wiring import circle_of
from webvigil.app.settings import Settings
from webvigil.app.telling.delivery import Teller, open_channels
from webvigil.app.waiting import happens
from webvigil.app.worker.budget import Pace, budget_of, pacing_of
from webvigil.app.worker.duties import Duty
from webvigil.app.worker.following import following_of
from webvigil.app.worker.loop import Worker
from webvigil.app.worker.news import News
from webvigil.app.worker.stages import RealStages
from webvigil.app.worker.writings import Writings
from webvigil.community.sharing import FROM_PEER
from webvigil.errors import ServerRefused, SettingRefused, WebVigilError
from webvigil.fetch.http import Fetched
from webvigil.flow import Stages
from webvigil.model.moment import Millis
from webvigil.model.work import CheckResult, DuePage
from webvigil.store.promises import Journal, Knowledge, Outbox, Questions, Schedule, Users

if TYPE_CHECKING:
    from aiohttp import web

_log = logging.getLogger("webvigil.worker")

# Leases of duties. Each is longer than the pause between two turns, so that the same worker keeps the duty.
_SUBSCRIPTIONS: Millis = 1_800_000
_ROUNDS: Millis = 60_000
# The lease of a duty on SQLite. The only worker takes everything over when its process starts, and gives its
# duties back when it ends, so nobody waits for the end of a lease; and every renewal would wake the tasks
# that sleep until something is written.
_ALONE: Millis = 1_800_000
# Seconds between two looks at whether all is done, and how often in a row that must be so: longer together
# than the worker's helpers sleep after something was written (twice `writings.LOOK`), so that each of them
# had its turn.
_TURN = 0.25
_QUIET_TURNS = 10
# The rest of a host that is waited for.
_SHORT_REST: Millis = 2_000
# Seconds between two looks at the settings that are chosen in the dashboard.
_GLANCE = 3.0
# Seconds before a task beside the worker that ended with an unexpected error begins again.
_PAUSE = 60.0


class _ShownStore(HealthStore, Protocol):
    """The parts of the knowledge base that the web server of a worker needs."""

    users: Users


async def run_worker(settings: Settings) -> None:
    """Runs one worker, of possibly many, until a signal stops it."""
    _need_shared_objects(settings)
    with opened(settings) as knowledge, sole_worker(settings, knowledge), told_to_stop() as told:
        settings = with_choices(settings, knowledge.journal)
        log_from(settings.log_level)
        metrics = Metrics(knowledge)
        async with _shown(settings, knowledge, metrics):
            await work(settings, knowledge, metrics, told)


@dataclass(slots=True)
class Ran:
    """What one run came to: the results of its looks, and how many changes it told after a language model was
    asked about them."""

    results: list[CheckResult] = field(default_factory=list)
    judged_worth: int = 0

    @property
    def changes(self) -> int:
        at_once = (change for one in self.results for change in one.changes if change.question is None)
        return self.judged_worth + sum(1 for _ in at_once)


async def run_due(settings: Settings) -> Ran:
    """Looks at all pages that are due, tells what was found, and returns what came of it. Raises
    ServerRefused if another process works on the same folder."""
    _need_shared_objects(settings)
    ran = Ran()
    with opened(settings) as knowledge, sole_worker(settings, knowledge), told_to_stop() as told:
        prepare()
        settings = with_choices(settings, knowledge.journal)
        writings = _writings(settings, knowledge.schedule)
        await _work(settings, knowledge, Metrics(knowledge), told, writings, until_done=ran)
    return ran


async def _stop_when_done(
    worker: Worker,
    schedule: Schedule,
    outbox: Outbox,
    questions: Questions,
    results: Sequence[CheckResult],
    patience: float,
) -> None:
    """Stops the worker when nothing has been due, and nobody was being looked at or told, for a while. Pages
    whose next look comes within moments do not keep it: once a page comes again, other pages have `patience`
    seconds to come for the first time."""
    quiet, known, last_new = 0, 0, time.monotonic()
    while quiet < _QUIET_TURNS:
        await asyncio.sleep(_TURN)
        busy = not worker.idle or await asyncio.to_thread(_is_something_due, schedule, outbox, questions)
        pages = {one.page for one in results}
        if len(pages) > known:
            known, last_new = len(pages), time.monotonic()
        comes_again = len(results) > len(pages) and time.monotonic() - last_new > patience
        quiet = quiet + 1 if comes_again or not busy else 0
    worker.stop()


def _is_something_due(schedule: Schedule, outbox: Outbox, questions: Questions) -> bool:
    """Says whether a page or a notice is due, or a change waits for an answer. A host that rests between two
    requests is waited for; one that asked for a long rest is not."""
    waits = schedule.next_at(), outbox.next_at()
    return questions.waiting() > 0 or any(wait is not None and wait <= _SHORT_REST for wait in waits)


async def work(settings: Settings, knowledge: Knowledge, metrics: Metrics, told: asyncio.Event) -> None:
    """Runs a worker until `told` is set. When the administrator chooses other settings in the dashboard, the
    worker finishes what is under way, as at its end, and goes on with the new settings."""
    prepare()
    present = await asyncio.to_thread(with_choices, settings, knowledge.journal, AT_ONCE)
    while not told.is_set():
        stop, writings = asyncio.Event(), _writings(present, knowledge.schedule)
        waiting = asyncio.create_task(_until_other_choices(present, writings, knowledge.journal, told, stop))
        try:
            await _work(present, knowledge, metrics, stop, writings)
        finally:
            if not stop.is_set():
                waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        if not stop.is_set():
            return
        present = waiting.result()


def _writings(settings: Settings, schedule: Schedule) -> Writings:
    return Writings(partial(asyncio.to_thread, schedule.written), _duty_lease(settings))


def _duty_lease(settings: Settings) -> Millis:
    return _ALONE if settings.database_url.startswith("sqlite") else int(settings.lease * 1000)


async def _until_other_choices(
    present: Settings, writings: Writings, journal: Journal, told: asyncio.Event, stop: asyncio.Event
) -> Settings:
    """Sets `stop` when `told` is set, or when the settings are no longer those that the worker runs with, and
    returns the settings then. They are read when something was written. Trouble with reading them is logged,
    and never ends this."""
    chosen, seen = present, -1
    while not told.is_set() and chosen == present:
        await happens(told, _GLANCE)
        if writings.count == seen:
            continue
        try:
            latest = writings.count
            chosen = await asyncio.to_thread(with_choices, present, journal, AT_ONCE)
            seen = latest
        except WebVigilError as error:
            _log.warning("Cannot read the settings chosen in the dashboard now, trying again: %s", error)
        except Exception:  # noqa: BLE001  (the worker must hear of its end whatever happens)
            _log.exception("Reading the settings chosen in the dashboard failed with an unexpected error.")
    if chosen != present:
        _log.info("The settings were changed in the dashboard: going on with the new ones.")
    stop.set()
    return chosen


async def _work(
    settings: Settings,
    knowledge: Knowledge,
    metrics: Metrics,
    told: asyncio.Event,
    writings: Writings,
    *,
    until_done: Ran | None = None,
) -> None:
    """Runs a worker with its background tasks until `told` is set, then ends the tasks. With `until_done` the
    worker ends when nothing is due any more, and counts in `until_done` what it found."""
    async with (
        http_fetcher(settings) as fetcher,
        browser_fetcher(settings) as browser,
        open_channels(settings, knowledge) as channels,
        circle_of(settings, knowledge, fetcher.client, fetcher.delay) as circle,
        _model_server(settings) as model,
    ):
        if sealed := await asyncio.to_thread(locked, knowledge, settings):
            advice = how_to_open(settings)
            _log.warning("Cannot open %d contacts and log-ins. %s", len(sealed), advice)
        pace = Pace(knowledge, pacing_of(settings), budget_of(settings))
        news = News(knowledge, fetcher.client, seal_of(settings), settings.public_url, pace.pacing)
        following = following_of(settings)
        stages = RealStages(
            fetcher,
            knowledge,
            repository(settings, knowledge.versions),
            logins(knowledge, settings),
            browser,
            news,
            following,
            circle.borrower if circle else None,
            model_of(settings),
        )

        def wrote(results: Sequence[CheckResult]) -> None:
            if until_done is not None:
                until_done.results.extend(results)
            if circle:
                circle.rounds.wrote(results)

        lease, duty_lease = int(settings.lease * 1000), _duty_lease(settings)
        teller = Teller(knowledge, channels, notices_per_hour=settings.notices_per_hour, lease=lease)
        worker = Worker(
            knowledge,
            measured(stages, metrics),
            teller.begin,
            concurrency=settings.concurrency,
            lease=lease,
            delay=fetcher.delay,
            pace=pace,
            metrics=metrics,
            following=following,
            duty_lease=duty_lease,
            wrote=wrote,
            writings=writings,
        )
        subscriptions = Duty("subscriptions", worker.name, knowledge.duties, lease=_SUBSCRIPTIONS)
        exploring = Duty("discoveries", worker.name, knowledge.duties, lease=duty_lease)
        rounds = Duty("peers", worker.name, knowledge.duties, lease=max(duty_lease, _ROUNDS))
        agents = Duty("agents", worker.name, knowledge.duties, lease=max(duty_lease, _ROUNDS))
        explorer = Explorer(knowledge.discoveries, settings, fetcher, browser, knowledge.schedule)
        asker = Asker(
            knowledge.questions,
            model,
            allowance_of(settings),
            knowledge.schedule.now,
            at_a_time=settings.ai_at_a_time,
            timeout=settings.ai_timeout,
        )
        interval = int(settings.collect_interval * 1000)
        relief = Relief(stages.let_go)
        metrics.watch_memory(relief, stages)
        endless: list[Callable[[], Awaitable[None]]] = [
            relief.for_ever,
            partial(news.renew_for_ever, subscriptions.held),
            partial(explorer.explore_for_ever, exploring.held, worker.writings),
            partial(collector(knowledge, settings).collect_for_ever, interval),
            partial(asker.for_ever, worker.name, worker.writings),
        ]
        if circle:
            endless.append(partial(circle.rounds.for_ever, rounds.held, worker.writings))
            endless.append(partial(circle.agency.for_ever, agents.held, writings=worker.writings))
        beside = [asyncio.create_task(_again_and_again(one)) for one in endless]
        beside.append(asyncio.create_task(_stop_when(told, worker)))
        if until_done is not None:
            parts = knowledge.schedule, knowledge.outbox, knowledge.questions
            done = _stop_when_done(worker, *parts, until_done.results, settings.fetch_timeout)
            beside.append(asyncio.create_task(done))
        try:
            with seldom_searched():
                await worker.run()
        finally:
            await teller.close()
            if until_done is not None:
                until_done.judged_worth = asker.told
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
            await asyncio.to_thread(_lay_down, subscriptions, exploring, rounds, agents)


@asynccontextmanager
async def _model_server(settings: Settings) -> AsyncIterator[ModelServer | None]:
    """Gives the language model that the settings name; None if they name none."""
    if not is_set_up(settings):
        yield None
        return
    async with server_of(settings) as server:
        yield server


async def _again_and_again(task: Callable[[], Awaitable[None]], pause: float = _PAUSE) -> None:
    """Does a task beside the worker. If an unexpected error ends the task, the error is logged and the task
    begins again after a pause of so many seconds."""
    while True:
        try:
            return await task()
        except Exception:  # noqa: BLE001  (it is logged, and the work goes on)
            _log.exception("A task beside the worker ended with an unexpected error; it begins again.")
        await asyncio.sleep(pause)


def _lay_down(*duties: Duty) -> None:
    """Gives the duties back, so that the next worker need not wait for the end of their leases."""
    for duty in duties:
        try:
            duty.lay_down()
        except WebVigilError as error:
            _log.warning("Cannot give back the duty %s; its lease ends by itself: %s", duty.name, error)


async def _stop_when(told: asyncio.Event, worker: Worker) -> None:
    await told.wait()
    worker.stop()


def _need_shared_objects(settings: Settings) -> None:
    if not settings.database_url.startswith("sqlite") and not settings.objects:
        raise SettingRefused(
            "workers that share a database share the page versions: say where with --objects URL"
        )


@asynccontextmanager
async def _shown(settings: Settings, knowledge: _ShownStore, metrics: Metrics) -> AsyncIterator[None]:
    """Serves `/metrics` and `/healthz` of this worker, if the setting metrics_port names a port. Raises
    ServerRefused if the port cannot be used."""
    if not settings.metrics_port:
        yield
        return

    from aiohttp import web

    async def is_known(request: web.Request) -> bool:
        forwarded = any(name in request.headers for name in FORWARDED)
        if is_inside(request.remote or "", settings.metrics_networks, forwarded=forwarded):
            return True
        said = request.headers.get("Authorization", "")
        return bool(said) and await asyncio.to_thread(has_token, knowledge.users, said)

    async def show_metrics(request: web.Request) -> web.Response:
        if not await is_known(request):
            raise web.HTTPNotFound
        page = await asyncio.to_thread(metrics.page)
        return web.Response(body=page, headers={"Content-Type": CONTENT_TYPE})

    async def show_health(request: web.Request) -> web.Response:
        found = await asyncio.to_thread(health, knowledge, metrics)
        known = await is_known(request)
        return web.json_response(found.as_json(inside=known), status=200 if found.ok else 503)

    application = web.Application()
    application.router.add_get("/metrics", show_metrics)
    application.router.add_get("/healthz", show_health)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, settings.host, settings.metrics_port).start()
    except OSError as error:
        raise ServerRefused(
            f"cannot listen on port {settings.metrics_port} of {settings.host}: {error.strerror}"
        ) from error
    try:
        yield
    finally:
        with suppress(OSError):
            await runner.cleanup()


def measured(stages: Stages, metrics: Metrics) -> Stages:
    """Returns the same stages with the times of fetching and comparing measured for the metrics."""
    return cast(Stages, _Measured(stages, metrics))


class _Measured:
    def __init__(self, stages: Stages, metrics: Metrics) -> None:
        self._stages = stages
        self._metrics = metrics

    async def fetch(self, due: DuePage) -> Fetched:
        with timed(self._metrics.fetch):
            fetched = await self._stages.fetch(due)
        if FROM_PEER in fetched.validators:
            self._metrics.got.inc()
        return fetched

    async def compare(self, *asked: Any, **more: Any) -> Any:
        with timed(self._metrics.detection):
            return await self._stages.compare(*asked, **more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stages, name)
