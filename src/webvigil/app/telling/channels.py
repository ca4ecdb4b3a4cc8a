"""Settings in, the names of the channels that can be used with them out."""

from __future__ import annotations

from webvigil.app.settings import Settings
from webvigil.model.channels import CHANNELS


def channels_of(settings: Settings) -> list[str]:
    """Returns the channels that can be used with these settings: e-mail only if a mail server is set."""
    return [name for name, kind in CHANNELS.items() if not kind.needs or getattr(settings, kind.needs)]
