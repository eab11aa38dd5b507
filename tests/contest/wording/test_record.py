"""The audit log describes changes in sentences, in the reader's language (rule 15.3)."""

from datetime import timedelta

import pytest
from django.utils.translation import override

from contest import rounds
from contest.library import series
from contest.models import AuditEntry, Round, Series
from contest.wording.record import sentences
from tests import cast

BEFORE = cast.OPENS - timedelta(days=5)


def an_entry(before=None, after=None, target="round 1"):
    return AuditEntry(target=target, before=before or {}, after=after or {})


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Opens at: from 2026-11-01 20:00 (UTC+8) to 2026-11-02 20:00 (UTC+8)."),
        ("en", "Title in English: from “Round” to “Better”."),
        ("en", "Lucky draw: from yes to no."),
        ("zh-hans", "英文标题：由“Round”改为“Better”。"),
        ("zh-hans", "幸运抽奖：由是改为否。"),
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


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_no_change_of_a_round_or_a_series_is_described_by_a_column_name(language):
    weekly = Series(name_zh="周赛", name_en="Weekly", first_opens_at=cast.OPENS)
    facts = {"round 1": rounds.lifecycle._facts(Round(opens_at=cast.OPENS, closes_at=cast.CLOSES))}
    facts["series 1"] = series.facts(weekly)
    with override(language):
        for target, held in facts.items():
            text = " ".join(sentences(an_entry(dict.fromkeys(held, "x"), dict.fromkeys(held, "y"), target)))
            assert not [name for name in held if "_" in name and name in text]
            assert "_id" not in text


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"is_running": True}, {"is_running": False}, ["Running: from yes to no."]),
        ({}, {"slot": "extra", "title": "T", "author": ""}, ["Slot: Extra.", "Title: “T”."]),
        ({"prizes_en": "A book"}, {"prizes_en": ""}, ["Prizes in English: from “A book” to none."]),
        ({"opens_at": "2026-11-01T12:00:00+00:00"}, {"opens_at": "2026-11-01T20:00:00+08:00"}, []),
        ({"player": 7}, {}, ["Player: was 7."]),
        ({}, {"sha256": "ab" * 32}, ["Checksum: abababababab…."]),
        ({"closes_at": "9999-99-99T99:99"}, {}, ["Closes at: was “9999-99-99T99:99”."]),
        ({}, {"slots": ["main", "extra"], "levels": 3}, ["Slots: Main, Extra.", "Levels: 3."]),
        ({"settings": {}}, {"settings": {"leagues": ["odd"]}}, None),
        ({}, {"settings": Round().settings}, []),
    ],
)
def test_every_kind_of_value_is_described(before, after, expected):
    target = "series 1" if "is_running" in before else "round 1"
    described = sentences(an_entry(before, after, target))
    assert described == expected if expected is not None else described[0].endswith("to ['odd'].")
