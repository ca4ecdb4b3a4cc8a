"""Many regular expressions and a text in, those that match nothing out, in one pass (G3)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from webvigil.document.patterns import Pattern

# The bytes of memory for one automaton of RE2. If they do not suffice, `unmatched` returns nothing.
_MEMORY = 32 << 20


class PatternSet:
    """A set of expressions. Those that RE2 can run on a text are run together as one automaton."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._patterns = {one.text: one for one in patterns}

    def unmatched(self, text: str) -> set[str]:
        """Returns the expressions that certainly match nothing in the text. Expressions that RE2 cannot run
        are never among them."""
        spelled = {name: form for name, one in self._patterns.items() if (form := one.spelled_for(text))}
        if not spelled:
            return set()
        hits = _compiled(tuple(spelled.values())).Match(text.encode("utf-8", "surrogatepass"))
        # The first expression of the set is empty and always matches. If it is not among the hits, the
        # automaton ran out of memory, and its answer says nothing.
        if 0 not in hits:
            return set()
        found = set(hits)
        return {name for place, name in enumerate(spelled, 1) if place not in found}


@lru_cache(maxsize=64)
def _compiled(spelled: tuple[str, ...]) -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    one = re2.Set.SearchSet(options)
    for text in ("", *spelled):
        one.Add(text)
    one.Compile()
    return one
