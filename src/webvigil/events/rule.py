"""Rules: when the event occurs and the condition holds, the action is carried out (E3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from webvigil.errors import EventRefused
from webvigil.events.context import Context
from webvigil.events.expression import Expression
from webvigil.events.occurrence import Occurrence


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """An event, a condition and an action.

    Of several rules on what occurs at one moment, higher priority goes first, then the rule that was added
    first. Condition and action run in the detector's own thread: an action that takes long must hand its work
    on.
    """

    name: str
    event: Expression
    action: Callable[[Occurrence], Any]
    condition: Callable[[Occurrence], bool] | None = None
    priority: int = 0
    context: Context = Context.RECENT

    def __post_init__(self) -> None:
        if not self.name:
            raise EventRefused("a rule needs a name")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFailure:
    """The failure of a rule for one occurrence: which part of the rule raised which error."""

    rule: Rule
    occurrence: Occurrence
    part: Literal["condition", "action"]
    error: Exception

    def __str__(self) -> str:
        why = f"{type(self.error).__name__}: {self.error}"
        return f"rule {self.rule.name!r} failed in its {self.part} on {self.occurrence.name}: {why}"


class Listener:
    """A rule that was added to a detector; `order` sorts those that hear of the same moment."""

    __slots__ = ("enabled", "order", "rule")

    def __init__(self, rule: Rule, number: int) -> None:
        self.rule = rule
        self.order = (-rule.priority, number)
        self.enabled = True
