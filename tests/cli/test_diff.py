"""`webvigil diff` prints text and JSON, and ends with the documented exit codes (U3)."""

from __future__ import annotations

import json
import os
import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.fetch.pdfs import pdf
from tests.whole.serving import webvigil

OLD = "<p>We recommend low risk growth investing.</p><a href=/a>A</a><div class=ad>Buy now</div>"
NEW = "<p>We recommend low risk index investing.</p><a href=/b>A</a><div class=ad>Buy later</div>"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    for name, body in (("old.html", OLD), ("new.html", NEW)):
        (tmp_path / name).write_text(body, "utf-8")
    return str(tmp_path / "old.html"), str(tmp_path / "new.html")


def test_equal_pages_exit_with_0(files: tuple[str, str]):
    done = webvigil("diff", files[0], files[0])
    assert (done.returncode, done.stdout, done.stderr) == (0, "any change: no change\n", "")


def test_different_pages_exit_with_1(files: tuple[str, str]):
    done = webvigil(
        "diff",
        *files,
        "--monitor",
        "all links OR phrase: {low risk growth investing}",
        "--url",
        "http://x.test/",
    )
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "all links: 2 changes (100.0% of it, score 512)",
        "  - A: http://x.test/a (1 → 0)  /html/body/a",
        "  + A: http://x.test/b (0 → 1)  /html/body/a",
        "phrase: 1 change (25.6% of it, score 11)",
        "  ~ low risk growth investing → low risk index investing  /html/body/p",
    ]


def test_the_amount_is_that_of_the_lines_below(tmp_path: Path):
    row = "<tr><td>{}<td>€ {}<td>{}"
    for name, added in (("old", 0), ("new", 1)):
        rows = "".join(row.format(thing, 10 + added, 3 + added) for thing in ("Lamp", "Sofa", "Desk"))
        head = "<tr><th>Name<th>Price<th>Stock"
        (tmp_path / f"{name}.html").write_text(f"<table>{head}{rows}</table><p>Open {added}", "utf-8")
    first, *told = webvigil(
        "diff", str(tmp_path / "old.html"), str(tmp_path / "new.html")
    ).stdout.splitlines()
    assert len(told) == 4
    assert first.startswith("any change: 4 changes with 6 cells (")


def test_json_is_the_promised_object(files: tuple[str, str]):
    done = webvigil("diff", *files, "--monitor", "all words", "--ignore", ".ad", "--json")
    assert done.returncode == 1
    answer = json.loads(done.stdout)
    assert answer["changed"] is True
    (finding,) = answer["findings"]
    assert finding["type"] == "all words"
    (one,) = finding["objects"]
    around = one.pop("surrounding")
    assert one == {
        "object": "growth", "status": "u", "before": "growth", "after": "index", "where": ["/html/body/p"]
    }  # fmt: skip
    assert around["before"][slice(*around["before_marks"][0])] == "growth"
    assert around["after"] == "We recommend low risk index investing."


def test_a_part_by_selector_or_xpath(files: tuple[str, str]):
    assert webvigil("diff", *files, "--within", "p", "--monitor", "all links").returncode == 0
    assert webvigil("diff", *files, "--within", "xpath://p").returncode == 1
    done = webvigil("diff", *files, "--within", "#nope")
    assert (done.returncode, done.stderr) == (2, "webvigil: nothing on either page matches css '#nope'\n")
    done = webvigil("diff", *files, "--within", "p[")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_a_wrong_expression_is_pointed_at(files: tuple[str, str]):
    done = webvigil("diff", *files, "--monitor", "all linkz")
    assert done.returncode == 2
    assert done.stdout == ""
    message, line, caret = done.stderr.splitlines()
    assert message.startswith("webvigil: --monitor: line 1, column 5")
    assert line.index("linkz") == caret.index("^")


def test_trouble_is_one_clear_line(files: tuple[str, str], tmp_path: Path):
    for arguments in ((files[0], "nowhere.html"), (files[0], str(tmp_path)), (files[0],)):
        done = webvigil("diff", *arguments)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert "Traceback" not in done.stderr


def test_the_page_is_shown_with_its_changes_marked(files: tuple[str, str]):
    done = webvigil("diff", *files, "--within", "p", "--present", "single")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "1 changed; -1 +1 words",
        "",
        "~ We recommend low risk [-growth-] {+index+} investing.",
    ]


