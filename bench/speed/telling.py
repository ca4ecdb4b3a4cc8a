"""Reads the arguments of a benchmark, and prints its rows as JSON or as lines of text."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def pairs_given() -> Path | None:
    """Returns the folder that `--pairs FOLDER` names, or None. It holds files NAME.old.html and
    NAME.new.html."""
    words = sys.argv[1:]
    return Path(words[words.index("--pairs") + 1]) if "--pairs" in words else None


def tell(rows: Iterable[Row], line: str, head: str = "") -> None:
    """Prints the rows: as JSON with `--json`, otherwise `head` and then `line` filled in with each row."""
    if "--json" in sys.argv:
        print(json.dumps(list(rows), indent=1))
        return
    if head:
        print(head)
    for row in rows:
        print(line.format(**row))
