"""What the commands on packed files share: arguments, opening a file, choosing a document, `-` for a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webvigil.errors import NotFound, WebVigilError

if TYPE_CHECKING:
    from webvigil.xpack import Packed, PackedFile

PIPE = "-"

packed_file = click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
which_document = click.option(
    "--document", "which", metavar="NAME", help="Only this document, by name or by number from 1."
)


@contextmanager
def opened(file: Path) -> Iterator[PackedFile]:
    from webvigil.xpack import open_packed

    source = sys.stdin.buffer.read() if str(file) == PIPE else file
    with open_packed(source) as packed:
        yield packed


def chosen(packed: PackedFile, which: str | None) -> Iterator[tuple[str, Packed]]:
    """Yields name and document of the wanted document, or of all. Raises NotFound if there is no such
    document."""
    if which is None:
        for number, document in enumerate(packed, 1):
            yield document.name or str(number), document
    elif which in packed.names:
        yield which, packed[which]
    elif which.isdecimal() and 0 < int(which) <= len(packed):
        yield which, packed[int(which) - 1]
    else:
        raise NotFound(f"there is no document {which!r}: the file has {len(packed)}")


def listed(inputs: tuple[Path, ...]) -> Iterator[Path]:
    """Yields the files; for a folder all files in it, sorted."""
    for path in inputs:
        if str(path) != PIPE and path.is_dir():
            yield from sorted(one for one in path.rglob("*") if one.is_file())
        else:
            yield path


@contextmanager
def naming(file: Path) -> Iterator[None]:
    """Adds the name of the file to errors, so that one of many files can be found."""
    try:
        yield
    except WebVigilError as error:
        raise type(error)(f"{file}: {error}") from error
