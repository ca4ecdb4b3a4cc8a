"""A few functions have a compiled twin (`_fast.c`), which is taken where it was compiled.

Both give the same answer, so nobody needs to know which of them is at work. `WEBVIGIL_PURE=1` in the
environment does without the compiled ones.
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
"""The compiled module, None where there is none."""

twins: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {}
"""By name each plain function and its compiled twin."""


def accelerated(plain: F) -> F:
    """The compiled function of this name, or the plain one."""
    twin: F | None = getattr(native, plain.__name__, None)
    if twin is None:
        return plain
    twins[plain.__name__] = plain, twin
    return twin
