"""A title or text in, the kinds of non-page it speaks of out: error, maintenance, log-in, captcha and others.

The words, in many languages, are in `nonpages.toml`, one table for each kind. A phrase counts if it is a
title or heading of its own ("Log in", "Log in | Acme"), or if it is anywhere in a text of few words.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any


@dataclass(frozen=True, slots=True)
class NonPage:
    """One kind of non-page: the words of its message, and the titles and phrases by which it is
    recognised."""

    said: str
    titles: frozenset[str]
    phrases: frozenset[str]


def _read() -> dict[str, NonPage]:
    text = resources.files("webvigil.fetch").joinpath("nonpages.toml").read_text(encoding="utf-8")
    return {
        kind: NonPage(one["said"], frozenset(one["titles"]), frozenset(one["phrases"]))
        for kind, one in tomllib.loads(text).items()
    }


KINDS = _read()

_SEPARATORS = re.compile(r"\s+[|–—·•»:/-]+\s+|\s*[|»]\s*|:\s+")
_BESIDE_TITLE, _BESIDE_PHRASE = 3, 16
"""How many characters a title or heading may have beside the title, or beside the phrase, of a non-page."""

_NUMBER = re.compile(r"^[45]\d\d ")
# Longer titles are cut, to bound the time of the patterns.
_LONGEST = 300
_STATUS = re.compile(r"(?:error |http )*[45]\d\d(?: error)?")
_STATUS_NUMBER = re.compile(r"[45]\d\d")
_QUOTES = str.maketrans("’‘", "''")
_FIRST_WITHOUT_SPACES = "\u2e80"
"""From this character on, scripts put no spaces between words, so phrases are found without word
boundaries."""

_LOGIN_PATH = re.compile(
    r"(?:^|[/._-])(?:log-?in|sign-?in|logon|auth|authorize|oauth2?|sso|saml2?|session/new|anmelden|anmeldung"
    r"|einloggen|connexion|iniciar-sesion|accedi|inloggen|zaloguj|wp-login)(?:[/._-]|$)",
    re.IGNORECASE,
)


def in_titles(titles: Iterable[str]) -> list[str]:
    """Returns the kinds of non-page that one of these titles or headings names, with little text besides."""
    cut = [title[:_LONGEST] for title in titles]
    if not _may_name(_plain("\n".join(cut))):
        return []
    segments = [one for title in cut for one in _SEPARATORS.split(_plain(title)) if one]
    spoken = dict.fromkeys([*segments, *(_NUMBER.sub("", one) for one in segments)])
    found = [kind for kind in KINDS if any(_names(kind, one) for one in spoken)]
    if not found and any(_STATUS.fullmatch(one) for one in segments):
        return ["error"]
    return found


def _may_name(titles: str) -> bool:
    """Returns False if no part of these titles, one after another, holds a phrase or the number of a status.
    This is so for most pages, and takes a fraction of the time of cutting each title into its parts."""
    return bool(_any_phrase().search(_encodable(titles)) or _STATUS_NUMBER.search(titles))


def in_text(text: str) -> list[str]:
    """Returns the kinds of non-page that a text of few words speaks of."""
    plain = _plain(text)
    return [kind for kind in KINDS if _spoken(kind).search(plain)]


def asks_for_login(path: str) -> bool:
    """Returns True if the path of an address looks like that of a log-in form."""
    return bool(_LOGIN_PATH.search(path))


def _names(kind: str, segment: str) -> bool:
    return any(
        len(segment) <= len(found[0]) + (_BESIDE_TITLE if found[0] in KINDS[kind].titles else _BESIDE_PHRASE)
        for found in _written(kind).finditer(segment)
    )


@cache
def _any_phrase() -> Any:
    """Returns a pattern that finds any title or phrase of any kind, also inside of words.

    Most pages have none in their headings, and RE2 tells so in one pass over the text. The patterns with word
    boundaries try hundreds of phrases at each character.
    """
    import re2

    every = {phrase for kind in KINDS.values() for phrase in kind.titles | kind.phrases}
    return re2.compile("|".join(map(re2.escape, sorted(every))))


@cache
def _written(kind: str) -> re.Pattern[str]:
    return _any_of(KINDS[kind].titles | KINDS[kind].phrases)


@cache
def _spoken(kind: str) -> re.Pattern[str]:
    return _any_of(KINDS[kind].phrases)


def _any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    """Returns a pattern for any of these phrases as whole words; the longest phrase is tried first."""
    return re.compile("|".join(map(_whole, sorted(phrases, key=lambda one: (-len(one), one)))))


def _whole(phrase: str) -> str:
    before = r"(?<!\w)" if phrase[0] < _FIRST_WITHOUT_SPACES else ""
    after = r"(?!\w)" if phrase[-1].isalnum() and phrase[-1] < _FIRST_WITHOUT_SPACES else ""
    return before + re.escape(phrase) + after


def _encodable(text: str) -> str:
    """Returns the text without halves of surrogate pairs, which RE2 cannot search."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _plain(text: str) -> str:
    return " ".join(text.translate(_QUOTES).lower().split())
