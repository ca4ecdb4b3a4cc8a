"""Every clause of the language is read as it is meant (L1-L8)."""

from __future__ import annotations

import logging
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from pathlib import Path

import lark
import pytest

from webvigil.errors import MistakeInText
from webvigil.language import parse, parse_expression, parse_request, print_expression, print_sentinel
from webvigil.language.parser import grammar
from webvigil.model.change_types import KINDS, Takes, trouble_with
from webvigil.model.request import Header, Request
from webvigil.model.sentinel import (
    AllConditions,
    And,
    AnyCondition,
    AtEvent,
    AtTime,
    ChangeType,
    Compare,
    Condition,
    Contact,
    FetchEvery,
    FetchOnChange,
    FormPage,
    LifeSpan,
    Not,
    NotCondition,
    NotifyAt,
    NotifyEachChanges,
    NotifyEvery,
    Or,
    Part,
    RequestPage,
    SentinelPages,
    SeveralTargets,
    WebPage,
)

EXAMPLES = sorted(
    path for path in (Path(__file__).parent / "examples").glob("*.txt") if not path.match("*.canonical.txt")
)
LINKS, IMAGES, VISUAL = ChangeType("all links"), ChangeType("all images"), ChangeType("visual")


def the(clauses: str):
    (one,) = parse(f"Create Sentinel s1 Using https://example.org/ {clauses}")
    return one


def target_of(text: str):
    (one,) = parse(f"Create Sentinel s1 Using {text}")
    return one.target


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("request https://a.example/", Request()),
        ("request put https://a.example/", Request(method="PUT")),
        (
            'request POST https://a.example/ json {"a": {"b": {"c": ["}"]}}}',
            Request(method="POST", kind="json", body='{"a": {"b": {"c": ["}"]}}}'),
        ),
        (
            r"""request POST https://a.example/ body "one\ntwo" query {a = "b c", d =}""",
            Request(method="POST", kind="body", body="one\ntwo", query=(("a", "b c"), ("d", ""))),
        ),
        (
            'request https://a.example/ header Accept "text/csv" header "X!" "Key " secret "my key"',
            Request(headers=(Header("Accept", "text/csv"), Header("X!", "Key ", "my key"))),
        ),
        (
            "request PATCH https://a.example/ header Authorization secret token form {a = 1, a = 2}",
            Request(
                method="PATCH",
                headers=(Header("Authorization", "", "token"),),
                kind="form",
                fields=(("a", "1"), ("a", "2")),
            ),
        ),
    ],
)
def test_a_request_says_how_a_page_is_asked_for(text: str, request_: Request):
    assert target_of(text) == RequestPage("https://a.example/", request_)
    assert parse_request(text.removeprefix("request").replace("https://a.example/", "")) == request_


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_of_the_sources_read(path):  # L1
    sentinels = parse(path.read_text("utf-8"))
    canonical = path.with_suffix(".canonical.txt").read_text("utf-8")
    assert "\n".join(map(print_sentinel, sentinels)) == canonical
    assert parse(canonical) == sentinels


# --- the two dialects (L1) ------------------------------------------------------------------------


def test_both_dialects_mean_the_same():
    webvigil = """Create Sentinel s1 Using https://example.org/ Title "A page" Monitor phrase: {low risk}
        Fetch 1 day From 07/01/2026 To 06/30/2027 Notify By email jill@example.org Every 1 week"""
    webcq = """CREATE SENTINEL s1 AS
        Sentinel Name A page
        Sentinel Type phrase
        Sentinel Target https://example.org/
        Sentinel Object low risk
        Trigger Condition 1 day
        Notification Condition 1 week
        Notification Method jill@example.org
        Start Condition July 1, 2026
        Stop Condition June 30, 2027"""
    assert parse(webcq) == parse(webvigil)


def test_clauses_come_in_any_order():
    clauses = [
        "Monitor all links",
        "Fetch 2 day",
        "Compare every 3",
        "Topic news",
        "To 12/31/2026",
        "Priority 2",
    ]
    assert the(" ".join(clauses)) == the("\n".join(reversed(clauses)))


def test_keywords_may_be_in_any_case():
    assert parse("cREATE sENTINEL s1 uSING https://example.org/ mONITOR ALL LINKS aNd NoT vIsUaL") == parse(
        "Create Sentinel s1 Using https://example.org/ Monitor all links AND NOT visual"
    )


