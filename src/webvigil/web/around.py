"""A request in, the server's key or the server's own address out."""

from __future__ import annotations

from fastapi import Request

from webvigil.app.telling.contacts import home_of
from webvigil.errors import SettingRefused
from webvigil.fetch.login import Seal
from webvigil.web.access import settings_of


def seal_of_request(request: Request) -> Seal:
    found = getattr(request.app.state, "seal", None)
    if not isinstance(found, Seal):
        raise SettingRefused("this server was started without a key")
    return found


def home_of_request(request: Request) -> str:
    """Returns the address of this server without a slash at the end: the setting `public_url` or, where it is
    empty, the address that the request was sent to."""
    settings = settings_of(request)
    return home_of(settings) if settings.public_url else str(request.base_url).rstrip("/")
