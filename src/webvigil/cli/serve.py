"""`webvigil serve`: runs the dashboard, the worker and, if wanted, the demo site in one process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from webvigil.cli.options import store_options

if TYPE_CHECKING:
    from webvigil.app.people.sign_in import SignInStore


@click.command()
@click.option("--host", metavar="H", help="Address to listen on (default 127.0.0.1).")
@click.option("--port", metavar="N", help="Port to listen on (default 8420).")
@click.option(
    "--demo", is_flag=True, help="Also start a little site that changes, with three sentinels on it."
)
@click.option(
    "--no-worker", is_flag=True, help="Only the dashboard; pages are looked at by `webvigil worker`."
)
@store_options
def serve(store: dict[str, Any], host: str | None, port: str | None, demo: bool, no_worker: bool) -> None:
    """Run WebVigil: looks at pages and shows the dashboard.

    \b
    Example:
      webvigil serve --data ~/webvigil --port 8420
      webvigil serve --demo
    """
    import asyncio
    import logging
    import sys

    from webvigil.app.operating.logs import start_logging
    from webvigil.app.operating.server import serve as run
    from webvigil.app.people.sign_in import new_link
    from webvigil.app.settings import read_settings

    settings = read_settings({**store, "host": host, "port": port})
    start_logging(settings.log_level, settings.log_format)

    def announce(knowledge: SignInStore, address: str) -> None:
        click.echo(f"WebVigil is running on {address} (stop with Ctrl-C)")
        if demo and settings.demo_port:
            click.echo(f"The demo site, to be watched: http://127.0.0.1:{settings.demo_port}")
        if sys.stdout.isatty():
            click.echo(f"Sign in: {new_link(knowledge, settings.user, address)}")
        else:  # a link would let everybody sign in who can read the log file or the journal
            click.echo(f"Sign in with the link that this makes: {_link_command(store, address)}")

    asyncio.run(run(settings, announce, demo=demo, work=not no_worker))
    logging.shutdown()


def _link_command(store: dict[str, Any], address: str) -> str:
    """Returns the command that makes a link for the same store. A password of its database is hidden."""
    import shlex

    options = {"--url": address, "--data": store.get("data"), "--database": _shown(store.get("database"))}
    given = [part for name, value in options.items() if value for part in (name, str(value))]
    user = [store["user"]] if store.get("user") else []
    return shlex.join(["webvigil", "user", "link", *user, *given])


def _shown(database: str | None) -> str | None:
    if not database:
        return None
    from sqlalchemy import make_url

    return make_url(database).render_as_string(hide_password=True)
