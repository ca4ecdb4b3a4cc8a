"""The text of a sentinel in, a Sentinel out, and back."""

from webvigil.language.parser import parse, parse_expression
from webvigil.language.printer import print_change_type, print_expression, print_sentinel

__all__ = ["parse", "parse_expression", "print_change_type", "print_expression", "print_sentinel"]
