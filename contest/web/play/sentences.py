"""Messages of the scripts that judge in the page: the judge's own messages and the page's."""

from django.utils.translation import gettext_lazy as _

from contest.judging.suggestions import SYMMETRIES
from contest.wording import verdicts

_SENTENCES = {
    "possible": _("Legal moves on %(level)s: %(moves)s, then:"),
    "wrongAt": _("The board before the illegal move at %(square)s."),
    "moment": _("After %(at)s of %(length)s moves."),
    "otherSolution": _("This text also contains another solution: %(level)s, %(counts)s."),
    "useOther": _("Use this one"),
    "turnBack": _("Turn them back"),
    "turnBackWhy": _("They do not count until you turn them back."),
    "tail": _("Moves after the solution, which do not count: %(cut)s."),
    "useTrimmed": _("Remove them"),
    "shorter": _("The same pushes with shorter walks take %(moves)s moves: %(fewer)s fewer."),
    "useShorter": _("Use the shorter walks"),
    "noLevels": _("There is no level to try these moves on."),
    "ownLevel": _("your level"),
    "rankMoves": _("By moves it would reach rank %(rank)s."),
    "rankMovesNow": _("By moves it would reach rank %(rank)s; you are at rank %(now)s now."),
    "keepsMoves": _("By moves it is not better than your %(own)s: you stay at rank %(rank)s."),
    "gainOneMoves": _("One move fewer would reach rank %(rank)s."),
    "gainMoves": _("%(fewer)s fewer moves would reach rank %(rank)s."),
    "gainEitherMoves": _("Moves: %(first)s, with pushes at most %(second)s, would reach rank %(rank)s."),
    "rankPushes": _("By pushes it would reach rank %(rank)s."),
    "rankPushesNow": _("By pushes it would reach rank %(rank)s; you are at rank %(now)s now."),
    "keepsPushes": _("By pushes it is not better than your %(own)s: you stay at rank %(rank)s."),
    "gainOnePushes": _("One push fewer would reach rank %(rank)s."),
    "gainPushes": _("%(fewer)s fewer pushes would reach rank %(rank)s."),
    "gainEitherPushes": _("Pushes: %(first)s, with moves at most %(second)s, would reach rank %(rank)s."),
    "notBetter": _("Not better than what you have sent. You can still submit it: a worse result never hurts."),
    "noPreview": _("The ranking cannot be read now, so there is no preview."),
    "boxLines": _("Box lines"),
    "boxChanges": _("Box changes"),
    "pushRuns": _("Pushing sessions"),
    "playerLines": _("Player lines"),
    "sending": _("Sending …"),
    "received": _("Received. Opening the receipt …"),
    "refused": _("NOT received: see the messages beside the fields. Your moves stay here."),
    "notReceived": _(
        "NOT received: no answer came from the site. Your moves stay here; press Submit again when the network is "
        "back. Sending twice does no harm."
    ),
    "offline": _("NOT received: you are offline, so nothing was sent. Your moves stay here; submit when you are back."),
}


def script_messages() -> dict[str, str]:
    """Return all messages in the reader's language, keyed by the scripts' names."""
    messages = verdicts.for_scripts()
    turned = {f"turned_{number}": messages[f"turned_{name}"] for number, name in enumerate(SYMMETRIES)}
    return messages | turned | {name: str(sentence) for name, sentence in _SENTENCES.items()}
