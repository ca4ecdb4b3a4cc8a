"""Chooses for each function marked `@accelerated` its compiled twin in `native/`, if that was compiled.

A twin gives the same answer as the plain function, so callers need not know which of the two runs. With
`WEBVIGIL_PURE=1` in the environment only the plain functions run.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def _compiled() -> Any:
    if os.environ.get("WEBVIGIL_PURE"):
        return None
    try:
        return import_module("webvigil.document._fast")
    except ImportError:
        return None


native: Any = _compiled()
"""The compiled module, or None if it was not compiled or is switched off."""

twins: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {}
"""For each name of a function the plain function and its compiled twin. Tests compare the two."""


def accelerated(plain: F) -> F:
    """Returns the compiled function with the name of this plain function, or the plain function if there is
    none."""
    twin: F | None = getattr(native, plain.__name__, None)
    if twin is None:
        return plain
    twins[plain.__name__] = plain, twin
    return twin
