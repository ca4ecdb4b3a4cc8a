"""What a crawl prints of its forms, and which seeds and records it takes."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from webvigil.cli import discover, discovered
from webvigil.discover.crawler.steps import Ended, Judged
from webvigil.discover.crawler.trail import MemoryTrail
from webvigil.discover.reports import Table
from webvigil.errors import SettingRefused

FORM = {"page": "http://a.test/", "form": "search", "fields": 2, "outcome": "possible", "reason": "no words"}
ASKED = {"method": "GET", "url": "http://a.test/find", "fields": {"q": "x", "n": "1"}}


@pytest.mark.parametrize(("times", "more"), [(0, []), (1, []), (5, []), (6, ["    … and 1 more"])])
def test_a_dry_run_tells_five_questions_of_a_form(
    capsys: pytest.CaptureFixture[str], times: int, more: list[str]
):
    judged = Judged(url="http://a.test/", analyses=(FORM,), asked=(ASKED,) * times)
    discovered._say_forms([Ended(why="it was enough"), judged])
    assert capsys.readouterr().out.splitlines() == [
        "http://a.test/ search: 2 fields, possible: no words",
        *["    would ask GET http://a.test/find q=x&n=1"] * min(times, 5),
        *more,
    ]


FOUND = FORM | {"outcome": "matched", "reason": "it answers", "probes": 3}
PROFILE = {
    "service": "keyword-search",
    "page": {"url": "http://a.test/"},
    "form": "search",
    "steps": [],
    "states": [],
    "arguments": [["keywords", "tide"]],
    "result": "list",
    "found": "Tide   table",
}


@pytest.mark.parametrize(
    ("services", "told"),
    [
        ([], ["No service of this class was found."]),
        ([FOUND], ["http://a.test/", "    asked  with 3 requests: it answers"]),
        (
            [FOUND | {"profile": PROFILE}],
            [
                "http://a.test/",
                "    asked keywords 'tide' with 3 requests: it answers",
                "    found Tide table",
            ],
        ),
        (
            [FOUND | {"profile": PROFILE | {"found": ""}}],
            ["http://a.test/", "    asked keywords 'tide' with 3 requests: it answers"],
        ),
        (
            [FOUND | {"outcome": "possible"}],
            ["http://a.test/", "    possible only: it answers", "    asked  with 3 requests: it answers"],
        ),
    ],
)
def test_services_are_told_with_what_was_asked_and_found(
    capsys: pytest.CaptureFixture[str], services: list[dict[str, object]], told: list[str]
):
    discovered._say_services(services)
    assert capsys.readouterr().out.splitlines() == told


def test_a_crawl_says_why_it_ended_last():
    assert discovered._ended([]) == "it was cut off"
    assert discovered._ended([Ended(why="first"), Ended(why="last")]) == "last"


def test_a_table_is_as_wide_as_its_widest_label():
    table = Table(title="Pages", head=("label", "value"), rows=(("a", "1"), ("longest", "22")))
    assert discovered._table_text(table).splitlines() == [
        "Pages",
        "-----",
        "a                 1",
        "longest          22",
    ]


def test_seeds_are_lines_without_comments(tmp_path: Path):
    file = tmp_path / "seeds.txt"
    file.write_text("# here\n\n http://a.test/ \nhttp://b.test/\n")
    assert discover._seeds(str(file)) == ("http://a.test/", "http://b.test/")
    file.write_text("# nothing\n")
    with pytest.raises(SettingRefused, match="holds no address to start from"):
        discover._seeds(str(file))
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(SettingRefused, match="is no list of addresses"):
        discover._seeds(str(file))


def test_a_record_is_not_overwritten(tmp_path: Path):
    file = tmp_path / "crawl.jsonl"
    assert isinstance(discover._trail(None, "s", resume=False), MemoryTrail)
    file.write_text("{}")
    with pytest.raises(SettingRefused, match="holds a crawl already; go on with --resume"):
        discover._trail(str(file), "s", resume=False)


@pytest.mark.parametrize(("found", "said"), [(0, "0 services"), (1, "1 service"), (1200, "1,200 services")])
def test_the_bar_counts_forms_and_services(found: int, said: str):
    progress = SimpleNamespace(found=found, forms=("a", "b", "b more"), frontier=[1, 2, 3])
    assert discover._counted(progress) == f"2 forms, {said} (3 to go)"


def test_a_class_is_a_file_or_comes_along(tmp_path: Path):
    assert discover._service("dna-blast").name
    with pytest.raises(SettingRefused, match="is neither a file nor one of the classes that come along: "):
        discover._service("nonsense")
    (tmp_path / "x.scd").write_text("<nonsense")
    with pytest.raises(SettingRefused, match=r"x\.scd: line 1"):
        discover._service(str(tmp_path / "x.scd"))
