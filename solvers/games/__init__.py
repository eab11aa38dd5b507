"""Impartial games: Grundy values, sums, normal and misère play, and a perfect player."""

from solvers.games.chomp import CHOMP, winning_bites
from solvers.games.match import Match
from solvers.games.nim import NIM
from solvers.games.notakto import NOTAKTO
from solvers.games.octal import DAWSONS_CHESS, KAYLES, Octal
from solvers.games.play import Move, Player
from solvers.games.protocol import Game, Sum, Term
from solvers.games.search import mex
from solvers.games.subtraction import Subtraction
from solvers.games.wythoff import WYTHOFF

__all__ = [
    "CHOMP",
    "DAWSONS_CHESS",
    "KAYLES",
    "NIM",
    "NOTAKTO",
    "WYTHOFF",
    "Game",
    "Match",
    "Move",
    "Octal",
    "Player",
    "Subtraction",
    "Sum",
    "Term",
    "mex",
    "winning_bites",
]
