"""Package names in, programs that run from a cache folder out. Nothing is installed into the machine itself.

The cache (`WEBVIGIL_REAL`, or `webvigil-real` in the user's cache folder) has a virtual environment for each
application from PyPI, a folder for each from npm, and one folder into which all Debian packages are unpacked.
What is there is not fetched again.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_PATIENCE = 900
"""Seconds that one installation may take."""
# An absolute path in a script of a Debian package: it is moved along with the package.
_PATH = re.compile(rb"(?<=['\"])/(?:usr/share|usr/lib|etc|var/lib)/[\w./-]+")


class CannotInstall(Exception):
    """The application is not to be had on this machine; the message says why."""


def cache() -> Path:
    usual = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "webvigil-real"
    return Path(os.environ.get("WEBVIGIL_REAL") or usual)


def python(name: str, *packages: str) -> Path:
    """Returns the folder of programs of a virtual environment that has these packages from PyPI."""
    place = cache() / "python" / name

    def install() -> None:
        _run(sys.executable, "-m", "venv", "--clear", str(place))
        _run(str(place / "bin/python"), "-m", "pip", "install", "--quiet", *packages)

    _once(place, packages, install)
    return place / "bin"


def npm(name: str, *packages: str) -> Path:
    """Returns the folder of programs of a folder that has these packages from npm."""
    place = cache() / "npm" / name
    _need("npm", "node")
    _once(place, packages, lambda: _run("npm", "install", "--no-fund", "--prefix", str(place), *packages))
    return place / "node_modules/.bin"


class Debian:
    """Debian packages, with what they depend on and the machine does not have, unpacked into one folder."""

    def __init__(self, *packages: str) -> None:
        _need("apt-get", "dpkg-deb")
        self._packages = packages
        self.root = cache() / "debian" / "root"
        _once(cache() / "debian" / packages[0], packages, self._install)

    def path(self, *names: str) -> Path:
        """Returns the first of these files that is in the packages or on the machine; a name may have `*`."""
        for name in names:
            for root in (self.root, Path("/")):
                if found := sorted(root.glob(name)):
                    return found[0]
        raise CannotInstall(f"{' '.join(self._packages)}: {names[0]} is missing")

    @property
    def libraries(self) -> str:
        """The folders with shared libraries of the packages, for LD_LIBRARY_PATH."""
        return ":".join(
            str(one) for name in ("usr/lib", "lib") for one in self.root.glob(f"{name}/*-linux-gnu*")
        )

    def _install(self) -> None:
        archives = cache() / "debian" / "archives"
        (archives / "partial").mkdir(parents=True, exist_ok=True)
        known = {*archives.glob("*.deb")}
        try:
            self._download(archives)
        except CannotInstall:
            if os.geteuid() != 0:
                raise
            _run("apt-get", "update", "-qq")
            self._download(archives)
        self.root.mkdir(exist_ok=True)
        for archive in sorted({*archives.glob("*.deb")} - known):
            _run("dpkg-deb", "-x", str(archive), str(self.root))
        _relocate(self.root)

    def _download(self, archives: Path) -> None:
        options = (f"Dir::Cache::archives={archives}/", "Debug::NoLocking=1", "APT::Install-Recommends=0")
        chosen = [part for option in options for part in ("-o", option)]
        _run("apt-get", *chosen, "-y", "-qq", "--download-only", "install", *self._packages)


def _relocate(root: Path) -> None:
    """Makes links and scripts that name a file of the packages name it where it was unpacked."""
    for folder, folders, names in os.walk(root):
        for name in (*folders, *names):
            path = Path(folder, name)
            if path.is_symlink():
                target = str(path.readlink())
                if target.startswith("/") and (root / target[1:]).exists():
                    path.unlink()
                    path.symlink_to(root / target[1:])
            elif name.endswith(".php") and path.is_file():
                _rewrite(path, root)


def _rewrite(script: Path, root: Path) -> None:
    def moved(match: re.Match[bytes]) -> bytes:
        here = root / os.fsdecode(match.group()[1:])
        return (
            os.fsencode(here) + (b"/" if match.group().endswith(b"/") else b"")
            if here.exists()
            else match.group()
        )

    text = script.read_bytes()
    new = _PATH.sub(moved, text)
    if new != text:
        script.write_bytes(new)


def _once(place: Path, packages: Sequence[str], install: object) -> None:
    """Installs unless the same packages are installed at the place already."""
    stamp = place.with_name(place.name + ".installed")
    wanted = " ".join(packages)
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    assert callable(install)
    install()
    stamp.write_text(wanted)


def _need(*programs: str) -> None:
    for one in programs:
        if shutil.which(one) is None:
            raise CannotInstall(f"{one} is not on this machine")


def _run(*command: str) -> None:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_PATIENCE, stdin=subprocess.DEVNULL, check=False
        )
    except subprocess.TimeoutExpired:
        raise CannotInstall(f"{command[0]} took longer than {_PATIENCE} seconds") from None
    if done.returncode:
        said = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        raise CannotInstall(f"{' '.join(command[-3:])} failed: {said[-1] if said else done.returncode}")
