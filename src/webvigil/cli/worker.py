"""`webvigil worker`: looks at pages and delivers notices, as one of many workers on one database."""

from __future__ import annotations

from typing import Any

import click

from webvigil.cli.options import store_options


@click.command()
@click.option("--concurrency", metavar="N", help="How many hosts to visit at the same time (default 100).")
@click.option("--metrics-port", metavar="N", help="Show /metrics and /healthz on this port.")
@store_options
def worker(store: dict[str, Any], concurrency: str | None, metrics_port: str | None) -> None:
    """Look at pages and deliver notices, beside any number of other workers.

    They share one PostgreSQL database and one place for page versions; start and stop them as you like. The
    first SIGTERM or Ctrl-C lets it finish what is under way, the second one ends it at once.

    \b
    Example:
      webvigil worker --database postgresql://vigil@db/vigil --objects s3://vigil
      webvigil worker --database postgresql://vigil@db/vigil --objects /mnt/vigil --metrics-port 9100
    """
    import asyncio
    import logging

    from webvigil.app.operating.logs import start_logging
    from webvigil.app.settings import read_settings
    from webvigil.app.worker.process import run_worker

    settings = read_settings({**store, "concurrency": concurrency, "metrics_port": metrics_port})
    start_logging(settings.log_level, settings.log_format)
    asyncio.run(run_worker(settings))
    logging.shutdown()
