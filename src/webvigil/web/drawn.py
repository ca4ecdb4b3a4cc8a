"""Small drawn parts of pages: the name of an icon or the address of a page in, HTML out."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit
from zlib import crc32

from markupsafe import Markup

from webvigil.detect.headline import headline as of_findings
from webvigil.document.naming import cut
from webvigil.language.clause_words import clause_words as parts_of
from webvigil.language.clause_words import words_of_clauses
from webvigil.model.change import Change, Finding, ObjectChange

_ICON = Markup('<svg class="{}" aria-hidden="true"><use href="/static/icons.svg#i-{}"/></svg>')
_TILE = Markup('<span class="tile h{}{}" aria-hidden="true">{}</span>')
_WORD = Markup("<b>{}</b>")
_COLOURS = 8


def icon(name: str, size: str = "") -> Markup:
    """Returns an icon of the sprite. It says nothing to a screen reader: a word must stand beside it."""
    return _ICON.format(f"icon {size}".strip(), name)


def tile(url: str, size: str = "") -> Markup:
    """Returns the letter and colour by which a site is known at a glance; one host always looks the same. A
    host without a name has a globe, and its port counts for the colour."""
    parts = urlsplit(url)
    host = (parts.hostname or url).removeprefix("www.")
    if _is_number(host):
        site, sign = parts.netloc.rpartition("@")[2], icon("globe")
    else:
        site, sign = host, Markup.escape(next((one for one in host if one.isalnum()), "?").upper())
    return _TILE.format(crc32(site.encode()) % _COLOURS, f" {size}" if size else "", sign)


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def address(url: str) -> str:
    """Returns an address as people read it: without the scheme, and without a slash at the end."""
    return url.partition("://")[2].removesuffix("/") or url


def clause_words(text: str, *, of_topic: bool = False) -> Markup:
    """Returns the text of a sentinel, or the clauses of a topic, with the words of the language set apart."""
    parts = words_of_clauses(text) if of_topic else parts_of(text)
    return Markup("").join(_WORD.format(one.text) if one.is_word else one.text for one in parts)


_NOUNS = {
    "table": "row",
    "list": "entry",
    "value": "value",
    "product": "fact",
    "all links": "link",
    "all images": "image",
}
_MANY = {"entry": "entries"}
_BY_ROWS = ("table", "list")
_LABEL = 80


def things(finding: Finding) -> str:
    """Returns how many things of which kind are watched, such as `5 rows` or `1 value`."""
    kind = finding.type.partition(":")[0].strip()
    noun = next((word for name, word in _NOUNS.items() if kind.startswith(name)), "part")
    number = len(watched_things(finding))
    return f"{number:,} {noun if number == 1 else _MANY.get(noun, noun + 's')}"


def watched_things(finding: Finding) -> list[str]:
    """Returns what is watched, in words. A table or list that is watched whole is told row by row."""
    if finding.type.startswith(_BY_ROWS):
        return [row for one in finding.objects for row in (one.after or one.object).splitlines()]
    return [_named(one, one.after or one.link_text or one.object) for one in finding.objects]


def _named(one: ObjectChange, text: str) -> str:
    return f"{cut(one.label, _LABEL)}: {text}" if one.label and one.label != text else text


def headline(change: Change) -> str:
    """Returns the sentence that tells what happened, as messages tell it."""
    return of_findings(change.findings)
