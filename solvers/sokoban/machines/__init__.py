"""Gadgets: small boards with ports, used as vertices of a constraint graph and verified by exhaustive search.

`gadgets` parses a board with ports and generates every push in it, for any behaviour of its surroundings ·
`proofs` decides whether a board is a given vertex · `hunting` searches for such boards · `passages` are boards that the
player walks through and that remember which gate is shut · `vertices` are proved boards · `composing` joins boards into
a level · `formula_levels` are the levels of some formulas.
"""

from solvers.sokoban.machines.gadgets import Gadget
from solvers.sokoban.machines.passages import Passage, is_passage
from solvers.sokoban.machines.proofs import Proof, prove_gadget

__all__ = ["Gadget", "Passage", "Proof", "is_passage", "prove_gadget"]
