from datetime import timedelta

import pytest

from contest import results
from contest.celery import tasks
from contest.infra import clock
from contest.models import AuditEntry, Placing, Player, Prize, Round, Sponsor, Track
from contest.outreach import prizes
from contest.players import accounts, acts
from tests import cast
from tests.desk.conftest import owner_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("after_round")]

AT = cast.AFTER
DESK = "/en/desk/prizes/"
PUBLIC = "/en/rounds/1/prizes/"
ADDRESS = "Ann Example, 12 Goal Street"
TEXTS = {"what_zh": "木制推箱子一套", "what_en": "A wooden puzzle"}


@pytest.fixture
def round_() -> Round:
    made = cast.a_round()
    for place, name in enumerate(("Ann", "Bo")):
        cast.enter(made, name, 9 + place, 3, at=cast.DURING)
    results.finalise(made, at=AT, by=None)
    return Round.objects.get()


@pytest.fixture
def prize(round_) -> Prize:
    return Prize.objects.create(round=round_, sponsor=Sponsor.objects.create(name="Wood & Co"), **TEXTS)


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
    client.post("/en/claim/", {"proof": cast.claim_of(player.nickname)})
    return client


def contact() -> str:
    return Prize.objects.get().contact


def test_a_sponsor_and_a_prize_are_written_down_and_read_on_the_page_of_the_round(organiser, client, round_):
    """Rules 14.6, 14.8."""
    for url in ("javascript:alert(1)", "ftp://wood.example/", "wood"):
        assert organiser.post("/en/desk/sponsors/", {"name": "Wood", "url": url}).status_code == 422
    organiser.post("/en/desk/sponsors/", {"name": "Wood & Co", "url": "https://wood.example/"})
    assert "/prizes/" not in client.get("/en/rounds/1/").text
    assert client.get(PUBLIC).status_code == 404
    sponsor = Sponsor.objects.get()
    organiser.post(DESK, TEXTS | {"round": round_.pk, "sponsor": sponsor.pk})
    assert '<a href="/en/rounds/1/prizes/">' in client.get("/en/rounds/1/").text
    page = client.get(PUBLIC).text
    assert "A wooden puzzle" in page
    assert 'href="https://wood.example/"' in page
    assert "木制推箱子一套" in client.get("/zh-hans/rounds/1/prizes/").text
    assert [entry.act for entry in AuditEntry.objects.order_by("-pk")[:2]] == ["make prize", "make sponsor"]
    with clock.set_to(cast.OPENS - timedelta(seconds=1)):  # rule 7.4
        assert client.get(PUBLIC).status_code == 404
    with clock.set_to(cast.OPENS):
        assert client.get(PUBLIC).status_code == 200


def test_a_winner_needs_final_results_and_a_placing(organiser, client, prize, round_):
    """Rule 14.8."""
    stranger = Player.objects.create(nickname="Cy", name_key="cy", created_at=AT)
    assert organiser.post(f"{DESK}{prize.pk}/", {"do": "award", "player": stranger.pk}).status_code == 422
    assert organiser.post(f"{DESK}{prize.pk}/", {"do": "award", "player": ann().pk}).status_code == 302
    assert "Ann" in client.get(PUBLIC).text
    Round.objects.update(finalised_at=None)
    answer = organiser.post(f"{DESK}{prize.pk}/", {"do": "award", "player": Player.objects.get(nickname="Bo").pk})
    assert answer.status_code == 422
    assert "Winners are named once the results are final." in answer.text
    assert Prize.objects.get().player == ann()


def test_a_prize_goes_to_another_round_until_it_is_won(organiser, prize):
    """Rule 14.8: its winner has a place in that round. Its text may change."""
    first, other = prize.round, cast.a_round(2, **cast.earlier(10))

    def moved(to: Round):
        return organiser.post(f"{DESK}{prize.pk}/", TEXTS | {"do": "save", "round": to.pk, "what_en": "A book"})

    assert moved(other).status_code == moved(first).status_code == 302
    prizes.award(prize, ann(), by=None)
    answer = moved(other)
    assert (answer.status_code, Prize.objects.get().round) == (422, first)
    assert "This prize has been won and cannot be moved to another round." in answer.text
    Prize.objects.update(what_en="")
    assert moved(first).status_code == 302
    Prize.objects.update(handed_at=AT, player=None)
    assert moved(other).status_code == 422
    assert (Prize.objects.get().round, Prize.objects.get().what_en) == (first, "A book")


