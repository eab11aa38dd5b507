"""The rows. Who may see one is asked of `visibility`; what becomes of one is decided by the acts."""

from contest.models.access import Delivery, Scope, Token, Webhook
from contest.models.collection import CollectedLevel, Collection, LevelResult
from contest.models.community import Comment, CommentReport, Star, Vote
from contest.models.event import Event
from contest.models.film import Film, FilmKind, FilmState
from contest.models.intake import Intake, IntakeLevel
from contest.models.letter import CONFIRMING, Letter, Mailing, Subscriber, Topic
from contest.models.level import Level, Slot
from contest.models.level_library import LibraryLevel, QueuedLevel, Series, SeriesRound
from contest.models.operation import FailedIntake, Heartbeat, Outage, Part
from contest.models.outcome import ChainGap, ChainLink, LuckyNumber, Placing, PlacingQuerySet, Rating, Snapshot
from contest.models.player import League, Player
from contest.models.post import Post
from contest.models.practice import SeenSolutions, VirtualStart
from contest.models.proposal import Proposal, ProposalComment
from contest.models.rejudging import Rejudged, Rejudging
from contest.models.result import Best, Board, Metric, Verification
from contest.models.round import Round
from contest.models.ruling import AuditEntry, Disqualification, Note
from contest.models.search import URGENCY, Search, SearchAnswer, SearchBudget, SearchKind, SearchState
from contest.models.season import Season
from contest.models.submission import NOT_REPLAYED, SCORED, Door, Reader, State, Submission, Verdict
from contest.models.talk import Banner, NameReport, Question

__all__ = [
    "CONFIRMING",
    "NOT_REPLAYED",
    "SCORED",
    "URGENCY",
    "AuditEntry",
    "Banner",
    "Best",
    "Board",
    "ChainGap",
    "ChainLink",
    "CollectedLevel",
    "Collection",
    "Comment",
    "CommentReport",
    "Delivery",
    "Disqualification",
    "Door",
    "Event",
    "FailedIntake",
    "Film",
    "FilmKind",
    "FilmState",
    "Heartbeat",
    "Intake",
    "IntakeLevel",
    "League",
    "Letter",
    "Level",
    "LevelResult",
    "LibraryLevel",
    "LuckyNumber",
    "Mailing",
    "Metric",
    "NameReport",
    "Note",
    "Outage",
    "Part",
    "Placing",
    "PlacingQuerySet",
    "Player",
    "Post",
    "Proposal",
    "ProposalComment",
    "Question",
    "QueuedLevel",
    "Rating",
    "Reader",
    "Rejudged",
    "Rejudging",
    "Round",
    "Scope",
    "Search",
    "SearchAnswer",
    "SearchBudget",
    "SearchKind",
    "SearchState",
    "Season",
    "SeenSolutions",
    "Series",
    "SeriesRound",
    "Slot",
    "Snapshot",
    "Star",
    "State",
    "Submission",
    "Subscriber",
    "Token",
    "Topic",
    "Verdict",
    "Verification",
    "VirtualStart",
    "Vote",
    "Webhook",
]
