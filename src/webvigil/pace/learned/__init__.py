"""The policy `learned`: what was seen of a page in, the moment at which a look is worth its price out."""

from webvigil.pace.learned.policy import ALONE, Learned
from webvigil.pace.learned.state import LearnedState

__all__ = ["ALONE", "Learned", "LearnedState"]