def test_the_winner_alone_says_where_it_shall_go(client, won):
    """Rule 14.8."""
    page = f"/en/me/{ann().pk}/prizes/"
    assert client.get(page).status_code == 404
    browser_of(client, ann())
    assert "You have won a prize" in client.get("/en/me/").text
    answer = client.post(page, {"prize": won.pk, "contact": "x" * 1_001})
    assert (answer.status_code, "x" * 1_001 in answer.text, contact()) == (422, True, "")
    assert client.post(page, {"prize": won.pk, "contact": ADDRESS}).status_code == 302
    assert contact() == ADDRESS
    assert ADDRESS in client.get(page).text
    assert "You have won a prize" not in client.get("/en/me/").text
    (exported,) = accounts.export(ann())["prizes"]
    assert (exported["what_en"], exported["contact"]) == ("A wooden puzzle", ADDRESS)


def test_somebody_else_neither_reads_nor_writes_it(client, given):
    """Rules 7.5, 14.8."""
    browser_of(client, Player.objects.get(nickname="Bo"))
    bo = Player.objects.get(nickname="Bo").pk
    assert client.get(f"/en/me/{ann().pk}/prizes/").status_code == 404
    assert ADDRESS not in client.get(f"/en/me/{bo}/prizes/").text
    assert client.post(f"/en/me/{bo}/prizes/", {"prize": given.pk, "contact": "Mine"}).status_code == 404
    assert contact() == ADDRESS
    assert ADDRESS not in client.get(PUBLIC).text


def test_an_organiser_reads_it_by_an_act_that_is_written_down(organiser, given):
    """Rule 14.8."""
    assert ADDRESS not in organiser.get(f"{DESK}{given.pk}/").text
    assert ADDRESS in organiser.post(f"{DESK}{given.pk}/contact/").text
    entry = AuditEntry.objects.first()
    assert (entry.act, entry.actor_name) == ("read contact", "organiser")
    assert ADDRESS not in "".join(str((entry.before, entry.after)) for entry in AuditEntry.objects.all())
    assert ADDRESS not in organiser.get("/en/desk/record/").text


def test_handed_over_it_is_erased_and_the_winner_stays(organiser, client, given):
    """Rule 14.8."""
    assert organiser.post(f"{DESK}{given.pk}/", {"do": "hand-over"}).status_code == 302
    assert (contact(), Prize.objects.get().player) == ("", ann())
    browser_of(client, ann()).post(f"/en/me/{ann().pk}/prizes/", {"prize": given.pk, "contact": ADDRESS})
    assert contact() == ""
    assert organiser.post(f"{DESK}{given.pk}/", {"do": "hand-over"}).status_code == 422


WAYS = {
    "its winner empties it": lambda prize: prizes.give_contact(prize, ann(), "", at=AT, by=None),
    "another wins it": lambda prize: prizes.award(prize, Player.objects.get(nickname="Bo"), by=None),
    "nobody wins it": lambda prize: prizes.award(prize, None, by=None),
    "the nickname is erased": lambda prize: acts.erase(prize.player, None),
}


@pytest.mark.parametrize("way", WAYS)
def test_it_is_erased(given, way):
    """Rules 14.8, 15.6."""
    WAYS[way](given)
    assert (contact(), Prize.objects.get().contact_at) == ("", None)


def test_the_worker_erases_it_when_its_time_is_over(given):
    over = AT + timedelta(days=prizes.KEPT_DAYS)
    for at, expected in ((over - timedelta(seconds=1), ADDRESS), (over, "")):
        with clock.set_to(at):
            tasks.advance()
        assert contact() == expected


@pytest.fixture
def bo(round_) -> Player:
    """Bo without a place of his own, so that a merge moves Ann's to him."""
    Placing.objects.filter(player__nickname="Bo").delete()
    return Player.objects.get(nickname="Bo")


