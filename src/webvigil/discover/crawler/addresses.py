"""An address in, its one spelling out, and the signs of a crawler trap in it.

Some sites answer at endlessly many addresses: a session number in each link, a calendar without end, a folder
that seems to contain itself. Session numbers are removed from the address; other traps are recognised by
their shape, and only a limited number of addresses of one shape is visited.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from webvigil.model.page import normal_url

LONGEST = 1_000  # characters of an address
_DEEPEST_PATH = 16  # folders in a path
_MOST_FIELDS = 16  # fields in a query
_MOST_TIMES = 3
"""A folder that stands more often than this in one path seems to contain itself."""

# Fields that name a session or an advertising campaign; the page is the same without them.
_PASSING = re.compile(
    r"(?:php|j|asp\.net_|oscs|zen|os)?(?:sess(?:ion)?[_-]?)?id$|sess(?:ion)?(?:_?key|_?token)?$"
    r"|sid$|s_?id$|aspsessionid\w*$|cfid$|cftoken$|utm_\w+$|gclid$|fbclid$|msclkid$|mc_[ce]id$",
    re.IGNORECASE,
)
# A field named just `id` names a page far more often than a session.
_LASTING = frozenset({"id"})
_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid|sessionid)=[^/?;]*|/\([A-Z]\([^)/]*\)\)", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_KEY = re.compile(r"(?=[0-9a-f]*\d)[0-9a-f]{8,}", re.IGNORECASE)
# Endings of files that cannot contain a form. A page with such an ending is missed, but those are rare.
_NO_PAGE = re.compile(
    r"\.(?:7z|avi|bmp|bz2|css|csv|deb|dmg|docx?|eot|epub|exe|flac|gif|gz|ico|iso|jar|jpe?g|js|json|m4a|mkv"
    r"|mov|mp[34]|mpe?g|msi|odt|ogg|otf|pdf|png|pptx?|ps|rar|rpm|rtf|svg|tar|tgz|tiff?|ttf|wav|webm|webp|woff2?"
    r"|xlsx?|xz|zip)$",
    re.IGNORECASE,
)


def plain_address(url: str) -> str:
    """Returns the one spelling of an address, without session numbers. Raises ValueError if it is no
    address."""
    parts = urlsplit(normal_url(url[: LONGEST * 4]))
    path = _IN_PATH.sub("", parts.path) or "/"
    return urlunsplit((parts.scheme, parts.netloc, path, _lasting(parts.query), ""))


def _lasting(query: str) -> str:
    """Returns the query without the fields of a session; exactly as written if there are none."""
    pairs = parse_qsl(query, keep_blank_values=True)
    kept = [(name, value) for name, value in pairs if name.lower() in _LASTING or not _PASSING.match(name)]
    return query if len(kept) == len(pairs) else urlencode(kept)


def is_no_page(url: str) -> bool:
    return bool(_NO_PAGE.search(urlsplit(url).path))


def trap_in(url: str) -> str:
    """Returns why an address looks like one of endlessly many, or "" if it does not."""
    parts = urlsplit(url)
    folders = [one for one in parts.path.split("/") if one]
    if len(url) > LONGEST:
        return "a very long address"
    if len(folders) > _DEEPEST_PATH:
        return "a very deep path"
    if any(folders.count(one) > _MOST_TIMES for one in set(folders)) or _goes_round(folders):
        return "a path that goes round"
    return "very many fields" if parts.query.count("&") >= _MOST_FIELDS else ""


def _goes_round(folders: list[str]) -> bool:
    """Tells whether the same few folders occur three times in a row, as in `a/b/a/b/a/b`."""
    return any(
        folders[start : start + length]
        == folders[start + length : start + 2 * length]
        == folders[start + 2 * length : start + 3 * length]
        for length in range(1, len(folders) // 3 + 1)
        for start in range(len(folders) - 3 * length + 1)
    )


def shape_of(url: str) -> str:
    """Returns a text that is equal for addresses that differ only in numbers, keys and values of fields."""
    parts = urlsplit(url)
    names = sorted({pair.partition("=")[0] for pair in parts.query.split("&") if pair})
    path = _NUMBER.sub("#", _KEY.sub("*", parts.path))
    return f"{parts.netloc}{path}?{'&'.join(names)}"
