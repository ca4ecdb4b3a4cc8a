"""Writes the pages of docs/reference that are made from tables: settings and commands.

python scripts/reference.py          write them
python scripts/reference.py --check  say which are out of date (exit 1)
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from webvigil.app.settings import PREFIX, TABLE
from webvigil.cli.commands import COMMANDS
from webvigil.cli.main import webvigil

FOLDER = Path(__file__).parents[1] / "docs" / "reference"

SETTINGS = """# Settings

Read once at the start: defaults, then the settings file, then the environment, then the command line; the
last one counts. The file is `webvigil.toml` in the data folder, or the one that `WEBVIGIL_CONFIG` names:

```toml
port = 9000
allow_networks = ["10.0.0.0/8"]
```

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
"""


def settings_page() -> str:
    return SETTINGS + "".join(
        f"\n### {name}\n\n{entry.help} Default: {_default(entry.default)}. "
        f"Environment: `{PREFIX}{name.upper()}`.\n"
        for name, entry in TABLE.items()
    )


def command_line_page() -> str:
    context = click.Context(webvigil, info_name="webvigil")
    return COMMAND_LINE + "".join(_command(context, name) for name in COMMANDS)


def _default(text: str) -> str:
    return f"`{text}`" if text else "empty"


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
    """The same width everywhere."""

    def __init__(self, *_: object, **__: object) -> None:
        super().__init__(width=100, max_width=100)


PAGES = {"settings.md": settings_page, "command-line.md": command_line_page}


def main() -> int:
    stale = [name for name, page in PAGES.items() if _present(name) != page()]
    if "--check" in sys.argv:
        for name in stale:
            click.echo(f"docs/reference/{name} is out of date; run: python scripts/reference.py")
        return 1 if stale else 0
    for name in stale:
        (FOLDER / name).write_text(PAGES[name](), encoding="utf-8")
    return 0


def _present(name: str) -> str:
    file = FOLDER / name
    return file.read_text(encoding="utf-8") if file.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
