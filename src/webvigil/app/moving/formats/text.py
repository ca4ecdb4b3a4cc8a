"""Reads sentinel texts, the format that WebVigil itself exports."""

from __future__ import annotations

import re

from webvigil.app.moving.formats.found import Found
from webvigil.language import check

_BEGIN = re.compile(r"^\s*(--.*\n\s*)*create\s+(sentinel|continual)", re.IGNORECASE)


def is_mine(data: bytes) -> bool:
    return bool(_BEGIN.match(data[:100_000].decode("utf-8-sig", "replace")))


def read(data: bytes) -> list[Found]:
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    checked = check(text)
    fine = [Found(source=one.name, sentinel=one) for one in checked.sentinels]
    return fine + [Found(source=f"line {one.line}", trouble=str(one)) for one in checked.mistakes]
