"""Bytes in, text out: the encoding chosen as browsers choose it.

In this order: a byte order mark, the charset of the Content-Type header, what the document says of
itself (`<meta charset>` in the first kilobyte, the XML declaration, `<meta charset>` in the rest of the
head), UTF-8 if the bytes are valid UTF-8, else windows-1252. Bytes that do not fit become U+FFFD.
"""

from __future__ import annotations

import re
from functools import lru_cache

import webencodings

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
# The bytes in which browsers look for a meta tag before they parse (HTML standard).
_PRESCAN = 1024
# The bytes that are searched for a later meta tag. This bounds the time for a page whose head never ends.
_LONGEST_HEAD = 1 << 18
_HIGH = bytes(range(128, 256))
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"<meta[\s/]+([^>]*)", re.IGNORECASE)
# The parts of a head: comments, elements whose content is no markup, tags. An unclosed part runs to the end.
_IN_HEAD = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(script|style|title|noscript)\b.*?(?:</\1|\Z)"
    rb"|<(?P<tag>/?[a-z][^\s>/]*)(?P<attributes>[^>]*)",
    re.DOTALL | re.IGNORECASE,
)
_HEAD_TAGS = {
    b"html",
    b"head",
    b"meta",
    b"link",
    b"base",
    b"object",
    b"script",
    b"style",
    b"title",
    b"noscript",
}
_ATTRIBUTE = re.compile(rb"""([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?""")
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([^\s"';]+)""", re.IGNORECASE)
_XML_DECLARATION = re.compile(rb"""<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']""")


def decode(body: bytes, content_type: str = "", *, markup: str = "html") -> str:
    """Returns the text of the bytes. `markup` ("html", "xml" or "") says in which way the document may name
    its encoding itself."""
    for mark, name in _MARKS:
        if body.startswith(mark):
            return _decoded(body[len(mark) :], name)
    label = charset_of(content_type) or declared(body, markup)
    if label:
        return _decoded(body, label)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return _decoded(body, "utf-8" if _almost_utf8(body) else "windows-1252")


def charset_of(content_type: str) -> str:
    """Returns the charset that a Content-Type header names, or "" if it names none that exists."""
    if "charset" not in content_type.lower():
        return ""
    return (_labelled if len(content_type) <= _USUAL else _label)(content_type)


def _label(content_type: str) -> str:
    # Loaded here like other large modules that most documents do without, so that commands start quickly.
    from email.message import Message

    header = Message()
    header["content-type"] = content_type.replace("\r", " ").replace("\n", " ")
    label = header.get_param("charset")
    return _known(label) if isinstance(label, str) else ""


# The same few headers come with all pages. The cache keeps them in memory, so only short ones are cached.
_USUAL = 100
_labelled = lru_cache(maxsize=256)(_label)


def declared(body: bytes, markup: str) -> str:
    if markup == "html":
        return _meta(body[:_PRESCAN]) or _xml_declaration(body) or _late_meta(body[:_LONGEST_HEAD])
    return _xml_declaration(body) if markup == "xml" else ""


def _meta(head: bytes) -> str:
    for tag in _META.finditer(_COMMENT.sub(b"", head)):
        label = _named_by(tag.group(1))
        if label:
            # The meta tag was found as ASCII bytes, so the document cannot be in UTF-16, even if the tag says
            # so.
            return "utf-8" if label.startswith("utf-16") else label
    return ""


def _late_meta(head: bytes) -> str:
    """Returns the encoding in a meta tag behind the first kilobyte of the head, or "". Browsers that meet
    such a tag read the document again in its encoding, so this does the same."""
    if len(head) <= _PRESCAN or b"charset" not in head[_PRESCAN:].lower():
        return ""
    for found in _IN_HEAD.finditer(head):
        tag = (found["tag"] or b"meta").lower().removeprefix(b"/")
        if tag not in _HEAD_TAGS and found.start() >= _PRESCAN:
            return ""
        if found["tag"] and tag == b"meta" and (label := _named_by(found["attributes"])):
            return "utf-8" if label.startswith("utf-16") else label
    return ""


def _named_by(tag: bytes) -> str:
    found: dict[bytes, bytes] = {}
    for name, *values in _ATTRIBUTE.findall(tag):
        found.setdefault(name.lower(), b"".join(values))
    label = found.get(b"charset", b"")
    if not label and found.get(b"http-equiv", b"").lower() == b"content-type":
        match = _CHARSET.search(found.get(b"content", b""))
        label = match.group(1) if match else b""
    return _known(label.decode("ascii", "replace"))


def _xml_declaration(body: bytes) -> str:
    if body[:4] in (b"<\0?\0", b"\0<\0?"):
        return "utf-16le" if body[0] else "utf-16be"
    match = _XML_DECLARATION.match(body[:_PRESCAN].lstrip())
    label = _known(match.group(1).decode("ascii")) if match else ""
    return "utf-8" if label.startswith("utf-16") else label


def _known(label: str) -> str:
    encoding = webencodings.lookup(label.strip("\"' \t\n\f\r"))
    if encoding is None:
        return ""
    return "windows-1252" if encoding.name == "x-user-defined" else str(encoding.name)


def _decoded(body: bytes, name: str) -> str:
    if name == "utf-8":
        return body.decode("utf-8", "replace")
    return str(webencodings.lookup(name).codec_info.decode(body, "replace")[0])


def _almost_utf8(body: bytes) -> bool:
    """Tells whether the bytes are UTF-8 with a flaw (cut in the middle, a stray byte) rather than another
    encoding.

    This holds if there are bytes beyond ASCII and at most one flaw for every ten of them.
    """
    text = body.decode("utf-8", "replace")
    flaws = text.count("\ufffd")
    beyond = len(body) - len(body.translate(None, _HIGH))
    return beyond > 0 and flaws * 10 <= beyond
