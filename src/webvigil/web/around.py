"""What a request can rely on besides the knowledge base: the key, and our own address."""

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
    """What the operator says, or else the address that was asked."""
    settings = settings_of(request)
    return home_of(settings) if settings.public_url else str(request.base_url).rstrip("/")
