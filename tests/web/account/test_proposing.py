from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from contest import players
from contest.infra import clock, rate_limits
from contest.library import proposals
from contest.models import AuditEntry, LibraryLevel, Proposal
from contest.players import accounts, acts
from tests import cast
from tests.desk.conftest import member, signed_in

NEW = "/en/propose/"
LEVEL = "#######\n#@ $ .#\n#######"
OWN_LEVEL = f"Title: Long way\nAuthor: Ann\n\n{LEVEL}\n\nSolution:\nrRR\n"
BEFORE = cast.OPENS - timedelta(days=1)
pytestmark = [pytest.mark.django_db, pytest.mark.clock(BEFORE)]
QUEUE = "/en/desk/proposals/"


def author(name: str = "ann") -> Client:
    return signed_in(User.objects.create_user(name))


def create_draft(client, text=OWN_LEVEL) -> Proposal:
    client.post(NEW, {"do": "read", "pasted": text})
    return Proposal.objects.latest("pk")


def post(client, proposal, do, **fields):
    proposal.refresh_from_db()
    stored = {name: getattr(proposal, name) for name in ("solution", "title", "author", "version")}
    given = {"do": do, "text": str(proposal.board), "licence": "contest", "note": "", **stored, **fields}
    return client.post(proposal.get_absolute_url(), given)


def create_sent_proposal(client, text=OWN_LEVEL) -> Proposal:
    proposal = create_draft(client, text)
    assert post(client, proposal, "send").status_code == 302
    proposal.refresh_from_db()
    return proposal


@pytest.mark.parametrize("pasted", [OWN_LEVEL, ""])
def test_a_level_becomes_a_draft_with_its_title_author_and_solution(pasted):
    file = {} if pasted else {"file": SimpleUploadedFile("a.sok", OWN_LEVEL.encode())}
    author().post(NEW, {"do": "read", "pasted": pasted, **file})
    proposal = Proposal.objects.get()
    assert (proposal.state, proposal.title, proposal.author, proposal.solution) == ("draft", "Long way", "Ann", "rRR")


def test_a_text_without_exactly_one_level_is_refused_with_the_reason():
    reasons = {
        "####\n#@Q#\n####": "“Q” is not a character",
        "Good day": "No readable level",
        LEVEL * 2: "contains 2 levels",
    }
    ann = author()
    for pasted, reason in reasons.items():
        answer = ann.post(NEW, {"do": "read", "pasted": pasted.replace(LEVEL, f"{LEVEL}\n\n")})
        assert (answer.status_code, reason in answer.text) == (422, True)


def test_an_anonymous_viewer_must_sign_in_and_keeps_the_text(client):
    answer = client.post(NEW, {"do": "read", "pasted": OWN_LEVEL})
    assert answer.status_code == 422
    assert "sign in or claim a nickname" in answer.text
    assert "#@ $ .#" in answer.text
    assert not Proposal.objects.exists()


@pytest.mark.parametrize(
    ("changed_fields", "message"),
    [
        ({"solution": "rRu"}, "Move 3 (u) walks into a wall."),
        ({"licence": ""}, "Choose how the level may be used"),
        ({"author": ""}, "This field is required"),
    ],
)
def test_a_proposal_needs_a_valid_solution_rights_and_an_author(changed_fields, message):
    """Rule 2.7."""
    ann = author()
    answer = post(ann, create_draft(ann), "send", **changed_fields)
    assert answer.status_code == 422
    assert message in answer.text
    assert Proposal.objects.get().state == "draft"


def test_a_network_sends_a_limited_number_of_levels_under_any_names(cache_of_its_own, settings):
    """Rule 2.7: the organisers are few."""
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"contest.proposal.network": "1/86400s/key"}
    create_sent_proposal(author())
    other = author("bo")
    draft = create_draft(other)
    assert "Too many levels came from your network today." in post(other, draft, "send").text
    assert post(other, draft, "save").status_code == 302


