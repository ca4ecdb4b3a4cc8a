"""Options that many commands share, and how a command gets at its store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from webvigil.app.settings import Settings
    from webvigil.store.promises import Knowledge

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

_OPTIONS = {
    "data": click.option("--data", metavar="DIR", help="Data folder (default ./data)."),
    "database": click.option(
        "--database", metavar="URL", help="Database instead of SQLite in the data folder."
    ),
    "objects": click.option("--objects", metavar="URL", help="Folder or s3://BUCKET for page versions."),
    "user": click.option("--user", metavar="NAME", help="The user to act for (default me)."),
}

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def store_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """--data, --database, --objects and --user, collected into the argument `store`."""
    return collected(command, _OPTIONS, "store", dict)


def collected(
    command: Callable[..., Any],
    options: Mapping[str, Decorator],
    name: str,
    value: Callable[..., Any],
) -> Callable[..., Any]:
    """The command with these options, which reach it as one argument."""

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
    """The opened knowledge base and the settings it was opened with."""
    from webvigil.app.opening import opened
    from webvigil.app.settings import read_settings

    settings = read_settings(store)
    with opened(settings) as knowledge:
        yield knowledge, settings
