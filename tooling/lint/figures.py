"""The figures and commands in the rules and manuals are those of the code; `dev.py lint` lists others.

Django must be set up before this module is imported.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from django.conf import settings

from contest.api.feeds import bulk
from contest.api.serializers import site, submissions
from contest.api.views import desk
from contest.desk import comments as desk_comments
from contest.desk import players, rejudgings, rounds
from contest.desk import submissions as desk_submissions
from contest.desk.levels import collections as desk_collections
from contest.desk.levels import library, proposals, publishing, vetting
from contest.desk.people import evidence, moving_in
from contest.desk.writing import pictures as desk_pictures
from contest.desk.writing import posts as desk_posts
from contest.desk.writing import prizes as desk_prizes
from contest.front import answers, bodies, connections, listening, turns
from contest.infra import outbound_http
from contest.library import collection_import, packed_files
from contest.models import Vote
from contest.models.community import opinions
from contest.organising import desk_tokens
from contest.outreach import events, prizes
from contest.outreach.community import bell, comments
from contest.outreach.newsletter import delivery, digest, subscriptions
from contest.players import claims, names
from contest.rendering import pictures
from contest.replays import animations
from contest.rounds import make_up, testers, tracks
from contest.rules import phases, sealed_answers
from contest.submissions import entry
from contest.submissions import sealed_answers as sealing
from contest.web.collections import views as collections
from contest.web.community import talk
from contest.web.pages import authors, boards, levels, people, posts, views
from contest.web.play import sealing as play_sealing
from contest.web.sharing import feeds
from solvers.sokoban import level
from solvers.sokoban.drawing import pictures as films
from solvers.sokoban.formats import attempts, collection, text
from solvers.sokoban.reading import readers
from tooling.folders import ROOT
from tooling.site import Address, beat_command, web_command, worker_command
from tooling.terminal import print_line

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MINUTE, HOUR, DAY = (timedelta(**{unit: 1}) for unit in ("minutes", "hours", "days"))
KB, MIB = 1_024, 1_048_576
PAGES = {
    "reference/rules.md": (
        ("at most {w} times a day, which is recorded", tracks.MAX_REVEALED),
        ("for more than {w} minutes within", make_up.OUTAGE / MINUTE),
        ("within the last {w} hours, the reveal", make_up.BEFORE_CLOSE / HOUR),
        ("the reveal (1.10) waits {n} hours", make_up.WAIT / HOUR),
        ("1 to {n} characters as people count them", names.MAX_GRAPHEMES),
        ("({n} code points at most)", names.MAX_CODE_POINTS),
        ("at most {w} marks on a letter", names.MOST_MARKS),
        ("at most {w} a minute of each level", MINUTE / testers._VIEW_INTERVAL),
        ("a player {n} a minute", settings.QUOTA_PER_SECONDS[60]),
        ("{n} an hour, 1,000 a round", settings.QUOTA_PER_SECONDS[3_600]),
        ("120 an hour, {n} a round", settings.QUOTA_PER_ROUND),
        ("have {n} MiB together in a round", settings.QUOTA_BYTES_PER_ROUND / MIB),
        ("judge reads in {w} seconds, then a tenth", settings.MOST_AHEAD_SECONDS / settings.TURN_FACTOR),
        ("A player seals {n} answers a round", sealing.MAX_PER_ROUND),
        ("within {n} hours from the reveal (1.10), by anybody", sealed_answers.OPENING_DAY / HOUR),
        ("more than {n} digits, brackets and line ends", readers.MAX_PARTS),
        ("and {n} days after it was said", prizes.KEPT_DAYS),
        ("on {w} minutes after the reveal", phases.SETTLED / MINUTE),
        ("a mean from {w} votes of five networks on", Vote.LEAST),
        ("plain text of up to {n} characters", opinions.LONGEST),
        ("at most {n} comments an hour", comments.PER_HOUR),
        ("comments an hour and {n} a day", comments.PER_DAY),
        ("tells of the last {n} days", bell.DAYS),
    ),
    "reference/api.md": (
        ("| a batch | {n} |", submissions.LARGEST_BATCH),
        ("| moves text | {n} bytes", entry.MAX_TEXT_BYTES),
        ("a request {n} |", settings.MAX_SUBMISSION_BODY),
        ("| page of a list | {n} |", site.LARGEST_PAGE),
        ("| `wait` | {n} seconds |", site.LONGEST_WAIT),
        ("A response has at most {n} lines", bulk.MOST_LINES),
        ("one per line (NDJSON), at most {n}.", events.MOST),
        ("after {n} seconds at the latest", listening.LONGEST_SECONDS),
        ("Answer with 2xx within {w} seconds", outbound_http.SECONDS),
        ("the newest {n} rounds that are not final", desk._SHOWN),
        ("It is valid for {n} days", desk_tokens.DAYS),
    ),
    "explanation/pages.md": (
        *(("boards; sealed answers | {n} |", page.PER_PAGE) for page in (boards, people, play_sealing, views)),
        ("| rounds | {n} |", views.ROUNDS_PER_PAGE),
        ("levels with records | {n} |", talk.PER_PAGE),
        ("levels with records | {n} |", people.LEVELS_PER_PAGE),
        *(("collections, authors | {n} |", page.PER_PAGE) for page in (levels, collections, authors)),
        ("| posts | {n} |", posts.PER_PAGE),
        ("entries of a feed | {n} |", feeds.NEWEST),
        *(
            ("rejudgings, prizes | {n} |", page.PER_PAGE)
            for page in (players, desk_submissions, rejudgings, desk_prizes)
        ),
        *(
            ("to publish, proposed, vetted | {n} |", page.PER_PAGE)
            for page in (library, desk_collections, publishing, proposals, vetting)
        ),
        *(("reported comments | {n} |", page.PER_PAGE) for page in (rounds, desk_posts, desk_comments)),
        ("desk: pictures | {n} |", desk_pictures.PER_PAGE),
        ("rows of evidence | {n} |", evidence.PER_PAGE),
    ),
    "reference/players.md": (("works once, for {n} days", claims.LINK_DAYS),),
    "reference/formats.md": (
        ("at most {n} × 200 cells", level.MAX_SIDE),
        ("weighs the first {n} levels", collection._WEIGHED_LEVELS),
        ("title and author {n} characters", attempts.MAX_TITLE),
        ("notes {n} a level", collection.MAX_NOTES),
        ("{n} blocks of moves under a level", collection.MAX_BLOCKS),
        ("{n} MiB a line", text.MAX_LINE / MIB),
    ),
    "reference/sharing.md": (
        ("above {n} moves every push", films.EVERY_MOVE_UP_TO),
        ("at most {n} frames", films.MAX_FRAMES),
        ("No film above {n} MiB is stored", animations.MAX_BYTES / MIB),
        ("at most {n} MiB and 500 films", animations.MOST_BYTES_KEPT / MIB),
        ("64 MiB and {n} films", animations.MOST_KEPT),
    ),
    "how-to/operations.md": (
        ("to the first byte | {n} s |", connections.SILENT_SECONDS),
        ("a request's head | {n} s,", connections.HEAD_SECONDS),
        ("{n} KB, 200 fields", connections.MOST_HEAD_BYTES / KB),
        ("{n} fields including trailers", connections.MOST_FIELDS),
        ("before the first response | {n} |", connections.MOST_AHEAD),
        ("| a body | {n} s,", bodies.GRACE_SECONDS),
        ("then at least {n} KB a second", bodies.LEAST_BYTES_PER_SECOND / KB),
        ("a second; {n} minutes |", bodies.MOST_SECONDS / 60),
        ("region / of all | {n} MB / 128 MB", bodies.MOST_HELD_PER_SENDER / MIB),
        ("48 MB / {n} MB / 256 MB", bodies.MOST_HELD_PER_REGION / MIB),
        ("128 MB / {n} MB; bodies", bodies.MOST_HELD / MIB),
        ("bodies up to {n} KB always", bodies.SMALL / KB),
        ("region / of all | {n} MB / 512 MB", answers.MOST_UNREAD_PER_SENDER / MIB),
        ("64 MB / {n} MB / 1 GB", answers.MOST_UNREAD_PER_REGION / MIB),
        ("512 MB / {n} GB; a larger one", answers.MOST_UNREAD / MIB / KB),
        ("between two requests | {n} s;", connections.IDLE_SECONDS),
        ("its open files, less {n};", connections.OWN_FILES),
        ("{n} s each: then 503", turns.MOST_SECONDS),
        ("sends up to {n} letters", delivery.MOST_A_RUN),
        ("rows of letters after {n} days", digest.KEPT / DAY),
        ("unconfirmed addresses after {w}.", subscriptions.DAYS_TO_CONFIRM),
    ),
    "how-to/organising.md": (
        ("up to {n} files and 30 MiB at once", moving_in.MOST_FILES),
        ("ZIP holds at most {n} files", packed_files.MOST_FILES),
        ("files, {n} MiB when unpacked", collection_import.MOST_BYTES / MIB),
        ("At most {n} levels are read from one file", collection_import.MOST_LEVELS),
        ("keeps your last {w} collections", collection_import.MOST_OF_ONE),
        ("JPEG file of up to {n} MiB", pictures.MOST_BYTES / MIB),
        ("MiB and {n} million pixels", pictures.MOST_PIXELS / 1_000_000),
        ("at most {n} pixels wide or high", pictures.LONGEST_SIDE),
    ),
}


def find_breaches() -> Iterator[str]:
    yield from find_figures()
    yield from find_commands()


def find_figures() -> Iterator[str]:
    """Yield the phrases that a page lacks with the figure of the code."""
    for page, phrases in PAGES.items():
        stated = " ".join((ROOT / "docs" / page).read_text("utf-8").split())
        for phrase, figure in phrases:
            word = NUMBERS[int(figure)] if figure in range(len(NUMBERS)) else ""
            wanted = phrase.format(n=f"{figure:,g}" if figure < KB else f"{figure:,.0f}", w=word)
            if wanted not in stated:
                yield f"docs/{page}: lacks “{wanted}”, the figure of the code"


def find_commands() -> Iterator[str]:
    """Yield commands of manage.py and of processes that the manual lacks, except those for development."""
    page = (ROOT / "docs/how-to/operations.md").read_text("utf-8")
    listed = {*re.findall(r"`(\w+)`", page.split("## Commands")[1]), "api_docs", "make_levels", "simulate"}
    known = {file.stem for file in (ROOT / "contest/management/commands").glob("[a-z]*.py")}
    yield from (f"docs/how-to/operations.md: lacks the command {name}" for name in sorted(known - listed))
    beat, judge = beat_command(Path("/var/lib/leitai/celerybeat-schedule")), worker_command("judge", "prefork", 2)
    without_docker = page.split("### Without Docker")[1].split("- **Packages.**")[0]
    for command in (web_command(Address("0.0.0.0", 8000)), judge, beat):
        if (line := f"python {' '.join(command)}") not in without_docker:
            yield f"docs/how-to/operations.md: lacks “{line}”, as dev.py starts it"


def main() -> int:
    problems = list(find_breaches())
    for line in problems:
        print_line(line)
    return 1 if problems else 0
