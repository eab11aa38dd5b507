import pytest
from django.core.management import CommandError, call_command

from contest.models import Round, Submission


# The chain waits for every transaction of the cluster, including the test's own, and for numbers drawn by others.
@pytest.mark.xdist_group("cluster")
@pytest.mark.django_db(transaction=True, reset_sequences=True)
def test_a_small_season_is_entered_and_its_results_are_consistent(capsys):
    call_command("simulate", rounds=2, players=12, seed=1)
    output = capsys.readouterr().out
    assert "Rounds 1 to 2" in output
    assert "all 2 archives verify offline" in output
    assert {"web", "api"} == set(Submission.objects.values_list("door", flat=True))


def test_a_database_with_rounds_is_not_changed(during_round):
    with pytest.raises(CommandError, match="--yes"):
        call_command("simulate", rounds=1, players=1)
    assert Round.objects.count() == 1
