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
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange
from webvigil.model.change_types import KINDS, Kind
from webvigil.model.sentinel import ChangeType

Detector = Callable[[PageDigest, PageDigest, ChangeType], list[ObjectChange]]


def _module(kind: Kind, before: str = "") -> ModuleType | None:
    name = f"webvigil.detect.{before}{kind.module or kind.identifier}"
    return import_module(name) if find_spec(name) else None


def _functions(name: str) -> dict[str, Any]:
    """The functions of this name, by change type."""
    return {kind: getattr(one, name) for kind, one in MODULES.items() if hasattr(one, name)}


MODULES = {name: found for name, kind in KINDS.items() if (found := _module(kind))}

DETECTORS: dict[str, Detector] = _functions("detect")
XML_DETECTORS: dict[str, Detector] = {
    name: found.detect for name, kind in KINDS.items() if (found := _module(kind, "xml_"))
}
NOTES = _functions("note")
SHARES = _functions("share")
COUNTS = _functions("count")
LETTERS = _functions("letters")
PRESENCE = _functions("is_there")


def detector(change: ChangeType, kind: str) -> Detector:
    """Returns the function for a change type on pages of a kind ("html", "xml" and so on)."""
    detectors = DETECTORS | XML_DETECTORS if kind in ("xml", "json") else DETECTORS
    return detectors[change.kind]
