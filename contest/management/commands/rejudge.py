"""Judge submissions again under a name: compute, review, apply or cancel. `--held` sends held ones to the judge.

With the setting FOUR_EYES, `--apply` asks a second organiser, as the desk does; `--alone` applies without one.
"""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet
from tqdm import tqdm

from contest.infra import clock
from contest.judging import rejudge, rewriting
from contest.models import LongAct, Rejudging, State, Submission
from contest.models.submission import SubmissionQuerySet
from contest.organising import long_acts, second_looks


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", help="the rejudging's name, for example engine-2")
        parser.add_argument("--round", type=int, help="only this round's submissions")
        parser.add_argument("--slot", help="only submissions judged for this slot")
        parser.add_argument("--reason", default="", help="reason; required to apply, stored in the record")
        parser.add_argument("--by", help="with FOUR_EYES: your user name as an organiser; another one confirms")
        parser.add_argument("--alone", action="store_true", help="with FOUR_EYES: apply without a second organiser")
        act = parser.add_mutually_exclusive_group()
        act.add_argument("--apply", action="store_true", help="write the new verdicts")
        act.add_argument("--cancel", action="store_true", help="discard the computed verdicts")
        act.add_argument("--held", action="store_true", help="return held submissions to the judge")

    def handle(self, **options: Any) -> None:
        chosen = self._choose(options)
        if options["held"]:
            self._release(chosen, options["reason"])
            return
        if not options["name"]:
            raise CommandError("Give the rejudging a name.")
        try:
            self._act(options, chosen)
        except rejudge.NotApplied as reason:
            raise CommandError(str(reason)) from None

    def _act(self, options: dict[str, Any], chosen: SubmissionQuerySet) -> None:
        known = Rejudging.objects.filter(name=options["name"]).first()
        if not (options["apply"] or options["cancel"]):
            self._compute(known or rejudge.start(options["name"], _named(options)), chosen)
        elif known is None:
            raise CommandError(f"There is no rejudging named {options['name']}.")
        elif options["cancel"]:
            rejudge.cancel(known)
            self.stdout.write("Cancelled; nothing was changed.")
        elif not options["reason"]:
            raise CommandError("Give a reason with --reason; it is stored in the record.")
        elif settings.FOUR_EYES and not options["alone"]:
            self._ask(known, options)
        else:
            reason = options["reason"] + (" (--alone)" if options["alone"] else "")
            self._apply(known, reason)

    def _apply(self, rejudging: Rejudging, reason: str) -> None:
        """Carry it out here; a worker continues it if this process is stopped."""
        job = rejudge.apply(rejudging, None, reason)
        with tqdm(total=job.total, file=self.stderr, disable=None) as shown:
            job = long_acts.work_on(job, lambda: shown.update(rewriting.AT_ONCE))
        if job.state != LongAct.State.DONE:
            raise CommandError(" ".join(["Not applied.", *job.report]))
        self.stdout.write(f"{job.done} verdicts changed.")

    def _ask(self, rejudging: Rejudging, options: dict[str, Any]) -> None:
        by = User.objects.filter(username=options["by"] or "", is_active=True).first()
        if by is None or not by.has_perm("contest.change_submission"):
            raise CommandError(
                "FOUR_EYES is set, so a second organiser confirms this. Give your own user name with --by, or apply it "
                "without a second organiser by --alone."
            )
        if left := rejudge.left(rejudging):
            raise CommandError(f"{left} submissions are not judged again yet. Run this without --apply first.")
        try:
            second_looks.ask(rejudging, "rejudge", {"reason": options["reason"]}, at=clock.now(), by=by)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        self.stdout.write("Waiting for a second organiser on the desk; nothing was changed yet.")

    def _choose(self, options: dict[str, Any]) -> SubmissionQuerySet:
        columns = {"round": "round__number", "slot": "level__slot"}
        return Submission.objects.filter(**{columns[name]: value for name, value in _named(options).items()})

    def _compute(self, rejudging: Rejudging, chosen: SubmissionQuerySet) -> None:
        total = chosen.filter(state=State.JUDGED).exclude(pk__in=rejudging.rows.values("submission")).count()
        for _row in tqdm(rejudge.compute(rejudging, chosen), total=total, file=self.stderr, disable=None):
            pass
        if pruned := chosen.pruned().count():
            self.stdout.write(f"{pruned} pruned texts cannot be judged again; their verdicts stay (rule 15.8).")
        shown = rejudge.preview(rejudging)
        for row in shown.changed:
            before, after = (self._describe_columns(columns) for columns in (row.before, row.after))
            self.stdout.write(f"#{row.submission_id} {row.submission.player}: {before} -> {after}")
        for move in shown.moves:
            self.stdout.write(
                f"{move.level} by {move.metric}: {move.player} {move.before or '-'} -> {move.after or '-'}"
            )
        self.stdout.write(
            f"{rejudging.rows.count()} judged again, {len(shown.changed)} would change. Nothing was changed yet."
        )

    def _describe_columns(self, columns: dict[str, Any]) -> str:
        return f"{columns['verdict']} {columns['moves']}/{columns['pushes']}"

    def _release(self, chosen: QuerySet[Submission], reason: str) -> None:
        if not reason:
            raise CommandError("Give a reason with --reason; it is stored in the record.")
        self.stdout.write(f"{rejudge.release(chosen, None, reason)} submissions returned to the judge.")


def _named(options: dict[str, Any]) -> dict[str, Any]:
    """Return the round and the slot that the options name."""
    return {name: options[name] for name in ("round", "slot") if options[name] is not None}
