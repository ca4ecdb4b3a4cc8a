"""How a benchmark is asked and answers: words of the command line in, rows for a program or a person out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def pairs_given() -> Path | None:
    """`--pairs FOLDER`, with NAME.old.html and NAME.new.html in it."""
    words = sys.argv[1:]
    return Path(words[words.index("--pairs") + 1]) if "--pairs" in words else None


def tell(rows: Iterable[Row], line: str, head: str = "") -> None:
    """JSON if it was asked for, otherwise each row by the line."""
    if "--json" in sys.argv:
        print(json.dumps(list(rows), indent=1))
        return
    if head:
        print(head)
    for row in rows:
        print(line.format(**row))
