"""Logs: one line an event, to standard error, with the time in UTC."""

from __future__ import annotations

import logging
import time


def start_logging(level: str) -> None:
    formatter = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%SZ")
    formatter.converter = time.gmtime
    handler = logging.StreamHandler()
    handler.setFormatter(formatter)
    logger = logging.getLogger("webvigil")
    logger.handlers[:] = [handler]
    logger.setLevel(level.upper())
