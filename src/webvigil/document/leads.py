"""The links of a page that lead a reader on to other documents, and may be followed by a program (B7).

What counts is what a person would click on to read further: anchors, and in feeds the entries. Not what
starts a download, nor pictures, archives and other things that hold no text; not what the site asks not to
follow; and never what looks as if it did something: sign out, delete, unsubscribe. A program that follows
such a link with somebody's log-in does harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import unquote, urlsplit

from webvigil.document.digest import PageDigest

_ANCHORS = ("a", "area")
_LONGEST = 2_000
# Hardly anybody calls a whole sentence "Delete".
_LONGEST_NAME = 40
_MOST_WORDS = 3

# Kinds of files that hold nothing to read; what has another ending, or none, may be a document.
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

# Deeds, in the languages that we met them in. Words that are also about something (report, order, vote) are
# not among them.
_DOING = frozenset(
    (
        *("logout", "logoff", "signout", "signoff", "abmelden", "ausloggen", "deconnexion", "déconnexion"),
        *("delete", "remove", "destroy", "erase", "purge", "löschen", "loeschen", "supprimer", "eliminar"),
        *("borrar", "unsubscribe", "abbestellen", "revoke", "deactivate", "unfollow", "unlike", "upvote"),
        *("downvote", "addtocart"),
    )
)
# Two words in a row that mean one of those.
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
    """Absolute addresses in the order of the page, each as often as it stands there."""
    anchors = digest.is_tag(_ANCHORS) if digest.is_html else None
    for url, node in digest.links:
        if anchors is not None and not (anchors[node] and _invites(digest, node)):
            continue
        if is_readable(url) and not does_something(url):
            yield url


def is_readable(url: str) -> bool:
    """As far as its address tells: on the web, of a sane length, without a password in it, no picture …"""
    if len(url) > _LONGEST or not url.startswith(("http://", "https://")):
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    ending = parts.path.rpartition("/")[2].rpartition(".")[2].lower() if "." in parts.path else ""
    return "@" not in parts.netloc and ending not in _UNREADABLE


def does_something(url: str) -> bool:
    """Does its address look as if following it had an effect?"""
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
    """`/account/logOut`, `?action=delete`, `Sign out`; not `/how-to-delete-a-branch`, which says more."""
    for piece in re.split(r"[/&;=?]", text):
        words = [word.lower() for word in _WORD.findall(_HUMPS.sub(" ", piece))]
        if not words or len(words) > _MOST_WORDS:
            continue
        if words[0] in _DOING or words[-1] in _DOING:
            return True
        if any(pair in _DOING_PAIRS for pair in pairwise(words)):
            return True
    return False
