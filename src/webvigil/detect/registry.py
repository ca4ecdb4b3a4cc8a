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

from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Functions:
    """The functions of the module of one change type; None for each that the module does not have."""

    detect: Detector
    note: Callable[[ChangeType, list[ObjectChange]], str] | None = None
    share: Callable[[PageDigest, PageDigest], float] | None = None
    count: Callable[[PageDigest], int] | None = None
    letters: Callable[[PageDigest, PageDigest, ChangeType], int] | None = None
    is_there: Callable[[PageDigest, ChangeType], bool] | None = None


@cache
def functions_of(kind: str) -> Functions:
    """Returns the functions for a change type. Raises KeyError if there is no such change type."""
    module = _module(kind)
    if module is None:
        raise KeyError(kind)
    found: dict[str, Any] = {name: getattr(module, name, None) for name in Functions.__slots__}
    # A module may import a function of such a name from elsewhere for its own use.
    ours = {name: one for name, one in found.items() if one and one.__module__.startswith(__package__)}
    return Functions(**ours)


@cache
def xml_detector(kind: str) -> Detector | None:
    """Returns the function that compares XML and JSON pages for a change type; None if its `detect` does."""
    return getattr(_module(kind, "xml_"), "detect", None)


def _module(kind: str, before: str = "") -> ModuleType | None:
    row = KINDS[kind]
    name = f"webvigil.detect.{before}{row.module or row.identifier}"
    return import_module(name) if find_spec(name) else None