def test_drafts_sent_proposals_and_proposals_per_day_are_limited(monkeypatch):
    monkeypatch.setattr(proposals, "MOST_DRAFTS", 2)
    monkeypatch.setattr(proposals, "MOST_OPEN", 1)
    ann = author()
    create_sent_proposal(ann)
    second = create_draft(ann)
    assert "You have 1 levels waiting for an answer." in post(ann, second, "send").text
    create_draft(ann)
    assert "You have 2 drafts" in ann.post(NEW, {"do": "read", "pasted": OWN_LEVEL}).text
    monkeypatch.setattr(proposals, "PER_DAY", 2)
    post(ann, second, "delete")
    assert "You have reached the limit of 2 levels a day." in ann.post(NEW, {"do": "read", "pasted": OWN_LEVEL}).text


def test_a_proposal_can_be_withdrawn_and_sent_again():
    ann = author()
    proposal = create_sent_proposal(ann)
    post(ann, proposal, "withdraw")
    assert not proposals.visibility.proposals(member("organiser")).exists()
    post(ann, proposal, "again")
    post(ann, proposal, "send")
    proposal.refresh_from_db()
    assert proposal.state == "sent"


def test_erasing_a_player_or_closing_an_account_erases_their_proposals(client):
    """Rule 15.6: a player with a proved nickname needs no account."""
    ann = User.objects.create_user("ann")
    create_draft(signed_in(ann))
    accounts.close(ann)
    assert not Proposal.objects.exists()
    with clock.set_to(cast.DURING):
        cast.a_round()
        client.post("/en/submit/", {"moves": "rR", "nickname": "Ben", "slot": "main"})
        proposal = create_draft(client)
        assert (proposal.player.nickname, proposal.account) == ("Ben", None)
        assert client.get(proposal.get_absolute_url()).status_code == 200
        acts.erase(proposal.player, None)
    assert not Proposal.objects.exists()


@pytest.mark.parametrize("by", ["player", "account"])
def test_nothing_private_is_kept_with_the_accepted_level_of_an_erased_author(by):
    """Rule 15.6: the level stays publishable with its author's name."""
    user = User.objects.create_user("ann")
    create_draft(signed_in(user))
    player = players.create("Ann", country="", email="", at=BEFORE)[0] if by == "player" else None
    Proposal.objects.update(player=player, state="accepted", sent_at=BEFORE, note="I am Ann Ash")
    proposals.comment(Proposal.objects.get(), "Call me at 1 Road", at=BEFORE, by=user, is_by_staff=False)
    if player:
        acts.erase(player, None)
    else:
        accounts.close(user)
    kept = Proposal.objects.get()
    assert (kept.author, kept.note, kept.comments.count()) == ("Ann", "", 0)


def desk_url(proposal) -> str:
    return f"{QUEUE}{proposal.pk}/"


def post_answer(client, proposal, do, **fields):
    proposal.refresh_from_db()
    return client.post(desk_url(proposal), {"do": do, "version": proposal.version, **fields})


def test_an_organiser_accepts_a_level_into_the_library():
    proposal = create_sent_proposal(author())
    organiser = signed_in(member("organiser"))
    assert "The author's solution solves it: 3 moves, 2 pushes." in organiser.get(desk_url(proposal)).text
    post_answer(organiser, proposal, "accept", tags="corridor", difficulty="2", rights="as ticked")
    library_level = LibraryLevel.objects.get()
    assert (library_level.title, library_level.state, library_level.solution) == ("Long way", "ready", "rRR")
    proposal.refresh_from_db()
    assert (proposal.state, proposal.kept_as) == ("accepted", library_level)
    assert AuditEntry.objects.filter(act="accept proposal").exists()


def test_warnings_must_be_confirmed_before_a_level_is_accepted():
    """Rule 2.7."""
    cast.a_round()
    proposal = create_sent_proposal(author(), "Title: Known\nAuthor: Ann\n\n######\n#@ $.#\n######\n\nrR")
    organiser = signed_in(member("organiser"))
    assert "This level already exists: Round 1" in organiser.get(desk_url(proposal)).text
    assert post_answer(organiser, proposal, "accept", rights="x").status_code == 422
    assert not LibraryLevel.objects.exists()
    assert post_answer(organiser, proposal, "accept", rights="x", confirmed="on").status_code == 302


