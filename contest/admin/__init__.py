"""The plain admin for organisers. The acts enforce the rules; these classes only call them."""

from django.contrib import admin
from django.utils.functional import lazy

from contest.admin.certificates import CertificateAdmin
from contest.admin.players import NameReportAdmin, PlayerAdmin
from contest.admin.programs import ProgramAdmin
from contest.admin.rounds import RoundAdmin
from contest.admin.seasons import SeasonAdmin
from contest.admin.staff import RoleAdmin, StaffAdmin
from contest.admin.submissions import SubmissionAdmin
from contest.infra import identity

admin.site.site_header = admin.site.site_title = lazy(identity.name, str)()

__all__ = [
    "CertificateAdmin",
    "NameReportAdmin",
    "PlayerAdmin",
    "ProgramAdmin",
    "RoleAdmin",
    "RoundAdmin",
    "SeasonAdmin",
    "StaffAdmin",
    "SubmissionAdmin",
]
