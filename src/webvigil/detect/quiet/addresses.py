"""An address as it is written in, the address that a person means out (Q1).

Two addresses that mean the same are equal here: without tracking parameters, without tokens of a visit or a
signature, without what only keeps a cache from answering. A protected mail address is the mail address it
hides. Of a picture or another asset also numbers of builds and fingerprints of files do not count.

The result is for comparing only; people are shown addresses as they are written.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from urllib.parse import unquote, unquote_plus

# The protection of mail addresses by Cloudflare: a key, and each byte of the address mixed with it.
_PROTECTED = re.compile(r"/cdn-cgi/l/email-protection#([0-9a-f]{4,})$", re.IGNORECASE)
# Parameters of a visit that stand in the path: /shop;jsessionid=1A2B
_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid|cfid|cftoken)=[^/?#;]*", re.IGNORECASE)
_TEXT_FRAGMENT = re.compile(r"#?:~:text=.*$")
# Most addresses of a page: without parameters and fragment, and not that of a file.
_PLAIN = re.compile(r"[^?#;~]*/[^?#;~/.]*")

_ASSET = re.compile(
    r"\.(?:png|jpe?g|gif|svgz?|webp|avif|ico|bmp|css|m?js|woff2?|ttf|otf|eot|mp4|webm|mp3|json|map)(?:$|[?#])",
    re.IGNORECASE,
)
# A number of a build or a time as a part of a path: v1778558569242, 20260519, 0.0.18, 2026.5.19-3, dw6096d1fb
_BUILD = re.compile(
    r"v?\d{6,}|v?\d+(?:\.\d+){1,4}(?:[-+._]?\w{1,12})?|[a-z]{0,2}(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,12}"
    r"|(?=[0-9a-f]*\d)[0-9a-f]{40}",
    re.IGNORECASE,
)
# A fingerprint or a time inside the name of a file, set off by one of . - _ @
_PRINT = re.compile(
    r"(?<![^.\-_@~])(?:\d{8,14}|v?\d+(?:\.\d+){2,3}|(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{6,64})(?=[.\-_@~]|$)",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]{3,}")
# A value that nobody would type or read out: long, of letters and digits, small and large, in turns.
_TOKEN = re.compile(r"[\w\-+/=.~:]{20,}", re.ASCII)
_TURNS = re.compile(r"[0-9](?=[A-Za-z])|[A-Za-z](?=[0-9])|[a-z](?=[A-Z])")
# A date with a time of day, as a parameter has it: 20261117121302, 2026-11-17T12:13, 12:13, 17 November 2026
_MOMENT = re.compile(
    r"(?:19|20)\d\d[01]\d[0-3]\d[T_-]?[0-2]\d[0-5]\d[0-5]\dZ?"
    r"|(?:19|20)\d\d([-/.])[01]?\d\1[0-3]?\d[T _-][0-2]?\d:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?"
    r"(?:Z| ?[+-]\d\d:?\d\d)?"
    r"|[0-2]?\d:[0-5]\d(?::[0-5]\d)?,? [\w. ]{3,30}(?:19|20)\d\d"
    r"|[\w., ]{3,30}(?:19|20)\d\d,? [0-2]?\d:[0-5]\d(?::[0-5]\d)?"
)
_VERSION = re.compile(r"[\w.\-]{1,64}", re.ASCII)
_VERSION_NAMES = frozenset(
    {"v", "ver", "version", "rev", "revision", "build", "hash", "h", "t", "d", "mtime", "m"}
)


@lru_cache(16_384)
def meant(address: str, *, asset: bool = False) -> str:
    """Returns the address that a person means; `asset`: it is that of a picture."""
    if not asset and _PLAIN.fullmatch(address):
        return address
    if hidden := _PROTECTED.search(address):
        return f"mailto:{_revealed(hidden.group(1))}"
    if not address.startswith(("http", "/", "ftp")):
        return address
    head, hash_sign, fragment = _TEXT_FRAGMENT.sub("", address).partition("#")
    path, _, query = head.partition("?")
    path = _IN_PATH.sub("", path)
    asset = asset or _ASSET.search(path) is not None
    if asset:
        path = _without_builds(path)
    kept = sorted(one for one in query.split("&") if one and not _is_noise(one, asset))
    return path + ("?" + "&".join(kept) if kept else "") + (hash_sign + fragment if fragment else "")


def momentless(address: str) -> str:
    """Returns the address that a person means, with a sign in the place of each parameter that is a
    moment."""
    head, hash_sign, fragment = meant(address).partition("#")
    path, mark, query = head.partition("?")
    if not query:
        return address
    kept = "&".join(map(_without_moment, query.split("&")))
    return path + mark + kept + hash_sign + fragment if kept != query else address


def _without_moment(parameter: str) -> str:
    name, equals, value = parameter.partition("=")
    return f"{name}=*" if equals and _MOMENT.fullmatch(unquote_plus(value[:80])) else parameter


def _revealed(code: str) -> str:
    """Returns the mail address behind its code; the first byte is the key of the others."""
    data = bytes.fromhex(code[: len(code) // 2 * 2])
    return bytes(byte ^ data[0] for byte in data[1:]).decode("utf-8", "replace")


def _without_builds(path: str) -> str:
    """Returns a path without numbers of builds. A file whose whole name is such a number keeps it: it has no
    other."""
    *folders, name = path.split("/")
    folders[3:] = ["*" if _BUILD.fullmatch(one) else one for one in folders[3:]]
    stem, dot, kind = name.rpartition(".")
    left = _PRINT.sub("*", stem or kind)
    if _LETTERS.search(left):
        name = left + dot + kind if stem else left
    return "/".join([*folders, name])


def _is_noise(parameter: str, asset: bool) -> bool:
    name, _, value = parameter.partition("=")
    name = unquote(name).lower()
    if _is_listed(name):
        return True
    if asset and (not value or name in _VERSION_NAMES) and _VERSION.fullmatch(value or name):
        return bool(value) or any(map(str.isdigit, name))
    return not name.endswith(("id", "key", "code")) and is_token(unquote(value))


def is_token(text: str) -> bool:
    """Returns True for a text that a machine made up, such as a ticket or a signature."""
    if _TOKEN.fullmatch(text) is None or sum(map(str.isdigit, text)) < 2:
        return False
    return len(_TURNS.findall(text)) * 8 > len(text)


@lru_cache(4096)
def _is_listed(name: str) -> bool:
    exact, beginnings = _listed()
    return name in exact or name.startswith(beginnings)


@cache
def _listed() -> tuple[frozenset[str], tuple[str, ...]]:
    """Returns the names of `tracking.txt`: those that must be equal, and those that are beginnings."""
    text = Path(__file__).with_name("tracking.txt").read_text("utf-8")
    names = [line for line in text.splitlines() if line and line[0] not in "#["]
    return (
        frozenset(name for name in names if not name.endswith("*")),
        tuple(name[:-1] for name in names if name.endswith("*")),
    )
