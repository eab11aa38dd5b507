"""Choices that functions take by member or by value."""

from enum import StrEnum
from typing import NoReturn


class Choice(StrEnum):
    """An enumeration that names its values where it refuses another.

    A function that takes a choice calls the class first: callers may pass a plain string, which no type checker sees.
    """

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        allowed = ", ".join(repr(member.value) for member in cls)
        raise ValueError(f"{value!r} is no {cls.__name__.lower()}; allowed: {allowed}")
