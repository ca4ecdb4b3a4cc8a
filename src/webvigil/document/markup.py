"""Sets of HTML element names by what they mean to a reader: hidden, breaking the line, empty."""

from __future__ import annotations


def names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


DOCUMENT = "#document"
TEXT = "#text"
CDATA = "#cdata"
COMMENT = "#comment"
DOCTYPE = "#doctype"
BINARY = "#binary"


# Text inside these is not shown by a browser that runs scripts.
HIDDEN = names(
    "head script style template noscript noframes noembed iframe audio video canvas datalist "
    "annotation annotation-xml"
)

# A line of text ends where one of these begins or ends.
BLOCKS = names(
    "address article aside blockquote body br button caption center dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html "
    "input legend li main menu nav ol optgroup option p pre search section select summary table tbody "
    "td textarea tfoot th thead title tr ul #document"
)

# Boxes inside a line. The words before and after such a box do not join into one word.
BOXES = names("audio canvas embed iframe object video")

VOID = names(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr"
)

# The text of these stands in HTML source as it is, without escapes.
RAW_TEXT = names("script style xmp iframe noembed noframes plaintext")
