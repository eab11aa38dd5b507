"""The refusal of a body."""

from contest.api.serializers.problems import Invalid

__all__ = ["Invalid"]
