from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from contest import models, rounds
from contest.infra import clock
from contest.library import series, shelf
from contest.rounds import testers
from contest.rounds.tracks import MAX_REVEALED
from contest.staff import track_owners
from contest.vetting import orders
from contest.visibility import Viewer
from solvers.sokoban import Level as Board
from tests import cast
from tests.desk.conftest import BEFORE, DESK, PASSWORD, member, owner_of, signed_in
from tests.desk.test_publishing import LEVEL, LONGER, put

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("before_round")]
NEW = {"title_zh": "", "title_en": "Club night", "prizes_zh": "", "prizes_en": "", "rules": ""}
TIMES = {"opens_at": "2026-12-01T20:00", "closes_at": "2026-12-21T20:00"}
LATER = {"opens_at": cast.CLOSES + timedelta(days=9), "closes_at": cast.CLOSES + timedelta(days=19)}


@pytest.fixture
def owner(before_round):
    return owner_of("club")


def the_owner() -> User:
    return User.objects.get(username="track-organiser")


def a_round_of_the_club(**fields) -> models.Round:
    times = {"opens_at": cast.OPENS, "closes_at": cast.CLOSES}
    made = models.Round(number=2, track_id="club", title_en="Club night", **{**times, **fields})
    rounds.save(made, at=BEFORE, by=None)
    return made


def two_rounds(**fields) -> tuple[models.Round, models.Round]:
    return cast.a_round(**fields), a_round_of_the_club(**fields)


def a_series(track: str) -> models.Series:
    times = {"first_opens_at": cast.OPENS, "every_weeks": 1, "length_days": 6}
    return models.Series.objects.create(name_zh=track, name_en=f"Series of {track}", track_id=track, **times)


def reported_count() -> int:
    return models.AuditEntry.objects.filter(act="ask for a level", actor=the_owner()).count()


def test_the_desk_shows_the_rounds_and_series_of_ones_tracks(owner):
    _main, own = two_rounds(announced_at=BEFORE)
    a_series("main"), a_series("club")
    for page in ("", "rounds/"):
        shown = owner.get(DESK + page).text
        assert ("Round 2" in shown, "Round 1" in shown) == (True, False), page
    shown = owner.get(f"{DESK}series/")
    assert ("Series of club" in shown.text, "Series of main" in shown.text) == (True, False)
    assert shown.context["form"]["track"].value() == "club"
    assert "Series of main" not in owner.get(DESK).text
    pages = [f"{DESK}series/{key}/" for key in models.Series.objects.order_by("pk").values_list("pk", flat=True)]
    assert [owner.get(page).status_code for page in pages] == [404, 200]
    for page in ("", "edit/", "preview/", "testers/", "submissions/"):
        assert owner.get(f"{DESK}rounds/{own.number}/{page}").status_code == 200, page


def test_a_round_that_went_to_another_track_meanwhile_is_not_edited(owner, monkeypatch):
    own = a_round_of_the_club()
    held = rounds.lock_calendar

    def hold_behind_another():
        held()
        models.Round.objects.filter(pk=own.pk).update(track="main")

    monkeypatch.setattr(rounds, "lock_calendar", hold_behind_another)
    assert owner.post(f"{DESK}drafts/{own.pk}/edit/", NEW).status_code == 404


def test_submissions_are_looked_at_and_made_void_in_ones_own_rounds_alone(owner):
    sent = cast.enter(cast.a_round(), "Ann", 9, 3, at=cast.DURING)
    page, void = f"{DESK}submissions/{sent.pk}/", {"reason_zh": "", "reason_en": "Twice.", "do": "apply"}
    with clock.set_to(cast.AFTER):
        assert owner.post(f"{page}do/void/", void).status_code == 404
        models.Round.objects.update(track="club")
        assert owner.get(page).status_code == 200
        assert owner.post(f"{page}do/void/", void).status_code == 302
    sent.refresh_from_db()
    assert sent.voided_at == cast.AFTER


def test_pages_without_a_track_are_not_found(owner):
    for page in ("people/", "staff/", "record/", "health/", "posts/", "sponsors/", "rounds/bring/", "rounds/revise/"):
        assert owner.get(DESK + page).status_code == owner.post(DESK + page).status_code == 404, page


