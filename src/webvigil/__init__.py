"""WebVigil tells you when a page on the web changes in a way that matters to you.

>>> from webvigil import PageDigest, diff, parse
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["__version__"]

if TYPE_CHECKING:
    pass

# The library's names are loaded when first used, so that `webvigil --help` stays quick.
_LAZY: dict[str, str] = {}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'webvigil' has no attribute {name!r}")
