"""`hatch_build.py` compiles the accelerator from all its files; without a compiler it builds a package
that has none."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "src/webvigil/document/native"
FILES = sorted(path for path in NATIVE.iterdir() if path.suffix in (".c", ".h"))


@pytest.fixture(scope="module")
def building() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_the_accelerator_is_compiled_from_all_its_files(building):
    assert building.sources(ROOT) == FILES
    assert len(FILES) > 10


def test_without_a_compiler_the_product_is_installed_without_the_accelerator(
    building, monkeypatch, capsys, tmp_path
):
    copied = tmp_path / "src/webvigil/document"
    shutil.copytree(NATIVE, copied / "native")
    (copied / "_fast.of-before.so").touch()
    monkeypatch.setenv("CC", "no-such-compiler")
    assert building.compiled(tmp_path) is None
    assert "the accelerator is not compiled" in capsys.readouterr().err
    assert not [*copied.glob("*.so")]


@pytest.mark.skipif(not shutil.which("cc"), reason="there is no compiler here")
def test_what_is_compiled_can_be_imported(building, tmp_path):
    made = building.built(ROOT, tmp_path, ["-O0"])
    ask = (
        "import importlib.util as u, sys;"
        "s = u.spec_from_file_location('webvigil.document._fast', sys.argv[1]);"
        "m = u.module_from_spec(s); s.loader.exec_module(m); print(m.visible_length('a b'))"
    )
    done = subprocess.run([sys.executable, "-c", ask, str(made)], capture_output=True, text=True, check=True)
    assert done.stdout == "2\n"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_file_says_what_it_holds_and_every_function_for_python_names_its_twin(file):
    text = file.read_text("utf-8")
    assert text.startswith("/* ")
    offered = re.findall(r"^    (?:MANY|ONE)\((\w+)\),$", text, re.MULTILINE)
    assert offered or file.name in ("arrays.c", "events.c", "module.c", "native.h")
    for name in offered:
        described = rf"Plain twin: [^*]*(?:\n \* [^*]*)* \*/\nstatic PyObject \*{name}\("
        assert re.search(described, text), f"{file.name}: the comment of {name} names no plain twin"
