"""Organisers of some tracks only: they see and touch the rounds and series of those, and of no others."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from contest import rounds
from contest.infra import clock
from contest.library import series, shelf
from contest.models import (
    AuditEntry,
    Level,
    LibraryLevel,
    Player,
    QueuedLevel,
    Round,
    Search,
    SearchState,
    Series,
    SeriesRound,
    Slot,
    Submission,
    Track,
)
from contest.rounds import testers
from contest.rounds.tracks import MOST_TOLD
from contest.staff import members, track_owners
from contest.vetting import orders
from contest.visibility import Viewer
from solvers.sokoban import Level as Board
from tests import cast
from tests.budgets import asked
from tests.desk.conftest import DESK, PASSWORD, member, said, signed_in
from tests.desk.test_publishing import LEVEL, put

pytestmark = pytest.mark.django_db
BEFORE = cast.OPENS - timedelta(days=9)
NEW = {"title_zh": "", "title_en": "Club night", "prizes_zh": "", "prizes_en": "", "rules": ""}


@pytest.fixture(autouse=True)
def _before(db):
    with clock.set_to(BEFORE):
        yield


@pytest.fixture
def club():
    return Track.objects.create(slug="club", title_zh="俱乐部", title_en="Club")


@pytest.fixture
def owner(club):
    user = member("track-organiser")
    members.give_role(user, "track-organiser", by=None, tracks=["club"])
    return signed_in(user)


def the_owner() -> User:
    return User.objects.get(username="track-organiser")


def two_rounds(**fields) -> tuple[Round, Round]:
    """One of the main track and one of the club's, open in the same weeks with other levels."""
    main = cast.a_round(**fields)
    own = Round(number=2, track_id="club", title_en="Club night", opens_at=cast.OPENS, closes_at=cast.CLOSES, **fields)
    rounds.save(own, at=BEFORE, by=None)
    return main, own


def a_series(track: str) -> Series:
    return Series.objects.create(
        name_zh=track,
        name_en=f"Series of {track}",
        track_id=track,
        first_opens_at=cast.OPENS,
        every_weeks=1,
        length_days=6,
    )


def test_the_desk_shows_the_rounds_and_series_of_ones_tracks(owner):
    two_rounds(announced_at=BEFORE)
    a_series("main"), a_series("club")
    for page in ("", "rounds/"):
        shown = said(owner.get(DESK + page))
        assert ("Round 2" in shown, "Round 1" in shown) == (True, False), page
    shown = said(owner.get(f"{DESK}series/"))
    assert ("Series of club" in shown, "Series of main" in shown) == (True, False)
    assert "Series of main" not in said(owner.get(DESK))


PAGES = ("", "edit/", "preview/", "testers/", "submissions/")
ACTS = ("publish/", "clone/", "throw-away/", "clear/main/", "do/lucky/", "do/extend/", "do/cancel/")


def test_of_another_track_nothing_is_there(owner):
    main, own = two_rounds(announced_at=None)
    levels = Level.objects.filter(round=main).count()
    for page in PAGES:
        assert owner.get(f"{DESK}drafts/{own.pk}/{page}").status_code == 200, page
        assert owner.get(f"{DESK}drafts/{main.pk}/{page}").status_code == 404, page
        assert owner.get(f"{DESK}rounds/{main.number}/{page}").status_code == 404, page
    for page in (*PAGES[1:2], PAGES[3], *ACTS):
        for place in (f"drafts/{main.pk}", f"rounds/{main.number}"):
            assert owner.post(f"{DESK}{place}/{page}", {"off": "1"}).status_code == 404, page
    assert (Round.objects.count(), Level.objects.filter(round=main).count()) == (2, levels)
    assert owner.get(f"{DESK}series/{a_series('main').pk}/").status_code == 404
    assert owner.get(f"{DESK}series/{a_series('club').pk}/").status_code == 200


def test_a_round_that_went_to_another_track_meanwhile_is_not_edited(owner, monkeypatch):
    _main, own = two_rounds(announced_at=None)
    held = rounds.hold_calendar

    def hold_behind_another():
        held()
        Round.objects.filter(pk=own.pk).update(track="main")

    monkeypatch.setattr(rounds, "hold_calendar", hold_behind_another)
    assert owner.post(f"{DESK}drafts/{own.pk}/edit/", NEW).status_code == 404


