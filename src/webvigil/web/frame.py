"""Where the dashboard finds the second origin, and the frame it shows a change in (P4)."""

from __future__ import annotations

import re
from typing import NamedTuple

from fastapi import Request

from webvigil.app.people.passes import Passes
from webvigil.model.change import Change
from webvigil.web.second_origin import pick_pass, rendered_pass, shown_pass, versions_pass

# The three presentations, what suits, and the sides of a change by themselves, in the words of the buttons.
VIEWS = {
    "auto": "What suits",
    "only": "Only changes",
    "single": "Merged",
    "dual": "Side by side",
    "text": "Text",
    "links": "Links",
    "images": "Images",
}

_NAME = re.compile(r"[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:]{2,45}\]")
# Cookies know no ports: on the machine itself the other of its two names keeps them away.
_OTHER_NAME = {"127.0.0.1": "localhost", "localhost": "127.0.0.1"}


class Frame(NamedTuple):
    """What the page of a change needs to show it."""

    address: str
    how: str
    pictures: tuple[str, str] | None = None


def shown_origin(request: Request) -> str:
    """The second origin as this reader reaches it; "" where there is none."""
    state = request.app.state
    if getattr(state, "shown_url", ""):
        return str(state.shown_url)
    port = getattr(state, "shown_port", 0)
    name = request.url.hostname or ""
    name = f"[{name}]" if ":" in name else name
    if not port or not _NAME.fullmatch(name):
        return ""
    return f"{request.url.scheme}://{_OTHER_NAME.get(name, name)}:{port}"


def frame_of(request: Request, change: Change, how: str, *, rendered: bool) -> Frame | None:
    """`rendered`: there are pictures of both versions as a browser drew them."""
    opened = _opened(request)
    if opened is None:
        return None
    origin, passes, here = opened
    pass_ = shown_pass(passes, user=change.user, change=change.id, how=_asked(how), origin=origin, frame=here)
    pictures = _pictures(origin, passes, change) if rendered else None
    return Frame(f"{origin}/shown/{pass_}", _asked(how) or "auto", pictures)


def frame_of_versions(request: Request, page: int, old: int, new: int, how: str) -> Frame | None:
    """Any two versions of a page; whoever asks has been judged."""
    opened = _opened(request)
    if opened is None:
        return None
    origin, passes, here = opened
    pass_ = versions_pass(passes, page=page, old=old, new=new, how=_asked(how), origin=origin, frame=here)
    return Frame(f"{origin}/shown/{pass_}", _asked(how) or "auto")


def pick_frame(
    request: Request, user: str, url: str, kept: str, *, plain: bool, render: str = ""
) -> tuple[str, str] | None:
    """The address of the frame to pick from, and the token it says; None where there is no second origin."""
    opened = _opened(request)
    if opened is None:
        return None
    origin, passes, here = opened
    what = {"user": user, "url": url, "kept": kept, "render": render}
    pass_ = pick_pass(passes, **what, plain=plain, origin=origin, frame=here)
    return pick_address(request, pass_), pass_


def pick_address(request: Request, pass_: str) -> str:
    return f"{shown_origin(request)}/pick/{pass_}"


def _opened(request: Request) -> tuple[str, Passes, str] | None:
    """The second origin, who writes passes for it, and the origin that may frame it."""
    origin = shown_origin(request)
    passes: Passes | None = getattr(request.app.state, "passes", None)
    if not origin or passes is None:
        return None
    return origin, passes, f"{request.url.scheme}://{request.url.netloc}"


def _asked(how: str) -> str:
    """ "" for what suits."""
    return how if how in VIEWS and how != "auto" else ""


def _pictures(origin: str, passes: Passes, change: Change) -> tuple[str, str]:
    old, new = (
        f"{origin}/picture/{rendered_pass(passes, change.page, number)}"
        for number in (change.old_version, change.new_version)
    )
    return old, new
