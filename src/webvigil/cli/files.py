"""A file name in, its bytes and its content type out."""

from __future__ import annotations

import sys
from pathlib import Path

_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".xml": "application/xml",
    ".rss": "application/rss+xml",
    ".atom": "application/atom+xml",
    ".json": "application/json",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".ics": "text/calendar",
    ".ndjson": "application/x-ndjson",
    ".jsonl": "application/x-ndjson",
    ".txt": "text/plain",
}


def body_of(file: Path) -> bytes:
    """Returns the content of a file, or of standard input for `-`."""
    return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()


def type_by_name(file: Path) -> str:
    """Returns the content type that the ending of the name tells, or "" for other endings, so that the bytes
    decide."""
    return _TYPES.get(file.suffix.lower(), "")
