"""No route and no command ever shows internals, whatever is sent to it.

Internals are a database's own messages, paths of the server, tracebacks, "internal error", and Python's
notation of values. Routes come from the application and commands from the tree of commands, so that new ones
are tested, too.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click
import httpx2
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from sqlalchemy import text

import webvigil as product
from tests.databases import migrated_postgres, migrated_sqlite
from tests.store.making import checked, claim_all, new_change, new_version, notice, sentinel
from tests.web.doors import browser_of
from webvigil.app.people.passes import Passes
from webvigil.app.settings import read_settings
from webvigil.cli.main import main, webvigil
from webvigil.fetch.login import Seal
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.web.application import create_application

SOURCE = str(Path(product.__file__).parent)
NEVER = re.compile(
    r"Traceback \(most recent"
    r"|internal (server )?error"
    r"|UNIQUE constraint|FOREIGN KEY constraint|constraint failed|violates .* constraint"
    r"|(?<!\+)psycopg|sqlite3|sqlalchemy|OperationalError|IntegrityError|DataError|ProgrammingError"
    r"|no such (table|column)|syntax error at or near|invalid input syntax|out of range for type"
    r"|<[\w.]+ object at 0x|<(class|function|built-in) "
    r"|\b[A-Z][A-Za-z]+(Error|Exception)\b"
    r"|\b[A-Z][a-z]+[A-Za-z]*\([a-z_]+=",
    re.IGNORECASE,
)
CASES = ("OperationalError", "Traceback (most recent call last)", "<tests.x.Site object at 0x7f")


def seen_in(text: str) -> str:
    """Returns the first forbidden text with its surroundings; "" if there is none."""
    found = NEVER.search(text)
    return text[max(0, found.start() - 80) : found.end() + 120] if found else ""


@pytest.mark.parametrize("text", [*CASES, "UNIQUE constraint failed: removal.sentinel_id", "Page(url='x')"])
def test_what_is_never_seen_is_known(text: str):
    assert seen_in(f"webvigil: {text}")


# --- routes ------------------------------------------------------------------------------------------

WRONG: list[Any] = [
    "",
    "\x00",
    "\ud800",
    "x" * 3_000,
    "../../../etc/passwd",
    "'; DROP TABLE sentinel; --",
    "{{ 7 * 7 }}<script>alert(1)</script>",
    "-1",
    "9223372036854775808",
    "1e999",
    [[[]]],
    {"a": None},
    True,
    -(2**70),
]
RIGHT = {
    "name": "s1",
    "sentinel": "s1",
    "change": "1",
    "page": "1",
    "number": "1",
    "version": "1",
    "old": "1",
    "new": "1",
    "kind": "json",
    "channel": "webhook",
    "notice": "1",
}


@pytest.fixture(params=["sqlite", "postgresql"])
def knowledge(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlKnowledge]:
    if request.param == "sqlite":
        yield from _filled(migrated_sqlite(tmp_path / "webvigil.sqlite3"))
    else:
        with migrated_postgres() as url:
            yield from _filled(url)


def _filled(url: str) -> Iterator[SqlKnowledge]:
    knowledge = SqlKnowledge(url, delay=0)
    knowledge.users.add("root", role="admin")
    knowledge.users.add("jill")
    knowledge.sentinels.add(sentinel("s1", user="root"))
    (claim,) = claim_all(knowledge)
    due = claim.pages[0]
    change = new_change(due.watches[0].sentinel, 1, 2)
    knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(1), changes=(change,))])
    knowledge.outbox.add(notice("n1"))
    yield knowledge
    knowledge.close()


def test_routes_are_found_with_their_whole_paths(knowledge: SqlKnowledge, tmp_path: Path):
    application = _application(knowledge, tmp_path)
    found = {path.replace(":path}", "}") for _, path in routes_of(application)}
    assert found >= set(application.openapi()["paths"])
    assert {"/sentinels/many", "/api/v1/sentinels", "/healthz", "/import"} <= found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "knowledge", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)], indirect=True
)
def test_no_route_shows_what_is_inside(knowledge: SqlKnowledge, tmp_path: Path, pytestconfig: pytest.Config):
    """A quick run sends every route a sixth of the wrong values, and every value to a sixth of the routes."""
    application = _application(knowledge, tmp_path)
    with TestClient(application):
        seen = _seen_at_routes(
            application, knowledge, tmp_path, step=1 if pytestconfig.getoption("--all") else 6
        )
    assert not seen, "\n".join(f"{where}: {what}" for where, what in seen.items())


def _seen_at_routes(
    application: FastAPI, knowledge: SqlKnowledge, data: Path, *, step: int
) -> dict[str, str]:
    seen: dict[str, str] = {}
    for number, (route, path) in enumerate(routes_of(application)):
        client = _client(application, knowledge)
        client.headers["accept"] = "text/html" if "/api/" not in path else "application/json"
        for method in sorted(route.methods):
            for request in _requests(route, path, WRONG[number % step :: step]):
                answer = client.request(method, **request)
                if wrong := _wrong_with(answer, data):
                    seen.setdefault(f"{method} {path}", f"{request!r:.300}\n   {wrong}")
    return seen


@pytest.mark.filterwarnings("ignore")
def test_no_route_shows_what_a_broken_database_says(knowledge: SqlKnowledge, tmp_path: Path):
    application = _application(knowledge, tmp_path)
    seen: dict[str, str] = {}
    with TestClient(application):
        client = _client(application, knowledge)
        for table in ("look", "change", "watch"):
            with knowledge.database.write() as connection:
                connection.execute(text(f"ALTER TABLE {table} RENAME TO lost_{table}"))
        for route, path in routes_of(application):
            if route.methods == {"GET"}:
                client.headers["accept"] = "text/html" if "/api/" not in path else "application/json"
                answer = client.get(_right(path))
                if wrong := _wrong_with(answer, tmp_path):
                    seen[path] = wrong
    assert not seen, "\n".join(f"{where}: {what}" for where, what in seen.items())


def _client(application: FastAPI, knowledge: SqlKnowledge) -> TestClient:
    client = browser_of(application, knowledge, "root")
    client._transport.raise_server_exceptions = False
    return client


def _right(path: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda name: RIGHT.get(name[1], "1"), path)


def _wrong_with(answer: httpx2.Response, data: Path) -> str:
    """Returns what is wrong with an answer. Only refusals are judged, because content of a page may look like
    anything."""
    if answer.status_code < 400:
        return ""
    if answer.status_code not in (502, 503) and answer.status_code >= 500:
        return f"status {answer.status_code}: {answer.text[:200]}"
    if str(data) in answer.text or SOURCE in answer.text:
        return f"a path: {answer.text[:300]}"
    return seen_in(answer.text)


def _application(knowledge: SqlKnowledge, data: Path) -> FastAPI:
    made = create_application(knowledge, read_settings({"data": str(data)}, environment={}))
    made.state.seal, made.state.passes = Seal(b"k" * 32), Passes(b"key")
    made.state.stopping = True  # event streams end at once, so that no request waits for ever
    return made


def routes_of(application: FastAPI) -> Iterator[tuple[APIRoute, str]]:
    """Yields every route with its whole path, also those of nested routers."""
    yield from _walk(application.router, "")


def _walk(router: Any, prefix: str) -> Iterator[tuple[APIRoute, str]]:
    for route in router.routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from _walk(inner, prefix + _prefix(route))
        elif isinstance(route, APIRoute):
            yield route, prefix + route.path


def _prefix(included: Any) -> str:
    return str(getattr(included.include_context, "prefix", ""))


def _requests(route: APIRoute, path: str, wrong: list[Any]) -> Iterator[dict[str, Any]]:
    """Yields requests with these values: in the path, and for a correct path in the query and the body."""
    right = _right(path)
    query = [field.alias for field in route.dependant.query_params]
    fields = _fields(route)
    for value in wrong:
        if isinstance(value, str):
            text = quote(value.encode("utf-8", "surrogatepass"), safe="")
            if "{" in path:
                yield {"url": re.sub(r"\{\w+\}", lambda _, text=text: text, path)}
            if query:
                yield {"url": right + "?" + "&".join(f"{name}={text}" for name in query)}
            if fields:
                yield {"url": right, "data": dict.fromkeys(fields, _sendable(value))}
        if fields or route.methods - {"GET"}:
            body = _json(dict.fromkeys(fields, value) or value)
            yield {"url": right, "content": body, "headers": {"content-type": "application/json"}}
    if route.methods - {"GET"}:
        for body in (b"", b"{", b"\xff\xfe\x00", b"[" * 2_000, b"null"):
            yield {"url": right, "content": body, "headers": {"content-type": "application/json"}}
        cut = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nPK\x03\x04'
        yield {"url": right, "content": cut, "headers": {"content-type": "multipart/form-data; boundary=x"}}


def _fields(route: APIRoute) -> list[str]:
    found: list[str] = []
    for body in route.dependant.body_params:
        inner = getattr(body.field_info.annotation, "model_fields", None)
        found += list(inner) if inner else [body.alias]
    return found


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _sendable(value: str) -> str:
    return value.encode("utf-8", "replace").decode()


# --- commands ----------------------------------------------------------------------------------------

WORDS = [
    "",
    "x" * 3_000,
    "../../../etc/passwd",
    "'; DROP TABLE sentinel; --",
    "-1",
    "99999999999999999999",
    "\udcff",
]
FOR_EVER = {"serve", "worker"}
"""Commands that run for ever with correct arguments. Their data folder is a file here, so that they fail."""
ALWAYS = {"simulate": ["--case", "nowhere"]}
"""Arguments that are always added: without them the command takes long."""
EVERYWHERE = {"--data", "--database", "--objects", "--user", "--server", "--token"}
"""Options that all commands share. They are tried with two commands only."""


def commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield from _below((), webvigil)


def _below(names: tuple[str, ...], command: click.Command) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if not isinstance(command, click.Group):
        yield names, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from _below((*names, name), found)


COMMANDS = {" ".join(names): command for names, command in commands()}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Files that are empty, cut off, or not what their names say."""
    made = {
        "empty": b"",
        "bytes": bytes(range(256)) * 20,
        "cut.zip": b"PK\x03\x04\x14\x00\x00\x00\x08\x00" + b"\x00" * 30,
        "cut.json": b'{"watching": {"a": {"url": "http://',
        "deep.json": b"[" * 50_000,
        "cut.xpk": b"XPK\x02\x00\x00",
        "cut.xml": b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b '&b;'>]><a>&b;",
        "cut.sentinel": b"Create Sentinel x Using http://",
    }
    for name, content in made.items():
        (tmp_path / name).write_bytes(content)
    return [*(str(tmp_path / name) for name in made), str(tmp_path), str(tmp_path / "nowhere")]


