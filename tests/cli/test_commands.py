"""Every command has help with an example, reports trouble in one line, and keeps to the exit codes."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tests.whole.serving import webvigil
from webvigil.cli.commands import COMMANDS
from webvigil.cli.main import webvigil as group

HEAVY = {
    "numpy",
    "numpy.ma",
    "sqlalchemy",
    "fastapi",
    "uvicorn",
    "aiohttp",
    "lxml",
    "lark",
    "alembic",
    "rich",
    "turbohtml",
    "urllib.request",
}


def _commands() -> dict[str, click.Command]:
    context = click.Context(group)
    found: dict[str, click.Command] = {}
    for name in COMMANDS:
        command = group.get_command(context, name)
        assert command is not None
        found[name] = command
        if isinstance(command, click.Group):
            found |= {f"{name} {inner}": one for inner, one in command.commands.items()}
    return found


@pytest.mark.parametrize("name", _commands())
def test_every_command_has_help_with_an_example(name: str):
    command = _commands()[name]
    text = command.get_help(click.Context(command, info_name=name))
    assert "Example:" in text
    assert f"webvigil {name.partition(' ')[0]}" in text
    assert max(map(len, text.splitlines())) <= 100


def test_help_and_version_need_nothing_heavy():
    """Commands start fast, because modules are loaded only when a command runs that needs them."""
    loaded = _loaded_by("--help")
    assert "webvigil.cli.main" in loaded
    assert sorted(loaded & HEAVY) == []


ONE = "Create Sentinel s1 Using https://example.org/ Monitor all links"
PAGES = {"webvigil.document", "webvigil.detect.registry", "webvigil.fetch.http", "numpy"}
# Small ones that few comparisons need. `_hashlib` loads OpenSSL: 2 MB.
SELDOM = {"_hashlib", "blake3", "cssselect", "importlib.resources", "logging", "rapidfuzz", "re2", "regex"}


def test_a_list_of_a_current_database_needs_the_driver_alone(tmp_path: Path):
    place = ("--data", str(tmp_path))
    first = _loaded_by("list", *place)  # the database is made
    assert "sqlalchemy" in first
    assert "alembic" not in first, "a new file is made by prepared statements"
    assert sorted(first & PAGES) == []
    second = _loaded_by("list", *place)
    assert "sqlite3" in second
    assert sorted(second & (HEAVY | PAGES | {"asyncio", "_hashlib"})) == []


@pytest.mark.parametrize("command", ["changes", "notices"])
def test_what_reads_the_database_needs_nothing_about_pages(tmp_path: Path, command: str):
    place = ("--data", str(tmp_path))
    _loaded_by("list", *place)
    loaded = _loaded_by(command, *place)
    assert "sqlalchemy" in loaded
    assert sorted(loaded & (HEAVY - {"sqlalchemy"} | PAGES)) == []


def test_checking_a_text_needs_the_language_alone(tmp_path: Path):
    file = tmp_path / "one.sentinels"
    file.write_text(ONE)
    loaded = _loaded_by("check", str(file), folder=tmp_path)
    assert "lark" in loaded
    unwanted = {"asyncio", "webvigil.model.meaning", "webvigil.trigger.meaning"}
    assert sorted(loaded & (HEAVY - {"lark"} | PAGES | unwanted)) == []


def test_comparing_two_files_needs_neither_a_store_nor_a_network(tmp_path: Path):
    for name in ("old.html", "new.html"):
        (tmp_path / name).write_text(f"<ul><li class={name}><a href={name}>{name}</a><li>same</ul><p>{name}")
    loaded = _loaded_by("diff", str(tmp_path / "old.html"), str(tmp_path / "new.html"))
    assert "webvigil.detect.any_change" in loaded
    unwanted = HEAVY - {"numpy", "turbohtml", "lxml"} | SELDOM | {"asyncio", "webvigil.app"}
    assert sorted(loaded & unwanted) == []


def test_asking_a_packed_file_needs_neither_html_nor_the_language(tmp_path: Path):
    (tmp_path / "a.xml").write_text("<a><b c='1'/><b c='2'>text</b></a>")
    packed = str(tmp_path / "a.xpk")
    _loaded_by("pack", str(tmp_path / "a.xml"), "-o", packed)
    loaded = _loaded_by("query", packed, "//b[@c]/text()/.. | //*", "--count")
    assert "webvigil.xpack" in loaded
    assert (
        sorted(loaded & (HEAVY - {"numpy"} | {"asyncio", "webvigil.app", "webvigil.detect", "regex"})) == []
    )


def test_asking_a_server_needs_no_store():
    loaded = _loaded_by("list", "--server", "http://127.0.0.1:1", "--token", "x")
    assert "webvigil.cli.asking" in loaded
    assert sorted(loaded & ({*HEAVY, "webvigil.app", "webvigil.store"} - {"urllib.request"})) == []


# What a server needs for some pages, channels and stores, but not for its start.
SOME = {
    "PIL", "alembic", "apprise", "cryptography", "jsonpath", "lxml", "mcp", "nh3", "numpy.ma", "numpy.random",
    "obstore", "playwright", "psycopg", "pypdf", "rapidfuzz", "re2", "sqlalchemy.orm", "warcio",
    "webvigil.app.demo", "yaml",
}  # fmt: skip


# What is loaded when somebody opens the dashboard or asks the API.
OPENED = {"fastapi", "jinja2", "pydantic", "webvigil.web"}


def test_a_server_that_has_started_has_not_loaded_its_dashboard(tmp_path: Path):
    loaded = _loaded_by_a_server(tmp_path, work=True)
    assert "webvigil.app.worker.process" in loaded
    assert sorted(loaded & (SOME | OPENED)) == []


def test_a_server_that_is_supervised_has_not_loaded_its_dashboard(tmp_path: Path):
    loaded = _loaded_by_a_server(tmp_path, work=True, asked=("/healthz", "/metrics"))
    assert "webvigil.web.probes" in loaded
    whole = {"webvigil.web.api", "webvigil.web.application", "webvigil.web.dashboard", "anyio._backends"}
    assert sorted(loaded & (SOME | whole | OPENED - {"webvigil.web"})) == []


def test_a_server_for_the_dashboard_alone_holds_nothing_that_only_some_pages_need(tmp_path: Path):
    loaded = _loaded_by_a_server(tmp_path, work=False)
    assert "webvigil.web.application" in loaded
    assert sorted(loaded & SOME) == []


_SERVER = """
import asyncio, os, signal, socket, sys, threading
from webvigil.app.operating.server import serve
from webvigil.app.settings import read_settings