def test_a_level_becomes_a_published_round_of_ones_own_track(owner):
    main = cast.a_round()
    assert put(owner, title="Own", **LONGER).status_code == 302
    made = models.Round.objects.get(track="club")
    assert owner.post(f"{DESK}drafts/{made.pk}/publish/").url == f"{DESK}rounds/2/"
    assert models.Round.objects.get(track="club").announced_at == BEFORE
    assert put(owner, round=main.pk, slot="extra2").status_code == 200
    assert main.levels.count() == 2, "no level is put into a round of another track"


def test_a_round_is_made_in_ones_own_tracks_and_moved_to_no_other(owner):
    form = owner.get(f"{DESK}rounds/new/").context["form"]
    assert [track.slug for track in form.fields["track"].queryset] == ["club"]
    settings = {name: form[name].value() for name in form.fields if name not in (*NEW, *TIMES, "track")}
    given = {**{name: value for name, value in settings.items() if value is not None}, **NEW, **TIMES}
    assert owner.post(f"{DESK}rounds/new/", {**given, "track": "main"}).status_code == 422
    assert owner.post(f"{DESK}rounds/new/", {**given, "track": "club"}).status_code == 302
    draft = models.Round.objects.get()
    moved = {**given, "track": "main", "stamp": rounds.stamp(draft)}
    assert owner.post(f"{DESK}drafts/{draft.pk}/edit/", moved).status_code == 422
    assert models.Round.objects.get().track_id == "club"


def test_an_organiser_of_tracks_cannot_choose_a_number(owner, organiser):
    """Rule 2.11: the largest number would leave none for others; and refusals would reveal other tracks' drafts."""
    _main, own = two_rounds(announced_at=None)
    edit = f"{DESK}drafts/{own.pk}/edit/"
    offered = organiser.get(edit).context["form"]
    given = {name: offered[name].value() for name in offered.fields}
    stored = {name: value for name, value in given.items() if value is not None}
    for page, stamp in ((edit, rounds.stamp(own)), (f"{DESK}rounds/new/", "")):
        assert "number" not in owner.get(page).context["form"].fields
        typed = {**stored, **NEW, **TIMES, "track": "club", "number": "2147483647", "stamp": stamp}
        assert owner.post(page, typed).status_code == 302
    assert sorted(models.Round.objects.values_list("number", flat=True)) == [1, 2, 3]


def test_a_level_goes_into_ones_own_queues_and_drafts_unless_another_organiser_has_taken_it(owner):
    others_series, own = a_series("main"), a_series("club")
    page, use = put(owner, do="library").url, {"do": "use", "slot": "main"}
    assert owner.post(page, {"do": "queue", "series": others_series.pk, "slot": "main"}).status_code == 200
    assert owner.post(page, {"do": "queue", "series": own.pk, "slot": "main"}).url == f"{DESK}series/{own.pk}/"
    assert models.QueuedLevel.objects.get().series == own
    models.QueuedLevel.objects.all().delete()
    models.QueuedLevel.objects.create(
        series=others_series, level=models.LibraryLevel.objects.get(), slot="main", place=1
    )
    for wanted in (use, {"do": "queue", "series": own.pk, "slot": "extra"}):
        assert owner.post(page, wanted).status_code == 200
    assert (models.QueuedLevel.objects.get().series, models.Round.objects.count()) == (others_series, 0)
    models.QueuedLevel.objects.all().delete()
    draft = cast.a_round(announced_at=None)
    models.LibraryLevel.objects.update(state="used", used_in=draft)
    assert owner.post(page, use).status_code == 200
    assert (models.LibraryLevel.objects.get().used_in, models.Round.objects.count()) == (draft, 1)
    models.Round.objects.update(track="club")
    assert owner.post(page, use).status_code == 302


def test_a_conflicting_level_names_no_round_of_another_track(owner, organiser):
    """Rule 2.12: the answer is a yes or no about a hidden level, so it is counted and recorded."""
    main, own = cast.a_round(), a_round_of_the_club()
    cast.a_level(own)
    publish, level = f"{DESK}drafts/{own.pk}/publish/", str(main.levels.get(slot=models.Slot.MAIN))
    shown = owner.post(publish, follow=True).text
    assert "A level of this round cannot be used in this time." in shown
    assert "Round 1" not in shown
    assert reported_count() == 1
    assert level in organiser.post(publish, follow=True).text
    models.Track.objects.get(slug="main").owners.add(the_owner())
    assert level in owner.post(publish, follow=True).text


