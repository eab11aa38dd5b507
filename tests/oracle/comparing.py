from collections.abc import Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import product
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from contest import results, visibility
from contest.archive import verify, writer
from contest.models import Board, Level, Metric, Player, Round, Submission
from contest.rankings import standings
from contest.stats import hall_of_fame, seasons
from contest.visibility import Viewer
from tests.contest.archive import test_sealed
from tests.oracle import outsider, rulebook, sealing
from tests.oracle.history import History, Results, Sum, numbers_of
from tests.oracle.history import Round as Played

BEIJING = timedelta(hours=8)


class Comparison:
    def __init__(self, oracle: History) -> None:
        self.oracle = oracle

    @staticmethod
    def same(name: str, site: Any, oracle: Any, *about: object) -> None:
        assert site == oracle, f"{name} {about}: the site says {site}, the rulebook {oracle}"

    def round(self, number: int, at: datetime) -> None:
        round_ = Round.objects.get(number=number)
        self._verdicts(number)
        sealing.compare(self.oracle, number, self.same)
        self._boards(round_)
        self._document(results.live(round_, at), self._live(number))
        published = self.oracle.rounds[number].published
        for snapshot, expected in zip(round_.snapshots.order_by("revision"), published, strict=True):
            self._document(snapshot.document, expected)

    def archive(self, number: int, at: datetime) -> None:
        """Recompute the round from its archive alone: solutions, tables, receipt chain and closings."""
        test_sealed.chain()
        round_ = visibility.archived_rounds(Viewer(), at).get(number=number)
        with NamedTemporaryFile() as file:
            file.writelines(writer.write(writer.of(round_, at)))
            file.flush()
            archive = outsider.Archive(Path(file.name))
            self.same("archives", verify.verify(Path(file.name)).differences, [], number)
        self.same("archives", list(outsider.faults(archive)), [], number)
        ends = [round_.closes_at, round_.opening_ends_at] if round_.takes_sealed else [round_.closes_at]
        self.same("closings", [datetime.fromisoformat(closing["closes_at"]) for closing in archive.closings], ends)

    def _live(self, number: int) -> Results:
        """Return the unpublished results: the site draws by number alone, without the players that revisions keep."""
        about = self.oracle.rounds[number]
        published, about.published = about.published, []
        try:
            return self.oracle.results(number)
        finally:
            about.published = published

    def _verdicts(self, number: int) -> None:
        stored = {
            submission.pk: submission
            for submission in Submission.objects.filter(round__number=number).select_related("level")
        }
        expected = {
            submission.number: submission.judged
            for submission in self.oracle.sent.values()
            if submission.round == number
        }
        self.same("submissions", set(stored), set(expected), number)
        for key, judged in expected.items():
            row = stored[key]
            self.same("verdicts", row.verdict, judged.verdict, key, self.oracle.sent[key])
            if judged.slot:
                shown = (row.level.slot, row.lurd, row.moves, row.pushes)
                self.same("replays", shown, (judged.slot, judged.steps, judged.moves, judged.pushes), key)

    def _boards(self, round_: Round) -> None:
        number, together = round_.number, round_.settings["leagues"] == "together"
        for verdict, board in (("accepted", Board.CONTEST), ("spectator", Board.SPECTATOR)):
            ranked = self.oracle.rankings(number, verdict)
            for level in Level.objects.filter(round=round_).select_related("round"):
                for league in ("all",) if together else ("human", "bot"):
                    both = ranked.get(league, {}).get(level.slot, {"moves": [], "pushes": []})
                    results_ = self.oracle.on_board(number, league, level.slot, verdict)
                    front = rulebook.front(results_) if board == Board.CONTEST else set()
                    for metric in Metric:
                        rows = standings.standings(level, metric, league=league, board=board)
                        shown = [
                            (row.rank, rulebook.name_key(row.player.nickname), row.number, row.moves, row.pushes)
                            for row in rows
                        ]
                        expected = [
                            (rank, result.player, result.number, result.moves, result.pushes)
                            for rank, result in enumerate(both[metric], 1)
                        ]
                        self.same("ranks", shown, expected, number, level.slot, league, metric)
                        held = {row.number for row in rows if row.pareto}
                        self.same("fronts", held, front & {row.number for row in rows}, number, level.slot)

    def _document(self, document: Mapping[str, Any], expected: Results) -> None:
        name_of = {
            number: rulebook.name_key(name) for number, name in Player.objects.values_list("archive_number", "nickname")
        }
        number, revision = document["round"], document["revision"]
        self.same("rankings", document["rankings"], numbers_of(expected.rankings), number, revision)
        shown = [
            (name_of[row["player"]], Fraction(row["move_half_points"], 2), Fraction(row["push_half_points"], 2))
            for row in document["points"]
        ]
        points = [(total.player, total.by_moves, total.by_pushes) for total in expected.points]
        self.same("points", shown, points, number)
        champions = {title: name_of.get(player) for title, player in document["champions"].items()}
        self.same("champions", champions, expected.champions, number, revision)
        if draw := document["draw"]:
            candidates = [name_of[player] for player in draw["candidates"]]
            self.same("candidates", candidates, expected.candidates, number, revision)
            drawn = (name_of.get(draw["lucky"]), draw["kept_from"])
            self.same("lucky players", drawn, (expected.lucky, expected.kept_from), number, revision)
        else:
            self.same("lucky players", None, expected.lucky, number, revision)

    def sums(self, at: datetime) -> None:
        viewer = Viewer()
        years = {(about.closes_at + BEIJING).year for about in self.oracle.rounds.values()}
        tracks = {about.track for about in self.oracle.rounds.values()}
        for league, track in product(("human", "bot"), sorted(tracks)):

            def is_of_track(about: Played, track: str = track) -> bool:
                return about.track == track

            expected = self.oracle.sums(league, is_of_track)
            tallies = {
                rulebook.name_key(tally.player.nickname): tally
                for _rank, tally in hall_of_fame.hall(viewer, at, league=league, track=track)
            }
            self.same("hall", set(tallies), set(expected), league, track)
            for name, tally in tallies.items():
                titles = {title: getattr(tally, title) for title in expected[name].titles}
                shown = Sum(tally.rounds, Fraction(tally.half_points, 2), titles, tally.first, tally.last)
                self.same("sums", shown, expected[name], name)
            for year in years:
                rows = seasons.table(viewer, seasons.year(year), at, league, track)
                placed = {rulebook.name_key(tally.player.nickname): place for place, tally in rows}

                def belongs(about: Played, year: int = year, track: str = track) -> bool:
                    return (about.closes_at + BEIJING).year == year and about.track == track

                self.same("season places", placed, self.oracle.places(league, belongs), year, league, track)
