from datetime import timedelta

import pytest

from contest import judging, models
from contest.celery import tasks
from contest.infra import clock
from contest.judging import consistency
from contest.players import BadName, acts, api_tokens, is_proved, resting
from contest.results import rulings
from contest.submissions import Entry, Refused, Sent, accept, accept_batch, at_once
from contest.wording.bilingual import Reason
from tests import cast
from tests.cast import send


@pytest.fixture
def two(during_round):
    """A player and a rival with judged results: the player has fewer moves."""
    player, rival = send("player", "rR"), send("rival", "rlrR")
    judging.judge_until_empty()
    return player, rival


@pytest.fixture
def player(two):
    return models.Player.objects.get(pk=two[0].submission.player_id)


@pytest.fixture
def rival(two):
    return models.Player.objects.get(pk=two[1].submission.player_id)


def bests():
    return set(models.Best.objects.values_list("level", "board", "player", "metric", "submission"))


def audited():
    return list(models.AuditEntry.objects.values_list("act", flat=True))


def test_the_old_name_of_a_renamed_player_stays_reserved(two, player, rival):
    """Rules 4.13, 15.6: but the player may go back to it."""
    acts.rename(player, "Winner", None)
    assert models.Player.objects.get(pk=player.pk).nickname == "Winner"
    with pytest.raises(Refused):
        send("player", "rrrR")
    assert send("player", "rrrR", claim=two[0].claim).submission.player == player
    assert audited() == ["rename"]
    assert "player" not in str(
        models.AuditEntry.objects.values_list("before", "after")
    )  # so that the name can be erased
    acts.rename(player, "player", None)
    assert (models.Player.objects.get(pk=player.pk).nickname, player.aliases.get().nickname) == ("player", "Winner")
    assert cast.refusal_of(acts.rename, rival, "Winner", None)


def test_players_rename_themselves_once_in_thirty_days_and_not_during_their_round(player):
    """Rules 4.5, 4.13: another spelling is free and leaves no name behind."""
    acts.rename_oneself(player, "PLAYER", None)
    assert not player.aliases.exists()
    assert "open round" in cast.refusal_of(acts.rename_oneself, player, "Winner", None)
    with clock.set_to(cast.AFTER):
        acts.rename_oneself(player, "Winner", None)
        assert "30 days" in cast.refusal_of(acts.rename_oneself, player, "Loser", None)
    with clock.set_to(cast.AFTER + timedelta(days=30)):
        acts.rename_oneself(player, "Loser", None)
    assert models.Player.objects.get(pk=player.pk).nickname == "Loser"
    for number in range(acts.MOST_FORMER_NAMES):
        acts.rename(player, f"name {number}", None)
    with clock.set_to(cast.AFTER + timedelta(days=60)):
        assert "too often" in cast.refusal_of(acts.rename_oneself, player, "one too many", None)


def test_a_league_is_corrected_between_rounds_with_the_bests_and_all_tokens_revoked(player, rival):
    """Rule 16.3."""
    assert cast.refusal_of(acts.correct_league, player, models.League.BOT, None, reason="a program")
    models.Token.objects.create(public_id="x", player=player, created_at=cast.DURING)
    with clock.set_to(cast.AFTER):
        acts.correct_league(player, models.League.BOT, None, reason="a program")
        assert not models.Token.objects.valid(cast.AFTER).exists()
    assert set(models.Best.objects.values_list("player", "league")) == {(player.pk, "bot"), (rival.pk, "human")}
    assert audited() == ["league"]


def test_a_name_with_results_or_pending_submissions_is_not_freed(during_round):
    player = send("player", "rR").submission.player
    assert "judged" in cast.refusal_of(acts.release, player, None, reason="")
    judging.judge_until_empty()
    assert "results" in cast.refusal_of(acts.release, player, None, reason="")


def test_no_proof_of_the_former_holder_works_for_a_name_handed_over(during_round):
    """Rule 4.11: the same for a released name of a player without accepted submissions."""
    other = send("Known", "r").submission
    token = api_tokens.make(other.player, None, cast.DURING)
    squatter = send("Famous", "r")
    judging.judge_until_empty()
    acts.release(other.player, None, reason="squatted")
    with pytest.raises(api_tokens.BadToken):
        api_tokens.of_text(token.text, cast.DURING)
    assert send("known", "rR").submission.player != other.player
    assert models.Submission.objects.get(pk=other.pk).player == other.player
    heir = acts.hand_over(squatter.submission.player, None, reason="squatted")
    assert (heir.nickname, heir.is_open) == ("Famous", False)
    for proof in (squatter.claim, squatter.submission.receipt_id):
        assert not is_proved(heir, proof or "", None)
        with pytest.raises(Refused):
            send("famous", "rR", claim=proof)


