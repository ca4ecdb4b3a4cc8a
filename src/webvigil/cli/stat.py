"""`webvigil stat`: shows the documents in a packed file and the size of each part."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webvigil.cli.options import as_json
from webvigil.cli.packing import chosen, opened, packed_file, which_document
from webvigil.cli.saying import say, say_json

if TYPE_CHECKING:
    from webvigil.xpack import Packed


@click.command()
@packed_file
@which_document
@as_json
def stat(file: Path, which: str | None, as_json: bool) -> None:
    """Show the documents of FILE (- for standard input): nodes, names, bytes per container.

    \b
    Example:
      webvigil stat play.xpk
      webvigil stat archive.xpk --json
    """
    with opened(file) as packed:
        found = [_described(name, document) for name, document in chosen(packed, which)]
    if as_json:
        say_json(found, None)
    else:
        say("\n\n".join(map(_shown, found)))


def _described(name: str, document: Packed) -> dict[str, Any]:
    containers: list[dict[str, Any]] = [
        {"name": one, "packed": stored, "size": size} for one, stored, size in document.sizes()
    ]
    size = sum(one["size"] for one in containers)
    written = len(document.document()) if document.kind != "binary" or document.is_exact else 0
    return {
        "document": name,
        "kind": document.kind,
        "profile": document.head.profile,
        "exact": document.is_exact,
        "nodes": len(document),
        "tags": list(document.tag_names),
        "attributes": list(document.attribute_names),
        "containers": containers,
        "size": size,
        "document_size": written,
        "packed": document.packed_size,
        "ratio": round(document.packed_size / written, 4) if written else None,
    }


def _shown(found: dict[str, Any]) -> str:
    lines = [
        f"{found['document']}",
        f"  {found['kind']}, profile {found['profile']}{', exact' if found['exact'] else ''}",
        f"  {found['nodes']:,} nodes, {len(found['tags'])} names, {len(found['attributes'])} attribute names",
        f"  {'container':<12}{'packed':>12}{'size':>12}",
    ]
    lines += [f"  {one['name']:<12}{one['packed']:>12,}{one['size']:>12,}" for one in found["containers"]]
    lines.append(f"  {'all':<12}{found['packed']:>12,}{found['size']:>12,}")
    if found["ratio"] is not None:
        lines.append(f"  {found['ratio']:.1%} of the document's {found['document_size']:,} bytes")
    return "\n".join(lines)
