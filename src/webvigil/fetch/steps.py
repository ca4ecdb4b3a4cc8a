"""Steps and a browser tab in, the tab as it is after them out, or the step that failed (K1).

Each step has a bound of its own. A secret is typed only into a page of the origin that its log-in is for, so
a page that leads elsewhere learns nothing. Messages are made here: those of the browser would repeat what was
typed.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Literal

from webvigil.errors import PageError, PageRefused, PageUnreachable
from webvigil.fetch.client import same_origin
from webvigil.fetch.login import Login, without_secrets
from webvigil.model.approach import LONGEST_WAIT, Approach, Step

if TYPE_CHECKING:
    from playwright.async_api import Frame, Locator, Request
    from playwright.async_api import Page as Tab

# Seconds to wait, after a step that may load something, until the page loads nothing any more.
_QUIET_SECONDS = 2.0
_CLICKED: tuple[Literal["button", "link"], ...] = ("button", "link")
_MAY_LEAVE = ("click", "press", "choose", "run")
_MAY_LOAD = ("open", "scroll", *_MAY_LEAVE)
# A form is sent off in a task of its own, after the key or the click: the page is given time for such tasks.
_A_MOMENT = "() => new Promise(done => setTimeout(done, 50))"
# Opens the link in the same tab: what a new tab shows would not be read.
_IN_THIS_TAB = "one => { const link = one.closest('[target]'); if (link) link.removeAttribute('target'); }"
# Words in errors that are about the whole tab. Such errors are raised as they are: the caller knows the trail
# of the tab, which names the cause.
_OF_THE_TAB = ("ERR_", "crashed", "has been closed")
_LONGEST_SCROLL = 20  # times that the page is scrolled to its end while it grows
_SCROLL = """async most => {
    let last = -1;
    for (let turn = 0; turn < most && document.documentElement.scrollHeight !== last; turn++) {
        last = document.documentElement.scrollHeight;
        window.scrollTo(0, last);
        await new Promise(done => setTimeout(done, 250));
    }
}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stepping:
    """What steps may use: the log-in with the secrets, the seconds for one step, and whether a user's script
    may run."""

    login: Login | None = None
    seconds: float = 10.0
    scripts: bool = False


def longest(approach: Approach, seconds: float) -> float:
    """Returns the most seconds that the steps, and the wait after them, can take."""
    waiting = approach.wait.seconds if approach.wait else 0
    return waiting + sum(max(one.seconds, seconds) + _QUIET_SECONDS for one in approach.steps)


async def take(tab: Tab, step: Step, stepping: Stepping) -> None:
    """Takes one step. Raises PageUnreachable or PageRefused with a reason that is shown behind the words of
    the step, or the error of the browser if its whole tab failed."""
    from playwright.async_api import Error
    from playwright.async_api import TimeoutError as TooLate

    bound = (
        stepping.seconds if step.do != "wait" else max(stepping.seconds, min(step.seconds, LONGEST_WAIT) + 1)
    )
    deadline = asyncio.get_running_loop().time() + bound
    departure = _Departure(tab)
    try:
        async with asyncio.timeout_at(deadline + 1):
            await _taken(tab, step, stepping)
            if step.do in _MAY_LEAVE:
                await departure.ended(deadline)
    except (TimeoutError, TooLate) as error:
        raise PageUnreachable(await _why_not(tab, step, stepping.seconds)) from error
    except Error as error:
        if any(sign in str(error) for sign in _OF_THE_TAB):
            raise
        raise _in_words(step, error) from error
    finally:
        departure.forget()
    if step.do in _MAY_LOAD:
        with suppress(Error):
            await tab.wait_for_load_state("networkidle", timeout=_QUIET_SECONDS * 1000)


class _Departure:
    """Knows whether a tab is on its way to another page.

    A form that a key or a click sends off begins to load a moment later. Until the new page is there, the tab
    says of the old page that it loads nothing, and the next step would be taken too soon.
    """

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._asked = False
        self._ended = asyncio.Event()
        tab.on("request", self._note_request)
        tab.on("requestfailed", self._note_failure)
        tab.on("framenavigated", self._note_arrival)

    def forget(self) -> None:
        self._tab.remove_listener("request", self._note_request)
        self._tab.remove_listener("requestfailed", self._note_failure)
        self._tab.remove_listener("framenavigated", self._note_arrival)

    async def ended(self, deadline: float) -> None:
        """Waits until the page is there that the tab has asked for, if it has asked for one, or until the
        browser gave the request up, as it does for a download."""
        from playwright.async_api import Error

        with suppress(TimeoutError):
            async with asyncio.timeout_at(deadline):
                with suppress(Error):  # the page was left meanwhile
                    await self._tab.evaluate(_A_MOMENT)
                if self._asked:
                    await self._ended.wait()

    def _note_request(self, request: Request) -> None:
        if self._is_of_the_tab(request):
            self._asked = True
            self._ended.clear()

    def _note_failure(self, request: Request) -> None:
        if self._is_of_the_tab(request):
            self._ended.set()

    def _note_arrival(self, frame: Frame) -> None:
        if frame == self._tab.main_frame:
            self._ended.set()

    def _is_of_the_tab(self, request: Request) -> bool:
        from playwright.async_api import Error

        with suppress(Error):  # Playwright raises an error for a request whose frame is not known yet
            return request.is_navigation_request() and request.frame == self._tab.main_frame
        return False


