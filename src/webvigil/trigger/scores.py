"""The taste of a user in, scores of findings out: weights for kinds of change, and words of interest (T2).

A taste is stored as JSON, `{"weights": {"link": 512}, "interests": ["merger"]}`. A kind without a weight of
its own has the weight of table I of the BEH paper. Detection has already scored the findings with these
default weights, so a user without a taste needs no second scoring.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import Any

from webvigil.detect.measure import WEIGHTS, Weights, score
from webvigil.detect.wording import folded_words
from webvigil.document import PageDigest
from webvigil.errors import SettingRefused
from webvigil.model.change import Finding
from webvigil.model.sentinel import ChangeType

KINDS = tuple(field.name for field in fields(Weights))
# Bounds of what a user may enter; `new_taste` refuses more.
HEAVIEST = 1_000_000_000
_MOST_INTERESTS = 1_000


@dataclass(frozen=True, slots=True)
class Taste:
    """The weights and words of interest of one user."""

    weights: Weights = WEIGHTS
    interests: tuple[str, ...] = ()

    def scored(
        self,
        look: Callable[[], tuple[PageDigest, PageDigest]],
        changes: Sequence[ChangeType],
        findings: tuple[Finding, ...],
    ) -> tuple[Finding, ...]:
        """Returns the findings of these change types with the scores that this user's taste gives them."""
        return tuple(
            replace(one, score=score(*look(), change, one.objects, self.weights, self.interests))
            if one.changed
            else one
            for change, one in zip(changes, findings, strict=True)
        )

    def in_words(self) -> str:
        """Returns a text for a person: every weight, and the words of interest."""
        weights = ", ".join(f"{name} {weight}" for name, weight in asdict(self.weights).items())
        words = ", ".join(self.interests) or "none"
        return f"weights: {weights}\nwords of interest: {words}"

    def as_text(self) -> str:
        """Returns the JSON to store, with the weights that differ from the defaults only. The default taste
        is an empty string."""
        other = {
            name: weight for name, weight in asdict(self.weights).items() if weight != getattr(WEIGHTS, name)
        }
        plain = {"weights": other, "interests": list(self.interests)}
        return json.dumps({key: value for key, value in plain.items() if value}) if self != NO_TASTE else ""


NO_TASTE = Taste()
"""The default weights and no words of interest."""


@lru_cache(4096)
def taste(text: str) -> Taste:
    """Reads the JSON that `Taste.as_text` returned. An empty text is the default taste."""
    if not text:
        return NO_TASTE
    plain: dict[str, Any] = json.loads(text)
    return Taste(replace(WEIGHTS, **plain.get("weights", {})), tuple(plain.get("interests", ())))


def new_taste(weights: Iterable[tuple[str, int]], interests: Iterable[str]) -> Taste:
    """Returns the taste for the weights and words that a user entered. Raises SettingRefused for an unknown
    or excessive weight, for a word without letters or digits, and for too many words."""
    chosen = dict(weights)
    for name, weight in chosen.items():
        if name not in KINDS:
            raise SettingRefused(f"there is no weight {name!r}; there are {', '.join(KINDS)}")
        if not 0 <= weight <= HEAVIEST:
            raise SettingRefused(f"the weight of {name} must be from 0 to {HEAVIEST:,}, not {weight}")
    words = tuple(dict.fromkeys(interests))
    for word in words:
        if not folded_words(word):
            raise SettingRefused(f"the word of interest {word!r} has no letter or digit to look for")
    if len(words) > _MOST_INTERESTS:
        raise SettingRefused(f"there may be {_MOST_INTERESTS:,} words of interest, not {len(words):,}")
    return Taste(replace(WEIGHTS, **chosen), words)
