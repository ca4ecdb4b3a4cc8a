"""The text of an XPath 1.0 expression in, a tree of its parts out. Errors name the column of the mistake."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple, NoReturn

from webvigil.document.xpath_functions import FUNCTIONS
from webvigil.errors import PatternRefused
from webvigil.xpack.xpath.syntax import (
    AXES,
    EVERYTHING,
    Binary,
    Call,
    Expression,
    Filter,
    Literal,
    Negative,
    Number,
    Path,
    Step,
    Test,
    Variable,
    shortened,
)

# Limits on what strangers may write: characters, nested parentheses, and operators in a row. Far above what
# people use, and low enough that neither parsing nor evaluating exhausts Python's stack.
_LONGEST = 10_000
_DEEPEST = 50
_MOST_OPERATORS = 200
_NAME_START = r"[^\W\d]"
_NAME = rf"{_NAME_START}[\w.\-\u00b7]*"
_TOKEN = re.compile(
    rf"""(?P<space>[ \t\r\n]+)
    |(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+\-]?\d+)?)
    |(?P<literal>"[^"]*"|'[^']*')
    |(?P<variable>\$\s*{_NAME}(?::{_NAME})?)
    |(?P<name>{_NAME}(?::(?!:)(?:{_NAME}|\*))?)
    |(?P<sign>::|//|\.\.|!=|<=|>=|[()\[\].@,/|+\-=<>*])""",
    re.VERBOSE,
)
_PLAIN = re.compile(rf"(count\()?((?://?(?:text\(\)|{_NAME}))+)(?(1)\))")
_PLAIN_STEP = re.compile(rf"(//?)(?:(text\(\))|({_NAME}))")
# XPath has no reserved words: behind one of these signs, or at the beginning, `and` or `*` is an operand (a
# name, any element); elsewhere it is an operator.
_BEFORE_OPERAND = frozenset(
    [
        "(",
        "[",
        ",",
        "::",
        "@",
        "and",
        "or",
        "mod",
        "div",
        "*",
        "/",
        "//",
        "|",
        "+",
        "-",
        "=",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
    ]
)
_OPERATOR_NAMES = frozenset({"and", "or", "mod", "div"})
_NODE_TYPES = frozenset({"comment", "text", "processing-instruction", "node"})
# The binary operators, from those that bind loosest to those that bind tightest.
_LEVELS = (("or",), ("and",), ("=", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "div", "mod"))
_LEVEL = {operator: level for level, operators in enumerate(_LEVELS) for operator in operators}


class Token(NamedTuple):
    kind: str  # number, literal, variable, name, star, operator, sign, end
    text: str
    at: int


@lru_cache(maxsize=512)
def parse(expression: str) -> Expression:
    """Parses an expression. Raises PatternRefused for a text that is no XPath."""
    if len(expression) > _LONGEST:
        raise PatternRefused(f"the XPath is too long: at most {_LONGEST} characters")
    return _plain(expression) or _Parser(expression, _tokens(expression)).whole()


def _plain(expression: str) -> Expression | None:
    """Parses the most common expressions (`/a/b`, `//a/text()`, `count(…)` of such) without tokens.

    Returns None for all others, which need the full parser.
    """
    found = _PLAIN.fullmatch(expression)
    if found is None:
        return None
    steps = []
    for slashes, text, name in _PLAIN_STEP.findall(found[2]):
        test = Test("text") if text else Test("name", None, name)
        steps.append(Step("child" if slashes == "/" else "descendant", test))
    path = Path("/", tuple(steps))
    return Call("count", (path,)) if found[1] else path


def refused(expression: str, at: int, message: str) -> PatternRefused:
    """Returns the error for a mistake at a place of the expression; it shows at most 80 characters of it."""
    shown = expression if len(expression) <= 80 else expression[: max(at - 20, 0) + 60][-80:]
    return PatternRefused(f"XPath, column {at + 1}: {message} in {shown!r}")


def _tokens(expression: str) -> list[Token]:
    found: list[Token] = []
    place = 0
    while place < len(expression):
        match = _TOKEN.match(expression, place)
        if match is None:
            _refuse_character(expression, place)
        kind, text = match.lastgroup or "", match[0]
        if kind != "space":
            found.append(_token(kind, text, place, found[-1] if found else None))
        place = match.end()
    found.append(Token("end", "", len(expression)))
    return found


