"""What small commands print, to the letter, and the code that they end with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.store.making import checked, claim_all, new_change, new_version
from webvigil.app.operating import logs
from webvigil.app.operating import server as serving
from webvigil.app.operating.stores import opened
from webvigil.app.peers import agents, roster
from webvigil.app.settings import read_settings
from webvigil.cli import agent, notices, peer
from webvigil.cli import digest as digesting
from webvigil.cli.main import webvigil
from webvigil.library import digest_of

PAGE = "https://a.test/"
NEWS = f"Create Sentinel news Using {PAGE} Monitor all links Topic press"
NOON = datetime(2026, 11, 18, 12, 0, 5, tzinfo=UTC)


def run(*words: str, typed: str = "") -> Result:
    done = CliRunner().invoke(webvigil, words, input=typed, standalone_mode=False)
    assert done.exception is None, done.exception
    return done


def code(*words: str, typed: str = "") -> int:
    found: int = run(*words, typed=typed).return_value
    return found


@pytest.fixture
def data(tmp_path: Path) -> tuple[str, str]:
    """A store with a sentinel that found a change."""
    place = ("--data", str(tmp_path))
    run("add", "-", *place, typed=NEWS)
    with opened(read_settings({"data": place[1]}, environment={})) as knowledge:
        (claim,) = claim_all(knowledge)
        (due,) = claim.pages
        change = new_change(due.watches[0].sentinel, 1, 2)
        knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(1), changes=(change,))])
    return place


def test_a_new_text_of_a_sentinel_ends_with_0(data: tuple[str, str]):
    assert code("edit", "news", "-", *data, typed=NEWS.replace("links", "images")) == 0
    (shown,) = json.loads(run("list", *data, "--json").output)
    assert "all images" in shown["text"]


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_search_ends_with_1_if_nothing_is_found(data: tuple[str, str], form: tuple[str, ...]):
    assert code("search", "x", *data, *form) == 0
    assert code("search", "nothing", *data, *form) == 1


def test_what_was_removed_is_listed_and_brought_back(data: tuple[str, str]):
    run("remove", "news", *data)
    assert "news" in run("undo-remove", *data).output
    assert json.loads(run("list", *data, "--json").output) == []
    run("undo-remove", "news", *data)
    assert [one["name"] for one in json.loads(run("list", *data, "--json").output)] == ["news"]


def test_sentinels_are_exported_to_a_file_and_the_code_is_0(data: tuple[str, str], tmp_path: Path):
    assert code("export", str(tmp_path / "x.urls"), "--format", "urls", *data) == 0
    assert PAGE in (tmp_path / "x.urls").read_text("utf-8")
    assert code("export", "-", *data) == 0


@pytest.mark.parametrize(
    ("said", "base"),
    [((), "http://127.0.0.1:8420"), (("https://vigil.example/",), "https://vigil.example")],
)
def test_a_secret_address_is_where_the_dashboard_is(
    data: tuple[str, str], monkeypatch: pytest.MonkeyPatch, said: tuple[str, ...], base: str
):
    for address in said:
        monkeypatch.setenv("WEBVIGIL_PUBLIC_URL", address)
    printed = run("ping", PAGE, *data).output
    assert printed.startswith(f"{base}/push/")
    assert json.loads(run("ping", PAGE, *data, "--json").output)["address"].startswith(f"{base}/push/")
    assert run("ping", PAGE, "--remove", *data).output == "Closed 2.\n"
    assert run("ping", PAGE, "--remove", "--json", *data).output == '{"closed": 0}\n'


def test_topics_are_listed_with_what_they_say(data: tuple[str, str]):
    assert run("topic", "list", *data).output == "press  1 sentinel\n"
    said = run("topic", "say", "press", "Fetch 1 day", *data).output
    assert said == "press says this for 1 sentinel.\n  Fetch 1 day\n"
    assert run("topic", "list", *data).output == "press  1 sentinel\n  Fetch 1 day\n"
    assert run("topic", "say", "press", "", *data).output == "press says nothing for 1 sentinel.\n"
    assert run("topic", "say", "shops", "Fetch 1 day", *data).output.startswith(
        "shops says this for 0 sentinels.\n"
    )
    (told,) = [one for one in json.loads(run("topic", "list", *data, "--json").output) if one["sentinels"]]
    assert (told["name"], told["sentinels"]) == ("press", 1)


def test_contacts_are_added_listed_and_forgotten(data: tuple[str, str]):
    assert run("contact", "list", *data).output == "No contacts.\n"
    asked = run("contact", "add", "email", "jill@a.test", *data)
    assert asked.stdout == "jill@a.test is asked to confirm.\n"
    assert asked.stderr == "No mail server is set yet (smtp_host); the mail waits for one.\n"
    made = run("contact", "add", "webhook", "https://a.test/hook", *data).output
    assert made.startswith("Messages to https://a.test/hook are signed with the secret ")
    feed = run("contact", "add", "feed", "topic:press", *data)
    assert (feed.stdout[-6:], feed.stderr[-5:]) == (".atom\n", ".ics\n")
    assert run("contact", "list", *data).output == (
        "email    jill@a.test (not confirmed yet)\nfeed     topic:press\nwebhook  https://a.test/hook\n"
    )
    assert run("contact", "remove", "webhook", "https://a.test/hook", *data).output == (
        "Forgot webhook https://a.test/hook\n"
    )
    known = json.loads(run("contact", "list", "--json", *data).output)
    assert [one["channel"] for one in known] == ["email", "feed"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("contact", "add", "email"), "Error: say which email is meant"),
        (("contact", "add", "apprise"), "Error: say which apprise is meant"),
        (("notices", "retry"), "Error: name one notice, or --all"),
        (("notices", "retry", "3", "--all"), "Error: name one notice, or --all"),
        (("export", "-", "--page", PAGE), "--page and --sentinel choose what goes into a WARC or WACZ file"),
        (
            ("export", "x.urls", "--sentinel", "s"),
            "--page and --sentinel choose what goes into a WARC or WACZ",
        ),
        (("export", "-", "--warc"), "Error: a web archive is written to a file; name one"),
        (("export", "x", "--warc", "--page", PAGE, "--sentinel", "s"), "Error: choose a page or a sentinel"),
        (("user", "scores", "--weight", "link=much"), "Error: 'link=much' is not a weight; write link=512"),
        (("import", "-", "--captures", "x"), "Error: a web archive is read from a file; name one"),
    ],
)
def test_what_does_not_fit_together_is_refused(tmp_path: Path, words: tuple[str, ...], said: str):
    done = CliRunner().invoke(webvigil, [*words, "--data", str(tmp_path)])
    assert said in done.output
    assert done.exit_code in (1, 2)


def test_what_weighs_more_to_a_user_is_set_and_reset(data: tuple[str, str]):
    plain = run("user", "scores", *data).output
    chosen = run("user", "scores", "--weight", "link = 512", "--interest", "merger", *data).output
    assert ("512" in chosen, "merger" in chosen) == (True, True)
    assert run("user", "scores", *data).output == chosen
    assert run("user", "scores", "--reset", *data).output == plain != chosen


def test_a_link_to_sign_in_leads_to_the_dashboard(data: tuple[str, str]):
    assert run("user", "link", *data).output.startswith("http://127.0.0.1:8420/sign-in?token=")
    elsewhere = run("user", "link", "me", "--url", "https://vigil.example/", *data).output
    assert elsewhere.startswith("https://vigil.example/sign-in?token=")


@contextmanager
def opens(**parts: Any) -> Iterator[tuple[Any, Any]]:
    yield SimpleNamespace(**parts), SimpleNamespace(user="me")


def stored(monkeypatch: pytest.MonkeyPatch, module: object, **parts: Any) -> None:
    """Lets a command find a store with these parts."""
    monkeypatch.setattr(module, "store_of", lambda _: opens(**parts))


AWAY = {"side": "away", "peer": "https://b.test", "sentinel": "news", "state": "working", "reason": ""}
GUEST = {"side": "guest", "peer": "", "sentinel": "prices", "state": "rests", "reason": "no page"}


def test_agents_are_listed_those_that_are_away_first(monkeypatch: pytest.MonkeyPatch):
    known: dict[tuple[str, str | None], list[dict[str, str]]] = {("away", "me"): [], ("guest", None): []}
    listed = SimpleNamespace(all=lambda side, user=None: known[side, user])
    stored(monkeypatch, agent, agents=listed, peers=None)
    monkeypatch.setattr(agents, "agent_as_json", lambda _, one: one)
    assert run("agent", "list").output == "No agents are away, and none are guests here.\n"
    known |= {("away", "me"): [AWAY], ("guest", None): [GUEST]}
    assert run("agent", "list").output == (
        "news                     at https://b.test, working\n"
        "prices                   a guest from a server that is no peer any more, rests: no page\n"
    )
    assert json.loads(run("agent", "list", "--json").output) == [AWAY, GUEST]


PEER = {"state": "known", "url": "https://b.test", "got": 3, "given": 4, "fingerprint": "k3tq", "reason": ""}


def test_peers_are_listed_with_what_they_saved(monkeypatch: pytest.MonkeyPatch):
    known: list[dict[str, Any]] = []
    stored(monkeypatch, peer, peers=SimpleNamespace(all=lambda: known))
    monkeypatch.setattr(roster, "peer_as_json", lambda one: one)
    assert run("peer", "list").output == "There are no peers. 'webvigil peer add' makes one.\n"
    known += [PEER, {**PEER, "state": "distrusted", "reason": "tells old pages"}]
    line = "https://b.test  3 pages got, 4 given\n           k3tq"
    assert run("peer", "list").output == f"known      {line}\ndistrusted {line}  (tells old pages)\n"
    assert json.loads(run("peer", "list", "--json").output) == known


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("known", "https://b.test is a peer now: pages that both watch are fetched once.\n"),
        (
            "invited",
            "https://b.test is invited. It becomes a peer when its operator adds this server.\n",
        ),
    ],
)
def test_a_server_that_is_added_is_a_peer_or_invited(monkeypatch: pytest.MonkeyPatch, state: str, said: str):
    async def added(*_: object) -> SimpleNamespace:
        return SimpleNamespace(url="https://b.test", state=state)

    stored(monkeypatch, peer)
    monkeypatch.setattr(peer, "_added", added)
    assert run("peer", "add", "https://b.test", "--fingerprint", "k").output == said


def test_where_a_page_is_watched_ends_with_1_if_nowhere(monkeypatch: pytest.MonkeyPatch):
    places: list[dict[str, str]] = []

    async def where(*_: object) -> list[dict[str, str]]:
        return places

    stored(monkeypatch, peer, peers=None)
    monkeypatch.setattr(peer, "_where", where)
    nowhere = run("peer", "where", PAGE)
    assert (nowhere.return_value, nowhere.output) == (1, "No server that we know of watches this page.\n")
    assert run("peer", "where", PAGE, "--json").output == "[]\n"
    places.append({"url": "https://b.test", "fingerprint": "k3tq"})
    found = run("peer", "where", PAGE)
    assert (found.return_value, found.output) == (0, "https://b.test  k3tq\n")
    assert json.loads(run("peer", "where", PAGE, "--json").output) == places


def waiting(number: int, state: str, error: str = "") -> SimpleNamespace:
    notice = SimpleNamespace(channel="email", address="jill@a.test", subject="News changed")
    return SimpleNamespace(id=number, created_at=NOON, state=state, notice=notice, error=error, attempts=3)


def test_notices_are_listed_with_what_went_wrong(monkeypatch: pytest.MonkeyPatch):
    found: list[SimpleNamespace] = []
    asked: list[dict[str, Any]] = []
    outbox = SimpleNamespace(all=lambda user, **more: asked.append(more) or found)
    stored(monkeypatch, notices, outbox=outbox)
    assert run("notices").output == "No notices.\n"
    found += [waiting(7, "pending", "no answer"), waiting(8, "delivered", "no answer"), waiting(9, "held")]
    head = "2026-11-18 12:00"
    assert run("notices", "--state", "given-up", "--limit", "9").output == (
        f"      7  {head}  pending    email jill@a.test\n         News changed\n"
        "         no answer (tried 3 times)\n"
        f"      8  {head}  delivered  email jill@a.test\n         News changed\n"
        f"      9  {head}  held       email jill@a.test\n         News changed\n"
    )
    assert asked == [{"state": None, "limit": 50}, {"state": "given up", "limit": 9}]


@pytest.mark.parametrize(("count", "said"), [(0, "0 notices are"), (1, "1 notice is"), (2, "2 notices are")])
def test_notices_are_tried_again(monkeypatch: pytest.MonkeyPatch, count: int, said: str):
    stored(monkeypatch, notices, outbox=SimpleNamespace(revive=lambda *_, **__: count))
    assert run("notices", "retry", "--all").output == f"{said} tried again.\n"
    one = CliRunner().invoke(webvigil, ["notices", "retry", "7"])
    if count:
        assert one.output == f"{said} tried again.\n"
    else:
        assert str(one.exception) == "no notice 7 of yours was given up"


@pytest.mark.parametrize(
    ("words", "settings", "tells"),
    [
        (("--demo",), {}, True),
        ((), {}, False),
        (("--demo",), {"WEBVIGIL_DEMO_PORT": "0"}, False),
    ],
)
def test_a_server_says_where_it_is_and_where_its_demo_is(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    settings: dict[str, str],
    tells: bool,
):
    asked: dict[str, bool] = {}

    async def started(_: object, announce: Any, **more: bool) -> None:
        asked.update(more)
        announce(None, "http://a.test")

    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(serving, "serve", started)
    monkeypatch.setattr(logs, "start_logging", lambda *_: None)
    said = run("serve", "--data", str(tmp_path), *words).output.splitlines()
    assert said[0] == "WebVigil is running on http://a.test (stop with Ctrl-C)"
    assert said[1:-1] == (["The demo site, to be watched: http://127.0.0.1:8421"] if tells else [])
    link = f"webvigil user link --url http://a.test --data {tmp_path}"
    assert said[-1] == f"Sign in with the link that this makes: {link}"
    assert asked == {"demo": bool(words), "work": True}


@pytest.mark.parametrize(
    ("count", "said"), [(12, "12 names: " + " ".join("abcdefghijkl")), (13, " ".join("abcdefghijkl") + " …")]
)
def test_a_digest_names_the_first_twelve_of_many(count: int, said: str):
    names = tuple("abcdefghijklmnop"[:count])
    assert said.endswith(digesting._some(names))


def test_a_digest_is_told_in_a_few_lines(tmp_path: Path):
    page = "<html><head><title>News</title></head><body><p>one</p><a href=/x>two</a></body></html>"
    file = tmp_path / "a.html"
    file.write_text(page)
    shown = run("digest", str(file)).output.splitlines()
    assert shown[:7] == [
        "kind                 html",
        "title                News",
        "nodes                10, 4 levels deep",
        "tags                 8 names: #text #document html head title body p a",
        "attributes           1 on nodes, 1 names",
        "content              3 different texts, 10 characters",
        "objects              1 links, 2 words",
    ]
    found = json.loads(run("digest", str(file), "--json").output)
    digest = digest_of(page.encode(), "text/html", "")
    assert (found["ST"], found["nodes"]) == (digest.structure.tolist(), len(digest))


def test_only_measurements_with_rows_are_offered_as_benchmarks():
    from webvigil.cli.bench import CHECKOUT, benchmarks

    for name, module in benchmarks().items():
        file = CHECKOUT / f"{module.replace('.', '/')}.py"
        assert "def rows(" in file.read_text("utf-8"), name
        assert name != "__init__"
