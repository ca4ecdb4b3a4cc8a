"""Every sentinel that can be said: strategies over the whole model."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

from hypothesis import strategies as st

from webvigil.language import names
from webvigil.model.approach import Step
from webvigil.model.change_types import KINDS, LARGEST_CONTEXT, Kind, Takes
from webvigil.model.message import Message
from webvigil.model.request import Header, Request
from webvigil.model.sentinel import (
    LONGEST_QUESTION,
    MAIN,
    AllConditions,
    And,
    AnyCondition,
    AtEvent,
    AtTime,
    Becomes,
    ChangeType,
    Compare,
    Condition,
    Contact,
    FetchAt,
    FetchCron,
    FetchEvery,
    FetchOnChange,
    FormPage,
    Hours,
    LifeSpan,
    Not,
    NotCondition,
    NotifyAt,
    NotifyEachChanges,
    NotifyEvery,
    Or,
    Part,
    RequestPage,
    Sentinel,
    SentinelPages,
    SeveralTargets,
    WebPage,
)
from webvigil.model.topics import LONGEST_TOGETHER, topics_text

# Letters, and everything that means something in the language, so that it is met often.
_MEANINGFUL = st.text(
    st.sampled_from("ab \\\"'{},/:;<>()[]=-+%#@\n\r\t\u202e\u200f\u2028é中😀nrtu0"), max_size=12
)
_SNIPPETS = st.sampled_from(
    [
        "--",
        "Create Sentinel x Using",
        '"',
        "'",
        "\\",
        "\\n",
        "\\u0041",
        "{",
        "}",
        "{a}",
        "/",
        "a, b",
        "12/31/2026",
        "AND",
    ]
)
_ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
texts = st.one_of(_MEANINGFUL, _ANY, _SNIPPETS, st.tuples(_SNIPPETS, _MEANINGFUL).map("".join)).filter(
    str.strip
)

_PLAIN_NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,5}([-.][a-z0-9]{1,3})?", fullmatch=True)
sentinel_names = st.one_of(
    _PLAIN_NAMES,
    st.sampled_from(
        ["Monitor", "s1", "And", "create", "Straße", "映画", "news of the day", 'the "best"', "a--b", "it's"]
    ),
    st.text(st.characters(categories=["L", "N", "P", "S"], exclude_characters="/\\"), max_size=8).map(
        lambda name: names.normal(f"n{name}")
    ),
)
intervals = st.one_of(st.integers(1, 10_000), st.integers(1, 36525 * 86400)).map(
    lambda seconds: timedelta(seconds=seconds)
)
urls = st.sampled_from(
    [
        "https://www.cnn.com/",
        "http://www.imdb.com",
        "https://example.org/a--b?q=1&r=it's#top",
        "https://en.wikipedia.org/wiki/Go_(game)",
        "https://example.org/a)b(c",
        "https://example.org/{id},",
        'https://example.org/"quoted";',
        "https://[::1]:8080/",
        "https://bücher.example/ü",
        "HTTPS://user:pw@Example.ORG:444/x,y",
    ]
)
_FIELDS = st.lists(st.tuples(texts, st.one_of(st.just(""), texts)), max_size=3).map(tuple)
_HEADERS = st.lists(
    st.builds(
        Header,
        st.sampled_from(["Accept", "X-Api-Key", "x.y", "X!", "Content-Type"]),
        st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=12),
        st.one_of(st.just(""), sentinel_names),
    ),
    max_size=3,
    unique_by=lambda header: header.name,
).map(tuple)
_BODIES = st.one_of(
    st.just({"kind": ""}),
    st.recursive(
        st.one_of(st.none(), st.integers(), texts),
        lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(texts, inner, max_size=2)),
        max_leaves=4,
    ).map(lambda data: {"kind": "json", "body": json.dumps(data, ensure_ascii=False)}),
    texts.map(lambda text: {"kind": "body", "body": text}),
    _FIELDS.map(lambda fields: {"kind": "form", "fields": fields}),
)
_REQUESTS = st.builds(
    lambda method, headers, query, body: Request(method=method, headers=headers, query=query, **body),
    st.sampled_from(["POST", "PUT", "PATCH"]),
    _HEADERS,
    _FIELDS,
    _BODIES,
)
_TARGET = st.one_of(
    st.builds(RequestPage, urls, _REQUESTS),
    st.builds(RequestPage, urls, st.builds(Request, headers=_HEADERS, query=_FIELDS)),
    st.builds(WebPage, urls),
    st.builds(FormPage, urls, st.sampled_from(["GET", "POST"]), _FIELDS),
    st.builds(SentinelPages, sentinel_names),
)


def _some(inner):
    return st.lists(inner, min_size=2, max_size=3).map(tuple)


targets = st.recursive(
    _TARGET,
    lambda inner: st.builds(SeveralTargets, st.sampled_from(["AND", "OR"]), _some(inner)),
    max_leaves=4,
)


def _option(written: str) -> st.SearchStrategy[str]:
    return st.integers(1, LARGEST_CONTEXT).map(lambda number: written.replace("#", str(number)))


def _of_kind(kind: Kind) -> st.SearchStrategy[ChangeType]:
    forms = [st.just(ChangeType(kind.name, (), option)) for option in kind.bare]
    most = 4 if kind.takes in {Takes.WORDS, Takes.ITEMS, Takes.PHRASES} else 1
    arguments = st.lists(texts, min_size=1, max_size=most).map(tuple)
    forms += [
        st.builds(ChangeType, st.just(kind.name), arguments, _option(option)) for option in kind.options
    ]
    return st.one_of(forms)


change_types = st.sampled_from(sorted(KINDS)).flatmap(lambda name: _of_kind(KINDS[name]))
expressions = st.recursive(
    change_types,
    lambda inner: st.one_of(st.builds(Not, inner), st.builds(And, _some(inner)), st.builds(Or, _some(inner))),
    max_leaves=6,
)

_COMPARISONS = st.sampled_from(["<", "<=", ">", ">=", "=", "!="])
_NUMBERS = st.one_of(st.integers(-1000, 10_000).map(float), st.floats(allow_nan=False, allow_infinity=False))
_UNITS = st.sampled_from(["", "%"])
_AMOUNTS = st.sampled_from(["changed", "inserted", "deleted", "updated", "moved", "score"])
_MOVES = st.sampled_from(["drops", "rises", "moves"])
_PARTS_OF_TEXT = st.one_of(st.just(MAIN), st.builds(Part, st.sampled_from(["css", "xpath", "json"]), texts))
_PARTS_OF_VALUE = st.builds(Part, st.sampled_from(["css", "xpath", "json", "regex"]), texts)


def _question(text: str) -> str:
    """Returns a sentence that can stand behind `means`."""
    return " ".join(text.split())[:LONGEST_QUESTION].strip() or "x"


_CONDITION = st.one_of(
    st.builds(Condition, _AMOUNTS, _COMPARISONS, _NUMBERS, _UNITS),
    st.builds(Condition, st.just("value"), _COMPARISONS, _NUMBERS, _UNITS),
    st.builds(Condition, st.just("value"), _MOVES, _NUMBERS, _UNITS),
    st.builds(Condition, st.sampled_from(["appears", "disappears", "contains"]), text=texts),
    st.builds(
        Condition, st.sampled_from(["appears", "disappears", "contains"]), st.just("matches"), text=texts
    ),
    st.builds(
        Condition,
        st.sampled_from(["appears", "disappears", "contains"]),
        st.sampled_from(["", "matches"]),
        text=texts,
        part=_PARTS_OF_TEXT,
    ),
    st.builds(Condition, st.just("value"), _COMPARISONS, _NUMBERS, _UNITS, part=_PARTS_OF_VALUE),
    st.builds(Condition, st.just("value"), _MOVES, _NUMBERS, _UNITS, part=_PARTS_OF_VALUE),
    st.builds(Condition, st.just("price"), st.one_of(_COMPARISONS, _MOVES), _NUMBERS, _UNITS),
    st.builds(Condition, st.just("means"), text=texts.map(_question)),
    st.builds(Condition, st.sampled_from(["in stock", "out of stock"])),
    st.builds(Condition, st.just("status"), _COMPARISONS, st.integers(0, 999).map(float)),
    st.tuples(_NUMBERS, _NUMBERS).map(lambda two: Condition("value", "between", min(two), upper=max(two))),
    st.tuples(_NUMBERS, _NUMBERS).map(lambda two: Condition("price", "between", min(two), upper=max(two))),
)


def _joined(inner):
    return st.one_of(
        st.builds(NotCondition, inner),
        st.builds(AllConditions, _some(inner)),
        st.builds(AnyCondition, _some(inner)),
    )


_STATE = st.recursive(_CONDITION.filter(lambda one: one.is_state), _joined, max_leaves=3)
conditions = st.recursive(st.one_of(_CONDITION, st.builds(Becomes, _STATE)), _joined, max_leaves=5)

_ZONES = st.one_of(
    st.none(), st.integers(-12 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
)
_YEARS = {"min_value": datetime(1, 1, 3), "max_value": datetime(9899, 12, 1)}
moments = st.one_of(
    st.datetimes(**_YEARS, timezones=_ZONES),
    st.datetimes(**_YEARS).map(lambda time: time.replace(hour=0, minute=0, second=0, microsecond=0)),
)
_PLUS = st.one_of(st.just(timedelta(0)), intervals)
_TIMES = st.builds(AtTime, st.one_of(st.none(), moments), _PLUS)
_ENDS = st.one_of(_TIMES, st.builds(AtEvent, st.sampled_from(["start", "end"]), sentinel_names, _PLUS))
_STARTS = st.one_of(_ENDS, st.builds(AtEvent, st.just("during"), sentinel_names))
_SPANS = st.one_of(
    st.builds(LifeSpan, start=_STARTS), st.builds(LifeSpan, end=_ENDS), st.builds(LifeSpan, _STARTS, _ENDS)
)

_ADDRESSES = st.one_of(
    st.sampled_from(
        ["", "jill@example.org", "https://example.org/hook,1", "+1-555-0100", "#news", "[a@b](mailto:c@d)"]
    ),
    texts,
)
_CONTACTS = st.builds(
    Contact, st.sampled_from(["email", "webhook", "log", "fax", "pda", "bulletin", "feed"]), _ADDRESSES
)
_NOTIFY = st.one_of(
    st.builds(NotifyEvery, intervals),
    st.builds(NotifyEachChanges, st.integers(1, 1_000_000)),
    st.sampled_from(NotifyAt),
)
_COMPARE = st.one_of(
    st.just(Compare()),
    st.builds(Compare, st.just("every"), st.integers(1, 1_000_000)),
    st.builds(Compare, st.just("moving"), st.integers(2, 1_000_000)),
)
_PARTS = st.one_of(
    st.builds(Part, st.sampled_from(["css", "xpath", "json", "regex"]), texts),
    st.builds(Part, st.just("words"), st.lists(texts, min_size=1, max_size=3).map(tuple)),
    st.just(MAIN),
)

_DAYS = st.sets(st.integers(0, 6), max_size=6).map(lambda days: tuple(sorted(days)))
_SPAN = st.tuples(st.integers(0, 1439), st.integers(0, 1440)).filter(lambda span: span[0] != span[1])
hours = st.builds(Hours, _DAYS, st.sets(_SPAN, max_size=2).map(lambda spans: tuple(sorted(spans))))
_CLOCKS = st.sets(st.integers(0, 1439), min_size=1, max_size=3).map(lambda times: tuple(sorted(times)))
fetching = st.one_of(
    st.builds(FetchEvery, intervals, st.one_of(st.just(Hours()), hours)),
    st.builds(FetchOnChange, hours),
    st.builds(FetchAt, _CLOCKS, _DAYS),
    st.builds(FetchCron, st.sampled_from(["*/5 8-17 * * 1-5", "0 0 L * *", "@daily"])),
)


def _maybe(inner):
    return st.one_of(st.none(), inner)


_SOME_PARTS = st.lists(_PARTS, max_size=2).map(tuple)
_QUIET = st.one_of(
    st.just({}),
    st.just({"quiet": "off"}),
    st.builds(lambda loud: {"quiet": "on", "loud": loud}, _SOME_PARTS),
)


_BY = st.sampled_from(["css", "xpath", "text"])
_WAITS = st.one_of(
    st.builds(Step, st.just("wait"), seconds=st.integers(1, 60)),
    st.builds(Step, st.just("wait"), _BY, texts),
    st.just(Step("wait", text="rest")),
)
_STEPS = st.one_of(
    st.builds(Step, st.sampled_from(["click", "scroll"]), _BY, texts),
    st.builds(Step, st.sampled_from(["type", "choose"]), _BY, texts, texts),
    st.builds(Step, st.just("type"), _BY, texts, secret=sentinel_names),
    st.builds(
        Step, st.just("press"), text=st.sampled_from(["Enter", "Control+a", "F5", "+", "Shift++", '"'])
    ),
    st.builds(Step, st.just("open"), text=st.sampled_from(["https://example.org/a", "http://a.test/?q={a}"])),
    st.builds(Step, st.just("run"), text=texts),
    st.just(Step("scroll", text="bottom")),
    _WAITS,
)
_RENDER = st.one_of(
    st.just({}),
    st.just({"render": "http"}),
    st.builds(lambda wait: {"render": "browser", "wait": wait}, _maybe(_WAITS)),
)


def _sentinel(quiet, render, **clauses):
    return Sentinel(**clauses, **quiet, **render)


_TOPICS = sentinel_names.filter(lambda name: "," not in name)


def _together(topics: list[str]) -> tuple[str, ...]:
    """Returns as many of the topics as a sentinel can have."""
    return tuple(topics) if len(topics_text(topics)) <= LONGEST_TOGETHER else tuple(topics[:1])


sentinels = st.builds(
    _sentinel,
    quiet=_QUIET,
    only=_maybe(st.just("new")),
    name=sentinel_names,
    target=targets,
    title=_maybe(texts),
    monitor=_maybe(expressions),
    fetch=_maybe(fetching),
    life=st.lists(_SPANS, max_size=3).map(tuple),
    contacts=st.lists(_CONTACTS, max_size=3).map(tuple),
    notify=_maybe(_NOTIFY),
    compare=_maybe(_COMPARE),
    within=_SOME_PARTS,
    ignore=_SOME_PARTS,
    when=_maybe(conditions),
    depth=_maybe(st.integers(0, 2)),
    steps=st.lists(_STEPS, max_size=4).map(tuple),
    render=_RENDER,
    through=_maybe(sentinel_names),
    agent=_maybe(st.sampled_from(["WebVigil", 'Mozilla/5.0 "x" (compatible; webvigil/0.1)'])),
    timeout=_maybe(intervals),
    topics=st.lists(_TOPICS, max_size=3, unique=True).map(_together),
    message=_maybe(
        st.sampled_from(
            [
                Message(title="{{ label }} is {{after}} now"),
                Message(body='{"text": "{{ headline }}"}\n\t\\ {{ changes }}'),
                Message(" Neues: {{ url }} ", "a\n\n{{ report }}"),
            ]
        )
    ),
    priority=_maybe(st.integers(0, 1_000_000)),
    summary=_maybe(st.sampled_from(["on", "off"])),
    present=_maybe(st.sampled_from(["dual", "single", "only", "auto"])),
)
