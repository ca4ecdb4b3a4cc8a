"""Steps in a tab that is made up: what is done, what is waited for, and what is said of a failure (K1)."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.async_api import Error
from playwright.async_api import TimeoutError as TooLate

from webvigil.errors import PageError, PageRefused, PageUnreachable
from webvigil.fetch import steps
from webvigil.fetch.login import Login
from webvigil.fetch.steps import Stepping, longest, take
from webvigil.model.approach import Approach, Step


class Place:
    """Elements that a step may mean. Everything done with them is noted in the tab."""

    def __init__(self, tab: Tab, name: str) -> None:
        self.tab, self.name = tab, name
        self.first = self

    def or_(self, other: Place) -> Place:
        return Place(self.tab, f"{self.name} or {other.name}")

    def filter(self, *, visible: bool) -> Place:
        return Place(self.tab, f"{self.name} seen")

    async def count(self) -> int:
        return self.tab.counts.get(self.name, 0)

    async def evaluate(self, script: str, timeout: float) -> Any:
        if "one.type" in script:
            return self.tab.kind
        return [["Large", "l"], ["Small", "s"]] if "options" in script else None

    def __getattr__(self, name: str) -> Any:
        async def done(*given: Any, timeout: float, **more: Any) -> None:
            self.tab.note(name, self.name, *given, *more.values(), timeout)

        return done


class Tab:
    def __init__(self, error: Exception | None = None, kind: str = "select-one", **counts: int) -> None:
        self.url, self.error, self.kind, self.counts = "https://a.test/in", error, kind, counts
        self.did: list[tuple[Any, ...]] = []
        self.main_frame = object()
        self.keyboard = self

    def note(self, *what: Any) -> None:
        self.did.append(what)
        if self.error:
            raise self.error

    def on(self, event: str, listener: Any) -> None: ...

    def remove_listener(self, event: str, listener: Any) -> None: ...

    async def goto(self, url: str, wait_until: str, timeout: float) -> None:
        self.note("goto", url, timeout)

    async def press(self, key: str) -> None:
        self.note("press", key)

    async def evaluate(self, script: str, *given: Any) -> None:
        if "setTimeout(done, 50)" not in script:
            self.note("evaluate", *(given or (script,)))

    async def wait_for_load_state(self, state: str, timeout: float) -> None:
        self.did.append((state, timeout))

    def locator(self, selector: str) -> Place:
        return Place(self, selector)

    def get_by_text(self, words: str, exact: bool = False) -> Place:
        return Place(self, f"text {words}{'!' if exact else ''}")

    def get_by_label(self, words: str, exact: bool) -> Place:
        return Place(self, f"label {words}{'!' if exact else ''}")

    def get_by_placeholder(self, words: str, exact: bool) -> Place:
        return Place(self, f"placeholder {words}{'!' if exact else ''}")

    def get_by_role(self, role: str, name: str, exact: bool) -> Place:
        return Place(self, f"{role} {name}{'!' if exact else ''}")


LOGIN = Login(url="https://a.test/", secrets=(("word", "s3cret"),))


def taken(step: Step, tab: Tab | None = None, **more: Any) -> list[tuple[Any, ...]]:
    made: Any = tab or Tab()
    asyncio.run(take(made, step, Stepping(**({"login": LOGIN, "seconds": 3.0} | more))))
    return made.did


IDLE = ("networkidle", 2_000.0)


@pytest.mark.parametrize(
    ("step", "did"),
    [
        (Step("open", text="https://a.test/"), [("goto", "https://a.test/", 3_000.0), IDLE]),
        (Step("press", text="Enter"), [("press", "Enter"), IDLE]),
        (Step("scroll", text="bottom"), [("evaluate", 20), IDLE]),
        (Step("wait", text="rest"), [("networkidle", 3_000.0)]),
        (
            Step("click", "css", "#go"),
            [("wait_for", "css=#go seen", "visible", 3_000.0), ("click", "css=#go seen", 3_000.0), IDLE],
        ),
        (
            Step("type", "xpath", "//a", text="jill"),
            [("wait_for", "xpath=//a seen", "visible", 3_000.0), ("fill", "xpath=//a seen", "jill", 3_000.0)],
        ),
        (
            Step("type", "css", "#p", secret="word"),
            [("wait_for", "css=#p seen", "visible", 3_000.0), ("fill", "css=#p seen", "s3cret", 3_000.0)],
        ),
        (
            Step("scroll", "css", "#m"),
            [
                ("wait_for", "css=#m seen", "visible", 3_000.0),
                ("scroll_into_view_if_needed", "css=#m seen", 3_000.0),
                IDLE,
            ],
        ),
        (Step("wait", "css", "#m"), [("wait_for", "css=#m", "attached", 3_000.0)]),
        (Step("wait", "text", "Hi"), [("wait_for", "text Hi", "visible", 3_000.0)]),
    ],
)
def test_what_a_step_does_in_the_tab(step: Step, did: list[tuple[Any, ...]]):
    assert taken(step) == did


@pytest.mark.parametrize(
    ("kind", "text", "did"),
    [
        ("select-one", "Large", ("select_option", "css=#s seen", "Large", 3_000.0)),
        ("select-one", "s", ("select_option", "css=#s seen", "s", 3_000.0)),
        ("checkbox", "on", ("set_checked", "css=#s seen", True, 3_000.0)),
        ("radio", "Off", ("set_checked", "css=#s seen", False, 3_000.0)),
    ],
)
def test_what_is_chosen(kind: str, text: str, did: tuple[Any, ...]):
    assert taken(Step("choose", "css", "#s", text=text), Tab(kind=kind))[1] == did


@pytest.mark.parametrize(
    ("do", "there", "used"),
    [
        ("click", ["text In"], "text In"),
        ("click", ["text In", "link In"], "link In"),
        ("click", ["link In", "text In!"], "text In!"),
        ("click", ["text In!", "button In!"], "button In!"),
        ("type", ["placeholder In", "label In"], "label In"),
        ("type", ["label In", "placeholder In!"], "placeholder In!"),
    ],
)
def test_words_mean_the_likeliest_element_that_is_seen(do: Any, there: list[str], used: str):
    tab = Tab(**{f"{name} seen": 1 for name in there})
    assert taken(Step(do, "text", "In", text="x"), tab)[1][1] == f"{used} seen"


def failed(step: Step, error: Exception, tab: Tab | None = None, **more: Any) -> tuple[type, str]:
    made = tab or Tab()
    made.error = error
    with pytest.raises(PageError) as caught:
        taken(step, made, **more)
    return type(caught.value), str(caught.value)


@pytest.mark.parametrize(
    ("step", "counts", "said"),
    [
        (Step("open", text="x"), {}, "the page did not come within 3 seconds"),
        (Step("press", text="x"), {}, "it was not done within 3 seconds"),
        (Step("click", "css", "#a"), {}, "there was no such element within 3 seconds"),
        (Step("click", "text", "a"), {}, "there was no such text within 3 seconds"),
        (
            Step("click", "css", "#a"),
            {"css=#a": 1},
            "there is such an element, but it could not be used within 3 seconds",
        ),
        (Step("wait", "css", "#a"), {"css=#a": 1}, "there was no such element within 3 seconds"),
    ],
)
def test_what_a_step_waited_for_in_vain(step: Step, counts: dict[str, int], said: str):
    for error in (TooLate("x"), TimeoutError()):
        assert failed(step, error, Tab(**counts)) == (PageUnreachable, said)


@pytest.mark.parametrize(
    ("step", "kind", "said"),
    [
        (
            Step("run", text="x"),
            PageRefused,
            f"the script failed: {'y' * 200}",
        ),
        (
            Step("choose", "css", "#a", text="z" * 61),
            PageUnreachable,
            f"there is nothing to choose by the name '{'z' * 60}'",
        ),
        (Step("type", "css", "#a", text="x"), PageUnreachable, "nothing can be typed there"),
        (Step("click", "css", "#a"), PageUnreachable, "the browser could not do it"),
    ],
)
def test_no_message_repeats_what_the_browser_said(step: Step, kind: type, said: str):
    error = Error(f"Page.evaluate: {'y' * 201}\nCall log: s3cret")
    assert failed(step, error, scripts=True) == (kind, said)


@pytest.mark.parametrize("sign", ["net::ERR_FAILED", "Target crashed", "Page has been closed"])
def test_the_trouble_of_a_tab_is_left_to_whoever_knows_its_trail(sign: str):
    with pytest.raises(Error, match=sign):
        taken(Step("press", text="x"), Tab(Error(sign)))


def test_a_script_runs_only_where_the_operator_allows_it():
    assert taken(Step("run", text="x"), scripts=True) == [("evaluate", "x"), IDLE]
    with pytest.raises(PageRefused, match="scripts of users do not run here"):
        taken(Step("run", text="x"))


@pytest.mark.parametrize(
    ("login", "said"),
    [
        (None, "the log-in of this page has no secret word"),
        (Login(url="https://a.test/"), "the log-in of this page has no secret word"),
        (
            Login(url="https://b.test/", secrets=(("word", "s3cret"),)),
            "the secret word is for https://b.test/, and the browser shows https://a.test/in",
        ),
    ],
)
def test_a_secret_is_typed_for_its_log_in_alone(login: Login | None, said: str):
    tab = Tab()
    with pytest.raises(PageRefused) as caught:
        taken(Step("type", "css", "#p", secret="word"), tab, login=login)
    assert str(caught.value) == said
    assert [one[0] for one in tab.did] == ["wait_for"]


@pytest.mark.parametrize(
    ("approach", "seconds"),
    [
        (Approach(), 0),
        (Approach(wait=Step("wait", seconds=7)), 7),
        (Approach(steps=(Step("press", text="x"),)), 12),
        (
            Approach(steps=(Step("wait", seconds=20), Step("press", text="x")), wait=Step("wait", seconds=7)),
            41,
        ),
    ],
)
def test_the_longest_that_steps_can_take(approach: Approach, seconds: float):
    assert longest(approach, 10.0) == seconds


class Travelling(Tab):
    """A tab whose events are told by the test."""

    def __init__(self) -> None:
        super().__init__()
        self.listeners: dict[str, Any] = {}

    def on(self, event: str, listener: Any) -> None:
        self.listeners[event] = listener

    def remove_listener(self, event: str, listener: Any) -> None:
        if self.listeners.get(event) == listener:
            del self.listeners[event]

    async def evaluate(self, *_: Any) -> None: ...

    def asks(self, event: str, *, of_page: bool = True, leads: bool = True) -> None:
        frame = self.main_frame if of_page else object()
        request = SimpleNamespace(is_navigation_request=lambda: leads, frame=frame)
        self.listeners[event](request if event != "framenavigated" else frame)


@pytest.mark.parametrize(
    ("events", "waits"),
    [
        ([], False),
        (["request"], True),
        (["request of a frame"], False),
        (["request of a picture"], False),
        (["request", "framenavigated"], False),
        (["request", "framenavigated of a frame"], True),
        (["request", "requestfailed"], False),
        (["request", "requestfailed of a picture"], True),
        (["request", "requestfailed of a frame"], True),
        (["request", "framenavigated", "request"], True),
    ],
)
def test_the_page_that_a_tab_has_asked_for_is_waited_for(events: list[str], waits: bool):
    async def ended() -> bool:
        tab: Any = Travelling()
        departure = steps._Departure(tab)
        for event in events:
            name, _, of = event.partition(" of a ")
            tab.asks(name, of_page=of != "frame", leads=of != "picture")
        waiting = asyncio.create_task(departure.ended(asyncio.get_running_loop().time() + 60))
        for _ in range(5):
            await asyncio.sleep(0)
        is_over = waiting.done()
        waiting.cancel()
        departure.forget()
        assert tab.listeners == {}
        return is_over

    assert asyncio.run(ended()) is not waits


def test_a_request_whose_frame_is_not_known_yet_is_none_of_the_page():
    class Early:
        @property
        def frame(self) -> None:
            raise Error("no frame yet")

        def is_navigation_request(self) -> bool:
            return True

    tab: Any = Travelling()
    early: Any = Early()
    assert steps._Departure(tab)._is_of_the_tab(early) is False
