"""How links are followed here: how many, how patiently, and where to they may lead (B7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from webvigil.app.forbidden import forbidden
from webvigil.app.settings import Settings
from webvigil.model.following import Limits


@dataclass(frozen=True, slots=True)
class Following:
    most: int = 100
    patience: float = 86_400.0
    forbidden: Callable[[str], str] = lambda _: ""

    @property
    def limits(self) -> Limits:
        return Limits(most=self.most, patience=int(self.patience * 1000))


def following_of(settings: Settings) -> Following:
    return Following(settings.linked_pages, settings.link_patience, partial(forbidden, settings))