def test_a_presentation_is_written_to_a_file_by_its_name(files: tuple[str, str], tmp_path: Path):
    for name, sign in (
        ("out.html", "growth"),
        ("out.md", "<del> growth</del>"),
        ("out.txt", "[-growth-]"),
        ("out.json", '"before": "growth"'),
    ):
        done = webvigil("diff", *files, "--monitor", "all words", "-o", str(tmp_path / name))
        assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
        assert sign in (tmp_path / name).read_text("utf-8")
    webvigil("diff", *files, "--monitor", "all words", "--plain", "-o", str(tmp_path / "plain.html"))
    assert "<del>growth</del>" in (tmp_path / "plain.html").read_text("utf-8")
    for name in ("out.pdf", "no/such/folder/out.html"):
        done = webvigil("diff", *files, "-o", str(tmp_path / name))
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1


def test_two_screenshots_are_compared_and_shown_with_their_regions(tmp_path: Path):
    """C14: the written page contains both pictures with the changed regions, and loads nothing else."""
    folder = Path(__file__).parents[1] / "detect" / "cases" / "visual" / "one-line-changed"
    files = [str(folder / name) for name in ("before.png", "after.png")]
    shown = tmp_path / "changes.html"
    done = webvigil("diff", *files, "--monitor", "visual", "-o", str(shown))
    assert done.returncode == 1, done.stderr
    page = shown.read_text("utf-8")
    assert page.count("data:image/png;base64,") == 2
    assert page.count('<rect x="111" y="140" width="48" height="12"/>') == 2
    assert "<script" not in page


def test_a_picture_that_cannot_be_read_is_told(tmp_path: Path):
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n and then nothing")
    done = webvigil("diff", str(broken), str(broken), "--monitor", "visual")
    assert done.returncode == 0, "the same bytes look the same"
    other = tmp_path / "other.png"
    other.write_bytes(b"\x89PNG\r\n\x1a\n and then something")
    done = webvigil("diff", str(broken), str(other), "--monitor", "visual")
    assert done.returncode == 2
    assert "the picture cannot be read" in done.stderr or "no picture" in done.stderr


# --- PDF, and pages of two kinds (F9) ---------------------------------------------------------------


@pytest.fixture
def pdfs(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "old.pdf").write_bytes(pdf("Terms of use\nYou pay 10 EUR.", "Second page"))
    (tmp_path / "new.pdf").write_bytes(pdf("Terms of use\nYou pay 12 EUR.", "Second page", "A third one"))
    return str(tmp_path / "old.pdf"), str(tmp_path / "new.pdf")


def test_two_pdfs_are_compared_by_their_text(pdfs: tuple[str, str]):
    done = webvigil("diff", *pdfs, "--monitor", "all words")
    assert done.returncode == 1
    assert done.stdout.splitlines()[1:] == ["  ~ 10 → 12  /text()[2]", "  + A third one  /text()[4]"]
    assert webvigil("diff", pdfs[0], pdfs[0]).returncode == 0
    shown = webvigil("diff", *pdfs, "--present", "only").stdout
    assert "You pay [-10-] {+12+} EUR." in re.sub(r"\x1b\[[\d;]*m", "", shown)


def test_a_page_that_became_a_pdf_is_compared_by_what_both_have(pdfs: tuple[str, str], tmp_path: Path):
    page = tmp_path / "new.html"
    page.write_text("<h1>Terms of use</h1><p>You pay 12 EUR.<p>Second page", "utf-8")
    for files in ((pdfs[0], str(page)), (str(page), pdfs[0])):
        done = webvigil("diff", *files, "--monitor", "all words OR all links", "--json")
        words, links = json.loads(done.stdout)["findings"]
        assert [(one["status"], {one["before"], one["after"]}) for one in words["objects"]] == [
            ("u", {"10", "12"})
        ]
        assert links["objects"] == []


def test_pages_of_any_two_kinds_have_an_answer(pdfs: tuple[str, str], tmp_path: Path):
    bodies = {
        "a.html": b"<p>one 1",
        "b.xml": b"<x><y>one 2</y></x>",
        "c.json": b'{"y": "one 3"}',
        "d.txt": b"one 4",
        "e.bin": bytes(range(256)),
    }
    for name, body in bodies.items():
        (tmp_path / name).write_bytes(body)
    every = (
        "any change OR exact change OR all words OR phrase: {one} OR keywords: {one} OR structure OR content"
    )
    files = [*(str(tmp_path / name) for name in bodies), pdfs[0]]
    for one, other in pairwise([*files, files[0]]):
        done = webvigil("diff", one, other, "--monitor", every)
        assert (done.returncode, done.stderr) == (1, ""), (one, other)


