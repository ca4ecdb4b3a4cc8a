"""`webvigil settings`: lists every setting with its meaning and its present value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from webvigil.cli.options import as_json, store_options
from webvigil.cli.saying import say_json

if TYPE_CHECKING:
    from webvigil.app.settings import Settings


@click.command()
@as_json
@store_options
def settings(store: dict[str, Any], as_json: bool) -> None:
    """List all settings with their present values.

    A setting is read from the settings file (webvigil.toml in the data folder, or the file named by
    WEBVIGIL_CONFIG), then from the environment, then from the command line; the last one counts. What an
    administrator chose in the dashboard counts where none of these says anything.

    \b
    Example:
      webvigil settings
      WEBVIGIL_PORT=9000 webvigil settings --json
    """
    from webvigil.app.settings import PREFIX, TABLE, read_settings

    present = _with_choices(read_settings(store))
    values = {name: _shown(getattr(present, name), TABLE[name].kind) for name in TABLE}
    if as_json:
        rows = [{"name": name, "value": values[name], "help": TABLE[name].help} for name in TABLE]
        say_json(rows)
        return
    for name, entry in TABLE.items():
        click.secho(f"{name} = {values[name]}", bold=True)
        click.echo(f"    {entry.help} Environment: {PREFIX}{name.upper()}")


def _with_choices(present: Settings) -> Settings:
    """Adds what was chosen in the dashboard, if there is a store already. None is made for this command."""
    from webvigil.app.operating.chosen import with_choices
    from webvigil.app.operating.stores import opened

    if not present.database and not (present.data / "webvigil.sqlite3").exists():
        return present
    with opened(present) as knowledge:
        return with_choices(present, knowledge.journal)


def _shown(value: Any, kind: str) -> str:
    if kind == "secret":
        return "(set)" if value else ""
    if isinstance(value, tuple):
        return ",".join("=".join(one) if isinstance(one, tuple) else str(one) for one in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
