"""What a forger changes in an archive."""

import base64
import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from contest.archive import format as archived
from contest.rules import lucky_draw
from tests.contest.archive.forger import ALONE, REHASHED, RELINKED, TABULATED, Forgery

# What is forged: by name a change, how far it must go for the verifier alone to find nothing (or that it always does).

CAUGHT = 9
Change = Callable[[Forgery], Any]
CHANGES: dict[str, tuple[Change, int]] = {}


def forges(name: str, unseen_from: int = CAUGHT) -> Callable[[Change], Change]:
    def keep(change: Change) -> Change:
        CHANGES[name] = (change, unseen_from)
        return change

    return keep


def _resend(row: dict[str, Any], lurd: str) -> None:
    """Other moves, and the text that somebody would have sent for them."""
    text = lurd.encode()
    row |= {"lurd": lurd, "moves": len(lurd), "pushes": sum(map(str.isupper, lurd))}
    row |= {"text": base64.b64encode(text).decode(), "sha256": hashlib.sha256(text).hexdigest()}


def _replace_moves(_forged: Forgery, row: dict[str, Any], lurd: str) -> None:
    """Other moves that solve, with their counts; the text that was sent stays."""
    row |= {"lurd": lurd, "moves": len(lurd), "pushes": sum(map(str.isupper, lurd))}


_TOO_EARLY = "2026-10-30T12:00:00.000000Z"


def _of_rows() -> Iterator[tuple[str, Change, int]]:
    """What can be done to one submission, done to several."""
    for name, lurd in (("Ada", "rlrR"), ("=Bo", "rR"), ("阿木", "rR"), ("Ada", "rDldR"), ("Eve", "rR")):
        who = f"{name} {lurd}"

        def on(act: Callable[[Forgery, dict[str, Any]], Any], name: str = name, lurd: str = lurd) -> Change:
            return lambda forged: act(forged, forged.row(lurd, name))

        yield f"earlier: {who}", on(lambda _f, row: row.update(received_at="2026-11-04T11:59:59.000000Z")), RELINKED
        yield (
            f"before the opening: {who}",
            on(lambda _f, row: row.update(received_at="2026-10-30T12:00:00.000000Z")),
            CAUGHT,
        )
        yield f"another player: {who}", on(lambda f, row: row.update(player=_dee(f), sent_as=_dee(f))), RELINKED
        yield f"another player, sent as before: {who}", on(lambda f, row: row.update(player=_dee(f))), TABULATED
        yield f"left out, leaf stays: {who}", on(lambda f, row: f.rows.remove(row)), TABULATED
        yield f"left out, link too: {who}", on(_leave_out), RELINKED
        yield f"moves without their counts: {who}", on(lambda _f, row: row.update(moves=1, pushes=1)), CAUGHT
        other = "rR" if lurd == "rlrR" else f"rl{lurd}"
        yield f"other moves under its receipt: {who}", on(partial(_replace_moves, lurd=other)), CAUGHT
        yield f"moves that solve nothing: {who}", on(lambda _f, row: _resend(row, "l")), CAUGHT
        yield f"withheld, leaf opened: {who}", on(lambda _f, row: row.update(lurd=None)), CAUGHT
        yield f"withheld: {who}", on(_withhold), TABULATED
        yield f"another text: {who}", on(lambda _f, row: row.update(text="cg==")), CAUGHT
        yield f"another nonce: {who}", on(lambda _f, row: row.update(nonce="0" * 32)), RELINKED
        yield f"another number: {who}", on(lambda _f, row: row.update(number=row["number"] + 1000)), CAUGHT
        yield f"imported: {who}", on(lambda _f, row: row.update(is_imported=True)), CAUGHT
        yield f"unranked: {who}", on(lambda _f, row: row.update(is_hors_concours=True)), TABULATED
        yield f"a leaf of another: {who}", on(lambda f, row: row.update(leaf=f.rows[-1]["leaf"])), CAUGHT


def _dee(forged: Forgery) -> int:
    return int(next(one["number"] for one in forged.players if one["name"] == "Dee"))


def _leave_out(forged: Forgery, row: dict[str, Any]) -> None:
    forged.rows.remove(row)
    forged.links = [entry for entry in forged.links if entry["leaf"] != row["leaf"]]


def _withhold(forged: Forgery, row: dict[str, Any]) -> None:
    row |= dict.fromkeys(("lurd", "nonce", "sent_as", "text", "sha256"))


# Of what no table shows, none need be computed anew: a result that is not the player's best, or void.
_IDLE = {
    *(f"{act}: Ada rlrR" for act in ("another player, sent as before", "left out, leaf stays", "withheld", "unranked")),
    *(f"{act}: {who} rR" for act in ("withheld", "unranked") for who in ("=Bo", "Eve")),
}
for _name, _change, _unseen in _of_rows():
    CHANGES[_name] = (_change, REHASHED if _name in _IDLE else _unseen)


