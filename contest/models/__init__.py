"""Database models. `visibility` decides who may see a row; the action modules decide how rows change.

A round from its levels to its results: `season`, `round`, `level` · `player` · `submission`, `sealed_answer` ·
`result`, `outcome` · `ruling`, `rejudging` · `tester` · `languages` of texts. Subpackages: `library`, `outreach`,
`community`, `work`. Import every model from this package, not from its file.
"""

from contest.models.community.opinions import Comment, CommentReport, Star, Vote
from contest.models.community.practice import SeenSolutions, VirtualStart
from contest.models.community.talk import Banner, NameReport, Question
from contest.models.level import Level, Slot
from contest.models.library.collection import (
    COURSE_SLUG,
    GRADED_SLUG,
    OWN_SLUGS,
    CollectedLevel,
    Collection,
    LevelResult,
)
from contest.models.library.intake import Intake, IntakeLevel
from contest.models.library.level_library import LibraryLevel, QueuedLevel, Series, SeriesRound
from contest.models.library.proposal import Proposal, ProposalComment
from contest.models.library.run import Run, RunMode
from contest.models.outcome import (
    ChainGap,
    ChainLink,
    Checkpoint,
    LuckyNumber,
    Placing,
    PlacingQuerySet,
    Rating,
    Snapshot,
    TreeNode,
    Witnessing,
)
from contest.models.outreach.access import CalendarAddress, Delivery, DeskToken, PreparedRound, Scope, Token, Webhook
from contest.models.outreach.dump import Dump, DumpFile, DumpPiece
from contest.models.outreach.event import Event
from contest.models.outreach.letter import CONFIRMING, Letter, Mailing, Subscriber, Topic
from contest.models.outreach.picture import Picture
from contest.models.outreach.post import OWN_POST_SLUGS, Post, PostCategory, PostSeries
from contest.models.outreach.prize import Prize, Sponsor
from contest.models.outreach.program import Program, ProgramState, Purpose, System
from contest.models.outreach.site_identity import SiteIdentity
from contest.models.player import League, Player, RestingName
from contest.models.rejudging import Rejudged, Rejudging
from contest.models.result import Best, Board, Metric, Verification
from contest.models.round import MAIN, Round, Track
from contest.models.ruling import AuditEntry, Disqualification, Note, SecondLook
from contest.models.sealed_answer import SealedAnswer, SealedState
from contest.models.season import Season
from contest.models.submission import NOT_REPLAYED, SCORED, Door, Reader, State, Submission, Verdict
from contest.models.tester import TestEntry, Tester
from contest.models.work.certificate import Certificate, CertificateKind
from contest.models.work.film import Film, FilmKind, FilmState
from contest.models.work.long_act import LongAct
from contest.models.work.operation import FailedIntake, Heartbeat, Outage, Part, VisitorCount, VisitorMonth
from contest.models.work.round_import import ImportDraft, RoundImport
from contest.models.work.search import URGENCY, Search, SearchAnswer, SearchBudget, SearchKind, SearchState

__all__ = [
    "CONFIRMING",
    "COURSE_SLUG",
    "GRADED_SLUG",
    "MAIN",
    "NOT_REPLAYED",
    "OWN_POST_SLUGS",
    "OWN_SLUGS",
    "SCORED",
    "URGENCY",
    "AuditEntry",
    "Banner",
    "Best",
    "Board",
    "CalendarAddress",
    "Certificate",
    "CertificateKind",
    "ChainGap",
    "ChainLink",
    "Checkpoint",
    "CollectedLevel",
    "Collection",
    "Comment",
    "CommentReport",
    "Delivery",
    "DeskToken",
    "Disqualification",
    "Door",
    "Dump",
    "DumpFile",
    "DumpPiece",
    "Event",
    "FailedIntake",
    "Film",
    "FilmKind",
    "FilmState",
    "Heartbeat",
    "ImportDraft",
    "Intake",
    "IntakeLevel",
    "League",
    "Letter",
    "Level",
    "LevelResult",
    "LibraryLevel",
    "LongAct",
    "LuckyNumber",
    "Mailing",
    "Metric",
    "NameReport",
    "Note",
    "Outage",
    "Part",
    "Picture",
    "Placing",
    "PlacingQuerySet",
    "Player",
    "Post",
    "PostCategory",
    "PostSeries",
    "PreparedRound",
    "Prize",
    "Program",
    "ProgramState",
    "Proposal",
    "ProposalComment",
    "Purpose",
    "Question",
    "QueuedLevel",
    "Rating",
    "Reader",
    "Rejudged",
    "Rejudging",
    "RestingName",
    "Round",
    "RoundImport",
    "Run",
    "RunMode",
    "Scope",
    "SealedAnswer",
    "SealedState",
    "Search",
    "SearchAnswer",
    "SearchBudget",
    "SearchKind",
    "SearchState",
    "Season",
    "SecondLook",
    "SeenSolutions",
    "Series",
    "SeriesRound",
    "SiteIdentity",
    "Slot",
    "Snapshot",
    "Sponsor",
    "Star",
    "State",
    "Submission",
    "Subscriber",
    "System",
    "TestEntry",
    "Tester",
    "Token",
    "Topic",
    "Track",
    "TreeNode",
    "Verdict",
    "Verification",
    "VirtualStart",
    "VisitorCount",
    "VisitorMonth",
    "Vote",
    "Webhook",
    "Witnessing",
]
