"""The web server of the demo site, and the text of the sentinels that watch the site.

The module `pages` makes the HTML of a page at a given step. This module counts the steps by a clock and
serves the pages with ETag and Last-Modified headers. A client that already has the current page gets status
304.
"""

from __future__ import annotations

import errno
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b

from aiohttp import ETag, web

from webvigil.app.demo import pages
from webvigil.errors import ServerRefused, SettingRefused

# Each page is ahead of the clock by this share of a period, so that the three pages never change at once.
_AHEAD = {"news": 0.0, "prices": 1 / 3, "links": 2 / 3}
_LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - where to reach what listens everywhere
_NUMBER = r"{number:\d{1,9}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """Tells which step a page of the demo site is at, and when that step began."""

    began: float
    period: float
    clock: Callable[[], float]

    def now(self, page: str) -> int:
        return max(0, int((self.clock() - self.began) / self.period + _AHEAD[page]))

    def since(self, page: str, step: int) -> float:
        return self.began + (step - _AHEAD[page]) * self.period


class Demo:
    """A running demo site with its address. `stop` ends the site."""

    def __init__(self, runner: web.AppRunner, host: str) -> None:
        self._runner = runner
        shown = _LOOPBACK.get(host, host)
        self.port: int = runner.addresses[0][1]
        self.url = f"http://[{shown}]:{self.port}" if ":" in shown else f"http://{shown}:{self.port}"

    async def stop(self) -> None:
        await self._runner.cleanup()


async def start_demo(
    host: str = "127.0.0.1",
    port: int = 8421,
    *,
    period: float = 20.0,
    seed: int = 1,
    clock: Callable[[], float] = time.time,
) -> Demo:
    """Starts the demo site and returns it running. Each page changes every `period` seconds; port 0 takes a
    free port.

    Raises SettingRefused for a period that is not above zero, and ServerRefused if the port cannot be used.
    """
    if not period > 0:
        raise SettingRefused(
            f"the demo cannot change every {period:g} seconds: the period must be above zero"
        )
    application = _application(seed, Steps(began=clock(), period=period, clock=clock))
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        await runner.cleanup()
        raise ServerRefused(_cannot_listen(host, port, error)) from error
    return Demo(runner, host)


def _cannot_listen(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} on {host} is in use; choose another for the demo site with demo_port"
    return f"the demo site cannot listen on port {port} of {host}: {error.strerror}"


# The prices are followed one by one, so that each is drawn over time.
# The last row of the shop is an offer: another product every few steps.
_MONITORED = {"prices": 'value css "main > table > tbody > tr:not(:last-child) > td:nth-of-type(1)"'}


def demo_sentinels(base_url: str) -> str:
    """Returns the text of three sentinels, one for each changing page of the demo site at `base_url`."""
    return "\n".join(
        f"Create Sentinel demo-{page} Using {base_url.rstrip('/')}/{page}\n"
        f"Monitor {_MONITORED.get(page, 'any change')}\n"
        "Fetch 5 second\n"
        for page in pages.PAGES
    )


def _application(seed: int, steps: Steps) -> web.Application:
    town = _Town(seed, steps)
    application = web.Application()
    application.add_routes(
        [
            web.get("/", town.index),
            web.get("/{page:" + "|".join(pages.PAGES) + "}", town.page),
            web.get(f"/story/{_NUMBER}", town.story),
            web.get(f"/place/{_NUMBER}", town.place),
            web.get(f"/picture/{_NUMBER}.svg", town.picture),
        ]
    )
    return application


class _Town:
    """The request handlers. Stories, places and pictures never change, so their Last-Modified is the start of
    the site."""

    def __init__(self, seed: int, steps: Steps) -> None:
        self._seed = seed
        self._steps = steps

    async def index(self, request: web.Request) -> web.Response:
        return self._answer(request, pages.index(self._steps.period))

    async def page(self, request: web.Request) -> web.Response:
        name = request.match_info["page"]
        step = self._steps.now(name)
        text = pages.PAGES[name](self._seed, step)
        return self._answer(request, text, since=self._steps.since(name, step))

    async def story(self, request: web.Request) -> web.Response:
        return self._answer(request, pages.story(self._seed, _number(request)))

    async def place(self, request: web.Request) -> web.Response:
        return self._answer(request, pages.place(self._seed, _number(request)))

    async def picture(self, request: web.Request) -> web.Response:
        return self._answer(request, pages.picture(self._seed, _number(request)), media_type="image/svg+xml")

    def _answer(
        self, request: web.Request, text: str, *, since: float | None = None, media_type: str = "text/html"
    ) -> web.Response:
        response = web.Response(text=text, content_type=media_type, charset="utf-8")
        response.etag = ETag(blake2b(text.encode(), digest_size=12).hexdigest())
        modified = datetime.fromtimestamp(self._steps.began if since is None else since, UTC)
        # Last-Modified counts whole seconds. With steps shorter than a second, two different pages would
        # have the same Last-Modified, and a client would wrongly get status 304.
        if self._steps.period >= 1:
            response.last_modified = modified.replace(microsecond=0)
        response.headers["Cache-Control"] = "no-cache"
        return _not_modified(response) if _has_it(request, response) else response


def _has_it(request: web.Request, response: web.Response) -> bool:
    """Tells whether the client already has this answer. An ETag in the request outranks If-Modified-Since."""
    if (tags := request.if_none_match) is not None:
        return any(tag.value in ("*", response.etag and response.etag.value) for tag in tags)
    since, modified = request.if_modified_since, response.last_modified
    return since is not None and modified is not None and modified <= since


def _not_modified(response: web.Response) -> web.Response:
    kept = ("ETag", "Last-Modified", "Cache-Control")
    return web.Response(
        status=304, headers={name: response.headers[name] for name in kept if name in response.headers}
    )


def _number(request: web.Request) -> int:
    return int(request.match_info["number"])
