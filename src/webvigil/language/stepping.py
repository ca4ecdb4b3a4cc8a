"""The words of a step in a browser in, a Step out, and back to its text."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast, get_args

from lark import Token

from webvigil.language import mistakes, names, texts, times, tokens
from webvigil.model.approach import (
    BOTTOM,
    KEYS,
    LONGEST_WAIT,
    MOST_STEPS,
    REST,
    By,
    Do,
    Step,
    shown,
    trouble_with_key,
)
from webvigil.model.page import normal_url
from webvigil.model.short_text import short_text

LONGEST_AGENT = 300
NO_DISGUISE = "must say WebVigil, for we do not pass for another client"

Place = tuple[By, str]


def place_of(children: list[Token]) -> Place:
    by, text = children
    return cast(By, by.lower()), tokens.text_of(text, texts.unquoted)


def waiting_of(word: Token, what: timedelta | Token | Place) -> Step:
    """Returns a step that waits. `word` is where a mistake is shown."""
    if isinstance(what, timedelta):
        seconds = what.total_seconds()
        if seconds > LONGEST_WAIT:
            raise mistakes.at(word, f"a step waits at most {LONGEST_WAIT} seconds, not {seconds:g}")
        return Step("wait", seconds=int(seconds))
    if isinstance(what, Token):
        return Step("wait", text=REST)
    return Step("wait", *what)


def step_of(children: list[Any]) -> Step:
    word, *rest = children
    if isinstance(word, Step):
        return word
    match word.type, rest:
        case "OPEN", [Token() as url]:
            return Step("open", text=tokens.url_of(url))
        case "CLICK", [(by, argument)]:
            return Step("click", by, argument)
        case "TYPE", [(by, argument), Token(type="SECRET"), Token() as name]:
            return Step("type", by, argument, secret=tokens.name_of(name))
        case "TYPE", [(by, argument), Token() as text]:
            return Step("type", by, argument, text=tokens.text_of(text, texts.unquoted))
        case "PRESS", [Token() as key]:
            return Step("press", text=_key(key))
        case "CHOOSE", [(by, argument), Token() as text]:
            return Step("choose", by, argument, text=tokens.text_of(text, texts.unquoted))
        case "SCROLL", [_, Token()]:
            return Step("scroll", text=BOTTOM)
        case "SCROLL", [_, (by, argument)]:
            return Step("scroll", by, argument)
        case _, [Token() as script]:
            return Step("run", text=tokens.text_of(script, texts.unquoted))
    raise AssertionError(f"the grammar has no step {children}")


def _key(token: Token) -> str:
    key = texts.unquoted(token) if token.type == "QUOTED" else str(token)
    if trouble := trouble_with_key(key):
        near = mistakes.near(key, KEYS)
        raise mistakes.at(token, trouble + (f"; did you mean {near}?" if near else ""))
    return key


def steps_of(word: Token, steps: list[Step]) -> tuple[Step, ...]:
    if len(steps) > MOST_STEPS:
        raise mistakes.at(word, f"a page is approached in at most {MOST_STEPS} steps, not {len(steps)}")
    return tuple(steps)


def agent_of(token: Token) -> str:
    agent = tokens.text_of(token, texts.unquoted)
    if trouble := trouble_with_agent(agent):
        raise mistakes.at(token, trouble)
    return agent


def trouble_with_agent(agent: str) -> str:
    """Says why a text cannot be how we introduce ourselves; "" if it can."""
    if len(agent) > LONGEST_AGENT:
        return f"Agent has at most {LONGEST_AGENT} characters"
    if not agent.isascii() or not agent.isprintable():
        return "Agent has a character that cannot be sent in a header"
    return "" if "webvigil" in agent.lower() else f"Agent {NO_DISGUISE}"


# --- and back -------------------------------------------------------------------------------------


def print_step(step: Step) -> str:
    """Returns the text of a step. Raises ValueError if no text can say it."""
    if step.do == "wait":
        return f"wait {print_wait(step)}"
    if step.by:
        return _printed_at(step)
    match step:
        case Step("open", "", "", url, "", 0):
            normal_url(url)
            return f"open {url}" if _is_plain(url) else f"open <{url}>"
        case Step("press", "", "", key, "", 0) if not trouble_with_key(key):
            return f"press {key if key in KEYS else texts.quoted(key)}"
        case Step("scroll", "", "", "bottom", "", 0):
            return "scroll to bottom"
        case Step("run", "", "", script, "", 0):
            return f"run {_quoted(script)}"
    raise _unsayable(step)


def _printed_at(step: Step) -> str:
    place = _place(step)
    match step:
        case Step("click", text="", secret="", seconds=0):
            return f"click {place}"
        case Step("scroll", text="", secret="", seconds=0):
            return f"scroll to {place}"
        case Step("type", text="", secret=name, seconds=0) if name and not names.trouble_with(name):
            return f"type {place} secret {name if names.PLAIN.fullmatch(name) else texts.quoted(name)}"
        case Step("type" | "choose", text=text, secret="", seconds=0):
            return f"{step.do} {place} {_quoted(text)}"
    raise _unsayable(step)


def print_wait(step: Step) -> str:
    match step:
        case Step("wait", "", "", "", "", seconds) if 0 < seconds <= LONGEST_WAIT:
            return times.interval_text(timedelta(seconds=seconds))
        case Step("wait", "", "", "rest", "", 0):
            return "for rest"
        case Step("wait", by, _, "", "", 0) if by:
            return f"for {_place(step)}"
    raise _unsayable(step)


def _unsayable(step: Step) -> ValueError:
    """Returns the error for a step that no text can say: it is unknown, or its parts do not fit together."""
    if step.do not in get_args(Do):
        return ValueError(f"there is no step {short_text(step.do, 80)!r}")
    return ValueError(f"the step {shown(step).strip()!r} has a part that is missing, wrong or too much")


def _place(step: Step) -> str:
    if step.by not in ("css", "xpath", "text"):
        raise ValueError(f"the step {step.do} does not say where")
    return f"{step.by} {_quoted(step.argument)}"


def _quoted(text: str) -> str:
    if not text.strip() or texts.IMPOSSIBLE.search(text):
        raise ValueError("a text is empty or has a character that cannot be written")
    return texts.quoted(text)


def _is_plain(url: str) -> bool:
    from webvigil.language.parser import terminal

    return bool(terminal("URL").fullmatch(url))
