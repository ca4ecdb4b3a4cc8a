"""A value that is worked out when it is first asked for, and then kept in the object.

As `functools.cached_property`, but without the lock that it has up to Python 3.11: one for all objects of a
class, held while the value is worked out, so that two threads wait for each other at every page. Two threads
that ask at the same time both work it out, and get the value of the one that was first.
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
