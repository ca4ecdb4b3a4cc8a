"""What the tables of the extension points name and the tree lacks, and the other way round.

Each sentence says what is missing and where to add it. The rows are those of the `webvigil` that is
imported, the files those below `root`, so that a copy of the tree can be asked about itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from webvigil.app.moving.formats import FORMATS
from webvigil.app.settings import TABLE
from webvigil.discover.service import shipped
from webvigil.model.change_types import KINDS, Kind
from webvigil.model.channels import CHANNELS, ChannelKind


def missing(root: Path) -> list[str]:
    return [
        *(line for kind in KINDS.values() for line in _of_change_type(root, kind)),
        *(line for name, kind in CHANNELS.items() for line in _of_channel(root, name, kind)),
        *(line for name in FORMATS for line in _of_format(root, name)),
        *_headings(root, "settings.md", "setting", [*TABLE]),
        *(
            f"the service class {name!r}: add its line to the example in docs/reference/service-classes.md"
            for name in shipped()
            if f"\n{name}: " not in _page(root, "service-classes.md")
        ),
        *_modules_without_row(root),
    ]


def _of_change_type(root: Path, kind: Kind) -> Iterator[str]:
    what = f"the change type {kind.name!r}"
    yield from _module(root, what, f"detect/{kind.module or kind.identifier}.py", "detect")
    yield from _headings(root, "change-types.md", "change type", [kind.name])
    language = _page(root, "language.md")
    if not re.search(rf"^\| `{kind.name}", language, re.MULTILINE):
        yield f"{what}: add a row '| `{kind.name}` | … |' to docs/reference/language.md"
    if not re.search(rf"^Create Sentinel .*\b{kind.name}\b", language, re.MULTILINE):
        yield f"{what}: add a sentinel that uses it to docs/reference/language.md"
    cases = root / "tests/detect/cases" / kind.name.replace(" ", "-")
    if len([*cases.glob("*/expected.json")]) < 6:
        yield f"{what}: add six cases to {cases.relative_to(root)}"


def _of_channel(root: Path, name: str, kind: ChannelKind) -> Iterator[str]:
    yield from _module(root, f"the channel {name!r}", f"notify/{kind.module or name}.py", "make")
    yield from _headings(root, "channels.md", "channel", [name])
    if kind.needs and kind.needs not in TABLE:
        yield f"the channel {name!r} needs the setting {kind.needs!r}: add it to app/settings.py"


def _of_format(root: Path, name: str) -> Iterator[str]:
    for function in ("is_mine", "read"):
        path = f"app/moving/formats/{FORMATS[name].module}.py"
        yield from _module(root, f"the import format {name!r}", path, function)
    called = {"sentinels": "sentinels as text", "urls": "addresses"}.get(name, name)
    if f"\n| {called}" not in _page(root, "moving.md").lower():
        yield f"the import format {name!r}: add a row '| {called} … |' to docs/reference/moving.md"


def _module(root: Path, what: str, path: str, function: str) -> Iterator[str]:
    file = root / "src/webvigil" / path
    if not file.exists():
        yield f"{what} has no module: add {path} with a function {function}"
    elif not re.search(rf"^def {function}\(", file.read_text("utf-8"), re.MULTILINE):
        yield f"{what}: add a function {function} to {path}"


def _headings(root: Path, page: str, what: str, names: list[str]) -> Iterator[str]:
    found = re.findall(r"^#{2,4} (.+)$", _page(root, page), flags=re.MULTILINE)
    headings = {one.strip("` ") for one in found}
    for name in names:
        if name not in headings:
            yield f"the {what} {name!r}: add a heading '{name}' to docs/reference/{page}"


def _modules_without_row(root: Path) -> Iterator[str]:
    rows = {
        ("detect", "detect"): {kind.module or kind.identifier for kind in KINDS.values()},
        ("notify", "make"): {kind.module or name for name, kind in CHANNELS.items()},
        ("app/moving/formats", "is_mine"): {one.module for one in FORMATS.values()},
    }
    tables = {"detect": "model/change_types.py", "notify": "model/channels.py"}
    for (folder, function), known in rows.items():
        for file in sorted((root / "src/webvigil" / folder).glob("*.py")):
            name = file.stem.removeprefix("xml_")
            is_one = re.search(rf"^def {function}\(", file.read_text("utf-8"), re.MULTILINE)
            if is_one and name not in known:
                table = tables.get(folder, f"{folder}/__init__.py")
                yield f"{folder}/{file.name} has a function {function} and no row: add one to {table}"


def _page(root: Path, name: str) -> str:
    return (root / "docs/reference" / name).read_text("utf-8")
