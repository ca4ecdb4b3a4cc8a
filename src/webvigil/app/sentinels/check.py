"""A sentinel text in, its mistakes out, as installing it would find them, without installing it (V1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from webvigil.app.meaning.asking import unasked
from webvigil.app.operating.chosen import with_choices
from webvigil.app.sentinels.registry import RegistryStore, verifier
from webvigil.app.settings import Settings, read_settings
from webvigil.language import Checked, check

if TYPE_CHECKING:
    from webvigil.store.promises import Knowledge

Progress = Callable[[int, int], None]


def check_text(text: str, *, progress: Progress | None = None) -> Checked:
    """Checks a text with the settings of the command line. Installed sentinels are considered if there is a
    database; a database is not created for this."""
    settings = read_settings()
    with _store(settings) as knowledge:
        if knowledge is not None:
            settings = with_choices(settings, knowledge.journal)
        registry = verifier(knowledge, settings, datetime.now(UTC))
        return _warned(settings, check(text, verify=registry.take_all, progress=progress))


def checked_for(knowledge: RegistryStore, settings: Settings, text: str, *, edited: str = "") -> Checked:
    """Checks a text for the user of these settings. `edited` names the installed sentinel that is to get this
    text."""
    registry = verifier(knowledge, settings, datetime.now(UTC), edited=edited)
    return _warned(settings, check(text, verify=registry.take_all))


def _warned(settings: Settings, checked: Checked) -> Checked:
    """Adds a warning for each sentinel that asks what a change means where no language model can answer."""
    told = ((one.name, unasked(settings, one)) for one in checked.sentinels)
    return replace(checked, warnings=tuple(f"{name}: {words}" for name, words in told if words))


@contextmanager
def _store(settings: Settings) -> Iterator[Knowledge | None]:
    if settings.sqlite_file is None or settings.sqlite_file.exists():
        from webvigil.app.operating.stores import opened

        with opened(settings) as knowledge:
            yield knowledge
    else:
        yield None