def test_erasing_a_player_deletes_personal_data_and_keeps_results(two, player, rival, during_round):
    """Rule 15.6: organisers reword a public question; the audit log is never erased."""
    acts.rename(player, "Winner", None)
    acts.set_country(player, "TV", None)
    models.Player.objects.filter(pk=player.pk).update(email="me@example.org")
    question = {"text": "It is Ann", "public_text": "Is it?", "is_public": True, "asked_at": cast.DURING}
    models.Question.objects.create(round=during_round, player=player, **question)
    hook = models.Webhook.objects.create(player=rival, url="https://example.org", secret="x", created_at=cast.DURING)
    body = {"round": 1, "player": {"number": player.pk, "name": "Winner"}}
    models.Delivery.objects.create(webhook=hook, event="new_best", key="1", body=body, created_at=cast.DURING)
    before = (
        bests(),
        list(models.Submission.objects.values_list("pk", "receipt_id", "sha256", "text", "received_at", "player")),
    )
    acts.erase(player, None)
    erased = models.Player.objects.get(pk=player.pk)
    assert (erased.nickname, erased.country, erased.email, erased.owner) == ("deleted player", "", "", None)
    assert not erased.is_open
    assert not is_proved(erased, two[0].claim or "", None)
    assert set(models.Player.objects.values_list("nickname", flat=True)) == {"deleted player", "rival"}
    assert erased.archive_number == player.archive_number
    assert (models.Question.objects.get().text, models.Question.objects.get().public_text) == ("", "Is it?")
    assert models.Delivery.objects.get().body["player"] == {"number": player.pk, "name": "deleted player"}
    assert not [entry for entry in models.AuditEntry.objects.all() if "TV" in f"{entry.before}{entry.after}"]
    sent = list(models.Submission.objects.values_list("pk", "receipt_id", "sha256", "text", "received_at", "player"))
    assert (bests(), sent) == before


def test_erasing_a_player_finds_what_is_about_a_merged_name(player, rival):
    """Rule 15.6: deliveries and reports stay with the name that they are about when it is merged."""
    other = send("Cy", "rR").submission.player
    hook = models.Webhook.objects.create(player=other, url="https://example.org", secret="x", created_at=cast.DURING)
    body = {"player": {"number": rival.pk, "name": rival.nickname}}
    models.Delivery.objects.create(webhook=hook, event="new_best", key="1", body=body, created_at=cast.DURING)
    for about in ({"player": rival}, {"player": other, "other": rival}):
        models.NameReport.objects.create(kind="lookalike", text=rival.nickname, reported_at=cast.DURING, **about)
    judging.judge_until_empty()
    cast.merge(rival, player)
    acts.erase(player, None)
    kept = [
        *models.Delivery.objects.values_list("body", flat=True),
        *models.NameReport.objects.values_list("text", flat=True),
    ]
    assert rival.nickname not in str(kept)


@pytest.fixture
def erased(during_round):
    player = send("Martina", "rR").submission.player
    acts.rename(player, "Bernd", None)
    acts.erase(player, None)
    return ["Martina", "Bernd"]


def refusal(nickname: str, **more) -> str:
    return cast.refused(accept, Entry(nickname, "rrR"), door=models.Door.API, **more).fault


@pytest.mark.parametrize("nickname", ["Martina", "MARTINA", "Маrtina", "Bernd", "Bemd"])
def test_nobody_takes_the_name_of_an_erased_player_nor_its_look(erased, nickname):
    """The attack: wait until a known player erases the name, and speak under it."""
    assert refusal(nickname) == "resting"
    rival = send("rival", "rR").submission.player
    with pytest.raises(acts.Impossible):
        acts.rename(rival, nickname, None)
    with pytest.raises(BadName):
        api_tokens.make_program(nickname, None, clock.now())
    answers = accept_batch([Sent(Entry(name, "rrrR")) for name in (nickname, "new")], door=models.Door.API)
    assert [getattr(answer, "fault", "") for answer in answers] == ["resting", ""]


def test_the_name_rests_in_collections_too(erased):
    cast.a_collection()
    with pytest.raises(Refused):
        at_once.accept_collected(Entry("Martina", "rR"), models.CollectedLevel.objects.get(place=1))


def test_only_keyed_hashes_are_kept_for_a_year(erased, settings):
    kept = models.RestingName.objects.values()
    assert not any(name.lower() in str(row).lower() for row in kept for name in erased)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key of the site", [settings.SECRET_KEY]
    assert refusal("Martina") == "resting"
    with clock.set_to(cast.DURING + timedelta(days=365)):
        resting.check_unused("Martina")
        tasks.advance()
    assert not models.RestingName.objects.exists()
    assert send("Martina", "rrR").claim


def test_an_organiser_ends_the_rest_with_a_reason(erased):
    found = resting.find("bernd")
    assert found
    resting.lift(found, None, reason="It is the same person.")
    assert models.AuditEntry.objects.latest("pk").reason == "It is the same person."
    assert send("Bernd", "rrR").claim
    assert refusal("Martina") == "resting"


def test_a_resting_name_without_a_look_holds_no_other(erased):
    models.RestingName.objects.update(look_digest="")
    assert (resting.find("Bemd"), resting.find("Bernd") is None) == (None, False)


