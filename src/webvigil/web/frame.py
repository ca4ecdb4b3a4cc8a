"""A change or two versions in, the address of the frame that shows them out (P4).

The second origin serves the frame, see second_origin.py.
"""

from __future__ import annotations

from typing import NamedTuple

from fastapi import Request

from webvigil.app.people.passes import Passes
from webvigil.model.change import Change
from webvigil.web.origin import shown_origin
from webvigil.web.second_origin import pick_pass, rendered_pass, shown_pass, versions_pass

# The ways to show a change, each with the words and the icon of its button: the presentation that suits the
# change, each of the three presentations, and single aspects of the change.
VIEWS = {
    "auto": ("Best view", "eye"),
    "dual": ("Side by side", "cols"),
    "single": ("In one page", "main"),
    "only": ("Only changes", "list"),
    "text": ("Text", "text"),
    "links": ("Links", "link"),
    "images": ("Pictures", "image"),
}


class Frame(NamedTuple):
    """The address of the frame, the chosen view, and the addresses of the two pictures if there are any."""

    address: str
    how: str
    pictures: tuple[str, str] | None = None


def frame_of(
    request: Request,
    change: Change,
    how: str,
    *,
    rendered: bool,
    captions: tuple[str, str] | None = None,
    shared: bool = False,
) -> Frame | None:
    """Returns the frame that shows a change in the view `how`, or None where there is no second origin.
    `rendered` says that a browser has drawn a picture of each of the two versions. `captions` name the two
    versions. With `shared` the address of the frame does not tell whose change it is."""
    opened = _opened(request)
    if opened is None:
        return None
    origin, passes, here = opened
    pass_ = shown_pass(
        passes,
        user=None if shared else change.user,
        change=change.id,
        how=_asked(how),
        origin=origin,
        frame=here,
        captions=captions,
    )
    pictures = _pictures(origin, passes, change) if rendered else None
    return Frame(f"{origin}/shown/{pass_}", _asked(how) or "auto", pictures)


def frame_of_versions(
    request: Request, page: int, old: int, new: int, how: str, captions: tuple[str, str] | None = None
) -> Frame | None:
    """Returns the frame that compares any two versions of a page, or None where there is no second origin.
    The caller must have checked that the user may see the page."""
    opened = _opened(request)
    if opened is None:
        return None
    origin, passes, here = opened
    pass_ = versions_pass(
        passes, page=page, old=old, new=new, how=_asked(how), origin=origin, frame=here, captions=captions
    )
    return Frame(f"{origin}/shown/{pass_}", _asked(how) or "auto")


def pick_frame(
    request: Request, user: str, url: str, kept: str, *, plain: bool, render: str = ""
) -> tuple[str, str] | None:
    """Returns the address of the frame in which the user picks elements, and the token that the frame sends
    with each click; None where there is no second origin."""
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
    """Returns the second origin, the writer of passes for it, and the origin of the dashboard that may frame
    it; None where there is no second origin."""
    origin = shown_origin(request)
    passes: Passes | None = getattr(request.app.state, "passes", None)
    if not origin or passes is None:
        return None
    return origin, passes, f"{request.url.scheme}://{request.url.netloc}"


def _asked(how: str) -> str:
    """Returns the name of the wanted view, or "" for an unknown view and for "auto"."""
    return how if how in VIEWS and how != "auto" else ""


def _pictures(origin: str, passes: Passes, change: Change) -> tuple[str, str]:
    old, new = (
        f"{origin}/picture/{rendered_pass(passes, change.page, number)}"
        for number in (change.old_version, change.new_version)
    )
    return old, new
