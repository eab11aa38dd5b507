"""Base class of the API's objects: conversion from JSON and back."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Self, get_args, get_origin


@dataclass(frozen=True)
class Shape:
    """An object of the API; times become datetimes, objects in it shapes, and members unknown here go to *extra*."""

    extra: dict[str, Any] = field(default_factory=dict, repr=False, kw_only=True)

    @classmethod
    def of(cls, members: Mapping[str, Any]) -> Self:
        kinds = {one.name: one.type for one in fields(cls) if one.name != "extra"}
        values = {name: _parse_value(kind, members[name]) for name, kind in kinds.items() if name in members}
        extra = {name: value for name, value in members.items() if name not in kinds}
        return cls(**values, extra=extra)

    def as_json(self) -> dict[str, Any]:
        """Return the object as the API has it; members that it left out are None."""
        members = {one.name: getattr(self, one.name) for one in fields(self)}
        extra: dict[str, Any] = members.pop("extra")
        return {name: _format_value(value) for name, value in members.items()} | extra


def _parse_value(kind: Any, value: Any) -> Any:
    """Return *value* of the API's JSON as *kind*, the annotation of its field; other kinds are left as they are."""
    if get_origin(kind) is list and value:
        (item_kind,) = get_args(kind)
        return [_parse_value(item_kind, item) for item in value]
    for choice in get_args(kind) or (kind,):
        if choice is datetime and value:
            return datetime.fromisoformat(value)
        if isinstance(choice, type) and issubclass(choice, Shape) and value is not None:
            return choice.of(value)
    return value


def _format_value(value: Any) -> Any:
    if isinstance(value, list):
        return [_format_value(item) for item in value]
    if isinstance(value, Shape):
        return value.as_json()
    return value.isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else value