def test_submissions_are_looked_at_and_made_void_in_ones_own_rounds_alone(owner):
    main = cast.a_round()
    cast.enter(main, "Ann", 9, 3, at=cast.DURING)
    sent = Submission.objects.get()
    void = {"reason_zh": "", "reason_en": "Twice.", "do": "apply"}
    with clock.set_to(cast.AFTER):
        for page in (f"submissions/{sent.pk}/", f"submissions/{sent.pk}/do/void/", "rounds/1/equal/"):
            assert owner.get(DESK + page).status_code == 404
        assert owner.post(f"{DESK}submissions/{sent.pk}/do/void/", void).status_code == 404
        Round.objects.update(track="club")
        assert owner.get(f"{DESK}submissions/{sent.pk}/").status_code == 200
        assert owner.post(f"{DESK}submissions/{sent.pk}/do/void/", void).status_code == 302
    sent.refresh_from_db()
    assert sent.voided_at == cast.AFTER


@pytest.mark.parametrize(
    "page",
    ["people/", "staff/", "record/", "health/", "posts/", "sponsors/", "rounds/bring/", "rounds/revise/", "rejudging/"],
)
def test_what_belongs_to_no_track_is_not_theirs(owner, page):
    assert owner.get(DESK + page).status_code == owner.post(DESK + page).status_code == 404


def test_the_plain_admin_has_nothing_for_them(owner):
    cast.a_round()
    for page in ("contest/round/", "contest/round/1/change/", "contest/level/", "contest/track/", "auth/user/"):
        assert owner.get(f"/en/admin/{page}").status_code in (302, 403, 404), page


def test_a_level_becomes_a_published_round_of_ones_own_track(owner):
    cast.a_round()
    longer = {"text": "#######\n#@ $ .#\n#######", "solution": "rRR"}
    assert put(owner, title="Own", **longer).status_code == 302
    made = Round.objects.get(track="club")
    assert owner.post(f"{DESK}drafts/{made.pk}/publish/").url == f"{DESK}rounds/2/"
    assert Round.objects.get(track="club").announced_at == BEFORE


def test_a_round_is_made_in_ones_own_tracks_and_moved_to_no_other(owner):
    form = owner.get(f"{DESK}rounds/new/").context["form"]
    assert [track.slug for track in form.fields["track"].queryset] == ["club"]
    times = {"opens_at": "2026-12-01T20:00", "closes_at": "2026-12-21T20:00", "number": "1"}
    settings = {name: form[name].value() for name in form.fields if name not in (*NEW, *times, "track")}
    given = {**{name: value for name, value in settings.items() if value is not None}, **NEW, **times}
    assert owner.post(f"{DESK}rounds/new/", {**given, "track": "main"}).status_code == 422
    assert owner.post(f"{DESK}rounds/new/", {**given, "track": "club"}).status_code == 302
    draft = Round.objects.get()
    moved = {**given, "track": "main", "stamp": rounds.stamp(draft)}
    assert owner.post(f"{DESK}drafts/{draft.pk}/edit/", moved).status_code == 422
    assert Round.objects.get().track_id == "club"


def test_no_number_is_typed_by_who_has_some_tracks_only(owner, organiser):
    """Rule 2.11: the largest would leave none to any track; and which are taken tells of others' drafts."""
    _main, own = two_rounds(announced_at=None)
    edit = f"{DESK}drafts/{own.pk}/edit/"
    offered = organiser.get(edit).context["form"]
    given = {name: offered[name].value() for name in offered.fields}
    times = {"opens_at": "2026-12-01T20:00", "closes_at": "2026-12-21T20:00"}
    kept = {name: value for name, value in given.items() if value is not None}
    for page, stamp in ((edit, rounds.stamp(own)), (f"{DESK}rounds/new/", "")):
        assert "number" not in owner.get(page).context["form"].fields
        typed = {**kept, **NEW, **times, "track": "club", "number": "2147483647", "stamp": stamp}
        assert owner.post(page, typed).status_code == 302
    assert sorted(Round.objects.values_list("number", flat=True)) == [1, 2, 3]


def test_no_level_is_put_into_a_round_of_another_track(owner):
    main, _own = two_rounds(announced_at=None)
    assert put(owner, round=main.pk, slot="extra2").status_code == 200
    assert main.levels.count() == 2


def test_a_level_of_ones_own_goes_into_the_queues_of_ones_own_series(owner):
    mine, other = a_series("club"), a_series("main")
    assert put(owner, do="library").status_code == 302
    level = LibraryLevel.objects.get()
    page = f"{DESK}library/{level.pk}/"
    assert owner.post(page, {"do": "queue", "series": other.pk, "slot": "main"}).status_code == 200
    assert not QueuedLevel.objects.exists()
    assert owner.post(page, {"do": "queue", "series": mine.pk, "slot": "main"}).url == f"{DESK}series/{mine.pk}/"
    assert QueuedLevel.objects.get().series == mine


