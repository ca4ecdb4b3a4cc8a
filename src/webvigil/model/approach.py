"""How a page is approached before it is read: the steps in a browser, what is waited for, and the way to it.

The approach is part of the identity of a page: two users share a fetch only if their approaches are equal.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from webvigil.model.request import Request, request_as_json, request_from_json
from webvigil.model.short_text import short_text

Do = Literal["open", "click", "type", "press", "choose", "scroll", "wait", "run"]
By = Literal["css", "xpath", "text"]

MOST_STEPS = 50
LONGEST_WAIT = 60
"""Seconds that one step may wait for time to pass."""
REST = "rest"
"""The `text` of a step that waits until the page loads nothing any more."""
BOTTOM = "bottom"
"""The `text` of a step that scrolls to the end of the page."""

_SHOWN = 60

_KEYS = (
    "Enter Tab Escape Backspace Delete Insert Space Home End PageUp PageDown "
    "ArrowUp ArrowDown ArrowLeft ArrowRight F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12"
)
KEYS = tuple(_KEYS.split())
MODIFIERS = ("Control", "Shift", "Alt", "Meta")


@dataclass(frozen=True, slots=True)
class Step:
    """One step in the browser. `by` and `argument` name an element of the page.

    open https://a.example/           Step("open", text="https://a.example/")
    click css "#go"                   Step("click", "css", "#go")
    type css "#name" "jill"           Step("type", "css", "#name", text="jill")
    type css "#pass" secret word      Step("type", "css", "#pass", secret="word")
    press Enter                       Step("press", text="Enter")
    choose css "#size" "Large"        Step("choose", "css", "#size", text="Large")
    scroll to bottom                  Step("scroll", text="bottom")
    scroll to css "#more"             Step("scroll", "css", "#more")
    wait 5 second                     Step("wait", seconds=5)
    wait for text "Welcome"           Step("wait", "text", "Welcome")
    wait for rest                     Step("wait", text="rest")
    run "document.title = 'x'"        Step("run", text="document.title = 'x'")
    """

    do: Do
    by: By | Literal[""] = ""
    argument: str = ""
    text: str = ""
    secret: str = ""
    seconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Approach:
    """What a sentinel says about the visit of its page.

    `wait` is what the browser waits for before the page is read. `through` names a proxy of the operator,
    `agent` is how we introduce ourselves, `timeout` the seconds that a visit may take (0: as the settings
    say). `request` is how the page is asked for, if not as usual; its query stands in the address.
    """

    steps: tuple[Step, ...] = ()
    wait: Step | None = None
    through: str = ""
    agent: str = ""
    timeout: int = 0
    request: Request | None = None

    @property
    def secrets(self) -> tuple[str, ...]:
        """The names of the secrets that the steps type and the headers send, each once."""
        typed = [one.secret for one in self.steps if one.secret]
        return tuple(dict.fromkeys([*typed, *(self.request.secrets if self.request else ())]))

    @property
    def way(self) -> Approach:
        """The way to the page alone: what also holds for pages that it links to."""
        return Approach(through=self.through, agent=self.agent, timeout=self.timeout)


PLAIN = Approach()
"""The approach of a page whose sentinels say nothing about it."""


def shown(step: Step) -> str:
    """Returns the step as messages show it, cut to a line. A secret is shown by its name."""
    said = f"secret {step.secret}" if step.secret else _cut(step.text)
    place = f'{step.by} "{_cut(step.argument)}"' if step.by else ""
    match step.do:
        case "wait" if step.seconds:
            return f"wait {step.seconds} second"
        case "wait":
            return f"wait for {place or said}"
        case "scroll":
            return f"scroll to {place or said}"
        case "open" | "press":
            return f"{step.do} {said}"
        case "type" if step.secret:
            return f"type {place} {said}"
        case "click":
            return f"click {place}"
        case "run":
            return f'run "{said}"'
    return f'{step.do} {place} "{said}"'


def _cut(text: str) -> str:
    return short_text(" ".join(text.split()), _SHOWN)


def trouble_with_key(key: str) -> str:
    """Says why a text is no key to press; "" if it is one."""
    *held, last = key.split("+") if key != "+" and not key.endswith("++") else [*key[:-2].split("+"), "+"]
    wrong = next((one for one in held if one and one not in MODIFIERS), "")
    if wrong:
        return f"{wrong!r} cannot be held down; write {', '.join(MODIFIERS[:-1])} or {MODIFIERS[-1]}"
    if last in KEYS or (len(last) == 1 and last.isprintable()):
        return ""
    return f"{last!r} is no key; write a character or {', '.join(KEYS[:11])}, ArrowUp, F1 and so on"


def approach_text(approach: Approach) -> str:
    """Returns the approach as the text of a row; "" for the plain approach."""
    return json.dumps(approach_as_json(approach), ensure_ascii=False) if approach != PLAIN else ""


def approach_from_text(text: str) -> Approach:
    return approach_from_json(json.loads(text)) if text else PLAIN


def approach_as_json(approach: Approach) -> dict[str, Any]:
    """Returns the approach as plain data, without what is not said; {} for the plain approach."""
    plain = {field.name: getattr(approach, field.name) for field in fields(Approach)}
    plain |= {"steps": [_step(one) for one in approach.steps]}
    plain |= {"wait": approach.wait and _step(approach.wait)}
    plain |= {"request": approach.request and request_as_json(approach.request)}
    return {name: value for name, value in plain.items() if value}


def _step(step: Step) -> dict[str, Any]:
    return {name: value for name, value in asdict(step).items() if value}


def approach_from_json(plain: dict[str, Any]) -> Approach:
    """Reads what `approach_as_json` has written. The data is our own, so it is not checked."""
    if not plain:
        return PLAIN
    wait = plain.get("wait")
    steps = tuple(Step(**one) for one in plain.get("steps", ()))
    request = request_from_json(plain["request"]) if "request" in plain else None
    return Approach(**{**plain, "steps": steps, "wait": Step(**wait) if wait else None, "request": request})
