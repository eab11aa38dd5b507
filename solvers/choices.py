"""Enumerations that callers may pass by member or by value."""

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
