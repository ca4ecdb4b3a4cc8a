"""A page in, what a real Chromium shows of it out: the document after its scripts ran, and a picture (F6).

Each visit has a browser context of its own: no cookies, no storage, no memory of other visits. Everything the
page loads comes through the `gate`. A few visits run at a time. After many visits the browser is restarted,
which bounds the memory that a browser gathers.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlencode, urlsplit

from webvigil.document.screenshot import with_places
from webvigil.errors import PageError, PageRefused, PageUnreachable, StepFailed
from webvigil.fetch.client import Limits, resolved, tls_context
from webvigil.fetch.filling import fill
from webvigil.fetch.gate import Gate, Pass
from webvigil.fetch.http import Fetched, of_frame
from webvigil.fetch.login import Login, without_secrets
from webvigil.fetch.names import Lookup, system_lookup
from webvigil.fetch.networks import Network
from webvigil.fetch.steps import Stepping, longest, take
from webvigil.fetch.tab import Trail, in_words, shown_error
from webvigil.fetch.ways import DIRECT, Ways
from webvigil.model.approach import Step, shown
from webvigil.model.page import Page
from webvigil.model.version import Answer, Frame

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Playwright
    from playwright.async_api import Frame as LiveFrame
    from playwright.async_api import Page as Tab

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OFF = (
    # The parts that Playwright turns off. Chromium obeys only the last such list that it is given, so the
    # list of Playwright is repeated here; a test compares it with that of the installed Playwright.
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "TcpPortRandomizationWin",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
    "msForceBrowserSignIn",
    "msEdgeUpdateLaunchServicesPreferredVersion",
    # The menus below the address bar: two pages in every window, which nobody sees. Without them a visit to a
    # simple page takes 0.35 instead of 0.95 s of processor time (Chromium 156).
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
)
"""Parts of Chromium that are turned off."""
CALM = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    f"--disable-features={','.join(OFF)}",
)
"""Switches that keep Chromium from background work, such as updates and synchronisation."""
_ARGUMENTS = (
    # Closes all ways past the gate: the browser looks up no name, sends loopback addresses to the proxy as
    # well, and sends no datagrams.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    *CALM,
)
# A common size of a window, the same for every visit, because pages look different in other sizes.
_SIZE = (1280, 800)
# Bounds the memory of a picture; a longer page is pictured down to this pixel.
_TALLEST = 8000
# Seconds to wait until a page stops loading, and until the watched elements appear. Some pages never stop.
_QUIET_SECONDS = 3.0
_SELECTOR_SECONDS = 10.0
# The most seconds for all steps of a visit, and for the picture of a step that failed.
_LONGEST_STEPPING = 300.0
_PICTURE_SECONDS = 5.0
# After so many visits the browser is restarted, which bounds the memory that it gathers.
_VISITS_PER_BROWSER = 200
# Headers that describe the body as sent, which are not true of the rendered document.
_DROPPED = ("content-encoding", "content-length", "transfer-encoding", "content-type")
# The most elements of a page whose places in the picture are recorded.
_MOST_PLACES = 50_000
_PLACES = """most => {
    const all = [...document.querySelectorAll('*')].slice(0, most);
    const box = ({left, top, width, height}) => [left, top, width, height].map(Math.round);
    return [all.map(one => one.localName), all.map(one => box(one.getBoundingClientRect()))];
}"""
_MARKUP = ("text/html", "application/xhtml+xml", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """What the browser showed after a step: the address, the document (None if it was not read) and the
    picture, with the places of the elements in it."""

    url: str
    answer: Answer | None
    picture: bytes


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """The shots before the first and after each step that was taken. `trouble` says which step failed, and
    `failed` is what the browser showed then."""

    shots: tuple[Shot, ...]
    trouble: str = ""
    failed: Shot | None = None


class BrowserFetcher:
    """Fetches pages with Chromium. Use it as an async context manager. Chromium starts with the first
    page."""

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        allowed: Iterable[Network] = (),
        lookup: Lookup = system_lookup,
        executable: str = "",
        at_a_time: int = 2,
        scripts: bool = False,
        ways: Ways = DIRECT,
        ca_file: Path | None = None,
    ) -> None:
        """`scripts` says whether the steps of users may run scripts of their own."""
        self._limits = limits or Limits()
        self._ways = ways
        self._gate = Gate(allowed=allowed, lookup=lookup, ways=ways, tls=tls_context(ca_file))
        self._executable = executable
        self._scripts = scripts
        self._slots = asyncio.Semaphore(at_a_time)
        self._starting = asyncio.Lock()
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._visits = 0
        self._guests = 0

    async def __aenter__(self) -> Self:
        await self._gate.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._browser:
            with suppress(Exception):
                await self._browser.close()
        if self._playwright:
            await self._playwright.stop()
        await self._gate.__aexit__(kind, error, trace)

    async def fetch(self, page: Page, login: Login | None = None, wait_for: Iterable[str] = ()) -> Fetched:
        """Returns the rendered page. `wait_for` holds CSS selectors: the page is ready when one of them
        matches, or when none has matched in time. Raises PageUnreachable (try later) or PageRefused (needs a
        person)."""
        async with self._visit(page, login) as tour:
            await tour.begin()
            for number in range(1, len(page.approach.steps) + 1):
                await tour.step(number)
            return await self._seen(tour, tuple(wait_for))

    async def rehearse(self, page: Page, login: Login | None = None) -> Rehearsal:
        """Takes the steps of the page and returns what the browser shows before the first and after each of
        them. The last picture is that of the step that failed, if one did."""
        shots: list[Shot] = []
        try:
            async with self._visit(page, login) as tour:
                await tour.begin()
                shots.append(await self._shot(tour))
                for number in range(1, len(page.approach.steps) + 1):
                    await tour.step(number)
                    shots.append(await self._shot(tour))
        except StepFailed as error:
            failed = Shot(url="", answer=None, picture=error.picture)
            return Rehearsal(tuple(shots), str(error), failed)
        return Rehearsal(tuple(shots))

    async def _shot(self, tour: _Tour) -> Shot:
        await _settled(tour.tab, ())
        answer = await self._answer(tour)
        picture = await _picture(tour.tab)
        await tour.tab.set_viewport_size({"width": _SIZE[0], "height": _SIZE[1]})
        return Shot(url=answer.url, answer=answer, picture=picture)

    @asynccontextmanager
    async def _visit(self, page: Page, login: Login | None) -> AsyncIterator[_Tour]:
        """Opens a tab of its own for one visit, and translates what goes wrong during it."""
        if login and login.headers:
            raise PageRefused("a page that is rendered in a browser can be logged in to by cookies only")
        stepping = Stepping(login=login, seconds=self._limits.step, scripts=self._scripts)
        patience = page.approach.timeout or self._limits.timeout
        seconds = patience + min(longest(page.approach, self._limits.step), _LONGEST_STEPPING)
        async with self._slots:
            self._ways.to(page.url, page.approach.through)  # raises PageRefused for a proxy that is gone
            visit = self._gate.admit(self._limits.bytes, page.approach.through)
            tour: _Tour | None = None
            try:
                async with asyncio.timeout(seconds), self._context(visit, login, page) as context:
                    tab = await context.new_page()
                    if self._ways.unverified:
                        await self._trusting(context, tab, visit)
                    tour = _Tour(tab, page, visit, stepping)
                    yield tour
            except TimeoutError as error:
                at = f", at step {tour.number}" if tour and tour.number else ""
                raise PageUnreachable(f"not rendered within {seconds:g} seconds{at}") from error
            except _playwright_error() as error:
                if visit.left < 0:
                    raise _too_large(self._limits) from error
                raise await _said(tour, error) from error
            finally:
                self._gate.dismiss(visit)

    @asynccontextmanager
    async def _context(self, visit: Pass, login: Login | None, page: Page) -> AsyncIterator[BrowserContext]:
        """Opens a fresh browser context that reaches the web through the gate, with the cookies of the
        login."""
        browser = await self._started()
        self._guests += 1
        context = await browser.new_context(
            viewport={"width": _SIZE[0], "height": _SIZE[1]},
            proxy={"server": self._gate.url, "username": "visit", "password": visit.password},
            accept_downloads=False,
            user_agent=page.approach.agent or None,
            # Requests of a service worker would not be seen by the handlers of the tab.
            service_workers="block",
            # A fixed language and time zone: otherwise moving the server would look like a change of pages.
            locale="en-US",
            timezone_id="UTC",
        )
        try:
            if login:
                await context.add_cookies(
                    [{"name": n, "value": v, "url": login.url} for n, v in login.cookies]
                )
            yield context
        finally:
            self._guests -= 1
            with suppress(Exception):
                await context.close()

    async def _trusting(self, context: BrowserContext, tab: Tab, visit: Pass) -> None:
        """Lets the tab go on where the certificate of a host that the operator named is not valid; any other
        host with an invalid certificate is refused."""
        session = await context.new_cdp_session(tab)

        async def decide(said: dict[str, Any]) -> None:
            goes = not self._ways.verifies(said["requestURL"])
            if not goes:
                visit.untrusted[urlsplit(said["requestURL"]).hostname or ""] = said["errorType"]
            answer = {"eventId": said["eventId"], "action": "continue" if goes else "cancel"}
            with suppress(Exception):  # the tab may be closed by now
                await session.send("Security.handleCertificateError", answer)

        deciding: set[asyncio.Task[None]] = set()

        def begin(said: dict[str, Any]) -> None:
            task = asyncio.ensure_future(decide(said))
            deciding.add(task)
            task.add_done_callback(deciding.discard)

        session.on("Security.certificateError", begin)
        await session.send("Security.enable")
        await session.send("Security.setOverrideCertificateErrors", {"override": True})

    async def _started(self) -> Browser:
        """Returns the running browser. Starts one if there is none, or if it has served many visits and is
        idle."""
        async with self._starting:
            self._visits += 1
            worn = self._visits > _VISITS_PER_BROWSER and self._guests == 0
            if self._browser and self._browser.is_connected() and not worn:
                return self._browser
            if self._browser:
                with suppress(Exception):
                    await self._browser.close()
            self._visits = 1
            self._browser = await self._launched()
            return self._browser

    async def _launched(self) -> Browser:
        try:
            from playwright.async_api import async_playwright
        except ModuleNotFoundError as error:
            raise PageRefused("there is no browser here; pip install 'webvigil[browser]'") from error
        self._playwright = self._playwright or await async_playwright().start()
        found = self._executable or next((path for name in NAMES if (path := shutil.which(name))), None)
        try:
            return await self._playwright.chromium.launch(
                executable_path=found,
                args=list(_ARGUMENTS),
                proxy={"server": self._gate.url},
                # Chromium refuses to start its sandbox as root, as in many containers.
                chromium_sandbox=os.geteuid() != 0,
            )
        except _playwright_error() as error:
            raise PageRefused(
                f"the browser does not start: {str(error).splitlines()[0]}; "
                "install chromium, or name it with the setting browser"
            ) from error

    async def _seen(self, tour: _Tour, wait_for: tuple[str, ...]) -> Fetched:
        """Waits until the page in the tab is ready, and returns its document and picture."""
        tab, trail = tour.tab, tour.trail
        missed = await _ready(tab, tour.page.approach.wait, wait_for, self._limits.step)
        answer = await self._answer(tour)
        picture = await _picture(tab)
        await _judge(tab, trail)
        if len(answer.body) > self._limits.bytes or tour.visit.left < 0:
            raise _too_large(self._limits)
        return Fetched(
            answer=answer,
            status=answer.status,
            validators={},
            reason="rendered in a browser" + (f"; waited in vain for {missed}" if missed else ""),
            received=len(answer.body),
            picture=picture,
        )

    async def _answer(self, tour: _Tour) -> Answer:
        """Returns the document that the tab shows. A file that is not HTML is returned as the server sent it,
        not as the browser displays it."""
        tab, trail = tour.tab, tour.trail
        await _judge(tab, trail)
        response = trail.shown(tab.main_frame)
        if response is None:
            raise PageUnreachable("the browser shows no page there")
        headers = await response.all_headers()
        media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type not in _MARKUP:
            body = await response.body()
            return Answer(url=tour.url, status=response.status, headers=tuple(headers.items()), body=body)
        frames = await _frames(tab.main_frame, trail, self._limits.frames)
        return Answer(
            url=tour.url,
            status=response.status,
            headers=_as_html(headers),
            body=(await tab.content()).encode("utf-8", "replace"),
            frames=frames,
        )


class _Tour:
    """One visit: the tab, how it came to what it shows, and the step that is under way (0: none yet)."""

    def __init__(self, tab: Tab, page: Page, visit: Pass, stepping: Stepping) -> None:
        self.tab = tab
        self.page = page
        self.visit = visit
        self.trail = Trail(tab, visit, urlsplit(page.url).hostname or "")
        self.number = 0
        self._stepping = stepping

    @property
    def url(self) -> str:
        """The address that the tab shows, without the secrets that a page may have put into it."""
        return without_secrets(self.tab.url, self._stepping.login)

    async def begin(self) -> None:
        """Loads the page."""
        if self.page.method in ("POST", "MULTIPART"):
            await _posting(self.tab, self.page)
        await self.tab.goto(_address(self.page), wait_until="domcontentloaded", timeout=0)
        await _judge(self.tab, self.trail)
        if self.page.method == "FILL":
            await _settled(self.tab, ())
            await fill(self.tab, self.page.fields)

    async def step(self, number: int) -> None:
        """Takes a step. Raises StepFailed, with a picture of what the tab shows."""
        self.number = number
        step = self.page.approach.steps[number - 1]
        try:
            await take(self.tab, step, self._stepping)
            await _judge(self.tab, self.trail)
        except (PageError, _playwright_error()) as error:
            why = error if isinstance(error, PageError) else await _said(self, error)
            picture = await _quick_picture(self.tab)
            said = f"step {number} failed: {shown(step)}: {why}"
            raise StepFailed(said, number=number, picture=picture) from error


async def _said(tour: _Tour | None, error: Exception) -> PageError:
    """Returns our error for an error of the browser, with the cause that the trail of the tab knows."""
    if tour is None:
        return in_words(str(error))
    said = await shown_error(tour.tab.main_frame) or str(error)
    return tour.trail.failure(tour.tab.main_frame, said)


async def _quick_picture(tab: Tab) -> bytes:
    """Returns a picture of what the window shows; nothing if the browser cannot give one soon."""
    with suppress(Exception):
        async with asyncio.timeout(_PICTURE_SECONDS):
            return await tab.screenshot(animations="disabled", caret="hide")
    return b""


async def _judge(tab: Tab, trail: Trail) -> None:
    """Raises the error of the tab if it shows an error page, or something that is not a page of the web."""
    trouble = trail.trouble(tab.main_frame, await shown_error(tab.main_frame))
    if trouble is not None:
        raise trouble


def _address(page: Page) -> str:
    if page.method != "GET" or not page.fields:
        return page.url
    return f"{page.url}{'&' if '?' in page.url else '?'}{urlencode(page.fields)}"


async def _posting(tab: Tab, page: Page) -> None:
    """Makes the tab send its first request, the page itself, as a POST with the fields of the form."""
    sent = False

    async def handle(route: Any) -> None:
        nonlocal sent
        if sent or not route.request.is_navigation_request():
            await route.fallback()
            return
        sent = True
        kind, body = _body(page)
        headers = {**route.request.headers, "content-type": kind}
        await route.continue_(method="POST", post_data=body, headers=headers)

    await tab.route("**/*", handle)


async def _ready(tab: Tab, wait: Step | None, wait_for: tuple[str, ...], seconds: float) -> str:
    """Waits for the element or text that the sentinel names or, if it names none, as `_settled` does. Returns
    what did not appear in time, or an empty text."""
    if wait is None:
        return await _settled(tab, wait_for)
    await _settled(tab, ())
    try:
        await take(tab, wait, Stepping(seconds=seconds))
    except PageError as error:
        return f"{shown(wait).removeprefix('wait for ')} ({error})"
    return ""


def _body(page: Page) -> tuple[str, bytes]:
    """Returns the media type and the body of a form that is sent with POST."""
    if page.method != "MULTIPART":
        return "application/x-www-form-urlencoded", urlencode(page.fields).encode()
    mark = f"----{page.key}"
    parts = [
        f'--{mark}\r\nContent-Disposition: form-data; name="{_in_quotes(name)}"\r\n\r\n{value}\r\n'
        for name, value in page.fields
    ]
    return f"multipart/form-data; boundary={mark}", "".join([*parts, f"--{mark}--\r\n"]).encode()


def _in_quotes(name: str) -> str:
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


async def _settled(tab: Tab, wait_for: tuple[str, ...]) -> str:
    """Waits until the watched elements are there or, without `wait_for`, until nothing is loaded any more,
    but for a few seconds at most. Returns the selector that did not match in time, or an empty text."""
    if not wait_for:
        with suppress(_playwright_error()):
            await tab.wait_for_load_state("networkidle", timeout=_QUIET_SECONDS * 1000)
        return ""
    selector = ", ".join(wait_for)
    try:
        await tab.wait_for_selector(selector, state="attached", timeout=_SELECTOR_SECONDS * 1000)
    except _playwright_error():
        return selector
    return ""


async def _picture(tab: Tab) -> bytes:
    """Returns a picture of the page, down to a maximal height, with the places of its elements.

    Returns nothing if the picture fails, because the page can still be compared by its text.
    """
    with suppress(_playwright_error()):
        height = await tab.evaluate("document.documentElement.scrollHeight")
        tall = min(max(int(height), _SIZE[1]), _TALLEST)
        await tab.set_viewport_size({"width": _SIZE[0], "height": tall})
        picture = await tab.screenshot(animations="disabled", caret="hide", timeout=10_000)
        tags, boxes = await tab.evaluate(_PLACES, _MOST_PLACES)
        return with_places(picture, tags, boxes)
    return b""


async def _frames(parent: LiveFrame, trail: Trail, most: int) -> tuple[Frame, ...]:
    """Returns the documents of the frames that the page shows."""
    found: list[Frame] = []
    for live in parent.child_frames[:most]:
        with suppress(_playwright_error(), ValueError):
            element = await live.frame_element()
            source = await element.get_attribute("src")
            if not source:
                continue
            address = resolved(parent.url, source)
            trouble = trail.trouble(live)
            if trouble is not None:
                essential = await element.evaluate("one => one.localName") == "frame"
                found.append(Frame(address=address, answer=_in_trouble(parent, address, trouble, essential)))
                continue
            body = (await live.content()).encode("utf-8", "replace")
            answer = Answer(url=live.url, status=200, headers=_as_html({}), body=body)
            found.append(Frame(address=address, answer=answer))
    return tuple(found)


def _in_trouble(parent: LiveFrame, address: str, trouble: PageError, essential: bool) -> Answer:
    """Returns an empty answer for a frame that failed, or raises the error. As without a browser: a frame
    that may not be visited is empty, and the temporary failure of a frame from the page's own host is raised,
    because without that frame the page would seem changed."""
    own = essential or urlsplit(address).hostname == urlsplit(parent.url).hostname
    if own and not isinstance(trouble, PageRefused):
        raise of_frame(address, trouble)
    return Answer(url=address, status=0, headers=(), body=b"")


def _as_html(headers: dict[str, str]) -> tuple[tuple[str, str], ...]:
    kept = [(name, value) for name, value in headers.items() if name.lower() not in _DROPPED]
    return (*kept, ("content-type", "text/html; charset=utf-8"))


def _playwright_error() -> type[Exception]:
    """Returns Playwright's class of errors. Playwright is imported with the first page; before that, nothing
    can raise its errors, and a class that is never raised is returned."""
    import sys

    module = sys.modules.get("playwright.async_api")
    return module.Error if module else _Never


class _Never(Exception):
    pass


def _too_large(limits: Limits) -> PageRefused:
    return PageRefused(f"the page and what it loads are larger than {limits.bytes:,} bytes")
