"""Names in styles are read as a browser reads them, so that an escape hides no address (P4)."""

from __future__ import annotations

import pytest

from webvigil.present.css import _read


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("URL", "url"),
        (r"ur\6c", "url"),
        (r"ur\6C", "url"),
        (r"\75 rl", "url"),
        (r"\00006frl", "orl"),
        (r"u\rl", "url"),
        (r"\110000", "\ufffd"),
    ],
)
def test_escapes_in_a_name_are_undone(written: str, meant: str):
    assert _read(written) == meant
