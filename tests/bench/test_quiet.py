"""The benchmark of quiet counts rightly, and quiet leaves nothing out of the corpus or of small edits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.floors import floors, missed
from bench.peers.pages import EDITS, edit
from bench.quality import quiet
from bench.quality.corpus import PAIRS
from webvigil import diff
from webvigil.document import read

TERMS = "These are the terms that you agree to when you buy a lamp from our shop in the harbour. " * 4
PAGE = (
    "<nav><a href='/{0}'>Offer {0}</a></nav><main><h1>Terms</h1><p>{1}{2}</p></main>"
    "<footer>{0} visits</footer>"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns a history of twelve looks whose frame never rests; the seventh version brings a change that
    matters."""
    pages = tmp_path / "shop"
    pages.mkdir()
    for number in range(1, 13):
        text = PAGE.format(number, TERMS, "You have thirty days." if number >= 7 else "")
        (pages / f"{number:03}.html").write_text(text)
    index = [{"page": "shop", "source": "made", "versions": 12, "meaningful": [1, 7]}]
    (tmp_path / "index.json").write_text(json.dumps(index))
    return tmp_path


def test_a_folder_of_histories_is_replayed(folder: Path):
    rows = {row["monitor"]: row for row in quiet.rows(folder)}
    assert set(rows["any change"]) == {"monitor", "looks", "meaningful", "told", "missed"}
    told = {name: (row["looks"], row["meaningful"], row["told"], row["missed"]) for name, row in rows.items()}
    assert told["any change"] == (11, 1, 3, 0)
    assert told["any change, Within main"] == (11, 1, 1, 0)
    assert told["any change, Quiet off"] == (11, 1, 11, 0)
    assert told["text lines"] == (11, 1, 11, 0)
    assert quiet.beyond(list(rows.values())) == []


def test_what_is_beyond_its_bounds_is_said():
    row = {"monitor": "any change", "looks": 47, "meaningful": 2, "told": 15, "missed": 0}
    assert quiet.beyond([row]) == ["any change: 15 told and 0 missed of 2"]
    assert quiet.beyond([row | {"told": 14}]) == []


def test_floors_are_held_against_what_is_measured():
    row = {"monitor": "any change", "looks": 100, "meaningful": 28, "told": 175, "missed": 4}
    told, lost = quiet.ratios(row)
    assert (told["ours"], told["peer"], told["ratio"]) == (6.25, 7.0, 1.12)
    assert lost["ratio"] == 1.25
    assert missed([told, lost], {"any change, told per meaningful change | bound": 1.05}) == []
    (worse, _) = quiet.ratios(row | {"told": 250})
    assert missed([worse], {"any change, told per meaningful change | bound": 1.05})
    held = floors()["quiet"]
    assert {name.partition(",")[0] for name in held} == {"any change"}
    assert len(held) == 2 * len(quiet.BOUNDS)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("number", range(0, EDITS, 3))
def test_quiet_tells_every_small_edit_whole(number: int):
    before, after = edit(number)
    answer = diff(before, after, quiet=True, url="https://news.example/")
    assert answer.changed
    assert not answer.left_out


def test_quiet_leaves_nothing_out_of_the_corpus():
    for pair in PAIRS:
        old = read(pair.before, pair.content_type, pair.url)
        new = read(pair.after, pair.after_type or pair.content_type, pair.url)
        plain, calm = diff(old, new, pair.monitor), diff(old, new, pair.monitor, quiet=True)
        assert calm.findings == plain.findings, pair
        assert not calm.left_out


@pytest.mark.skipif(not (quiet.DATA / "index.json").is_file(), reason="the real histories are not here")
def test_real_histories_hold_their_bounds():
    """Replays some of the real histories, look by look; `bench quiet --check` replays all."""
    rows = quiet.rows(quiet.DATA, "netflix")
    (told,) = [row for row in rows if row["monitor"] == "any change"]
    assert told["missed"] == 0
    assert told["told"] <= 2 * told["meaningful"]
