"""The bytes of a page in, a Page Digest and the objects in it out."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webvigil.document.containers import Kind
    from webvigil.document.digest import PageDigest, kept, kept_of_tree
    from webvigil.document.parsing import read

__all__ = ["Kind", "PageDigest", "kept", "kept_of_tree", "read"]

# Loaded when first used: a packed file is asked with arrays alone, without the parsers of HTML and XML.
_LAZY = {
    "Kind": "containers",
    "PageDigest": "digest",
    "kept": "digest",
    "kept_of_tree": "digest",
    "read": "parsing",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(f"webvigil.document.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'webvigil.document' has no attribute {name!r}")
