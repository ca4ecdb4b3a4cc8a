"""A user's sentinels in, a file out: sentinel texts (can be imported again), addresses, OPML or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from webvigil.language import parse, sentinel_as_json
from webvigil.model.installed import InstalledSentinel
from webvigil.store.promises import Sentinels


def export(sentinels: Sentinels, user: str, format_: str = "sentinels") -> bytes:
    """Returns the file with all sentinels of a user, oldest first, so that a sentinel stands after those it
    names."""
    return EXPORTS[format_](list(reversed(sentinels.all(user))))


def _sentinels(found: Sequence[InstalledSentinel]) -> bytes:
    return "\n".join(one.text.rstrip() + "\n" for one in found).encode()


def _urls(found: Sequence[InstalledSentinel]) -> bytes:
    return "".join(
        f"{url}\n" for url in dict.fromkeys(page.url for one in found for page in one.pages)
    ).encode()


def _opml(found: Sequence[InstalledSentinel]) -> bytes:
    from lxml import etree

    root = etree.Element("opml", version="2.0")
    etree.SubElement(etree.SubElement(root, "head"), "title").text = "WebVigil"
    body = etree.SubElement(root, "body")
    for one in found:
        for page in one.pages:
            etree.SubElement(body, "outline", type="rss", text=one.name, title=one.name, xmlUrl=page.url)
    return etree.tostring(root, xml_declaration=True, encoding="utf-8", pretty_print=True)


def _json(found: Sequence[InstalledSentinel]) -> bytes:
    plain = [sentinel_as_json(parse(one.text)[0]) for one in found]
    return json.dumps(plain, indent=2, ensure_ascii=False).encode() + b"\n"


EXPORTS: dict[str, Callable[[Sequence[InstalledSentinel]], bytes]] = {
    "sentinels": _sentinels,
    "urls": _urls,
    "opml": _opml,
    "json": _json,
}
