"""`webvigil graph`: shows what is computed when a page changes, and how many sentinels share it (G1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from webvigil.cli.options import as_json, store_of, store_options
from webvigil.cli.saying import say, say_json

Node = dict[str, Any]


@click.command()
@click.argument("url")
@click.option("--dot", is_flag=True, help="Print it for Graphviz: … --dot | dot -Tsvg > graph.svg")
@as_json
@store_options
def graph(store: dict[str, Any], url: str, dot: bool, as_json: bool) -> None:
    """Show the change detection graph of a page: what is compared, on which part, for how many sentinels.

    Equal nodes are there once. Below a node stand the nodes that use its result; a node that uses several
    results stands in full below the first of them. Only administrators see the sentinels of other users.

    \b
    Example:
      webvigil graph https://example.org/prices
      webvigil graph https://example.org/prices --dot | dot -Tsvg > graph.svg
    """
    from webvigil.app.pages.find import page_of
    from webvigil.app.pages.graph import graph_as_json
    from webvigil.app.pages.view import eyes_of

    with store_of(store) as (knowledge, settings):
        try:
            page = page_of(knowledge, settings.user, url)
        except ValueError as error:
            raise click.ClickException(str(error)) from error
        eyes = eyes_of(knowledge.users.get(settings.user))
        watches = [one for one in knowledge.sentinels.watching(page) if eyes in (None, one.user)]
        found = graph_as_json(knowledge.versions.page(page).url, watches)
    if as_json:
        say_json(found)
    else:
        say("\n".join(_dot(found) if dot else _tree(found)))


def _tree(found: dict[str, Any]) -> Iterator[str]:
    nodes = {node["id"]: node for node in found["nodes"]}
    yield f"{found['page']}  {_sentinels(found['sentinels'])}"
    parts: dict[str, list[Node]] = {}
    for node in found["nodes"]:
        if node["kind"] == "change":
            parts.setdefault(node["part"], []).append(node)
    shown: set[str] = set()
    for number, (part, below) in enumerate(parts.items(), 1):
        last = number == len(parts)
        yield f"{'└─' if last else '├─'} {part}"
        yield from _branches("   " if last else "│  ", below, nodes, shown)


def _branches(indent: str, branch: list[Node], nodes: dict[str, Node], shown: set[str]) -> Iterator[str]:
    for number, node in enumerate(branch, 1):
        last = number == len(branch)
        again = node["id"] in shown
        shown.add(node["id"])
        yield f"{indent}{'└─' if last else '├─'} {_line(node)}{' (above)' if again else ''}"
        above = [] if again else [nodes[name] for name in node.get("to", ())]
        yield from _branches(indent + ("   " if last else "│  "), above, nodes, shown)


def _line(node: Node) -> str:
    if node["kind"] != "interest":
        return f"{node['label']}  {_sentinels(node['sentinels'])}"
    more = node["sentinels"] - len(node["names"])
    names = ", ".join(node["names"]) + (f" and {more:,} more" if more else "")
    versions = ", ".join(number if number != "0" else "none yet" for number in node["references"])
    return f"{names}  {node['label']}  version: {versions}"


def _sentinels(count: int) -> str:
    return f"{count:,} sentinel{'' if count == 1 else 's'}"


def _dot(found: dict[str, Any]) -> Iterator[str]:
    yield "digraph page {"
    yield "  rankdir=LR; node [shape=box, style=rounded];"
    yield f"  page [label={_quoted(found['page'], _sentinels(found['sentinels']))}, shape=note];"
    for node in found["nodes"]:
        extra = [node["part"]] if node["kind"] == "change" else []
        words = [_line(node)] if node["kind"] == "interest" else [node["label"], *extra]
        shape = ", shape=ellipse" if node["kind"] == "composite" else ""
        yield f"  {node['id']} [label={_quoted(*words, _sentinels(node['sentinels']))}{shape}];"
        if node["kind"] == "change":
            yield f"  page -> {node['id']};"
        for above in node.get("to", ()):
            yield f"  {node['id']} -> {above};"
    yield "}"


def _quoted(*lines: str) -> str:
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'
