"""`webvigil patch`: applies the edits of `webvigil diff --edits` to the old document."""

from __future__ import annotations

from pathlib import Path

import click

from webvigil.cli.files import body_of, type_by_name
from webvigil.cli.saying import say

_FILE = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)


@click.command()
@click.argument("old", type=_FILE)
@click.argument("edits", type=_FILE)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
@click.option("--type", "content_type", default="", help="Content type; by default told by name and bytes.")
@click.option("--url", default="", help="The address of the page, for relative links.")
def patch(old: Path, edits: Path, output: Path | None, content_type: str, url: str) -> None:
    """Apply EDITS to the document OLD (- for standard input), and print the new document.

    EDITS is what `webvigil diff OLD NEW --edits` printed. It names the documents that it leads from and to by
    their signatures, so it is never applied to another document.

    \b
    Example:
      webvigil diff monday.html tuesday.html --edits > edits.json
      webvigil patch monday.html edits.json -o tuesday-again.html
    """
    from webvigil.detect.edit_json import patched
    from webvigil.document.writer import CONTENT_TYPES, as_document
    from webvigil.library import digest_of

    new = patched(digest_of(body_of(old), content_type or type_by_name(old), url), body_of(edits))
    written = as_document(new)
    if output:
        output.write_bytes(written)
    else:
        click.echo(written, nl=False)
    if digest_of(written, CONTENT_TYPES[new.kind], url) != new:
        say("webvigil: no markup gives exactly this tree; the document reads a little differently", err=True)
