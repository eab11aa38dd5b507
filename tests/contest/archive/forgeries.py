import base64
import hashlib
from collections.abc import Callable
from functools import partial
from itertools import cycle
from typing import Any

from contest.archive import format as archived
from contest.rules import lucky_draw
from tests.contest.archive.forger import ALONE, REHASHED, RELINKED, TABULATED, Forgery

# A change by name, and the depth from which the verifier alone no longer notices it. CAUGHT: it always does.
CAUGHT = 9
Change = Callable[[Forgery], Any]

# Changes to one submission


def _replace_moves(row: dict[str, Any], lurd: str) -> None:
    """Replace the moves and their counts; keep the text that was sent."""
    row |= {"lurd": lurd, "moves": len(lurd), "pushes": sum(map(str.isupper, lurd))}


def _resend(row: dict[str, Any], lurd: str) -> None:
    text = lurd.encode()
    _replace_moves(row, lurd)
    row |= {"text": base64.b64encode(text).decode(), "sha256": hashlib.sha256(text).hexdigest()}


def _dee(forged: Forgery) -> int:
    return int(next(item["number"] for item in forged.players if item["name"] == "Dee"))


def _leave_out(forged: Forgery, row: dict[str, Any]) -> None:
    forged.rows.remove(row)
    forged.links = [entry for entry in forged.links if entry["leaf"] != row["leaf"]]


def _withhold(forged: Forgery, row: dict[str, Any]) -> None:
    row |= dict.fromkeys(("lurd", "nonce", "text", "sha256"))
    if forged.format < 4:
        row["sent_as"] = None


_EARLY = "2026-10-30T12:00:00.000000Z"
ACTS: dict[str, tuple[Callable[[Forgery, dict[str, Any]], Any], int]] = {
    "earlier": (lambda _f, row: row.update(received_at="2026-11-04T11:59:59.000000Z"), RELINKED),
    "before the opening": (lambda _f, row: row.update(received_at=_EARLY), CAUGHT),
    "another player": (lambda f, row: row.update(player=_dee(f), sent_as=_dee(f)), RELINKED),
    "another player, sent as before": (lambda f, row: row.update(player=_dee(f)), CAUGHT),
    "left out, leaf stays": (lambda f, row: f.rows.remove(row), TABULATED),
    "left out, link too": (_leave_out, RELINKED),
    "moves without their counts": (lambda _f, row: row.update(moves=1, pushes=1), CAUGHT),
    "other moves under its receipt": (
        lambda _f, row: _replace_moves(row, "rR" if row["lurd"] == "rlrR" else f"rl{row['lurd']}"),
        CAUGHT,
    ),
    "moves that solve nothing": (lambda _f, row: _resend(row, "l"), CAUGHT),
    "withheld, leaf opened": (lambda _f, row: row.update(lurd=None), CAUGHT),
    "withheld": (_withhold, REHASHED),
    "another text": (lambda _f, row: row.update(text="cg=="), CAUGHT),
    "another nonce": (lambda _f, row: row.update(nonce="0" * 32), RELINKED),
    "another number": (lambda _f, row: row.update(number=row["number"] + 1000), CAUGHT),
    "imported": (lambda _f, row: row.update(is_imported=True), CAUGHT),
    "unranked": (lambda _f, row: row.update(is_hors_concours=True), RELINKED),
    "a leaf of another": (lambda f, row: row.update(leaf=f.rows[-1]["leaf"]), CAUGHT),
}
ROWS = (("Ada", "rlrR"), ("=Bo", "rR"), ("阿木", "rR"), ("Ada", "rDldR"), ("Eve", "rR"))


def _on_row(forged: Forgery, act: Callable[[Forgery, dict[str, Any]], Any], row: tuple[str, str]) -> Any:
    nickname, lurd = row
    return act(forged, forged.row(lurd, nickname))


# Each act with one of the rows, in turn
OF_ROWS: dict[str, tuple[Change, int]] = {
    f"{name}: {' '.join(row)}": (partial(_on_row, act=act, row=row), unseen)
    for (name, (act, unseen)), row in zip(ACTS.items(), cycle(ROWS), strict=False)
} | {
    # What one player sent must count for one player: this one sent nothing else.
    "another player, sent as before: =Bo rR": (
        partial(_on_row, act=lambda f, row: row.update(player=_dee(f)), row=ROWS[1]),
        TABULATED,
    ),
    # Not the player's best: no table has to be computed again without it.
    "left out, leaf stays: Ada rlrR": (partial(_on_row, act=lambda f, row: f.rows.remove(row), row=ROWS[0]), REHASHED),
    "withheld: 阿木 rR": (partial(_on_row, act=_withhold, row=ROWS[2]), TABULATED),
}

