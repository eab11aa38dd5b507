"""Prizes: written down on the desk, won, and sent where only the winner says (rule 14.8)."""

from datetime import timedelta

import pytest

from contest import results
from contest.celery import tasks
from contest.infra import clock
from contest.models import AuditEntry, Placing, Player, Prize, Round, Sponsor
from contest.outreach import prizes
from contest.players import accounts, acts, merging
from tests import cast

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

AT = cast.AFTER
DESK = "/en/desk/prizes/"
ADDRESS = "Ann Example, 12 Goal Street"
WORDS = {"what_zh": "木制推箱子一套", "what_en": "A wooden puzzle"}


@pytest.fixture(autouse=True)
def _now():
    with clock.set_to(AT):
        yield


@pytest.fixture
def round_() -> Round:
    """Final, with Ann before Bo."""
    made = cast.a_round()
    for place, name in enumerate(("Ann", "Bo")):
        cast.enter(made, name, 9 + place, 3, at=cast.DURING)
    results.finalise(made, at=AT, by=None)
    return Round.objects.get()


@pytest.fixture
def prize(round_) -> Prize:
    return Prize.objects.create(round=round_, sponsor=Sponsor.objects.create(name="Wood & Co"), **WORDS)


@pytest.fixture
def won(prize) -> Prize:
    prizes.award(prize, ann(), by=None)
    return Prize.objects.get()


@pytest.fixture
def given(won) -> Prize:
    prizes.give_contact(won, ann(), ADDRESS, at=AT, by=None)
    return Prize.objects.get()


def ann() -> Player:
    return Player.objects.get(nickname="Ann")


def browser_of(client, player: Player):
    """Whoever holds the secret of *player*."""
    client.post("/en/claim/", {"proof": cast.claim_of(player.nickname)})
    return client


def contact() -> str:
    return Prize.objects.get().contact


def test_a_sponsor_and_a_prize_are_written_down_and_read_on_the_page_of_the_round(organiser, client, round_):
    """Rules 14.6, 14.8."""
    organiser.post("/en/desk/sponsors/", {"name": "Wood & Co", "url": "https://wood.example/"})
    sponsor = Sponsor.objects.get()
    organiser.post(DESK, WORDS | {"round": round_.pk, "sponsor": sponsor.pk})
    assert '<a href="/en/rounds/1/prizes/">' in client.get("/en/rounds/1/").content.decode()
    page = client.get("/en/rounds/1/prizes/").content.decode()
    assert "A wooden puzzle" in page
    assert 'href="https://wood.example/"' in page
    assert "木制推箱子一套" in client.get("/zh-hans/rounds/1/prizes/").content.decode()
    assert [entry.act for entry in AuditEntry.objects.order_by("-pk")[:2]] == ["make prize", "make sponsor"]


def test_without_prizes_there_is_neither_page_nor_link(client, round_):
    assert client.get("/en/rounds/1/prizes/").status_code == 404
    assert "/prizes/" not in client.get("/en/rounds/1/").content.decode()


def test_nobody_reads_of_a_prize_before_the_round_opens(client, prize):
    """Rule 7.4."""
    with clock.set_to(cast.OPENS - timedelta(seconds=1)):
        assert client.get("/en/rounds/1/prizes/").status_code == 404
    with clock.set_to(cast.OPENS):
        assert client.get("/en/rounds/1/prizes/").status_code == 200


@pytest.mark.parametrize("url", ["javascript:alert(1)", "ftp://wood.example/", "wood"])
def test_the_page_of_a_sponsor_is_one_of_the_web(organiser, url):
    assert organiser.post("/en/desk/sponsors/", {"name": "Wood", "url": url}).status_code == 422
    assert not Sponsor.objects.exists()