def test_a_merge_and_its_undo_take_the_prize_along_and_erase_where_it_should_go(given, bo):
    """Rules 4.13, 14.8: the holder of the other nickname did not write it."""
    cast.merge(ann(), bo, None, reason="same")
    row = Prize.objects.get()
    assert (row.player, row.contact, row.contact_at) == (bo, "", None)
    prizes.give_contact(row, bo, ADDRESS, at=AT, by=None)
    cast.unmerge(ann(), None, reason="two persons after all")
    row = Prize.objects.get()
    assert (row.player, row.contact, row.contact_at) == (ann(), "", None)


@pytest.fixture
def own(prize) -> Prize:
    Track.objects.create(slug="club", title_zh="俱乐部", title_en="Club")
    Round.objects.update(track="club")
    return prize


@pytest.fixture
def owner(own):
    return owner_of("club")


@pytest.fixture
def others_prize(own) -> Prize:
    other = cast.a_round(2, **cast.earlier(10))
    return Prize.objects.create(round=other, what_zh="奖", what_en="NotYours", player=ann(), contact=ADDRESS)


def test_an_owner_writes_down_changes_and_awards_a_prize_of_their_round(owner, own):
    assert "/desk/prizes/?round=1" in owner.get("/en/desk/rounds/1/").text
    assert owner.post(DESK, {**TEXTS, "round": own.round_id}).status_code == 302
    page = f"{DESK}{own.pk}/"
    assert "A wooden puzzle" in owner.get(page).text
    assert owner.post(page, {**TEXTS, "what_en": "A book", "round": own.round_id, "do": "save"}).status_code == 302
    assert owner.post(page, {"do": "award", "player": ann().pk}).status_code == 302
    own.refresh_from_db()
    assert (own.what_en, own.player, Prize.objects.count()) == ("A book", ann(), 2)


def test_prizes_of_another_track_are_not_found(owner, own, others_prize):
    shown = owner.get(f"{DESK}?round=2")
    assert ("A wooden puzzle" in shown.text, "NotYours" in shown.text) == (True, False)
    page, before = f"{DESK}{others_prize.pk}/", Prize.objects.filter(pk=others_prize.pk).values().get()
    assert owner.get(page).status_code == owner.post(f"{page}contact/").status_code == 404
    for given in ({**TEXTS, "round": own.round_id, "do": "save"}, {"do": "award", "player": ""}, {"do": "hand-over"}):
        assert owner.post(page, given).status_code == 404
    assert Prize.objects.filter(pk=others_prize.pk).values().get() == before
    assert [round_.number for round_ in shown.context["form"].fields["round"].queryset] == [1]
    given = {**TEXTS, "round": others_prize.round_id, "do": "save"}
    assert owner.post(DESK, given).status_code == owner.post(f"{DESK}{own.pk}/", given).status_code == 422
    assert list(Prize.objects.filter(round=others_prize.round)) == [others_prize]


def test_where_a_prize_goes_is_neither_read_nor_ended_by_an_owner(owner, organiser, own):
    """Rule 14.8: only organisers of the whole site do that."""
    Prize.objects.update(player=ann(), contact=ADDRESS)
    page = f"{DESK}{own.pk}/"
    assert ["Where to send it" in client.get(page).text for client in (owner, organiser)] == [False, True]
    assert owner.post(f"{page}contact/").status_code == owner.post(page, {"do": "hand-over"}).status_code == 404
    assert ADDRESS in organiser.post(f"{page}contact/").text
    assert Prize.objects.get().handed_at is None


def test_a_secret_sponsor_is_not_offered(owner, organiser, own):
    """Rule 7.4: a sponsor becomes public with the first prize."""
    coming = cast.a_round(3, opens_at=AT + timedelta(days=9), closes_at=AT + timedelta(days=19))
    secret, unused = (Sponsor.objects.create(name=name) for name in ("Secret", "Unused"))
    Prize.objects.create(round=coming, sponsor=secret, **TEXTS)

    def offered(client) -> set[Sponsor]:
        return set(client.get(DESK).context["form"].fields["sponsor"].queryset)

    assert offered(owner) == {own.sponsor}
    assert offered(organiser) == {secret, own.sponsor, unused}
    assert owner.post(DESK, {**TEXTS, "round": own.round_id, "sponsor": secret.pk}).status_code == 422
    with clock.set_to(coming.opens_at):
        assert offered(owner) == {secret, own.sponsor}
