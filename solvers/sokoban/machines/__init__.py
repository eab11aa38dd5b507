"""Small boards with ports, as vertices of a constraint graph: what their boxes can do, proved by looking at everything.

`gadgets` reads a board with ports and makes every move that the man can make in it, whatever goes on outside ·
`proofs` says what of that a vertex of a constraint graph allows · `hunting` looks for boards that do exactly that ·
`passages` are boards that the man goes through, and remember which of their gates is shut · `vertices` are boards that
are proved · `composing` puts boards together to a level, `formula_levels` those of some formulas.
"""

from solvers.sokoban.machines.gadgets import Gadget
from solvers.sokoban.machines.passages import Passage, is_passage
from solvers.sokoban.machines.proofs import Proof, prove

__all__ = ["Gadget", "Passage", "Proof", "is_passage", "prove"]
