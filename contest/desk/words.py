"""Texts of the desk for checklist steps."""

from django.utils.translation import gettext_lazy as _

from contest.organising.checklist import Name

STEP_TITLES = {
    Name.DRAFT: _("Add a main level"),
    Name.GATE: _("Pass the level check"),
    Name.SCHEDULE: _("Set the times"),
    Name.PREVIEW: _("Look at the preview"),
    Name.PUBLISH: _("Publish"),
    Name.WATCH: _("Watch the round"),
    Name.CLOSE: _("Wait for the reveal"),
    Name.VERIFY: _("Verify the verdicts"),
    Name.DRAW: _("Check the draw"),
    Name.FINALISE: _("Make the results final"),
    Name.REVISE: _("Revise the results"),
    Name.ANNOUNCE: _("Announce the results"),
}
WAITING_TEXTS = {
    Name.WATCH: _("It opens and closes automatically."),
    Name.CLOSE: _("Results are held back after an outage."),
}
