"""Random rounds, played on the site and reported to the oracle at the same time."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from random import Random

from contest import judging, models, players, results, rounds
from contest.infra import clock
from contest.judging import receipt_chain
from contest.players import acts, claims
from contest.results import rulings
from contest.rounds import lucky_number
from contest.rules import beacons
from contest.rules.settings import RoundSettings
from contest.submissions import Refused
from contest.wording.bilingual import Reason
from tests import cast
from tests.contest.archive import test_sealed
from tests.oracle import history, rulebook, sealing, texts

BEGINS = datetime(2025, 10, 5, 12, tzinfo=UTC)
WEEK = timedelta(weeks=1)
TICK = timedelta(microseconds=1)  # the smallest difference between two times (rule 3.3)
REASON = Reason(zh="原因", en="because")
TRACKS = ("club", "weekly")  # in addition to the main one, in their order
PROGRAMS = ("max", "ned", "lou")
SPELLINGS: tuple[Callable[[str], str], ...] = (str, str, str, str.upper, str.title, lambda name: f" {name} ")


class Contest:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.oracle = history.History()
        self.claims: dict[str, str] = {}
        self.boards: dict[int, dict[str, str]] = {}  # by round and slot
        self.at = BEGINS
        for order, slug in enumerate(TRACKS, 1):
            models.Track.objects.create(slug=slug, title_zh=slug, title_en=slug, order=order)
        for name in PROGRAMS:
            player, _secret = players.create(name, country="", email="", at=BEGINS - WEEK)
            acts.correct_league(player, models.League.BOT, None, reason="a program")
            self.oracle.league[name] = "bot"

    # Rounds

    def announce(self, number: int) -> models.Round:
        opens_at = BEGINS + 3 * WEEK * number
        return self._announce(number, models.MAIN, opens_at, opens_at + 2 * WEEK, list(texts.SHORTEST))

    def announce_beside(self, number: int, main: models.Round) -> models.Round:
        """Announce a round of another track that overlaps *main*, and may be open longer."""
        opens_at = main.opens_at + self.random.choice((0, 1, 5)) * timedelta(days=1)
        closes_at = opens_at + self.random.choice((7, 9, 14)) * timedelta(days=1)
        # Rule 2.12: no level may be in two open rounds.
        free = [board for board in texts.SHORTEST if board not in self.boards[main.number].values()]
        return self._announce(number, self.random.choice(TRACKS), opens_at, closes_at, free)

    def _announce(
        self, number: int, track: str, opens_at: datetime, closes_at: datetime, among: Sequence[str]
    ) -> models.Round:
        random = self.random
        slots = ["main", *random.sample(rulebook.SLOTS[1:], random.choice((0, 0, 1, 2, 3)))]
        boards = dict(zip(slots, random.sample(among, len(slots)), strict=True))
        settings = RoundSettings().as_json() | self._settings() | {"sealed_answers": random.random() < 0.7}
        times = {"announced_at": opens_at - WEEK, "opens_at": opens_at, "closes_at": closes_at}
        round_ = models.Round(number=number, track_id=track, **times, settings=settings)
        lucky_number.save_committed(round_)
        for slot, board in boards.items():
            cast.a_level(round_, models.Slot(slot), board, texts.SHORTEST[board])
        drawn = models.LuckyNumber.objects.get(round=round_)
        assert rulebook.commitment(number, drawn.number, drawn.salt) == round_.commitment
        levels = {slot: rulebook.board(board) for slot, board in boards.items()}
        self.boards[number] = boards
        about = history.Round(number, opens_at, closes_at, levels, settings, drawn.number, track)
        self.oracle.rounds[number] = about
        return round_

    def _settings(self) -> dict[str, object]:
        random = self.random
        settings_: dict[str, object] = {
            "scoring_levels": random.choice((["main"], ["main", "extra"], ["extra"], list(rulebook.SLOTS))),
            "second_champion": random.choice(("move_rank_2", "push_rank_2", "none")),
            "lucky": random.random() < 0.85,
            "lucky_on_revision": random.choice(("keep", "keep", "keep", "redraw")),
            "lucky_beacon": random.choice(("none", "none", "drand quicknet")),
            "spectator": random.random() < 0.5,
            "leagues": random.choice(("separate", "together")),
            "max_moves": 1_000,
        }
        if random.random() < 0.3:
            settings_ |= {"move_points": [5, 3.5, 3, 1], "push_points": [4.5, 3, 0.5]}
        return settings_

    def play(self, together: Sequence[models.Round]) -> None:
        """Send submissions and rulings from before the openings of overlapping rounds until after their closes."""
        random = self.random
        times: list[datetime] = []
        openings: list[sealing.Opening] = []
        for round_ in together:
            length = round_.closes_at - round_.opens_at
            own = [round_.opens_at + random.random() * length for _ in range(random.randrange(12, 45))]
            own += [round_.opens_at, round_.closes_at - TICK, round_.closes_at, round_.opens_at - TICK]
            times += own + random.choices(own, k=3)  # some at the same instant
        for at in sorted(times):
            self._open(openings, before=at)
            with self.clock(at):
                round_ = random.choice(together)
                if round_.settings["sealed_answers"] and random.random() < 0.2:
                    openings += sealing.seal_answer(self, round_)
                else:
                    self._send(round_)
                if random.random() < 0.15:
                    judging.judge_until_empty()
                    self.bind()
                    self.rule(random.choice(together).number)
        with self.clock(max(round_.closes_at for round_ in together) + timedelta(minutes=10)):
            judging.judge_until_empty()
            self.bind()
        for round_ in together:
            if random.random() < 0.06:
                with self.clock(round_.closes_at - TICK):
                    self._cancel(round_)
        self._open(openings, before=datetime.max.replace(tzinfo=UTC))
        judging.judge_until_empty()

    @staticmethod
    def bind() -> None:
        """Append all links and the closings that are due, as a worker does."""
        test_sealed.chain()
        receipt_chain.append_closings()

    def _open(self, openings: list[sealing.Opening], before: datetime) -> None:
        due = sorted((opening_ for opening_ in openings if opening_[0] < before), key=lambda opening_: opening_[0])
        for at, opening in due:
            with self.clock(at):
                opening()
        openings[:] = [opening_ for opening_ in openings if opening_[0] >= before]

    def clock(self, at: datetime):
        self.at = at
        return clock.set_to(at)

    def _send(self, round_: models.Round) -> None:
        """Send one submission, mostly meant for *round_*, or the same once more, under a name that was not merged."""
        random, oracle = self.random, self.oracle
        name = random.choice([name for name in texts.NAMES if name not in oracle.leads_to])
        own = [entry for entry in oracle.sent.values() if (entry.round, entry.name) == (round_.number, name)]
        own = [entry for entry in own if not entry.is_sealed]
        boards = self.boards[round_.number]
        slot = random.choice(list(boards))
        text = texts.text(boards[slot], random)
        named = random.choice(("", "", slot, random.choice(list(boards))))
        if own and random.random() < 0.1:
            again = random.choice(own)
            text, named = again.text, again.named
        spelling = random.choice(SPELLINGS)(name)
        assert rulebook.name_key(spelling) == name
        round_number = round_.number if random.random() < 0.6 else None
        number, refusal = self._expected(round_number, text, named)
        known = oracle.same(number, name, text, named) if number else None
        try:
            receipt = cast.send(spelling, text, slot=named, round=round_number, claim=self._claim_secret(name))
        except Refused as refused:
            if refused.code == refusal:
                return
            raise
        assert refusal is None, refusal
        assert receipt.submission.round.number == number, (round_number, text, named)
        assert receipt.submission.pk == known or (known is None and receipt.is_new)
        if known is None:
            oracle.submit(receipt.submission.pk, number, name, text, named, self.at)

    def _expected(self, round_number: int | None, text: str, named: str) -> tuple[int, str | None]:
        """Return the round of a text according to the rules; or 0 and the reason for its refusal."""
        if round_number is None:
            round_or_refusal = self.oracle.find_round(text, named, self.at)
            return (0, round_or_refusal) if isinstance(round_or_refusal, str) else (round_or_refusal, None)
        refusal = self.oracle.refusal(round_number, self.at)
        return (0, refusal) if refusal else (round_number, None)

    def _claim_secret(self, name: str) -> str:
        if name not in self.claims and (player := _player(name)):
            self.claims[name] = claims.renew(player, None).secret
        return self.claims.get(name, "")

    # Rulings

    def rule(self, number: int) -> None:
        chosen = self.random.choices(
            (self._void, self._disqualify, self._lift, self._merge, self._unmerge, self._void_slot),
            (8, 5, 4, 2, 1, 0.4),
        )[0]
        chosen(number)

    def _void(self, number: int) -> None:
        judged = set(models.Submission.objects.filter(state=models.State.JUDGED).values_list("pk", flat=True))
        sent = self.oracle.sent.values()
        scored = [entry for entry in sent if entry.round == number and entry.judged.slot and entry.number in judged]
        if not scored:
            return
        entry = self.random.choice(scored)
        submission = models.Submission.objects.get(pk=entry.number)
        if entry.is_void:
            rulings.unvoid(submission, REASON, by=None)
        else:
            rulings.void(submission, REASON, at=self.at, by=None)
        entry.is_void = not entry.is_void

    def _disqualify(self, number: int) -> None:
        oracle = self.oracle
        entered = {oracle.person(submission.name) for submission in oracle.sent.values() if submission.round == number}
        free = entered - {oracle.person(name) for name in oracle.rounds[number].rulings.values()}
        if not free:
            return
        name = self.random.choice(sorted(free))
        player, round_ = _player(name), models.Round.objects.get(number=number)
        ruling = rulings.disqualify(round_, player, REASON, at=self.at, by=None)
        oracle.rounds[number].rulings[ruling.pk] = name

    def _lift(self, number: int) -> None:
        standing = self.oracle.rounds[number].rulings
        if not standing:
            return
        key = self.random.choice(sorted(standing))
        rulings.lift(models.Disqualification.objects.get(pk=key), REASON, at=self.at, by=None)
        del standing[key]

    def _merge(self, _number: int) -> None:
        known = [name for name in texts.NAMES if name not in self.oracle.leads_to and _player(name)]
        if len(known) < 5:
            return
        source, target = self.random.sample(known, 2)
        if self.oracle.league.get(source, "human") != self.oracle.league.get(target, "human"):
            return
        source_player, target_player = (_player(name) for name in (source, target))
        cast.merge(source_player, target_player, None, reason="one and the same")
        self.oracle.leads_to[source] = target

    def _unmerge(self, _number: int) -> None:
        # In a chain of merges, the last one is undone first.
        last = [name for name, target in self.oracle.leads_to.items() if target not in self.oracle.leads_to]
        if not last:
            return
        name = self.random.choice(last)
        cast.unmerge(_player(name), None, reason="two after all")
        del self.oracle.leads_to[name]
        self.claims.pop(name, None)

    def _void_slot(self, number: int) -> None:
        about = self.oracle.rounds[number]
        left = [slot for slot in about.levels if slot not in about.void_slots]
        if len(left) < 2 or about.is_cancelled or self.at < about.opens_at:
            return
        slot = self.random.choice(left)
        rounds.void_slot(models.Level.objects.get(round__number=number, slot=slot), REASON, at=self.at, by=None)
        about.void_slots.add(slot)

    def _cancel(self, round_: models.Round) -> None:
        rounds.cancel(round_, REASON, at=self.at, by=None)
        self.oracle.rounds[round_.number].is_cancelled = True

    # Results

    def finalise(self, number: int) -> None:
        """Enter the beacon's value if the round has one, and publish."""
        round_, about = models.Round.objects.get(number=number), self.oracle.rounds[number]
        if about.settings["lucky"] and about.settings["lucky_beacon"] != beacons.NONE:
            about.beacon = f"{self.random.getrandbits(256):064x}"
            lucky_number.enter_beacon(round_, about.beacon, at=self.at, by=None)
        results.finalise(models.Round.objects.get(number=number), at=self.at, by=None)
        self.oracle.publish(number)

    def revise(self, number: int) -> None:
        results.revise(models.Round.objects.get(number=number), REASON, at=self.at, by=None)
        self.oracle.publish(number)


def _player(name: str) -> models.Player | None:
    return models.Player.objects.filter(nickname__iexact=name).first()
