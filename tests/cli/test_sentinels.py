"""What the commands about sentinels print, to the letter, whatever the place of the sentinels is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from webvigil.app.worker import process
from webvigil.cli import sentinels
from webvigil.cli.main import webvigil
from webvigil.cli.place import Enabled, Ran
from webvigil.errors import SentinelRefused
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.doubt import Doubt
from webvigil.model.installed import RemovedSentinel, ToldSentinel, WatchedPage
from webvigil.model.portrait import Outside, Portrait, WatchedNow
from webvigil.model.quiet import LeftPlace
from webvigil.model.sentinel import State
from webvigil.model.work import Look

NOON = datetime(2026, 11, 18, 12, 0, 5, tzinfo=UTC)
PAGE = WatchedPage(id=1, url="http://a.test/", due=NOON, latest=1, checks=1, failures=0)
OTHER = replace(PAGE, id=2, url="http://b.test/", due=None, latest=2, checks=3)
NEWS = ToldSentinel(
    name="news", text="Create …", state=State.ACTIVE, installed_at=NOON, pages=(PAGE,), changes=1
)
PORTRAIT = Portrait(sentinel=NEWS, next="it is looked at soon", pace={}, trouble={}, linked=(), most_linked=9)
RESTLESS = LeftPlace(
    url=OTHER.url, place="/p", form="", times=2, left_out=3, says="the clock", clause="Quiet off"
)
LOGIN = Doubt(kind="log-in", said="asks for a log-in", clear=True, since=0, told=True)


@dataclass
class There:
    """A place that answers what it was told to."""

    sentinels: tuple[ToldSentinel, ...] = ()
    shown: Portrait = PORTRAIT
    seen: tuple[WatchedNow, ...] = ()
    gone: tuple[RemovedSentinel, ...] = ()
    entries: tuple[Any, ...] = ()
    ran: Ran | None = None
    nothing_yet: str = "Nothing yet."
    added: str = ""

    def all(self) -> tuple[ToldSentinel, ...]:
        return self.sentinels

    def portrait(self, name: str) -> Portrait:
        return self.shown

    def watched(self, name: str) -> tuple[WatchedNow, ...]:
        return self.seen

    def removed(self) -> tuple[RemovedSentinel, ...]:
        return self.gone

    def bring_back(self, name: str) -> ToldSentinel:
        return NEWS

    def timeline(self, name: str | None) -> tuple[Any, ...]:
        return self.entries

    def run(self, name: str) -> Ran | None:
        return self.ran

    def enable(self, name: str) -> Enabled:
        return Enabled("active", "looked at soon")

    def disable(self, name: str) -> str:
        return "disabled"

    def remove(self, name: str) -> None:
        pass

    def free_name(self, wished: str) -> str:
        return f"{wished}-2"

    def add(self, text: str) -> tuple[ToldSentinel, ...]:
        self.added = text
        return (NEWS,)


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> There:
    place = There()

    @contextmanager
    def opened(_: Mapping[str, Any]) -> Iterator[There]:
        yield place

    monkeypatch.setattr(sentinels, "place_of", opened)
    return place


def printed(*words: str) -> str:
    done = CliRunner().invoke(webvigil, words)
    assert done.exit_code == 0, done.output
    return done.output


# --- list --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "line"),
    [
        (NEWS, "1 change   http://a.test/"),
        (replace(NEWS, changes=2), "2 changes  http://a.test/"),
        (replace(NEWS, changes=0, pages=()), "0 changes  no pages"),
        (
            replace(NEWS, pages=(replace(PAGE, title="A"), OTHER)),
            "1 change   A  http://a.test/ and 1 more",
        ),
        (
            replace(NEWS, pages=(PAGE, OTHER, OTHER), linked=4),
            "1 change   http://a.test/ and 2 more, 4 linked",
        ),
        (
            replace(NEWS, pages=(PAGE, replace(OTHER, failures=1))),
            "1 change   http://a.test/ and 1 more, failed once",
        ),
        (
            replace(NEWS, pages=(replace(PAGE, failures=2), replace(OTHER, failures=1))),
            "1 change   http://a.test/ and 1 more, failed 2 times in a row",
        ),
        (
            replace(NEWS, pages=(PAGE, replace(OTHER, doubt=LOGIN))),
            "1 change   http://a.test/ and 1 more, asks for a log-in",
        ),
        (
            replace(NEWS, pages=(replace(PAGE, doubt=replace(LOGIN, told=False)),)),
            "1 change   http://a.test/",
        ),
        (
            replace(NEWS, pages=(replace(PAGE, trouble="nothing there"),)),
            f"1 change   http://a.test/\n{'':24} in trouble: nothing there",
        ),
    ],
)
def test_a_sentinel_is_a_line_of_the_list(there: There, one: ToldSentinel, line: str):
    there.sentinels = (one,)
    assert printed("list") == f"news                     active        {line}\n"


def test_a_list_without_sentinels_says_so(there: There):
    assert printed("list") == "Nothing yet.\n"
    assert printed("list", "--trouble") == "No sentinel is in trouble.\n"
    assert json.loads(printed("list", "--json")) == []


@pytest.mark.parametrize(
    ("page", "listed"),
    [(PAGE, False), (replace(PAGE, failures=1), True), (replace(PAGE, trouble="nothing there"), True)],
)
def test_only_sentinels_in_trouble_are_listed_if_asked_for(there: There, page: WatchedPage, listed: bool):
    there.sentinels = (replace(NEWS, pages=(OTHER, page)),)
    assert len(json.loads(printed("list", "--trouble", "--json"))) == listed
    assert len(json.loads(printed("list", "--json"))) == 1


# --- show --------------------------------------------------------------------------------------------


def test_a_sentinel_is_shown_with_its_page(there: There):
    assert printed("show", "news").splitlines() == [
        "Create …",
        "",
        "active; it is looked at soon",
        "installed 2026-11-18 12:00:05 UTC, 1 change",
        "  http://a.test/: 1 look, 1 version, next look 2026-11-18 12:00:05 UTC",
    ]


def test_everything_that_is_known_of_a_sentinel_is_shown(there: There):
    linked = [replace(PAGE, url=f"http://c.test/{level}", level=level) for level in (1, 2, 2)]
    there.shown = replace(
        PORTRAIT,
        sentinel=replace(NEWS, own="Mine\n", changes=2, pages=(PAGE, OTHER), full=True),
        from_topics={"ships": "Fetch 1 hour\nQuiet off"},
        looks=(NOON, NOON),
        trouble={OTHER.url: "it asks for a log-in"},
        pace={PAGE.url: "changes daily"},
        left_out={PAGE.url: "1 time that ticks"},
        restless=(RESTLESS,),
        linked=tuple(linked),
    )
    assert printed("show", "news").splitlines() == [
        "Mine",
        "from the topic ships:",
        "  Fetch 1 hour",
        "  Quiet off",
        "",
        "active; it is looked at soon",
        "installed 2026-11-18 12:00:05 UTC, 2 changes",
        "next looks by its schedule: Wed 2026-11-18 12:00 +0000, Wed 2026-11-18 12:00 +0000",
        "  http://a.test/: 1 look, 1 version, next look 2026-11-18 12:00:05 UTC",
        "    changes daily",
        "    last left out: 1 time that ticks",
        "  http://b.test/: 3 looks, 2 versions, no look planned",
        "    it asks for a log-in",
        "    left out: the clock",
        "      to be told: Quiet off",
        "pages that it links to: 1",
        "  http://c.test/1: 1 look, 1 version, next look 2026-11-18 12:00:05 UTC",
        "pages that those link to: 2",
        *["  http://c.test/2: 1 look, 1 version, next look 2026-11-18 12:00:05 UTC"] * 2,
        "there are more links: at most 9 are watched (the setting linked_pages)",
    ]


def finding(*names: str, kind: str = "all links") -> Finding:
    objects = tuple(ObjectChange(name, Status.NEW, after="5 EUR") for name in names)
    return Finding(type=kind, objects=objects, score=1, share=1.0)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (finding(), "nothing there now"),
        (finding("/a"), "1 object: /a"),
        (finding("/a", "/b\n c"), "2 objects: /a; /b c"),
        (finding("/a", "/b", "/c"), "3 objects: /a; /b; /c"),
        (finding("/a", "/b", "/c", "/d"), "4 objects: /a; /b; /c …"),
        (finding("x" * 60), f"1 object: {'x' * 60}"),
        (finding("x" * 61), f"1 object: {'x' * 59}…"),
        (finding("price", kind="product"), "1 object: price 5 EUR"),
    ],
)
def test_what_a_sentinel_watches_is_told_by_its_first_three_objects(found: Finding, said: str):
    assert sentinels._some(found) == said


def test_what_a_sentinel_sees_now_is_shown(there: There):
    block = Outside(place="/nav", says="a list of 3 links", clause="Within css nav")
    there.seen = (
        WatchedNow("http://a.test/", 4, (finding("/a"),), missing=("no table",), outside=(block,)),
        WatchedNow("http://b.test/", 0, (), trouble="it cannot be read"),
    )
    assert printed("show", "news").splitlines()[5:] == [
        "watches on http://a.test/ (version 4):",
        "  all links: 1 object: /a",
        "  no table",
        "  outside of main: a list of 3 links",
        "    to watch it, too: Within css nav",
        "watches on http://b.test/ (version 0):",
        "  it cannot be read",
    ]
    assert json.loads(printed("show", "news", "--json"))["next"] == "it is looked at soon"


def test_the_timeline_tells_the_past_from_the_future(there: There):
    there.entries = tuple(
        SimpleNamespace(at=NOON, past=past, sentinel="news", what="starts") for past in (True, False)
    )
    assert printed("show", "--timeline").splitlines() == [
        "2026-11-18 12:00 UTC · news starts",
        "2026-11-18 12:00 UTC → news starts",
    ]
    entries = json.loads(printed("show", "--timeline", "--json"))
    assert [one["past"] for one in entries] == [True, False]


def test_show_wants_a_name_or_the_timeline(there: There):
    done = CliRunner().invoke(webvigil, ["show"])
    assert done.exit_code == 2
    assert "name a sentinel, or ask for --timeline" in done.output


# --- the others --------------------------------------------------------------------------------------


def test_what_became_of_a_sentinel_is_said(there: There):
    assert printed("enable", "news") == "news is active; looked at soon\n"
    assert printed("disable", "news") == "news is disabled\n"
    undo = "for 7 days this brings it back: webvigil undo-remove news"
    assert printed("remove", "news") == f"news is removed with its changes; {undo}\n"
    assert printed("undo-remove", "news") == "news is back: http://a.test/\n"
    assert json.loads(printed("undo-remove", "news", "--json"))["name"] == "news"


def test_what_can_be_brought_back_is_listed(there: There):
    assert printed("undo-remove") == "Nothing to bring back.\n"
    assert json.loads(printed("undo-remove", "--json")) == []
    there.gone = (RemovedSentinel(id=1, name="news", removed_at=NOON, changes=3, url="http://a.test/"),)
    assert printed("undo-remove") == "news: removed 2026-11-18 12:00:05 UTC, 3 changes, http://a.test/\n"
    assert [one["name"] for one in json.loads(printed("undo-remove", "--json"))] == ["news"]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ((), 'Create Sentinel "a-test-2" Using http://a.test/\nMonitor any change\n'),
        (("--name", "x y"), 'Create Sentinel "x y" Using http://a.test/\nMonitor any change\n'),
        (
            ("--main", "--every", "2 hour", "--depth", "0", "--monitor", "all links"),
            (
                'Create Sentinel "a-test-2" Using http://a.test/\nMonitor all links\n'
                "Within main\nFetch 2 hour\nDepth 0\n"
            ),
        ),
    ],
)
def test_watch_is_the_short_form_of_add(there: There, options: tuple[str, ...], text: str):
    assert printed("watch", "http://a.test", *options) == "news is installed: http://a.test/\n"
    assert there.added == text


def test_watch_may_say_how_to_ask_for_the_page(there: There):
    printed("watch", "http://a.test", "--name", "x", "--request", 'POST json {"q": "lamp"}')
    assert there.added.startswith('Create Sentinel "x" Using request POST http://a.test/')


def test_add_sends_the_text_of_its_file(there: There):
    done = CliRunner().invoke(webvigil, ["add", "-"], input="Create Sentinel …")
    assert (done.output, there.added) == ("news is installed: http://a.test/\n", "Create Sentinel …")


@pytest.mark.parametrize(("pointed", "said"), [("line 3: no", "line 3: no"), ("", "too many")])
def test_a_text_that_is_refused_is_pointed_at_if_it_is_the_reason(
    there: There, monkeypatch: pytest.MonkeyPatch, pointed: str, said: str
):
    def refuse(text: str) -> None:
        raise SentinelRefused("too many")

    monkeypatch.setattr(there, "add", refuse)
    monkeypatch.setattr(there, "pointed", lambda text: pointed, raising=False)
    done = CliRunner().invoke(webvigil, ["add", "-"], input="Create …")
    assert isinstance(done.exception, SentinelRefused)
    assert str(done.exception) == said


def test_a_sentinel_that_waits_is_installed_with_its_state_and_warnings(capsys: pytest.CaptureFixture[str]):
    sentinels.print_one(replace(NEWS, state=State.DISABLED, warnings=("no table",)), "is installed")
    assert capsys.readouterr() == ("news is installed (disabled): http://a.test/\n", "warning: no table\n")


@pytest.mark.parametrize("words", [("run",), ("run", "news", "--due")])
def test_run_wants_a_name_or_what_is_due_and_not_both(there: There, words: tuple[str, ...]):
    done = CliRunner().invoke(webvigil, words)
    assert done.exit_code == 2
    assert "name a sentinel, or say --due" in done.output


@pytest.mark.parametrize(("pages", "said"), [(0, "0 pages"), (1, "1 page"), (2, "2 pages")])
def test_run_says_how_many_pages_are_looked_at(there: There, pages: int, said: str):
    there.ran = Ran(pages, ("no table",))
    assert printed("run", "news") == f"news: {said} will be looked at now\nwarning: no table\n"
    assert json.loads(printed("run", "news", "--json")) == {"pages": pages, "warnings": ["no table"]}


@pytest.mark.parametrize(
    ("decisions", "changes", "code", "said"),
    [
        ((), 0, 0, "0 looks, 0 changes, 0 failed"),
        (("same", "postponed"), 0, 0, "1 look, 0 changes, 0 failed"),
        (("new version", "same"), 1, 1, "2 looks, 1 change, 0 failed"),
        (("new version",), 2, 1, "1 look, 2 changes, 0 failed"),
        (("failed", "new version"), 2, 2, "2 looks, 2 changes, 1 failed\nwarning: no answer"),
    ],
)
def test_looking_at_what_is_due_ends_with_what_it_found(
    monkeypatch: pytest.MonkeyPatch, decisions: tuple[str, ...], changes: int, code: int, said: str
):
    looks = [Look(why="due", decision=one, error="no answer" if one == "failed" else "") for one in decisions]

    async def run_due(_: object) -> SimpleNamespace:
        return SimpleNamespace(results=[SimpleNamespace(look=one) for one in looks], changes=changes)

    monkeypatch.setattr(process, "run_due", run_due)
    monkeypatch.setattr("webvigil.app.operating.logs.start_logging", lambda *_: None)
    done = CliRunner().invoke(webvigil, ["run", "--due"], standalone_mode=False)
    assert (done.output, done.return_value) == (f"{said}\n", code)
    done = CliRunner().invoke(webvigil, ["run", "--due", "--json"], standalone_mode=False)
    assert json.loads(done.output)["changes"] == changes
