"""Small pages for Hypothesis: a page is a list of blocks, and a changed page is the list after some edits."""

from __future__ import annotations

from html import escape

from hypothesis import strategies as st

from webvigil.document import PageDigest, read

# Few words, so that pages repeat themselves; several scripts, so that no test passes on ASCII alone.
WORDS = ("low", "risk", "growth", "investing", "Risk", "naïve", "12,5", "€", "低", "成", "don't", "ΣΑΣ", "ß")

words = st.sampled_from(WORDS)
texts = st.lists(words, max_size=8).map(" ".join)
addresses = st.sampled_from(("/a", "/b", "c.html", "https://other.test/", "mailto:x@y.z"))
pictures = st.sampled_from(("one.png", "/two.png", "three.gif"))

_paragraphs = st.builds(
    lambda tag, text: f"<{tag}>{escape(text)}</{tag}>", st.sampled_from(("p", "h1", "h3", "div")), texts
)
_inline = st.builds(
    lambda one, two, three: f"<p>{escape(one)} <b>{escape(two)}</b>{escape(three)}</p>", texts, texts, texts
)
_links = st.builds(lambda url, text: f'<p><a href="{url}">{escape(text)}</a></p>', addresses, texts)
_images = st.builds(lambda url: f'<img src="{url}" alt="">', pictures)
_lists = st.lists(texts, max_size=4).map(
    lambda items: "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>"
)
_tables = st.lists(st.lists(texts, min_size=1, max_size=3), max_size=3).map(
    lambda rows: (
        "<table>"
        + "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        + "</table>"
    )
)
_hidden = texts.map(lambda text: f"<!--{text.replace('-', ' ')}--><script>{text}</script>")
blocks = st.one_of(_paragraphs, _inline, _links, _images, _lists, _tables, _hidden)
pages = st.lists(blocks, max_size=8)


def digest(blocks: list[str], title: str = "Page") -> PageDigest:
    head = f"<head><title>{escape(title)}</title></head>"
    html = f"<!DOCTYPE html><html>{head}<body>{''.join(blocks)}</body></html>"
    return read(html.encode(), "text/html; charset=utf-8", "https://example.org/dir/")


@st.composite
def edited(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Draws a page and the page after some blocks were inserted, deleted, replaced or moved."""
    old = draw(pages)
    new = list(old)
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(new)))
        match draw(st.sampled_from(("insert", "delete", "replace", "move"))):
            case "insert":
                new.insert(place, draw(blocks))
            case "delete":
                del new[place : place + 1]
            case "replace":
                new[place : place + 1] = [draw(blocks)]
            case _:
                moved = new[place : place + 1]
                del new[place : place + 1]
                there = draw(st.integers(0, len(new)))
                new[there:there] = moved
    return old, new


@st.composite
def versions(draw: st.DrawFn) -> tuple[PageDigest, PageDigest]:
    old, new = draw(edited())
    titles = st.sampled_from(("Page", "Page", "Other page", ""))
    return digest(old, draw(titles)), digest(new, draw(titles))
