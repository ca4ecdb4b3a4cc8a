"""A page in, the links out that lead a reader to other documents and that a program may follow (B7).

These are the links that a person would click to read further: anchors, and the entries of feeds. Left out are
downloads, pictures, archives and other files without text, and links that the site asks not to follow. Links
that look as if they had an effect (sign out, delete, unsubscribe) are never followed: with somebody's log-in
that would do harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import unquote, urlsplit

from webvigil.document.digest import PageDigest

_ANCHORS = ("a", "area")
# Characters of an address; many servers refuse longer ones.
_LONGEST = 2_000
# Longer link texts are not checked for deeds: a link that deletes something is called "Delete", not a
# sentence.
_LONGEST_NAME = 40
_MOST_WORDS = 3

# Endings of files that hold nothing to read. An address with another ending, or none, may be a document.
_UNREADABLE = frozenset(
    (
        *(
            "7z",
            "apk",
            "bin",
            "bz2",
            "deb",
            "dmg",
            "exe",
            "gz",
            "img",
            "iso",
            "jar",
            "msi",
            "pkg",
            "rar",
            "rpm",
        ),
        *("tar", "tgz", "torrent", "xpi", "xz", "zip", "zst"),
        *("avif", "bmp", "gif", "ico", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp"),
        *("aac", "avi", "flac", "m4a", "m4v", "mkv", "mov", "mp3", "mp4", "mpeg", "mpg", "ogg", "ogv", "wav"),
        *("webm", "wma", "wmv"),
        *("doc", "docx", "epub", "ics", "odp", "ods", "odt", "ppt", "pptx", "vcf", "xls", "xlsx"),
        *("css", "eot", "js", "mjs", "otf", "swf", "ttf", "wasm", "woff", "woff2"),
    )
)

# Words for deeds, in the languages in which we met them. Words that are also topics (report, order, vote) are
# left out.
_DOING = frozenset(
    (
        *("logout", "logoff", "signout", "signoff", "abmelden", "ausloggen", "deconnexion", "déconnexion"),
        *("delete", "remove", "destroy", "erase", "purge", "löschen", "loeschen", "supprimer", "eliminar"),
        *("borrar", "unsubscribe", "abbestellen", "revoke", "deactivate", "unfollow", "unlike", "upvote"),
        *("downvote", "addtocart"),
    )
)
# Pairs of words that mean a deed together, such as "sign out".
_DOING_PAIRS = frozenset(
    (first, second)
    for firsts, seconds in (
        (("log", "sign"), ("out", "off")),
        (("add",), ("cart", "basket", "wishlist")),
        (("to",), ("cart", "basket")),
        (("cerrar",), ("sesion", "sesión")),
        (("se",), ("déconnecter", "deconnecter")),
    )
    for first in firsts
    for second in seconds
)
_WORD = re.compile(r"[^\W_]+")
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])")


def leads(digest: PageDigest) -> Iterator[str]:
    """Yields the absolute addresses in the order of the page, each as often as it stands there."""
    anchors = digest.is_tag(_ANCHORS) if digest.is_html else None
    for url, node in digest.links:
        if anchors is not None and not (anchors[node] and _invites(digest, node)):
            continue
        if is_readable(url) and not does_something(url):
            yield url


def is_readable(url: str) -> bool:
    """Tells whether an address may lead to a document: it is http or https, not too long, holds no password,
    and does not end like a picture or another file without text."""
    if len(url) > _LONGEST or not url.startswith(("http://", "https://")):
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    ending = parts.path.rpartition("/")[2].rpartition(".")[2].lower() if "." in parts.path else ""
    return "@" not in parts.netloc and ending not in _UNREADABLE


def does_something(url: str) -> bool:
    """Tells whether an address looks as if a request to it had an effect."""
    parts = urlsplit(url)
    return any(_names_a_deed(unquote(text)) for text in (parts.path, parts.query))


def _invites(digest: PageDigest, node: int) -> bool:
    if digest.attribute(node, "download") is not None:
        return False
    asked = (digest.attribute(node, "rel") or "").lower().split()
    if "nofollow" in asked or digest.attribute(node, "href") is None:
        return False
    name = " ".join(digest.text(node).split())
    return len(name) > _LONGEST_NAME or not _names_a_deed(name)


def _names_a_deed(text: str) -> bool:
    """Tells whether a text names a deed, such as `/account/logOut`, `?action=delete` or `Sign out`. A piece
    with more than `_MOST_WORDS` words, such as `/how-to-delete-a-branch`, is a topic and no deed."""
    for piece in re.split(r"[/&;=?]", text):
        words = [word.lower() for word in _WORD.findall(_HUMPS.sub(" ", piece))]
        if not words or len(words) > _MOST_WORDS:
            continue
        if words[0] in _DOING or words[-1] in _DOING:
            return True
        if any(pair in _DOING_PAIRS for pair in pairwise(words)):
            return True
    return False