def test_a_released_name_does_not_rest(during_round):
    """Only the player's own wish protects the name."""
    player = send("junk", "r").submission.player
    models.Player.objects.filter(pk=player.pk).update(nickname=f"#{player.pk}", name_key=f"\t{player.pk}", look_key="")
    acts.erase(player, None)
    assert not models.RestingName.objects.exists()


def everything():
    rows = [
        (models.Submission, "player"),
        (models.Player, "merged_into"),
        (models.Placing, "player"),
        (models.Question, "player"),
        (models.Token, "player"),
    ]
    return bests(), [set(model.objects.values_list("pk", column)) for model, column in rows]


def test_an_undone_merge_restores_everything(player, rival, during_round):
    """Rules 4.13, 15.3."""
    acts.rename(player, "Winner", None)
    models.Placing.objects.create(round=during_round, player=player, league="human")
    models.Question.objects.create(round=during_round, player=player, text="?", asked_at=cast.DURING)
    models.Token.objects.create(public_id="x", player=player, created_at=cast.DURING)
    before = everything()
    cast.merge(player, rival, None, reason="same person")
    assert (models.Question.objects.get().player, models.Token.objects.get().player) == (rival, rival)
    assert set(rival.aliases.values_list("nickname", flat=True)) == {"Winner", "player"}
    assert everything() != before
    cast.unmerge(player, None, reason="two persons after all")
    assert everything() == before
    cast.merge(player, rival, None, reason="same person")
    entry = models.AuditEntry.objects.filter(act="merge").latest("pk")
    del entry.after["moved"]["Proposal"]  # as recorded before merges moved proposals
    models.AuditEntry.objects.filter(pk=entry.pk).update(after=entry.after)
    cast.unmerge(player, None, reason="two persons after all")
    assert everything() == before


def test_chains_of_merges_lead_to_the_living_player(two, player, rival):
    third = send("third", "rrR")
    cast.merge(player, rival, None, reason="")
    cast.merge(rival, third.submission.player, None, reason="")
    assert send("player", "rrrR", claim=third.claim).submission.player == third.submission.player
    cast.unmerge(rival, None, reason="")
    assert send("player", "rrrrR", claim=two[1].claim).submission.player == rival


def test_a_player_is_out_until_each_disqualification_of_a_name_is_lifted(player, rival, during_round):
    """Rule 4.13: if two rulings meet in one player, lifting one leaves the other in force."""
    own_ruling, other_ruling = (
        rulings.disqualify(during_round, name, Reason(en="Copied."), at=cast.DURING, by=None)
        for name in (player, rival)
    )
    cast.merge(player, rival, None, reason="same person")
    rulings.lift(other_ruling, Reason(en="Not copied."), at=cast.DURING, by=None)
    assert (bests(), [*consistency.boards(during_round)]) == (set(), [])
    rulings.lift(own_ruling, Reason(en="Nor this."), at=cast.DURING, by=None)
    assert {holder for _level, _board, holder, _metric, _best in bests()} == {rival.pk}


def test_the_proofs_of_both_names_prove_the_merged_player_and_an_open_name_is_closed(during_round):
    """Rules 4.11, 4.12: and pages show so at once."""
    claimed, open_ = send("claimed", "rR"), send("open", "rR", door=cast.Door.LEGACY)
    elsewhere = cast.a_round(2, **cast.earlier(9))
    level = cast.enter(elsewhere, "open", 5, 2, at=elsewhere.opens_at).level
    before = models.Level.objects.get(pk=level.pk).board_version
    cast.merge(claimed.submission.player, open_.submission.player, None, reason="")
    player = models.Player.objects.get(nickname="open")
    assert not player.is_open
    assert is_proved(player, claimed.claim or "", None)
    assert models.Level.objects.get(pk=level.pk).board_version > before


def test_final_results_with_both_names_change_only_by_a_revision(player, rival, during_round):
    """Rule 14.4."""
    for one in (player, rival):
        models.Placing.objects.create(round=during_round, player=one, league="human")
    assert cast.merge(player, rival, None, reason="").report == [
        "Both players are in the final results of rounds 1. Publish a revision of these results."
    ]
    assert set(models.Placing.objects.values_list("player", flat=True)) == {player.pk, rival.pk}


def test_a_player_is_not_merged_into_itself_or_an_alias_or_into_a_program(player, rival):
    """Rules 4.13, 16.3: and only merged players can be separated."""
    acts.rename(player, "Winner", None)
    for name in (player, player.aliases.get()):
        assert cast.refusal_of(cast.unmerge, name, None, reason="")
    models.Player.objects.filter(pk=rival.pk).update(league=models.League.BOT)
    assert "league" in cast.refusal_of(cast.merge, player, rival, None, reason="")
    models.Player.objects.filter(pk=rival.pk).update(league=models.League.HUMAN)
    assert cast.refusal_of(cast.merge, player, player, None, reason="")
    cast.merge(player, rival, None, reason="")
    assert cast.refusal_of(cast.merge, rival, player, None, reason="")
