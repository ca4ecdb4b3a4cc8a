"""`webvigil pack`: packs documents into a small file that answers XPath."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webvigil.cli.bars import bar
from webvigil.cli.files import body_of, type_by_name
from webvigil.cli.packing import PIPE, listed, naming

if TYPE_CHECKING:
    from webvigil.document import PageDigest

_PROFILES = ("page", "data", "text", "counts", "subpaths", "digest")
# Bytes from which a progress bar is shown. The strongest compressor takes about a second for a megabyte.
_WORTH_A_BAR = 2_000_000
_CODECS = ("auto", "zstd", "brotli", "xz", "deflate", "none", "fast")


@click.command()
@click.argument(
    "inputs", metavar="IN...", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True)
)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, allow_dash=True),
    help="File to write (- for standard output).",
)
@click.option("--append", "adding", is_flag=True, help="Add to the file instead of writing it anew.")
@click.option("--exact", is_flag=True, help="Keep the very bytes, not only an equivalent document.")
@click.option("--profile", type=click.Choice(_PROFILES), help="How to pack; by default told by the document.")
@click.option("--codec", type=click.Choice(_CODECS), default="auto", show_default=True, help="Compressor.")
@click.option("--type", "content_type", default="", help="Content type; by default told by name and bytes.")
def pack(
    inputs: tuple[Path, ...],
    output: Path,
    adding: bool,
    exact: bool,
    profile: str | None,
    codec: str,
    content_type: str,
) -> None:
    """Pack documents and folders IN (- for standard input) into one file.

    \b
    Example:
      webvigil pack play.xml -o play.xpk
      webvigil pack archive/ -o archive.xpk
      curl -s https://example.org/ | webvigil pack - -o - > page.xpk
    """
    from webvigil.xpack import Writer, append

    documents = _documents(inputs, content_type, exact)
    if adding:
        append(output, documents, codec=codec)
    elif str(output) == PIPE:
        with Writer(sys.stdout.buffer, profile=profile, codec=codec) as writer:
            for name, digest, source in documents:
                writer.add(digest, name=name, source=source)
    else:
        _write(output, documents, profile, codec, _size(inputs))


def _write(
    output: Path,
    documents: Iterator[tuple[str, PageDigest, bytes | None]],
    profile: str | None,
    codec: str,
    size: int,
) -> None:
    """Writes the file under another name first, so that an existing file is replaced only by a complete
    one."""
    from webvigil.xpack import Writer

    beside = Path(f"{output}.part")
    try:
        with (
            bar("Packing", size) if size >= _WORTH_A_BAR else nullcontext() as told,
            beside.open("wb") as stream,
            Writer(stream, profile=profile, codec=codec, told=told) as writer,
        ):
            for name, digest, source in documents:
                writer.add(digest, name=name, source=source)
        beside.replace(output)
    finally:
        beside.unlink(missing_ok=True)


def _size(inputs: tuple[Path, ...]) -> int:
    """Returns how many bytes there are to pack, without what comes from a pipe."""
    return sum(file.stat().st_size for file in listed(inputs) if file.is_file())


def _documents(
    inputs: tuple[Path, ...], content_type: str, exact: bool
) -> Iterator[tuple[str, PageDigest, bytes | None]]:
    from webvigil.document import read

    for file in listed(inputs):
        with naming(file):
            body = body_of(file)
            digest = read(body, content_type or type_by_name(file))
            yield "" if str(file) == PIPE else file.as_posix(), digest, body if exact else None
