"""The rules for names of sentinels and topics, and the reason why a name breaks them.

Names stand in texts, in addresses and on screens. A reader must see every character of a name, and the same
name must be equal however it was typed. So names have one Unicode form and no hidden characters, slashes or
odd spaces.
"""

from __future__ import annotations

import re
import unicodedata

LONGEST = 100
# A name that needs no quotes: letters, digits and _, joined by single - or . signs. Two hyphens would begin a
# comment.
PLAIN = re.compile(r"\w+(?:[-.]\w+)*")


def normal(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def trouble_with(name: str) -> str:
    """Returns the reason why this cannot be a name, or "" if it can."""
    if not any(letter.isalnum() for letter in name):
        return "a name has at least one letter or digit"
    if len(name) > LONGEST:
        return f"a name has at most {LONGEST} characters, this one {len(name)}"
    if odd := next((letter for letter in name if not _visible(letter)), ""):
        return f"a name cannot contain {_shown(odd)}"
    if name != name.strip(" ") or "  " in name:
        return "a name has no spaces at its ends and no two in a row"
    return "" if name == normal(name) else "a name must be in Unicode's composed form (NFC)"


def _visible(letter: str) -> bool:
    return letter == " " or (unicodedata.category(letter)[0] in "LMNPS" and letter not in "/\\")


def _shown(letter: str) -> str:
    if letter in "/\\":
        return f"'{letter}'"
    return described(letter)


def described(letter: str) -> str:
    """Returns the code point and the Unicode name of a character, for characters that cannot be shown."""
    return f"U+{ord(letter):04X} {unicodedata.name(letter, 'control character').lower()}"
