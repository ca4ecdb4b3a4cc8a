"""A text and a length in, the text out, or its beginning with an ellipsis if it is longer than that."""

from __future__ import annotations


def short_text(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
