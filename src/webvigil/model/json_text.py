"""Data in, JSON text out: exact, the same on every machine, and safe to show on a terminal.

JSON itself escapes the control characters up to U+001F. This module also escapes the other control
characters, the marks that turn the direction of writing, and lone surrogates, which no encoding of text can
hold.
"""

from __future__ import annotations

import json
import re
from typing import Any

# These characters can occur in JSON only inside strings, so escaping them everywhere changes no value.
_ESCAPED = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def json_text(value: Any, indent: int | None = None) -> str:
    return _ESCAPED.sub(_escape, json.dumps(value, indent=indent, ensure_ascii=False))


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
