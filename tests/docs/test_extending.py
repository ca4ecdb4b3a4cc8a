"""What CONTRIBUTING.md says about adding things is true, and whoever forgets a part is told which.

The change type and the channel that it shows are added to a copy of the tree, exactly as they are written.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from dataclasses import fields, replace
from pathlib import Path

import pytest

from tests.docs.completeness import missing
from tests.docs.examples import ROOT, examples
from webvigil.language import parse, print_sentinel
from webvigil.language.from_json import _reading, sentinel_from_json
from webvigil.language.to_json import sentinel_as_json
from webvigil.model.sentinel import Part, Sentinel

_FENCE = re.compile(r"^ *(`{3,4})\w+ ((?:row of )?\S+/\S+)\n(.*?)^ *\1$", re.MULTILINE | re.DOTALL)
_END_OF_ROWS = {
    "src/webvigil/model/change_types.py": "\n)\n\nKINDS = ",
    "src/webvigil/model/channels.py": "\n    }\n)\n\nFOR_PEOPLE",
}
_CASES = [("", "h1"), ("", "h2"), ("", "h3"), ("h1", ""), ("h2", "h2"), ("h1", "h1")]


def test_every_row_has_all_its_parts():
    lacking = missing(ROOT)
    assert not lacking, "\n".join(lacking)


def test_every_clause_is_read_printed_and_has_a_json_form():
    language = ROOT / "docs/reference/language.md"
    strategies = (ROOT / "tests/language/strategies.py").read_text("utf-8")
    said = [one for text in examples(language) if text.language == "sentinel" for one in parse(text.text)]
    for field in [one.name for one in fields(Sentinel) if one.name not in ("name", "target")]:
        sentinel = next((one for one in said if getattr(one, field)), None)
        assert sentinel, (
            f"no sentinel in {language.name} uses the clause {field!r}: add an example, a rule to "
            "language/sentinel.lark and its method to language/reader.py"
        )
        value = getattr(sentinel, field)
        (printed,) = parse(print_sentinel(sentinel))
        assert getattr(printed, field) == value, f"add the clause {field!r} to language/printer.py"
        from_json = sentinel_from_json(sentinel_as_json(sentinel))
        assert getattr(from_json, field) == value, f"the type of the clause {field!r} has no form in JSON"
        assert re.search(rf"\b{field}\b", strategies), f"add {field!r} to tests/language/strategies.py"


def test_a_field_of_a_known_type_needs_no_line_for_its_json():
    """Whoever adds a clause with values of a new type is told where the type belongs."""
    assert callable(_reading(str | None))
    assert callable(_reading(tuple[Part, ...]))
    with pytest.raises(TypeError, match="add the type to _OF_TYPE"):
        _reading(Path | None)
    with pytest.raises(TypeError, match="add the type to _FORMS"):
        sentinel_as_json(replace(parse("Create Sentinel s Using https://a.test/")[0], title=Path()))


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the parts of the tree that a new change type and a new channel touch, with both added."""
    root = tmp_path_factory.mktemp("copy")
    for part in ("src", "docs/reference", "tests/docs", "tests/detect/cases"):
        shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "tests/__init__.py").touch()
    for place, text in _shown():
        _add(root, place, text)
    for number, tags in enumerate(_CASES):
        _case(root / f"tests/detect/cases/headings/case-{number}", *tags)
    return root


def _shown() -> list[tuple[str, str]]:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    found = [(one[2], textwrap.dedent(one[3])) for one in _FENCE.finditer(text)]
    assert len(found) == 7
    return found


def _add(root: Path, place: str, text: str) -> None:
    path = root / place.removeprefix("row of ")
    if not path.exists():
        path.write_text(text, "utf-8")
    elif place.startswith("row of "):
        end = _END_OF_ROWS[place.removeprefix("row of ")]
        before, end, after = path.read_text("utf-8").partition(end)
        path.write_text(f"{before}\n{text}".rstrip() + end + after, "utf-8")
    else:
        path.write_text(path.read_text("utf-8") + text, "utf-8")


def _case(folder: Path, before: str, after: str) -> None:
    folder.mkdir(parents=True)
    for name, tag in (("before", before), ("after", after)):
        (folder / f"{name}.html").write_text(f"<p>x</p><{tag or 'p'}>News</{tag or 'p'}>")
    expected = {"monitor": "headings", "changed": bool(before) != bool(after)}
    (folder / "expected.json").write_text(json.dumps(expected))


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(root / "src"), str(root)])
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=root,
        env={**os.environ, "PYTHONPATH": paths, "WEBVIGIL_DATA": str(root / "data")},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


