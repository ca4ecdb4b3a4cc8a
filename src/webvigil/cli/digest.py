"""`webvigil digest`: prints the Page Digest containers of a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webvigil.cli.files import body_of, type_by_name
from webvigil.cli.saying import say, say_json
from webvigil.present.escape import one_line

if TYPE_CHECKING:
    from webvigil.document import PageDigest


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print all containers as one JSON object.")
@click.option(
    "--type", "content_type", default="", help="Content type; by default told by the name and the bytes."
)
@click.option("--url", default="", help="The address the file came from, for relative links.")
def digest(file: Path, as_json: bool, content_type: str, url: str) -> None:
    """Show the Page Digest containers of FILE (- for standard input).

    \b
    Example:
      webvigil digest page.html
      curl -s https://example.org/ | webvigil digest - --url https://example.org/ --json
    """
    from webvigil.library import digest_of

    page = digest_of(body_of(file), content_type or type_by_name(file), url)
    if as_json:
        say_json(containers(page), indent=None)
    else:
        say(_summary(page))


def containers(page: PageDigest) -> dict[str, Any]:
    """Returns everything in the digest as plain data. The names are those of the Page Digest paper."""
    return {
        "kind": page.kind,
        "url": page.url,
        "title": page.title,
        "nodes": len(page),
        "ST": page.structure.tolist(),
        "TL": list(page.tag_names),
        "TM": page.tags.tolist(),
        "AL": {"names": list(page.attribute_names), "values": list(page.attribute_values)},
        "AM": {
            "node": page.attribute_node.tolist(),
            "name": page.attribute_name.tolist(),
            "value": page.attribute_value.tolist(),
        },
        "CL": list(page.texts),
        "CM": page.content.tolist(),
        "signatures": {aspect: getattr(page, f"{aspect}_hash").hex() for aspect in _ASPECTS},
        "counts": _counts(page),
    }


_ASPECTS = ("structure", "tags", "attributes", "content", "comments")


def _counts(page: PageDigest) -> dict[str, int]:
    return {
        "links": len(page.links),
        "images": len(page.images),
        "words": len(page.words),
        "tables": len(page.tables),
        "lists": len(page.lists),
        "headings": len(page.headings),
        "forms": len(page.forms),
    }


def _summary(page: PageDigest) -> str:
    counted = ", ".join(f"{number} {name}" for name, number in _counts(page).items() if number)
    rows = {
        "kind": page.kind,
        "title": one_line(page.title),
        "nodes": f"{len(page)}, {int(page.depths.max())} levels deep",
        "tags": f"{len(page.tag_names)} names: {_some(page.tag_names)}",
        "attributes": f"{len(page.attribute_node)} on nodes, {len(page.attribute_names)} names",
        "content": f"{len(page.texts)} different texts, {sum(map(len, page.texts))} characters",
        "objects": counted or "none",
    }
    rows |= {f"{aspect} signature": getattr(page, f"{aspect}_hash").hex() for aspect in _ASPECTS}
    return "\n".join(f"{name:<20} {value}" for name, value in rows.items() if value)


def _some(names: tuple[str, ...], most: int = 12) -> str:
    shown = " ".join(names[:most])
    return f"{shown} …" if len(names) > most else shown
