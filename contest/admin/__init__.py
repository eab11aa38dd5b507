"""The plain admin for organisers. The acts enforce the rules; these classes only call them."""

from contest.admin.players import NameReportAdmin, PlayerAdmin
from contest.admin.rounds import RoundAdmin
from contest.admin.seasons import SeasonAdmin
from contest.admin.staff import RoleAdmin, StaffAdmin
from contest.admin.submissions import SubmissionAdmin

__all__ = [
    "NameReportAdmin",
    "PlayerAdmin",
    "RoleAdmin",
    "RoundAdmin",
    "SeasonAdmin",
    "StaffAdmin",
    "SubmissionAdmin",
]
