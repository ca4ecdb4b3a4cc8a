"""Each question about sentinels is one request to a server, and what it answers is read as it is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.cli.test_from_json import NOON, PORTRAIT, REMOVED, SENTINEL, TRIAL, WATCHED
from webvigil.cli import from_json as heard
from webvigil.cli.asking import Answer
from webvigil.cli.at_server import AtServer
from webvigil.cli.place import Enabled, Ran
from webvigil.errors import NotFound, RemoteRefused, SentinelRefused
from webvigil.model.wanted import LARGEST_ID, LARGEST_PIECE

ENTRY = {"at": NOON, "sentinel": "news", "what": "looked", "past": True}


class Server:
    """Answers requests as it was told, and remembers them."""

    def __init__(self, *answers: Any) -> None:
        self.answers = [one if isinstance(one, Answer) else Answer(200, {}, one) for one in answers]
        self.asked: list[tuple[str, str, dict[str, Any]]] = []
        self.server = SimpleNamespace(address="http://vigil.test")

    def ask(self, method: str, path: str, **more: Any) -> Answer:
        self.asked.append((method, path, {name: value for name, value in more.items() if value is not None}))
        found = self.answers.pop(0)
        if isinstance(found.content, Exception):
            raise found.content
        return found

    def misunderstood(self) -> None:
        raise RemoteRefused("not understood")


def at(server: Server) -> AtServer:
    return AtServer(server)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("method", "arguments", "said", "asked", "found"),
    [
        (
            "portrait",
            ("a b",),
            PORTRAIT,
            ("GET", "/sentinels/a%20b", {"about": "a b"}),
            heard.portrait(PORTRAIT),
        ),
        (
            "watched",
            ("n",),
            [WATCHED],
            ("GET", "/sentinels/n/watched", {"about": "n"}),
            [heard.watched(WATCHED)],
        ),
        (
            "enable",
            ("n",),
            {**SENTINEL, "next": "soon"},
            ("POST", "/sentinels/n/enable", {"about": "n"}),
            Enabled(heard.sentinel(SENTINEL).state, "soon"),
        ),
        (
            "disable",
            ("n",),
            {**SENTINEL, "state": "disabled"},
            ("POST", "/sentinels/n/disable", {"about": "n"}),
            "disabled",
        ),
        ("remove", ("n",), None, ("DELETE", "/sentinels/n", {"about": "n"}), None),
        ("removed", (), [REMOVED], ("GET", "/removed", {}), [heard.removed(REMOVED)]),
        ("run", ("n",), {"pages": 2}, ("POST", "/sentinels/n/run", {"about": "n"}), Ran(2, ())),
        (
            "run",
            ("n",),
            {"pages": 2, "warnings": ["w"]},
            ("POST", "/sentinels/n/run", {"about": "n"}),
            Ran(2, ("w",)),
        ),
    ],
)
def test_a_question_is_one_request(
    method: str, arguments: tuple[str, ...], said: Any, asked: tuple[str, str, dict[str, Any]], found: Any
):
    server = Server(said)
    assert getattr(at(server), method)(*arguments) == found
    assert server.asked == [asked]


def test_a_sentence_is_tried_on_the_last_changes():
    server = Server(TRIAL)
    assert at(server).tried("n", "it is cheaper", last=5, ask=True) == heard.trial(TRIAL)
    body = {"means": "it is cheaper", "last": 5, "ask": True}
    assert server.asked == [("POST", "/sentinels/n/meaning", {"about": "n", "body": body})]


def test_sentinels_are_installed_after_the_server_knows_the_token():
    server = Server({}, [SENTINEL])
    assert at(server).add("text") == [heard.sentinel(SENTINEL)]
    assert server.asked == [
        ("GET", "/me", {}),
        ("POST", "/sentinels", {"body": {"text": "text"}, "new": "true"}),
    ]
    with pytest.raises(SentinelRefused, match="line 1"):
        at(Server({}, RemoteRefused("line 1"))).add("text")


def test_lists_are_asked_for_piece_by_piece():
    more = Answer(200, {"Link": '</x?before=70>; rel="next"'}, [SENTINEL])
    server = Server(more, [{**SENTINEL, "name": "older"}])
    assert [one.name for one in at(server).all()] == ["news", "older"]
    assert server.asked == [
        ("GET", "/sentinels", {"limit": LARGEST_PIECE, "before": LARGEST_ID}),
        ("GET", "/sentinels", {"limit": LARGEST_PIECE, "before": 70}),
    ]


def test_a_time_line_is_that_of_one_sentinel_or_of_all():
    server = Server([ENTRY])
    assert [one.what for one in at(server).timeline("news")] == ["looked"]
    assert server.asked == [("GET", "/timeline", {"about": "news", "sentinel": "news"})]
    later = {**ENTRY, "at": NOON.replace("12:", "13:"), "what": "told"}
    server = Server(Answer(200, {"Link": '</x?before=70>; rel="next"'}, [later]), [ENTRY])
    assert sorted(one.what for one in at(server).timeline(None)) == ["looked", "told"]
    assert server.asked[1] == ("GET", "/timeline", {"limit": 200, "before": 70})


def test_the_removed_sentinel_of_this_name_is_brought_back():
    removed = [{**REMOVED, "name": "other", "id": 1}, {**REMOVED, "name": "news", "id": 2}]
    server = Server(removed, SENTINEL)
    assert at(server).bring_back("news").name == "news"
    assert server.asked[1] == ("POST", "/removed/2/restore", {})
    with pytest.raises(NotFound) as refused:
        at(Server(removed)).bring_back("gone")
    assert (
        str(refused.value)
        == "there is no removed sentinel 'gone'; 'webvigil undo-remove' lists what there is"
    )


def test_a_name_is_free_if_no_sentinel_has_it():
    server = Server(PORTRAIT, PORTRAIT, NotFound("no"))
    assert at(server).free_name("news") == "news-3"
    assert at(Server(NotFound("no"))).free_name("news") == "news"


def test_mistakes_are_pointed_at():
    mistake = {"message": "wrong", "line": 1, "column": 2, "word": "b"}
    server = Server({"mistakes": [mistake]}, {"mistakes": []})
    shown = at(server).pointed("a b")
    assert shown == heard.mistake(mistake).pointed("a b") != ""
    assert at(server).pointed("a b") == ""
    assert server.asked[0] == ("POST", "/check", {"body": {"text": "a b"}})


@pytest.mark.parametrize("said", [None, {}, [], "x", 1, {"pages": True}])
def test_what_is_not_understood_is_told(said: Any):
    with pytest.raises(RemoteRefused, match="not understood"):
        at(Server(said)).run("n")


def test_without_sentinels_the_server_is_named():
    said = "No sentinels yet at http://vigil.test. Add some: webvigil add FILE"
    assert at(Server()).nothing_yet == said
