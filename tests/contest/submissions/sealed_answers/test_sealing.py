import pytest

from contest import players, visibility
from contest.infra import clock
from contest.judging import receipt_chain
from contest.models import Best, ChainLink, Door, League, Player, Round, SealedAnswer, SealedState
from contest.rules import canonical
from contest.submissions import sealed_answers
from contest.submissions.sealed_answers import MAX_PER_ROUND, SealedEntry, seal
from contest.visibility import Viewer
from tests import cast
from tests.contest.archive.test_sealed import chain
from tests.contest.submissions.sealed_answers.conftest import DAY, TICK, opened, refusal_of, sealed

pytestmark = pytest.mark.django_db


def test_a_hash_with_counts_is_stored_with_its_time_and_no_moves(ann):
    """Rules 5.11, 5.13: if the round accepts them; unproved until the day is over, then void."""
    answer, text = sealed(ann)
    assert (answer.player, answer.level.slot, answer.moves, answer.pushes) == (ann, "main", 2, 1)
    assert (answer.received_at, answer.sha256) == (cast.DURING, canonical._sha256(text))
    assert {field.name for field in SealedAnswer._meta.get_fields()}.isdisjoint({"text", "lurd", "salt"})
    states = [answer.state(at) for at in (cast.DURING, cast.CLOSES, cast.CLOSES + DAY - TICK, cast.CLOSES + DAY)]
    assert states == [SealedState.SEALED] * 3 + [SealedState.VOID]
    Round.objects.update(settings={})
    assert refusal_of(sealed, ann) == "no_sealed_answers"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"at": cast.OPENS - TICK}, "early"),
        ({"at": cast.CLOSES - TICK}, None),
        ({"at": cast.CLOSES}, "late"),
        ({"counts": (2, 0)}, "below_bound"),
        ({"counts": (1, 1)}, None),
        ({"counts": (1_000_001, 1)}, "bad_counts"),
        ({"slot": "extra", "counts": (5, 1)}, "below_bound"),  # its box needs at least two pushes
        ({"slot": "extra", "counts": (5, 2)}, None),
    ],
)
def test_an_answer_is_sealed_only_in_an_open_round_with_possible_counts(ann, monkeypatch, fields, code):
    """Rules 3.2, 5.11: every failure is counted."""
    counted = []
    monkeypatch.setattr(sealed_answers.metrics, "count_refusal", lambda door, code: counted.append((door, code)))
    if code:
        assert refusal_of(sealed, ann, **fields) == code
        assert counted == [(Door.API, code)]
    else:
        assert sealed(ann, **fields)[0].received_at == fields.get("at", cast.DURING)


def test_a_slot_without_a_level_is_not_found(ann):
    refusal = cast.refused(sealed, ann, slot="extra3")
    assert (refusal.code, refusal.status, refusal.field) == ("no_level", 404, "slot")


def test_the_same_hash_with_other_counts_or_of_somebody_else_is_refused(ann):
    """Rule 5.11: a copied hash cannot be opened; the same hash with the same counts returns the first receipt."""
    first, text = sealed(ann)
    assert sealed(ann, at=cast.DURING + DAY)[0] == first
    assert SealedAnswer.objects.get().received_at == cast.DURING
    assert refusal_of(sealed, ann, counts=(3, 1)) == "sealed_already"
    bo = players.create("Bo", country="", email="", at=cast.OPENS)[0]
    entry = SealedEntry(1, "main", 2, 1, canonical._sha256(text))
    with clock.set_to(cast.DURING):
        assert refusal_of(seal, entry, bo, door=Door.API) == "sealed_already"
        for given in ("", "0" * 63, "g" * 64):
            assert refusal_of(seal, SealedEntry(1, "main", 2, 1, given), ann, door=Door.WEB) == "bad_hash"


def test_a_player_seals_a_limited_number_of_answers_a_round(ann):
    for number in range(MAX_PER_ROUND):
        sealed(ann, salt=f"{number:032x}")
    assert refusal_of(sealed, ann, salt="f" * 32) == "quota"
    assert sealed(ann, salt=f"{0:032x}")[0].pk == SealedAnswer.objects.last().pk


def test_an_organiser_is_refused_or_hors_concours_and_a_program_at_a_persons_door_refused(round_, ann):
    """Rules 1.8, 4.10, 16.2."""
    assert refusal_of(sealed, ann, viewer=Viewer(is_organiser=True)) == "not_allowed"
    Player.objects.update(league=League.BOT)
    assert refusal_of(sealed, ann, door=Door.WEB) == "not_allowed"
    Player.objects.update(league=League.HUMAN)
    Round.objects.update(settings={**round_.settings, "organisers_may_enter": "hors concours"})
    _answer, text = sealed(ann, viewer=Viewer(is_organiser=True))
    assert opened(text).is_hors_concours
    assert not Best.objects.exists()


def test_an_unopened_answer_is_only_in_the_list_of_sealed_answers(ann):
    """Rule 5.12: random rounds compare that it affects no ranking and no point."""
    sealed(ann)
    at = cast.DURING + DAY
    assert visibility.sealed_answers(Viewer(), at).get().player == ann
    assert not visibility.sealed_answers(Viewer(), cast.OPENS - TICK).exists()
    assert not visibility.accepted_submissions(Viewer(), at).exists()
    assert not visibility.players(Viewer(), at).exists()


def test_every_sealed_answer_is_bound_with_its_counts_and_its_player(round_, ann):
    """Rules 5.12, 24.2: anybody who saved a link notices an answer inserted later."""
    answer, text = sealed(ann)
    with clock.set_to(cast.DURING):
        receipt_chain.append_all()
        links = list(ChainLink.objects.order_by("position"))
    at = canonical.instant(cast.DURING)
    bound_text = f"sealed|1|main|{answer.number}|{at}|2|1|{answer.sha256}|{ann.archive_number}"
    assert [link.round_id for link in links] == [round_.pk, None]
    assert links[1].leaf == canonical._sha256(bound_text)
    assert links[1].link == canonical.bind(links[0].link, links[1].leaf)
    assert visibility.chain_link(round_, cast.DURING).sealed_answer == answer
    opened(text)
    with clock.set_to(cast.CLOSES):
        chain()
        assert receipt_chain.append_all() == 0
    assert visibility.chain_link(round_, cast.CLOSES + DAY).submission.sealed_answer == answer
