"""What every run can check of the applications without installing one."""

from __future__ import annotations

from pathlib import Path

from tests.real import applications
from tests.real.application import Application

FOLDER = Path(applications.__file__).parent


def test_every_application_is_in_the_list():
    modules = {file.stem for file in FOLDER.glob("*.py")} - {"__init__"}
    assert {one.__module__.rpartition(".")[2] for one in applications.WATCHED} == modules
    assert set(Application.__subclasses__()) == {*applications.WATCHED}
    assert len({one.name for one in applications.WATCHED}) == len(applications.WATCHED)


def test_every_application_has_pages_with_and_without_the_edit():
    for one in applications.WATCHED:
        names = [page.name for page in one.pages]
        assert len({*names}) == len(names) >= 3, one.name
        assert any(page.edited for page in one.pages), one.name
        assert all(page.path.startswith("/") for page in one.pages), one.name


def test_whatever_installs_an_application_is_left_out_of_the_ordinary_run():
    tests = {file.name: file.read_text() for file in FOLDER.parent.glob("test_*.py")}
    del tests[Path(__file__).name]
    assert tests
    unmarked = [name for name, text in tests.items() if "\npytestmark = pytest.mark.real\n" not in text]
    assert unmarked == []


def test_applications_are_named_by_their_packages_alone():
    text = "".join(file.read_text() for file in FOLDER.parent.rglob("*.py"))
    assert not {"pypi" + ".org", "npmjs" + ".org", "debian" + ".org"} & {*text.split("/")}
