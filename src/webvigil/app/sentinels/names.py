"""The title and the address of a page in, a short name for a sentinel out: `polaris-sofa`.

A title mostly ends with the name of the site, as in "Polaris sofa – The lamp shop". The part that says what
the page is about stands first, so its words make the name. Without a title the end of the address does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import count
from urllib.parse import unquote, urlsplit

from webvigil.document.naming import parts_of
from webvigil.errors import NotFound, WebVigilError
from webvigil.language import parse
from webvigil.model.installed import ToldSentinel
from webvigil.store.promises import Sentinels

# A name is typed by people: at most four words and 40 characters. The end of an address names a page only if
# it has three characters or more.
_MOST_WORDS, _LONGEST, _SHORTEST = 4, 40, 3
# Most texts have no Title clause and need not be parsed.
_MAY_HAVE_A_TITLE = re.compile(r"\btitle\b", re.IGNORECASE)
_ENDING = re.compile(r"\.\w{1,5}$")
# Ends of addresses that name no page.
_USUAL = frozenset(("index", "default", "home", "main", "page", "www"))


def title_of(sentinel: ToldSentinel) -> str:
    """Returns what a person calls the sentinel: the title that it was given, or else the title of its first
    page, or else its name."""
    given = _title_in(sentinel.text) if _MAY_HAVE_A_TITLE.search(sentinel.text) else ""
    return given or next((one.title for one in sentinel.pages[:1] if one.title), sentinel.name)


@lru_cache(4096)
def _title_in(text: str) -> str:
    """Returns the title that a text gives its sentinel; "" for none, or if this version cannot read it."""
    try:
        return (parse(text)[0].title or "").strip()
    except WebVigilError:
        return ""


def name_of_page(title: str, url: str) -> str:
    """Returns a name made from the title, or else from the end of the address or the host."""
    told = next((name for part in parts_of(title) if (name := _words(part))), "")
    return told or _from_address(url)


def _from_address(url: str) -> str:
    parts = urlsplit(url)
    ends = [_words(_ENDING.sub("", unquote(step))) for step in reversed(parts.path.split("/"))]
    said = next((end for end in ends if _says(end)), "")
    return said or _words((parts.hostname or "").removeprefix("www.")) or "page"


def _says(end: str) -> bool:
    """Tells whether the end of an address can name a page: it is a word, and not one that any page may
    have."""
    return len(end) >= _SHORTEST and any(map(str.isalpha, end)) and end not in _USUAL


def _words(text: str) -> str:
    words = "".join(letter if letter.isalnum() else " " for letter in text).lower().split()
    name = "-".join(words[:_MOST_WORDS])
    return name[:_LONGEST].strip("-")


def free_name(sentinels: Sentinels, user: str, wished: str) -> str:
    """Returns the wished name if the user has no sentinel of that name, otherwise the name with the first
    free number from 2 on."""
    return first_free(wished, lambda name: _is_taken(sentinels, user, name))


def first_free(wished: str, is_taken: Callable[[str], bool]) -> str:
    """Returns the wished name, or that name with the first number from 2 on that is not taken."""
    numbered = (wished if number == 1 else f"{wished}-{number}" for number in count(1))
    return next(name for name in numbered if not is_taken(name))


def _is_taken(sentinels: Sentinels, user: str, name: str) -> bool:
    try:
        sentinels.get(user, name)
    except NotFound:
        return False
    return True
