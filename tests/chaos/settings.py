"""The site's settings with limits that many senders at one address do not reach."""

from contest.settings import *  # noqa: F403 - the environment comes first

QUOTA_PER_SECONDS = {60: 60}
QUOTA_PER_ROUND = 1_000_000
ADDRESS_PER_MINUTE = 1_000_000
STORED_BYTES_PER_DAY, JUDGED_SECONDS_PER_DAY = 1_000_000_000_000, 1_000_000_000
FORMS_PER_MINUTE = 1_000_000
OWN_LEVELS = False
