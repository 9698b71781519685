"""Properties that are computed once."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801  # a decorator
    """A property that is computed once.

    It is `functools.cached_property` without the lock that Python before 3.12 takes, which costs a microsecond at each
    first reading. Two threads may both compute it, with equal results.
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out = work_out
        self._name = work_out.__name__
        self.__doc__ = work_out.__doc__

    def __get__(self, owner: Any, _kind: type) -> T:
        value = owner.__dict__[self._name] = self._work_out(owner)
        return value
