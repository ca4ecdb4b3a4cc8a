"""The options that many commands share, and the function that opens the database for a command."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from webvigil.app.settings import Settings
    from webvigil.store.promises import Knowledge

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

STORE_OPTIONS = {
    "data": click.option("--data", metavar="DIR", help="Data folder (default ./data)."),
    "database": click.option(
        "--database", metavar="URL", help="Database instead of SQLite in the data folder."
    ),
    "objects": click.option("--objects", metavar="URL", help="Folder or s3://BUCKET for page versions."),
    "user": click.option("--user", metavar="NAME", help="The user to act for (default me)."),
}

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def store_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --data, --database, --objects and --user to a command, which gets them as one argument `store`."""
    return collected(command, STORE_OPTIONS, "store", dict)


def collected(
    command: Callable[..., Any],
    options: Mapping[str, Decorator],
    name: str,
    value: Callable[..., Any],
) -> Callable[..., Any]:
    """Returns the command with these options. Their values reach the command as one argument,
    `value(**options)`."""

    def collecting(**arguments: Any) -> Any:
        given = value(**{option: arguments.pop(option) for option in options})
        return command(**{name: given}, **arguments)

    collecting.__doc__ = command.__doc__
    collecting.__name__ = command.__name__
    collecting.__click_params__ = getattr(command, "__click_params__", [])  # type: ignore[attr-defined]
    for option in reversed(list(options.values())):
        option(collecting)
    return collecting


@contextmanager
def store_of(store: dict[str, Any]) -> Iterator[tuple[Knowledge, Settings]]:
    """Opens the knowledge base, and yields it with its settings.

    Raises UsageError if WEBVIGIL_SERVER is set and no database is named: a user of a server would not expect
    that a command works on a local database.
    """
    from webvigil.app.operating.chosen import with_choices
    from webvigil.app.operating.stores import opened
    from webvigil.app.settings import read_settings

    named = [store.get(name) or os.environ.get(f"WEBVIGIL_{name.upper()}") for name in ("data", "database")]
    if os.environ.get("WEBVIGIL_SERVER") and not any(named):
        raise click.UsageError(
            "WEBVIGIL_SERVER is set, but this is only there with a store: name it with --data"
        )
    settings = read_settings(store)
    with opened(settings) as knowledge:
        yield knowledge, with_choices(settings, knowledge.journal)