def test_hidden_levels_and_vetting_results_change_no_response(owner, organiser):
    """Rule 7.4: otherwise an answer would reveal whether a board has been uploaded before."""
    board = "#######\n#@$ $.#\n#.    #\n#######"
    asked = {"solution": "", "unsolved_reason": "Nobody knows.", "text": board}
    before = dict(put(owner, **asked).context["form"].errors)
    orders.queue_vetting(Board.parse(board))
    solved = {"answer": "solved", "found": {"pushes": {"lurd": "R"}}}
    for known in ({"answer": "unsolvable"}, {"answer": "unknown"}, solved):
        models.Search.objects.update(state=models.SearchState.DONE, **known)
        assert dict(put(owner, **asked).context["form"].errors) == before, known
    assert "The solver has found a solution" in put(organiser, **asked).text
    hidden = models.Round(number=1, opens_at=cast.OPENS, closes_at=cast.CLOSES)
    rounds.save(hidden, at=BEFORE, by=None)
    assert put(organiser, round=hidden.pk).status_code == 302
    own = a_round_of_the_club(**LATER)
    assert "Known" not in owner.post(f"{DESK}levels/new/", {"do": "read", "pasted": LEVEL}).text
    assert put(owner, round=own.pk).status_code == 302


def test_the_library_names_no_round_or_series_of_another_track(owner, organiser):
    """Owners learn that their own level is used; where, only once this is public."""
    page, others_series = put(owner, do="library").url, a_series("main")
    models.QueuedLevel.objects.create(
        series=others_series, level=models.LibraryLevel.objects.get(), slot="main", place=1
    )
    assert ["Series of main" in client.get(page).text for client in (owner, organiser)] == [False, True]
    assert "In a queue." in owner.get(page).text
    models.QueuedLevel.objects.all().delete()
    draft = cast.a_round(77, announced_at=None)
    models.LibraryLevel.objects.update(state="used", used_in=draft)
    for address in (page, f"{DESK}library/"):
        texts = [client.get(address).text for client in (owner, organiser)]
        assert [f"drafts/{draft.pk}/" in text for text in texts] == [False, True], address
        assert "Round 77" not in texts[0]
    models.Round.objects.update(announced_at=BEFORE)
    with clock.set_to(cast.DURING):
        assert "/rounds/77/" in owner.get(page).text


def brought_levels(count: int) -> list[models.LibraryLevel]:
    made = [models.LibraryLevel(title=f"Try{number}") for number in range(count)]
    for level in made:
        shelf.store_level(level, Board.parse(cast.CORRIDOR), "rR", at=BEFORE, by=the_owner(), is_confirmed=True)
    models.LibraryLevel.objects.update(state="ready")
    return made


def test_a_series_does_not_bypass_the_count(owner):
    """Rules 2.12, 23.2: an answer counts for the uploader of the level; only once, although it recurs."""
    brought, own = brought_levels(MAX_REVEALED + 1), a_series("club")
    shelf.enqueue_all([level.pk for level in brought], own, ["main"], by=the_owner())
    cast.a_round()
    with clock.set_to(cast.OPENS - timedelta(days=6)):
        for _minute in range(2):
            series.advance(clock.now())
    assert reported_count() == MAX_REVEALED
    assert own.queue.get().level == brought[-1]
    assert "looked up too often today" in models.SeriesRound.objects.get(series=own).troubles["en"]


def test_messages_about_hidden_levels_are_counted_when_queueing(owner):
    """Rules 2.12, 23.2."""
    cast.a_round()
    *few, last = brought_levels(MAX_REVEALED + 1)
    own = a_series("club")
    for level in few:
        with pytest.raises(ValidationError, match=r"“Try\d” cannot be used in a series"):
            shelf.enqueue(level, own, "main", by=the_owner())
    assert reported_count() == MAX_REVEALED
    with pytest.raises(ValidationError, match="too often today"):
        shelf.enqueue(last, own, "main", by=the_owner())
    models.AuditEntry.objects.filter(act="ask for a level").delete()
    keys = [level.pk for level in (*few, last)]
    assert shelf.enqueue_all(keys, own, ["main"], by=the_owner()).is_too_often
    assert (reported_count(), own.queue.exists()) == (MAX_REVEALED, False)


