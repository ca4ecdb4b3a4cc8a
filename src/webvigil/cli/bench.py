"""`webvigil bench`: measures the figures of docs/benchmarks.md on this machine."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from webvigil.cli.options import as_json
from webvigil.cli.saying import say, say_json
from webvigil.errors import NotFound

CHECKOUT = Path(__file__).parents[3]
_KINDS = ("speed", "quality")


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("name", required=False)
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar="[ARGUMENTS]...")
@as_json
def bench(name: str | None, options: tuple[str, ...], as_json: bool) -> int | None:
    """Run the benchmark NAME, or list them. They are part of the source, not of the installed program.

    ARGUMENTS go to the benchmark; what it can be told stands at the top of its file under bench/.

    \b
    Example:
      webvigil bench
      webvigil bench xpack --json
      webvigil bench faults --pages 5000 --workers 2
    """
    known = benchmarks()
    if not known:
        raise NotFound("the benchmarks are not here: run this in a checkout of the source")
    if name is None:
        say_json(sorted(known), indent=None) if as_json else say("\n".join(sorted(known)))
        return None
    if name not in known:
        raise NotFound(f"there is no benchmark {name!r}; there are {', '.join(sorted(known))}")
    sys.path.insert(0, str(CHECKOUT))
    module: Any = import_module(known[name])
    if as_json and not options:
        say_json(module.rows(), indent=1)
        return None
    sys.argv = [known[name], *options, *(["--json"] if as_json else [])]
    code: int | None = module.main()
    return code


def benchmarks() -> dict[str, str]:
    """Returns the module of each benchmark that has rows to print, by name."""
    found = {}
    for kind in _KINDS:
        for file in sorted((CHECKOUT / "bench" / kind).glob("*.py")):
            if file.stem != "__init__" and "def rows(" in file.read_text(encoding="utf-8"):
                found[file.stem] = f"bench.{kind}.{file.stem}"
    for file in (CHECKOUT / "bench").glob("*/__main__.py"):
        if "def rows(" in file.read_text(encoding="utf-8"):
            found[file.parent.name] = f"bench.{file.parent.name}.__main__"
    return found
