"""What `Within main` leaves out of a page, for its user to see and to watch after all (Q5, Q7)."""

from __future__ import annotations

from dataclasses import replace

from webvigil.app.sentinels.edit import edit
from webvigil.app.sentinels.install import InstallStore
from webvigil.app.settings import Settings
from webvigil.document import PageDigest
from webvigil.document.around import Beside, around
from webvigil.document.masks import mask
from webvigil.errors import SentinelRefused
from webvigil.language import parse, print_clauses, print_sentinel
from webvigil.model.installed import InstalledSentinel
from webvigil.model.portrait import Outside
from webvigil.model.sentinel import MAIN, Part, Sentinel


def outside_of(document: PageDigest, sentinel: Sentinel) -> tuple[Outside, ...]:
    """Returns the blocks of a page that are not watched because of `Within main`; those that other parts of
    `Within` name are watched."""
    if MAIN not in sentinel.within or not document.is_html:
        return ()
    watched = {path for part in sentinel.within if part != MAIN for path in _paths(document, part)}
    return tuple(_outside(one, sentinel) for one in around(document) if one.path not in watched)


def watch_too(knowledge: InstallStore, settings: Settings, name: str, place: str) -> InstalledSentinel:
    """Adds a block to the part that a sentinel watches. Raises SentinelRefused if the sentinel does not watch
    the main part, or if `place` names no block."""
    present = _watching_main(knowledge, settings, name, place)
    return edit(knowledge, settings, name, print_sentinel(_with(present, place)))


def watch_no_more(knowledge: InstallStore, settings: Settings, name: str, place: str) -> InstalledSentinel:
    """Takes a block out of the part that a sentinel watches. Raises SentinelRefused as `watch_too` does."""
    present = _watching_main(knowledge, settings, name, place)
    within = tuple(one for one in present.within if one != Part("xpath", place))
    return edit(knowledge, settings, name, print_sentinel(replace(present, within=within)))


def _watching_main(knowledge: InstallStore, settings: Settings, name: str, place: str) -> Sentinel:
    present = parse(knowledge.sentinels.get(settings.user, name).written)[0]
    if MAIN not in present.within:
        raise SentinelRefused(f"{name} does not watch the main part (Within main)")
    if not place.startswith("/"):
        raise SentinelRefused(f"there is no place {place!r}")
    return present


def _outside(one: Beside, sentinel: Sentinel) -> Outside:
    words = "1 word" if one.words == 1 else f"{one.words} words"
    return Outside(
        place=one.path,
        says=f"{one.called}, {words}: “{one.begins}”",
        clause=print_clauses(within=_with(sentinel, one.path).within),
    )


def _with(sentinel: Sentinel, place: str) -> Sentinel:
    return replace(sentinel, within=tuple(dict.fromkeys((*sentinel.within, Part("xpath", place)))))


def _paths(document: PageDigest, part: Part) -> list[str]:
    return document.paths(mask(document, part).nonzero()[0].tolist())
