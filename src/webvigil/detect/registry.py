"""The modules that find the change types, each found by the name in its row (`model/change_types.py`).

A module of a change type has a function `detect`. It may also have

    note     what there is to say beyond the objects: by how much a value changed, that a whole table is gone
    share    how much of what is watched changed, from 0 to 1
    count    how many of the things that it watches are on a page: the share is counted in things
    letters  how many characters of both pages it watches: the share is measured in characters
    is_there whether what the change type names is on a page

Without the last four the share is that of the characters of the whole page, and nothing can be absent. On
XML and JSON pages, where the same words at another place are another object (C13), `detect` is that of the
module with `xml_` before its name, if there is one.

A module is loaded when its change type is first asked for: a command compares with one or two of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from webvigil.model.change_types import KINDS
from webvigil.model.sentinel import ChangeType

if TYPE_CHECKING:
    from webvigil.document import PageDigest
    from webvigil.model.change import ObjectChange

Detector = Callable[["PageDigest", "PageDigest", ChangeType], "list[ObjectChange]"]


class Functions(MutableMapping[str, Any]):
    """The functions of one name in the modules of the change types, by change type. `before` stands before
    the names of the modules."""

    def __init__(self, name: str, before: str = "") -> None:
        self._name = name
        self._before = before
        self._known: dict[str, Any] = {}

    def __getitem__(self, kind: str) -> Any:
        """Raises KeyError if there is no such change type, or its module has no such function."""
        if kind not in self._known:
            module = _module(kind, self._before) if kind in KINDS else None
            self._known[kind] = getattr(module, self._name, None)
        if self._known[kind] is None:
            raise KeyError(kind)
        return self._known[kind]

    def __setitem__(self, kind: str, function: Any) -> None:
        self._known[kind] = function

    def __delitem__(self, kind: str) -> None:
        self._known[kind] = None

    def __iter__(self) -> Iterator[str]:
        return (kind for kind in KINDS if kind in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@cache
def _module(kind: str, before: str) -> ModuleType | None:
    row = KINDS[kind]
    name = f"webvigil.detect.{before}{row.module or row.identifier}"
    return import_module(name) if find_spec(name) else None


DETECTORS = Functions("detect")
XML_DETECTORS = Functions("detect", "xml_")
NOTES = Functions("note")
SHARES = Functions("share")
COUNTS = Functions("count")
LETTERS = Functions("letters")
PRESENCE = Functions("is_there")


def detector(change: ChangeType, kind: str) -> Detector:
    """Returns the function for a change type on pages of a kind ("html", "xml" and so on)."""
    special = XML_DETECTORS.get(change.kind) if kind in ("xml", "json") else None
    found: Detector = special or DETECTORS[change.kind]
    return found
