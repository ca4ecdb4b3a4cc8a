"""A request in, the second origin as its reader reaches it out."""

from __future__ import annotations

import re

from starlette.requests import Request

_NAME = re.compile(r"[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:]{2,45}\]")
# Browsers send a host's cookies to all of its ports. On the local machine the second origin therefore takes
# the other of the machine's two names; otherwise it would receive the session cookie of the dashboard.
_OTHER_NAME = {"127.0.0.1": "localhost", "localhost": "127.0.0.1"}


def shown_origin(request: Request) -> str:
    """Returns the second origin as the reader of this request reaches it; "" where the server has none."""
    state = request.app.state
    if getattr(state, "shown_url", ""):
        return str(state.shown_url)
    port = getattr(state, "shown_port", 0)
    name = request.url.hostname or ""
    name = f"[{name}]" if ":" in name else name
    if not port or not _NAME.fullmatch(name):
        return ""
    return f"{request.url.scheme}://{_OTHER_NAME.get(name, name)}:{port}"
