"""The text of a sentinel in, a Sentinel out, and back; also a Sentinel as JSON and back."""

from webvigil.language.check import Checked, check
from webvigil.language.from_json import sentinel_from_json
from webvigil.language.parser import parse, parse_expression, parse_steps
from webvigil.language.printer import print_change_type, print_expression, print_sentinel, print_steps
from webvigil.language.to_json import mistake_as_json, sentinel_as_json

__all__ = [
    "Checked",
    "check",
    "mistake_as_json",
    "parse",
    "parse_expression",
    "parse_steps",
    "print_change_type",
    "print_expression",
    "print_sentinel",
    "print_steps",
    "sentinel_as_json",
    "sentinel_from_json",
]
