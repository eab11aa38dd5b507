"""Level proposals by authors; hidden data stays hidden on both sides."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from contest.infra import clock
from contest.library import proposals
from contest.models import AuditEntry, LibraryLevel, Proposal
from contest.players import accounts, acts
from tests import cast
from tests.desk.conftest import member, signed_in

pytestmark = pytest.mark.django_db

NEW = "/en/propose/"
LEVEL = "#######\n#@ $ .#\n#######"
MINE = f"Title: Long way\nAuthor: Ann\n\n{LEVEL}\n\nSolution:\nrRR\n"
BEFORE = cast.OPENS - timedelta(days=1)


@pytest.fixture(autouse=True)
def _before(db):
    with clock.set_to(BEFORE):
        yield


def author(name: str = "ann") -> Client:
    return signed_in(User.objects.create_user(name))


def said(answer) -> str:
    return answer.content.decode()


def begun(client, text=MINE) -> Proposal:
    client.post(NEW, {"do": "read", "pasted": text})
    return Proposal.objects.latest("pk")


def posted(client, proposal, do, **fields):
    proposal.refresh_from_db()
    given = {
        "text": str(proposal.board),
        "solution": proposal.solution,
        "title": proposal.title,
        "author": proposal.author,
        "licence": "contest",
        "note": "",
        "version": proposal.version,
        **fields,
    }
    return client.post(proposal.get_absolute_url(), {"do": do, **given})


def sent(client, text=MINE) -> Proposal:
    proposal = begun(client, text)
    assert posted(client, proposal, "send").status_code == 302
    proposal.refresh_from_db()
    return proposal


# Authors


@pytest.mark.parametrize("door", ["pasted", "file"])
def test_a_level_becomes_a_draft_with_what_stands_beside_it(door):
    brought = {"pasted": MINE} if door == "pasted" else {"file": SimpleUploadedFile("a.sok", MINE.encode())}
    author().post(NEW, {"do": "read", "pasted": "", **brought})
    proposal = Proposal.objects.get()
    assert (proposal.state, proposal.title, proposal.author, proposal.solution) == ("draft", "Long way", "Ann", "rRR")


def test_a_stranger_is_asked_who_they_are_and_keeps_their_text(client):
    answer = client.post(NEW, {"do": "read", "pasted": MINE})
    assert answer.status_code == 422
    assert "Sign in, or prove a nickname" in said(answer)
    assert "#@ $ .#" in said(answer)
    assert not Proposal.objects.exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{LEVEL}\n\n{LEVEL}\n", "There are 2 levels in it"),
        ("hello", "No readable level was found in it."),
        ("", "Paste a level, or choose a file."),
        ("#" * 200_000, "at most 150000 characters"),
    ],
)
def test_what_is_not_one_level_is_refused_in_words(text, words):
    assert words in said(author().post(NEW, {"do": "read", "pasted": text}))


def test_the_page_says_what_stands_in_the_way_and_where():
    """Rule 2.7."""
    ann = author()
    proposal = begun(ann, "#######\n#@ $  #\n#    .#\n#   $ #\n#######")
    page = said(ann.get(proposal.get_absolute_url()))
    assert "The level has 2 boxes and 1 goals; they must be equal in number." in page
    assert "Your own solution is missing." in page
    assert "organiser&#x27;s own" not in page


@pytest.mark.parametrize(
    ("lacks", "words"),
    [
        ({"solution": "rRu"}, "Move 3 (u) walks into a wall."),
        ({"licence": ""}, "Choose how the level may be used"),
        ({"author": ""}, "This field is required"),
    ],
)
def test_a_level_is_sent_only_with_a_solution_that_solves_it_rights_and_a_name(lacks, words):
    """Rule 2.7."""
    ann = author()
    answer = posted(ann, begun(ann), "send", **lacks)
    assert answer.status_code == 422
    assert words in said(answer)
    assert Proposal.objects.get().state == "draft"


def test_nothing_typed_is_lost_where_the_board_cannot_be_read():
    ann = author()
    answer = posted(ann, begun(ann), "save", text="###Q###", note="Please be kind")
    assert answer.status_code == 422
    assert "Please be kind" in said(answer)
    assert "###Q###" in said(answer)


def test_a_twin_is_shown_beside_the_level_once_it_is_public_however_it_is_turned():
    """Rules 2.7, 2.8, 7.4: before that, neither a round's level nor the library's is revealed."""
    level = cast.a_round().levels.get(slot="main")
    size = {"width": 6, "height": 3, "boxes": 1}
    organiser = User.objects.create(username="organiser")
    LibraryLevel.objects.create(text=level.text, sha256="", key=level.key, added_at=BEFORE, added_by=organiser, **size)
    ann, turned = author(), "###\n#.#\n#$#\n# #\n#@#\n###"
    for at, is_known in ((cast.OPENS - timedelta(seconds=1), False), (cast.OPENS, True)):
        with clock.set_to(at):
            page = said(ann.get(begun(ann, turned).get_absolute_url())).split('<main id="main">')[1]
        assert ("This level is known: Round 1 · Main." in page, "known" in page) == (is_known, is_known)


def test_an_author_sees_their_own_only():
    ann, ben = author(), author("ben")
    proposal = sent(ann)
    assert ben.get(proposal.get_absolute_url()).status_code == 404
    assert ben.post(proposal.get_absolute_url(), {"do": "withdraw", "version": "2"}).status_code == 404
    assert "Long way" not in said(ben.get(NEW))
    assert "Long way" in said(ann.get(NEW))


def test_drafts_what_waits_and_a_day_are_bounded(monkeypatch):
    monkeypatch.setattr(proposals, "MOST_DRAFTS", 2)
    monkeypatch.setattr(proposals, "MOST_OPEN", 1)
    ann = author()
    sent(ann)
    second = begun(ann)
    assert "1 of your levels wait for an answer." in said(posted(ann, second, "send"))
    begun(ann)
    assert "You have 2 drafts" in said(ann.post(NEW, {"do": "read", "pasted": MINE}))
    monkeypatch.setattr(proposals, "PER_DAY", 2)
    posted(ann, second, "delete")
    assert "You have reached the limit of 2 levels a day." in said(ann.post(NEW, {"do": "read", "pasted": MINE}))


def test_what_was_sent_can_be_taken_back_and_sent_again():
    ann = author()
    proposal = sent(ann)
    posted(ann, proposal, "withdraw")
    assert not proposals.visibility.proposals(member("organiser")).exists()
    posted(ann, proposal, "again")
    posted(ann, proposal, "send")
    proposal.refresh_from_db()
    assert proposal.state == "sent"


def test_a_draft_changed_in_another_window_is_not_overwritten():
    ann = author()
    proposal = begun(ann)
    posted(ann, proposal, "save", title="First")
    answer = posted(ann, proposal, "save", title="Second", version=1)
    assert answer.status_code == 409
    assert "Second" in said(answer)
    assert Proposal.objects.get().title == "First"


def test_erasing_a_player_and_closing_an_account_erases_what_they_proposed(client):
    """Rule 15.6: a player with a proved nickname needs no account."""
    ann = User.objects.create_user("ann")
    begun(signed_in(ann))
    accounts.close(ann)
    assert not Proposal.objects.exists()
    with clock.set_to(cast.DURING):
        cast.a_round()
        client.post("/en/submit/", {"moves": "rR", "nickname": "Ben", "slot": "main"})
        proposal = begun(client)
        assert (proposal.player.nickname, proposal.account) == ("Ben", None)
        assert client.get(proposal.get_absolute_url()).status_code == 200
        acts.erase(proposal.player, None)
    assert not Proposal.objects.exists()


# Organisers


def desk(proposal) -> str:
    return f"/en/desk/proposals/{proposal.pk}/"


def answered(client, proposal, do, **fields):
    proposal.refresh_from_db()
    return client.post(desk(proposal), {"do": do, "version": proposal.version, **fields})


def test_an_organiser_accepts_a_level_into_the_library():
    proposal = sent(author())
    organiser = signed_in(member("organiser"))
    assert "The author's solution solves it: 3 moves, 2 pushes." in said(organiser.get(desk(proposal)))
    answered(organiser, proposal, "accept", tags="corridor", difficulty="2", rights="as ticked")
    kept = LibraryLevel.objects.get()
    assert (kept.title, kept.author, kept.state, kept.solution) == ("Long way", "Ann", "ready", "rRR")
    proposal.refresh_from_db()
    assert (proposal.state, proposal.kept_as) == ("accepted", kept)
    assert AuditEntry.objects.filter(act="accept proposal").exists()


def test_warnings_are_read_before_a_level_is_accepted():
    """Rule 2.7."""
    cast.a_round()
    proposal = sent(author(), "Title: Known\nAuthor: Ann\n\n######\n#@ $.#\n######\n\nrR")
    organiser = signed_in(member("organiser"))
    assert "This level is known: Round 1" in said(organiser.get(desk(proposal)))
    assert answered(organiser, proposal, "accept", rights="x").status_code == 422
    assert not LibraryLevel.objects.exists()
    assert answered(organiser, proposal, "accept", rights="x", confirmed="on").status_code == 302


def test_the_second_of_two_organisers_is_told_and_changes_nothing():
    proposal = sent(author())
    first, second = signed_in(member("organiser")), signed_in(member("organiser", "other"))
    answered(first, proposal, "decline", text="Too easy.")
    answer = second.post(desk(proposal), {"do": "accept", "version": 2, "rights": "x"})
    assert answer.status_code == 409
    assert "changed meanwhile" in said(answer)
    assert not LibraryLevel.objects.exists()


def test_both_sides_write_to_each_other_and_a_level_is_declined_with_a_reason(client):
    ann = author()
    proposal = sent(ann)
    organiser = signed_in(member("organiser"))
    answered(organiser, proposal, "comment", text="Could it be smaller?")
    posted(ann, proposal, "comment", text="I shall try.")
    assert answered(organiser, proposal, "decline", text="").status_code == 422
    answered(organiser, proposal, "decline", text="Too easy for a round.")
    for client, address in ((ann, proposal.get_absolute_url()), (organiser, desk(proposal))):
        page = said(client.get(address))
        assert page.index("Could it be smaller?") < page.index("I shall try.")
        assert "Too easy for a round." in page


def test_an_answer_is_mailed_to_a_verified_address_and_to_no_other(django_capture_on_commit_callbacks):
    ann = User.objects.create_user("ann", email="ann@example.org")
    proposal = sent(signed_in(ann))
    organiser = signed_in(member("organiser"))
    with django_capture_on_commit_callbacks(execute=True):
        answered(organiser, proposal, "comment", text="One")
    assert mail.outbox == []
    ann.emailaddress_set.create(email="ann@example.org", verified=True, primary=True)
    with django_capture_on_commit_callbacks(execute=True):
        answered(organiser, proposal, "comment", text="Two")
    assert [sent_.to for sent_ in mail.outbox] == [["ann@example.org"]]
    assert proposal.get_absolute_url() in mail.outbox[0].body


def test_an_answer_stands_although_it_could_not_be_mailed(django_capture_on_commit_callbacks, monkeypatch):
    ann = User.objects.create_user("ann")
    ann.emailaddress_set.create(email="ann@example.org", verified=True, primary=True)
    proposal = sent(signed_in(ann))

    def fail(*_letter):
        raise ConnectionRefusedError

    monkeypatch.setattr(proposals, "send_mail", fail)
    with django_capture_on_commit_callbacks(execute=True):
        assert answered(signed_in(member("organiser")), proposal, "comment", text="Two").status_code == 302
    assert "Two" in said(signed_in(ann).get(proposal.get_absolute_url()))


def test_the_queue_is_for_organisers_and_a_draft_its_authors_alone():
    ann = author()
    proposal = sent(ann)
    addresses = ("/en/desk/proposals/", desk(proposal))
    for stranger in (signed_in(member("author")), author("other")):
        assert [stranger.get(address).status_code for address in addresses] == [404, 404]
    draft, organiser = begun(ann, MINE.replace("Long way", "Draft")), signed_in(member("organiser"))
    assert organiser.get(desk(draft)).status_code == 404
    listed = said(organiser.get("/en/desk/proposals/"))
    assert ("Long way" in listed, "Draft" in listed) == (True, False)
