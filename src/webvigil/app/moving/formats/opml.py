"""Reads OPML, the subscription lists of feed readers. Each feed is watched; its folder becomes the topic."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from webvigil.app.moving.formats.found import Found, Told, name_from, page_of, title_from, topics_from
from webvigil.app.moving.formats.said import Key, Keys, is_usual, reported, shown
from webvigil.errors import SettingRefused
from webvigil.model.sentinel import Sentinel


def is_mine(data: bytes) -> bool:
    return b"<opml" in data[:10_000].lower()


def read(data: bytes) -> list[Found]:
    """Returns a sentinel for each feed. The XML parser follows no entities and loads nothing from the
    network, because the file may come from a stranger."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise SettingRefused(f"this OPML file cannot be read: {error}") from error
    if root is None:
        raise SettingRefused("this OPML file cannot be read")
    return [_found(one) for one in root.iter("outline") if one.get("xmlUrl") or one.get("htmlUrl")]


KEYS: Keys = {
    "text": Key(about="is the name of the feed", becomes="`Title`"),
    "title": Key(about="is the name of the feed", becomes="`Title`"),
    "xmlUrl": Key(about="is the address of the feed", becomes="`Using`"),
    "htmlUrl": Key(about="is the page of the feed; watched where there is no feed"),
    "category": Key(about="sorts feeds", becomes="`Topic`"),
    "type": Key(about="says what kind of feed it is; that is seen here", usual=("rss", "atom", "link")),
    "description": Key(about="describes the feed"),
    "language": Key(about="says in which language the feed is"),
    "version": Key(about="says which version of RSS the feed has; that is seen here"),
    "isComment": Key(about="switches the entry off", becomes="disabled", usual=("false",)),
    "isBreakpoint": Key(about="stops a script there", usual=("false",)),
    "created": Key(about="", record=True),
}


def _found(outline: etree._Element) -> Found:
    title = outline.get("title") or outline.get("text") or ""
    url = outline.get("xmlUrl") or outline.get("htmlUrl")
    try:
        page = page_of(url)
    except ValueError as error:
        return Found(source=title[:200] or "an outline", trouble=str(error))
    above = outline.getparent()
    folder = above.get("title") or above.get("text") if above is not None and above.tag == "outline" else None
    topics = topics_from([folder, *outline.get("category", "").split(",")])
    sentinel = Sentinel(name=name_from(title, page.url), target=page, title=title_from(title), topics=topics)
    told = tuple(_told(outline))
    return Found(
        source=title[:200] or page.url,
        sentinel=sentinel,
        enabled=outline.get("isComment") != "true",
        remarks=tuple(f"{one.key}: {one.remark}" for one in told if one.remark and one.key not in KEYS),
        told=told,
    )


def _told(outline: etree._Element) -> Iterator[Told]:
    """Yields what became of each attribute of an outline."""
    for name, value in sorted(outline.attrib.items()):
        key = KEYS.get(str(name))
        if key is None:
            yield Told(str(name), shown(name, str(value)), "", "unknown here, not taken along")
        elif name == "htmlUrl" and not outline.get("xmlUrl"):
            yield Told(name, shown(name, str(value)), "Using")
        elif not key.record and not is_usual(str(value), key):
            became = key.becomes.replace("`", "")
            yield Told(str(name), shown(name, str(value)), became, "" if became else reported(key))
