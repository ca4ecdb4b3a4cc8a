"""Expressions of other programs in, expressions, selectors and conditions of sentinels out.

Other programs read a page as lines: they keep the lines that match, or drop them. `.` never runs over the end
of a line, so the expression of a whole line is `.*….*`; lines that must and must not match at once need
look-ahead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cssselect import GenericTranslator, SelectorError
from cssselect import parse as parsed

from webvigil.language.texts import pattern_in_braces, quoted

_FLAGS = re.compile(r"\(\?([a-zA-Z]+)\)(.*)", re.DOTALL)
# A query of jq that follows members and items: .ships[].name, .[0], .["a key"]
_FOLLOWS = re.compile(r"""\.|(?:\.\w+\??|\.?\[(?:-?\d+|"[^"\\]*")?\]\??)+""")
_STEP = re.compile(r"//(?=[\w*@.])")


def scoped(expression: str) -> str:
    """Returns the expression in a group of its own, with the flags that stand at its beginning inside the
    group, so that it can be part of a longer one."""
    found = _FLAGS.fullmatch(expression)
    if found is None:
        return f"(?:{expression})" if re.search(r"[|^$]", expression) else expression
    flags = "".join(sorted(set(found[1]) & set("imsx")))
    return f"(?{flags}:{found[2]})"


def literal(text: str, *, any_case: bool = True) -> str:
    """Returns the expression that finds this text. Only what means something there gets a backslash."""
    plain = re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", text)
    return f"(?i){plain}" if any_case and text.lower() != text.upper() else plain


def lines(keep: Sequence[str], drop: Sequence[str] = ()) -> str:
    """Returns the expression of the lines in which each of `keep` is found and none of `drop`."""
    anchored = any("^" in one or "$" in one for one in (*keep, *drop))
    if len(keep) == 1 and not drop:
        return ("(?m)" if anchored else "") + f".*{scoped(keep[0])}.*"
    wanted = "".join(f"(?=.*{scoped(one)})" for one in keep)
    unwanted = "".join(f"(?!.*{scoped(one)})" for one in drop)
    return f"(?m)^{wanted}{unwanted}.+$"


def either(expressions: Sequence[str]) -> str:
    return expressions[0] if len(expressions) == 1 else "|".join(scoped(one) for one in expressions)


def regex_monitor(expression: str, option: str = "") -> str:
    return f"regular expression: {pattern_in_braces(expression)}" + (f" {option}" if option else "")


def css_part(selector: str) -> str:
    return f"css {quoted(selector)}"


def xpath_part(path: str) -> str:
    return f"xpath {quoted(path)}"


def chained(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Returns the XPaths that find with `second` inside what `first` finds, itself included. Raises
    ValueError where that cannot be said in one XPath."""
    return [joined for outer in first for inner in second for joined in _inside(outer, inner)]


def _inside(outer: str, inner: str) -> list[str]:
    if " | " in inner or not _STEP.match(inner):
        raise ValueError(f"{inner} reads the result of the filter before it as a page of its own")
    rest = inner[2:]
    return [f"({outer})//{rest}", f"({outer})/self::{rest}"]


def xpaths_of(selector: str) -> list[str]:
    """Returns a CSS selector as XPaths, one for each of its alternatives. Raises ValueError for a selector
    that cannot be read."""
    try:
        trees = parsed(selector)
        found = [GenericTranslator().selector_to_xpath(tree, prefix="//") for tree in trees]
    except (SelectorError, RecursionError) as error:
        raise ValueError(f"the selector {selector} cannot be read: {error}") from error
    return found


def picked(paths: Sequence[str], skip: int, most: int) -> str:
    """Returns an XPath for what is left of the matches after the first `skip`, at most `most` (0: all)."""
    whole = "(" + " | ".join(paths) + ")"
    if most:
        return f"{whole}[position() > {skip} and position() <= {skip + most}]"
    return f"{whole}[position() > {skip}]"


def any_order() -> str:
    """Returns the change type that counts whole lines, so that their order does not matter."""
    return regex_monitor(".+")


def json_value(query: str) -> str:
    """Returns the value that a query of jq asks for: by a JSON path if the query only follows members and
    items, otherwise by jq itself."""
    steps = [one.strip() for one in query.split("|")]
    if not all(_FOLLOWS.fullmatch(one) for one in steps):
        return f"value jq {quoted(query)}"
    path = "".join("" if one == "." else one for one in steps)
    path = re.sub(r"\.?\[\]", "[*]", path).replace(".[", "[").replace("?", "")
    return f"value json {quoted('$' + path)}"