def test_names_keep_their_case():
    assert parse("Create Sentinel S1 Using sentinel s1")[0].name == "S1"


def test_keywords_may_be_names():
    (one,) = parse("Create Sentinel Monitor Using sentinel Using From start(Now) Topic Fetch Fetch on change")
    assert (one.name, one.target, one.topics) == ("Monitor", SentinelPages("Using"), ("Fetch",))


def test_comments_end_with_their_line():
    assert the("-- Monitor visual\nMonitor all links--AND visual\n--end") == the("Monitor all links")


@pytest.mark.parametrize(
    ("clauses", "meant"),
    [
        ("Monitor phrase: {a -- b}", ("phrase", "a -- b")),
        ('Monitor phrase: "a -- b"', ("phrase", "a -- b")),
        ("Monitor phrase: {two\n  -- lines}", ("phrase", "two -- lines")),
    ],
)
def test_dashes_in_texts_are_no_comments(clauses, meant):
    assert (the(clauses).monitor.kind, *the(clauses).monitor.arguments) == meant


def test_dashes_in_addresses_are_no_comments():
    assert target_of("https://example.org/a--b--c -- here") == WebPage("https://example.org/a--b--c")


def test_an_empty_text_has_no_sentinels():
    assert parse("") == parse(" \n\t -- nothing\n") == parse("\ufeff") == []


def test_a_byte_order_mark_is_passed_over():
    assert parse("\ufeffCreate Sentinel s1 Using https://example.org/")[0].name == "s1"


def test_windows_line_ends_are_fine():
    text = "Create Sentinel s1 Using https://example.org/\r\nMonitor all links -- x\r\nFetch 2 day\r\n"
    assert parse(text) == parse(text.replace("\r\n", "\n"))


def test_words_that_begin_a_sentinel_may_stand_in_texts():
    clauses = (
        'Monitor phrase: {Create Sentinel a Using b} Title "Create Sentinel c" Ignore /Create Sentinel d/'
    )
    assert the(clauses).title == "Create Sentinel c"


# --- change expressions (L2) ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("all links AND all images OR visual", Or((And((LINKS, IMAGES)), VISUAL))),
        ("all links AND (all images OR visual)", And((LINKS, Or((IMAGES, VISUAL))))),
        ("NOT all links AND all images", And((Not(LINKS), IMAGES))),
        ("NOT (all links AND all images)", Not(And((LINKS, IMAGES)))),
        ("all links OR all images OR visual", Or((LINKS, IMAGES, VISUAL))),
        ("(all links OR all images) OR visual", Or((Or((LINKS, IMAGES)), VISUAL))),
        ("((all links))", LINKS),
        ("NOT NOT all links", Not(Not(LINKS))),
    ],
)
def test_not_binds_before_and_before_or(text, meant):
    assert parse_expression(text) == meant


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_every_change_type_can_be_said(kind):
    assert not trouble_with(kind.example)
    assert parse_expression(print_expression(kind.example)) == kind.example


