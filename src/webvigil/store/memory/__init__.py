"""The knowledge base in memory, which behaves as the one in `sql`; for tests and experiments.

There is one module per interface, named as in `sql`. Rows are small mutable records behind one lock; callers
get the same frozen values as from `sql`.
"""

from webvigil.store.memory.knowledge import MemoryKnowledge

__all__ = ["MemoryKnowledge"]
