"""Former names of `contest.api.serializers`, for `contest.api.entrance`."""
