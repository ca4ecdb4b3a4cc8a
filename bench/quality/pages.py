"""Builds the pages of the corpus: a body in the frame of a site, and exact edits of it.

`site` dresses a page body as real sites do: head with scripts and tokens, navigation, an advertisement
slot, a footer. `edit` makes one exact change. `served_again` is the same page from the next request:
everything that differs from answer to answer without a reader noticing.
"""

from __future__ import annotations

# What one answer of a server writes, and what the next one writes in its place.
_PER_ANSWER = (
    ("5f3e9ac2d17b48e0", "b8812fd0c6e94a37"),  # request id in script and meta
    ("nonce-Q2hhbmdl", "nonce-WmVicmE"),
    ("app.8f3a1c.css", "app.91be07.css"),
    ("main.8f3a1c.js", "main.91be07.js"),
    ("css-1ab9x", "css-7kq2m"),
    ("css-9zz41", "css-0pl8d"),
    ("2026-03-02T08:15:01Z", "2026-03-02T09:47:33Z"),
    ("in 34 ms by web-07", "in 51 ms by web-12"),
    ("slot=8841937", "slot=1120846"),
    ("1772439301", "1772444853"),
)


def site(
    title: str,
    body: str,
    *,
    name: str = "Example",
    lang: str = "en",
    direction: str = "ltr",
    menu: tuple[tuple[str, str], ...] = (("/", "Home"), ("/about", "About"), ("/contact", "Contact")),
    footer: str = "© 2026 Example. All rights reserved.",
) -> str:
    entries = "\n".join(
        f'        <li class="css-9zz41"><a href="{href}">{text}</a></li>' for href, text in menu
    )
    return f"""<!DOCTYPE html>
<html lang="{lang}" dir="{direction}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="csrf-token" content="5f3e9ac2d17b48e0">
  <title>{title}</title>
  <link rel="stylesheet" href="/assets/app.8f3a1c.css">
  <script nonce="nonce-Q2hhbmdl">window.__STATE__ = {{"rid": "5f3e9ac2d17b48e0", "t": 1772439301}};</script>
  <style>.css-1ab9x {{ color: #222 }} .css-9zz41 {{ display: inline-block }}</style>
</head>
<body>
  <!-- rendered 2026-03-02T08:15:01Z in 34 ms by web-07 -->
  <header class="css-1ab9x">
    <a class="logo" href="/"><img src="/static/logo.svg" alt="{name}"></a>
    <nav>
      <ul>
{entries}
      </ul>
    </nav>
    <form action="/search" method="get">
      <input type="hidden" name="token" value="5f3e9ac2d17b48e0">
      <input type="search" name="q">
    </form>
  </header>
  <div class="ad" id="ad-top"><script>adserver.push("slot=8841937");</script></div>
{body}
  <footer class="css-1ab9x">
    <p>{footer}</p>
  </footer>
  <script src="/assets/main.8f3a1c.js" defer></script>
</body>
</html>
"""


def edit(page: str, *changes: tuple[str, str]) -> str:
    """Returns the page after exact replacements; each old text stands in it exactly once."""
    for old, changed in changes:
        if page.count(old) != 1:
            raise ValueError(f"{old!r} occurs {page.count(old)} times")
        page = page.replace(old, changed)
    return page


def swap(page: str, first: str, second: str) -> str:
    """Returns the page with two parts exchanged."""
    hold = "\0"
    return edit(page, (first, hold), (second, first), (hold, second))


def served_again(page: str, *changes: tuple[str, str]) -> str:
    """Returns the page as the server sends it next time, with other tokens, and then edited."""
    for old, fresh in _PER_ANSWER:
        page = page.replace(old, fresh)
    return edit(page, *changes)


def reformatted(page: str) -> str:
    """Returns the page with other white space between the lines of its source. A browser shows the same."""
    return "\n".join("\t" + line.strip() if line.strip() else "" for line in page.split("\n")) + "\n\n"
