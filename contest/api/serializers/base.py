"""Bases of all serializers: DRF's, with a faster `to_representation` (docs/explanation/decisions/api-objects.md)."""

from collections.abc import Callable
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any, ClassVar

from rest_framework import serializers

_AnyField = serializers.Field[Any, Any, Any, Any]
_Part = tuple[str, Callable[[Any], Any], Callable[[Any], Any], bool]
# Built-in functions with the same result as these fields for a valid value.
_WRITERS: dict[Any, Callable[[Any], Any]] = {
    serializers.CharField: str,
    serializers.ChoiceField: str,
    serializers.IntegerField: int,
    serializers.FloatField: float,
    serializers.BooleanField: bool,
}


class AnswerSerializer(serializers.Serializer[Any]):
    """Read each member by a getter that is compiled once per class. Three things differ from DRF's serializers.

    A member with *required=False* is left out if the value is None (one with *allow_null* is null). Fields have no
    `context`. The class name without `Serializer` is the object's name in the OpenAPI file.
    """

    getter: ClassVar[Any] = attrgetter

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = {}
        for name, read, write, is_optional in _parts(type(self)):
            value = read(instance)
            if value is not None:
                shown[name] = write(value)
            elif not is_optional:
                shown[name] = None
        return shown


class MappingSerializer(AnswerSerializer):
    """The same for a mapping that has all the members."""

    getter = itemgetter


@cache
def _parts(kind: type[AnswerSerializer]) -> list[_Part]:
    """Return name, getter, writer, and whether None is left out, for each field."""
    return [
        (str(field.field_name), _getter(kind, field), _writer(field), not (field.required or field.allow_null))
        for field in kind().fields.values()
    ]


def _getter(kind: type[AnswerSerializer], field: _AnyField) -> Callable[[Any], Any]:
    if field.source == "*":
        return lambda instance: instance
    getter: Callable[[Any], Any] = kind.getter(str(field.source))
    if not field.allow_null or "." not in str(field.source):
        return getter

    def read(instance: Any) -> Any:
        """Return null if an object on the path is null, as DRF does."""
        try:
            return getter(instance)
        except AttributeError:
            return None

    return read


def _writer(field: _AnyField) -> Callable[[Any], Any]:
    usual = (write for kind, write in _WRITERS.items() if type(field).to_representation is kind.to_representation)
    return next(usual, field.to_representation)


class Wrapper:
    """A *row* with facts that are not in the database; every other attribute is the row's.

    A field without a fact of its name shows the row's own column, so pass a fact wherever `visibility` decides.
    """

    def __init__(self, row: Any, **facts: Any) -> None:
        # The row's values are copied, because reading each of them by __getattr__ is slow.
        vars(self).update(getattr(row, "__dict__", ()), row=row, **facts)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.row, name)

    def __str__(self) -> str:
        return str(self.row)
