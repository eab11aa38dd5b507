"""The receipt chain of a round as its archive shows it (rule 24.2): its leaves, and the ones that are opened."""

import json
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.db.models import Max, Min, Q

from contest.archive import format as archived
from contest.judging import receipt_chain
from contest.models import ChainLink, Round, Submission
from contest.rules import canonical


def links_of(round_: Round) -> tuple[list[ChainLink], str]:
    """Return the links from the round's opening, or else its first submission, to its last; and the link before them.

    Submissions for practice on other rounds may lie between; like rejected ones, they appear only as leaves.
    """
    own = ChainLink.objects.filter(
        Q(round=round_)
        | Q(submission__round=round_, submission__is_practice=False)
        | Q(sealed_answer__level__round=round_)
        | Q(closing_of=round_)
    )
    span = own.aggregate(first=Min("position"), last=Max("position"))
    if span["first"] is None:
        return [], canonical.START
    previous = ChainLink.objects.filter(position=span["first"] - 1).first()
    links = ChainLink.objects.filter(position__range=(span["first"], span["last"])).order_by("position")
    selected = links.select_related("submission").only(
        "position",
        "round",
        "closing_of",
        "nonce",
        "leaf",
        "link",
        "document",
        "submission__received_at",
        "submission__sha256",
    )
    return list(selected), previous.link if previous else canonical.START


def lines(links: Iterable[ChainLink], format_: int) -> Iterator[bytes]:
    """Yield the lines of `chain.jsonl`: an older link with all the fields it binds, any other with its leaf."""
    for link in links:
        row = link.submission
        if row and not link.nonce:
            at = str(canonical.instant(row.received_at))
            yield archived.line(archived.Link(row.number, at, row.sha256, link.link), format_)
        else:
            yield archived.line(archived.Leaf(link.leaf, link.link), format_)


def opening_page(round_: Round, links: Iterable[ChainLink]) -> str:
    """Return `opening.json`: the facts bound when the round opened, or null if it opened before these were bound.

    The links may include the opening of a round of another track (rule 2.11).
    """
    document = next((link.document for link in links if link.round_id == round_.pk), "null")
    return canonical.json_page(json.loads(document))


def closing_lines(round_: Round, links: Iterable[ChainLink]) -> bytes:
    """Return `closings.jsonl`: the facts bound at each close of the round, one a line (rule 24.2)."""
    return "".join(f"{link.document}\n" for link in links if link.closing_of_id == round_.pk).encode()


def tree_before(size: int) -> dict[str, Any]:
    """Describe the leaves before the archive's first: their number, and the roots of the subtrees they form."""
    return {"size": size, "peaks": [peak.hex() for peak in receipt_chain.tree_peaks(size)]}


def open_row(row: archived.Submission, submission: Submission, opened: Container[int]) -> archived.Submission:
    """Return *row* with its leaf, opened only if its moves are public; otherwise without even the text's hash."""
    link = getattr(submission, "chain_link", None)
    if link is None or not link.nonce:
        return row
    if link.document:
        row = _show_entry(row, json.loads(link.document))
    if row.number not in opened:
        return replace(row, leaf=link.leaf, sha256=None)
    return replace(row, leaf=link.leaf, nonce=link.nonce, sent_as=submission.sent_as.archive_number)


def _show_entry(row: archived.Submission, entry: Mapping[str, Any]) -> archived.Submission:
    """Return *row* with the facts that its leaf binds from format 4 on; the text appears as its seal only."""
    facts = {"sent_as": entry["player"], "sent_league": entry["league"], "slot_named": entry["slot"]}
    return replace(row, reader=entry["reader"], text_seal=entry["text"], **facts)
