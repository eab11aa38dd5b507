"""Moves in what people send: `movelines`, `pasted` and `readers` find them, `plays` replays each once, `turned` and
`spectator` say what else they solve.
"""
