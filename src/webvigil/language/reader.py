"""The syntax tree of a sentinel in, the values of the model out.

Each method has the name of the rule in `sentinel.lark` that it turns into a value.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

from lark import Token, Transformer

from webvigil.errors import MistakeInText
from webvigil.language import mistakes, requests, stepping, texts, times, tokens
from webvigil.language.assembly import Clause, assembled, clause, finished, too_deep
from webvigil.language.change_types import alternatives, read_change_type
from webvigil.language.nesting import DEEPEST, depth
from webvigil.language.tokens import LARGEST_COUNT
from webvigil.model import sentinel as model
from webvigil.model.approach import Step
from webvigil.model.message import Message
from webvigil.model.message import trouble_with as trouble_with_message
from webvigil.model.request import Request
from webvigil.model.topics import LONGEST_TOGETHER, topics_text

_SIGNS = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!=", "below": "<", "above": ">"}
_NOTIFY_AT = {
    "IMMEDIATE": model.NotifyAt.IMMEDIATE,
    "EFFORT": model.NotifyAt.BEST_EFFORT,
    "INTERACTIVE": model.NotifyAt.INTERACTIVE,
}


def _hours(children: list[Any]) -> model.Hours:
    """Returns the hours at the end of a Fetch clause, or all hours if it names none."""
    return children[-1] if isinstance(children[-1], model.Hours) else model.ALWAYS


_InPart = tuple[Token, model.Part]


def _apart(children: list[Any]) -> tuple[list[Token], _InPart | None]:
    """Returns the words of a condition, and the part at its end that it is about, if it names one."""
    return (children[:-1], children[-1]) if isinstance(children[-1], tuple) else (children, None)


def _about_part(condition: model.Condition, part: _InPart | None) -> model.Condition:
    if part is None:
        return condition
    found = replace(condition, part=part[1])
    if trouble := model.no_part(found):
        raise mistakes.at(part[0], trouble)
    return found


class Reader(Transformer[Token, Any]):
    def __init__(self) -> None:
        """Gives the reader a method for each form of a change type, made from the row of the change type."""
        super().__init__()
        for name, kind, form in alternatives():
            setattr(self, name, partial(read_change_type, kind, form))

    # --- the whole -------------------------------------------------------------------------------

    def using(self, children: list[Any]) -> model.Sentinel:
        _, word, name, using, target, *clauses = children
        return assembled(name, [clause("target", target, using), *clauses], word)

    def as_clauses(self, children: list[Any]) -> model.Sentinel:
        _, word, name, _, *clauses = children
        return assembled(name, clauses, word)

    def alone(self, children: list[Any]) -> model.ChangeExpression:
        (expression,) = children
        if depth(expression) > DEEPEST:
            raise MistakeInText(too_deep("the expression"))
        return finished(expression, None)

    def name(self, children: list[Token]) -> str:
        return tokens.name_of(children[0])

    # --- which pages -----------------------------------------------------------------------------

    def target_clause(self, children: list[Any]) -> Clause:
        *words, target = children
        return clause("target", target, *words)

    def any_of_targets(self, children: list[Any]) -> model.Target:
        return model.SeveralTargets("OR", tuple(children))

    def all_of_targets(self, children: list[Any]) -> model.Target:
        return model.SeveralTargets("AND", tuple(children))

    def web_page(self, children: list[Token]) -> model.Target:
        return model.WebPage(tokens.url_of(children[0]))

    def form_page(self, children: list[Token]) -> model.Target:
        found = {token.type: token for token in children}
        verb: Any = found.get("VERB", "GET").upper()
        fields = tokens.fields_of(found["BRACED"]) if "BRACED" in found else ()
        return model.FormPage(tokens.url_of(found["URL"]), verb, fields)

    def request_page(self, children: list[Any]) -> model.Target:
        found = {one.type: one for one in children if isinstance(one, Token)}
        said = [one for one in children if isinstance(one, requests.Said)]
        request = requests.request_of(found.get("ASKING"), said)
        return model.RequestPage(tokens.url_of(found["URL"]), request)

    def asked(self, children: list[Any]) -> Request:
        verb = children[0] if children and isinstance(children[0], Token) else None
        return requests.request_of(verb, [one for one in children if isinstance(one, requests.Said)])

    def said(self, children: list[Token]) -> requests.Said:
        return requests.said_of(children)

    def sentinel_pages(self, children: list[Any]) -> model.Target:
        return model.SentinelPages(children[-1])

    def title(self, children: list[Token]) -> Clause:
        *words, text = children
        return clause("title", tokens.line_of(text, texts.unquoted), *words)

    # --- what counts as a change -----------------------------------------------------------------

    def monitor(self, children: list[Any]) -> Clause:
        *words, expression = children
        return clause("monitor", expression, *words)

    def described(self, children: list[Token]) -> Clause:
        *words, text = children
        return clause("described", text, *words)

    def any_of_changes(self, children: list[Any]) -> model.ChangeExpression:
        return model.Or(tuple(children))

    def all_of_changes(self, children: list[Any]) -> model.ChangeExpression:
        return model.And(tuple(children))

    def no_change(self, children: list[Any]) -> model.ChangeExpression:
        return model.Not(children[0])

    # --- when to look, and for how long ----------------------------------------------------------

    def fetch(self, children: list[Any]) -> Clause:
        word, when = children
        return clause("fetch", when, word)

    def fetch_every(self, children: list[Any]) -> model.FetchWhen:
        interval = next(one for one in children if isinstance(one, timedelta))
        return model.FetchEvery(interval, _hours(children))

    def fetch_on_change(self, children: list[Any]) -> model.FetchWhen:
        return model.FetchOnChange(_hours(children))

    def fetch_at(self, children: list[Any]) -> model.FetchWhen:
        times_, days = [one for one in children[1:] if isinstance(one, Token)], children[-1]
        minutes = {tokens.clock_of(one) for one in times_}
        return model.FetchAt(tuple(sorted(minutes)), days if isinstance(days, tuple) else ())

    def fetch_cron(self, children: list[Token]) -> model.FetchWhen:
        return model.FetchCron(" ".join(tokens.text_of(children[1], texts.whole).split()))

    def hours(self, children: list[Any]) -> model.Hours:
        days = next((one for one in children if isinstance(one, tuple)), ())
        between = next((one for one in children if isinstance(one, list)), [])
        return model.Hours(days, tuple(sorted(set(between))))

    def on_days(self, children: list[Token]) -> tuple[int, ...]:
        days = sorted({day for word in children for day in tokens.days_of(word)})
        return () if len(days) == len(model.WEEKDAYS) else tuple(days)

    def between(self, children: list[tuple[int, int]]) -> list[tuple[int, int]]:
        return children

    def between_one(self, children: list[Token]) -> tuple[int, int]:
        word, start, end = children
        span = tokens.clock_of(start), tokens.clock_of(end, last=model.MINUTES_OF_A_DAY)
        if span[0] == span[1]:
            raise mistakes.at(word, f"between {start} and {end} is no time; leave it out for the whole day")
        return span

    def trigger(self, children: list[Any]) -> list[Clause]:
        first, second, *parts = children
        return [
            clause("fetch" if isinstance(part, model.FetchWhen) else "when", part, first, second)
            for part in parts
        ]

    def interval(self, children: list[Token]) -> timedelta:
        pairs = zip(children[::2], children[1::2], strict=True)
        length = sum((tokens.interval_of(number, unit) for number, unit in pairs), timedelta(0))
        if length > times.LONGEST:
            raise mistakes.at(children[0], times.TOO_LONG)
        return length

    def life(self, children: list[Any]) -> Clause:
        spans = tuple(span for span, _ in children)
        return clause("life", spans, children[0][1])

    def span(self, children: list[Any]) -> tuple[model.LifeSpan, Token]:
        ends = {
            word.type: tokens.end_of(word, point)
            for word, point in zip(children[::2], children[1::2], strict=True)
        }
        return model.LifeSpan(ends.get("FROM"), ends.get("TO")), children[0]

    def start_condition(self, children: list[Any]) -> Clause:
        *words, point = children
        return clause("life", (model.LifeSpan(start=point),), *words)

    def stop_condition(self, children: list[Any]) -> Clause:
        *words, point = children
        return clause("life", (model.LifeSpan(end=tokens.end_of(words[0], point)),), *words)

    def point(self, children: list[Any]) -> model.TimePoint:
        word, *rest = children
        plus = rest.pop() if rest and isinstance(rest[-1], timedelta) else timedelta(0)
        if word.type in {"NOW", "DATE"}:
            return model.AtTime(tokens.moment_of(word, plus) if word.type == "DATE" else None, plus)
        if word.type == "DURING" and plus:
            raise mistakes.at(
                word, "during(…) means now, while that sentinel is active; it takes no + interval"
            )
        return model.AtEvent(word.lower(), rest[0], plus)

    # --- whom to tell, and how often -------------------------------------------------------------

    def notify(self, children: list[Any]) -> Clause:
        first, second, *contacts = children
        return clause("contacts", tuple(contacts), first, second)

    def contact(self, children: list[Token]) -> model.Contact:
        channel, *address = children
        if channel.type != "ADDRESS":
            name = "bulletin" if channel.type == "BULLETIN" else channel.lower()
            return model.Contact(name, tokens.address_of(address[0]) if address else "")
        if "://" not in channel and "@" not in channel:
            example = f"sms {mistakes.short(channel)}"
            raise mistakes.at(channel, f"say how to reach {mistakes.shown(channel)}, for example: {example}")
        return model.Contact("webhook" if "://" in channel else "email", tokens.address_of(channel))

    def every(self, children: list[Any]) -> Clause:
        *words, when = children
        return clause("notify", when, *words)

    def every_when(self, children: list[Any]) -> model.NotifyWhen:
        first = children[0]
        if isinstance(first, timedelta):
            return model.NotifyEvery(first)
        if first.type == "NUMBER":
            return model.NotifyEachChanges(tokens.count_of(first, 1, LARGEST_COUNT))
        return _NOTIFY_AT[first.type]

    # --- what to compare, and when it is worth telling -------------------------------------------

    def compare(self, children: list[Any]) -> list[Clause]:
        word, how, *said = children
        by = [clause("by_loctags", True, one) for one in said if one.type == "LOCTAGS"]
        n = [one for one in said if one.type == "NUMBER"]
        least = 2 if how.type == "MOVING" else 1
        count = tokens.count_of(n[0], least, LARGEST_COUNT) if n else 1
        return [clause("compare", model.Compare(how.lower(), count), word), *by]

    def within(self, children: list[Any]) -> Clause:
        word, *parts = children
        return clause("within", tuple(parts), word)

    def ignore(self, children: list[Any]) -> Clause:
        word, *parts = children
        return clause("ignore", tuple(parts), word)

    def part(self, children: list[Token]) -> model.Part:
        by, text = children[0], children[-1]
        if by.type == "MAIN":
            return model.MAIN
        if by.type == "WORDS":
            return model.Part("words", tokens.texts_of(text, texts.words))
        kind: Any = "regex" if by.type == "SLASHED" else by.lower()
        return model.Part(kind, tokens.selector_of(text, kind))

    def quiet(self, children: list[Any]) -> list[Clause]:
        word, switch, *parts = children
        if not parts:
            return [clause("quiet", switch.lower(), word)]
        if switch.lower() == "off":
            raise mistakes.at(switch, "Quiet off tells everything; there is nothing to except from it")
        return [clause("quiet", "on", word), clause("loud", tuple(parts[1:]), word)]

    def only(self, children: list[Token]) -> Clause:
        word, new = children
        return clause("only", new.lower(), word)

    def when(self, children: list[Any]) -> Clause:
        word, condition = children
        return clause("when", condition, word)

    def any_condition(self, children: list[Any]) -> model.WhenCondition:
        return model.AnyCondition(tuple(children))

    def all_conditions(self, children: list[Any]) -> model.WhenCondition:
        return model.AllConditions(tuple(children))

    def no_condition(self, children: list[Any]) -> model.WhenCondition:
        return model.NotCondition(children[0])

    def comparison(self, children: list[Any]) -> model.WhenCondition:
        (subject, operator, number, *percent), part = _apart(children)
        sign = _SIGNS.get(operator.lower(), operator.lower())
        unit = "%" if percent else ""
        return _about_part(model.Condition(subject.lower(), sign, tokens.number_of(number), unit), part)

    def appearance(self, children: list[Any]) -> model.WhenCondition:
        (word, *regex, text), part = _apart(children)
        if regex or text.type == "SLASHED":
            found = model.Condition(word.lower(), "matches", text=tokens.text_of(text, texts.pattern))
        else:
            found = model.Condition(word.lower(), text=tokens.text_of(text, texts.whole))
        return _about_part(found, part)

    def matching(self, children: list[Any]) -> model.WhenCondition:
        (_, text), part = _apart(children)
        found = model.Condition("contains", "matches", text=tokens.text_of(text, texts.pattern))
        return _about_part(found, part)

    def in_part(self, children: list[Token]) -> tuple[Token, model.Part]:
        """Returns a part with the word before it, for a message about the part."""
        word, *part = children
        return word, self.part(part)

    def stock(self, children: list[Token]) -> model.WhenCondition:
        return model.Condition("in stock" if children[0].type == "IN" else "out of stock")

    def range(self, children: list[Any]) -> model.WhenCondition:
        (subject, word, lower, upper), part = _apart(children)
        ends = tokens.number_of(lower), tokens.number_of(upper)
        if ends[0] > ends[1]:
            raise mistakes.at(word, f"between {lower} and {upper} is nothing; the smaller number comes first")
        return _about_part(model.Condition(subject.lower(), "between", ends[0], upper=ends[1]), part)

    def status_condition(self, children: list[Token]) -> model.WhenCondition:
        subject, *sign, number = children
        operator = _SIGNS.get(sign[0], str(sign[0])) if sign else "="
        return model.Condition(subject.lower(), operator, float(tokens.count_of(number, 0, 999)))

    def meaning(self, children: list[Token]) -> model.WhenCondition:
        word, text = children
        question = " ".join(tokens.text_of(text, texts.whole).split())
        if trouble := model.no_question(question):
            raise mistakes.at(text, trouble)
        return model.Condition(word.lower(), text=question)

    def becoming(self, children: list[Any]) -> model.WhenCondition:
        word, condition = children
        if trouble := model.no_state(condition):
            raise mistakes.at(word, trouble)
        return model.Becomes(condition)

    # --- the rest --------------------------------------------------------------------------------

    def depth(self, children: list[Token]) -> Clause:
        word, number = children
        return clause("depth", tokens.count_of(number, 0, 2), word)

    def render(self, children: list[Any]) -> list[Clause]:
        word, engine, *waiting = children
        found = [clause("render", engine.lower(), word)]
        if waiting and engine.lower() != "browser":
            raise mistakes.at(engine, "only a browser waits; write Render browser wait …")
        return [*found, *(clause("wait", one, word) for one in waiting)]

    def steps(self, children: list[Any]) -> Clause:
        word, *steps = children
        return clause("steps", stepping.steps_of(word, steps), word)

    def step(self, children: list[Any]) -> Step:
        return stepping.step_of(children)

    def place(self, children: list[Token]) -> stepping.Place:
        return stepping.place_of(children)

    def waiting(self, children: list[Any]) -> Step:
        return stepping.waiting_of(*children)

    def through(self, children: list[Token]) -> Clause:
        word, name = children
        return clause("through", tokens.name_of(name), word)

    def agent(self, children: list[Token]) -> Clause:
        word, text = children
        return clause("agent", stepping.agent_of(text), word)

    def timeout(self, children: list[Any]) -> Clause:
        word, length = children
        return clause("timeout", length, word)

    def topic(self, children: list[Token]) -> Clause:
        word, *names = children
        topics = tuple(dict.fromkeys(one for name in names for one in tokens.topics_of(name)))
        if len(topics_text(topics)) > LONGEST_TOGETHER:
            raise mistakes.at(word, f"topics have at most {LONGEST_TOGETHER} letters together")
        return clause("topics", topics, word)

    def message(self, children: list[Token]) -> Clause:
        word, *said = children
        said_by = {
            name.lower(): tokens.text_of(text, texts.unquoted)
            for name, text in zip(said[::2], said[1::2], strict=True)
        }
        message = Message(**said_by)
        if trouble := trouble_with_message(message):
            raise mistakes.at(word, trouble)
        return clause("message", message, word)

    def summary(self, children: list[Token]) -> Clause:
        word, switch = children
        return clause("summary", switch.lower(), word)

    def priority(self, children: list[Token]) -> Clause:
        word, number = children
        return clause("priority", tokens.count_of(number, 0, LARGEST_COUNT), word)

    def present(self, children: list[Token]) -> Clause:
        word, look = children
        return clause("present", look.lower(), word)
