"""Settings that an administrator chose in the dashboard: stored in the database, secrets sealed.

The file, the environment and the command line win over such a choice (`Settings.given`). Choices that count
at once are read again by every server and worker within seconds; the others count after a restart.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from webvigil.app.settings import TABLE, Settings, When, value_of
from webvigil.errors import KeyMissing, SettingRefused
from webvigil.store.promises import Journal

if TYPE_CHECKING:
    from webvigil.fetch.login import Seal

_log = logging.getLogger("webvigil.settings")

_FACT = "settings"
# Seconds after which a server reads the choices again; another server may have changed them.
_SECONDS = 3.0
# For each secret that is sent to a server: what the server is called, and the settings that say where the
# secret is sent and how; the first is "" where there is no server.
_SENT_TO: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "smtp_password": ("mail server", ("smtp_host", "smtp_port", "smtp_security", "smtp_user")),
    "ai_key": ("server of a language model", ("ai_url",)),
}
# The choices that could not be read and were logged: every server reads the choices every few seconds.
_complained: set[tuple[str, str]] = set()
CHOOSABLE = tuple(name for name, entry in TABLE.items() if entry.when)
AT_ONCE = tuple(name for name in CHOOSABLE if TABLE[name].when is When.AT_ONCE)


def stored(journal: Journal) -> dict[str, str]:
    """Returns the texts of all choices by name; those of secrets are sealed."""
    kept = json.loads(journal.fact(_FACT) or "{}")
    return {name: text for name, text in kept.items() if name in CHOOSABLE}


def with_choices(settings: Settings, journal: Journal, names: Iterable[str] = CHOOSABLE) -> Settings:
    """Returns the settings with the choices of the administrator for these names. A choice that cannot be
    read any more is left out and logged, so that a server starts in spite of it."""
    kept = stored(journal)
    free = {name for name in names if name not in settings.given}
    read = {name: _value(settings, name, kept[name]) for name in free & set(kept)}
    values = {name: value for name, value in read.items() if value is not None}
    taken_back = {name: _default(name) for name in (free & settings.chosen) - set(values)}
    chosen = (settings.chosen - free) | frozenset(values)
    return replace(settings, **taken_back, **values, chosen=chosen)


class Present:
    """The settings of a server. Choices that count at once are read again every few seconds."""

    def __init__(self, settings: Settings, journal: Journal) -> None:
        self._settings = settings
        self._journal = journal
        self._until = 0.0

    @property
    def settings(self) -> Settings:
        if time.monotonic() > self._until:
            self.read()
        return self._settings

    def read(self) -> None:
        """Reads the choices now, because one was just made here."""
        self._settings = with_choices(self._settings, self._journal, AT_ONCE)
        self._until = time.monotonic() + _SECONDS


def candidate(settings: Settings, texts: Mapping[str, str]) -> Settings:
    """Returns the settings as they would be with these texts, for a test before they are saved. Raises
    SettingRefused for a text that cannot be read and for a setting that cannot be chosen here, and if another
    server would get the password or key that was given for this one."""
    for name in texts:
        _refuse_fixed(settings, name)
    wanted = replace(settings, **{name: value_of(name, text, name) for name, text in texts.items()})
    for secret in _SENT_TO:
        if secret not in texts:
            _refuse_to_pass_on(settings, wanted, secret)
    return wanted


def choose(settings: Settings, journal: Journal, texts: Mapping[str, str], by: str) -> None:
    """Stores these texts. A text that is equal to the default takes the choice back. Raises SettingRefused
    like `candidate`, and stores nothing then."""
    candidate(with_choices(settings, journal, AT_ONCE), texts)
    kept = stored(journal)
    for name, text in texts.items():
        if text == TABLE[name].default:
            kept.pop(name, None)
        else:
            kept[name] = _seal(settings).seal_text(text, _FACT, name) if _is_secret(name) else text
    journal.remember(_FACT, json.dumps(kept))
    journal.record("SettingsChanged", ", ".join(sorted(texts))[:200], {"user": by})


def _refuse_fixed(settings: Settings, name: str) -> None:
    if name not in CHOOSABLE:
        raise SettingRefused(f"{name} cannot be chosen in the dashboard")
    if name in settings.given:
        raise SettingRefused(f"{name} is set by {settings.given[name]}; change it there")


def _refuse_to_pass_on(before: Settings, after: Settings, secret: str) -> None:
    """Refuses another server, or another way to it, while the password or key is the old one: whoever may
    choose settings must not learn it."""
    server, names = _SENT_TO[secret]
    same = all(getattr(before, name) == getattr(after, name) for name in names)
    if same or not getattr(after, names[0]) or not getattr(before, secret):
        return
    if given := before.given.get(secret):
        raise SettingRefused(
            f"{secret} is set by {given}, for the {server} as it is; set the other server there, too"
        )
    word = secret.rpartition("_")[2]
    raise SettingRefused(
        f"The stored {word} is not sent to another {server} or in another way: type the {word} again."
    )


def _seal(settings: Settings) -> Seal:
    """Returns what seals secrets. It is loaded only if a secret was chosen, because most commands read the
    choices."""
    from webvigil.app.pages.logins import seal_of

    return seal_of(settings)


def _value(settings: Settings, name: str, text: str) -> Any:
    try:
        opened = _seal(settings).open_text(text, _FACT, name) if _is_secret(name) else text
        return value_of(name, opened, f"{name} in the dashboard")
    except (SettingRefused, KeyMissing) as error:
        if (name, text) not in _complained:
            _complained.add((name, text))
            _log.warning("Using the default of %s: %s", name, error)
        return None


def _default(name: str) -> Any:
    return TABLE[name].read(TABLE[name].default)


def _is_secret(name: str) -> bool:
    return TABLE[name].kind == "secret"
