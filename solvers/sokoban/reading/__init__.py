"""Find moves in submitted text: `masks` lists the readings of a text, `pasted` reads candidates from them, `plays`
replays each once, `readers` judges. `turned` and `spectator` check what else they solve; `origin` compares texts with
scored moves.
"""
