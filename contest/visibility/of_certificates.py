"""Access to certificates of optima, which contain a solution (rules 7.3, 20.4)."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from contest.models import Certificate, CertificateKind, Round, SearchKind
from contest.visibility.of_library import collected_levels
from contest.visibility.of_rounds import are_solutions_public, in_play, is_in_play, studied_levels
from contest.visibility.viewer import Viewer


def certificates(at: datetime, rounds: Iterable[Round] | None = None) -> QuerySet[Certificate]:
    """Return the public certificates, without content, of levels in revealed *rounds* (None: all) and in collections.

    None is of another board than the level has now, of a board in play, of vetting (rule 7.4), or beaten.
    """
    among = Round.objects.revealed(at) if rounds is None else rounds
    open_rounds = [round_.pk for round_ in among if are_solutions_public(round_, at)]
    levels = studied_levels(at).filter(round__in=open_rounds).order_by()
    of_rounds = Q(search__level__in=levels, search__sha256=F("search__level__sha256"))
    collected = collected_levels(Viewer(), at).exclude(Exists(in_play(at).filter(key=OuterRef("key")).order_by()))
    of_collections = Q(search__collected__in=collected.order_by(), search__sha256=F("search__collected__sha256"))
    shown = Certificate.objects.filter(
        of_rounds | of_collections, search__kind__in=(SearchKind.STUDY, SearchKind.PROOF)
    )
    shown = shown.exclude(kind=CertificateKind.UNSOLVABLE).exclude(pk__in=Certificate.objects.beaten().order_by())
    return shown.select_related("search__level__round", "search__collected__collection").defer(
        "content", "search__text", "search__found", "search__stretches", "search__tried", "search__level__solution"
    )


def may_see_proof(row: Certificate, at: datetime) -> bool:
    """Return whether the content of a public certificate is shown: a solution, which helps with near copies in play."""
    return not is_in_play(row.level.board, at)
