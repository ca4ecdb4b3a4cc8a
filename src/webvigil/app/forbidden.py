"""An address in, the reason why it may not be visited or sent to out, without a name lookup."""

from __future__ import annotations

from urllib.parse import urlsplit

from webvigil.app.settings import Settings
from webvigil.errors import SettingRefused
from webvigil.fetch.networks import may_visit
from webvigil.model.page import normal_url


def forbidden(settings: Settings, host: str) -> str:
    """Returns why this host may not be visited, or "" if it may. Only hosts given as IP address or localhost
    are judged here; host names are judged when a fetch looks them up."""
    address = "127.0.0.1" if host == "localhost" or host.endswith(".localhost") else host
    try:
        allowed = may_visit(address, settings.allow_networks)
    except ValueError:
        return ""
    if allowed:
        return ""
    return f"{host} is not a public address; the operator can allow it with the setting allow_networks"


def refuse_forbidden(settings: Settings, url: str) -> None:
    """Raises SettingRefused if `url` is no web address or an address that nothing may be sent to."""
    try:
        host = urlsplit(normal_url(url)).hostname or ""
    except ValueError as error:
        raise SettingRefused(str(error)) from error
    if reason := forbidden(settings, host):
        raise SettingRefused(reason)