@pytest.mark.parametrize(
    ("synonym", "kind"), [(synonym, kind) for kind in KINDS.values() for synonym in kind.synonyms], ids=str
)
def test_every_synonym_means_its_change_type(synonym, kind):
    text = "" if kind.takes is Takes.NOTHING or "" in kind.bare else ": {a}"
    assert parse_expression(synonym + text).kind == kind.name


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("keywords : {merger, takeover}", ChangeType("keywords", ("merger", "takeover"))),
        ("keywords {hostile takeover, merger,}", ChangeType("keywords", ("hostile takeover", "merger"))),
        (r'keywords: {"a, b", c\, d, e\"f}', ChangeType("keywords", ("a, b", "c, d", 'e"f'))),
        ('keywords "merger"', ChangeType("keywords", ("merger",))),
        ("keywords all {a, b} appear", ChangeType("keywords", ("a", "b"), "all appear")),
        ("keywords all : {a} disappear", ChangeType("keywords", ("a",), "all disappear")),
        ("phrase : {Hello, world}", ChangeType("phrase", ("Hello, world",))),
        ('phrase: {"Hello, world", "Bye"}', ChangeType("phrase", ("Hello, world", "Bye"))),
        ('phrase: {he said "no" twice}', ChangeType("phrase", ('he said "no" twice',))),
        ("phrase: {over\n   two lines}", ChangeType("phrase", ("over two lines",))),
        ("phrase: {a b} context 5", ChangeType("phrase", ("a b",), "context 5")),
        ("phrase: {a b} Context 05 Tags", ChangeType("phrase", ("a b",), "context 5 tags")),
        ("phrase: {a b} context tags", ChangeType("phrase", ("a b",), "context tags")),
        ("phrase: {a b} context 12 words", ChangeType("phrase", ("a b",), "context 12")),
        ("phrase: {a b} context words", ChangeType("phrase", ("a b",))),
        (r"phrase: {a \{b\} c\\}", ChangeType("phrase", ("a {b} c\\",))),
        ("phrase: {a {b} c}", ChangeType("phrase", ("a {b} c",))),
        ("phrase 'it\\'s'", ChangeType("phrase", ("it's",))),
        ("all words except {the of}", ChangeType("all words", ("the", "of"), "except")),
        ('all words except {"New York", of}', ChangeType("all words", ("New York", "of"), "except")),
        ("all images content", ChangeType("all images", (), "content")),
        ("table : {Opening hours}", ChangeType("table", ("Opening hours",))),
        ("table: {3}", ChangeType("table", ("3",))),
        ('table: {caption "Prices"}', ChangeType("table", ("Prices",), "caption")),
        ('list css "#news"', ChangeType("list", ("#news",), "css")),
        ('list css "#news" text only', ChangeType("list", ("#news",), "css text only")),
        ('table: {caption "Prices"} text only', ChangeType("table", ("Prices",), "caption text only")),
        ("keywords part {a, b}", ChangeType("keywords", ("a", "b"), "part")),
        ("keywords all part {a, b} appear", ChangeType("keywords", ("a", "b"), "all part appear")),
        (
            r"regular expression : {\d{3}-\w+} in source",
            ChangeType("regular expression", (r"\d{3}-\w+",), "in source"),
        ),
        (r"regex /a\/b\d/ in text", ChangeType("regular expression", (r"a/b\d",), "in text")),
        (r'regular expression: {"a": "\d"}', ChangeType("regular expression", (r'"a": "\d"',))),
        (r'regular expression: "\d+\\"', ChangeType("regular expression", ("\\d+\\",))),
        ("arbitrary text change: {x}", ChangeType("regular expression", ("x",))),
        (r'value regex "(\d+) EUR"', ChangeType("value", (r"(\d+) EUR",), "regex")),
        ('value json "$.price"', ChangeType("value", ("$.price",), "json")),
        (r'phrase: {"\ud83d\ude00 \u00e9\n"}', ChangeType("phrase", ("😀 é\n",))),
    ],
)
def test_texts_of_change_types(text, meant):  # section 9
    assert parse_expression(text) == meant


def test_the_types_of_webcq_take_their_object():  # CQ Table 1
    def webcq(type_: str, described: str):
        clauses = f"Sentinel Type {type_}\nSentinel Object {described}\nSentinel Target https://example.org/"
        return parse(f"CREATE Sentinel s AS {clauses}")[0].monitor

    assert webcq("Any Change", "the page") == ChangeType("any change")
    assert webcq("Link Change", "'links'") == ChangeType("all links")
    assert webcq("Phrase Update", '"Hello, world"') == ChangeType("phrase", ("Hello, world",))
    assert webcq("Table Change", '{caption "Scores"}') == ChangeType("table", ("Scores",), "caption")
    assert webcq("list", "Headlines  -- of today") == ChangeType("list", ("Headlines",))
    pattern = r"a.*?\)"
    in_source = ChangeType("regular expression", (f"(?s){pattern}",), "in source")
    assert webcq("Arbitrary text Change", pattern) == in_source
    assert webcq("regular expression in source", pattern) == in_source
    in_text = ChangeType("regular expression", (pattern,), "in text")
    assert webcq("regular expression in text", pattern) == in_text
    keywords = ("merger", "take over")
    assert webcq("keyword", "merger, 'take over'") == ChangeType("keywords", keywords, "all part")
    assert webcq("Table Change text only", "'Scores'") == ChangeType("table", ("Scores",), "text only")
    assert webcq("NOT phrase AND all links", "“a”") == And((Not(ChangeType("phrase", ("a",))), LINKS))