# Changes to the round itself


def _keep(forged: Forgery) -> None:
    forged.results["draw"] |= {"kept_from": 1, "lucky": forged.revisions[0]["draw"]["lucky"]}


def _about(**values: Any) -> Change:
    return lambda forged: forged.about.update(values)


def _settled(**values: Any) -> Change:
    return lambda forged: [holder.update(values) for holder in (forged.about, forged.opening)]


def _close(at: str) -> Change:
    def change(forged: Forgery) -> None:
        _settled(closes_at=at)(forged)
        for closing in forged.closings:
            closing |= {"closes_at": at, "draws_at": at}

    return change


def _finalise(at: str) -> Change:
    return lambda f: [f.about.update(finalised_at=at), f.about["revisions"][0].update(made_at=at)]


def _rescore(forged: Forgery, *more: dict[str, Any]) -> None:
    for holder in (forged.about, forged.results, *forged.revisions, *more):
        holder["settings"].update(move_points=[9, 1])


def _draw_again(forged: Forgery, *more: dict[str, Any]) -> None:
    lucky = forged.about["lucky"]
    lucky["number"] += 1
    drawn = lucky_draw.commitment(forged.about["number"], lucky["number"], lucky["salt"])
    for holder in (forged.about, *more):
        holder["commitment"] = drawn


def _void_level(at: str) -> Change:
    return lambda f: f.about["levels"][1].update(void={"at": at, "reason_zh": "", "reason_en": "A flaw."})


def _disqualify(forged: Forgery) -> None:
    ruled = forged.about["disqualified"]
    ruled.append({**ruled[0], "player": forged.row("rDldR")["player"]})


def _note(kind: str, **values: str) -> Change:
    note = {"kind": kind, "text_zh": "", "text_en": "Hm.", "written_at": "2026-11-05T12:00:00.000000Z"}
    return lambda forged: forged.about["notes"].append({**note, "values": values})


def _extend(before: str) -> Change:
    add, close = _note("extended", before=before, after="2026-11-22T13:00:00+00:00"), _about(closes_at=_LATER)
    return lambda forged: (add(forged), close(forged))


def _undrawn(forged: Forgery) -> int:
    """Return the number of a player with points who was not drawn in the first revision."""
    drawn = forged.revisions[0]["draw"]["lucky"]
    return int(next(item["player"] for item in forged.results["points"] if item["player"] != drawn))


_LATER = "2026-11-22T13:00:00.000000Z"
OF_THE_ROUND: dict[str, tuple[Change, int]] = {
    "settings: points": (_rescore, CAUGHT),
    "settings: points, opening too": (lambda f: _rescore(f, f.opening), RELINKED),
    "closes later, opening too": (_close(_LATER), RELINKED),
    "opened earlier, opening too": (_settled(opens_at="2026-10-31T12:00:00.000000Z"), RELINKED),
    "drawn again with another commitment": (_draw_again, CAUGHT),
    "drawn again, opening too": (lambda f: _draw_again(f, f.opening), CAUGHT),
    "another round, opening too": (lambda f: (f.about.update(number=2), f.opening.update(round=2)), CAUGHT),
    "no opening": (lambda f: setattr(f, "opening", None), CAUGHT),
    "opening left out, link too": (lambda f: (setattr(f, "opening", None), f.links.pop(0)), CAUGHT),
    "provisional though it is final": (_about(results="provisional"), CAUGHT),
    "awaiting a revision": (_about(results="awaiting_revision"), CAUGHT),
    "cancelled": (_about(results="cancelled"), CAUGHT),
    "final before it closed": (_finalise("2026-11-22T11:59:59.000000Z"), CAUGHT),
    "final before its first revision": (_about(finalised_at="2026-11-22T12:00:00.000000Z"), CAUGHT),
    "not final": (_about(finalised_at=None), CAUGHT),
    "announced after it opened": (_about(announced_at="2026-11-02T12:00:00.000000Z"), CAUGHT),
    "closed before it opened": (_about(closes_at="2026-10-01T12:00:00.000000Z"), CAUGHT),
    "half a make-up window": (_about(make_up_opens_at="2026-11-23T12:00:00.000000Z"), CAUGHT),
    "a level void": (_void_level("2026-11-05T12:00:00.000000Z"), TABULATED),
    "a level void before the opening": (_void_level("2026-10-05T12:00:00.000000Z"), CAUGHT),
    "levels in another order": (lambda f: (f.about["levels"].reverse(), f.levels.reverse()), CAUGHT),
    "a level left out": (lambda f: (f.about["levels"].pop(), f.levels.pop()), CAUGHT),
    "disqualification lifted": (lambda f: f.about["disqualified"].clear(), CAUGHT),  # by rule 14.5
    "disqualification lifted, lucky player kept": (lambda f: (f.about["disqualified"].clear(), _keep(f)), TABULATED),
    "somebody disqualified": (_disqualify, TABULATED),
    "disqualified before the opening": (lambda f: f.about["disqualified"][0].update(ruled_at=_EARLY), CAUGHT),
    "another reason": (lambda f: f.about["disqualified"][0].update(reason_en="Cheated."), REHASHED),
    "another title": (_about(title_en="Another"), REHASHED),
    "another author": (lambda f: f.about["levels"][0].update(author="Another"), REHASHED),
    "a note added": (_note("slot_void", slot="main"), REHASHED),
    "extended by a note": (_extend("2026-11-22T12:00:00+00:00"), CAUGHT),
    "extended by a note from another time": (_extend("2026-11-22T11:00:00+00:00"), CAUGHT),
    "leaves before the first": (lambda f: f.about["tree"].update(size=1, peaks=["e" * 64]), CAUGHT),
    "begins elsewhere, leaves before it": (
        _about(chain_start="d" * 64, tree={"size": 1, "peaks": ["e" * 64]}),
        RELINKED,
    ),
}

