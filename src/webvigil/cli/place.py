"""Options and environment in, the place of the sentinels out: a database to open, or a server to ask.

The command line wins over the environment. If two equal sources name different places, the command is
refused, and nothing is guessed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import click

from webvigil.cli.options import STORE_OPTIONS, collected

if TYPE_CHECKING:
    from webvigil.app.sentinels.timeline import Entry
    from webvigil.app.settings import Settings
    from webvigil.cli.address import Server
    from webvigil.model.installed import RemovedSentinel, ToldSentinel
    from webvigil.model.portrait import Portrait, WatchedNow
    from webvigil.model.shapes import TrialShape
    from webvigil.store.promises import Knowledge

_OPTIONS = {
    **STORE_OPTIONS,
    "server": click.option(
        "--server", metavar="URL", help="Ask this server instead of a store (or WEBVIGIL_SERVER)."
    ),
    "token": click.option(
        "--token", metavar="T", help="API token for the server; better given as WEBVIGIL_TOKEN."
    ),
    "plain_http": click.option(
        "--plain-http", is_flag=True, help="Send the token to another machine without TLS."
    ),
}


class Enabled(NamedTuple):
    state: str
    next: str


class Ran(NamedTuple):
    """How many pages are looked at, and what is missing on them."""

    pages: int
    warnings: tuple[str, ...] = ()


class Place(Protocol):
    """What the commands about sentinels need of a place. Its methods raise NotFound for an unknown name."""

    @property
    def nothing_yet(self) -> str:
        """The text to print if there are no sentinels."""

    def free_name(self, wished: str) -> str:
        """Returns the wished name, with a number if there is a sentinel of that name."""

    def add(self, text: str) -> Sequence[ToldSentinel]: ...

    def pointed(self, text: str) -> str:
        """Returns why the text was refused, each reason with the place in the text; "" if the text is not
        the reason."""

    def all(self) -> Sequence[ToldSentinel]: ...
    def portrait(self, name: str) -> Portrait: ...
    def watched(self, name: str) -> Sequence[WatchedNow]: ...
    def timeline(self, name: str | None) -> Sequence[Entry]: ...
    def enable(self, name: str) -> Enabled: ...
    def disable(self, name: str) -> str: ...
    def remove(self, name: str) -> None: ...
    def removed(self) -> Sequence[RemovedSentinel]: ...
    def bring_back(self, name: str) -> ToldSentinel: ...
    def run(self, name: str) -> Ran: ...
    def tried(self, name: str, sentence: str, *, last: int, ask: bool) -> TrialShape:
        """Tries a sentence for `When means` on the last changes of a sentinel; without `ask` returns what
        that would take."""


def place_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options of a database and those of a server to a command, which gets them as one argument
    `place`."""
    return collected(command, _OPTIONS, "place", dict)


@contextmanager
def place_of(place: Mapping[str, Any]) -> Iterator[Place]:
    """Opens the place that options and environment name. Modules are imported here, because most commands
    need only one of the two places."""
    wanted = server_wanted(place, os.environ)
    if wanted is not None:
        from webvigil.cli.asking import Asking
        from webvigil.cli.at_server import AtServer

        yield AtServer(Asking(wanted, os.environ.get("WEBVIGIL_CA_FILE", "")))
        return
    from webvigil.cli.in_store import InStore
    from webvigil.cli.options import settings_of

    settings = settings_of({name: place[name] for name in STORE_OPTIONS})
    with ExitStack() as stack:
        yield InStore(settings, lambda: stack.enter_context(_opened(settings)))


def _opened(settings: Settings) -> AbstractContextManager[Knowledge]:
    from webvigil.app.operating.stores import opened

    return opened(settings)


def server_wanted(given: Mapping[str, Any], environment: Mapping[str, str]) -> Server | None:
    """Returns the server to ask, or None if a database is to be opened. Raises UsageError if both are
    named."""
    from webvigil.cli.address import server

    stores = [f"--{name}" for name in STORE_OPTIONS if given[name] is not None]
    address = given["server"] or (environment.get("WEBVIGIL_SERVER") if not _names_store(given) else None)
    if not address:
        if given["token"] is not None or given["plain_http"]:
            raise click.UsageError("--token and --plain-http are for a server: name it with --server")
        return None
    if stores:
        raise click.UsageError(f"{stores[0]} is for a store, and a server was named: leave one of them out")
    named = [name for name in ("WEBVIGIL_DATA", "WEBVIGIL_DATABASE") if environment.get(name)]
    if named and not given["server"]:
        raise click.UsageError(
            f"WEBVIGIL_SERVER and {named[0]} are both set: say --server or --data, or unset one of them"
        )
    return server(
        address, given["token"] or environment.get("WEBVIGIL_TOKEN"), plain_http=given["plain_http"]
    )


def _names_store(given: Mapping[str, Any]) -> bool:
    return any(given[name] is not None for name in ("data", "database"))
