"""`cached_property` without a lock: a value that is computed on first use and then kept in the object.

Up to Python 3.11 `functools.cached_property` has one lock for all objects of a class and holds it while it
computes a value, so two threads would wait for each other at every page. Without the lock two threads that
ask at the same time both compute the value, and both get the value of the one that was first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property:  # noqa: N801 - a decorator
        def __init__(self, make):
            self._make = make
            self.__doc__ = make.__doc__

        def __set_name__(self, owner, name):
            self._name = name

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            return instance.__dict__.setdefault(self._name, self._make(instance))


__all__ = ["cached_property"]
