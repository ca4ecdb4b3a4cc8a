"""Runs the tests of the accelerator with the sanitizers for addresses and undefined behaviour.

    python scripts/sanitize.py                        the tests of the twins, and of documents
    python scripts/sanitize.py tests/detect -k tables     other tests; all arguments go to pytest

The accelerator is compiled into a temporary folder with `-fsanitize=address,undefined`; the compiled module
of the tree stays as it is. Python takes its memory from `malloc`, so that a byte beyond the end of a piece of
memory is noticed. The run ends at the first fault, with the lines in C that lead to it. Leaks are not looked
for: Python itself keeps memory until its end. The compiler is `$CC`, otherwise gcc or clang.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
_TESTS = ("tests/document/test_fast.py", "tests/document/test_stored.py", "tests/document/test_hostile.py")
_OPTIONS = (
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
    "-g",
    "-O1",
)
_RUNTIMES = (
    ("libasan.so", "libubsan.so"),
    ("libclang_rt.asan-x86_64.so", "libclang_rt.ubsan_standalone-x86_64.so"),
    ("libclang_rt.asan-aarch64.so", "libclang_rt.ubsan_standalone-aarch64.so"),
)
_SHOWN = ("-p", "sanitized", "-p", "no:cacheprovider", "--capture=sys")
"""The report of a sanitizer goes past Python, so pytest must not keep it."""
_PLUGIN = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("webvigil.document._fast", {made!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
sys.modules[spec.name] = module
"""


def main() -> int:
    compiler = _compiler()
    runtimes = _runtimes(compiler)
    with tempfile.TemporaryDirectory(prefix="webvigil-sanitize-") as name:
        folder = Path(name)
        made = _made(compiler, folder)
        (folder / "sanitized.py").write_text(_PLUGIN.format(made=str(made)), "utf-8")
        tests = sys.argv[1:] or _TESTS
        return subprocess.run(  # noqa: S603
            [sys.executable, "-m", "pytest", "-x", "-q", *_SHOWN, *tests],
            cwd=ROOT,
            env=_environment(folder, runtimes),
            check=False,
        ).returncode


def _compiler() -> str:
    for name in filter(None, (os.environ.get("CC"), "gcc", "clang")):
        if shutil.which(name):
            return name
    sys.exit("There is no C compiler. On Debian and Ubuntu: apt-get install gcc")


def _runtimes(compiler: str) -> list[str]:
    """Returns the libraries of the sanitizers, which must be loaded before Python; then the one of C++, whose
    exceptions they watch."""
    for names in _RUNTIMES:
        found = [_file(compiler, name) for name in names]
        if all(found):
            return [*found, *filter(None, [_file(compiler, "libstdc++.so.6")])]
    sys.exit(
        f"{compiler} has no shared libraries of the sanitizers. On Debian and Ubuntu: apt-get install gcc "
        "(gcc brings them), or apt-get install libclang-rt-dev for clang."
    )


def _file(compiler: str, name: str) -> str:
    """Returns where the compiler has a library; "" if it has none."""
    asked = [compiler, f"-print-file-name={name}"]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)  # noqa: S603
    path = Path(done.stdout.strip())
    return str(path.resolve()) if path.is_absolute() and path.exists() else ""


def _made(compiler: str, folder: Path) -> Path:
    sys.path.insert(0, str(ROOT))
    from hatch_build import built

    os.environ["CC"] = compiler
    shared = ["-shared-libasan"] if "clang" in compiler else []
    return built(ROOT, folder, [*_OPTIONS, *shared])


def _environment(folder: Path, runtimes: list[str]) -> dict[str, str]:
    return {
        **os.environ,
        "LD_PRELOAD": " ".join(runtimes),
        "PYTHONPATH": str(folder),
        "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


if __name__ == "__main__":
    sys.exit(main())
