from datetime import timedelta

import pytest
from defusedxml.ElementTree import fromstring
from icalendar import Calendar

from contest.infra import clock
from contest.models import Post, Question, Round, Track
from contest.web.sharing.feeds import OF_A_TRACK
from tests import cast

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


def _titles(client, name, language="en"):
    answer = client.get(f"/{language}/feeds/{name}.atom")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/atom+xml")
    return [entry.findtext(f"{ATOM}title") for entry in fromstring(answer.content).iter(f"{ATOM}entry")]


def test_events_of_rounds_appear_at_their_times(client, during_round):
    assert _titles(client, "rounds") == ["Round 1 is open", "Round 1 is announced"]
    newest = client.get("/en/feeds/rounds.json").json()["items"][0]
    assert (newest["title"], newest["date_published"]) == ("Round 1 is open", cast.OPENS.isoformat())
    with clock.set_to(cast.CLOSES):
        assert _titles(client, "rounds")[0] == "Round 1 has closed"


def test_the_calendar_has_the_times_of_a_round_and_its_cancellation(client, during_round):
    Round.objects.update(cancelled_at=cast.DURING)
    (event,) = Calendar.from_ical(client.get("/rounds.ics").content).walk("VEVENT")
    assert (event.start, event.end, event["status"]) == (cast.OPENS, cast.CLOSES, "CANCELLED")


def test_the_feed_of_submissions_shows_only_counts(client, during_round):
    """Rules 7.1, 7.2."""
    cast.submit("Ada <b>", "rlrlrR")
    assert _titles(client, "submissions") == ["Ada <b>: 6 moves, 1 push on Round 1 · Main"]
    assert "rlrl" not in client.get("/en/feeds/submissions.json").content.decode().lower()


def test_an_unchanged_or_empty_feed_answers_304(client, during_round):
    """An empty feed dated by the time of the request was never the same twice."""
    for name, is_empty in {"rounds": False, "questions": True}.items():
        with clock.set_to(cast.DURING):
            first = client.get(f"/en/feeds/{name}.atom")
        assert (b"<entry" not in first.content) == is_empty
        with clock.set_to(cast.DURING + timedelta(minutes=5)):
            again = client.get(f"/en/feeds/{name}.atom", headers={"If-None-Match": first["ETag"]})
        assert again.status_code == 304


@pytest.fixture
def weekly_round(during_round):
    Track.objects.create(slug="weekly", title_zh="周赛", title_en="Weekly", order=1)
    round_ = cast.a_round(2, track_id="weekly")
    cast.enter_all(round_, [("Ada", 12, 8)])
    cast.enter_all(during_round, [("Rival", 14, 6)])
    return round_


def test_each_track_has_feeds_and_a_calendar_with_nothing_of_other_tracks(client, weekly_round):
    """Rule 2.11: feeds without a track contain all of them."""
    feed = client.get("/en/tracks/weekly/feeds/rounds.json").json()
    assert {item["title"] for item in feed["items"]} == {"Round 2 is open", "Round 2 is announced"}
    assert len(client.get("/en/feeds/rounds.json").json()["items"]) == 4
    for name in OF_A_TRACK:
        assert "/rounds/1/" not in client.get(f"/en/tracks/weekly/feeds/{name}.json").text, name
        assert client.get(f"/en/tracks/main/feeds/{name}.atom").status_code == 200
    (event,) = Calendar.from_ical(client.get("/tracks/weekly.ics").content).walk("VEVENT")
    assert str(event["uid"]).startswith("round-2@")
    assert len(Calendar.from_ical(client.get("/rounds.ics").content).walk("VEVENT")) == 2


def test_unknown_feeds_and_hidden_tracks_return_404(client, weekly_round):
    Track.objects.create(slug="club", title_zh="俱乐部", title_en="Club", order=2)
    for address in ("tracks/weekly/feeds/news.atom", "tracks/club/feeds/rounds.json", "feeds/secrets.atom"):
        assert client.get(f"/en/{address}").status_code == 404
    assert client.get("/tracks/club.ics").status_code == 404


def test_records_and_posts_appear_when_public(client, during_round):
    cast.enter_all(during_round, [("Ada", 12, 8), ("Rival", 14, 6), ("Last", 20, 9)])
    assert set(_titles(client, "records")) == {
        "Fewest moves on Round 1 · Main: 12 moves, 8 pushes by Ada",
        "Fewest pushes on Round 1 · Main: 14 moves, 6 pushes by Rival",
    }
    for slug, at in (("shown", cast.OPENS), ("later", cast.AFTER), ("draft", None)):
        Post.objects.create(slug=slug, title_en=slug, text_en="Words", published_at=at)
    assert _titles(client, "news") == ["shown"]


def test_a_control_character_in_a_title_breaks_no_feed(client, during_round):
    """A vertical tab, as pasted from a text processor, is no XML: the feed was an error until its post was changed."""
    Post.objects.create(slug="news", title_en="Two\x0blines", published_at=cast.OPENS)
    assert "Twolines" in _titles(client, "news")


def test_only_public_answers_appear_and_no_gap_in_their_ids_shows_a_private_one(client, during_round):
    """Rule 25.1: consecutive numbers would, by their gaps."""
    player = cast.send("Ada", "rR").submission.player
    fields = {"round": during_round, "player": player, "asked_at": cast.OPENS, "answered_at": cast.OPENS}
    for public_text, answer in (("Is it?", "Yes."), ("", "private"), ("Is it?", "Yes.")):
        shown = {"public_text": public_text, "answer_en": answer, "is_public": bool(public_text)}
        Question.objects.create(**fields, text="asked in private", **shown)
    assert _titles(client, "questions") == ["Round 1: Is it?"] * 2
    feed = client.get("/en/feeds/questions.json")
    assert "private" not in feed.text
    ids = [item["id"].removeprefix("question:") for item in feed.json()["items"]]
    assert [len(number) for number in ids] == [16, 16]
    assert len(set(ids)) == 2