def test_a_winner_is_named_once_the_results_are_final_and_has_a_place_in_them(organiser, client, prize, round_):
    """Rule 14.8."""
    stranger = Player.objects.create(nickname="Cy", name_key="cy", created_at=AT)
    assert organiser.post(f"{DESK}{prize.pk}/", {"do": "award", "player": stranger.pk}).status_code == 422
    assert organiser.post(f"{DESK}{prize.pk}/", {"do": "award", "player": ann().pk}).status_code == 302
    assert "Ann" in client.get("/en/rounds/1/prizes/").content.decode()
    Round.objects.update(finalised_at=None)
    answer = organiser.post(f"{DESK}{prize.pk}/", {"do": "award", "player": Player.objects.get(nickname="Bo").pk})
    assert answer.status_code == 422
    assert "Winners are named once the results are final." in answer.content.decode()
    assert Prize.objects.get().player == ann()


def moved_to_another_round(organiser, prize):
    """What the desk answers, and the number of the round that the prize is in then."""
    other = Round.objects.filter(number=2).first() or cast.a_round(2, **cast.earlier(10))
    answer = organiser.post(f"{DESK}{prize.pk}/", WORDS | {"do": "save", "round": other.pk})
    return answer, Prize.objects.get().round.number


def test_a_prize_that_was_won_stays_in_its_round(organiser, won):
    """Rule 14.8: its winner has a place in that one."""
    answer, number = moved_to_another_round(organiser, won)
    assert (answer.status_code, number) == (422, 1)
    assert "This prize has been won, so it stays in its round." in answer.content.decode()
    Prize.objects.update(handed_at=AT, player=None)
    assert moved_to_another_round(organiser, won)[1] == 1


def test_a_prize_that_was_not_won_may_go_to_another_round(organiser, prize):
    answer, number = moved_to_another_round(organiser, prize)
    assert (answer.status_code, number) == (302, 2)


def test_the_words_of_a_prize_that_was_won_may_change(organiser, won):
    organiser.post(f"{DESK}{won.pk}/", WORDS | {"do": "save", "round": won.round_id, "what_en": "A puzzle of oak"})
    assert Prize.objects.get().what_en == "A puzzle of oak"


def test_the_winner_alone_says_where_it_shall_go(client, won):
    """Rule 14.8."""
    page = f"/en/me/{ann().pk}/prizes/"
    assert client.get(page).status_code == 404
    browser_of(client, ann())
    assert "You have won a prize" in client.get("/en/me/").content.decode()
    assert client.post(page, {"prize": won.pk, "contact": ADDRESS}).status_code == 302
    assert contact() == ADDRESS
    assert ADDRESS in client.get(page).content.decode()
    assert "You have won a prize" not in client.get("/en/me/").content.decode()


def test_somebody_else_neither_reads_nor_writes_it(client, given):
    """Rules 7.5, 14.8."""
    browser_of(client, Player.objects.get(nickname="Bo"))
    bo = Player.objects.get(nickname="Bo").pk
    assert client.get(f"/en/me/{ann().pk}/prizes/").status_code == 404
    assert ADDRESS not in client.get(f"/en/me/{bo}/prizes/").content.decode()
    assert client.post(f"/en/me/{bo}/prizes/", {"prize": given.pk, "contact": "Mine"}).status_code == 404
    assert contact() == ADDRESS
    assert ADDRESS not in client.get("/en/rounds/1/prizes/").content.decode()


def test_what_is_too_long_is_refused_and_stays_in_the_form(client, won):
    answer = browser_of(client, ann()).post(f"/en/me/{ann().pk}/prizes/", {"prize": won.pk, "contact": "x" * 1_001})
    assert (answer.status_code, "x" * 1_001 in answer.content.decode(), contact()) == (422, True, "")


def test_an_organiser_reads_it_by_an_act_that_is_written_down(organiser, given):
    """Rule 14.8."""
    assert ADDRESS not in organiser.get(f"{DESK}{given.pk}/").content.decode()
    assert ADDRESS in organiser.post(f"{DESK}{given.pk}/contact/").content.decode()
    entry = AuditEntry.objects.first()
    assert (entry.act, entry.actor_name) == ("read contact", "organiser")
    assert ADDRESS not in "".join(str((entry.before, entry.after)) for entry in AuditEntry.objects.all())
    assert ADDRESS not in organiser.get("/en/desk/record/").content.decode()