def announce(_, address):
    threading.Thread(target=ask, args=(address,)).start()

def ask(address):
    for path in {asked}:
        with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2]))) as door:
            door.sendall(f"GET {{path}} HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n".encode())
            assert door.makefile().readline().split()[1] == "200", path
    print("LOADED", *sys.modules)
    os.kill(os.getpid(), signal.SIGTERM)

settings = read_settings(dict(data={data!r}, port="0"))
asyncio.run(serve(settings, announce, demo=False, work={work}))
"""


def _loaded_by_a_server(folder: Path, *, work: bool, asked: tuple[str, ...] = ()) -> set[str]:
    code = _SERVER.format(asked=asked, data=str(folder), work=work)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.partition("LOADED")[2].split())


def _loaded_by(*arguments: str, folder: Path | None = None) -> set[str]:
    code = f"import sys; sys.argv = ['webvigil', *{arguments!r}]; from webvigil.cli.main import main\n"
    code += "try: main()\nexcept SystemExit: print('LOADED', *sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder
    )
    return set(done.stdout.partition("LOADED")[2].split())


def test_a_page_that_no_peer_watches_is_said_in_words_or_as_an_empty_list(tmp_path: Path):
    asked = ("peer", "where", "https://example.org/", "--data", str(tmp_path))
    said, listed = webvigil(*asked), webvigil(*asked, "--json")
    assert (said.returncode, said.stdout) == (1, "No server that we know of watches this page.\n")
    assert (listed.returncode, json.loads(listed.stdout)) == (1, [])


def test_without_arguments_the_help_is_shown():
    done = webvigil()
    assert done.returncode == 2
    assert "Commands:" in done.stderr + done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["wach"], "there is no command 'wach'; did you mean 'watch'?"),
        (["xyzzy"], "there is no command 'xyzzy'; 'webvigil --help' lists the commands"),
        (["list", "--bogus"], "No such option"),
        (["enable"], "Missing argument 'NAME'"),
        (["show"], "name a sentinel, or ask for --timeline"),
        (["serve", "--port", "http"], "--port: 'http' is not a port number (0 to 65535)"),
        (["serve", "--host", "not a host"], "'not a host' is no address to listen on"),
        (["watch", "example.org"], "example.org"),
        (["watch", "ftp://example.org/"], "ftp://example.org/"),
        (["watch", "http://"], "http://"),
        (["watch", "http://example.org/", "--every", "0 second"], "0"),
        (["add", "nowhere.txt"], "nowhere.txt"),
        (["changes", "--since", "yesterday"], "'yesterday' is not a time"),
        (["list", "--database", "mysql://x/y"], "'mysql' is no database we know"),
        (["serve", "--objects", "ftp://x"], "'ftp://x' is no object store we know"),
    ],
)
def test_trouble_is_one_clear_line_and_exit_2(arguments: list[str], message: str, tmp_path: Path):
    done = webvigil(*arguments, WEBVIGIL_DATA=str(tmp_path / "data"))
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.startswith("webvigil: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "command", [["show", "x"], ["enable", "x"], ["remove", "x"], ["run", "x"], ["changes", "x"]]
)
def test_what_is_not_there_is_exit_1(command: list[str], tmp_path: Path):
    done = webvigil(*command, "--data", str(tmp_path))
    assert (done.returncode, done.stderr) == (1, "webvigil: there is no sentinel 'x'\n")


def test_a_foreign_database_file_is_refused_and_left_alone(tmp_path: Path):
    file = tmp_path / "webvigil.sqlite3"
    file.write_text("Dear Jill, " * 500)
    done = webvigil("list", "--data", str(tmp_path))
    assert done.returncode == 2
    assert "is not a WebVigil database" in done.stderr
    assert file.read_text() == "Dear Jill, " * 500


def test_a_database_of_the_future_is_refused(tmp_path: Path):
    assert webvigil("list", "--data", str(tmp_path)).returncode == 0
    with sqlite3.connect(tmp_path / "webvigil.sqlite3") as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'webvigil_9999'")
    connection.close()
    done = webvigil("list", "--data", str(tmp_path))
    assert done.returncode == 2
    assert "newer WebVigil" in done.stderr


def test_a_port_in_use_is_told_and_nothing_is_written(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = webvigil("serve", "--port", str(port), "--data", str(tmp_path / "data"))
    assert done.returncode == 2
    assert done.stderr == f"webvigil: port {port} on 127.0.0.1 is in use; choose another with --port\n"
    assert not (tmp_path / "data").exists()


def test_a_data_folder_that_cannot_be_made_is_told(tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    done = webvigil("list", "--data", str(tmp_path / "file" / "data"))
    assert done.returncode == 2
    assert "cannot be made" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_folder_without_permission_is_told(tmp_path: Path):
    """Runs as another user, because root may write everywhere."""
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o755)  # whatever the umask
    code = (
        "import os; from webvigil.app.settings import read_settings\n"
        "from webvigil.app.operating.stores import opened\n"
        "os.setuid(65534)\n"
        f"with opened(read_settings({{'data': {str(locked)!r}}})): pass"
    )
    for folder in (tmp_path, *tmp_path.parents):
        if folder.is_relative_to("/tmp"):
            folder.chmod(folder.stat().st_mode | 0o755) if folder != Path("/tmp") else None
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "StoreRefused: the data folder" in done.stderr
    assert "cannot be written" in done.stderr


def test_a_sentinel_is_installed_listed_shown_and_removed(tmp_path: Path):
    data = ["--data", str(tmp_path)]
    assert webvigil("list", *data).stdout.startswith(f"No sentinels yet in {data[1]}. Add one")
    done = webvigil("watch", "https://www.Example.org", *data)
    assert (done.returncode, done.stdout) == (0, "example-org is installed: https://www.example.org/\n")
    assert webvigil("watch", "https://www.example.org/b", *data).stdout.startswith(
        "example-org-2 is installed"
    )
    (second, first) = json.loads(webvigil("list", "--json", *data).stdout)
    assert (first["name"], first["state"], second["name"]) == ("example-org", "active", "example-org-2")
    assert "Monitor any change" in webvigil("show", "example-org", *data).stdout
    gone = webvigil("remove", "example-org", *data)
    assert (gone.returncode, "webvigil undo-remove example-org" in gone.stdout) == (0, True)
    assert len(json.loads(webvigil("list", "--json", *data).stdout)) == 1
    assert webvigil("undo-remove", *data).stdout.startswith("example-org: removed ")
    assert webvigil("undo-remove", "example-org-2", *data).returncode == 1, "it was not removed"
    assert webvigil("undo-remove", "example-org", *data).stdout == (
        "example-org is back: https://www.example.org/\n"
    )
    assert len(json.loads(webvigil("list", "--json", *data).stdout)) == 2
    assert webvigil("undo-remove", *data).stdout == "Nothing to bring back.\n"


def test_a_name_is_taken_once(tmp_path: Path):
    data = ["--data", str(tmp_path)]
    webvigil("watch", "https://example.org", "--name", "x", *data)
    done = webvigil("watch", "https://example.org", "--name", "x", *data)
    assert done.returncode == 2
    assert "there is a sentinel 'x' already" in done.stderr


def test_a_name_of_several_words_needs_no_quotes_of_the_language(tmp_path: Path):
    done = webvigil("watch", "https://a.org/", "--name", "tea -- Using b", "--data", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "https://a.org/" in webvigil("show", "tea -- Using b", "--data", str(tmp_path)).stdout


def test_a_text_with_a_mistake_installs_nothing(tmp_path: Path):
    text = "Create Sentinel good Using https://a.org/\nMonitor all links\n\nCreate Sentinel bad Usng https://b.org/\n"
    done = webvigil("add", "-", "--data", str(tmp_path), text=text)
    assert done.returncode == 2
    assert "line 4" in done.stderr
    assert json.loads(webvigil("list", "--json", "--data", str(tmp_path)).stdout) == []


def test_a_refused_sentinel_keeps_its_whole_file_out(tmp_path: Path):
    text = "Create Sentinel a Using https://a.org/\n\nCreate Sentinel a Using https://b.org/\n"
    done = webvigil("add", "-", "--data", str(tmp_path), text=text)
    assert done.returncode == 2
    assert json.loads(webvigil("list", "--json", "--data", str(tmp_path)).stdout) == []


def test_a_reason_against_a_sentinel_points_at_its_word(tmp_path: Path):
    text = "-- mine\nCreate Sentinel a Using https://a.org/\nFrom end(zz) To 01/02/2090\nNotify By log\n"
    done = webvigil("add", "-", "--data", str(tmp_path), text=text)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "webvigil: line 3, column 10: there is no sentinel 'zz'",
        "  From end(zz) To 01/02/2090",
        "           ^^",
    ]


def test_settings_are_listed_with_their_values(tmp_path: Path):
    (tmp_path / "webvigil.toml").write_text("concurrency = 3\n")
    done = webvigil("settings", "--json", "--data", str(tmp_path), WEBVIGIL_LEASE="7")
    values = {row["name"]: row["value"] for row in json.loads(done.stdout)}
    assert (values["concurrency"], values["lease"], values["data"]) == ("3", "7", str(tmp_path))
    assert [one.name for one in tmp_path.iterdir()] == ["webvigil.toml"], "no store is made to list settings"


def test_users_are_added_and_listed(tmp_path: Path):
    data = ["--data", str(tmp_path)]
    assert webvigil("user", "add", "jill", *data).returncode == 0
    assert webvigil("user", "list", *data).stdout.split() == ["jill", "user", "me", "admin"]
    assert webvigil("user", "add", "jill", *data).returncode == 2
    assert "/sign-in?token=" in webvigil("user", "link", "jill", *data).stdout


def test_a_reader_that_leaves_early_is_no_trouble(tmp_path: Path):
    command = f"{sys.executable} -m webvigil settings --data {tmp_path} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_a_link_to_sign_in_is_not_written_where_nobody_sits():
    from webvigil.cli.serve import _link_command

    said = _link_command({"data": "my data", "database": "postgresql://u:secret@h/d"}, "http://x")
    assert said == "webvigil user link --url http://x --data 'my data' --database 'postgresql://u:***@h/d'"
