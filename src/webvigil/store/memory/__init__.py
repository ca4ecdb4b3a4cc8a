"""The knowledge base in memory: the twin that keeps the same promises as `sql`, for tests and experiments.

One module per promise, named as in `sql`. Rows are small mutable records behind one lock; what goes out
is the same frozen values.
"""

from webvigil.store.memory.knowledge import MemoryKnowledge

__all__ = ["MemoryKnowledge"]
