"""Levels published without a known solution (rule 2.7): the round's settings name their slots."""

from contest.models import Round

NAME = "not_known_solvable"


def note(round_: Round) -> None:
    """Set in the settings of an unopened round which of its levels have no solution."""
    slots = list(round_.levels.filter(solution="").values_list("slot", flat=True)) if round_.pk else []
    if slots or round_.settings.get(NAME):
        round_.settings = {**round_.settings, NAME: slots}


def note_and_save(round_: Round) -> None:
    """Do the same, and save, after a level was added or removed."""
    before = round_.settings
    note(round_)
    if round_.settings != before:
        Round.objects.filter(pk=round_.pk).update(settings=round_.settings)
