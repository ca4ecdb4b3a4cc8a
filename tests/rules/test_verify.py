"""Verification: each reason to refuse a sentinel has its own sentence (V1)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from webvigil.detect.find import check
from webvigil.errors import SentinelRefused
from webvigil.language import parse
from webvigil.model.change_types import KINDS, Kind, option
from webvigil.model.life import LifeRecord
from webvigil.model.sentinel import ChangeType
from webvigil.rules.inherit import completed
from webvigil.rules.order import in_order
from webvigil.rules.verify import Surroundings, objections

NOW = datetime(2026, 12, 1, tzinfo=UTC)
DAY = timedelta(days=1)
LIVES = {
    "active": LifeRecord(installed_at=NOW - DAY, within=True, started_at=NOW - DAY, next_at=NOW + DAY),
    "newborn": LifeRecord(installed_at=NOW, within=True, started_at=NOW, next_at=NOW + DAY),
    "waiting": LifeRecord(installed_at=NOW, next_at=NOW + DAY),
    "over": LifeRecord(
        installed_at=NOW - 9 * DAY, over=True, started_at=NOW - 8 * DAY, ended_at=NOW - 2 * DAY
    ),
    "failed": LifeRecord(installed_at=NOW, failure="it was removed"),
}


def verify(clauses: str, target: str = "https://example.org/", **more: object) -> list[str]:
    (sentinel,) = parse(f"Create Sentinel s Using {target}\n{clauses}")
    values = {
        "now": NOW,
        "zone": ZoneInfo("UTC"),
        "minimum_interval": timedelta(minutes=1),
        "channels": {"log", "email", "webhook"},
        "life": LIVES.get,
        "forbidden": lambda host: "not a public address" if host == "10.0.0.1" else "",
    } | more
    return objections(sentinel, Surroundings(**values))


FINE = [
    "Monitor all links AND NOT all images",
    "Fetch 1 minute",
    "From 11/01/2026 To 01/01/2027",
    "From end(active) To end(active) + 2 day",
    "From start(waiting)",
    "From start(newborn)",
    "From during(active)",
    "From end(over) + 3 day",
    "From 12/02/2026 To end(waiting)",
    'Within css "div.main > p" Ignore xpath "//footer"',
    "When contains 'x' in main",
    "Notify By email jill@example.org, webhook https://example.org/hook AND log",
    "Monitor regular expression: {\\d+ (apples|pears)}",
    'Monitor value xpath "//dc:date" Within xpath "//atom:entry"',
    "From 11/01/2026 To 11/02/2026\nFrom 01/01/2027 To 01/02/2027",
]


@pytest.mark.parametrize("clauses", FINE)
def test_nothing_speaks_against_it(clauses: str):
    assert verify(clauses) == []


REFUSED = [
    ("Fetch 59 second", "Fetch every 59 seconds is too often; the shortest interval here is 60 seconds"),
    ("Fetch 1 second", "Fetch every 1 second is too often; the shortest interval here is 60 seconds"),
    ("From 01/01/2020 To 02/01/2020", "its life span lies in the past: it ended 2020-02-01 00:00 UTC"),
    ("To 12/01/2026", "its life span lies in the past: it ended 2026-12-01 00:00 UTC"),
    ("To 11/30/2026", "its life span lies in the past: it ended 2026-11-30 00:00 UTC"),
    (
        "From 01/05/2027 To 01/04/2027",
        "a life span ends (2027-01-04 00:00) before it starts (2027-01-05 00:00)",
    ),
    (
        "From 01/05/2027 To 01/05/2027",
        "a life span ends (2027-01-05 00:00) before it starts (2027-01-05 00:00)",
    ),
    ("From start(nobody)", "there is no sentinel 'nobody'"),
    ("To end(nobody)", "there is no sentinel 'nobody'"),
    ("From end(over)", "end(over) will not come: the sentinel 'over' has ended"),
    ("From end(over) + 1 day", "end(over) will not come: the sentinel 'over' has ended"),
    ("From during(over)", "during(over) will not come: the sentinel 'over' has ended"),
    ("To start(failed)", "start(failed) will not come: the sentinel 'failed' has ended"),
    ("From start(active)", "start(active) has passed: 'active' is active already; write From during(active)"),
    ('Within css "div["', "Within: "),
    ('Ignore xpath "//p["', "Ignore: "),
    ("Ignore /(unclosed/", "Ignore: "),
    ("Monitor regular expression: {(unclosed}", "regular expression: "),
    ("Notify By pigeon 'home'", "nobody can be reached by 'pigeon' here; use one of: email, log, webhook"),
    ("Notify By email 'jill'", "'jill' is not an e-mail address"),
    ("Notify By webhook http://10.0.0.1/", "http://10.0.0.1/ may not be watched: not a public address"),
    ("Monitor status OR all links", "status is watched by itself; make another sentinel for what the page"),
    ("Monitor status Depth 1", "Monitor status is not about what the page shows; leave out Depth"),
    ("Monitor status Render browser", "Monitor status is not about what the page shows; leave out Render"),
    (
        "Monitor status Steps click css 'a'",
        "Monitor status is not about what the page shows; leave out Steps",
    ),
    ("When status >= 500", "When status needs Monitor status"),
    ("Fetch cron '* * * *'", "Fetch cron '* * * *': it has 4 fields, and a cron expression has five: minute"),
    ("Fetch cron '0 0 30 2 *'", "Fetch cron '0 0 30 2 *': its day of month cannot be read"),
    ("When contains /(unclosed/", "When: "),
    ("When contains 'x' in css 'p['", "When: "),
    ("When value < 5 in xpath '//p['", "When: "),
    ("When value < 5 in json '$.['", "When: "),
    ("When value < 5 in /(unclosed/", "When: "),
    ("Notify By log 'home'", "log takes no address, and 'home' was given"),
]


@pytest.mark.parametrize(("clauses", "reason"), REFUSED)
def test_a_reason_is_one_sentence(clauses: str, reason: str):
    (said,) = verify(clauses)
    assert said.startswith(reason)


@pytest.mark.parametrize(
    ("contact", "reasons"),
    [("apprise", ["say which service is meant"]), ("apprise 'phone'", []), ("log", []), ("feed", [])],
)
def test_apprise_alone_needs_a_name(contact: str, reasons: list[str]):
    said = verify(f"Notify By {contact}", channels={"apprise", "feed", "log"})
    assert [one.partition(":")[0] for one in said] == reasons


def test_a_channel_that_the_operator_has_not_set_up_is_told_with_its_setting():
    (said,) = verify("Notify By email 'a@b.test'", channels={"log"})
    why = "for the operator has named no mail server (the setting smtp_host)"
    assert said == f"nobody can be reached by 'email' here, {why}; use one of: log"


def test_a_forbidden_address_is_refused():
    assert verify("", target="http://10.0.0.1/x") == [
        "http://10.0.0.1/x may not be watched: not a public address"
    ]


def test_an_unknown_target_is_refused():
    assert verify("", target="sentinel nobody") == ["there is no sentinel 'nobody'"]


def test_all_reasons_are_told_at_once():
    assert len(verify("Fetch 1 second To 01/01/2020 Notify By pigeon 'x'")) == 3


def test_sentinels_are_ordered_by_what_they_name():
    text = """
    Create Sentinel c Using sentinel b
    Create Sentinel b Using https://b.org/ From end(a)
    Create Sentinel a Using https://a.org/
    """
    assert [one.name for one in in_order(parse(text))] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Create Sentinel a Using sentinel a", "wait for each other: a → a"),
        (
            "Create Sentinel a Using http://a/ From end(b) Create Sentinel b Using http://b/ To start(a)",
            "wait for each other: a → b → a",
        ),
        (
            " ".join(f"Create Sentinel {name} Using sentinel {other}" for name, other in ("xa", "ab", "ba")),
            "wait for each other: a → b → a",
        ),
    ],
)
def test_circles_and_doubles_are_refused(text: str, reason: str):
    with pytest.raises(SentinelRefused, match=reason):
        in_order(parse(text))


def test_one_name_is_given_once():
    one, other = (
        parse("Create Sentinel a Using http://a.org/")[0],
        parse("Create Sentinel a Using http://b.org/")[0],
    )
    with pytest.raises(SentinelRefused, match="'a' is given twice"):
        in_order([one, other])


def test_a_chain_of_thousands_is_no_trouble():
    chain = [f"Create Sentinel s{n} Using sentinel s{n + 1}" for n in range(3000)]
    text = "\n".join([*chain, "Create Sentinel s3000 Using https://a.org/"])
    assert in_order(parse(text))[0].name == "s3000"


def test_clauses_left_out_are_inherited():  # L3
    parent, child = parse(
        """
        Create Sentinel parent Using https://a.org/ Monitor all links Fetch 2 hour To 01/01/2030
        Notify By log Priority 3
        Create Sentinel child Using sentinel parent Monitor all images
        """
    )
    whole = completed(child, {"parent": parent}.get)
    assert (whole.monitor, whole.name, whole.life) == (child.monitor, "child", ())
    assert (whole.fetch, whole.contacts, whole.priority) == (parent.fetch, parent.contacts, 3)


def test_an_expression_that_cannot_be_read_is_refused_in_a_condition():
    from webvigil.app.sentinels.check import check_text

    (told,) = check_text("Create Sentinel s Using https://example.org/ When appears /(/").mistakes
    assert "When" in str(told)


def secrets_of(url: str) -> tuple[str, ...] | None:
    return ("word",) if url.startswith("https://shop.example/") else None


@pytest.mark.parametrize(
    ("clauses", "said"),
    [
        (
            "Steps press Enter Render http",
            "Steps are taken in a browser; write Render browser, or leave Render out",
        ),
        ("Steps press Enter Depth 1", "Depth does not go with Steps: linked pages are visited without them"),
        ('Steps press Enter, click css "p["', 'step 2 (click css "p["): '),
        ('Render browser wait css "p["', 'Render browser wait (wait for css "p["): '),
        (
            'Steps run "1"',
            "step 1: scripts do not run here; the operator can allow them with the setting step_scripts",
        ),
        ("Steps open http://10.0.0.1/", "step 1: http://10.0.0.1/ may not be opened: not a public address"),
        (
            'Steps type css "#a" secret word',
            "there is no log-in for https://example.org/; keep one: webvigil login add https://example.org/",
        ),
        ("Through office", "there is no proxy 'office' here; the setting proxies names: home"),
        ("Timeout 3 minute", "Timeout is too long; the longest here is 120 seconds"),
    ],
)
def test_how_a_page_is_approached_is_verified(clauses: str, said: str):
    (found,) = verify(clauses, secrets=secrets_of, proxies=("home",))
    assert found.startswith(said)


def test_a_secret_is_looked_for_in_the_log_in_of_the_page():
    steps = 'Steps type css "#a" secret word, type css "#b" secret other'
    (found,) = verify(steps, "https://shop.example/door", secrets=secrets_of)
    assert found.startswith(
        "there is no secret 'other' in the log-in for https://shop.example/door; keep it anew"
    )


@pytest.mark.parametrize(
    "clauses",
    ['Steps type css "#a" secret word', "Monitor visual Steps press Enter", "Through home Timeout 2 minute"],
)
def test_an_approach_that_is_fine(clauses: str):
    assert verify(clauses, "https://shop.example/", secrets=secrets_of, proxies=("home",)) == []


@pytest.mark.parametrize(
    ("clauses", "said"),
    [
        ("Render browser", "Using request is sent once, without a browser; leave out Render"),
        ("Depth 1", "Using request is sent once, without a browser; leave out Depth"),
        ("Steps press Enter", "Using request is sent once, without a browser; leave out Steps"),
    ],
)
def test_a_request_is_sent_without_a_browser(clauses: str, said: str):
    assert verify(clauses, 'request POST https://shop.example/ json "{}"') == [said]


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (
            "request https://example.org/a header X-Key secret word",
            "there is no log-in for https://example.org/a; keep one: webvigil login add https://example.org/",
        ),
        (
            'request https://shop.example/ OR request https://shop.example/a header X-Key "b" secret other',
            "there is no secret 'other' in the log-in for https://shop.example/a; keep it anew",
        ),
        ("request http://10.0.0.1/", "http://10.0.0.1/ may not be watched: not a public address"),
    ],
)
def test_what_a_request_needs_is_verified(target: str, said: str):
    (found,) = verify("", target, secrets=secrets_of)
    assert found.startswith(said)


def test_a_request_that_is_fine():
    target = "request PUT https://shop.example/ header X-Key secret word query {a = b} form {c = d}"
    assert verify("Monitor status Fetch 1 hour", target, secrets=secrets_of) == []


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_a_change_type_without_a_text_of_the_user_is_never_refused(kind: Kind):
    """Verification relies on this: it tries a change type on pages only if the user gave it a text."""
    for form in kind.bare:
        check(ChangeType(kind.name, (), option(form)))


@pytest.mark.parametrize(
    ("clauses", "about"),
    [
        ('Within css "div["', ("Within", "css", "div[")),
        ("Ignore /(unclosed/", ("Ignore", "regex", "(unclosed")),
        ("Ignore words {…, !}", ("Ignore", "words", "…")),
        ("Monitor regular expression: {(unclosed}", ("regular expression", "(unclosed")),
        ("When contains 'x' in css 'p['", ("When", "css", "p[")),
        ("When value < 5 in xpath '//p['", ("When", "xpath", "//p[")),
        ("When status >= 500", ("When", "status")),
        ("Fetch 59 second", ("Fetch",)),
        ("Fetch cron '* * * *'", ("cron", "* * * *")),
        ("To 11/30/2026", ("To",)),
        ("From end(over)", ("end", "over")),
        ("From start(active)", ("start", "active")),
        ("Notify By email 'jill'", ("jill",)),
        ("Notify By log 'home'", ("log", "home")),
    ],
)
def test_a_reason_names_the_words_that_it_is_about(clauses: str, about: tuple[str, ...]):
    (one,) = verify(clauses)
    assert one.about == about