# The round itself


def _undrawn(forged: Forgery) -> int:
    """Somebody with points whom the first revision did not draw."""
    drawn = forged.revisions[0]["draw"]["lucky"]
    return int(next(one["player"] for one in forged.results["points"] if one["player"] != drawn))


def _set(**values: Any) -> Change:
    return lambda forged: forged.about.update(values)


forges("settings: points")(
    lambda f: [holder["settings"].update(move_points=[9, 1]) for holder in (f.about, f.results, *f.revisions) if holder]
)
forges("settings: points, opening too", RELINKED)(
    lambda f: [
        holder["settings"].update(move_points=[9, 1]) for holder in (f.about, f.opening, f.results, *f.revisions)
    ]
)
forges("closes later")(_set(closes_at="2026-11-22T13:00:00.000000Z"))
forges("closes earlier")(_set(closes_at="2026-11-21T12:00:00.000000Z"))
forges("closes later, opening too", RELINKED)(
    lambda f: [holder.update(closes_at="2026-11-22T13:00:00.000000Z") for holder in (f.about, f.opening)]
)
forges("opened earlier")(_set(opens_at="2026-10-31T12:00:00.000000Z"))
forges("opened earlier, opening too", RELINKED)(
    lambda f: [holder.update(opens_at="2026-10-31T12:00:00.000000Z") for holder in (f.about, f.opening)]
)
forges("another commitment")(_set(commitment="a" * 64))
forges("another lucky number")(lambda f: f.about["lucky"].update(number=7))
forges("another salt")(lambda f: f.about["lucky"].update(salt="0" * 32))
forges("lucky number withheld")(_set(lucky=None))


def _draw_again(forged: Forgery) -> None:
    lucky = forged.about["lucky"]
    lucky["number"] += 1
    drawn = lucky_draw.commitment(forged.about["number"], lucky["number"], lucky["salt"])
    forged.about["commitment"] = drawn


forges("drawn again with another commitment")(_draw_again)
forges("drawn again, opening too", RELINKED)(
    lambda f: (_draw_again(f), f.opening.update(commitment=f.about["commitment"]))
)
forges("another round")(_set(number=2))
forges("another round, opening too", CAUGHT)(lambda f: (f.about.update(number=2), f.opening.update(round=2)))
forges("no opening", REHASHED)(lambda f: setattr(f, "opening", None))
forges("opening left out, link too", RELINKED)(lambda f: (setattr(f, "opening", None), f.links.pop(0)))
forges("provisional though it is final")(_set(results="provisional"))
forges("awaiting a revision", REHASHED)(_set(results="awaiting_revision"))
forges("cancelled")(_set(results="cancelled"))
forges("final before it closed")(_set(finalised_at="2026-11-10T12:00:00.000000Z"))
forges("not final")(_set(finalised_at=None))
forges("announced after it opened")(_set(announced_at="2026-11-02T12:00:00.000000Z"))
forges("closed before it opened")(_set(closes_at="2026-10-01T12:00:00.000000Z"))
forges("half a make-up window")(_set(make_up_opens_at="2026-11-23T12:00:00.000000Z"))
forges("a level void", TABULATED)(
    lambda f: f.about["levels"][1].update(
        void={"at": "2026-11-05T12:00:00.000000Z", "reason_zh": "", "reason_en": "A flaw."}
    )
)
forges("a level void before the opening")(
    lambda f: f.about["levels"][1].update(
        void={"at": "2026-10-05T12:00:00.000000Z", "reason_zh": "", "reason_en": "A flaw."}
    )
)
forges("levels in another order")(lambda f: (f.about["levels"].reverse(), f.levels.reverse()))
forges("a level left out")(lambda f: (f.about["levels"].pop(), f.levels.pop()))
forges("disqualification lifted", TABULATED)(lambda f: f.about["disqualified"].clear())
forges("somebody disqualified", TABULATED)(
    lambda f: f.about["disqualified"].append({**f.about["disqualified"][0], "player": f.row("rDldR")["player"]})
)
forges("disqualified before the opening")(
    lambda f: f.about["disqualified"][0].update(ruled_at="2026-10-01T12:00:00.000000Z")
)
forges("another reason", REHASHED)(lambda f: f.about["disqualified"][0].update(reason_en="Cheated."))
forges("another title", REHASHED)(_set(title_en="Another"))
forges("another level's title", REHASHED)(lambda f: f.about["levels"][0].update(title="Another"))
forges("another author", REHASHED)(lambda f: f.about["levels"][0].update(author="Another"))
forges("a note added", REHASHED)(
    lambda f: f.about["notes"].append(
        {"kind": "other", "text_zh": "", "text_en": "Hm.", "values": {}, "written_at": "2026-11-05T12:00:00.000000Z"}
    )
)
forges("extended by a note", REHASHED)(
    lambda f: (
        f.about["notes"].append(
            {
                "kind": "extended",
                "text_zh": "",
                "text_en": "",
                "values": {"before": "2026-11-22T12:00:00+00:00", "after": "2026-11-22T13:00:00+00:00"},
                "written_at": "2026-11-05T12:00:00.000000Z",
            }
        ),
        f.about.update(closes_at="2026-11-22T13:00:00.000000Z"),
    )
)
forges("extended by a note from another time")(
    lambda f: (
        f.about["notes"].append(
            {
                "kind": "extended",
                "text_zh": "",
                "text_en": "",
                "values": {"before": "2026-11-22T11:00:00+00:00", "after": "2026-11-22T13:00:00+00:00"},
                "written_at": "2026-11-05T12:00:00.000000Z",
            }
        ),
        f.about.update(closes_at="2026-11-22T13:00:00.000000Z"),
    )
)

