"""Log records in, one line each on standard error out: text for people or JSON for programs, times in UTC."""

from __future__ import annotations

import logging
import time

from webvigil.model.json_text import json_text
from webvigil.present.escape import one_line, plain_text

_TIME = "%Y-%m-%dT%H:%M:%SZ"
AGAIN_AFTER = 60.0
"""Seconds for which a warning with the same words is not repeated."""


def start_logging(level: str, form: str = "text") -> None:
    formatter = _Json() if form == "json" else _Text()
    handler = logging.StreamHandler()
    handler.setFormatter(formatter)
    handler.addFilter(_Lasting())
    logger = logging.getLogger("webvigil")
    logger.handlers[:] = [handler]
    log_from(level)


def log_from(level: str) -> None:
    """Logs records of this level and above from now on."""
    logging.getLogger("webvigil").setLevel(level.upper())


class _Lasting(logging.Filter):
    """Drops repetitions: trouble that lasts, such as a full disk, is logged once a minute and not at every
    attempt."""

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[tuple[str, str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        now = time.monotonic()
        self._told = {line: at for line, at in self._told.items() if now - at < AGAIN_AFTER}
        line = (record.name, record.getMessage(), repr(record.exc_info[1]) if record.exc_info else "")
        if line in self._told:
            return False
        self._told[line] = now
        return True


class _Text(logging.Formatter):
    """Writes a record as one line of text. Control characters are made harmless, because a page or a server
    may have put them there to act on the terminal or to fake another line."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s", _TIME)
        self.converter = time.gmtime

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name logging knows
        return one_line(super().formatMessage(record))

    def format(self, record: logging.LogRecord) -> str:
        return plain_text(super().format(record))


class _Json(logging.Formatter):
    """Writes a record as one JSON object, with the time as text and in milliseconds since 1970, the process,
    and a traceback as one string."""

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
        return json_text(line)