async def _taken(tab: Tab, step: Step, stepping: Stepping) -> None:
    limit = stepping.seconds * 1000
    if step.by:
        await _taken_at(tab, step, stepping)
        return
    match step.do:
        case "open":
            await tab.goto(step.text, wait_until="domcontentloaded", timeout=limit)
        case "press":
            await tab.keyboard.press(step.text)
        case "scroll":
            await tab.evaluate(_SCROLL, _LONGEST_SCROLL)
        case "wait" if step.seconds:
            await asyncio.sleep(min(step.seconds, LONGEST_WAIT))
        case "wait":
            await tab.wait_for_load_state("networkidle", timeout=limit)
        case "run":
            if not stepping.scripts:
                raise PageRefused("scripts of users do not run here; the operator allows them (step_scripts)")
            await tab.evaluate(step.text)


async def _taken_at(tab: Tab, step: Step, stepping: Stepping) -> None:
    """Takes a step that is about one element of the page."""
    limit = stepping.seconds * 1000
    if step.do == "wait":
        await _awaited(tab, step, limit)
        return
    place = await _usable(tab, step, limit)
    match step.do:
        case "click":
            await place.evaluate(_IN_THIS_TAB, timeout=limit)
            await place.click(timeout=limit)
        case "type":
            text = _secret(tab.url, step.secret, stepping.login) if step.secret else step.text
            await place.fill(text, timeout=limit)
        case "choose":
            await _chosen(place, step.text, limit)
        case "scroll":
            await place.scroll_into_view_if_needed(timeout=limit)


async def _awaited(tab: Tab, step: Step, limit: float) -> None:
    """Waits until the element or text is there. A text must be visible, an element may be hidden."""
    state: Literal["visible", "attached"] = "visible" if step.by == "text" else "attached"
    await _found(tab, step).first.wait_for(state=state, timeout=limit)


def _secret(url: str, name: str, login: Login | None) -> str:
    """Returns a secret for the page that the tab shows. Raises PageRefused if this log-in has no such secret,
    or if the secret is not for this page."""
    known = dict(login.secrets) if login else {}
    if login is None or name not in known:
        raise PageRefused(f"the log-in of this page has no secret {name}")
    if not same_origin(login.url, url):
        raise PageRefused(
            f"the secret {name} is for {login.url}, and the browser shows {without_secrets(url, login)[:200]}"
        )
    return known[name]


async def _chosen(place: Locator, text: str, limit: float) -> None:
    """Chooses an option by its label or its value. Ticks a box or a radio button, unless the text is off."""
    kind = await place.evaluate("one => one.type || one.localName", timeout=limit)
    if kind in ("checkbox", "radio"):
        await place.set_checked(text.lower() != "off", timeout=limit)
        return
    options = await place.evaluate(
        "one => [...one.options].map(o => [o.label.trim(), o.value])", timeout=limit
    )
    if text in [label for label, _ in options]:
        await place.select_option(label=text, timeout=limit)
    else:
        await place.select_option(value=text, timeout=limit)


def _found(tab: Tab, step: Step) -> Locator:
    """Returns all elements that the words of a step may mean."""
    if step.by == "css":
        return tab.locator(f"css={step.argument}")
    if step.by == "xpath":
        return tab.locator(f"xpath={step.argument}")
    first, *others = _by_words(tab, step)
    return reduce(lambda one, other: one.or_(other), others, first)


def _by_words(tab: Tab, step: Step) -> list[Locator]:
    """Returns what words may mean, the likeliest first: a click on "Log in" means the button of that name and
    not the heading "Log in to the shop" above it."""
    words = step.argument
    if step.do in ("type", "choose"):
        kinds = (tab.get_by_label, tab.get_by_placeholder)
        return [kind(words, exact=exact) for exact in (True, False) for kind in kinds]
    if step.do != "click":
        return [tab.get_by_text(words)]
    names = [tab.get_by_role(role, name=words, exact=exact) for exact in (True, False) for role in _CLICKED]
    return [*names[:2], tab.get_by_text(words, exact=True), *names[2:], tab.get_by_text(words)]


async def _usable(tab: Tab, step: Step, limit: float) -> Locator:
    """Returns the first element that a person could see, as many pages have a hidden twin of an element.
    Waits until there is one."""
    every = _found(tab, step).filter(visible=True).first
    await every.wait_for(state="visible", timeout=limit)
    for one in _by_words(tab, step) if step.by == "text" else ():
        if await one.filter(visible=True).count():
            return one.filter(visible=True).first
    return every


async def _why_not(tab: Tab, step: Step, seconds: float) -> str:
    """Says what a step waited for in vain."""
    late = f"within {seconds:g} seconds"
    if not step.by:
        what = {"open": "the page did not come", "wait": "the page did not stop loading"}
        return f"{what.get(step.do, 'it was not done')} {late}"
    with suppress(Exception):
        async with asyncio.timeout(1):
            there = await _found(tab, step).count()
            if there and step.do != "wait":
                return f"there is such an element, but it could not be used {late}"
    return f"there was no such {'text' if step.by == 'text' else 'element'} {late}"


def _in_words(step: Step, error: Exception) -> PageError:
    """Returns our error for a message of the browser, without what was typed."""
    said = str(error)
    if step.do == "run":
        return PageRefused(f"the script failed: {(said.splitlines() or [''])[0].partition(': ')[2][:200]}")
    if step.do == "choose":
        return PageUnreachable(f"there is nothing to choose by the name {step.text[:60]!r}")
    if step.do == "type":
        return PageUnreachable("nothing can be typed there")
    return PageUnreachable("the browser could not do it")
