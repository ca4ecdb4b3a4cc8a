"""Files that commands read: their bytes, and the content type that a name tells."""

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
    ".txt": "text/plain",
}


def body_of(file: Path) -> bytes:
    """What is in a file, or for `-` what comes in."""
    return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()


def type_by_name(file: Path) -> str:
    """Only where the name is plain; a wrong name must not hide what the bytes say."""
    return _TYPES.get(file.suffix.lower(), "")
