"""An object store in a directory: files named `ab/cdef…`, in 256 folders by the first two letters of the key.

A file appears complete or not at all: it is written beside its place, flushed to the disk, then renamed.
Objects that need not last are not flushed, because waiting for the disk costs more than making a lost one
again.

The code calls the system directly, because going through Path takes twice the time for a small object.
"""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from webvigil.errors import ObjectLost, ObjectMissing, StoreRefused
from webvigil.store.objects.keys import is_key, is_part, refuse_other

_TEMPORARY = ".part"
# A bad disk, or something else in the place of the file: neither another try nor another user would help.
_BROKEN = (errno.EIO, errno.EISDIR, errno.ENOTDIR, errno.ELOOP)
_OLD_FILE = os.O_WRONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NEW_FILE = _OLD_FILE | os.O_CREAT | os.O_EXCL


class Directory:
    distant = False

    def __init__(self, place: str | Path) -> None:
        self._place = Path(place)
        try:
            self._place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreRefused(f"{self._place} cannot be made: {error.strerror}") from error

    def put(self, key: str, content: bytes, *, lasting: bool = True) -> None:
        refuse_other(key)
        file = self._file(key)
        try:
            _write_whole(file, content, lasting)
        except OSError as error:
            raise StoreRefused(f"{file} cannot be written: {error.strerror}") from error

    def succeed(self, key: str, content: bytes, *, old: str) -> None:
        """Stores an object in the file of `old`, whose object is gone then: making a new file takes five
        times as long."""
        refuse_other(key)
        file = self._file(key)
        try:
            if not is_key(old) or not _moved(self._file(old), file):
                _write_whole(file, content, lasting=False)
                return self.delete([old])
            handle = os.open(file, _OLD_FILE)
            try:
                _write(handle, content)
                os.ftruncate(handle, len(content))
            finally:
                os.close(handle)
        except OSError as error:
            raise StoreRefused(f"{file} cannot be written: {error.strerror}") from error

    def get(self, key: str) -> bytes:
        if not is_key(key):
            raise ObjectMissing(f"there is no object {key[:100]!r}")
        try:
            with open(self._file(key), "rb", buffering=0) as file:  # noqa: PTH123
                return file.readall()
        except FileNotFoundError:
            raise ObjectMissing(f"object {key} is missing") from None
        except OSError as error:
            if error.errno in _BROKEN:
                raise ObjectLost(f"object {key} cannot be read: {error.strerror}") from error
            raise StoreRefused(f"{self._file(key)} cannot be read: {error.strerror}") from error

    def has(self, key: str) -> bool:
        return is_key(key) and os.path.exists(self._file(key))  # noqa: PTH110

    def delete(self, keys: Iterable[str]) -> None:
        for key in keys:
            with suppress(FileNotFoundError):
                if is_key(key) or is_part(key):
                    os.unlink(self._file(key))  # noqa: PTH108

    def keys(self) -> Iterator[str]:
        return (key for key, _ in self._entries() if is_key(key))

    def aged(self) -> Iterator[tuple[str, datetime]]:
        for key, file in self._entries():
            with suppress(FileNotFoundError):
                yield key, datetime.fromtimestamp(file.stat().st_mtime, UTC)

    def _entries(self) -> Iterator[tuple[str, Path]]:
        """Yields objects and leftovers of interrupted writes; other files are skipped."""
        for folder in sorted(self._place.glob("[0-9a-f][0-9a-f]")):
            for file in sorted(folder.iterdir()):
                key = folder.name + file.name
                if is_key(key) or is_part(key):
                    yield key, file

    def _file(self, key: str) -> str:
        return f"{self._place}{os.sep}{key[:2]}{os.sep}{key[2:]}"


def _write_whole(file: str, content: bytes, lasting: bool) -> None:
    part = f"{file}.{secrets.token_hex(4)}{_TEMPORARY}"
    handle = _opened(part)
    try:
        try:
            _write(handle, content)
            if lasting:
                os.fsync(handle)
        finally:
            os.close(handle)
        os.replace(part, file)  # noqa: PTH105
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise


def _moved(old: str, new: str) -> bool:
    """Gives a file another name. Returns False if there is no such file."""
    try:
        os.replace(old, new)  # noqa: PTH105
    except FileNotFoundError:
        return os.path.exists(old) and _make_folder(new) and _moved(old, new)  # noqa: PTH110
    return True


def _make_folder(file: str) -> bool:
    """Makes the folder of a file. Returns False if it was there already."""
    try:
        os.mkdir(os.path.dirname(file))  # noqa: PTH102, PTH120
    except FileExistsError:
        return False
    return True


def _write(handle: int, content: bytes) -> None:
    written = os.write(handle, content)
    while written < len(content):
        written += os.write(handle, content[written:])


def _opened(part: str) -> int:
    """Creates a new file that only its owner may read. The folder mostly exists, so it is only made if the
    first try fails."""
    try:
        return os.open(part, _NEW_FILE, 0o600)
    except FileNotFoundError:
        _make_folder(part)
        return os.open(part, _NEW_FILE, 0o600)
