"""Each peer in a virtual environment of its own, made once and kept in the cache folder of the user."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

PEERS = ("urlwatch", "changedetection.io")
_PATIENCE = 900


class NoPeer(Exception):
    """A peer cannot be installed on this machine; the message says why."""


def python_of(peer: str) -> Path:
    """Returns the Python in whose environment the peer is installed; makes the environment if it is missing.
    Raises NoPeer if the peer cannot be installed."""
    folder = cache() / peer
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        print(f"installing {peer} into {folder} …", file=sys.stderr)
        venv.create(folder, with_pip=True, clear=True)
        _install(python, peer)
        (folder / "ready").touch()
    return python


def version_of(peer: str) -> str:
    code = f"from importlib.metadata import version; print(version({peer!r}))"
    done = subprocess.run([python_of(peer), "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def cache() -> Path:
    named = os.environ.get("WEBVIGIL_BENCH_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "webvigil-bench"


def _install(python: Path, peer: str) -> None:
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", peer]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, check=False)
    except subprocess.TimeoutExpired as error:
        raise NoPeer(f"{peer} was not installed within {_PATIENCE} seconds") from error
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["pip said nothing"]
        raise NoPeer(f"{peer} cannot be installed; is the package registry reachable? pip: {said[-1]}")
