"""Recorded changes in, an Atom feed out (N4).

An entry keeps its id for ever, so that a feed reader shows it once.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.etree import ElementTree as Xml

from webvigil.notify.render import cleaned, href

ATOM = "http://www.w3.org/2005/Atom"
# Characters that `cleaned` leaves in a text and XML 1.0 forbids.
_NOT_XML = re.compile("[\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of a feed. `key` is unique and stays the same for ever."""

    key: str
    title: str
    link: str
    at: datetime
    lines: tuple[str, ...] = ()
    topic: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A feed and its entries. `place` names this installation, within which `key` and the entries' keys are
    unique."""

    place: str
    key: str
    title: str
    author: str
    address: str
    home: str
    entries: Sequence[Entry]


def as_atom(feed: Feed) -> bytes:
    root = Xml.Element("feed", {"xmlns": ATOM})
    _text(root, "id", _id(feed.place, feed.key))
    _text(root, "title", feed.title)
    _text(
        root,
        "updated",
        _time(max((one.at for one in feed.entries), default=datetime(1970, 1, 1, tzinfo=UTC))),
    )
    _text(Xml.SubElement(root, "author"), "name", feed.author)
    _text(root, "generator", "WebVigil")
    _link(root, feed.address, "self", "application/atom+xml")
    _link(root, feed.home, "alternate", "text/html")
    for entry in feed.entries:
        _entry(root, feed, entry)
    return bytes(Xml.tostring(root, encoding="utf-8", xml_declaration=True))


def _entry(root: Xml.Element, feed: Feed, entry: Entry) -> None:
    made = Xml.SubElement(root, "entry")
    _text(made, "id", _id(feed.place, entry.key))
    _text(made, "title", entry.title)
    _text(made, "updated", _time(entry.at))
    _text(made, "published", _time(entry.at))
    _link(made, entry.link, "alternate", "text/html")
    if entry.topic:
        Xml.SubElement(made, "category", {"term": _plain(entry.topic)})
    _text(made, "content", "\n".join(entry.lines) or entry.title, {"type": "text"})


def _link(parent: Xml.Element, address: str, relation: str, kind: str) -> None:
    if href(address):
        Xml.SubElement(parent, "link", {"rel": relation, "type": kind, "href": _plain(address)})


def _text(parent: Xml.Element, name: str, text: str, attributes: dict[str, str] | None = None) -> None:
    Xml.SubElement(parent, name, attributes or {}).text = _plain(text)


def _plain(text: str) -> str:
    """Returns the text without characters that XML forbids."""
    return _NOT_XML.sub("", cleaned(text))


def _id(place: str, key: str) -> str:
    return uuid.uuid5(uuid.NAMESPACE_URL, f"webvigil:{place}/{key}").urn


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
