"""Arguments that callers may pass wrongly: enumerations by member or by value, and types."""

from enum import StrEnum
from typing import NoReturn


class Choice(StrEnum):
    """An enumeration whose error for an invalid value lists the allowed values.

    A function with such a parameter calls the class first, because callers may pass a plain string.
    """

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        allowed = ", ".join(repr(member.value) for member in cls)
        raise ValueError(f"{value!r} is no {cls.__name__.lower()}; allowed: {allowed}")


def require(kind: type, **arguments: object) -> None:
    """Raise a TypeError that names the first of *arguments* that is not of this type.

    >>> require(int, boxes="three")
    Traceback (most recent call last):
    TypeError: boxes must be int, not 'three'
    """
    for name, value in arguments.items():
        if not isinstance(value, kind):
            raise TypeError(f"{name} must be {kind.__name__}, not {value!r}")