def test_a_level_that_another_organiser_has_taken_stays_where_it_is(owner):
    """Into a queue or into a draft of theirs."""
    theirs, mine = a_series("main"), a_series("club")
    put(owner, do="library")
    level = LibraryLevel.objects.get()
    page, use = f"{DESK}library/{level.pk}/", {"do": "use", "slot": "main"}
    QueuedLevel.objects.create(series=theirs, level=level, slot="main", place=1)
    for wanted in (use, {"do": "queue", "series": mine.pk, "slot": "extra"}):
        assert owner.post(page, wanted).status_code == 200
    assert (QueuedLevel.objects.get().series, Round.objects.count()) == (theirs, 0)
    QueuedLevel.objects.all().delete()
    draft = cast.a_round(announced_at=None)
    LibraryLevel.objects.update(state="used", used_in=draft)
    assert owner.post(page, use).status_code == 200
    assert (LibraryLevel.objects.get().used_in, Round.objects.count()) == (draft, 1)
    Round.objects.update(track="club")
    assert owner.post(page, use).status_code == 302


def test_a_level_in_the_way_names_no_round_that_one_does_not_organise(owner, organiser):
    """Rule 2.12: the answer is a yes or no about a hidden level, so it is counted and stands in the record."""
    cast.a_round()
    _main, own = Round.objects.get(), Round(number=2, track_id="club", opens_at=cast.OPENS, closes_at=cast.CLOSES)
    rounds.save(own, at=BEFORE, by=None)
    cast.a_level(own)
    publish = f"{DESK}drafts/{own.pk}/publish/"
    shown = said(owner.post(publish, follow=True))
    assert "A level of this round cannot be used in this time." in shown
    assert "Round 1" not in shown
    assert AuditEntry.objects.filter(act="ask for a level", actor=the_owner()).count() == 1
    for _count in range(MOST_TOLD - 1):
        owner.post(publish)
    assert "too often today" in said(owner.post(publish, follow=True))
    assert str(Level.objects.get(round__number=1, slot="main")) in said(organiser.post(publish, follow=True))


def test_of_two_tracks_of_ones_own_the_round_in_the_way_is_named(owner):
    Track.objects.get(slug="main").owners.add(the_owner())
    main, own = cast.a_round(), Round(number=2, track_id="club", opens_at=cast.OPENS, closes_at=cast.CLOSES)
    rounds.save(own, at=BEFORE, by=None)
    cast.a_level(own)
    assert str(main.levels.get(slot=Slot.MAIN)) in said(owner.post(f"{DESK}drafts/{own.pk}/publish/", follow=True))


def test_a_hidden_level_of_another_track_is_not_told_by_a_warning(owner, organiser):
    """The gate compares with public levels alone; whether it asks for a tick would say what waits, too."""
    hidden = Round(number=1, opens_at=cast.OPENS, closes_at=cast.CLOSES)
    rounds.save(hidden, at=BEFORE, by=None)
    assert put(organiser, round=hidden.pk).status_code == 302
    later = {"opens_at": cast.CLOSES + timedelta(days=9), "closes_at": cast.CLOSES + timedelta(days=19)}
    rounds.save(Round(number=2, track_id="club", **later), at=BEFORE, by=None)
    assert "Known" not in said(owner.post(f"{DESK}levels/new/", {"do": "read", "pasted": LEVEL}))
    assert put(owner, round=Round.objects.get(track="club").pk).status_code == 302


def test_what_vetting_knows_of_a_board_changes_no_answer(owner, organiser):
    """Rule 7.4: else a board without a solution would tell whether somebody has brought it in already."""
    a_stranger = "#######\n#@$ $.#\n#.    #\n#######"
    asked = {"solution": "", "unsolved_reason": "Nobody knows.", "text": a_stranger}

    def answers(client):
        found = [put(client, do=do, **asked) for do in ("look", "round", "library")]
        errors = [dict(answer.context["form"].errors) for answer in found[:2]]
        kept = LibraryLevel.objects.get()
        kept.delete()
        return errors, found[0].context["looked"], kept.state, [answer.status_code for answer in found]

    before = answers(owner)
    orders.vet(Board.parse(a_stranger))
    for known in (
        {"answer": "solved", "found": {"pushes": {"lurd": "R"}}},
        {"answer": "unsolvable"},
        {"answer": "unknown"},
    ):
        Search.objects.update(state=SearchState.DONE, **known)
        assert answers(owner) == before, known
    Search.objects.update(answer="solved", found={"pushes": {"lurd": "R"}})
    assert "The solver knows one" in said(put(organiser, **asked))