# Tables, revisions, chain, names


forges("a place changed in the results", TABULATED)(lambda f: f.results["points"][0].update(place=2))
forges("a champion changed", TABULATED)(lambda f: f.results["champions"].update(moves=None))
forges("a rank changed on the boards", TABULATED)(
    lambda f: f.boards["contest"]["human"]["main"]["moves"][0].update(rank=3)
)
forges("a revision left out")(lambda f: (f.revisions.pop(0), f.about["revisions"].pop(0)))
forges("a revision's document left out")(lambda f: f.revisions.pop(0))
forges("a revision twice")(lambda f: f.revisions.append(f.revisions[-1]))
forges("a revision's number")(lambda f: f.about["revisions"][0].update(revision=7))
forges("a revision made later")(lambda f: f.about["revisions"][0].update(made_at="2026-12-30T12:00:00.000000Z"))
forges("a revision's reason", REHASHED)(lambda f: f.about["revisions"][-1].update(reason_en="No reason."))
forges("an old revision's points")(lambda f: f.revisions[0]["points"].pop())
forges("an old revision's champions")(lambda f: f.revisions[0]["champions"].update(moves=None))
forges("an old revision's submission")(lambda f: f.revisions[0]["submissions"][0].update(moves=1))
forges("an old revision's moves", TABULATED)(lambda f: f.revisions[0]["submissions"][0].update(lurd=None))
forges("kept though never drawn")(lambda f: f.results["draw"].update(kept_from=1, lucky=_undrawn(f)))
forges("kept from a revision to come")(lambda f: f.results["draw"].update(kept_from=9, lucky=f.row("rDldR")["player"]))
forges("a rejected one's leaf left out", RELINKED)(
    lambda f: f.links.remove(next(e for e in f.links[1:] if e["leaf"] not in {r["leaf"] for r in f.rows}))
)
forges("a leaf slipped in", RELINKED)(lambda f: f.links.append({"leaf": "b" * 64, "link": "b" * 64}))
forges("a leaf twice")(lambda f: f.links.append(dict(f.links[-1])))
forges("two links exchanged")(lambda f: f.links.insert(3, f.links.pop(4)))
forges("a link changed", RELINKED)(lambda f: f.links[4].update(link="c" * 64))
forges("the last link changed", RELINKED)(lambda f: f.links[-1].update(link="c" * 64))
forges("the chain begins elsewhere")(_set(chain_start="d" * 64))
forges("leaves before the first", CAUGHT)(lambda f: f.about["tree"].update(size=1, peaks=["e" * 64]))
forges("begins elsewhere, leaves before it", RELINKED)(
    lambda f: f.about.update(chain_start="d" * 64, tree={"size": 1, "peaks": ["e" * 64]})
)
forges("another engine", ALONE)(lambda f: f.manifest.update(engine=99))
forges("a name changed", ALONE)(lambda f: f.players[0].update(name="Somebody"))
forges("a country changed", ALONE)(lambda f: f.players[0].update(country="de"))
forges("a league changed")(lambda f: f.players[0].update(league="bot"))
forges("a stranger among the players")(
    lambda f: f.players.append({"number": 5, "name": "Stranger", "country": "", "league": "human"})
)


def _respell(name: str, before: bytes, after: bytes) -> Change:
    """The same contents of a file in other bytes."""
    return lambda forged: forged.raw.update({name: forged.files(ALONE)[name].replace(before, after)})


for _name in (archived.ROUND, archived.LEVELS, archived.SUBMISSIONS, archived.CHAIN, archived.OPENING):
    forges(f"line ends of Windows in {_name}")(_respell(_name, b"\n", b"\r\n"))
for _name in (archived.ROUND, archived.BOARDS, archived.RESULTS, archived.OPENING, archived.MANIFEST):
    forges(f"a blank more in {_name}")(_respell(_name, b":", b": "))