@pytest.mark.sampled(2)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("words", COMMANDS)
def test_no_command_shows_what_is_inside(
    words: str,
    tmp_path: Path,
    files: list[str],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    data = tmp_path / "data"
    data.mkdir()
    migrated_sqlite(data / "webvigil.sqlite3")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDITOR", "false")
    monkeypatch.setenv("WEBVIGIL_DATA", str(data))
    seen: list[str] = []
    for line in _lines(tuple(words.split()), COMMANDS[words], files):
        code, said = _called(line, capfd, monkeypatch)
        wrong = seen_in(said) or (SOURCE in said and said) or (code not in (0, 1, 2, 130) and f"code {code}")
        if wrong:
            seen.append(f"{line!r:.300}\n   {wrong}")
    assert not seen, "\n".join(seen)


def _lines(names: tuple[str, ...], command: click.Command, files: list[str]) -> Iterator[list[str]]:
    arguments = [one for one in command.params if isinstance(one, click.Argument)]
    options = [one for one in command.params if isinstance(one, click.Option) and not one.is_flag]
    always = ["--data", files[0]] if FOR_EVER & set(names) else ALWAYS.get(names[0], [])
    if arguments:
        reads = any(isinstance(one.type, click.Path | click.File) for one in arguments)
        for value in [*WORDS, *(files if reads else ())]:
            yield [*names, *always, "--", *(value for _ in arguments)]
    values = cycle([*WORDS, *files])
    for option in options:
        if option.opts[0] in EVERYWHERE and names[0] not in ("list", "backup"):
            continue
        for _ in range(3):
            given = ["--", *(files[0] for _ in arguments)] if arguments else []
            yield [*names, *always, option.opts[0], next(values), *given]


def _called(
    line: list[str], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> tuple[Any, str]:
    monkeypatch.setattr(sys, "argv", ["webvigil", *line])
    capfd.readouterr()
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        try:
            main()
        except SystemExit as end:
            code = end.code
        except Exception as error:  # noqa: BLE001  (what a user would see as a traceback)
            return 2, f"Traceback (most recent: {type(error).__name__}: {error}"
    logging.shutdown()
    out, err = capfd.readouterr()
    return code, out + err
