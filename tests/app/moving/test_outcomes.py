"""What every key of a foreign file becomes, by itself, stays as it is, letter for letter.

After a change that is meant, write it anew and read what git says is different:
`.venv/bin/python -m tests.app.moving.test_outcomes`
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from webvigil.app.moving.formats import read_foreign
from webvigil.app.moving.formats.found import Found
from webvigil.language import print_sentinel

CASES = Path(__file__).parent / "cases"
KEPT = CASES / "outcomes.txt"
URL = "https://shop.test/a"
# A key says how the page is asked for, so it needs an address of its own or none.
_PLACES = ("url", "navigate", "command")


def outcomes() -> str:
    """Returns what a watch with each key of the examples becomes, with the value that it has there."""
    lines: list[str] = []
    backup = json.loads((CASES / "changedetection.json").read_text("utf-8"))
    for watch in backup["watching"].values():
        for name, value in watch.items():
            if name not in ("url", "uuid"):
                data = json.dumps({"uuid": "u", "url": URL, name: value})
                lines += _lines("changedetection", name, value, read_foreign(data.encode())[1])
    for tool in ("urlwatch", "webchanges"):
        for job in yaml.safe_load_all((CASES / f"{tool}.yaml").read_text("utf-8")):
            for name, value in (job or {}).items():
                alone = {name: value} if name in _PLACES else {"url": URL, name: value}
                data = yaml.safe_dump(alone, sort_keys=False, allow_unicode=True)
                lines += _lines(tool, name, value, read_foreign(data.encode(), "urlwatch")[1])
    return "\n".join(dict.fromkeys(lines)) + "\n"


def _lines(tool: str, name: str, value: Any, found: list[Found]) -> Iterator[str]:
    """Yields one line for a key: the beginning of its value, the sentinel, what is sealed, and the report."""
    (one,) = found
    text = print_sentinel(one.sentinel) if one.sentinel else one.trouble
    mine = [said for said in one.told if said.key not in ("url", "processor") or said.key == name]
    told = "; ".join(f"{said.key} ({said.becomes}) {said.remark}".strip() for said in mine)
    state = "" if one.enabled else " [off]"
    sealed = f" [{' '.join([*one.headers, *one.cookies, *one.services])}]"
    written = json.dumps(value, ensure_ascii=False, default=str)[:60]
    shown = " / ".join(" ".join(line.split()) for line in text.splitlines())
    yield f"{tool} {name}: {written} -> {shown}{state}{sealed if sealed != ' []' else ''} | {told}"


def test_every_key_becomes_what_it_became():
    assert outcomes() == KEPT.read_text("utf-8"), (
        "if this is meant: .venv/bin/python -m tests.app.moving.test_outcomes"
    )


if __name__ == "__main__":
    KEPT.write_text(outcomes(), "utf-8")
