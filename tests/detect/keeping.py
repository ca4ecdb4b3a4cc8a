"""Results that are kept in files, for tests that compare what is found with what was found before."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

Told = Callable[[], Iterator[object]]


class Kept(dict[str, Told]):
    """The functions whose results are kept in a folder, by their names. Each has a file, with what it yields
    line by line."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def __call__(self, told: Told) -> Told:
        """Keeps what a function yields, as a decorator."""
        self[told.__name__] = told
        return told

    @property
    def stored(self) -> list[str]:
        """The names of the files that are there."""
        return sorted(path.stem for path in self._folder.iterdir())

    def check(self, name: str) -> None:
        known = self._path(name).read_bytes().decode()
        assert self._lines(name) == known, f"if this is meant: write {self._folder.name} anew"

    def write(self) -> None:
        for name in self:
            self._path(name).write_bytes(self._lines(name).encode())

    def _lines(self, name: str) -> str:
        return "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in self[name]())

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.txt"
