from solvers.sokoban.machines.hunting import hunt
from solvers.sokoban.machines.proofs import end, prove


def test_what_is_found_is_proved_and_the_same_seed_finds_the_same():
    found, looked = hunt(end, 1, (4, 4), 0, tries=60, seed=1)
    assert looked == 60
    assert found
    assert all(prove(gadget, end) == proof and proof.is_proved for gadget, proof in found)
    assert hunt(end, 1, (4, 4), 0, tries=60, seed=1) == (found, looked)
