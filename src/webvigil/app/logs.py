"""Logs: one line an event, to standard error, with the time in UTC; text for people or JSON for programs."""

from __future__ import annotations

import json
import logging
import time

_TIME = "%Y-%m-%dT%H:%M:%SZ"


def start_logging(level: str, form: str = "text") -> None:
    formatter = _Json() if form == "json" else _text()
    handler = logging.StreamHandler()
    handler.setFormatter(formatter)
    logger = logging.getLogger("webvigil")
    logger.handlers[:] = [handler]
    logger.setLevel(level.upper())


def _text() -> logging.Formatter:
    formatter = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", _TIME)
    formatter.converter = time.gmtime
    return formatter


class _Json(logging.Formatter):
    """Milliseconds since 1970 beside the readable time, the process, and a traceback as one string."""

    def __init__(self) -> None:
        super().__init__()
        self.converter = time.gmtime

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": self.formatTime(record, _TIME),
            "millis": int(record.created * 1000),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