@pytest.mark.parametrize(
    ("types", "needs"),
    [
        ("phrase AND keywords", "keywords needs a text in braces, for example keywords: {merger, takeover}"),
        ("phrase AND keywords AND table", "table needs a text in braces, for example table: {Opening hours}"),
    ],
)
def test_one_object_is_not_the_text_of_several_types(types: str, needs: str):
    text = f"CREATE Sentinel s AS Sentinel Type {types}\nSentinel Object x\nSentinel Target https://a.test/"
    with pytest.raises(MistakeInText) as caught:
        parse(text)
    assert caught.value.message == needs


# --- targets (L3) ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("https://example.org/a_(b)?q=(c)", WebPage("https://example.org/a_(b)?q=(c)")),
        ("<http://www.cnn.com>", WebPage("http://www.cnn.com")),
        ("<https://example.org/a)b>", WebPage("https://example.org/a)b")),
        ("form https://example.org/", FormPage("https://example.org/")),
        (
            'form POST https://example.org/s {q = "a, b", "odd name"=\\d, empty = }',
            FormPage("https://example.org/s", "POST", (("q", "a, b"), ("odd name", "\\d"), ("empty", ""))),
        ),
        ("form get https://example.org/s {}", FormPage("https://example.org/s")),
        ("sentinel news", SentinelPages("news")),
        ('sentinel "news of the day"', SentinelPages("news of the day")),
        (
            "(https://a.example/ OR sentinel b) AND https://c.example/",
            SeveralTargets(
                "AND",
                (
                    SeveralTargets("OR", (WebPage("https://a.example/"), SentinelPages("b"))),
                    WebPage("https://c.example/"),
                ),
            ),
        ),
    ],
)
def test_a_target_is_read_as_it_is_meant(text, meant):
    assert target_of(text) == meant


# --- life spans and intervals (L4, L5) ------------------------------------------------------------


def at(*date: int, plus: timedelta = timedelta(0)) -> AtTime:
    return AtTime(datetime(*date), plus)


@pytest.mark.parametrize(
    ("clauses", "meant"),
    [
        ("", ()),
        ("From Now", (LifeSpan(AtTime()),)),
        ("To Now + 2 week", (LifeSpan(end=AtTime(None, timedelta(weeks=2))),)),
        ("From 12/02/2026 To 01/02/2027", (LifeSpan(at(2026, 12, 2), at(2027, 1, 2)),)),
        ("From 12/02/2026+2 day", (LifeSpan(at(2026, 12, 2, plus=timedelta(2))),)),
        (
            "From start(s2) + 1 hour To end(s2)",
            (LifeSpan(AtEvent("start", "s2", timedelta(hours=1)), AtEvent("end", "s2")),),
        ),
        ("From during(s2)", (LifeSpan(AtEvent("during", "s2")),)),
        ("To 01/02/2027 Fetch 1 day From 12/02/2026", (LifeSpan(at(2026, 12, 2), at(2027, 1, 2)),)),
        ("From 12/02/2026 Fetch 1 day To 01/02/2027", (LifeSpan(at(2026, 12, 2), at(2027, 1, 2)),)),
        (
            "From 01/01/2026 To 02/01/2026 From 01/01/2027 To 02/01/2027",
            (LifeSpan(at(2026, 1, 1), at(2026, 2, 1)), LifeSpan(at(2027, 1, 1), at(2027, 2, 1))),
        ),
        (
            "From 01/01/2026, To 02/01/2026",
            (LifeSpan(start=at(2026, 1, 1)), LifeSpan(end=at(2026, 2, 1))),
        ),
    ],
)
def test_a_life_span_is_read_as_it_is_meant(clauses, meant):
    assert the(clauses).life == meant


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("30 second", timedelta(seconds=30)),
        ("2 minutes", timedelta(minutes=2)),
        ("1 Hour 30 mins", timedelta(minutes=90)),
        ("2day", timedelta(2)),
        ("3 weeks", timedelta(weeks=3)),
        ("every 4 hours", timedelta(hours=4)),
    ],
)
def test_an_interval_is_read_as_it_is_meant(text, length):
    assert the(f"Fetch {text}").fetch == FetchEvery(length)


def test_fetching_on_change():
    assert the("Fetch on change").fetch == the("Trigger Condition on change").fetch == FetchOnChange()


