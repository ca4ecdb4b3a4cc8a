"""`webvigil diff`: compares two files that are versions of a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from webvigil.cli.difference import Asked, comparing_options
from webvigil.cli.files import body_of, type_by_name
from webvigil.errors import DocumentRefused

if TYPE_CHECKING:
    from webvigil.document import PageDigest

_FILE = click.Path(exists=True, dir_okay=False, allow_dash=True)


@click.command()
@click.argument("old", type=_FILE)
@click.argument("new", type=_FILE)
@click.option("--url", default="", help="The address of the page, for relative links.")
@click.option("--type", "content_type", default="", help="Content type; by default told by name and bytes.")
@comparing_options
def diff(old: str, new: str, url: str, content_type: str, asked: Asked) -> int:
    """Compare two versions of a page, the files OLD and NEW (- for standard input).

    Exit code 0: same; 1: different; 2: trouble. Marks: + came, - went, ~ was updated, > moved.
    Without --present and -o the findings are listed. No condition (When …) is judged, and no language model
    asked.

    \b
    Example:
      webvigil diff monday.html tuesday.html
      webvigil diff old.html new.html --monitor 'all links OR phrase: {low risk growth}' --json
      webvigil diff old.html new.html --within '#content' --ignore .ads --ignore '/\\d+ minutes ago/'
      webvigil diff old.html new.html --present only
      webvigil diff old.html new.html -o changes.html
      webvigil diff old.png new.png --monitor visual -o changes.html
      webvigil diff terms-2025.pdf terms-2026.pdf --present only
    """
    asked.check()
    return asked.answer(_page(old, content_type, url), _page(new, content_type, url))


def _page(file: str, content_type: str, url: str) -> PageDigest:
    from webvigil.library import digest_of

    path = Path(file)
    try:
        return digest_of(body_of(path), content_type or type_by_name(path), url)
    except DocumentRefused as error:
        raise DocumentRefused(f"{file}: {error}") from error
