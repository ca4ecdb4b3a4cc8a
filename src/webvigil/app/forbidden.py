"""Addresses that may not be visited, nor told anything, as far as that is seen without looking them up."""

from __future__ import annotations

from urllib.parse import urlsplit

from webvigil.app.settings import Settings
from webvigil.errors import SettingRefused
from webvigil.fetch.addresses import may_visit
from webvigil.model.page import normal_url


def forbidden(settings: Settings, host: str) -> str:
    """Why a host given by its address may not be visited. Names are judged when they are looked up."""
    address = "127.0.0.1" if host == "localhost" or host.endswith(".localhost") else host
    try:
        allowed = may_visit(address, settings.allow_networks)
    except ValueError:
        return ""
    if allowed:
        return ""
    return f"{host} is not a public address; the operator can allow it with the setting allow_networks"


def refuse_forbidden(settings: Settings, url: str) -> None:
    """Raises SettingRefused for what is no web address, or one that nothing may be sent to."""
    try:
        host = urlsplit(normal_url(url)).hostname or ""
    except ValueError as error:
        raise SettingRefused(str(error)) from error
    if reason := forbidden(settings, host):
        raise SettingRefused(reason)