def test_the_library_names_no_round_or_series_of_another_track(owner, organiser):
    """Of their own level they are told that it is used; where, once everybody may know."""
    put(owner, do="library")
    level = LibraryLevel.objects.get()
    pages = [f"{DESK}library/{level.pk}/", f"{DESK}library/"]
    theirs = a_series("main")
    QueuedLevel.objects.create(series=theirs, level=level, slot="main", place=1)
    assert ["Series of main" in said(client.get(pages[0])) for client in (owner, organiser)] == [False, True]
    assert "Waits in a queue" in said(owner.get(pages[0]))
    QueuedLevel.objects.all().delete()
    draft = cast.a_round(77, announced_at=None)
    LibraryLevel.objects.update(state="used", used_in=draft)
    for page in pages:
        for client, is_told in ((owner, False), (organiser, True)):
            assert (f"drafts/{draft.pk}/" in said(client.get(page))) == is_told, page
    assert "Round 77" not in said(owner.get(pages[0])) + said(owner.get(pages[1]))
    Round.objects.update(announced_at=BEFORE)
    with clock.set_to(cast.DURING):
        assert "/rounds/77/" in said(owner.get(pages[0]))


def brought_levels(count: int) -> list[LibraryLevel]:
    """The main level of the hidden round, brought by the owner of another track again and again."""
    made = [LibraryLevel(title=f"Try{number}") for number in range(count)]
    for level in made:
        shelf.keep(level, Board.parse(cast.CORRIDOR), "rR", at=BEFORE, by=the_owner(), is_confirmed=True)
    LibraryLevel.objects.update(state="ready")
    return made


def test_a_series_is_no_way_round_the_count(owner):
    """Rules 2.12, 23.2: what it meets is counted for whoever brought its levels; once, though it asks each minute."""
    brought, own = brought_levels(MOST_TOLD + 1), a_series("club")
    shelf.enqueue_all([level.pk for level in brought], own, ["main"], by=the_owner())
    cast.a_round()
    with clock.set_to(cast.OPENS - timedelta(days=6)):
        for _minute in range(2):
            series.advance(clock.now())
    assert AuditEntry.objects.filter(act="ask for a level", actor=the_owner()).count() == MOST_TOLD
    assert own.queue.get().level == brought[-1]
    assert "asked for too often today" in SeriesRound.objects.get(series=own).troubles["en"]


def test_what_queueing_says_of_hidden_levels_is_counted(owner):
    """Rules 2.12, 23.2."""
    cast.a_round()
    *few, last = brought_levels(MOST_TOLD + 1)
    own = a_series("club")
    for level in few:
        with pytest.raises(ValidationError, match=r"“Try\d” cannot be used in a series"):
            shelf.enqueue(level, own, "main", by=the_owner())
    told = AuditEntry.objects.filter(act="ask for a level", actor=the_owner())
    assert told.count() == MOST_TOLD
    with pytest.raises(ValidationError, match="too often today"):
        shelf.enqueue(last, own, "main", by=the_owner())
    told.delete()
    keys = [level.pk for level in (*few, last)]
    assert shelf.enqueue_all(keys, own, ["main"], by=the_owner()).is_too_often
    assert (told.count(), own.queue.exists()) == (MOST_TOLD, False)


def test_equal_solutions_are_asked_of_senders_of_the_round_alone(owner):
    """Else the answer would tell which players there are."""
    _main, own = two_rounds(announced_at=BEFORE)
    cast.a_level(own)
    cast.enter(own, "Ann", 9, 3, at=cast.DURING)
    stranger = Player.objects.create(nickname="Bob", name_key="bob", created_at=cast.DURING)
    with clock.set_to(cast.AFTER):
        page = f"{DESK}rounds/{own.number}/equal/?player="
        assert owner.get(f"{page}{Submission.objects.get().player_id}").status_code == 200
        assert owner.get(f"{page}{stranger.pk}").status_code == owner.get(f"{page}999").status_code == 404


