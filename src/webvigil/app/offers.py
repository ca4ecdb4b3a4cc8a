"""What is on a page that somebody may want to watch: its text, tables, lists, values, links, its feed.

Each offer is a change expression with a part of the page, and a sample that shows what would be watched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from webvigil.detect.values import parse_value
from webvigil.document import PageDigest
from webvigil.document.headings import Heading, headings, title
from webvigil.document.images import images
from webvigil.document.links import absolute, base, links
from webvigil.document.lists import ItemList, lists
from webvigil.document.masks import view
from webvigil.document.tables import Table, tables
from webvigil.model.sentinel import Part

MOST_OF_A_KIND = 5
SAMPLE = 160
_SHORTEST_LIST = 3
_MAIN = ("main", "article")
_BESIDE = ("nav", "header", "footer", "aside")
_FEEDS = ("application/rss+xml", "application/atom+xml", "application/feed+json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """`monitor` and `within` as they stand in a sentinel; `url` where another page is offered instead."""

    label: str
    monitor: str
    sample: str
    within: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class OnPage:
    title: str
    offers: tuple[Offer, ...]


def on_page(digest: PageDigest) -> OnPage:
    return OnPage(title(digest), tuple(_offers(digest)))


def _offers(digest: PageDigest) -> Iterator[Offer]:
    yield _whole(digest)
    yield from islice(_main_part(digest), 1)
    above = headings(digest)
    yield from islice(_tables(digest, above), MOST_OF_A_KIND)
    yield from islice(_lists(digest, above), MOST_OF_A_KIND)
    yield from islice(_values(digest), MOST_OF_A_KIND)
    found = {one.url for one in links(digest)}
    if found:
        yield Offer(
            label=f"Links ({len(found)})", monitor="all links", sample=_short(" ".join(sorted(found)))
        )
    pictures = {one.url for one in images(digest)}
    if pictures:
        yield Offer(
            label=f"Images ({len(pictures)})", monitor="all images", sample=_short(" ".join(sorted(pictures)))
        )
    yield from islice(_feeds(digest), 1)


def _whole(digest: PageDigest) -> Offer:
    return Offer(label="The whole page", monitor="any change", sample=_short(digest.visible_text))


def _main_part(digest: PageDigest) -> Iterator[Offer]:
    for tag in _MAIN:
        nodes = [node for node in digest.nodes_of(tag).tolist() if not digest.hidden[node]]
        if len(nodes) == 1:
            sample = _short(view(digest, (Part("css", tag),), ()).visible_text)
            yield Offer(label="The main text", monitor="any change", within=tag, sample=sample)


def _tables(digest: PageDigest, above: tuple[Heading, ...]) -> Iterator[Offer]:
    for number, table in enumerate(tables(digest), start=1):
        if table.rows and not digest.hidden[table.node]:
            name = table.caption or _heading_above(above, table.node)
            label = f"Table{f' “{_short(name, 60)}”' if name else ''} ({len(table.rows)} rows)"
            yield Offer(label=label, monitor=f"table: {{{number}}}", sample=_of_table(table))


def _lists(digest: PageDigest, above: tuple[Heading, ...]) -> Iterator[Offer]:
    for number, found in enumerate(lists(digest), start=1):
        if _is_worth(digest, found):
            name = _heading_above(above, found.node)
            label = f"List{f' “{_short(name, 60)}”' if name else ''} ({len(found.items)} items)"
            sample = _short(" · ".join(item.text for item in found.items))
            yield Offer(label=label, monitor=f"list: {{{number}}}", sample=sample)


def _is_worth(digest: PageDigest, found: ItemList) -> bool:
    """Menus are lists, too, but nobody waits for them to change."""
    beside = {digest.tag(node) for node in digest.ancestors(found.node)} & set(_BESIDE)
    return len(found.items) >= _SHORTEST_LIST and not beside and not digest.hidden[found.node]


def _values(digest: PageDigest) -> Iterator[Offer]:
    """Elements whose text is one amount of money; each found by what makes it unique."""
    seen: set[str] = set()
    if not digest.is_html:
        return
    for node in (int(one) for one in digest.parents[digest.is_text]):
        if digest.hidden[node] or digest.is_text[node]:
            continue
        text = " ".join(digest.text(node).split())
        value = parse_value(text) if 0 < len(text) <= 40 else None
        if value is None or value.kind != "number" or len(value.unit) != 3:
            continue
        selector = _selector(digest, node)
        if selector not in seen:
            seen.add(selector)
            yield Offer(label=f"Value {text}", monitor=f'value css "{selector}"', sample=text)


def _selector(digest: PageDigest, node: int) -> str:
    """An id, or the way from the nearest element that has one: as short as it can be and still last."""
    steps: list[str] = []
    while node > 0 and digest.tag(node) not in ("html", "body"):
        step, unique = _step(digest, node)
        steps.append(step)
        if unique:
            break
        node = int(digest.parents[node])
    return " > ".join(reversed(steps))


def _step(digest: PageDigest, node: int) -> tuple[str, bool]:
    tag = digest.tag(node)
    id_ = digest.attribute(node, "id") or ""
    if _is_plain(id_):
        return f"#{id_}", True
    classes = [name for name in (digest.attribute(node, "class") or "").split() if _is_plain(name)]
    if classes:
        return tag + "".join(f".{name}" for name in classes[:2]), False
    parent = int(digest.parents[node])
    same = [child for child in digest.children(parent) if digest.tag(child) == tag]
    return (tag if len(same) == 1 else f"{tag}:nth-of-type({same.index(node) + 1})"), False


def _is_plain(name: str) -> bool:
    """Written in a selector as it is; a long number in it is made anew with every page."""
    letters = name.replace("-", "").replace("_", "")
    return bool(letters) and letters.isascii() and letters.isalnum() and name[0].isalpha() and len(name) < 60


def _feeds(digest: PageDigest) -> Iterator[Offer]:
    for node in digest.nodes_of("link").tolist():
        about = digest.attributes(node)
        if (about.get("type") or "").lower() in _FEEDS and about.get("href"):
            url = absolute(base(digest), about["href"])
            yield Offer(
                label="The feed of this site", monitor="any change", sample=about.get("title", ""), url=url
            )


def _heading_above(above: tuple[Heading, ...], node: int) -> str:
    return next((one.text for one in reversed(above) if one.node < node), "")


def _of_table(table: Table) -> str:
    head = " | ".join(name for name in table.header if name)
    first = " | ".join(table.rows[0].texts)
    return _short(f"{head}: {first}" if head else first)


def _short(text: str, longest: int = SAMPLE) -> str:
    words = " ".join(text[: longest * 8].split())
    return words if len(words) <= longest else words[: longest - 1] + "…"