def test_an_outdated_form_overwrites_neither_a_draft_nor_a_decision():
    ann = author()
    proposal = create_draft(ann)
    post(ann, proposal, "save", title="First")
    answer = post(ann, proposal, "save", title="Second", version=1)
    assert (answer.status_code, "Second" in answer.text, Proposal.objects.get().title) == (409, True, "First")
    post(ann, proposal, "send")
    first, second = signed_in(member("organiser")), signed_in(member("organiser", "other"))
    post_answer(first, proposal, "decline", text="Too easy.")
    answer = second.post(desk_url(proposal), {"do": "accept", "version": 3, "rights": "x"})
    assert (answer.status_code, "changed in the meantime" in answer.text) == (409, True)
    assert not LibraryLevel.objects.exists()


def test_author_and_organiser_comment_and_a_decline_needs_a_reason(client):
    ann = author()
    proposal = create_sent_proposal(ann)
    organiser = signed_in(member("organiser"))
    post_answer(organiser, proposal, "comment", text="Could it be smaller?")
    post(ann, proposal, "comment", text="I shall try.")
    assert post_answer(organiser, proposal, "decline", text="").status_code == 422
    post_answer(organiser, proposal, "decline", text="Too easy for a round.")
    for client, address in ((ann, proposal.get_absolute_url()), (organiser, desk_url(proposal))):
        page = client.get(address).text
        assert page.index("Could it be smaller?") < page.index("I shall try.")
        assert "Too easy for a round." in page


@pytest.fixture
def ann() -> User:
    user = User.objects.create_user("ann", email="ann@example.org")
    user.emailaddress_set.create(email="ann@example.org", verified=True, primary=True)
    return user


@pytest.fixture
def comment(ann, django_capture_on_commit_callbacks):
    proposal, organiser = create_sent_proposal(signed_in(ann)), signed_in(member("organiser"))

    def write(text: str = "Two") -> Proposal:
        with django_capture_on_commit_callbacks(execute=True):
            assert post_answer(organiser, proposal, "comment", text=text).status_code == 302
        return proposal

    return write


def test_an_answer_is_mailed_only_to_a_verified_address(ann, comment):
    ann.emailaddress_set.update(verified=False)
    comment("One")
    assert mail.outbox == []
    ann.emailaddress_set.update(verified=True)
    proposal = comment()
    assert [sent_.to for sent_ in mail.outbox] == [["ann@example.org"]]
    assert proposal.get_absolute_url() in mail.outbox[0].body


def test_a_comment_that_is_sent_twice_is_written_and_mailed_once(comment):
    comment()
    assert [written.text for written in comment().comments.all()] == ["Two"]
    assert len(mail.outbox) == 1
    assert comment("Three").comments.count() == 2


@pytest.mark.parametrize("end", ["\r", "\r\n", "\x0b", "\x1c"])
def test_a_title_of_several_lines_is_one_line_in_a_letter(comment, end):
    Proposal.objects.update(title=f"Way{end}Bcc: all@example.org")
    comment()
    assert [letter.subject for letter in mail.outbox] == ["An answer about your level Way Bcc: all@example.org"]


def test_an_answer_is_stored_even_if_mailing_fails(ann, comment, monkeypatch):
    monkeypatch.setattr(proposals, "send_mail", Mock(side_effect=ConnectionRefusedError))
    assert "Two" in signed_in(ann).get(comment().get_absolute_url()).text


def test_authors_see_only_their_own_proposals_and_organisers_only_sent_ones():
    ann, ben, organiser = author(), author("ben"), signed_in(member("organiser"))
    proposal = create_sent_proposal(ann)
    assert ben.get(proposal.get_absolute_url()).status_code == 404
    assert ben.post(proposal.get_absolute_url(), {"do": "withdraw", "version": "2"}).status_code == 404
    assert ["Long way" in client.get(NEW).text for client in (ann, ben)] == [True, False]
    for stranger in (ben, signed_in(member("author"))):
        assert [stranger.get(page).status_code for page in (QUEUE, desk_url(proposal))] == [404, 404]
    draft = create_draft(ann, OWN_LEVEL.replace("Long way", "Draft"))
    assert organiser.get(desk_url(draft)).status_code == 404
    listed = organiser.get(QUEUE).text
    assert ("Long way" in listed, "Draft" in listed) == (True, False)


def test_a_long_text_counts_as_many_forms(monkeypatch):
    counted = []
    monkeypatch.setattr(rate_limits, "_pass", lambda _gate, passes: counted.append(passes))
    assert Client().post(NEW, {"pasted": "\r" * 100_000}).status_code == 422
    assert max(counted) > 20
