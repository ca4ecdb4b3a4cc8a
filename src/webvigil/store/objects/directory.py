"""Objects as files: `ab/cdef…`, spread over 256 folders by the first two letters of the key.

A file appears whole or not at all: it is written beside its place, flushed to the disk, then renamed.
What need not last is not flushed: waiting for the disk costs more than making it again now and then.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from io import BufferedWriter
from pathlib import Path

from webvigil.errors import ObjectMissing, StoreRefused

_TEMPORARY = ".part"


class Directory:
    def __init__(self, place: str | Path) -> None:
        self._place = Path(place)
        try:
            self._place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreRefused(f"{self._place} cannot be made: {error.strerror}") from error

    def put(self, key: str, content: bytes, *, lasting: bool = True) -> None:
        file = self._file(key)
        try:
            _write_whole(file, content, lasting)
        except OSError as error:
            raise StoreRefused(f"{file} cannot be written: {error.strerror}") from error

    def get(self, key: str) -> bytes:
        try:
            return self._file(key).read_bytes()
        except FileNotFoundError:
            raise ObjectMissing(f"there is no object {key} in {self._place}") from None
        except OSError as error:
            raise StoreRefused(f"{self._file(key)} cannot be read: {error.strerror}") from error

    def has(self, key: str) -> bool:
        return self._file(key).exists()

    def delete(self, keys: Iterable[str]) -> None:
        for key in keys:
            self._file(key).unlink(missing_ok=True)

    def keys(self) -> Iterator[str]:
        for folder in sorted(self._place.glob("[0-9a-f][0-9a-f]")):
            for file in sorted(folder.iterdir()):
                if file.suffix != _TEMPORARY:
                    yield folder.name + file.name

    def aged(self) -> Iterator[tuple[str, datetime]]:
        for folder in sorted(self._place.glob("[0-9a-f][0-9a-f]")):
            for file in sorted(folder.iterdir()):
                with suppress(FileNotFoundError):
                    yield folder.name + file.name, datetime.fromtimestamp(file.stat().st_mtime, UTC)

    def _file(self, key: str) -> Path:
        return self._place / key[:2] / key[2:]


def _write_whole(file: Path, content: bytes, lasting: bool) -> None:
    part = f"{file}.{secrets.token_hex(4)}{_TEMPORARY}"
    stream = _opened(part)
    try:
        with stream:
            stream.write(content)
            if lasting:
                stream.flush()
                os.fsync(stream.fileno())
        os.replace(part, file)  # noqa: PTH105 - a hundred microseconds less than by way of a Path
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise


def _opened(part: str) -> BufferedWriter:
    """A file of its own for the owner alone; its folder is there already, but for the first time."""
    try:
        return open(part, "xb", opener=_for_the_owner)
    except FileNotFoundError:
        Path(part).parent.mkdir(exist_ok=True)
        return open(part, "xb", opener=_for_the_owner)


def _for_the_owner(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)
