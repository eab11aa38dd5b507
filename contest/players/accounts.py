"""Accounts, which are optional: an account owns nicknames in any browser (rule 4.11)."""

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from contest.infra import clock
from contest.models import (
    AuditEntry,
    LevelResult,
    Player,
    Prize,
    Proposal,
    Run,
    SeenSolutions,
    Submission,
    Subscriber,
    Tester,
)
from contest.players.acts import Impossible, check_own, erase, forget_proposals
from contest.players.claims import Claim, forget_contacts, living, new_secret, renew, revoke, sha256_of
from contest.players.email_addresses import canonical_or_none
from contest.rankings import personal_bests
from contest.staff import audit_log
from contest.visibility import Viewer

# The columns that identify a level of a round or of a collection in an export.
_ABOUT = ("level__round__number", "level__slot", "collected__collection__slug", "collected__place")
# Exported columns of results of collections' levels, and of runs.
_OF_RESULT = ("receipt_id", "level__collection__slug", "level__place", "received_at", "moves", "pushes", "lurd")
_OF_RUN = (
    "receipt_id", "mode", "started_at", "received_at", "solved", "milliseconds", "moves", "pushes", "solutions",
)  # fmt: skip
_ROWS_AT_ONCE = 10  # of up to 2 MB each
# Nicknames that a form offers: a stranger can give an address more of them than a page can list.
MOST_OFFERED = 100


def own_players(viewer: Viewer) -> QuerySet[Player]:
    """Return the players that *viewer* has proved to be."""
    return Player.objects.filter(pk__in=viewer.players, merged_into=None, erased_at=None).order_by("pk")


def offered_players(viewer: Viewer) -> QuerySet[Player]:
    """Return the players among which *viewer* chooses in a form, by name: the oldest of their own."""
    return Player.objects.filter(pk__in=own_players(viewer).values("pk")[:MOST_OFFERED]).order_by("nickname")


def is_owned(player: Player, user: User | AnonymousUser) -> bool:
    """Return True if *player* belongs to the account of *user*, who may be anonymous."""
    return user.is_authenticated and player.owner_id == user.pk


def _lock_account(user: User) -> bool:
    """Lock the account of *user* for a new nickname; return False if it was closed meanwhile (`close`)."""
    return User.objects.select_for_update(no_key=True).filter(pk=user.pk).first() is not None


@transaction.atomic
def own_by_addresses(user: User, verified: Iterable[str], held: Container[int] = ()) -> list[Player]:
    """Give *user* the unowned nicknames that carry one of their *verified* addresses; return those whose secrets ended.

    An imported nickname can be used by them from then on. Anybody may have entered the address: secrets and tokens of
    a name whose secret is not *held* by the browser end, or else a stranger would read what the owner does under it
    (rule 4.11).
    """
    ended: list[Player] = []
    # A non-canonical address was not proved by any code that this site sent: see migration 0021.
    wanted = [address for address in verified if address == canonical_or_none(address)]
    if not (wanted and _lock_account(user)):
        return ended
    names = Player.objects.filter(email__in=wanted, owner=None, erased_at=None)
    for name in names.select_related("merged_into"):
        unchanged = Player.objects.filter(pk=name.pk, owner=None, erased_at=None)
        if not unchanged.filter(email=name.email, reclaimed_at=name.reclaimed_at).update(owner=user):
            continue  # another request has just erased the name, or given it to somebody
        name.refresh_from_db(fields=["merged_into"])  # or merged it; now the name is locked
        _close(living(name))
        Player.objects.filter(pk=living(name).pk).update(is_imported=False)
        is_held = name.pk in held or living(name).pk in held
        audit_log.record(user, "own", living(name), after={"by": "e-mail", "held": is_held})
        if not is_held:
            end_secrets(living(name), user)
            ended.append(living(name))
    return ended


def end_secrets(player: Player, by: audit_log.Actor) -> None:
    """End all secrets and tokens of *player*; only its account and address still prove it."""
    revoke(player, by)
    forget_contacts(player)
    player.tokens.filter(revoked_at=None).update(revoked_at=clock.now())


def find_unended_names() -> Iterator[Player]:
    """Yield the names that an account owned by an address before 0.7.0, whose secrets have not ended since."""
    owned: dict[str, bool] = {}
    for act, target, after in AuditEntry.objects.order_by("pk").values_list("act", "target", "after"):
        if act in ("renew claim", "revoke claim", "claim"):
            owned[target] = False
        elif act == "own" and after.get("by") == "e-mail" and "held" not in after:
            owned[target] = True
    for player in Player.objects.filter(merged_into=None, erased_at=None).exclude(owner=None).order_by("pk").iterator():
        if owned.get(audit_log.target_name(player)):
            yield player


@transaction.atomic
def take_over(player: Player, user: User) -> None:
    """Make the account of *user* own *player*, whom their browser has proved. Raise Impossible."""
    if not _lock_account(user):
        raise Impossible(_("This account was deleted."))
    proved = Player.objects.filter(pk=player.pk, reclaimed_at=player.reclaimed_at)
    if not proved.filter(owner=None, erased_at=None).update(owner=user):
        raise Impossible(_("This nickname belongs to an account already."))
    if player.is_open:
        personal_bests.refresh_display(player)  # no longer marked "unclaimed"
    _close(player)
    audit_log.record(user, "own", player, after={"by": "claim"})


@transaction.atomic
def release_name(player: Player, user: User) -> None:
    """End the account's ownership of *player*. Other proofs of the nickname remain valid.

    A tester stays barred from the round under this nickname (rule 4.14).
    """
    _close(player)
    if player.owner_id == user.pk:
        for test in Tester.objects.filter(account=user):
            test.names.add(player)
    Player.objects.filter(pk=player.pk, owner=user).update(owner=None)
    audit_log.record(user, "let go", player)


