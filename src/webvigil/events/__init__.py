"""Occurrences and the clock in, composite events and the rules that run on them out."""

from webvigil.events.clock import Clock, SystemClock, Timed, VirtualClock
from webvigil.events.context import Context
from webvigil.events.detector import Detector, Pending
from webvigil.events.expression import (
    And,
    Aperiodic,
    AperiodicStar,
    At,
    Expression,
    Not,
    Or,
    Periodic,
    PeriodicStar,
    Plus,
    Primitive,
    Seq,
)
from webvigil.events.occurrence import Occurrence
from webvigil.events.pattern import Pattern
from webvigil.events.rule import Rule, RuleFailure
from webvigil.events.runner import Runner

__all__ = [
    "And",
    "Aperiodic",
    "AperiodicStar",
    "At",
    "Clock",
    "Context",
    "Detector",
    "Expression",
    "Not",
    "Occurrence",
    "Or",
    "Pattern",
    "Pending",
    "Periodic",
    "PeriodicStar",
    "Plus",
    "Primitive",
    "Rule",
    "RuleFailure",
    "Runner",
    "Seq",
    "SystemClock",
    "Timed",
    "VirtualClock",
]
