"""The scripts and style sheets of shown pages, and the hashes by which a policy allows the scripts."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files


def _text(name: str) -> str:
    return (files(__name__) / name).read_text("utf-8")


def hash_of(source: str) -> str:
    """Returns the hash of a script as a content security policy spells it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()


SHOW_STYLE = _text("show.css")
SHOW_SCRIPT = _text("show.js")
PAGE_STYLE = _text("page.css")
PAGE_SCRIPT = _text("page.js")
PICK_STYLE = _text("pick.css")
PLAIN_STYLE = _text("plain.css")
# The first part is the same file as extension/picker.js.
PICK_SCRIPT = _text("picker.js") + _text("pick.js")
