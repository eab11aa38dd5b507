"""Leitai's rounds from the command line.

Name a level by ROUND/SLOT: 7/extra, 7 (its main level) or /extra (of the open round); the default is the open round's
main level. LEITAI_URL is the site (default http://127.0.0.1:8000). LEITAI_TOKEN is the token; the default is the one
that `leitai token` stored in the keyring. Without a token, use --nickname and, after the first time, also --claim.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from leitai import sealing
from leitai.base import Shape
from leitai.client import Client
from leitai.errors import LeitaiError, NotReceived, Refused
from leitai.shapes import Best, Event, Round, Row, Sent, Submission
from leitai.talking import new_key
from leitai.version import __version__

S = TypeVar("S", bound=Shape)
SERVICE = "leitai"
FINE, REFUSED, UNUSABLE = 0, 1, 2
INTERRUPTED, OUTPUT_CLOSED = 130, 141
EPILOG = """examples:
  leitai rounds
  leitai level 7/extra > extra.xsb
  leitai check solution.txt 7
  leitai submit solution.txt --nickname Bea
  leitai seal solution.txt 7/main && leitai open leitai-7-main-93960e43.txt
  leitai standings 7 --by pushes --json | jq .player.name
  leitai watch

exit codes: 0 fine or accepted, 1 not accepted or refused by the site, 2 wrong usage, an unreadable file or a site that
does not answer, 130 interrupted, 141 nobody reads the output any more"""


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit code."""
    options = read_arguments().parse_args(arguments)
    try:
        try:
            with Client(options.url, _read_token(options.url)) as client:
                status: int = options.act(client, options)
        finally:
            print(end="", flush=True)  # here, because an error at interpreter exit could not be handled
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return OUTPUT_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except (LeitaiError, OSError, UnicodeDecodeError) as error:
        print(f"leitai: {error}", file=sys.stderr)
        if isinstance(error, OSError) and not error.filename:  # a full disk: the interpreter would fail again at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return REFUSED if isinstance(error, LeitaiError) and not isinstance(error, NotReceived) else UNUSABLE
    return status


# Arguments


def read_arguments() -> argparse.ArgumentParser:
    """Return the parser of the arguments, with the help texts."""
    shape = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="leitai", description=__doc__, epilog=EPILOG, formatter_class=shape)
    parser.add_argument("--version", action="version", version=f"leitai {__version__}")
    url = os.environ.get("LEITAI_URL", "http://127.0.0.1:8000")
    parser.add_argument("--url", default=url, help="the site; default: %(default)s")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add_command(
        name: str, function: Callable[[Client, argparse.Namespace], int], help_text: str
    ) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=help_text, description=f"{help_text[0].upper()}{help_text[1:]}.")
        command.set_defaults(act=function)
        command.add_argument("--json", action="store_true", help="a JSON object a line, as the API has them")
        return command

    add_command("rounds", rounds, "list the rounds")
    _add_level_argument(add_command("level", level, "print a level as XSB"))
    ranking = _add_level_argument(add_command("standings", standings, "print a ranking"))
    ranking.add_argument("--by", choices=["moves", "pushes"], default="moves", help="default: %(default)s")
    ranking.add_argument("--league", choices=["human", "bot", "all"], help="default: the one that the round ranks")
    _add_moves_arguments(add_command("check", check, "judge moves and enter nothing"))
    sending = _add_moves_arguments(add_command("submit", submit, "enter moves"))
    sending.add_argument("--nickname", help="who you are, without a token")
    sending.add_argument("--claim", help="the proof that came with the first receipt of your nickname")
    sending.add_argument("--country", help="two letters, such as CN")
    sending.add_argument("--email", help="where verdicts and results are written to")
    sending.add_argument("--practice", action="store_true", help="on a round that is over")
    sending.add_argument("--key", help="the key of an attempt without an answer: the same moves are entered once")
    _add_moves_arguments(
        add_command("seal", seal, "vouch for moves with a hash and keep them here until the close; needs a token")
    )
    opening = add_command("open", open_sealed, "open what was sealed, within a day after the close")
    opening.add_argument("file", help="what seal has kept")
    listing = add_command("history", history, "list what you have sent; needs a token")
    listing.add_argument("--round", type=int, metavar="N", help="only of this round")
    listing.add_argument("--texts", action="store_true", help="with the texts (--json shows them)")
    add_command("bests", bests, "list your best results; needs a token")
    watching = add_command("watch", watch, "print what happens: rounds, accepted submissions, new leaders, results")
    watching.add_argument("--after", type=int, metavar="N", help="begin behind this event; default: the newest")
    add_command("token", token, "put a token from standard input into the keyring")
    add_command("mcp", mcp, "let a language model play: a server of the Model Context Protocol on standard input")
    return parser


