"""Event expressions: frozen values that say which event a rule is on (E1).

They are written with names or with operators: `a & b` is And(a, b), `a | b` is Or(a, b), `a >> b` is Seq(a,
b) and `a + interval` is Plus(a, interval). Two expressions that are equal mean the same event. Each has one
text, which is also the name of its occurrences.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from webvigil.errors import EventRefused
from webvigil.events.times import in_utc, positive

# How deep an expression may be nested and how many parts it may have: far beyond what a person writes, far
# below what would strain the stack or the memory.
DEEPEST = 100
LARGEST = 10_000


class Expression:
    """Any event that a rule can be put on."""

    __slots__ = ()

    @property
    def operands(self) -> tuple[Expression, ...]:
        """Returns the events that this one is made of, in the order in which it names them."""
        return ()

    def __and__(self, other: Expression) -> And:
        return And(self, other)

    def __or__(self, other: Expression) -> Or:
        return Or(self, other)

    def __rshift__(self, other: Expression) -> Seq:
        return Seq(self, other)

    def __add__(self, interval: timedelta) -> Plus:
        return Plus(self, interval)


@dataclass(frozen=True, slots=True)
class Primitive(Expression):
    """An event that happens when somebody raises it by its name."""

    name: str

    def __post_init__(self) -> None:
        if not self.name:
            raise EventRefused("a primitive event needs a name")

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class At(Expression):
    """An event that happens once, at that time. A time in the past never happens."""

    time: datetime

    def __post_init__(self) -> None:
        object.__setattr__(self, "time", in_utc(self.time))

    def __str__(self) -> str:
        return f"at {self.time.isoformat()}"


@dataclass(frozen=True, slots=True)
class Binary(Expression):
    """An event made of two others."""

    left: Expression
    right: Expression

    def __post_init__(self) -> None:
        _refuse_monsters(self)

    @property
    def operands(self) -> tuple[Expression, ...]:
        return self.left, self.right


@dataclass(frozen=True, slots=True)
class And(Binary):
    """Happens when both events have happened, in any order, at the time of the later one."""

    def __str__(self) -> str:
        return f"({self.left} and {self.right})"


@dataclass(frozen=True, slots=True)
class Or(Binary):
    """Happens with each occurrence of either event."""

    def __str__(self) -> str:
        return f"({self.left} or {self.right})"


@dataclass(frozen=True, slots=True)
class Seq(Binary):
    """Happens when the right event happens after the left one."""

    def __str__(self) -> str:
        return f"({self.left} ; {self.right})"


@dataclass(frozen=True, slots=True)
class Plus(Expression):
    """Happens when the interval has passed since the event."""

    event: Expression
    interval: timedelta

    def __post_init__(self) -> None:
        positive(self.interval)
        _refuse_monsters(self)

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.event,)

    def __str__(self) -> str:
        return f"({self.event} + {self.interval})"


@dataclass(frozen=True, slots=True)
class Between(Expression):
    """An event that depends on what happens between a start and an end."""

    start: Expression
    middle: Expression
    end: Expression

    def __post_init__(self) -> None:
        _refuse_monsters(self)

    @property
    def operands(self) -> tuple[Expression, ...]:
        return self.start, self.middle, self.end


@dataclass(frozen=True, slots=True)
class Not(Between):
    """Happens with the end if no `middle` happened since the start. Snoop writes not(middle)[start, end]."""

    def __str__(self) -> str:
        return f"not({self.middle})[{self.start}, {self.end}]"


@dataclass(frozen=True, slots=True)
class Aperiodic(Between):
    """Happens with each `middle` between start and end."""

    def __str__(self) -> str:
        return f"A({self.start}, {self.middle}, {self.end})"


@dataclass(frozen=True, slots=True)
class AperiodicStar(Between):
    """Happens once, with the end, if there was a `middle` since the start; carries all of them."""

    def __str__(self) -> str:
        return f"A*({self.start}, {self.middle}, {self.end})"


@dataclass(frozen=True, slots=True)
class Recurring(Expression):
    """An event that recurs at an interval between a start and an end.

    The name tells apart two events of equal definition, which matters when one of them is given another
    interval while it runs (E4).
    """

    start: Expression
    interval: timedelta
    end: Expression
    name: str = ""

    def __post_init__(self) -> None:
        positive(self.interval)
        _refuse_monsters(self)

    @property
    def operands(self) -> tuple[Expression, ...]:
        return self.start, self.end

    def _text(self, sign: str) -> str:
        return self.name or f"{sign}({self.start}, {self.interval}, {self.end})"


@dataclass(frozen=True, slots=True)
class Periodic(Recurring):
    """Happens each time the interval has passed, from the start until the end."""

    def __str__(self) -> str:
        return self._text("P")


@dataclass(frozen=True, slots=True)
class PeriodicStar(Recurring):
    """Happens once, with the end, if the interval has passed at least once; carries all those times."""

    def __str__(self) -> str:
        return self._text("P*")


def _refuse_monsters(expression: Expression) -> None:
    """Raises EventRefused for an expression that is too deep or too large, or an operand that is no event."""
    for operand in expression.operands:
        if not isinstance(operand, Expression):
            raise EventRefused(f"{operand!r} is not an event; Primitive({str(operand)!r}) would be one")
    depth, size = _weigh(expression)
    if depth > DEEPEST:
        raise EventRefused(f"an event expression may be nested {DEEPEST} deep, this one is {depth}")
    if size > LARGEST:
        raise EventRefused(f"an event expression may have {LARGEST} parts, this one has {size}")


def _weigh(expression: Expression) -> tuple[int, int]:
    """Returns the depth and the size of an expression.

    The operands were checked when they were made, so the recursion is neither deep nor long.
    """
    weights = [_weigh(operand) for operand in expression.operands]
    return 1 + max((depth for depth, _ in weights), default=0), 1 + sum(size for _, size in weights)