def test_equal_solutions_are_asked_of_senders_of_the_round_alone(owner):
    """Otherwise the answer would reveal which players exist."""
    own = a_round_of_the_club(announced_at=BEFORE)
    cast.a_level(own)
    sent = cast.enter(own, "Ann", 9, 3, at=cast.DURING)
    stranger = models.Player.objects.create(nickname="Bob", name_key="bob", created_at=cast.DURING)
    with clock.set_to(cast.AFTER):
        page = f"{DESK}rounds/{own.number}/equal/?player="
        answers = [owner.get(f"{page}{pk}").status_code for pk in (sent.player_id, stranger.pk, 999)]
    assert answers == [200, 404, 404]


def test_role_and_tracks_are_set_and_logged_in_one_act(owner):
    chief = signed_in(User.objects.create_superuser("chief", password=PASSWORD))
    olga = {"username": "olga", "role": "track-organiser"}
    assert chief.post(f"{DESK}staff/", olga).status_code == 422
    assert "link" in chief.post(f"{DESK}staff/", olga | {"tracks": ["club"]}).context
    user = User.objects.get(username="olga")
    assert track_owners.owned_slugs(user) == ("club",)
    assert models.AuditEntry.objects.get(act="invite member").after["tracks"] == ["club"]
    assert "organiser of tracks: Club" in chief.get(f"{DESK}staff/").text
    act = f"{DESK}staff/{user.pk}/do/role/"
    assert chief.post(act, {"role": "track-organiser", "tracks": ["club", "main"]}).status_code == 302
    assert track_owners.owned_slugs(User.objects.get(username="olga")) == ("main", "club")
    assert chief.post(act, {"role": "judge", "tracks": ["club"]}).status_code == 302
    assert not user.owned_tracks.exists()
    changed = models.AuditEntry.objects.filter(act="give role").first()
    assert (changed.before["tracks"], "tracks" in changed.after) == (["club", "main"], False)


def test_a_user_without_the_role_or_without_tracks_organises_nothing(owner):
    """Also after their last track was removed: no track does not mean all."""
    cast.a_round()
    other = member("judge", "other")
    models.Track.objects.get(slug="club").owners.add(other)
    assert track_owners.owned_slugs(other) == ()
    models.Track.objects.filter(slug="club").delete()
    assert "Round 1" not in owner.get(f"{DESK}rounds/").text
    assert owner.get(f"{DESK}rounds/1/").status_code == owner.get(f"{DESK}rounds/new/").status_code == 404
    assert put(owner).status_code == 404


def test_an_outdated_form_names_no_organiser_of_another_track(owner, organiser):
    """A draft that takes the number of another is not the round in the record under that number (rule 2.1)."""
    cast.a_round(1, **cast.earlier(10))
    own, main = a_round_of_the_club(**LATER), cast.a_round(3, announced_at=None)
    rounds.clear_slot(main, models.Slot.EXTRA, at=BEFORE, by=member("organiser", "Lin"))
    rounds.announce(main, at=BEFORE, by=None)
    own.refresh_from_db()
    assert own.number == 3
    for client, name in ((owner, "Another organiser"), (organiser, "Lin")):
        answer = client.post(f"{DESK}drafts/{own.pk}/edit/", {**NEW, "stamp": "old"})
        assert answer.status_code == 409
        assert f"{name} changed this round after you opened the form" in answer.text


def test_a_name_reported_to_an_owner_is_not_bound_in_other_tracks(owner, organiser):
    """Rule 4.14: otherwise an owner and a tester could exclude a rival from another track's round."""
    main, club = both = two_rounds(announced_at=None)
    account = User.objects.create_user("tina")
    tina = models.Player.objects.create(nickname="Tina", name_key="tina", created_at=BEFORE, owner=account)
    rival = models.Player.objects.create(nickname="Rival", name_key="rival", created_at=BEFORE)
    others_series, own = (testers.invite(round_, tina, at=BEFORE, by=None) for round_ in both)
    testers.agree(others_series, [], viewer=Viewer(), at=BEFORE, by=account)
    testers.agree(own, [rival], viewer=Viewer(), at=BEFORE, by=account)
    place = f"{DESK}drafts/{club.pk}/testers/"
    assert owner.post(place, {"bind": own.pk, "player": rival.pk}).status_code == 302
    assert [testers.is_tester(round_, rival, None) for round_ in both] == [False, True]
    asked = {"bind": others_series.pk, "player": rival.pk}
    assert organiser.post(f"{DESK}drafts/{main.pk}/testers/", asked).status_code == 302
    assert testers.is_tester(main, rival, None)
