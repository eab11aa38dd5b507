"""Find moves in submitted text: `movelines`, `pasted` and `readers` locate them, `counts` drops claimed counts, `plays`
replays each once, `turned` and `spectator` check what else they solve, `origin` compares texts with scored moves.
"""
