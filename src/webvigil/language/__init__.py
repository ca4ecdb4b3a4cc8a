"""The text of a sentinel in, a Sentinel out, and back; also a Sentinel as JSON and back."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from webvigil.language.check import Checked, check
from webvigil.language.clauses import BARE, HEAD, print_clauses
from webvigil.language.parser import parse, parse_expression, parse_request, parse_steps
from webvigil.language.printer import print_expression, print_sentinel, print_steps

if TYPE_CHECKING:
    from webvigil.language.from_json import sentinel_from_json
    from webvigil.language.to_json import mistake_as_json, sentinel_as_json

__all__ = [
    "BARE",
    "HEAD",
    "Checked",
    "check",
    "mistake_as_json",
    "parse",
    "parse_expression",
    "parse_request",
    "parse_steps",
    "print_clauses",
    "print_expression",
    "print_sentinel",
    "print_steps",
    "sentinel_as_json",
    "sentinel_from_json",
]

# Most commands neither read nor print JSON, so these two modules are loaded when first used.
_LAZY = {"sentinel_from_json": "from_json", "mistake_as_json": "to_json", "sentinel_as_json": "to_json"}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(f"webvigil.language.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'webvigil.language' has no attribute {name!r}")
