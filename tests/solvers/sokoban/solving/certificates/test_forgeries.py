"""Certificates that prove nothing, or something else, are refused."""

import lzma
import random
from dataclasses import replace

import pytest

from solvers.sokoban import Level
from solvers.sokoban.solving.answers import Aim, Proof, Solved, Unsolvable
from solvers.sokoban.solving.certificates import check_certificate
from solvers.sokoban.solving.certificates.writing import certify
from tests import sizes
from tests.solvers.sokoban.solving.certificates import forgeries
from tests.solvers.sokoban.solving.full_search import best

# Numbers of forgeries: 110 in the short size, 2,200 in the exhaustive one.
BLOCKS = sizes.cases([range(40)], [range(first, first + 80) for first in range(1_000, 1_800, 80)])
FEW_BLOCKS = sizes.cases([range(10)], [range(first, first + 100) for first in range(1_000, 1_400, 100)])


@pytest.mark.parametrize("seeds", BLOCKS)
def test_one_change_is_refused_even_with_a_new_digest(seeds, tmp_path):
    for seed in seeds:
        forged = forgeries.forge(seed, forgeries.lines_of(seed))
        assert forgeries.check(tmp_path, forgeries.sealed(forged), forgeries.proved(seed)[0]).startswith(
            forgeries.REFUSED
        ), forged


@pytest.mark.parametrize("seeds", BLOCKS)
def test_one_flipped_bit_is_refused(seeds, tmp_path):
    for seed in seeds:
        text = bytearray(lzma.decompress(forgeries.sealed(forgeries.lines_of(seed))))
        place = random.Random(seed).randrange(8 * len(text))
        text[place // 8] ^= 1 << place % 8
        assert forgeries.check(tmp_path, lzma.compress(text), forgeries.proved(seed)[0]).startswith(
            forgeries.REFUSED
        ), bytes(text)


@pytest.mark.parametrize("seeds", FEW_BLOCKS)
def test_a_certificate_moved_to_another_level_is_accepted_only_if_its_claim_is_true_there(seeds, tmp_path):
    for seed in seeds:
        level = forgeries.change_cell(random.Random(seed), forgeries.proved(seed)[0])
        lines = list(forgeries.lines_of(seed))
        lines[2] = f"Level: {level.published_text}"
        if forgeries.check(tmp_path, forgeries.sealed(lines), level).startswith(forgeries.PROVED):
            assert lines[1] in true_claims(level), str(level)


@pytest.mark.parametrize("seeds", FEW_BLOCKS)
def test_other_prices_prove_nothing_false(seeds, tmp_path):
    for seed in seeds:
        chance, (level, _), lines = random.Random(seed), forgeries.proved(seed), list(forgeries.lines_of(seed))
        for at in range(4, len(lines)):
            if lines[at].startswith("States"):
                break
            lines[at] = " ".join(change_number(chance, word) for word in lines[at].split(" "))
        if forgeries.check(tmp_path, forgeries.sealed(lines), level).startswith(forgeries.PROVED):
            assert lines[1] in true_claims(level), str(level)


@pytest.mark.parametrize("seeds", FEW_BLOCKS)
def test_a_false_claim_is_refused_even_if_the_writer_believes_it(seeds, tmp_path):
    for seed in seeds:
        level, answer = forgeries.proved(seed)
        if isinstance(answer, Solved):
            for lie in (Unsolvable(Proof.EXHAUSTED), with_detour(level, answer)):
                assert forgeries.check(tmp_path, certify(level, lie), level).startswith(forgeries.REFUSED), str(level)


def test_damaged_files_are_refused(tmp_path, monkeypatch):
    level = forgeries.proved(1)[0]
    whole = forgeries.sealed(forgeries.lines_of(1))
    bomb = lzma.compress(bytes(1 << 20))
    for damaged in (b"", whole[:-1], whole[: len(whole) // 2], whole + b"\0", whole + whole, b"PK" + whole):
        assert forgeries.check(tmp_path, damaged, level).startswith(forgeries.REFUSED)
    monkeypatch.setattr(check_certificate, "MOST_TEXT", 1 << 16)
    assert "too large" in forgeries.check(tmp_path, bomb, level)
    monkeypatch.setattr(check_certificate, "MOST_BYTES", 10)
    assert "too large" in forgeries.check(tmp_path, whole, level)


def change_number(chance: random.Random, word: str) -> str:
    is_number = word.lstrip("-").isdecimal()
    return str(int(word) + chance.choice([-1, 1, 3])) if is_number and chance.random() < 0.2 else word


def true_claims(level: Level) -> set[str]:
    truth = best(level)
    if truth.moves_then_pushes is None:
        return {"unsolvable"}
    return {f"moves {truth.moves_then_pushes[0]}", f"pushes {truth.pushes_then_moves[0]}"}


def with_detour(level: Level, answer: Solved) -> Solved:
    """Return a worse solution than a best one, as if it were the best: its first step is made three times."""
    if answer.proven == Aim.MOVES:
        step = answer.lurd[0].lower()
        back = {"l": "r", "r": "l", "u": "d", "d": "u"}[step]
        if answer.lurd[0].islower():
            return replace(answer, lurd=step + back + answer.lurd, moves=answer.moves + 2)
    return replace(answer, proven=Aim.PUSHES, pushes=answer.pushes + 1)