@transaction.atomic
def renew_secret(player: Player, by: audit_log.Actor) -> Claim:
    """Give *player* a new secret, for the owner (`claims.renew`). Raise Impossible."""
    check_own(player)
    return renew(player, by)


@transaction.atomic
def erase_oneself(player: Player, by: audit_log.Actor) -> None:
    """Erase the personal data of *player*, for the owner. Raise Impossible."""
    check_own(player)
    erase(player, by)


@transaction.atomic
def revoke_secrets(player: Player, user: User) -> None:
    """Revoke all secrets of *player*, whom the account of *user* must own. Raise Impossible."""
    if player.owner_id != user.pk:
        raise Impossible(_("Add the nickname to your account first: nothing else would prove it."))
    check_own(player)
    revoke(player, user)


@transaction.atomic
def close(user: User) -> None:
    """Delete the account and its data. Nicknames (with other proofs) and accepted proposals stay. Raise Impossible."""
    if user.is_staff or user.is_superuser:
        raise Impossible(_("This is an organiser's account. Another organiser has to delete it."))
    _release_names(user)
    # The account's row after those of its nicknames, as in other acts on them. A nickname that another request gave it
    # meanwhile is released, too; from here on none is given.
    User.objects.select_for_update().filter(pk=user.pk).first()
    _release_names(user)
    verified = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    Subscriber.objects.filter(email__in=list(verified)).delete()
    forget_proposals(Proposal.objects.filter(account=user, player=None))
    user.delete()


def _release_names(user: User) -> None:
    for player in Player.objects.filter(owner=user).order_by("pk"):
        release_name(player, user)


def _close(player: Player) -> None:
    """Prevent a nickname from becoming open to everybody when its owner leaves it (rule 4.12)."""
    Player.objects.filter(pk=player.pk, claim_sha256="").update(claim_sha256=sha256_of(new_secret()))


def export(player: Player, user: User | None = None) -> dict[str, Any]:
    """Return everything the site stores about *player*, for the player; texts of moves as iterators of rows.

    Tests of rounds (rule 4.14) belong to an account: they are included only if *user* was the tester.
    """
    names = [player, *player.aliases.all()]
    submissions = Submission.objects.of(player).select_related("round", "level")
    return {
        "number": player.pk,
        "nickname": player.nickname,
        "former_names": [name.nickname for name in names[1:]],
        "country": player.country,
        "league": player.league,
        "emails": [name.email for name in names if name.email],
        "first_seen_at": player.created_at,
        "submissions": map(_export_submission, _in_short_queries(submissions)),
        "sealed_answers": list(
            player.sealed_answers.order_by("number").values(
                "number", "level__round__number", "level__slot", "moves", "pushes", "sha256", "received_at", "opened_at"
            )
        ),
        "levels": _export_rows(LevelResult.objects.filter(player=player), _OF_RESULT),
        "runs": _export_rows(Run.objects.filter(player=player), _OF_RUN),
        "virtual_starts": list(player.virtual_starts.values("round__number", "started_at", "has_seen")),
        "seen_solutions": list(SeenSolutions.objects.filter(player=player).values("round__number", "seen_at")),
        "votes": list(player.votes.order_by("pk").values(*_ABOUT, "cast_at", "beautiful", "hard", "new")),
        "comments": list(
            player.comments.filter(deleted_at=None)
            .order_by("pk")
            .values(*_ABOUT, "post__slug", "written_at", "text", "spoiler", "hidden_at", "hidden_because")
        ),
        "follows": list(player.stars.values(*_ABOUT, "followed", "starred_at")),
        "told_at": player.told_at,
        "questions": list(player.questions.values("round__number", "asked_at", "text", "is_public")),
        "proposals": list(
            player.proposals.values("made_at", "sent_at", "state", "title", "author", "text", "solution", "note")
        ),
        "tests": [
            {
                **{name: getattr(test, name) for name in ("named_at", "agreed_at", "ended_at")},
                "entries": list(test.entries.values("slot", "verdict", "moves", "pushes", "sent_at")),
            }
            for test in (player.tests.filter(account=user) if user else ())
        ],
        "prizes": list(
            Prize.objects.filter(player=player)
            .order_by("pk")
            .values("round__number", "what_zh", "what_en", "handed_at", "contact", "contact_at")
        ),
        "tokens": list(player.tokens.values("public_id", "name", "created_at", "last_used_at", "revoked_at")),
        "webhooks": list(player.webhooks.values("url", "created_at", "disabled_at")),
    }


def _export_rows(rows: QuerySet[Any], names: Sequence[str]) -> Iterator[dict[str, Any]]:
    return ({name: row[name] for name in names} for row in _in_short_queries(rows.values("pk", *names)))


def _in_short_queries(rows: QuerySet[Any]) -> Iterator[Any]:
    """Yield *rows* in order of key, a few at a time: all their texts may not fit into memory."""
    last = 0
    while found := list(rows.filter(pk__gt=last).order_by("pk")[:_ROWS_AT_ONCE]):
        yield from found
        last = found[-1]["pk"] if isinstance(found[-1], dict) else found[-1].pk


def _export_submission(submission: Submission) -> dict[str, Any]:
    return {
        "number": submission.number,
        "receipt": submission.receipt_id,
        "round": submission.round.number,
        "slot": submission.level.slot if submission.level else submission.slot_named,
        "received_at": submission.received_at,
        "door": submission.door,
        "text": bytes(submission.text).decode("utf-8", "surrogatepass"),
        "full_size": submission.full_size,
        "sha256": submission.sha256,
        "verdict": submission.verdict,
        "moves": submission.moves,
        "pushes": submission.pushes,
        "lurd": submission.lurd,
    }
