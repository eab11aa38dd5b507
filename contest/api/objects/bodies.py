"""Reading of entries."""

from contest.api.serializers.submissions import entry

__all__ = ["entry"]
