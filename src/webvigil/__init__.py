"""WebVigil tells you when a page on the web changes in a way that matters to you.

>>> from webvigil import PageDigest, diff, parse
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Diff", "PageDigest", "__version__", "diff", "parse", "read"]

if TYPE_CHECKING:
    from webvigil.language import parse
    from webvigil.library import Diff, PageDigest, diff, read

# The library's names are loaded when first used, so that `webvigil --help` stays quick.
_LAZY: dict[str, str] = {
    **dict.fromkeys(("Diff", "PageDigest", "diff", "read"), "webvigil.library"),
    "parse": "webvigil.language",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'webvigil' has no attribute {name!r}")