def _token(kind: str, text: str, at: int, before: Token | None) -> Token:
    """Makes a token; the token before it decides whether a name or `*` is an operator."""
    operand = before is None or (before.kind in ("sign", "operator") and before.text in _BEFORE_OPERAND)
    if text == "*":
        return Token("star" if operand else "operator", text, at)
    if kind == "name" and not operand and text in _OPERATOR_NAMES:
        return Token("operator", text, at)
    return Token(kind, text, at)


def _refuse_character(expression: str, place: int) -> NoReturn:
    character = expression[place]
    if character in "\"'":
        raise refused(expression, place, "a string that does not end")
    raise refused(expression, place, f"{character!r} has no meaning here")


class _Parser:
    """A recursive descent parser. Its depth is bounded, so that no text exhausts the stack."""

    def __init__(self, expression: str, tokens: list[Token]) -> None:
        self._expression = expression
        self._tokens = tokens
        self._place = 0
        self._depth = 0

    def whole(self) -> Expression:
        """Parses the whole expression. Raises PatternRefused if anything is left over."""
        found = self._expr()
        if self._next.kind != "end":
            self._refuse("an operator")
        return found

    # --- tokens -----------------------------------------------------------------------------------

    @property
    def _next(self) -> Token:
        return self._tokens[self._place]

    def _is(self, *texts: str) -> bool:
        token = self._next
        return token.kind in ("sign", "operator") and token.text in texts

    def _follows(self, text: str) -> bool:
        """Says whether the token after the next one is this sign."""
        following = self._tokens[self._place + 1 : self._place + 2]
        return bool(following) and following[0].kind == "sign" and following[0].text == text

    def _take(self) -> Token:
        token = self._next
        self._place += 1
        return token

    def _expect(self, text: str) -> None:
        if not self._is(text):
            self._refuse(repr(text))
        self._place += 1

    def _refuse(self, expected: str) -> NoReturn:
        token = self._next
        found = f"{token.text!r}" if token.kind != "end" else "the end"
        raise refused(self._expression, token.at, f"{found} where {expected} was expected")

    # --- expressions ------------------------------------------------------------------------------

    def _expr(self) -> Expression:
        """Parses an expression inside parentheses, brackets or arguments; counts how deep they are nested."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise refused(self._expression, self._next.at, "parentheses and brackets are nested too deeply")
        found = self._binary(0)
        self._depth -= 1
        return found

    def _binary(self, loosest: int) -> Expression:
        """Parses operators that bind at least as tightly as level `loosest`, from left to right."""
        found, chained = self._unary(), 0
        while self._next.kind in ("operator", "sign"):
            level = _LEVEL.get(self._next.text, -1)
            if level < loosest:
                break
            chained += 1
            if chained > _MOST_OPERATORS:
                raise refused(self._expression, self._next.at, "too many operators in a row")
            found = Binary(self._take().text, found, self._binary(level + 1))
        return found

    def _unary(self) -> Expression:
        signs = 0
        while self._is("-"):
            self._place += 1
            signs += 1
        found = self._union()
        if signs:
            found = Negative(found)
            # An even number of signs keeps the value but still turns the operand into a number.
            return found if signs % 2 else Negative(found)
        return found

    def _union(self) -> Expression:
        found, chained = self._path(), 0
        while self._is("|"):
            chained += 1
            if chained > _MOST_OPERATORS:
                self._refuse("the end of so many alternatives")
            self._place += 1
            found = Binary("|", found, self._path())
        return found

    # --- paths ------------------------------------------------------------------------------------

    def _path(self) -> Expression:
        """Parses a path, or a primary expression with steps behind it."""
        if self._begins_primary():
            found = self._filter()
            if self._is("/", "//"):
                return Path(found, shortened(self._steps()))
            return found
        if self._is("/"):
            self._place += 1
            if not self._begins_step():
                return Path("/", ())
            return Path("/", shortened([self._step(), *self._steps()]))
        if self._is("//"):
            return Path("/", shortened(self._steps()))
        return Path(None, shortened([self._step(), *self._steps()]))

    def _steps(self) -> list[Step]:
        found = []
        while self._is("/", "//"):
            if self._take().text == "//":
                found.append(Step("descendant-or-self", EVERYTHING))
            found.append(self._step())
        return found

    def _begins_primary(self) -> bool:
        """Says whether a number, string, variable, parenthesis or function call comes next."""
        token = self._next
        if token.kind in ("number", "literal", "variable") or self._is("("):
            return True
        return token.kind == "name" and self._follows("(") and token.text not in _NODE_TYPES

    def _begins_step(self) -> bool:
        return self._next.kind in ("name", "star") or self._is(".", "..", "@")

    def _step(self) -> Step:
        if self._is("."):
            self._place += 1
            return Step("self", EVERYTHING)
        if self._is(".."):
            self._place += 1
            return Step("parent", EVERYTHING)
        axis = self._axis()
        test = self._test()
        return Step(axis, test, tuple(self._predicates()))

    def _axis(self) -> str:
        """Parses an axis; `child` if none is written."""
        if self._is("@"):
            self._place += 1
            return "attribute"
        if not (self._next.kind == "name" and self._follows("::")):
            return "child"
        token = self._take()
        if token.text not in AXES:
            raise refused(
                self._expression, token.at, f"there is no axis {token.text!r}{_near(token.text, AXES)}"
            )
        self._place += 1
        return token.text

    def _test(self) -> Test:
        """Parses a node test: `*`, a name, or a node type such as `text()`."""
        token = self._next
        if token.kind == "star":
            self._place += 1
            return Test("name", at=token.at)
        if token.kind != "name":
            self._refuse("a name or a node test")
        if self._follows("(") and token.text in _NODE_TYPES:
            return self._node_type()
        self._place += 1
        prefix, colon, local = token.text.rpartition(":")
        return Test("name", prefix if colon else None, None if local == "*" else local, token.at)

    def _node_type(self) -> Test:
        kind = self._take().text
        self._expect("(")
        target = None
        if kind == "processing-instruction" and self._next.kind == "literal":
            target = self._take().text[1:-1]
        self._expect(")")
        return Test(kind, None, target)

    def _predicates(self) -> list[Expression]:
        found = []
        while self._is("["):
            self._place += 1
            found.append(self._expr())
            self._expect("]")
        return found

    # --- primaries --------------------------------------------------------------------------------

    def _filter(self) -> Expression:
        primary = self._primary()
        predicates = tuple(self._predicates())
        return Filter(primary, predicates) if predicates else primary

    def _primary(self) -> Expression:
        token = self._take()
        match token.kind:
            case "number":
                return Number(float(token.text))
            case "literal":
                return Literal(token.text[1:-1])
            case "variable":
                return Variable(token.text[1:].strip(), token.at)
            case "name":
                return self._call(token)
        found = self._expr()
        self._expect(")")
        return found

    def _call(self, token: Token) -> Call:
        """Parses the arguments of a call.

        Raises PatternRefused for an unknown function or a wrong number of arguments.
        """
        if token.text not in FUNCTIONS:
            near = _near(token.text, FUNCTIONS)
            raise refused(self._expression, token.at, f"there is no function {token.text!r}{near}")
        self._expect("(")
        arguments: list[Expression] = []
        while not self._is(")"):
            if arguments:
                self._expect(",")
            arguments.append(self._expr())
        self._place += 1
        fewest, most = FUNCTIONS[token.text]
        if not fewest <= len(arguments) <= most:
            wanted = _arity(fewest, most)
            raise refused(self._expression, token.at, f"{token.text}() takes {wanted}, not {len(arguments)},")
        return Call(token.text, tuple(arguments), token.at)


def _near(word: str, known: tuple[str, ...] | dict[str, tuple[int, int]]) -> str:
    """Returns a hint at the most similar known word, "" if there is none."""
    import difflib

    near = difflib.get_close_matches(word, known, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _arity(fewest: int, most: int) -> str:
    """Says in words how many arguments a function takes."""
    if fewest == most:
        return f"{fewest} argument{'' if fewest == 1 else 's'}" if fewest else "no argument"
    return f"{fewest} or {most} arguments" if most - fewest == 1 else f"at least {fewest} arguments"
