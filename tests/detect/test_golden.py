"""What is found on pages of many kinds stays as it is, letter for letter.

After a change that is meant, write it anew and read what git says is different:
`.venv/bin/python -m tests.detect.test_golden`
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.detect.golden_pages import ALL, PAIRS, URL, Pair
from webvigil import diff
from webvigil.model.change import finding_as_json
from webvigil.model.quiet import left_out_as_json

FOLDER = Path(__file__).with_name("golden")


def findings(name: str) -> str:
    """Returns what each change type finds on a pair, one line for each finding and object; what quiet leaves
    out; and what is found from the new version back to the old one."""
    pair = PAIRS[name]
    lines = []
    for monitor in (*ALL, *pair.also):
        loud = _found(pair, pair.old, pair.new, monitor)
        calm = _found(pair, pair.old, pair.new, monitor, quiet=True)
        lines += [f"=== {monitor}", *loud]
        lines += [f"--- quiet: {monitor}", *calm] if calm != loud else []
    for monitor in ("any change", *pair.also):
        lines += [f"=== back: {monitor}", *_found(pair, pair.new, pair.old, monitor)]
    return "\n".join(lines) + "\n"


def _found(pair: Pair, old: str, new: str, monitor: str, *, quiet: bool = False) -> list[str]:
    found = diff(old, new, monitor, content_type=pair.content_type, url=URL, quiet=quiet)
    lines = [f"changed: {found.changed}; {found.headline}"]
    for finding in map(finding_as_json, found.findings):
        objects = finding.pop("objects")
        lines += [_line(finding), *(_line(one) for one in objects)]
    return lines + [_line(left_out_as_json(one)) for one in found.left_out]


def _line(plain: object) -> str:
    return json.dumps(plain, ensure_ascii=False)


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_found_is_as_it_was(name: str):
    kept = (FOLDER / f"{name}.txt").read_bytes().decode()
    assert findings(name) == kept, "if this is meant: .venv/bin/python -m tests.detect.test_golden"


@pytest.mark.parametrize("name", PAIRS)
def test_what_quiet_leaves_out_makes_no_change_larger(name: str):
    pair = PAIRS[name]
    for monitor in (*ALL, *pair.also):
        for old, new in ((pair.old, pair.new), (pair.new, pair.old)):
            loud, calm = (
                diff(old, new, monitor, content_type=pair.content_type, url=URL, quiet=quiet).findings[0]
                for quiet in (False, True)
            )
            assert (calm.share, calm.score) <= (loud.share, loud.score), monitor
            assert calm.score <= loud.score, monitor


def test_every_pair_and_no_other_is_kept():
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(PAIRS)


if __name__ == "__main__":
    for pair in PAIRS:
        (FOLDER / f"{pair}.txt").write_bytes(findings(pair).encode())
