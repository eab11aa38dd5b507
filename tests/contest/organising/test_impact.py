from threading import Thread

import pytest
from django.db.models.signals import post_save

from contest.models import AuditEntry
from contest.organising import impact
from contest.staff import audit_log
from tests import cast

pytestmark = pytest.mark.django_db


def test_rows_of_other_threads_are_not_effects_of_the_act(during_round):
    """Rule 15.3: otherwise an organiser of one track would read about another's act."""

    def act():
        # A row that this thread did not create itself represents one committed by another thread.
        others_entry = AuditEntry.objects.bulk_create([AuditEntry(at=cast.DURING, act="theirs", target="round 9")])[0]
        beside = Thread(target=lambda: post_save.send(AuditEntry, instance=others_entry, created=True))
        beside.start()
        beside.join()
        audit_log.record(None, "rename", during_round, before={"name": "a"}, after={"name": "b"})

    consequences = impact.preview_act(act, [during_round], cast.DURING)
    assert [(entry.act, entry.after) for entry in consequences.entries] == [("rename", {"name": "b"})]
    assert consequences.notes == []
    assert not AuditEntry.objects.exists()