def _add_level_argument(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument(
        "place",
        nargs="?",
        type=_parse_place,
        default="",
        metavar="ROUND/SLOT",
        help="default: the open round's main level",
    )
    return parser


def _add_moves_arguments(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("file", help="the moves (LURD); - for standard input")
    help_text = "default: whichever level of the open round they solve"
    parser.add_argument("place", nargs="?", type=_parse_place, default="", metavar="ROUND/SLOT", help=help_text)
    return parser


def _parse_place(text: str) -> tuple[int | None, str | None]:
    """Return the round and the slot that *text* names; None for a part that is absent."""
    number, _, slot = text.partition("/")
    if number and not (number.isascii() and number.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} names no level; write ROUND/SLOT, such as 7/extra")
    return int(number) if number else None, slot or None


def _find_level(client: Client, place: tuple[int | None, str | None]) -> tuple[int, str]:
    number, slot = place
    round_: Round | None = client.round(number)
    if round_ is None:
        raise LeitaiError("no round is open; name one, such as 7/main (`leitai rounds` lists them)")
    return round_.number, slot or "main"


def _read_moves(options: argparse.Namespace) -> str:
    return sys.stdin.read() if options.file == "-" else Path(options.file).read_text(encoding="utf-8")


def _read_token(url: str) -> str:
    return os.environ.get("LEITAI_TOKEN") or _read_keyring_token(url)


def _read_keyring_token(url: str) -> str:
    try:
        import keyring.errors  # optional
    except ImportError:
        return ""
    try:
        return keyring.get_password(SERVICE, url) or ""
    except keyring.errors.NoKeyringError:  # the package is installed, but this machine has no keyring
        return ""
    except keyring.errors.KeyringError as error:
        raise LeitaiError(f"the keyring cannot be read: {error}; set LEITAI_TOKEN") from None


# Output


def _print(options: argparse.Namespace, shape: Shape, line: str) -> None:
    print(json.dumps(shape.as_json(), ensure_ascii=False) if options.json else line, flush=True)


def _print_list(options: argparse.Namespace, shapes: Iterable[S], describe: Callable[[S], str], empty_text: str) -> int:
    """Print a line for each of *shapes*, or *empty_text* to standard error; return the exit code."""
    is_empty = True
    for shape in shapes:
        is_empty = False
        _print(options, shape, describe(shape))
    if is_empty:
        print(f"leitai: {empty_text}", file=sys.stderr)
    return FINE


def rounds(client: Client, options: argparse.Namespace) -> int:
    def describe(round_: Round) -> str:
        opens, closes = (f"{at:%Y-%m-%d %H:%M}" for at in (round_.opens_at, round_.closes_at))
        return f"{round_.number:>5}  {round_.phase:<9}  {opens} to {closes} UTC  {round_.title}"

    return _print_list(options, client.rounds(), describe, "the site has not announced any round")


def level(client: Client, options: argparse.Namespace) -> int:
    found = client.level(*_find_level(client, options.place))
    _print(options, found, f"{found.board}\n\nTitle: {found.title}\nAuthor: {found.author}")
    return FINE


def standings(client: Client, options: argparse.Namespace) -> int:
    number, slot = _find_level(client, options.place)
    rows = client.standings(number, slot, by=options.by, league=options.league)
    league = f" in the league {options.league}" if options.league else ""

    def describe(row: Row) -> str:
        return f"{row.rank:>4}  {row.moves:>7}  {row.pushes:>6}  {row.player.name}"

    return _print_list(options, rows, describe, f"nobody is ranked on {number}/{slot} by {options.by}{league}")


def check(client: Client, options: argparse.Namespace) -> int:
    number, slot = options.place
    return _print_verdict(options, client.check(_read_moves(options), round=number, slot=slot))


def submit(client: Client, options: argparse.Namespace) -> int:
    number, slot = options.place
    identity = {name: getattr(options, name) for name in ("nickname", "claim", "country", "email")}
    moves, practice, key = _read_moves(options), options.practice or None, options.key or new_key()
    try:
        receipt = client.submit(moves, round=number, slot=slot, practice=practice, idempotency_key=key, **identity)
    except (NotReceived, KeyboardInterrupt):
        print(f"leitai: to enter these moves only once, send them again with --key {key}", file=sys.stderr)
        raise
    output = sys.stderr if options.json else sys.stdout
    print(f"Receipt {receipt.number}, received {receipt.received_at:%Y-%m-%d %H:%M:%S} UTC: {receipt.url}", file=output)
    if receipt.claim:
        print(f"The nickname is yours. Its claim, shown only once: {receipt.claim}", file=output)
    return _print_verdict(options, client.verdict(receipt.id))


def seal(client: Client, options: argparse.Namespace) -> int:
    number, slot = _find_level(client, options.place)
    lurd = sealing.play(client.level(number, slot).board, _read_moves(options))
    text = sealing.sealed_text(number, slot, client.token()["archive_number"], lurd)
    sha256 = sealing.sha256(text)
    path = Path(f"leitai-{number}-{slot}-{sha256[:8]}.txt")
    # Saved before sending, because a hash is worthless without its text; readable by the owner only.
    with open(path, "x", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(text)
    pushes = sum(letter.isupper() for letter in lurd)
    try:
        answer = client.seal(number, slot, moves=len(lurd), pushes=pushes, sha256=sha256)
    except Refused:
        path.unlink()
        raise
    line = f"Sealed {answer.number}: {number}/{slot}, {_describe_counts(answer)}. Keep {path}."
    _print(options, answer, line)
    return FINE


def open_sealed(client: Client, options: argparse.Namespace) -> int:
    return _print_verdict(options, client.verdict(client.open_sealed(_read_moves(options)).id))


def _print_verdict(options: argparse.Namespace, submission: Submission) -> int:
    ranks = ", ".join(f"{rank} by {name}" for name, rank in submission.ranks.items() if rank)
    _print(options, submission, submission.detail + (f" Rank {ranks}." if ranks else ""))
    return FINE if submission.verdict in ("accepted", "pending") else REFUSED


def history(client: Client, options: argparse.Namespace) -> int:
    def describe(sent: Sent) -> str:
        counts = _describe_counts(sent) if sent.moves is not None else ""
        received_at = f"{sent.received_at:%Y-%m-%d %H:%M:%S}"
        line = f"{sent.number:>7}  {received_at}  {sent.round}/{sent.slot or '?'}  {sent.verdict}  {counts}"
        return line.rstrip()

    sent_moves = client.history(round=options.round, texts=options.texts or None)
    place = f" in round {options.round}" if options.round is not None else ""
    return _print_list(options, sent_moves, describe, f"you have not sent anything{place}")


def bests(client: Client, options: argparse.Namespace) -> int:
    def describe(best: Best) -> str:
        return f"{best.round}/{best.slot}  {best.board}  by {best.by}  {_describe_counts(best)}"

    return _print_list(options, client.bests(), describe, "you have no results yet")


def watch(client: Client, options: argparse.Namespace) -> int:
    after = _newest_event(client) if options.after is None else options.after
    for event in client.follow(after):
        line = f"{event.number:>7}  {event.at:%Y-%m-%d %H:%M:%S}  {' '.join(_describe_event(event))}"
        _print(options, event, line.rstrip())
    return FINE


def _describe_counts(result: Any) -> str:
    return _in_words(result.moves, result.pushes)


def _in_words(moves: int, pushes: int) -> str:
    return f"{moves} move{'' if moves == 1 else 's'}, {pushes} push{'' if pushes == 1 else 'es'}"


def _newest_event(client: Client) -> int:
    after = 0
    while events := client.events(after):
        after = events[-1].number
    return after


def _describe_event(event: Event) -> Iterator[str]:
    details: dict[str, Any] = event.extra
    yield event.kind
    if event.round:
        submission = details.get("submission") or {}
        yield f"{event.round}/{submission['slot']}" if submission.get("slot") else f"round {event.round}"
        if submission:
            name, moves, pushes = submission["player"]["name"], submission["moves"], submission["pushes"]
            yield name if moves is None else f"{name}: {_in_words(moves, pushes)}"
        if details.get("stands") is False:
            yield "(counts no longer)"
        elif "by" in details:
            yield f"(leads by {details['by']})"
        elif submission and event.kind in ("void", "rejudged"):
            yield "(counts)"
    if note := details.get("note"):
        yield f"{note['what']} {note['why']}"
    yield details.get("post", "")


def mcp(_client: Client, options: argparse.Namespace) -> int:
    try:
        from leitai.mcp_server import serve  # optional
    except ImportError as error:
        raise LeitaiError(f"{error.name} is not installed: pip install 'leitai[mcp]'") from None
    serve(options.url, _read_token(options.url))
    return FINE


def token(_client: Client, options: argparse.Namespace) -> int:
    try:
        import keyring.errors
    except ImportError:
        raise LeitaiError("the keyring is not installed: pip install 'leitai[keyring]', or set LEITAI_TOKEN") from None
    try:
        keyring.set_password(SERVICE, options.url, sys.stdin.readline().strip())
    except keyring.errors.KeyringError as error:
        raise LeitaiError(f"the keyring cannot store the token: {error}; set LEITAI_TOKEN") from None
    return FINE


if __name__ == "__main__":
    sys.exit(main())
