"""A forger who uses the site's own functions: writes archives that are consistent in themselves."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from contest.archive import format as archived
from contest.rules import canonical, merkle, tabulation
from contest.rules import settings as round_settings
from solvers.sokoban.formats import Collection, Entry, read_collection, sok

# How much the forger recomputes: nothing; the manifest; all tables as well; leaves and links as well.
ALONE, REHASHED, TABULATED, RELINKED = range(4)


class Forgery:
    """The parsed parts of an archive of one final round, to be changed and written again."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.raw: dict[str, bytes] = {}
        self.manifest = json.loads(files[archived.MANIFEST])
        self.about = json.loads(files[archived.ROUND])
        self.opening = json.loads(files.get(archived.OPENING, b"null"))
        self.boards = json.loads(files[archived.BOARDS])
        self.results = json.loads(files[archived.RESULTS])
        self.rows, self.links, self.players, self.revisions = (
            [json.loads(line) for line in files.get(name, b"").splitlines()]
            for name in (archived.SUBMISSIONS, archived.CHAIN, archived.PLAYERS, archived.REVISIONS)
        )
        self.format = self.manifest["format"]
        self.closings, self.answers, self.certificates = (
            [json.loads(line) for line in files.get(name, b"").splitlines()]
            for name in (archived.CLOSINGS, archived.SEALED, archived.CERTIFICATES)
        )
        self._closing_leaves = {canonical.closing_leaf(item): item for item in self.closings}
        self.levels = [entry.level for entry in read_collection(files[archived.LEVELS]).entries]
        self._settings = json.dumps(self.about["settings"])
        self._originals = {row["number"]: dict(row) for row in self.rows}
        self._before = {row.get("leaf"): row["number"] for row in self.rows}

    def row(self, lurd: str, name: str = "") -> dict[str, Any]:
        numbers = {item["number"] for item in self.players if name in ("", item["name"])}
        return next(row for row in self.rows if row["lurd"] == lurd and row["player"] in numbers)

    def tabulate(self) -> None:
        rows = [archived.Submission(**row) for row in self.rows]
        self.boards = self._boards(rows)
        lurds = {row["number"]: row["lurd"] for row in self.rows}
        listed = [{**item, "lurd": lurds.get(item["number"])} for item in self.results["submissions"]]
        known = {item["number"] for item in listed}
        listed += [{"number": number, "lurd": lurd} for number, lurd in lurds.items() if number not in known]
        self.results = archived.document(self.about, rows, {**self.results, "submissions": listed})
        named = {row["player"] for row in (*self.rows, *self.answers, *self.about["disqualified"])}
        self.players = [item for item in self.players if item["number"] in named]
        if self.revisions:
            self.revisions = [*map(self._retabulated, self.revisions[:-1]), self.results]
            for revision, document in zip(self.about["revisions"], self.revisions, strict=False):
                revision["sha256"] = tabulation.digest(document)

    def _boards(self, rows: list[archived.Submission]) -> dict[str, Any]:
        counted = archived.ranked_submissions(self.about, rows)
        return archived.boards(round_settings.parse(self.about["settings"]), counted)

    def _retabulated(self, document: dict[str, Any]) -> dict[str, Any]:
        """Return an older revision's document, computed from the changed submissions."""
        of_number = {row["number"]: row for row in self.rows}
        listed = [
            {**row, **self._changed_facts(of_number[row["number"]], row)}
            for row in document["submissions"]
            if row["number"] in of_number
        ]
        for row in listed:
            row["lurd"] = row["lurd"] and of_number[row["number"]]["lurd"]
        if listed != document["submissions"] or self.about["settings"] != json.loads(self._settings):
            document = {**document, "submissions": listed}
            document |= tabulation.tables(document)
        return document

    def _changed_facts(self, row: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
        """Return what the forger changed in a submission: its player may have been merged since a revision."""
        original = self._originals.get(row["number"], {})
        return {name: row[name] for name in names if name != "lurd" and row[name] != original.get(name)}

    def relink(self) -> None:
        of_number = {row["number"]: row for row in self.rows}
        previous, tree = self.about["chain_start"], self.about["tree"]
        stack = [
            (size, bytes.fromhex(peak)) for size, peak in zip(merkle.sizes(tree["size"]), tree["peaks"], strict=False)
        ]
        for place, entry in enumerate(self.links):
            number = self._before.get(entry["leaf"])
            if place == 0 and self.opening:
                entry["leaf"] = canonical.opening_leaf(self.opening)
            elif closing := self._closing_leaves.get(entry["leaf"]):
                closing |= {"size": tree["size"] + place, "root": merkle.join(stack).hex(), "link": previous}
                entry["leaf"] = canonical.closing_leaf(closing)
            elif number in of_number and (of_number[number]["nonce"] or self.format > 3):
                entry["leaf"] = of_number[number]["leaf"] = self.leaf(of_number[number])
            previous = entry["link"] = canonical.bind(previous, entry["leaf"])
            stack = merkle.peaks([merkle.leaf_hash(bytes.fromhex(entry["leaf"]))], stack)

    def leaf(self, row: dict[str, Any]) -> str:
        if self.format < 4:
            facts = row["nonce"], self.about["number"], row["number"], row["received_at"], row["sha256"]
            return canonical.leaf(*facts, row["sent_as"])
        if row["nonce"]:
            row["text_seal"] = canonical.text_seal(row["nonce"], row["sha256"])
        return canonical.entry_leaf({
            "round": self.about["number"], "number": row["number"], "received_at": row["received_at"],
            "player": row["sent_as"], "league": row["sent_league"], "slot": row["slot_named"], "reader": row["reader"],
            "is_hors_concours": row["is_hors_concours"], "is_practice": False, "text": row["text_seal"],
        })  # fmt: skip

    def files(self, depth: int) -> dict[str, bytes]:
        """Return the files, formatted as the site formats them, with everything up to *depth* recomputed."""
        if depth >= TABULATED:
            self.tabulate()
        if depth >= RELINKED:
            self.relink()
        rows = [archived.Submission(**row) for row in self.rows]
        names = {item["number"]: archived.Player(**item) for item in self.players}
        entries = tuple(
            Entry(number, 0, level, item["title"], item["author"])
            for number, (level, item) in enumerate(zip(self.levels, self.about["levels"], strict=True), 1)
        )
        written = {
            archived.ROUND: _page(self.about),
            archived.LEVELS: sok.write(Collection(f"Round {self.about['number']}", entries=entries)).encode(),
            archived.SUBMISSIONS: _lines(self.rows),
            archived.BOARDS: _page(self.boards),
            archived.RESULTS: tabulation.canonical(self.results),
            archived.CHAIN: _lines(self.links),
            archived.OPENING: _page(self.opening),
            archived.REVISIONS: _lines(self.revisions),
            archived.SEALED: _lines(self.answers),
            archived.CLOSINGS: _lines(self.closings),
            archived.CERTIFICATES: _lines(self.certificates),
            archived.PLAYERS: _lines(self.players),
            archived.RANKINGS_CSV: archived.rankings_csv(self._boards(rows), names),
            archived.SUBMISSIONS_CSV: archived.submissions_csv(rows, names),
        }
        written |= self.raw
        if depth >= REHASHED:
            hashes = {name: hashlib.sha256(written[name]).hexdigest() for name in archived.HASHED[self.format]}
            self.manifest = self.manifest | {"files": hashes}
        written = {archived.MANIFEST: _page(self.manifest)} | written
        return {name: written[name] for name in (*archived.HASHED[self.format], *archived.ERASABLE, archived.MANIFEST)}


def _page(value: Any) -> bytes:
    return canonical.json_page(value).encode()


def _lines(values: list[Any]) -> bytes:
    return b"".join((canonical.json_line(value) + "\n").encode() for value in values)
