"""Base of the serializers that read a request."""

from functools import cache
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from contest.api.serializers.problems import Invalid


class BodySerializer(serializers.Serializer[Any]):
    """The body of a request. Null is the same as an absent member; unknown members are ignored."""

    def run_validation(self, data: Any = None) -> Any:
        if not isinstance(data, dict):
            raise Invalid("", "not_an_object", _("The body must be a JSON object."))
        return super().run_validation({name: value for name, value in data.items() if value is not None})


def read(body: type[BodySerializer], data: Any) -> dict[str, Any]:
    """Return *data* as validated by *body*. Raise ValidationError, which names every invalid member."""
    given: dict[str, Any] = _reader(body).run_validation(data)
    return given


@cache
def _reader(body: type[BodySerializer]) -> BodySerializer:
    """Return one instance for all requests, because DRF copies all fields for a new one."""
    return body()


class NothingSerializer(BodySerializer):
    """An empty object."""
