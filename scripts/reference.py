"""Writes the pages of docs that are made from tables: settings, commands, the HTTP API, other programs.

python scripts/reference.py          write them
python scripts/reference.py --check  say which are out of date (exit 1)
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
import coming_from

from webvigil.app.settings import PREFIX, TABLE, Entry, read_settings
from webvigil.cli.commands import COMMANDS
from webvigil.cli.main import webvigil
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application

FOLDER = Path(__file__).parents[1] / "docs" / "reference"

SETTINGS = """# Settings

Read once at the start: defaults, then the settings file, then the environment, then the command line; the
last one counts. The file is `webvigil.toml` in the data folder, or the one that `WEBVIGIL_CONFIG` names:

```toml
port = 9000
allow_networks = ["10.0.0.0/8"]
```

An administrator chooses many of them on the page *Settings* of the dashboard, too; for those it is said below
when a choice counts. A choice is kept in the database, secrets are sealed and never shown. The file, the
environment and the command line win over it, and the page names them where they do. The mail server can be
tried there before it is saved. A worker that hears of a choice finishes what is under way and goes on;
nothing is lost.

`webvigil settings` lists them with their present values:

```console
$ WEBVIGIL_PORT=9000 webvigil settings | grep -A1 '^port'
port = 9000
    Port of the dashboard. Environment: WEBVIGIL_PORT
```

## All settings
"""

COMMAND_LINE = """# Command line

Every command has `--help` with an example. Exit codes: 0 fine; 1 there is a difference, or it was not found;
2 trouble, with one clear line on standard error. Where a program may read the answer there is `--json`.

The commands with `--server` ask a server instead of opening a store: see
[commands from another machine](../another-machine.md).
"""


HTTP_API = """# HTTP API

Everything the dashboard can do, for programs. Make a token and send it with every request:

```console
$ webvigil token add "my script" --scope write
...
```

```sh
API=http://127.0.0.1:8420/api/v1
curl -H "Authorization: Bearer $TOKEN" $API/changes?seen=false
curl -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" $API/sentinels \\
    -d '{"text": "Create Sentinel news Using https://example.org/news Monitor all links Fetch 2 hour"}'
```

- A token has a scope: `read`; `write`, which may also change what is yours; `admin`, which for an
  administrator opens everything. `webvigil token list` and `webvigil token end` look after them.
- Bodies and answers are JSON. Times are ISO 8601; one without a zone is meant in UTC.
- Lists come in pieces, the newest first: `limit` says how many, and the header `Link` has the address of the
  next piece as long as there may be one. `after` asks for what is newer than an id: so a program that asks
  again gets each change once.
- Administrators see what is somebody else's with `user=NAME`, and what is everybody's with `user=*`.
- Answers to `GET` carry an `ETag`; send it as `If-None-Match`, and an answer that is still the same is an
  empty 304.
- Trouble is an `application/problem+json` whose `detail` says what to do: 400 refused, 401 not signed in,
  403 not allowed, 404 not there or not yours, 409 the name is taken, 410 what was stored is lost,
  422 not understood (with `line` and `column` for a mistake in a sentinel) or a parameter that the route does
  not take, 429 too often, 502 the page did not come, 503 busy.

The whole of it, with every field of every body and every answer, is at `/openapi.json` of your server, so a
client in your language can be made from it. For Python,
`openapi-python-client generate --url http://127.0.0.1:8420/openapi.json` makes a package in which
`sentinels_add`, `changes_changes` and the others are functions, and what they return are typed classes, with
times as times.

Here is what there is.
"""


def settings_page() -> str:
    return SETTINGS + "".join(
        f"\n### {name}\n\n{entry.help} Default: {_default(entry)}. Environment: `{PREFIX}{name.upper()}`."
        f"{f' In the dashboard: counts {entry.when}.' if entry.when else ''}\n"
        for name, entry in TABLE.items()
    )


def command_line_page() -> str:
    context = click.Context(webvigil, info_name="webvigil")
    return COMMAND_LINE + "".join(_command(context, name) for name in COMMANDS)


def http_api_page() -> str:
    parts: dict[str, list[str]] = {}
    for path, methods in (
        create_application(MemoryKnowledge(), read_settings({}, environment={})).openapi()["paths"].items()
    ):
        rows = [_route(method, path, about) for method, about in methods.items()]
        parts.setdefault(_part(path), []).extend(rows)
    return HTTP_API + "".join(
        f"\n## {part}\n\n| request | what it does | query |\n|---|---|---|\n" + "".join(rows)
        for part, rows in parts.items()
    )


def _part(path: str) -> str:
    """Returns the first word of an address, by which the page groups the routes."""
    return path.removeprefix("/api/v1").split("/")[1]


def _route(method: str, path: str, about: dict[str, Any]) -> str:
    query = [f"`{one['name']}`" for one in about.get("parameters", ()) if one["in"] == "query"]
    return f"| `{method.upper()} {path}` | {about['summary']} | {', '.join(query)} |\n"


def _default(entry: Entry) -> str:
    if not entry.default:
        return "empty"
    return f"`{entry.default}`" + (" seconds" if entry.kind == "seconds" else "")


def _command(parent: click.Context, name: str) -> str:
    command = webvigil.get_command(parent, name)
    assert command is not None
    return f"\n## {name}\n" + _help(command, click.Context(command, parent=parent, info_name=name))


def _help(command: click.Command, context: click.Context) -> str:
    context.formatter_class = _Plain
    text = f"\n```text\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            text += _help(inner, click.Context(inner, parent=context, info_name=name))
    return text


class _Plain(click.HelpFormatter):
    """Formats help texts with a fixed width, so that the page does not depend on the terminal."""

    def __init__(self, *_: object, **__: object) -> None:
        super().__init__(width=100, max_width=100)


PAGES = {
    "settings.md": settings_page,
    "command-line.md": command_line_page,
    "http-api.md": http_api_page,
    "../coming-from.md": coming_from.page,
}


def main() -> int:
    stale = [name for name, page in PAGES.items() if _present(name) != page()]
    if "--check" in sys.argv:
        for name in stale:
            click.echo(f"{(FOLDER / name).resolve()} is out of date; run: python scripts/reference.py")
        return 1 if stale else 0
    for name in stale:
        (FOLDER / name).write_text(PAGES[name](), encoding="utf-8")
    return 0


def _present(name: str) -> str:
    file = FOLDER / name
    return file.read_text(encoding="utf-8") if file.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
