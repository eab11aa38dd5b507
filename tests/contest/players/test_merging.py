from contest.models import AuditEntry, League, Level, Placing, Player, Question, Submission, Token
from contest.players import acts, is_proved
from contest.results import rulings
from contest.wording.bilingual import Reason
from tests import cast
from tests.cast import send
from tests.contest.players.conftest import bests, players


def everything():
    rows = [
        (Submission, "player"),
        (Player, "merged_into"),
        (Placing, "player"),
        (Question, "player"),
        (Token, "player"),
    ]
    return bests(), [set(model.objects.values_list("pk", column)) for model, column in rows]


def test_an_undone_merge_restores_everything(two, during_round):
    """Rules 4.13, 15.3."""
    player, rival = players(two)
    acts.rename(player, "Winner", None)
    Placing.objects.create(round=during_round, player=player, league="human")
    Question.objects.create(round=during_round, player=player, text="?", asked_at=cast.DURING)
    Token.objects.create(public_id="x", player=player, created_at=cast.DURING)
    before = everything()
    cast.merge(player, rival, None, reason="same person")
    assert (Question.objects.get().player, Token.objects.get().player) == (rival, rival)
    assert set(rival.aliases.values_list("nickname", flat=True)) == {"Winner", "player"}
    assert everything() != before
    cast.unmerge(player, None, reason="two persons after all")
    assert everything() == before
    cast.merge(player, rival, None, reason="same person")
    entry = AuditEntry.objects.filter(act="merge").latest("pk")
    del entry.after["moved"]["Proposal"]  # as recorded before merges moved proposals
    AuditEntry.objects.filter(pk=entry.pk).update(after=entry.after)
    cast.unmerge(player, None, reason="two persons after all")
    assert everything() == before


def test_chains_of_merges_lead_to_the_living_player(two):
    player, rival = players(two)
    third = send("third", "rrR")
    cast.merge(player, rival, None, reason="")
    cast.merge(rival, third.submission.player, None, reason="")
    assert send("player", "rrrR", claim=third.claim).submission.player == third.submission.player
    cast.unmerge(rival, None, reason="")
    assert send("player", "rrrrR", claim=two[1].claim).submission.player == rival


def test_a_player_is_out_until_each_disqualification_of_a_name_is_lifted(two, during_round):
    """Rule 4.13: if two rulings meet in one player, lifting one leaves the other in force."""
    player, rival = players(two)
    own_ruling, other_ruling = (
        rulings.disqualify(during_round, name, Reason(en="Copied."), at=cast.DURING, by=None)
        for name in (player, rival)
    )
    cast.merge(player, rival, None, reason="same person")
    rulings.lift(other_ruling, Reason(en="Not copied."), at=cast.DURING, by=None)
    assert bests() == set()
    rulings.lift(own_ruling, Reason(en="Nor this."), at=cast.DURING, by=None)
    assert {holder for _level, _board, holder, _metric, _best in bests()} == {rival.pk}


def test_the_proofs_of_both_names_prove_the_merged_player_and_an_open_name_is_closed(during_round):
    """Rules 4.11, 4.12: and pages show so at once."""
    claimed, open_ = send("claimed", "rR"), send("open", "rR", door=cast.Door.LEGACY)
    elsewhere = cast.a_round(2, **cast.earlier(9))
    level = cast.enter(elsewhere, "open", 5, 2, at=elsewhere.opens_at).level
    before = Level.objects.get(pk=level.pk).board_version
    cast.merge(claimed.submission.player, open_.submission.player, None, reason="")
    player = Player.objects.get(nickname="open")
    assert not player.is_open
    assert is_proved(player, claimed.claim or "", None)
    assert Level.objects.get(pk=level.pk).board_version > before


def test_final_results_with_both_names_change_only_by_a_revision(two, during_round):
    """Rule 14.4."""
    player, rival = players(two)
    for one in (player, rival):
        Placing.objects.create(round=during_round, player=one, league="human")
    assert cast.merge(player, rival, None, reason="").report == [
        "Both players are in the final results of rounds 1. Publish a revision of these results."
    ]
    assert set(Placing.objects.values_list("player", flat=True)) == {player.pk, rival.pk}


def test_a_player_is_not_merged_into_itself_or_an_alias_or_into_a_program(two):
    """Rules 4.13, 16.3: and only merged players can be separated."""
    player, rival = players(two)
    acts.rename(player, "Winner", None)
    for name in (player, player.aliases.get()):
        assert cast.refusal_of(cast.unmerge, name, None, reason="")
    Player.objects.filter(pk=rival.pk).update(league=League.BOT)
    assert "league" in cast.refusal_of(cast.merge, player, rival, None, reason="")
    Player.objects.filter(pk=rival.pk).update(league=League.HUMAN)
    assert cast.refusal_of(cast.merge, player, player, None, reason="")
    cast.merge(player, rival, None, reason="")
    assert cast.refusal_of(cast.merge, rival, player, None, reason="")
