"""Reads OPML, the subscription lists of feed readers. Each feed is watched; its folder becomes the topic."""

from __future__ import annotations

from lxml import etree

from webvigil.app.moving.formats.found import Found, name_from, page_of, title_from, topics_from
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


def _found(outline: etree._Element) -> Found:
    title = outline.get("title") or outline.get("text") or ""
    url = outline.get("xmlUrl") or outline.get("htmlUrl")
    try:
        page = page_of(url)
    except ValueError as error:
        return Found(source=title[:200] or "an outline", trouble=str(error))
    above = outline.getparent()
    folder = above.get("title") or above.get("text") if above is not None and above.tag == "outline" else None
    sentinel = Sentinel(
        name=name_from(title, page.url), target=page, title=title_from(title), topics=topics_from([folder])
    )
    return Found(source=title[:200] or page.url, sentinel=sentinel)