def test_role_and_tracks_are_set_in_one_act_and_stand_in_the_record(club):
    chief = signed_in(User.objects.create_superuser("chief", password=PASSWORD))
    assert chief.post(f"{DESK}staff/", {"username": "olga", "role": "track-organiser"}).status_code == 422
    shown = chief.post(f"{DESK}staff/", {"username": "olga", "role": "track-organiser", "tracks": ["club"]})
    assert "link" in shown.context
    olga = User.objects.get(username="olga")
    assert track_owners.slugs(olga) == ("club",)
    assert AuditEntry.objects.filter(act="invite member").get().after["tracks"] == ["club"]
    assert "organiser of tracks: Club" in said(chief.get(f"{DESK}staff/"))
    act = f"{DESK}staff/{olga.pk}/do/role/"
    assert chief.post(act, {"role": "track-organiser", "tracks": ["club", "main"]}).status_code == 302
    assert track_owners.slugs(User.objects.get(username="olga")) == ("main", "club")
    assert chief.post(act, {"role": "judge", "tracks": ["club"]}).status_code == 302
    assert not olga.owned_tracks.exists()
    changed = AuditEntry.objects.filter(act="give role").first()
    assert (changed.before["tracks"], "tracks" in changed.after) == (["club", "main"], False)


def test_who_owns_no_track_organises_nothing(owner):
    """Also where the last of their tracks is gone: none is not all."""
    cast.a_round()
    Track.objects.filter(slug="club").delete()
    assert said(owner.get(f"{DESK}rounds/")).count("Round 1") == 0
    assert owner.get(f"{DESK}rounds/1/").status_code == owner.get(f"{DESK}rounds/new/").status_code == 404
    assert put(owner).status_code == 404


def test_their_pages_ask_the_database_one_question_more_than_those_of_others(owner, organiser, cache_of_its_own):
    """Which tracks are theirs."""
    _main, own = two_rounds(announced_at=None)
    mine = a_series("club")
    for page in ("", "rounds/", f"drafts/{own.pk}/", f"drafts/{own.pk}/edit/", f"series/{mine.pk}/", "series/"):
        asked(organiser, f"{DESK}{page}")  # content types and the like
        theirs, others = (asked(client, f"{DESK}{page}") for client in (owner, organiser))
        assert len(theirs) <= len(others) + 1, (page, theirs)


def test_a_form_that_is_behind_names_nobody_who_changed_a_round_of_another_track(owner, organiser):
    """A draft that takes the number of another is no longer the round that the record knows by it (rule 2.1)."""
    cast.a_round(1, **cast.earlier(10))
    later = {"opens_at": cast.CLOSES + timedelta(days=9), "closes_at": cast.CLOSES + timedelta(days=19)}
    rounds.save(Round(number=2, track_id="club", **later), at=BEFORE, by=None)
    own, main = Round.objects.get(number=2), cast.a_round(3, announced_at=None)
    rounds.clear_slot(main, Slot.EXTRA, at=BEFORE, by=member("organiser", "Lin"))
    rounds.announce(main, at=BEFORE, by=None)
    own.refresh_from_db()
    assert own.number == 3
    for client, name in ((owner, "Another organiser"), (organiser, "Lin")):
        told = client.post(f"{DESK}drafts/{own.pk}/edit/", {**NEW, "stamp": "old"})
        assert told.status_code == 409
        assert f"{name} changed this round after you opened the form" in said(told)


def test_a_name_told_to_an_owner_binds_in_no_round_of_another_track(owner, organiser):
    """Rule 4.14: else an owner and a tester of theirs would throw a rival out of another track's round."""
    both = two_rounds(announced_at=None)
    account = User.objects.create_user("tina")
    tina = Player.objects.create(nickname="Tina", name_key="tina", created_at=BEFORE, owner=account)
    rival = Player.objects.create(nickname="Rival", name_key="rival", created_at=BEFORE)
    theirs, own = (testers.name(round_, tina, at=BEFORE, by=None) for round_ in both)
    testers.agree(theirs, [], viewer=Viewer(), at=BEFORE, by=account)
    testers.agree(own, [rival], viewer=Viewer(), at=BEFORE, by=account)
    main, club = both
    place = f"{DESK}drafts/{club.pk}/testers/"
    assert owner.post(place, {"bind": own.pk, "player": rival.pk}).status_code == 302
    assert [testers.is_tester(round_, rival, None) for round_ in both] == [False, True]
    asked = {"bind": theirs.pk, "player": rival.pk}
    assert organiser.post(f"{DESK}drafts/{main.pk}/testers/", asked).status_code == 302
    assert testers.is_tester(main, rival, None)
