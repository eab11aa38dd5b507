"""leitai: rounds, level, submit, watch, standings.

The site is LEITAI_URL (default http://127.0.0.1:8000). A token is LEITAI_TOKEN, or what `leitai token` put into the
system's keyring. Without a token, --nickname and after the first time --claim say who you are.
"""

import argparse
import os
import sys
import time
from pathlib import Path

from leitai.client import Client
from leitai.errors import LeitaiError
from leitai.shapes import Round, Submission

SERVICE = "leitai"
WATCH_SECONDS = 20.0


def main(words: list[str] | None = None) -> int:
    options = _parser().parse_args(words)
    try:
        with Client(options.url, os.environ.get("LEITAI_TOKEN") or _kept_token(options.url)) as client:
            status: int = options.act(client, options)
    except (LeitaiError, OSError) as error:
        print(f"leitai: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="leitai", description=__doc__)
    parser.add_argument("--url", default=os.environ.get("LEITAI_URL", "http://127.0.0.1:8000"))
    acts = parser.add_subparsers(required=True, metavar="act")

    def act(name: str, function: object, words: str) -> argparse.ArgumentParser:
        made = acts.add_parser(name, help=words)
        made.set_defaults(act=function)
        return made

    act("rounds", rounds, "list the rounds")
    _of_level(act("level", level, "print a level as XSB"))
    _of_level(act("standings", standings, "print a ranking"), ranking=True)
    _of_level(act("watch", watch, "print a ranking again whenever it changes"), ranking=True)
    sending = act("submit", submit, "enter moves from a file, or - for standard input")
    sending.add_argument("file")
    for name in ("nickname", "claim", "country", "email", "slot"):
        sending.add_argument(f"--{name}")
    sending.add_argument("--round", type=int)
    sending.add_argument("--check", action="store_true", help="judge only; enter nothing")
    act("token", token, "put a token from standard input into the keyring")
    return parser


def _of_level(parser: argparse.ArgumentParser, *, ranking: bool = False) -> None:
    parser.add_argument("round", type=int, nargs="?", help="default: the open round")
    parser.add_argument("slot", nargs="?", default="main")
    if ranking:
        parser.add_argument("--by", choices=["moves", "pushes"], default="moves")
        parser.add_argument("--league", choices=["human", "bot", "all"], default="human")


def _kept_token(url: str) -> str:
    try:
        import keyring  # optional
    except ImportError:
        return ""
    return keyring.get_password(SERVICE, url) or ""


def _round(client: Client, number: int | None) -> Round:
    round_ = client.round(number)
    if round_ is None:
        raise LeitaiError("no round is open; name one")
    return round_


def rounds(client: Client, _options: argparse.Namespace) -> int:
    for round_ in client.rounds():
        opens, closes = (f"{at:%Y-%m-%d %H:%M}" for at in (round_.opens_at, round_.closes_at))
        print(f"{round_.number:>5}  {round_.phase:<9}  {opens} to {closes} UTC  {round_.title}")
    return 0


def level(client: Client, options: argparse.Namespace) -> int:
    found = client.level(_round(client, options.round).number, options.slot)
    print(found.board)
    print(f"\nTitle: {found.title}\nAuthor: {found.author}")
    return 0


def standings(client: Client, options: argparse.Namespace) -> int:
    print(_ranking(client, _round(client, options.round).number, options))
    return 0


def watch(client: Client, options: argparse.Namespace) -> int:
    number, shown = _round(client, options.round).number, ""
    while True:
        ranking = _ranking(client, number, options)
        if ranking != shown:
            print(f"\n{time.strftime('%H:%M:%S')}\n{ranking}", flush=True)
            shown = ranking
        time.sleep(WATCH_SECONDS)


def _ranking(client: Client, number: int, options: argparse.Namespace) -> str:
    rows = client.standings(number, options.slot, by=options.by, league=options.league)
    return "\n".join(f"{row.rank:>4}  {row.moves:>7}  {row.pushes:>6}  {row.player['name']}" for row in rows)


def submit(client: Client, options: argparse.Namespace) -> int:
    moves = sys.stdin.read() if options.file == "-" else Path(options.file).read_text()
    if options.check:
        return _tell(client.check(moves, round=options.round, slot=options.slot))
    receipt = client.submit(
        moves,
        nickname=options.nickname,
        claim=options.claim,
        country=options.country,
        email=options.email,
        round=options.round,
        slot=options.slot,
    )
    print(f"Receipt {receipt.number}, received {receipt.received_at:%Y-%m-%d %H:%M:%S} UTC: {receipt.url}")
    if receipt.claim:
        print(f"The nickname is yours. Its claim, shown only once: {receipt.claim}")
    return _tell(client.verdict(receipt.id))


def _tell(submission: Submission) -> int:
    ranks = ", ".join(f"{rank} by {name}" for name, rank in submission.ranks.items() if rank)
    print(submission.detail + (f" Rank {ranks}." if ranks else ""))
    return 0 if submission.verdict in ("accepted", "pending") else 2


def token(_client: Client, options: argparse.Namespace) -> int:
    import keyring  # optional: pip install leitai[keyring]

    keyring.set_password(SERVICE, options.url, sys.stdin.readline().strip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
