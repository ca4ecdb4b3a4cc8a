"""The functions that an XPath may call: those of XPath 1.0, and the common ones of later versions.

A call of any other function, a call with too few or too many arguments, and a variable are refused when the
expression is read. libxml2 itself finds such a mistake only when it evaluates the call at a node, so an
expression with a mistake could go unnoticed and find nothing for ever.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from webvigil.errors import PatternRefused

if TYPE_CHECKING:
    from webvigil.document.patterns import Pattern

# For each function the least and the largest number of arguments.
CORE = {
    "last": (0, 0),
    "position": (0, 0),
    "count": (1, 1),
    "id": (1, 1),
    "local-name": (0, 1),
    "namespace-uri": (0, 1),
    "name": (0, 1),
    "string": (0, 1),
    "concat": (2, 1000),
    "starts-with": (2, 2),
    "contains": (2, 2),
    "substring-before": (2, 2),
    "substring-after": (2, 2),
    "substring": (2, 3),
    "string-length": (0, 1),
    "normalize-space": (0, 1),
    "translate": (3, 3),
    "boolean": (1, 1),
    "not": (1, 1),
    "true": (0, 0),
    "false": (0, 0),
    "lang": (1, 1),
    "number": (0, 1),
    "sum": (1, 1),
    "floor": (1, 1),
    "ceiling": (1, 1),
    "round": (1, 1),
}
LATER = {
    "matches": (2, 3),
    "replace": (3, 4),
    "ends-with": (2, 2),
    "lower-case": (1, 1),
    "upper-case": (1, 1),
    "string-join": (1, 2),
    "exists": (1, 1),
    "empty": (1, 1),
    "abs": (1, 1),
}
FUNCTIONS = CORE | LATER

# For functions that we do not have: what to write instead, for the message.
_INSTEAD = {
    "tokenize": "substring-before(…) and substring-after(…)",
    "distinct-values": "a predicate such as [not(. = preceding::*)]",
    "min": "a predicate such as [not(. > //price)]",
    "max": "a predicate such as [not(. < //price)]",
    "avg": "sum(…) div count(…)",
    "head": "a predicate: (…)[1]",
    "subsequence": "a predicate: (…)[position() < 3]",
    "data": "string(…)",
    "contains-token": "contains(concat(' ', …, ' '), ' word ')",
    "has-class": "contains(concat(' ', @class, ' '), ' name ')",
    "re:match": "matches(text, pattern)",
    "re:replace": "replace(text, pattern, replacement)",
    "root": "/",
}
_NODE_TYPES = frozenset(("text", "comment", "node", "processing-instruction", "element", "attribute"))
_OPERATORS = frozenset(("and", "or", "div", "mod"))
_SIGN = re.compile(
    r"""(?P<string>"[^"]*"|'[^']*')|(?P<variable>\$\s*[\w:.-]+)
    |(?P<call>[^\W\d][\w.-]*(?::[^\W\d][\w.-]*)?)\s*\(|(?P<open>[(\[])|(?P<close>[)\]])|(?P<comma>,)
    |(?P<word>[\w.:-]+)|(?P<other>\S)""",
    re.VERBOSE,
)
# Other programs' names for these functions.
_OTHER_NAMES = re.compile(r"\bfn:(?=[\w-]+\s*\()|\bre:test(?=\s*\()")
_STRINGS = re.compile(r"(\"[^\"]*\"|'[^']*')")
_FLAGS = re.compile("[imsxq]*")
# The most seconds that all calls of our functions in one evaluation may take together.
_PATIENCE = 0.5


class _Call(NamedTuple):
    name: str
    arguments: list[list[str]]


def spelled(expression: str) -> str:
    """Returns the expression with our names for functions: `fn:matches` and `re:test` become `matches`."""
    pieces = _STRINGS.split(expression)
    pieces[::2] = [
        _OTHER_NAMES.sub(lambda one: "matches" if one[0] != "fn:" else "", one) for one in pieces[::2]
    ]
    return "".join(pieces)


def check(expression: str) -> None:
    """Raises PatternRefused for a call or a variable that can have no meaning on any page."""
    for call in _calls(expression):
        if call.name not in FUNCTIONS:
            raise PatternRefused(f"the XPath {expression!r} cannot be used: {_unknown(call.name)}")
        fewest, most = FUNCTIONS[call.name]
        if not fewest <= len(call.arguments) <= most:
            raise PatternRefused(
                f"the XPath {expression!r} cannot be used: {call.name}() takes {_wanted(fewest, most)}, "
                f"not {len(call.arguments)}"
            )
        if call.name in ("matches", "replace"):
            _check_pattern(call)


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    if name in _INSTEAD:
        return f"there is no function {name}(); write {_INSTEAD[name]} instead"
    near = get_close_matches(name, FUNCTIONS, n=1)
    hint = f"did you mean {near[0]}()?" if near else f"there are {', '.join(sorted(FUNCTIONS))}"
    return f"there is no function {name}(); {hint}"


def _wanted(fewest: int, most: int) -> str:
    if fewest == most:
        return f"{fewest} argument{'' if fewest == 1 else 's'}"
    return f"{fewest} or {most} arguments" if most - fewest == 1 else f"at least {fewest} arguments"


def _check_pattern(call: _Call) -> None:
    """Raises PatternRefused for a regular expression with a mistake, if it is written as a string in the
    call."""
    written = [one[0][1:-1] if len(one) == 1 and one[0][0] in "\"'" else None for one in call.arguments]
    flags = written[FUNCTIONS[call.name][1] - 1] if len(written) == FUNCTIONS[call.name][1] else ""
    if written[1] is not None and flags is not None:
        _pattern(written[1], flags)


def _calls(expression: str) -> Iterator[_Call]:
    """Yields the function calls of an expression, inner calls first, with the tokens of each argument. Raises
    PatternRefused for a variable."""
    open_calls: list[_Call | None] = []
    for match in _SIGN.finditer(expression):
        kind, sign = match.lastgroup or "", match[0]
        if kind == "variable":
            raise PatternRefused(
                f"the XPath {expression!r} cannot be used: there are no variables such as {sign}"
            )
        if kind == "close":
            done = open_calls.pop() if open_calls else None
            if done is not None:
                yield done
        elif kind == "comma" and open_calls and open_calls[-1] is not None:
            open_calls[-1].arguments.append([])
            continue
        _note(open_calls, sign if kind != "call" else match["call"])
        if kind == "call":
            name = match["call"].rpartition("::")[2]
            is_call = name not in _NODE_TYPES and name not in _OPERATORS
            open_calls.append(_Call(name, []) if is_call else None)
        elif kind == "open":
            open_calls.append(None)


def _note(open_calls: list[_Call | None], sign: str) -> None:
    """Adds a token to the last argument of the innermost open call, if there is one."""
    if open_calls and open_calls[-1] is not None:
        arguments = open_calls[-1].arguments
        if not arguments:
            arguments.append([])
        arguments[-1].append(sign)


# --- what they do -------------------------------------------------------------------------------------


def matches(text: str, pattern: str, flags: str = "") -> bool:
    return _pattern(pattern, flags).occurs_in(text)


def replaced(text: str, pattern: str, by: str, flags: str = "") -> str:
    """Returns the text with every match replaced. `$1` in the replacement is the first group, as in XPath
    2.0."""
    return _pattern(pattern, flags).replaced(text, re.sub(r"\\(?!\$)", r"\\\\", by))


def _pattern(pattern: str, flags: str) -> Pattern:
    from webvigil.document.patterns import compile_pattern

    if not _FLAGS.fullmatch(flags):
        raise PatternRefused(f"the flags of an expression are some of i, m, s, x and q, not {flags!r}")
    if "q" in flags:
        pattern, flags = re.escape(pattern), flags.replace("q", "")
    return compile_pattern(f"(?{''.join(sorted(set(flags)))}){pattern}" if flags else pattern)


OF_TEXTS: dict[str, Callable[..., str | bool]] = {
    "matches": matches,
    "replace": replaced,
    "ends-with": lambda text, end: text.endswith(end),
    "lower-case": str.lower,
    "upper-case": str.upper,
}


@cache
def _string() -> Any:
    """Returns the compiled function string() of lxml, which is loaded only for an XPath on a parsed page."""
    from lxml import etree

    return etree.XPath("string(.)")


def _text(value: Any) -> str:
    """Returns a value of lxml as the XPath function string() would."""
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:.15g}"
        case list():
            return _text(value[0]) if value else ""
        case str():
            return str(value)
    return str(_string()(value))


def _of_texts(function: Callable[..., str | bool]) -> Callable[..., str | bool]:
    def call(context: Any, *values: Any) -> str | bool:
        _look_at_the_clock(context)
        return function(*map(_text, values))

    return call


def _look_at_the_clock(context: Any) -> None:
    started = context.eval_context.setdefault("started", time.monotonic())
    if time.monotonic() - started > _PATIENCE:
        raise PatternRefused("the XPath takes too long on this page; its functions have too much to read")


def _nodes(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise PatternRefused(f"{name}() asks for nodes, such as {name}(//a)")
    return value


def _joined(context: Any, values: Any, separator: Any = "") -> str:
    return _text(separator).join(map(_text, _nodes("string-join", values)))


def _size(context: Any, value: Any) -> float:
    try:
        return abs(float(value if isinstance(value, (bool, float)) else _text(value)))
    except ValueError:
        return float("nan")


EXTENSIONS: dict[tuple[None, str], Callable[..., Any]] = {
    **{(None, name): _of_texts(function) for name, function in OF_TEXTS.items()},
    (None, "string-join"): _joined,
    (None, "exists"): lambda context, nodes: bool(_nodes("exists", nodes)),
    (None, "empty"): lambda context, nodes: not _nodes("empty", nodes),
    (None, "abs"): _size,
}