_ASKED = """
import asyncio, json
from pathlib import Path
import webvigil
from tests.docs.completeness import missing
from webvigil.app.settings import read_settings
from webvigil.app.telling.delivery import open_channels
from webvigil.language import parse_expression, print_expression
from webvigil.library import diff
from webvigil.model.notice import Notice
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.templates import piece

async def send():
    async with open_channels(read_settings({"data": "data"}), MemoryKnowledge()) as channels:
        notice = Notice(user="me", channel="file", address="", subject="News", dedup="7", body={"x": 1})
        await channels["file"].send(notice)

Path("data").mkdir(exist_ok=True)
asyncio.run(send())
cases = [
    json.loads(one.read_text())["changed"]
    == diff(*((one.parent / f"{name}.html").read_bytes() for name in ("before", "after")), "headings").changed
    for one in sorted(Path("tests/detect/cases/headings").glob("*/expected.json"))
]
print(json.dumps({
    "source": webvigil.__file__,
    "missing": missing(Path.cwd()),
    "printed": print_expression(parse_expression("NOT heading change OR all links")),
    "dashboard": "<code>headings</code> (headings that come and go)" in piece("language.html"),
    "cases": cases,
    "file": Path("data/notices.jsonl").read_text(),
}))
"""


def test_the_change_type_and_the_channel_of_the_guide_work_everywhere(copy: Path):
    done = run(copy, "-c", _ASKED)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["source"].startswith(str(copy))
    assert answer["missing"] == []
    assert answer["printed"] == "NOT headings OR all links"
    assert answer["dashboard"]
    assert answer["cases"] == [True] * 6
    assert json.loads(answer["file"]) == {"id": "7", "user": "me", "subject": "News", "x": 1}


def test_the_commands_know_them(copy: Path, tmp_path: Path):
    text = "Create Sentinel s Using https://example.org/ Monitor heading change Notify By file"
    (tmp_path / "s.sentinels").write_text(text)
    checked = run(copy, "-m", "webvigil", "check", str(tmp_path / "s.sentinels"))
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "Monitor headings\n" in checked.stdout
    old, new = tmp_path / "old.html", tmp_path / "new.html"
    old.write_text("<h1>News</h1>")
    new.write_text("<h1>News</h1><h2>Sport</h2><p>More")
    differing = run(copy, "-m", "webvigil", "diff", str(old), str(new), "--monitor", "headings")
    assert differing.returncode == 1, differing.stderr
    assert "Sport" in differing.stdout


_MISSING = """
from pathlib import Path
from tests.docs.completeness import missing
print(*missing(Path.cwd()), sep="\\n")
"""


def _add_setting(root: Path, field: str) -> None:
    file = root / "src/webvigil/app/settings.py"
    text = file.read_text("utf-8")
    first = "    data: Annotated["
    assert text.count(first) == 1
    file.write_text(text.replace(first, f"{field}\n{first}"), "utf-8")


def test_who_forgets_a_part_is_told_which_and_where_it_belongs(copy: Path, tmp_path: Path):
    root = tmp_path / "forgetful"
    shutil.copytree(copy, root)
    (root / "src/webvigil/notify/pigeon.py").write_text("def make(means): ...")
    (root / "src/webvigil/detect/sounds.py").write_text("def detect(old, new, change): ...")
    (root / "src/webvigil/app/moving/formats/pigeon.py").write_text("def is_mine(content): ...")
    classes = root / "src/webvigil/discover/classes"
    shutil.copy(classes / "phone-book.scd", classes / "dovecote.scd")
    _add_setting(root, '    nest: Annotated[Text, "", "Where pigeons live."]')
    for forgotten in ("src/webvigil/detect/headings.py", "src/webvigil/notify/file.py"):
        (root / forgotten).unlink()
    shutil.rmtree(root / "tests/detect/cases/headings")
    shutil.copytree(ROOT / "docs/reference", root / "docs/reference", dirs_exist_ok=True)
    told = run(root, "-c", _MISSING)
    assert told.stdout.splitlines() == [
        "the change type 'headings' has no module: add detect/headings.py with a function detect",
        "the change type 'headings': add a heading 'headings' to docs/reference/change-types.md",
        "the change type 'headings': add a row '| `headings` | … |' to docs/reference/language.md",
        "the change type 'headings': add a sentinel that uses it to docs/reference/language.md",
        "the change type 'headings': add six cases to tests/detect/cases/headings",
        "the channel 'file' has no module: add notify/file.py with a function make",
        "the channel 'file': add a heading 'file' to docs/reference/channels.md",
        "the setting 'nest': add a heading 'nest' to docs/reference/settings.md",
        "the service class 'dovecote': add its line to the example in docs/reference/service-classes.md",
        "detect/sounds.py has a function detect and no row: add one to model/change_types.py",
        "notify/pigeon.py has a function make and no row: add one to model/channels.py",
        (
            "app/moving/formats/pigeon.py has a function is_mine and no row: add one to "
            "app/moving/formats/__init__.py"
        ),
    ], told.stderr