# --- notification (L6) and comparison (L7) --------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("4 day", NotifyEvery(timedelta(4))),
        ("5 changes", NotifyEachChanges(5)),
        ("1 change", NotifyEachChanges(1)),
        ("immediate", NotifyAt.IMMEDIATE),
        ("best effort", NotifyAt.BEST_EFFORT),
        ("interactive", NotifyAt.INTERACTIVE),
    ],
)
def test_a_time_to_notify_is_read_as_it_is_meant(text, meant):
    assert the(f"Every {text}").notify == the(f"Notify Every {text}").notify == meant
    assert the(f"Notification Condition {text}").notify == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("email jill@example.org", [Contact("email", "jill@example.org")]),
        ("email (jill@example.org)", [Contact("email", "jill@example.org")]),
        ("jill@example.org", [Contact("email", "jill@example.org")]),
        ("email", [Contact("email")]),
        ('PDA "palm, left"', [Contact("pda", "palm, left")]),
        ("https://example.org/hook", [Contact("webhook", "https://example.org/hook")]),
        (
            "email a@b.example, webhook https://example.org/h?a,b AND log",
            [
                Contact("email", "a@b.example"),
                Contact("webhook", "https://example.org/h?a,b"),
                Contact("log"),
            ],
        ),
        ("a@b.example personalised web bulletin", [Contact("email", "a@b.example"), Contact("bulletin")]),
        ("sms +1-555-0100, chat #news", [Contact("sms", "+1-555-0100"), Contact("chat", "#news")]),
    ],
)
def test_a_contact_is_read_as_it_is_meant(text, meant):
    assert the(f"Notify By {text}").contacts == the(f"Notification Method {text}").contacts == tuple(meant)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("pairwise", Compare()),
        ("every 3", Compare("every", 3)),
        ("moving 4", Compare("moving", 4)),
        ("moving4", Compare("moving", 4)),
        ("Every3", Compare("every", 3)),
    ],
)
def test_a_comparison_is_read_as_it_is_meant(text, meant):
    assert the(f"Compare {text}").compare == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [("pairwise", Compare()), ("Moving 4", Compare("moving", 4)), ("every3", Compare("every", 3))],
)
def test_words_are_compared_by_loctags(text, meant):
    one = the(f"Monitor NOT all words OR all links Compare {text} by loctags")
    assert one == the(f"Monitor NOT all words by loctags OR all links Compare {text}")
    assert one.compare == meant


@pytest.mark.parametrize("monitor", ["", "Monitor all links", "Monitor all words except {today}"])
def test_only_words_are_compared_by_loctags(monitor):
    with pytest.raises(MistakeInText, match="by loctags is a way to compare words; write Monitor all words"):
        the(f"{monitor} Compare pairwise by loctags")


# --- clauses that only WebVigil has (L8, T1) --------------------------------------------------------


def test_parts_to_watch_and_to_ignore():
    one = the(
        r"""Within css "main > p", xpath "//td[1]"
            Ignore css ".ad", /\d+ (min|sec)/, words {today now}, regex {x}"""
    )
    assert one.within == (Part("css", "main > p"), Part("xpath", "//td[1]"))
    assert one.ignore == (
        Part("css", ".ad"),
        Part("regex", r"\d+ (min|sec)"),
        Part("words", ("today", "now")),
        Part("regex", "x"),
    )


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("changed > 50%", Condition("changed", ">", 50.0, "%")),
        ("inserted >= 3", Condition("inserted", ">=", 3.0)),
        ("deleted ≤ 3", Condition("deleted", "<=", 3.0)),
        ("moved == 2", Condition("moved", "=", 2.0)),
        ("updated ≠ 0", Condition("updated", "!=", 0.0)),
        ("value < 10", Condition("value", "<", 10.0)),
        ("value > -2.5e3", Condition("value", ">", -2500.0)),
        ("value drops 10%", Condition("value", "drops", 10.0, "%")),
        ("value rises 5", Condition("value", "rises", 5.0)),
        ("score > 1500", Condition("score", ">", 1500.0)),
        ('appears "Panic Room"', Condition("appears", text="Panic Room")),
        ("disappears {sold out}", Condition("disappears", text="sold out")),
    ],
)
def test_a_condition_is_read_as_it_is_meant(text, meant):
    assert the(f"When {text}").when == the(f"Trigger Condition {text}").when == meant