# Changes to tables, revisions, chain and names
OF_TABLES: dict[str, tuple[Change, int]] = {
    "a revision left out": (lambda f: (f.revisions.pop(0), f.about["revisions"].pop(0)), CAUGHT),
    "a revision's document left out": (lambda f: f.revisions.pop(0), CAUGHT),
    "a revision twice": (lambda f: f.revisions.append(f.revisions[-1]), CAUGHT),
    "a revision made later": (
        lambda f: f.about["revisions"][0].update(made_at="2026-12-30T12:00:00.000000Z"),
        CAUGHT,
    ),
    "a revision's reason": (lambda f: f.about["revisions"][-1].update(reason_en="No reason."), REHASHED),
    "an old revision's points": (lambda f: f.revisions[0]["points"].pop(), CAUGHT),
    "an old revision's submission": (lambda f: f.revisions[0]["submissions"][0].update(moves=1), CAUGHT),
    "an old revision's moves": (lambda f: f.revisions[0]["submissions"][0].update(lurd=None), TABULATED),
    "kept though never drawn": (lambda f: f.results["draw"].update(kept_from=1, lucky=_undrawn(f)), CAUGHT),
    "kept from a revision to come": (
        lambda f: f.results["draw"].update(kept_from=9, lucky=f.row("rDldR")["player"]),
        CAUGHT,
    ),
    "a rejected one's leaf left out": (
        lambda f: f.links.remove(next(e for e in f.links[1:] if e["leaf"] not in {r["leaf"] for r in f.rows})),
        RELINKED,
    ),
    "a leaf slipped in": (lambda f: f.links.insert(-1, {"leaf": "b" * 64, "link": "b" * 64}), RELINKED),
    "a leaf after the closing": (lambda f: f.links.append({"leaf": "b" * 64, "link": "b" * 64}), CAUGHT),
    "a leaf twice": (lambda f: f.links.insert(-1, dict(f.links[-2])), CAUGHT),
    "two links exchanged": (lambda f: f.links.insert(3, f.links.pop(4)), CAUGHT),
    "another engine": (lambda f: f.manifest.update(engine=99), ALONE),
    "a name changed": (lambda f: f.players[0].update(name="Somebody"), ALONE),
    "a name left out": (lambda f: f.players.pop(), CAUGHT),
    "a league changed": (lambda f: f.players[0].update(league="bot"), CAUGHT),
    "a stranger among the players": (lambda f: f.players.append({**f.players[0], "number": 5}), CAUGHT),
}


def _respell(name: str, before: bytes, after: bytes) -> Change:
    """Change the bytes of a file but not its meaning."""
    return lambda forged: forged.raw.update({name: forged.files(ALONE)[name].replace(before, after)})


OF_SPELLING = {
    f"line ends of Windows in {name}": (_respell(name, b"\n", b"\r\n"), CAUGHT)
    for name in (archived.ROUND, archived.LEVELS, archived.SUBMISSIONS, archived.CHAIN, archived.OPENING)
} | {
    f"a blank more in {name}": (_respell(name, b":", b": "), CAUGHT)
    for name in (archived.ROUND, archived.BOARDS, archived.RESULTS, archived.OPENING, archived.MANIFEST)
}
CHANGES = OF_THE_ROUND | OF_TABLES | OF_SPELLING | OF_ROWS