def test_reading_it_asks_for_a_fresh_proof(organiser, given, settings):
    settings.SECOND_FACTOR_FOR_STAFF = True
    assert ADDRESS not in organiser.post(f"{DESK}{given.pk}/contact/").content.decode()
    assert not AuditEntry.objects.filter(act="read contact").exists()


def test_who_cannot_change_rounds_reads_none_of_it(author, given):
    for path in ("", f"{given.pk}/", f"{given.pk}/contact/"):
        assert author.post(f"{DESK}{path}").status_code == 404


def test_handed_over_it_is_erased_and_the_winner_stays(organiser, client, given):
    """Rule 14.8."""
    assert organiser.post(f"{DESK}{given.pk}/", {"do": "hand-over"}).status_code == 302
    assert (contact(), Prize.objects.get().player) == ("", ann())
    browser_of(client, ann()).post(f"/en/me/{ann().pk}/prizes/", {"prize": given.pk, "contact": ADDRESS})
    assert contact() == ""
    assert organiser.post(f"{DESK}{given.pk}/", {"do": "hand-over"}).status_code == 422


def _by_the_winner(prize):
    prizes.give_contact(prize, ann(), "", at=AT, by=None)


def _by_going_to_another(prize):
    prizes.award(prize, Player.objects.get(nickname="Bo"), by=None)


def _by_being_taken_back(prize):
    prizes.award(prize, None, by=None)


def _by_erasing_the_nickname(prize):
    acts.erase(prize.player, None)


def _by_time(_prize):
    with clock.set_to(AT + timedelta(days=prizes.KEPT_DAYS)):
        prizes.forget_old(clock.now())


@pytest.mark.parametrize(
    "way", [_by_the_winner, _by_going_to_another, _by_being_taken_back, _by_erasing_the_nickname, _by_time]
)
def test_it_is_erased(given, way):
    """Rules 14.8, 15.6."""
    way(given)
    assert (contact(), Prize.objects.get().contact_at) == ("", None)


def test_it_is_kept_until_its_time(given):
    assert prizes.forget_old(AT + timedelta(days=prizes.KEPT_DAYS) - timedelta(seconds=1)) == 0
    assert contact() == ADDRESS


def test_the_worker_forgets_what_is_old(given, monkeypatch):
    forgotten = []
    monkeypatch.setattr(tasks, "_advanced_at", None)
    monkeypatch.setattr(tasks.prizes, "forget_old", forgotten.append)
    tasks._advance_now_and_then()
    assert forgotten == [AT]


def test_their_export_has_it(given):
    (exported,) = accounts.export(ann())["prizes"]
    assert (exported["what_en"], exported["contact"]) == ("A wooden puzzle", ADDRESS)


@pytest.fixture
def bo(round_) -> Player:
    """Without a place of his own, so that a merge takes Ann's along."""
    Placing.objects.filter(player__nickname="Bo").delete()
    return Player.objects.get(nickname="Bo")


def test_a_merge_takes_the_prize_along_and_erases_where_it_should_go(given, bo):
    """Rules 4.13, 14.8: who holds the other nickname did not write it."""
    merging.merge(ann(), bo, None, reason="same")
    row = Prize.objects.get()
    assert (row.player, row.contact, row.contact_at) == (bo, "", None)


def test_a_merge_taken_back_hands_nobody_what_was_written_meanwhile(won, bo):
    """Rules 4.13, 14.8."""
    merging.merge(ann(), bo, None, reason="same")
    prizes.give_contact(won, bo, ADDRESS, at=AT, by=None)
    merging.unmerge(ann(), None, reason="two persons after all")
    row = Prize.objects.get()
    assert (row.player, row.contact, row.contact_at) == (ann(), "", None)