def test_conditions_are_joined_like_changes():
    a, b, c = Condition("changed", ">", 1.0), Condition("inserted", ">", 2.0), Condition("score", ">", 3.0)
    text = "changed > 1 AND NOT inserted > 2 OR (score > 3 AND changed > 1)"
    assert the(f"When {text}").when == AnyCondition(
        (AllConditions((a, NotCondition(b))), AllConditions((c, a)))
    )


def test_a_trigger_may_have_an_interval_and_a_condition():  # CQ 2
    one = the("Trigger Condition 1 day AND changed > 50%")
    assert (one.fetch, one.when) == (FetchEvery(timedelta(1)), Condition("changed", ">", 50.0, "%"))


def test_the_small_clauses():
    one = the('Depth 2 Render browser Topic "world news" Priority 7 Present only Title \'A "page"\'')
    assert (one.depth, one.render, one.topics, one.priority, one.present, one.title) == (
        2,
        "browser",
        ("world news",),
        7,
        "only",
        'A "page"',
    )


def test_what_is_left_out_is_none():  # L3: so that it can be inherited
    one = parse("Create Sentinel s1 Using sentinel s0")[0]
    assert not any(
        (one.title, one.monitor, one.fetch, one.life, one.contacts, one.notify, one.compare, one.when)
    )


def test_names_in_one_text_are_unique():  # L9
    with pytest.raises(MistakeInText, match="the name s1 is taken by the sentinel on line 1"):
        parse("Create Sentinel s1 Using sentinel a\nCreate Sentinel s1 Using sentinel b")
    with pytest.raises(MistakeInText, match="the name s1 is taken"):
        parse("Create Sentinel s1 Using sentinel a Create Sentinel s1 Using sentinel b")


def test_names_are_the_same_however_they_are_typed():
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    assert parse(f'Create Sentinel "{decomposed}" Using sentinel a')[0].name == composed


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_values_hold_plain_strings(path):
    """The parser's own strings are equal only if they are of the same kind, so no value may hold one."""
    waiting: list[object] = [*parse(path.read_text("utf-8"))]
    while waiting:
        value = waiting.pop()
        assert not isinstance(value, lark.Token)
        if isinstance(value, tuple):
            waiting += value
        elif is_dataclass(value):
            waiting += [getattr(value, field.name) for field in fields(value)]


def test_the_grammar_has_one_deliberate_conflict(caplog, monkeypatch):
    """`From a To b` is one span, not two; everything else is unambiguous."""
    monkeypatch.setattr(lark.logger, "level", logging.DEBUG)
    monkeypatch.setattr(lark.logger, "propagate", True)
    lark.Lark(grammar().source_grammar, parser="lalr", start=["sentinel", "alone"], debug=True)
    conflicts = [
        record.getMessage() for record in caplog.records if "conflict" in record.getMessage().lower()
    ]
    assert conflicts == ["Shift/Reduce conflict for terminal TO: (resolving as shift)"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("/sold out/i", "(?i)sold out"),
        (r"/a\/b/smi", "(?ims)a/b"),
        ("/a/g", "a"),
        ("/a/", "a"),
    ],
)
def test_an_expression_in_slashes_takes_flags_everywhere(written, meant):
    (sentinel,) = parse(
        f"Create Sentinel s Using https://a.org/ Monitor regex {written} OR value regex {written} "
        f"Ignore {written} Within regex {written} When appears {written}"
    )
    assert [one.arguments for one in sentinel.monitor.operands] == [(meant,), (meant,)]
    assert sentinel.ignore == sentinel.within == (Part("regex", meant),)
    assert sentinel.when == Condition("appears", "matches", text=meant)
    assert parse(print_sentinel(sentinel)) == [sentinel]


@pytest.mark.parametrize(
    ("clause", "topics"),
    [
        ("Topic shop, furniture", ("shop", "furniture")),
        ('Topic "world news", shop Priority 2', ("world news", "shop")),
        ('Topic "world news, shop"', ("world news", "shop")),
        ("Topic shop, shop", ("shop",)),
    ],
)
def test_several_topics_are_parted_by_commas(clause: str, topics: tuple[str, ...]):
    one = the(clause)
    assert one.topics == topics
    assert parse(print_sentinel(one)) == [one]
