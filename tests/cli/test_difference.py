"""The lines that `diff` and `compare` print, to the letter; they exit with 0 same, 1 different, 2 trouble."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest

from webvigil.cli import difference
from webvigil.cli.diff import diff
from webvigil.model.change import ObjectChange, Status

TABLE = "<table><tr><th>Name<th>Price<th>Stock<tr><td>Sofa<td>{}<td>{}<tr><td>Lamp<td>5<td>1</table>"
EXPECTED = "a change type such as any change, all links or phrase: {…}"
WHEN = "line 1, column 11: expected the end of the text, but found 'When'"
NOT_JUDGED = (
    'This command lists what is different and judges no condition. When means "…" is judged by a language'
    " model when a sentinel finds a change; 'webvigil means' tries a sentence on its last changes.\n"
)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def compared(old: str, new: str, *options: str) -> int:
    """Returns the exit code."""
    Path("a.html").write_text(old, "utf-8")
    Path("b.html").write_text(new, "utf-8")
    code = diff.main(["a.html", "b.html", *options], standalone_mode=False)
    assert isinstance(code, int)
    return code


@pytest.mark.parametrize(
    ("old", "new", "options", "lines"),
    [
        ("<p>one two</p>", "<p>one two</p>", (), ["any change: no change"]),
        (
            "<p>one two</p>",
            "<p>one three</p>",
            (),
            ["any change: 1 change (50.0% of it, score 8)", "  ~ two → three  /html/body/p"],
        ),
        (
            "<p>one</p>",
            "<p>one</p><p>two</p>",
            (),
            ["any change: 1 change (33.3% of it, score 3)", "  + two  /html/body/p[2]"],
        ),
        (
            "<p>one</p><p>two</p>",
            "<p>one</p>",
            (),
            ["any change: 1 change (33.3% of it, score 3)", "  - two  /html/body/p[2]"],
        ),
        (
            "<a href=/a>x</a>",
            "<a href=/a>x</a><a href=/b>y</a><a href=/b>y</a>",
            ("--monitor", "all links"),
            [
                "all links: 1 change (50.0% of it, score 512)",
                "  + y: /b (0 → 2)  /html/body/a[2] and 1 more",
            ],
        ),
        (
            "<a href=/a>x</a>",
            "<a href=/b>x</a>",
            ("--monitor", "all links OR all words"),
            [
                "all links: 2 changes (100.0% of it, score 512)",
                "  - x: /a (1 → 0)  /html/body/a",
                "  + x: /b (0 → 1)  /html/body/a",
                "all words: no change",
            ],
        ),
        (
            TABLE.format(10, 3),
            TABLE.format(11, 2),
            (),
            [
                "any change: 1 change with 2 cells (22.2% of it, score 6)",
                "  ~ Sofa · Price: 10 → 11; Stock: 3 → 2  /html/body/table/tbody/tr[2]",
            ],
        ),
        (
            "<p>5 minutes ago</p>",
            "<p>6 minutes ago</p>",
            ("--quiet",),
            ["any change: no change", "left out: 1 time that ticks, such as “6”"],
        ),
        (
            "<b class=p>5 EUR</b>",
            "<b class=p>6 EUR</b>",
            ("--monitor", 'value css ".p"'),
            ["value: 1 change (25.0% of it, score 2); +1 EUR (+20%)", "  ~ 5 EUR → 6 EUR  /html/body/b"],
        ),
    ],
)
def test_what_is_different_is_listed(
    capsys: pytest.CaptureFixture[str], old: str, new: str, options: tuple[str, ...], lines: list[str]
):
    code = compared(old, new, *options)
    assert capsys.readouterr() == ("\n".join(lines) + "\n", "")
    assert code == (0 if lines[0].endswith("no change") else 1)


@pytest.mark.parametrize("steps", [36, 37])
def test_a_long_place_is_cut(capsys: pytest.CaptureFixture[str], steps: int):
    """A place has at most 300 characters; each step has eight here."""
    deep = "<div><div>" * steps + "{}" + "</div></div>" * steps
    compared(deep.format("one"), deep.format("two"))
    place = capsys.readouterr().out.splitlines()[1].rpartition("  ")[2]
    whole = "/html/body" + "/div" * 2 * steps
    assert place == (whole if len(whole) <= 300 else whole[:299] + "…")
    assert len(place) <= 300


@pytest.mark.parametrize(
    ("monitor", "said"),
    [
        (
            "nonsense",
            f"line 1, column 1: expected {EXPECTED}, but found 'nonsense'\n  nonsense\n  ^^^^^^^^\n",
        ),
        (
            'all words When means "x"',
            f'{WHEN}\n  all words When means "x"\n            ^^^^\n{NOT_JUDGED}',
        ),
    ],
)
def test_a_mistake_in_an_expression_is_pointed_at(
    capsys: pytest.CaptureFixture[str], monitor: str, said: str
):
    assert compared("<p>one", "<p>two", "--monitor", monitor) == 2
    assert capsys.readouterr() == ("", f"webvigil: --monitor: {said}")


@pytest.mark.parametrize(
    "options", [("--within", "p"), ("--ignore", "p"), ("--present", "only"), ("--monitor", "x")]
)
def test_edits_are_those_of_whole_documents(options: tuple[str, str]):
    with pytest.raises(click.BadParameter, match="edits are those of whole documents"):
        compared("<p>one", "<p>two", "--edits", *options)


def test_edits_are_printed_or_written(capsys: pytest.CaptureFixture[str]):
    assert compared("<p>one", "<p>two", "--edits") == 1
    printed = capsys.readouterr().out
    assert compared("<p>one", "<p>two", "--edits", "-o", "x.json") == 1
    assert (Path("x.json").read_text("utf-8"), capsys.readouterr().out) == (printed, "")
    assert json.loads(printed)["edits"]
    assert compared("<p>one", "<p>one", "--edits") == 0


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("x.html", "<!doctype html>"),
        ("x.HTM", "<!doctype html>"),
        ("x.md", ""),
        ("x.markdown", ""),
        ("x.txt", ""),
        ("x.json", "{"),
    ],
)
def test_the_ending_of_a_file_says_what_is_written(
    capsys: pytest.CaptureFixture[str], name: str, begins: str
):
    assert compared("<p>one", "<p>two", "-o", name) == 1
    written = Path(name).read_text("utf-8")
    assert written.lower().startswith(begins)
    assert "two" in written
    assert capsys.readouterr().out == ""


def test_another_ending_is_refused():
    with pytest.raises(click.BadParameter) as caught:
        compared("<p>one", "<p>two", "-o", "x.pdf")
    assert (
        caught.value.message == "x.pdf: write to a file that ends in .html, .htm, .md, .markdown, .txt, .json"
    )


FAR = "/html" + "/div" * 80


@pytest.mark.parametrize(
    ("where", "of_row", "shown"),
    [
        ((), False, ""),
        (("/a",), False, "  /a"),
        (("/a", "/b"), False, "  /a and 1 more"),
        (("/a", FAR), False, "  /a and 1 more"),
        ((FAR, "/a"), False, f"  {FAR[:299]}… and 1 more"),
        ((FAR[:300],), False, f"  {FAR[:300]}"),
        ((FAR[:301],), False, f"  {FAR[:299]}…"),
        (("/table/tr[2]/td[1]", "/x/y"), True, "  /table/tr[2]"),
    ],
)
def test_the_first_place_of_a_change_is_shown(where: tuple[str, ...], of_row: bool, shown: str):
    one = ObjectChange(object="x", status=Status.NEW, old=0, new=1, where=where)
    assert difference._where(one, of_row=of_row) == shown


@pytest.mark.parametrize(
    ("more", "shown"),
    [
        ({"old": 0, "new": 1}, "x (0 → 1)"),
        ({"old": 0, "new": 1, "link_text": "here"}, "here: x (0 → 1)"),
        ({"old": 1, "before": "a", "after": "b", "status": Status.UPDATED}, "a → b"),
        ({"before": "a", "after": "b", "status": Status.UPDATED, "label": "Price"}, "Price: a → b"),
        ({"before": "Price 1", "after": "b", "status": Status.UPDATED, "label": "Price"}, "Price 1 → b"),
        ({"after": "Price 1", "status": Status.UPDATED, "label": "Price"}, "x"),
        ({"status": Status.UPDATED, "label": "Price"}, "Price: x"),
    ],
)
def test_what_changed_is_said_in_one_line(more: dict[str, Any], shown: str):
    one = ObjectChange(**{"object": "x", "status": Status.NEW, "where": (), **more})
    assert difference._what(one) == shown
