"""What organisers see and may change. The acts decide; this only asks them."""

from contest.admin.players import NameReportAdmin, PlayerAdmin
from contest.admin.rounds import RoundAdmin
from contest.admin.staff import RoleAdmin, StaffAdmin
from contest.admin.submissions import SubmissionAdmin
from contest.admin.talk import BannerAdmin, QuestionAdmin, SeasonAdmin

__all__ = [
    "BannerAdmin",
    "NameReportAdmin",
    "PlayerAdmin",
    "QuestionAdmin",
    "RoleAdmin",
    "RoundAdmin",
    "SeasonAdmin",
    "StaffAdmin",
    "SubmissionAdmin",
]
