"""`webvigil unpack`: writes the documents of a packed file to a folder or to standard output."""

from __future__ import annotations

import sys
from pathlib import Path, PurePosixPath

import click

from webvigil.cli.packing import PIPE, chosen, opened, packed_file, which_document
from webvigil.errors import XPackError


@click.command()
@packed_file
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, allow_dash=True),
    help="Folder to write to (- for standard output).",
)
@which_document
def unpack(file: Path, output: Path, which: str | None) -> None:
    """Write the documents of FILE (- for standard input) again.

    \b
    Example:
      webvigil unpack archive.xpk -o folder
      webvigil unpack play.xpk -o - > play.xml
    """
    with opened(file) as packed:
        if str(output) == PIPE:
            if which is None and len(packed) > 1:
                raise XPackError(f"the file holds {len(packed)} documents; say which with --document")
            for _, document in chosen(packed, which):
                sys.stdout.buffer.write(document.document())
            return
        taken: set[Path] = set()
        for name, document in chosen(packed, which):
            target = _free(output / inside(name, document.kind), taken)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(document.document())


def inside(name: str, kind: str) -> Path:
    """Returns the name of a document as a path that cannot lead out of the folder, with an ending if it has
    none."""
    parts = [part for part in PurePosixPath(name.replace("\\", "/")).parts if part not in ("/", "..", ".")]
    parts = [part.replace(":", "_").replace("\0", "_") for part in parts] or ["document"]
    path = Path(*parts)
    return path if path.suffix else path.with_name(f"{path.name}.{'txt' if kind == 'text' else kind}")


def _free(target: Path, taken: set[Path]) -> Path:
    """Returns a path that was not used yet, with a number if documents have the same name."""
    path, number = target, 1
    while path in taken:
        number += 1
        path = target.with_stem(f"{target.stem}-{number}")
    taken.add(path)
    return path
