"""What a request can rely on besides the knowledge base: settings, the key, our own address, templates."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, select_autoescape

from webvigil.app.contacts import home_of
from webvigil.app.settings import Settings
from webvigil.errors import SettingRefused
from webvigil.fetch.login import Seal
from webvigil.notify.render import href
from webvigil.present.lines import amounts, lines

_templates = Environment(
    loader=PackageLoader("webvigil.web", "templates"),
    autoescape=select_autoescape(),
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.globals |= {"amounts": amounts, "lines": lines}
_templates.filters["href"] = href


def settings_of(request: Request) -> Settings:
    found = getattr(request.app.state, "settings", None)
    if not isinstance(found, Settings):
        raise SettingRefused("this server was started without settings")
    return found


def seal_of_request(request: Request) -> Seal:
    found = getattr(request.app.state, "seal", None)
    if not isinstance(found, Seal):
        raise SettingRefused("this server was started without a key")
    return found


def home_of_request(request: Request) -> str:
    """What the operator says, or else the address that was asked."""
    settings = getattr(request.app.state, "settings", None)
    if isinstance(settings, Settings) and settings.public_url:
        return home_of(settings)
    return str(request.base_url).rstrip("/")


def filled(name: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    return HTMLResponse(_templates.get_template(name).render(**values), status_code=status)