def test_a_pdf_that_cannot_be_read_is_named(pdfs: tuple[str, str], tmp_path: Path):
    cut = tmp_path / "cut.pdf"
    cut.write_bytes(Path(pdfs[0]).read_bytes()[:300])
    done = webvigil("diff", pdfs[0], str(cut))
    assert done.returncode == 2
    assert done.stderr.startswith(f"webvigil: {cut}: the PDF cannot be read: ")
    assert done.stderr.count("\n") == 1


def test_without_the_reader_of_pdf_it_is_said_how_to_get_it(pdfs: tuple[str, str], tmp_path: Path):
    missing = tmp_path / "missing"
    missing.mkdir()
    (missing / "pypdf.py").write_text("raise ModuleNotFoundError('pypdf')", "utf-8")
    found = os.pathsep.join(filter(None, [str(missing), os.environ.get("PYTHONPATH", "")]))
    done = webvigil("diff", *pdfs, PYTHONPATH=found)
    assert done.returncode == 2
    assert "pip install 'webvigil[pdf]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_summed_up_has_no_place_and_a_deep_place_is_cut(tmp_path: Path):
    for name, letter in (("old.html", "a"), ("new.html", "b")):
        links = "".join(f"<a href=/{letter}{number}>x</a>" for number in range(5_100))
        (tmp_path / name).write_text(f"{links}{'<div>' * 500}<p>{letter}", "utf-8")
    files = str(tmp_path / "old.html"), str(tmp_path / "new.html")
    done = webvigil("diff", *files, "--monitor", "all links OR all words")
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert any(re.fullmatch(r"  \+ [\d,]+ more \(0 → [\d,]+\)", line) for line in lines)
    assert max(map(len, lines)) < 400
    (place,) = {line.split()[-1] for line in lines if line.endswith("…")}
    assert len(place) == 300


def test_edits_lead_from_one_file_to_the_other(files: tuple[str, str], tmp_path: Path):
    old, new = files
    script = str(tmp_path / "edits.json")
    assert webvigil("diff", old, new, "--edits", "-o", script).returncode == 1
    again = webvigil("patch", old, script, "-o", str(tmp_path / "again.html"))
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    assert webvigil("diff", new, str(tmp_path / "again.html")).returncode == 0
    assert webvigil("diff", old, old, "--edits").returncode == 0
    refused = webvigil("patch", new, script)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "webvigil: the edits were made for another document than this one\n"
    assert "leave out the other options" in webvigil("diff", old, new, "--edits", "--within", "p").stderr


def test_a_condition_is_not_judged_here_and_that_is_said(tmp_path):
    for name, text in (("old", "<p>a"), ("new", "<p>b")):
        (tmp_path / f"{name}.html").write_text(text)
    files = [str(tmp_path / "old.html"), str(tmp_path / "new.html")]
    told = webvigil("diff", *files, "--monitor", 'any change When means "x"')
    assert told.returncode == 2
    assert "judges no condition" in told.stderr
    assert "no language model asked" in " ".join(webvigil("diff", "--help").stdout.split())


def test_a_row_of_a_table_is_one_line(tmp_path: Path):
    head = "<table><caption>Prices</caption><tr><th>Product<th>Price<th>In stock"
    rows = "<tr><td>Lamp<td>€ {}<td>{}<tr><td>Desk<td>€ {}<td>3<tr><td>Rug<td>€ 9<td>1</table>"
    old, new = tmp_path / "old.html", tmp_path / "new.html"
    old.write_text(head + rows.format(49, 12, 30), "utf-8")
    new.write_text(head + rows.format(51, 10, 31), "utf-8")
    for monitor in ("any change", "table: {Prices}"):
        done = webvigil("diff", str(old), str(new), "--monitor", monitor)
        kind, *told = done.stdout.splitlines()
        assert kind.partition(" (")[0].endswith(": 2 changes with 3 cells")
        assert told == [
            "  ~ Lamp · Price: € 49 → € 51; In stock: 12 → 10  /html/body/table/tbody/tr[2]",
            "  ~ Desk · Price: € 30 → € 31  /html/body/table/tbody/tr[3]/td[2]",
        ]
