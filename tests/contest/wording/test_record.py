"""The audit log describes changes in sentences, in the reader's language (rule 15.3)."""

from datetime import timedelta

import pytest
from django.utils.translation import override

from contest import rounds
from contest.models import AuditEntry
from contest.wording.record import sentences
from tests import cast

BEFORE = cast.OPENS - timedelta(days=5)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Opens at: from 2026-11-01 20:00 (UTC+8) to 2026-11-02 20:00 (UTC+8)."),
        ("en", "Lucky draw: from yes to no."),
        ("zh-hans", "英文标题：由“Round”改为“Better”。"),
    ],
)
def test_a_changed_round_is_described_with_its_old_and_new_values(db, language, sentence):
    round_ = cast.a_round(announced_at=None)
    round_.opens_at += timedelta(days=1)
    round_.title_en = "Better"
    round_.settings = {**round_.settings, "lucky": False}
    rounds.save(round_, at=BEFORE, by=None)
    with override(language):
        assert sentence in sentences(AuditEntry.objects.get(act="change round"))
